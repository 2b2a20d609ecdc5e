// A UCI engine for tests that runs under node. Its scores depend only on the length of the position command, except in the
// position in which the program checks scores, and a search takes 10 ms. The engine appends its process id to the file PIDS.
"use strict";

const say = (line) => process.stdout.write(`${line}\n`);
let position = "";

const answers = {
  uci() {
    say("id name Scripted under node 1.0");
    say("option name Hash type spin default 16 min 1 max 128");
    say("uciok");
  },
  isready: () => say("readyok"),
  position: (line) => (position = line),
  go(line) {
    const depth = line.split(" ").at(-1);
    const found = () => {
      const score = position.includes("RNB1KBNR b") ? 900 : ((position.length * 7) % 61) - 30;
      say(`info depth ${depth} score cp ${score} nodes 40`);
      say("bestmove (none)");
    };
    setTimeout(found, 10);
  },
  quit: () => process.exit(),
};

if (process.env.PIDS) require("fs").appendFileSync(process.env.PIDS, `${process.pid}\n`);
require("readline")
  .createInterface({ input: process.stdin })
  .on("line", (line) => answers[line.split(" ")[0]]?.(line));
