// A Z-Wave network without hardware, in one process: zwave-js's mock controller and nodes on an in-process serial port,
// the real driver, and the real Z-Wave JS server on a websocket.
//
//   node network.mjs [--port 3000] [--control 0] [--nodes 19] [--schema 51] [--until-stdin-ends]
//
// Prints one line of JSON on stdout when every node is as house.mjs says: {"url", "control", "ms"}.
// POST http://CONTROL/COMMAND with JSON arguments acts on the world (world.mjs) or the server: cut, stop, start.
// ZWAVE_LOG=debug writes the driver's log to stderr.
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { register } from "node:module";
import { createServer as createTcpServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { parseArgs } from "node:util";

const HOST = "127.0.0.1";
const { values: options } = parseArgs({ options: {
	port: { type: "string", default: "3000" },
	control: { type: "string", default: "0" },
	nodes: { type: "string", default: "19" },
	schema: { type: "string", default: "51" },
	"until-stdin-ends": { type: "boolean", default: false },
} });

// The newest server on npm speaks API schema 50 and Home Assistant's client only 51, which adds one optional field per node.
// So the server's own constant is changed while it is loaded.
const atLoad = `export async function load(url, context, next) {
	const module = await next(url, context);
	if (url.endsWith("/@zwave-js/server/dist-esm/lib/const.js"))
		module.source = String(module.source).replace(/maxSchemaVersion = \\d+/, "maxSchemaVersion = ${Number(options.schema)}");
	return module;
}`;
register(`data:text/javascript,${encodeURIComponent(atLoad)}`);
const { ZwavejsServer } = await import("@zwave-js/server");
const { createAndStartDriverWithMockPort, createDefaultMockControllerBehaviors, createDefaultMockNodeBehaviors } =
	await import("zwave-js/Testing");
const { MockController, MockNode } = await import("@zwave-js/testing");
const { behaviors } = await import("./behaviors.mjs");
const { house } = await import("./house.mjs");
const { happenings } = await import("./world.mjs");

const cacheDir = mkdtempSync(join(tmpdir(), "zwave-network-"));
const keys = ["S0_Legacy", "S2_Unauthenticated", "S2_Authenticated", "S2_AccessControl"];
const securityKeys = Object.fromEntries(keys.map((key, index) => [key, Buffer.alloc(16, index + 1)]));
const level = process.env.ZWAVE_LOG;
const { driver, mockPort, serial, continueStartup } = await createAndStartDriverWithMockPort({
	storage: { cacheDir },
	logConfig: { enabled: Boolean(level), level, forceConsole: true, showLogo: false },
	// As Home Assistant's add-on and Z-Wave JS UI set it.
	emitValueUpdateAfterSetValue: true,
	securityKeys,
	testingHooks: { skipFirmwareIdentification: true },
});
driver.on("error", (error) => console.error("driver:", error.message));

const controller = await MockController.create({ homeId: 0x7e571000, ownNodeId: 1, mockPort, serial });
controller.defineBehavior(...createDefaultMockControllerBehaviors());
const plan = house(Number(options.nodes));
const nodes = new Map();
for (const { id, world, capabilities, neverAwake } of plan) {
	const node = await MockNode.create({ id, capabilities, controller });
	node.world = world;
	node.frames = 0;
	node.sleep = () => { node.autoAckControllerFrames = false; };
	node.autoAckControllerFrames = !neverAwake;
	node.defineBehavior(...createDefaultMockNodeBehaviors());
	node.defineBehavior(...behaviors);
	controller.addNode(node);
	nodes.set(id, node);
}

const started = performance.now();
const driverReady = once(driver, "driver ready");
continueStartup();
await driverReady;
const world = happenings(driver, controller, nodes);
// zwave-js' timers alone do not keep a process alive.
const alive = setInterval(() => {}, 1000);
await Promise.all(plan.map(settled));
clearInterval(alive);

/** Resolves when the node is as house.mjs says. */
async function settled({ id, name, location, sleeping, neverAwake, dead }) {
	const node = driver.controller.nodes.get(id);
	Object.assign(node, { name, location });
	const ready = once(node, "ready");
	// A stage that needs no word from the device; after it the driver waits for sleeping ones.
	if (sleeping || neverAwake) await once(node, "sleep");
	if (neverAwake) return;
	if (sleeping) {
		// The first half of the interview, until the driver has tidied up after it, and the refresh of values at a wake-up keep
		// a node awake for their time. The second half would take that for its usual state and keep it awake for ever.
		while (node.keepAwake) await setTimeout(10);
		node.autoRefreshValues = async () => {};
		await world.wake({ node: id });
	}
	await ready;
	if (sleeping) {
		delete node.autoRefreshValues;
		await once(node, "sleep");
	}
	if (dead) await world.dead({ node: id });
}

const port = Number(options.port) || await freePort();
const log = level ? console.error : () => {};
const logger = { debug() {}, info: log, warn: log, error: log };
let server;
const command = {
	...world,
	// The connections end, the server stays.
	async cut() { for (const socket of server.wsServer.clients) socket.terminate(); },
	// As when its process ends: no connection lives on.
	async stop() {
		if (!server.server) return;
		const http = server.server;
		const ended = server.destroy();
		const cutting = setInterval(() => http.closeAllConnections(), 20);
		await ended;
		clearInterval(cutting);
	},
	async start() {
		server = new ZwavejsServer(driver, { port, host: HOST, logger });
		await server.start(true);
	},
};
await command.start();

const control = createServer(async (request, response) => {
	let body = "";
	for await (const part of request) body += part;
	const answer = (status, value) => response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
	try {
		answer(200, await command[request.url.slice(1)](JSON.parse(body || "{}")) ?? {});
	} catch (error) {
		answer(400, { error: error.message });
	}
});
control.listen(Number(options.control), HOST);
await once(control, "listening");

async function freePort() {
	const probe = createTcpServer().listen(0, HOST);
	await once(probe, "listening");
	const { port } = probe.address();
	probe.close();
	return port;
}

async function end() {
	await command.stop();
	await driver.destroy();
	rmSync(cacheDir, { recursive: true, force: true });
	process.exit();
}
process.on("SIGINT", end);
process.on("SIGTERM", end);
if (options["until-stdin-ends"]) process.stdin.on("end", end).resume();

const ms = Math.round(performance.now() - started);
console.log(JSON.stringify({ url: `ws://${HOST}:${port}`, control: `http://${HOST}:${control.address().port}`, ms }));
