// The analysis page: `gainalyze page`, with games dropped on it.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { barriers, launch, mistakes, open, overflows, program, root } from "./browser.mjs";
import { candidates } from "./library.mjs";

const folder = mkdtempSync(join(tmpdir(), "gainalyze-page-"));
const path = join(folder, "analyze.html");
const games = candidates(4);
let browser;

before(async () => {
  const page = execFileSync(program, ["page"], { maxBuffer: 1 << 26 });
  writeFileSync(path, page);
  browser = await launch();
});

after(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Opens the page on a device with this number of cores. Its own workers are blobs. */
const opened = async (options, cores = 2) => {
  const found = await open(browser, path, options);
  await found.page.addInitScript((count) => Object.defineProperty(navigator, "hardwareConcurrency", { value: count }), cores);
  await found.page.reload();
  // axe warns of the frame of a page from a file.
  const isOwn = (what) => what.startsWith("request: blob:") || what.includes("'postMessage' on 'DOMWindow'");
  return { ...found, bad: () => found.bad.filter((what) => !isOwn(what)) };
};

/** Drops a file on the page. */
const drop = (page, name, text) =>
  page.evaluate(
    ([file, content]) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([content], file));
      document.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
    },
    [name, text],
  );

/** Presses Stop as soon as the status has this text. A click from outside may come after a fast analysis has ended, or after the
 *  report has moved the button. */
const stopAt = (page, text) =>
  page.evaluate(
    (wanted) =>
      new Promise((resolve) => {
        const says = document.getElementById("says");
        const observer = new MutationObserver(() => {
          if (!says.textContent.includes(wanted)) return;
          observer.disconnect();
          document.getElementById("stop").click();
          resolve();
        });
        observer.observe(says, { childList: true, characterData: true, subtree: true });
      }),
    text,
  );

const finished = (page, count) =>
  page.waitForFunction(
    (text) => document.getElementById("says").textContent.includes(text) && !document.getElementById("found").hidden,
    `${count} of ${count} games analyzed`,
    { timeout: 120_000 },
  );

test("a dropped tournament has the tables of the command line, and nothing leaves the page", async () => {
  const { page, context, bad } = await opened();
  await drop(page, "candidates.pgn", games.join(""));
  await finished(page, games.length);
  const report = page.frameLocator("#report");
  await report.locator("#game-4").waitFor();
  await report.locator('a[href="#games"]').click();
  await report.locator("#game-4 summary").click();
  await report.locator("#game-4 .viewer button:not([disabled])").first().click();
  // Only the page scrolls, also with an open game.
  await page.waitForFunction(() => {
    const { scrollHeight, clientHeight } = document.getElementById("report").contentDocument.documentElement;
    return scrollHeight <= clientHeight;
  });
  const links = await page.$$eval("#files a", (all) => all.map((link) => link.download));
  assert.deepEqual(links.sort(), ["annotated.pgn", "games.csv", "moves.csv", "players.csv", "quality-parts.csv", "quality.csv", "report.html", "statistics.csv", "summary.json"]);
  const files = {};
  await page.click("#found summary");
  for (const name of links) {
    const [download] = await Promise.all([page.waitForEvent("download"), page.click(`#files a[download="${name}"]`)]);
    files[name] = readFileSync(await download.path(), "utf8");
  }
  writeFileSync(join(folder, "evaluated.pgn"), files["annotated.pgn"]);
  writeFileSync(join(folder, "games.pgn"), games.join(""));
  const run = (name, output, ...more) =>
    execFileSync(program, [join(folder, name), "--quiet", "--output", join(folder, output), ...more], { stdio: "ignore" });
  run("evaluated.pgn", "recorded");
  run("games.pgn", "searched", "--engine", "builtin", "--depth", "10", "--no-store");
  for (const name of links.filter((name) => name.endsWith(".csv"))) {
    assert.equal(files[name], readFileSync(join(folder, "recorded", name), "utf8"), name);
  }
  for (const name of ["players.csv", "quality.csv", "quality-parts.csv", "statistics.csv"]) {
    assert.equal(files[name], readFileSync(join(folder, "searched", name), "utf8"), name);
  }
  assert.match(files["report.html"], /No ratings of play: no player has the 100 moves and 3 games/);
  assert.deepEqual(bad(), []);
  await context.close();
});

test("rapid games that lichess has analyzed are rated at once", async () => {
  const { page, context, bad } = await opened();
  const copy = join(folder, "rapid.pgn");
  const packed = join(root, "tests/lichess/rapid.pgn.zst");
  execFileSync(program, [packed, "--quiet", "--output", join(folder, "rapid"), "--annotate", copy], { stdio: "ignore" });
  await drop(page, "rapid.pgn", readFileSync(copy, "utf8"));
  await page.waitForFunction(() => !document.getElementById("found").hidden, null, { timeout: 20_000 });
  await page.frameLocator("#report").getByText("by lichess's analysis").first().waitFor();
  assert.deepEqual(bad(), []);
  await context.close();
});

test("a stopped analysis resumes, also after the page was closed", async () => {
  const { page, context, bad } = await opened({}, 1);
  await drop(page, "candidates.pgn", games.join(""));
  await stopAt(page, "1 of 4 games");
  assert.equal(await page.evaluate(() => document.activeElement.id), "go");
  assert.match(await page.textContent("#says"), /^candidates\.pgn: 1 of 4 games analyzed at depth 10, stopped$/);
  await drop(page, "other.pgn", games[0]);
  assert.equal(await page.textContent("#error"), "Discard the games of candidates.pgn before you open others.");
  await page.click("#go");
  await drop(page, "other.pgn", games[0]);
  assert.equal(await page.textContent("#error"), "Stop the analysis before you open other games.");
  await stopAt(page, "2 of 4 games");
  await page.reload();
  await page.waitForSelector("#kept:not([hidden])");
  assert.equal(await page.textContent("#kept-says"), "This browser has an analysis of candidates.pgn: 2 of 4 games.");
  await page.click("#resume");
  // The first status has the games of the earlier visits.
  await page.waitForFunction(() => document.getElementById("says").textContent);
  assert.match(await page.textContent("#says"), /^candidates\.pgn: [2-4] of 4 games/);
  await finished(page, 4);
  await page.waitForFunction(() => document.activeElement.id === "says");
  await page.reload();
  await page.waitForSelector("#kept:not([hidden])");
  assert.equal(await page.textContent("#kept-says"), "This browser has an analysis of candidates.pgn: 4 of 4 games.");
  await page.click("#discard");
  await page.waitForSelector("#choice:not([hidden])");
  await page.reload();
  await page.waitForSelector("#choice:not([hidden])");
  assert.equal(await page.isVisible("#kept"), false);
  assert.deepEqual(bad(), []);
  await context.close();
});

test("an analysis of another tab is not overwritten, and one of another version is not resumed", async () => {
  const { page, context } = await opened({}, 1);
  await drop(page, "first.pgn", games.slice(0, 2).join(""));
  await page.waitForFunction(() => document.getElementById("says").textContent.startsWith("first.pgn: 0 of 2"));
  const other = await context.newPage();
  await other.goto(page.url());
  await other.waitForSelector("#kept:not([hidden])");
  await drop(other, "second.pgn", games[2]);
  assert.equal(await other.textContent("#error"), "Discard the games of first.pgn before you open others.");
  await other.click("#discard");
  await drop(other, "second.pgn", games[2]);
  await finished(page, 2);
  assert.equal(await page.isVisible("#unkept"), true);
  await other.waitForFunction(() => document.getElementById("says").textContent.startsWith("second.pgn: 1 of 1"), null, { timeout: 120_000 });
  await other.reload();
  await other.waitForSelector("#kept:not([hidden])");
  assert.equal(await other.textContent("#kept-says"), "This browser has an analysis of second.pgn: 1 of 1 game.");
  await other.evaluate(
    () =>
      new Promise((resolve) => {
        indexedDB.open("gainalyze", 1).onsuccess = ({ target }) => {
          const store = target.result.transaction("games", "readwrite").objectStore("games");
          store.get(0).onsuccess = ({ target: { result } }) => (store.put({ ...result, version: "gainalyze 0.0.1" }, 0).onsuccess = resolve);
        };
      }),
  );
  await other.reload();
  await other.waitForSelector("#kept:not([hidden])");
  assert.match(await other.textContent("#kept-says"), /by another version of this page \(gainalyze 0\.0\.1\)/);
  assert.equal(await other.isVisible("#resume"), false);
  await drop(other, "third.pgn", games[3]);
  assert.equal(await other.textContent("#error"), "Discard the stored games before you open others.");
  await context.close();
});

test("a stored analysis that is damaged is named, and discarded with one button", async () => {
  // Each replaces a stored value by null or a text, changes its properties, or deletes it. The first value has the facts.
  const damages = {
    "a game is null": [2, null],
    "a game is missing": [2],
    "a game has no moves": [1, { pgn: 7 }],
    "the number of positions is none": [1, { positions: -1 }],
    "the facts are null": [0, null],
    "the facts are a text": [0, "x"],
    "the depth is none of the page": [0, { depth: 99 }],
    "nothing is known about the reading": [0, { read: null }],
    "only games are left": [0],
  };
  const { page, context, bad } = await opened();
  for (const [what, change] of Object.entries(damages)) {
    await drop(page, "first.pgn", games.slice(0, 2).join(""));
    await page.click("#stop");
    await page.evaluate(
      ([key, ...values]) =>
        new Promise((resolve) => {
          indexedDB.open("gainalyze", 1).onsuccess = ({ target }) => {
            const transaction = target.result.transaction("games", "readwrite");
            const store = transaction.objectStore("games");
            store.get(key).onsuccess = ({ target: { result } }) => {
              if (!values.length) return store.delete(key);
              const [value] = values;
              return store.put(value && typeof value === "object" ? { ...result, ...value } : value, key);
            };
            transaction.oncomplete = () => (target.result.close(), resolve());
          };
        }),
      change,
    );
    await page.reload();
    await page.waitForSelector("#kept:not([hidden])");
    assert.match(await page.textContent("#kept-says"), /^What this browser has stored of an earlier analysis is damaged/, what);
    assert.equal(await page.isVisible("#resume"), false, what);
    await page.click("#discard");
    await page.waitForSelector("#choice:not([hidden])");
  }
  assert.deepEqual(bad(), []);
  await context.close();
});

test("games that end in mate, packed games and several files are read", async () => {
  const { page, context, bad } = await opened();
  await page.evaluate(async () => {
    const pack = (text) => new Response(new Blob([text]).stream().pipeThrough(new CompressionStream("gzip"))).blob();
    // Two members, as joined files and bgzip have.
    const packed = new Blob([await pack('[White "A"]\n[Black "B"]\n\n1. f3 e5'), await pack(" 2. g4 Qh4# 0-1\n")]);
    const wide = new Uint8Array([0xff, 0xfe, ...[...'[White "C"]\n\n1. d4 *\n'].flatMap((letter) => [letter.charCodeAt(0), 0])]);
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([packed], "mate.pgn.gz"));
    dataTransfer.items.add(new File([wide], "wide.pgn"));
    document.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
  });
  await finished(page, 2);
  assert.equal(await page.textContent("#says"), "mate.pgn.gz and 1 more: 2 of 2 games analyzed at depth 10");
  assert.deepEqual(bad(), []);
  await context.close();
});

test("recorded evaluations are reported at once", async () => {
  const { page, context, bad } = await opened();
  await page.click("#choice summary");
  await page.fill("#text", '[White "A"]\n[Black "B"]\n\n1. e4 { [%eval 0.2] } e5 { [%eval 0.3] } 2. Nf3 { [%eval 0.2] } *');
  await page.click("#paste");
  await page.waitForSelector("#found:not([hidden])");
  assert.match(await page.textContent("#says"), /^pasted games: 1 game with evaluations$/);
  assert.deepEqual(bad(), []);
  await context.close();
});

test("a wrong file gets a sentence", async () => {
  const { page, context, bad } = await opened();
  const said = async (name, ...content) => {
    await page.evaluate(() => (document.getElementById("error").textContent = ""));
    await drop(page, name, ...content);
    await page.waitForFunction(() => document.getElementById("error").textContent);
    return page.textContent("#error");
  };
  assert.match(await said("song.txt", "la la la"), /No game of song\.txt can be read.*not a game in PGN/);
  assert.equal(await said("empty.pgn", ""), "empty.pgn: is empty.");
  assert.equal(await said("large.pgn", "x".repeat(33 << 20)), "This page reads up to 32 MB; the program gainalyze reads files of any size.");
  assert.equal(await said("games.zip", "PK\u0003\u0004"), "games.zip: is compressed (zip): unpack it, or pack it as .gz or .bz2.");
  await page.click("#choice summary");
  await page.click("#paste");
  assert.equal(await page.textContent("#error"), "Paste at least one game.");
  await drop(page, "mixed.pgn", `[White "X"]\n[Black "Y"]\n\n1. e4 e5 2. Ke3 *\n\n${games[0]}`);
  await page.waitForSelector("#found:not([hidden])", { timeout: 120_000 });
  assert.match(await page.textContent("#says"), /1 of 1 game analyzed at depth 10, left out: 1 game/);
  const report = page.frameLocator("#report");
  await report.locator("#game-2").waitFor();
  assert.match(await report.locator("#making").textContent(), /mixed\.pgn, game 1 .*Ke3/);
  assert.deepEqual(bad(), []);
  await context.close();
});

test("the page has no barriers, in light and dark, wide and narrow, and is valid", async () => {
  assert.deepEqual(await mistakes(path), []);
  for (const options of [{}, { colorScheme: "dark" }, { viewport: { width: 360, height: 720 } }]) {
    const { page, context, bad } = await opened(options);
    assert.equal(await overflows(page), false);
    assert.deepEqual(await barriers(page), []);
    await drop(page, "one.pgn", games[0]);
    await page.waitForSelector("#found:not([hidden])", { timeout: 120_000 });
    assert.equal(await overflows(page), false);
    assert.deepEqual(await barriers(page), []);
    assert.deepEqual(bad(), []);
    await context.close();
  }
});

test("it works by keyboard", async () => {
  const { page, context } = await opened();
  await page.keyboard.press("Tab");
  assert.equal(await page.evaluate(() => document.activeElement.id), "file");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  await page.keyboard.type('[White "A"]\n[Black "B"]\n\n1. e4 e5 *');
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.waitForSelector("#found:not([hidden])", { timeout: 60_000 });
  await context.close();
});
