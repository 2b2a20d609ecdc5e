// Runs the worker of the analysis page in this process, with the library that the page contains.

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { runInThisContext } from "node:vm";
import { gunzipSync } from "node:zlib";
import { program, root } from "./browser.mjs";

/** The first games of the Candidates tournament of 2013. */
export const candidates = (count) => readFileSync(join(root, "data/candidates-2013.pgn"), "utf8").split(/(?=\[Event )/).slice(0, count);

/** Starts the worker, and returns a function that asks it to do a task with games. */
export const worker = async () => {
  const page = execFileSync(program, ["page"], { encoding: "utf8", maxBuffer: 1 << 26 });
  const part = (id) => new RegExp(`<script type="text/plain" id="${id}">([^]*?)</script>`).exec(page)[1];
  const answers = [];
  globalThis.onmessage = undefined;
  globalThis.postMessage = (answer) => answers.shift()(answer);
  runInThisContext(part("worker"));
  const module = await WebAssembly.compile(gunzipSync(Buffer.from(part("core"), "base64")));
  await globalThis.onmessage({ data: { module } });
  return (task, games) =>
    new Promise((resolve) => {
      answers.push(resolve);
      globalThis.onmessage({ data: { task, games: new TextEncoder().encode(games) } });
    });
};
