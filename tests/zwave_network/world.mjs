// What happens in the house without the driver: somebody presses a switch, opens a door, pulls a plug.
import * as cc from "@zwave-js/cc";
import { createMockZWaveRequestFrame } from "@zwave-js/testing";
import { ACCESS, MOTION } from "./house.mjs";

/** Commands by name, each with one object of arguments. `nodes` are the mock nodes by id. */
export function happenings(driver, controller, nodes) {
	const nodeId = controller.ownNodeId;
	const report = (node, Report, values) =>
		node.sendToController(createMockZWaveRequestFrame(new Report({ nodeId, ...values }), { ackRequested: false }));
	const notify = (node, type, event) => {
		node.world.notification = { type, event };
		const values = { notificationType: type, notificationEvent: event, notificationStatus: 0xff };
		return report(node, cc.NotificationCCReport, values);
	};
	const command = {
		async switch(node, { on }) {
			node.state.set("BinarySwitch_currentValue", on);
			await report(node, cc.BinarySwitchCCReport, { currentValue: on });
		},
		async level(node, { level }) {
			node.state.set("MultilevelSwitch_currentValue", level);
			await report(node, cc.MultilevelSwitchCCReport, { currentValue: level, targetValue: level });
		},
		async sensor(node, { type, value }) {
			node.world.sensors[type] = value;
			await report(node, cc.MultilevelSensorCCReport, { type, scale: type === 3 ? 1 : 0, value });
		},
		async door(node, { open }) {
			node.world.contact = open;
			await notify(node, ACCESS.type, open ? ACCESS.open : ACCESS.closed);
			await report(node, cc.BinarySensorCCReport, { type: cc.BinarySensorType["Door/Window"], value: open });
		},
		motion: (node, { detected }) => notify(node, MOTION.type, detected ? MOTION.detected : MOTION.idle),
		async battery(node, { level, low = false }) {
			node.world.battery = { level, low };
			await report(node, cc.BatteryCCReport, { level, isLow: low });
		},
		// A sleeping device stays awake until the driver has nothing more to say.
		async wake(node) {
			node.autoAckControllerFrames = true;
			await report(node, cc.WakeUpCCWakeUpNotification, {});
		},
		// `noticed`: the driver tries to reach it and so learns of it now, not at its next command.
		async dead(node, { dead = true, noticed = true }) {
			node.autoAckControllerFrames = !dead;
			if (noticed) await driver.controller.nodes.get(node.id).ping();
		},
		// Somebody gives it another name, in Z-Wave JS' own surface.
		async rename(node, { name }) { driver.controller.nodes.get(node.id).name = name; },
		// Says no to every command that changes something.
		async refuse(node, { refuse = true }) { node.world.refuse = refuse; },
		// Hears, and never answers.
		async mute(node, { mute = true }) { node.world.mute = mute; },
		/** What the device itself holds, and how many frames it was sent. */
		async state(node) {
			const held = [...node.state].filter(([, value]) => typeof value !== "object");
			return { ...Object.fromEntries(held), ...node.world, frames: node.frames };
		},
	};
	return Object.fromEntries(Object.entries(command).map(([name, act]) => [name, ({ node, ...values }) => {
		if (!nodes.has(node)) throw new Error(`no node ${node}`);
		return act(nodes.get(node), values);
	}]));
}
