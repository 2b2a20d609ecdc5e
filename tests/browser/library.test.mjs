// The library in WebAssembly, as the analysis page has it, under node: its evaluations are those of the program.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { program } from "./browser.mjs";
import { candidates, worker } from "./library.mjs";

const evaluations = (pgn) => [...pgn.matchAll(/\[%(?:eval|wdl|best) [^\]]*\]/g)].map(([found]) => found);

test("every evaluation of ten games is that of the program", async () => {
  const folder = mkdtempSync(join(tmpdir(), "gainalyze-library-"));
  const [games, annotated] = ["games.pgn", "annotated.pgn"].map((name) => join(folder, name));
  const texts = candidates(10);
  writeFileSync(games, texts.join(""));
  const options = ["--engine", "builtin", "--depth", "6", "--no-store", "--calibration", "none", "--quiet"];
  execFileSync(program, [games, ...options, "--output", join(folder, "report"), "--annotate", annotated], { stdio: "ignore" });
  const ask = await worker();
  const { games: read } = await ask({ task: "read", file: "games.pgn" }, texts.join(""));
  assert.equal(read.length, 10);
  const found = [];
  for (const { pgn } of read) found.push((await ask({ task: "evaluate", depth: 6 }, pgn)).pgn);
  const expected = evaluations(readFileSync(annotated, "utf8"));
  assert.ok(expected.length > 2000, `${expected.length}`);
  assert.deepEqual(evaluations(found.join("")), expected);
  rmSync(folder, { recursive: true, force: true });
});
