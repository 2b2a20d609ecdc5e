// Runs the library of gainalyze, or its engine alone, compiled to WebAssembly, in a worker. A message is a task with the bytes of its
// games; the answer is the library's answer. Tasks are done one after the other.
"use strict";

let module;
let library;
let turn = Promise.resolve();

// The library needs little of an operating system: random numbers for hash tables, a clock, and a place for the
// message of a failure. Everything else is refused (8 is the error of a bad file). Addresses are unsigned.
const system = (memory, failure) => {
  const view = () => new DataView(memory().buffer);
  const known = {
    random_get: (at, length) => (crypto.getRandomValues(new Uint8Array(memory().buffer, at >>> 0, length)), 0),
    clock_time_get: (_clock, _precision, at) =>
      (view().setBigUint64(at >>> 0, BigInt(Math.round(performance.now() * 1e6)), true), 0),
    environ_get: () => 0,
    environ_sizes_get: (count, size) =>
      (view().setUint32(count >>> 0, 0, true), view().setUint32(size >>> 0, 0, true), 0),
    sched_yield: () => 0,
    fd_write: (_file, parts, count, written) => {
      let total = 0;
      for (let part = 0; part < count; part += 1) {
        const from = (parts >>> 0) + 8 * part;
        const [at, length] = [view().getUint32(from, true), view().getUint32(from + 4, true)];
        failure.text += new TextDecoder().decode(new Uint8Array(memory().buffer, at, length));
        total += length;
      }
      view().setUint32(written >>> 0, total, true);
      return 0;
    },
    proc_exit: (code) => {
      throw new Error(`exit ${code}`);
    },
  };
  return new Proxy(known, { get: (functions, name) => functions[name] ?? (() => 8) });
};

const start = async () => {
  const failure = { text: "" };
  let exports;
  const wasi = system(() => exports.memory, failure);
  exports = (await WebAssembly.instantiate(module, { wasi_snapshot_preview1: wasi })).exports;
  exports._initialize?.();
  const ask = (task, games) => {
    failure.text = "";
    const line = new TextEncoder().encode(`${JSON.stringify(task)}\n`);
    const length = line.length + games.length;
    const request = exports.request(length) >>> 0;
    const bytes = new Uint8Array(exports.memory.buffer, request, length);
    bytes.set(line);
    bytes.set(games, line.length);
    const answer = (exports.answer ?? exports.look)() >>> 0;
    return new TextDecoder().decode(new Uint8Array(exports.memory.buffer, answer, exports.answer_length() >>> 0));
  };
  return { ask, failure };
};

/** Returns the message of a panic without its place in the source. */
const said = (text) =>
  text
    .split("\n")
    .filter((line) => line.trim() && !/panicked at|^note:/.test(line))
    .join(" ");

const answered = async ({ task, games }) => {
  try {
    library ??= await start();
    return JSON.parse(library.ask(task, games));
  } catch (error) {
    // The memory of a failed library is in an unknown state.
    const reason = said(library?.failure.text ?? "") || error.message;
    library = undefined;
    return { error: `the library failed (${reason}); please report this` };
  }
};

onmessage = ({ data }) => {
  if (data.module) ({ module } = data);
  else turn = turn.then(async () => postMessage(await answered(data))).catch(({ message }) => postMessage({ error: message }));
};
