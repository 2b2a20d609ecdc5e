// Workers that run WebAssembly of gainalyze, which the page contains as text.
"use strict";

const engines = (() => {
  const text = (id) => document.getElementById(id).textContent;

  // Each module is compiled once, and shared by its workers.
  const compiled = new Map();
  const module = async (id) => {
    const packed = Uint8Array.from(atob(text(id)), (letter) => letter.charCodeAt(0));
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
    return WebAssembly.compile(await new Response(stream).arrayBuffer());
  };

  let script;

  /** Starts a worker with the module in an element. Its answers come in the order of the questions. */
  const start = async (id) => {
    if (!compiled.has(id)) compiled.set(id, module(id));
    // After a failure, the next start tries again.
    const found = await compiled.get(id).catch((error) => {
      compiled.delete(id);
      throw error;
    });
    script ??= URL.createObjectURL(new Blob([text("worker")], { type: "text/javascript" }));
    const worker = new Worker(script);
    const waiting = [];
    let death;
    worker.onmessage = ({ data }) => waiting.shift()?.resolve(data);
    worker.onerror = worker.onmessageerror = ({ message }) => {
      worker.terminate();
      death = new Error(message || "a worker did not start");
      waiting.splice(0).forEach(({ reject }) => reject(death));
    };
    worker.postMessage({ module: found });
    return {
      ask: (task, games) =>
        new Promise((resolve, reject) => {
          if (death) return reject(death);
          waiting.push({ resolve, reject });
          return worker.postMessage({ task, games });
        }),
      end: () => {
        worker.terminate();
        waiting.splice(0).forEach(({ resolve }) => resolve({ isEnded: true }));
      },
    };
  };

  /** Returns a function that asks a worker with a module about positions. The worker is started by the first question. */
  const asker = (id) => {
    let worker;
    return async (task) => {
      try {
        worker ??= start(id);
        return await (await worker).ask(task, new Uint8Array());
      } catch (error) {
        worker = undefined;
        return { error: `this browser cannot run the engine (${error.message})` };
      }
    };
  };

  return { asker, start };
})();
