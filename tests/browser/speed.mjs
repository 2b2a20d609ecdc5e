// The time of the library in WebAssembly under node, as a ratio to the program on one core:
//   GAINALYZE=target/release/gainalyze node tests/browser/speed.mjs [GAMES [DEPTH]]

import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { program } from "./browser.mjs";
import { candidates, worker } from "./library.mjs";

const [count, depth] = [Number(process.argv[2] ?? 8), Number(process.argv[3] ?? 10)];
const texts = candidates(count);
const folder = mkdtempSync(join(tmpdir(), "gainalyze-speed-"));
const games = join(folder, "games.pgn");
writeFileSync(games, texts.join(""));
const options = ["--engine", "builtin", "--depth", String(depth), "--jobs", "1", "--no-store", "--calibration", "none"];
const shown = ["--quiet", "--plots", "none", "--no-html", "--force", "--output", join(folder, "report")];
const ask = await worker();
const { games: read } = await ask({ task: "read", file: "games.pgn" }, texts.join(""));
const timed = async (work) => {
  const begun = performance.now();
  await work();
  return (performance.now() - begun) / 1000;
};
const ratios = [];
for (let run = 0; run < 3; run += 1) {
  const native = await timed(() => execFileSync(program, [games, ...options, ...shown], { stdio: "ignore" }));
  const wasm = await timed(async () => {
    for (const { pgn } of read) await ask({ task: "evaluate", depth }, pgn);
  });
  ratios.push(wasm / native);
  console.log(`${count} games at depth ${depth}: program ${native.toFixed(2)} s, WebAssembly ${wasm.toFixed(2)} s, ratio ${(wasm / native).toFixed(2)}`);
}
console.log(`median ratio ${ratios.sort((a, b) => a - b)[1].toFixed(2)}`);
rmSync(folder, { recursive: true, force: true });
