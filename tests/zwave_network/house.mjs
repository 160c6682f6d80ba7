// The simulated house: which nodes there are, and what the world around them is like at the start.
//
// `world` is what the device measures, not what the driver sets: battery {level, low}, notification {type, event},
// contact, sensors {type: value}, meters {scale: value}. A sleeping node has `sleeping`, one that nobody has woken
// since it was added `neverAwake`, one whose plug was pulled after its interview `dead`. A `plain` one does not say what
// it is, which halves the time of its interview.
import { BinarySensorType, SwitchType, WindowCoveringParameter } from "@zwave-js/cc";
import { CommandClasses as CC } from "@zwave-js/core";

// Notification types and events, from the Z-Wave Alliance's notification registry.
export const ACCESS = { type: 6, open: 0x16, closed: 0x17 };
export const MOTION = { type: 7, detected: 8, idle: 0 };
const AIR_TEMPERATURE = 1, ILLUMINANCE = 3, HUMIDITY = 5;
const CONSUMED_KWH = 0, WATTS = 2;

// Generic and specific device classes, from SDS10242.
const SWITCH = [0x10, 0x01], DIMMER = [0x11, 0x01], MOTOR = [0x11, 0x06], SENSOR = [0x21, 0x01];
const CONTACT = [0x07, 0x01], LOCK = [0x40, 0x03], THERMOSTAT = [0x08, 0x06], BARRIER = [0x40, 0x07];

const described = [
	{ ccId: CC.Version, version: 3 }, { ccId: CC["Manufacturer Specific"], version: 1 }, { ccId: CC["Z-Wave Plus Info"], version: 2 },
];
const binarySwitch = { ccId: CC["Binary Switch"], version: 2, defaultValue: false };
const dimmer = (more = {}) =>
	({ ccId: CC["Multilevel Switch"], version: 4, defaultValue: 0, primarySwitchType: SwitchType["Down/Up"], ...more });
const supervision = { ccId: CC.Supervision, version: 2 };
const battery = { ccId: CC.Battery, version: 1 };
const wakeUp = { ccId: CC["Wake Up"], version: 1 };
const LED = { "#": 1, valueSize: 1, name: "LED indicator", info: "0 = off, 1 = on", minValue: 0, maxValue: 1, defaultValue: 1 };
const settings = (...parameters) => ({ ccId: CC.Configuration, version: 4, parameters });
const notifications = (type, events) =>
	({ ccId: CC.Notification, version: 8, supportsV1Alarm: false, notificationTypesAndEvents: { [type]: events } });
const sensors = (world, ...types) => ({
	ccId: CC["Multilevel Sensor"], version: 11,
	sensors: Object.fromEntries(types.map((type) => [type, { supportedScales: [type === ILLUMINANCE ? 1 : 0] }])),
	getValue: (type) => world.sensors[type ?? types[0]],
});

/** As many nodes as make `count` with the controller: 2 to 19 are all different, the rest are lamps. */
export function house(count) {
	const nodes = [
		node(2, "Coffee Machine", "Kitchen", SWITCH, { meters: { [CONSUMED_KWH]: 12.5, [WATTS]: 42.5 } }, (world) => [
			binarySwitch, supervision,
			{ ccId: CC.Meter, version: 4, meterType: 1, supportedScales: [CONSUMED_KWH, WATTS], supportedRateTypes: [1],
				supportsReset: false, getValue: (scale) => world.meters[scale] },
			settings(
				LED,
				{ "#": 2, valueSize: 2, name: "Auto-off time", info: "Seconds, 0 = never", minValue: 0, maxValue: 3600, defaultValue: 0 },
				{ "#": 3, valueSize: 1, name: "Serial number", minValue: 0, maxValue: 99, defaultValue: 7, readonly: true },
			),
		]),
		node(3, "Ceiling Light", "Living Room", DIMMER, {}, () => [dimmer()]),
		node(4, "Window Blind", "Bedroom", MOTOR, {}, () => [dimmer({ defaultValue: 99, travelTime: 1500 }), supervision]),
		node(5, "Front Door Lock", "Hallway", LOCK, { battery: { level: 64 } }, () => [
			battery, { ccId: CC["Door Lock"], version: 4, doorSupported: false, boltSupported: true, latchSupported: false },
		]),
		node(6, "Front Door", "Hallway", CONTACT,
			{ battery: { level: 87 }, contact: false, notification: { type: ACCESS.type, event: ACCESS.closed } }, (world) => [
				battery, wakeUp, notifications(ACCESS.type, [ACCESS.open, ACCESS.closed]), settings(LED),
				{ ccId: CC["Binary Sensor"], version: 2, supportedSensorTypes: [BinarySensorType["Door/Window"]],
					getValue: () => world.contact },
			], { sleeping: true }),
		node(7, "Motion Sensor", "", SENSOR,
			{ battery: { level: 8, low: true }, notification: { type: MOTION.type, event: MOTION.idle }, sensors: { [ILLUMINANCE]: 320 } },
			(world) => [battery, wakeUp, notifications(MOTION.type, [MOTION.detected]), sensors(world, ILLUMINANCE)], { sleeping: true }),
		node(8, "Thermostat", "Bedroom", THERMOSTAT, { sensors: { [AIR_TEMPERATURE]: 19.5 } }, (world) => [
			{ ccId: CC["Thermostat Mode"], version: 3, supportedModes: [0, 1, 2] },
			{ ccId: CC["Thermostat Setpoint"], version: 3, setpoints: {
				1: { minValue: 5, maxValue: 30, defaultValue: 20, scale: "°C" },
				2: { minValue: 16, maxValue: 32, defaultValue: 25, scale: "°C" } } },
			{ ccId: CC["Thermostat Fan Mode"], version: 2 }, sensors(world, AIR_TEMPERATURE), supervision,
		]),
		node(9, "Climate Sensor", "Bathroom", SENSOR, { sensors: { [AIR_TEMPERATURE]: 22.3, [HUMIDITY]: 58 } },
			(world) => [sensors(world, AIR_TEMPERATURE, HUMIDITY)]),
		node(10, "Garden Pump", "Garden", SWITCH, {}, () => [binarySwitch], { dead: true }),
		node(11, "Heater", "Cellar", SWITCH, { refuse: true }, () => [binarySwitch, supervision]),
		node(12, "Garage Door", "Garage", BARRIER, {}, () => [{ ccId: CC["Barrier Operator"], version: 1 }]),
		node(13, "Awning", "Terrace", MOTOR, {}, () => [supervision, { ccId: CC["Window Covering"], version: 1,
			supportedParameters: [WindowCoveringParameter["Outbound Bottom"]], travelTime: 300 }]),
		node(14, "", "", SWITCH, {}, () => [binarySwitch]),
		node(15, "Leak Sensor", "Cellar", CONTACT, { battery: { level: 100 } }, () => [battery, wakeUp], { neverAwake: true }),
		node(16, "Lamp", "Kitchen", SWITCH, {}, () => [binarySwitch]),
		node(17, "Lamp", "Office", DIMMER, {}, () => [dimmer(), supervision]),
		node(18, "Double Plug", "Office", SWITCH, {}, () => [binarySwitch, { ccId: CC["Multi Channel"], version: 4 }], { plugs: 2 }),
		node(19, "Roof Shutter", "Attic", MOTOR, { battery: { level: 55 } }, () => [battery, wakeUp, dimmer()], { sleeping: true }),
	];
	const rooms = ["Kitchen", "Living Room", "Bedroom", "Bathroom", "Hallway", "Office", "Cellar", "Garden"];
	for (let id = 20; id <= count; id++)
		nodes.push(node(id, `Lamp ${id}`, rooms[id % rooms.length], SWITCH, {}, () => [binarySwitch], { plain: true }));
	return nodes.filter(({ id }) => id <= count);
}

function node(id, name, location, [generic, specific], world, commandClasses, { sleeping, neverAwake, dead, plain, plugs = 0 } = {}) {
	const awake = !(sleeping || neverAwake);
	const endpoint = { genericDeviceClass: generic, specificDeviceClass: specific, commandClasses: [binarySwitch] };
	return {
		id, name, location, world, sleeping, neverAwake, dead,
		capabilities: {
			manufacturerId: 0xffff, productType: 0xffff, productId: 0xfffe,
			isListening: awake, isRouting: true, isFrequentListening: false, txDelay: 1,
			genericDeviceClass: generic, specificDeviceClass: specific,
			commandClasses: [
				...(plain ? [] : described),
				...commandClasses(world),
			],
			endpoints: Array(plugs).fill(endpoint),
		},
	};
}
