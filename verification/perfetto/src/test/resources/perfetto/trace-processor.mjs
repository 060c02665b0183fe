// Drives Perfetto's own trace processor: one process for many traces and queries. Each line of standard
// input is a request in JSON, {"open": path} or {"query": sql}; each line of standard output its answer,
// {"columns": [...], "rows": [[...]]} or {"error": text}. The folder of the processor is the argument.
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import vm from 'node:vm';

const CHUNK = 32 << 20;
const folder = process.argv[2];
const say = (answer) => process.stdout.write(JSON.stringify(answer) + '\n');
for (const level of ['log', 'info', 'warn', 'debug']) {
  console[level] = (...words) => console.error(...words); // standard output is for answers
}

// What the code expects of a worker in a browser.
Object.defineProperty(globalThis, 'self', { value: globalThis, writable: true, configurable: true });
globalThis.WorkerGlobalScope = function () {};
const location = { href: pathToFileURL(folder).href + '/' };
Object.defineProperty(globalThis, 'location', { value: location, writable: true, configurable: true });

// The module is given its WebAssembly instead of fetching it, and shows its bridge.
function patched(source, changes) {
  let text = source;
  for (const [before, after] of changes) {
    if (!text.includes(before)) {
      throw new Error('the trace processor is not the version that is expected: no ' + before);
    }
    text = text.replace(before, after);
  }
  return text;
}
globalThis.holdfastWasm = new Uint8Array(readFileSync(folder + '/trace_processor.wasm'));
const bundle = patched(readFileSync(folder + '/engine_bundle.node.js', 'utf8'), [
  ['this.useMemory64 = hasMemory64Support();', 'this.useMemory64 = false;'],
  ['locateFile: (s) => s,', 'locateFile: (s) => s, wasmBinary: globalThis.holdfastWasm,'],
  [
    'const wasmBridge = new wasm_bridge_1.WasmBridge();',
    'const wasmBridge = new wasm_bridge_1.WasmBridge(); globalThis.holdfastBridge = wasmBridge;',
  ],
]);
const { EngineBase } = await import(pathToFileURL(folder + '/engine.mjs').href);
vm.runInThisContext(bundle, { filename: 'engine_bundle.node.js' });
const channel = new MessageChannel();
const initialized = globalThis.holdfastBridge.initialize(channel.port1);

class Engine extends EngineBase {
  mode = 'WASM';
  id = 'holdfast';

  constructor(port) {
    super();
    this.port = port;
    port.onmessage = (message) => {
      if (message.data instanceof Uint8Array) {
        this.onRpcResponseBytes(message.data);
      }
    };
  }

  rpcSendRequestBytes(bytes) {
    this.port.postMessage(bytes);
  }

  dispose() {
    this.port.close();
  }
}

const engine = new Engine(channel.port2);
await initialized;

async function open(path) {
  await engine.resetTraceProcessor({
    cropTrackEvents: false,
    ingestFtraceInRawTable: false,
    analyzeTraceProtoContent: false,
    ftraceDropUntilAllCpusValid: false,
  });
  const bytes = new Uint8Array(readFileSync(path));
  for (let at = 0; at < bytes.length; at += CHUNK) {
    await engine.parse(bytes.subarray(at, at + CHUNK));
  }
  await engine.notifyEof();
  return { columns: [], rows: [] };
}

async function query(sql) {
  const result = await engine.query(sql);
  const columns = result.columns();
  const rows = [];
  for (const row = result.iter({}); row.valid(); row.next()) {
    rows.push(columns.map((column) => {
      const value = row.get(column);
      return value === null ? null : String(value);
    }));
  }
  return { columns, rows };
}

say({ columns: ['ready'], rows: [] });
for await (const line of createInterface({ input: process.stdin })) {
  const request = JSON.parse(line);
  try {
    say(request.open === undefined ? await query(request.query) : await open(request.open));
  } catch (problem) {
    say({ error: String(problem.message ?? problem) });
  }
}
process.exit(0);
