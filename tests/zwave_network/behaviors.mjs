// What zwave-js's stock mock nodes lack, or get wrong, so that a node behaves like a device in a house.
import * as cc from "@zwave-js/cc";
import { CommandClasses } from "@zwave-js/core";

const battery = {
	handleCC(controller, self, received) {
		if (!(received instanceof cc.BatteryCCGet)) return;
		const { level, low = false } = self.world.battery;
		return { action: "sendCC", cc: new cc.BatteryCCReport({ nodeId: controller.ownNodeId, level, isLow: low }) };
	},
};

const notification = {
	handleCC(controller, self, received) {
		if (!(received instanceof cc.NotificationCCGet)) return;
		const { type, event } = self.world.notification;
		const report = { notificationType: type, notificationEvent: event, notificationStatus: 0xff };
		return { action: "sendCC", cc: new cc.NotificationCCReport({ nodeId: controller.ownNodeId, ...report }) };
	},
};

// The stock mock compares `value > minValue` and so refuses every setpoint above the minimum.
const setpoint = {
	handleCC(_controller, self, received) {
		if (!(received instanceof cc.ThermostatSetpointCCSet)) return;
		const { setpoints } = self.getCCCapabilities(CommandClasses["Thermostat Setpoint"], received.endpointIndex);
		const limits = setpoints[received.setpointType];
		if (!limits || received.value < limits.minValue || received.value > limits.maxValue) return { action: "fail" };
		self.state.set(`ThermostatSetpoint_setpoint_${received.setpointType}`, received.value);
		self.state.set(`ThermostatSetpoint_scale_${received.setpointType}`, received.scale);
		return { action: "ok" };
	},
};

const wakeUp = {
	handleCC(controller, self, received) {
		const nodeId = controller.ownNodeId;
		if (received instanceof cc.WakeUpCCIntervalGet) {
			const report = new cc.WakeUpCCIntervalReport({ nodeId, wakeUpInterval: 3600, controllerNodeId: nodeId });
			return { action: "sendCC", cc: withPayload(report, [0, 0x0e, 0x10, nodeId]) };
		}
		if (received instanceof cc.WakeUpCCNoMoreInformation) self.sleep();
		if (received instanceof cc.WakeUpCC) return { action: "ok" };
	},
};

const fanMode = {
	handleCC(controller, self, received) {
		const nodeId = controller.ownNodeId;
		if (received instanceof cc.ThermostatFanModeCCSupportedGet) {
			const report = new cc.ThermostatFanModeCCSupportedReport({ nodeId, supportedModes: [0, 1, 6] });
			return { action: "sendCC", cc: withPayload(report, [0b0100_0011]) };
		}
		if (received instanceof cc.ThermostatFanModeCCGet) {
			const mode = self.state.get("ThermostatFanMode_mode") ?? 0;
			return { action: "sendCC", cc: withPayload(new cc.ThermostatFanModeCCReport({ nodeId, mode }), [mode]) };
		}
		if (received instanceof cc.ThermostatFanModeCCSet) {
			self.state.set("ThermostatFanMode_mode", received.mode);
			return { action: "ok" };
		}
	},
};

const barrier = {
	handleCC(controller, self, received) {
		const nodeId = controller.ownNodeId;
		if (received instanceof cc.BarrierOperatorCCSignalingCapabilitiesGet) {
			const report = new cc.BarrierOperatorCCSignalingCapabilitiesReport({ nodeId, supportedSubsystemTypes: [] });
			return { action: "sendCC", cc: withPayload(report, [0]) };
		}
		if (received instanceof cc.BarrierOperatorCCGet) {
			const state = self.state.get("BarrierOperator_state") ?? 0;
			const report = new cc.BarrierOperatorCCReport({ nodeId, currentState: state, position: undefined });
			return { action: "sendCC", cc: withPayload(report, [state]) };
		}
		if (received instanceof cc.BarrierOperatorCCSet) {
			self.state.set("BarrierOperator_state", received.targetState);
			return { action: "ok" };
		}
	},
};

/** Answers to nothing while it is dead or asleep; refuses what it should do, or never says so, when it is told to. */
const unwilling = {
	handleCC(_controller, self, received) {
		self.frames++;
		if (!self.autoAckControllerFrames) return { action: "stop" };
		const { refuse, mute } = self.world;
		if (mute) return { action: "stop" };
		if (refuse && /(Set|StartLevelChange|StopLevelChange)$/.test(received.constructor.name)) return { action: "fail" };
	},
};

// The driver sends these and never receives them, so zwave-js cannot write or read them for a device.
const withPayload = (report, bytes) => {
	const { serialize } = Object.getPrototypeOf(report);
	report.serialize = function (context) {
		this.payload = this.payload.constructor.from(bytes);
		return serialize.call(this, context);
	};
	return report;
};
cc.BarrierOperatorCCSet.from = (raw, { sourceNodeId }) =>
	new cc.BarrierOperatorCCSet({ nodeId: sourceNodeId, targetState: raw.payload[0] });
cc.ThermostatFanModeCCSet.from = (raw, { sourceNodeId }) =>
	new cc.ThermostatFanModeCCSet({ nodeId: sourceNodeId, mode: raw.payload[0] & 0x0f, off: raw.payload[0] > 0x7f });

// In the order in which they are asked, before zwave-js's own.
export const behaviors = [unwilling, wakeUp, battery, notification, setpoint, fanMode, barrier];
