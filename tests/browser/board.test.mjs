// Boards on which a person moves: in a report with the engine, and in a game against it.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { barriers, launch, mistakes, open, overflows, program } from "./browser.mjs";

const folder = mkdtempSync(join(tmpdir(), "gainalyze-board-"));
let browser;

before(async () => {
  browser = await launch();
});

after(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

// The workers of a page are blobs.
const others = (bad) => bad.filter((what) => !what.startsWith("request: blob:"));

/** Presses the middle of a square, or drags from one square to another. White is at the bottom. */
const onSquares = async (page, place, ...names) => {
  await place.locator(".place").scrollIntoViewIfNeeded();
  const box = await place.locator(".place").boundingBox();
  const unit = box.width / 84;
  const at = (name) => [box.x + unit * (4 + 10 * (name.charCodeAt(0) - 97) + 5), box.y + unit * (10 * (8 - Number(name[1])) + 5)];
  const [from, to] = names.map(at);
  if (!to) return page.mouse.click(...from);
  await page.mouse.move(...from);
  await page.mouse.down();
  await page.mouse.move(...to, { steps: 4 });
  return page.mouse.up();
};

describe("a report with the engine", () => {
  const path = join(folder, "report", "report.html");

  before(() => {
    const start = '[Event "Test"]\n[White "A"]\n[Black "B"]\n';
    const games = [
      `${start}\n{ [%eval 0.2] } 1. e4 { [%eval 0.3] } e5 { [%eval 0.2] } 2. Nf3 { [%eval 0.3] } Nc6 { [%eval 0.2] } *\n`,
      `${start}[SetUp "1"]\n[FEN "8/4P1k1/8/8/8/8/8/K7 w - - 0 1"]\n\n{ [%eval 9] } 1. Kb2 { [%eval 9] } Kf7 { [%eval 9] } *\n`,
    ];
    writeFileSync(join(folder, "games.pgn"), games.join("\n"));
    execFileSync(program, [join(folder, "games.pgn"), "--quiet", "--with-engine", "--output", join(folder, "report")], { stdio: "ignore" });
  });

  const opened = async (game, ply, options) => {
    const found = await open(browser, path, options);
    await found.page.evaluate((hash) => (location.hash = hash), `#game-${game}-${ply}`);
    const place = found.page.locator(`#game-${game}`);
    await place.locator(".movable").waitFor();
    return { ...found, place };
  };
  const says = (place, pattern) => place.locator(".now", { hasText: pattern }).waitFor();

  test("evaluates the moves that a reader tries, with the best reply and lines", async () => {
    const { page, place, context, bad } = await opened(1, 2);
    await onSquares(page, place, "f1");
    assert.equal(await place.locator(".target").count(), 5);
    await onSquares(page, place, "c4");
    await says(place, /^2\. Bc4: evaluation [+−]?\d\.\d\d; best reply 2… /);
    assert.equal(await place.locator('use[href="#piece-B"][data-square="c4"]').count(), 1);
    const lines = place.locator(".engine > button");
    await lines.nth(2).filter({ hasText: /2… \S+ 3\. / }).waitFor();
    assert.equal(await place.locator(".arrow.best").count(), 3);
    await lines.first().click();
    await says(place, /^2… \S+: evaluation/);
    await page.keyboard.press("ArrowLeft");
    await says(place, "2. Bc4: evaluation");
    await place.getByRole("button", { name: "Back to the game" }).click();
    await says(place, "1… e5: ");
    // The next move of the game is no other move.
    await place.getByLabel("Your move").fill("Nf3");
    await page.keyboard.press("Enter");
    await says(place, "2. Nf3: gain");
    assert.deepEqual(others(bad), []);
    await context.close();
  });

  test("takes moves by dragging, in SAN and in UCI, and refuses others", async () => {
    const { page, place, context, bad } = await opened(1, 0);
    await onSquares(page, place, "g1", "f3");
    await says(place, "1. Nf3: evaluation");
    const field = place.getByLabel("Your move");
    for (const [written, told] of [["d7d5", "1… d5: "], ["g3", "2. g3: "]]) {
      await place.locator(".movable").waitFor();
      await field.fill(written);
      await page.keyboard.press("Enter");
      await says(place, told);
    }
    await place.locator(".movable").waitFor();
    await field.fill("Ke5");
    await page.keyboard.press("Enter");
    await place.locator("form .told", { hasText: "Ke5 is not a legal move here." }).waitFor();
    await onSquares(page, place, "e7", "e2");
    await says(place, "2. g3: ");
    assert.deepEqual(others(bad), []);
    await context.close();
  });

  test("keeps tried moves, the engine and the side when the page reloads itself, and does not lose them to the graph", async () => {
    const { page, place, context } = await opened(1, 2);
    await place.getByLabel("Your move").fill("Bc4");
    await page.keyboard.press("Enter");
    await says(place, "2. Bc4: evaluation");
    await place.getByRole("button", { name: "Flip board" }).click();
    await place.locator(".graph").hover();
    await says(place, "2. Bc4: evaluation");
    const state = await page.evaluate(() => {
      const detail = {};
      document.dispatchEvent(new CustomEvent("keep", { detail }));
      return detail;
    });
    await page.evaluate(() => history.replaceState({ live: true }, "", location.pathname));
    await page.reload();
    await page.evaluate((detail) => document.dispatchEvent(new CustomEvent("restore", { detail })), state);
    await says(place, "2. Bc4: evaluation");
    assert.equal(await place.locator('use[href="#piece-B"][data-square="c4"]').getAttribute("y"), "30");
    await context.close();
  });

  test("plays no move when a finger scrolls, and one when it taps", async () => {
    const { place, context } = await opened(1, 2);
    await place.locator(".place").evaluate((element) => {
      element.setPointerCapture = () => undefined;
      const box = element.querySelector(".board").getBoundingClientRect();
      const unit = box.width / 84;
      const at = (name) => ({ clientX: box.x + unit * (4 + 10 * (name.charCodeAt(0) - 97) + 5), clientY: box.y + unit * (10 * (8 - Number(name[1])) + 5) });
      const send = (type, name, more) => element.dispatchEvent(new PointerEvent(type, { ...at(name), isPrimary: true, pointerType: "touch", bubbles: true, ...more }));
      send("pointerdown", "f1");
      send("pointerup", "f1");
      send("pointerdown", "c4");
      send("pointercancel", "c4");
      send("pointerdown", "d3", { isPrimary: false });
    });
    assert.equal(await place.locator(".from").count(), 1);
    assert.match(await place.locator(".now").textContent(), /^1… e5: /);
    await place.locator(".place").evaluate((element) => {
      const box = element.querySelector(".board").getBoundingClientRect();
      const unit = box.width / 84;
      const at = { clientX: box.x + unit * 29, clientY: box.y + unit * 45 };
      for (const type of ["pointerdown", "pointerup"]) element.dispatchEvent(new PointerEvent(type, { ...at, isPrimary: true, pointerType: "touch", bubbles: true }));
    });
    await says(place, "2. Bc4: evaluation");
    await context.close();
  });

  test("promotes to a queen, or as written, and tells the end of a game", async () => {
    const { page, place, context } = await opened(2, 0);
    await onSquares(page, place, "e7", "e8");
    await says(place, "1. e8=Q: evaluation");
    await place.getByRole("button", { name: "Back to the game" }).click();
    await place.locator(".movable").waitFor();
    await place.getByLabel("Your move").fill("e8N");
    await page.keyboard.press("Enter");
    await says(place, "1. e8=N+: insufficient material, 1/2-1/2");
    await page.evaluate(() => (location.hash = "#game-2-1"));
    await place.locator(".movable").waitFor();
    await place.getByLabel("Your move").fill("Kf6");
    await page.keyboard.press("Enter");
    await says(place, "1… Kf6: evaluation");
    await context.close();
  });

  test("is valid, accessible in light and dark, and fits a narrow screen", async () => {
    assert.deepEqual(await mistakes(path), []);
    for (const options of [{ colorScheme: "light" }, { colorScheme: "dark" }, { viewport: { width: 360, height: 740 } }]) {
      const { page, place, context } = await opened(1, 2, { ...options, bypassCSP: true });
      await place.getByLabel("Show the engine’s best moves").check();
      await place.locator(".engine > button").nth(2).filter({ hasText: "2. " }).waitFor();
      assert.deepEqual(await barriers(page), [], JSON.stringify(options));
      assert.equal(await overflows(page), false);
      await context.close();
    }
  });

  test("has no part of the engine without the option", async () => {
    execFileSync(program, [join(folder, "games.pgn"), "--quiet", "--output", join(folder, "without")], { stdio: "ignore" });
    const other = join(folder, "without", "report.html");
    assert.doesNotMatch(readFileSync(other, "utf8"), /wasm|id="engine"/);
    const { page, context, bad } = await open(browser, other);
    await page.evaluate(() => (location.hash = "#game-1-2"));
    await page.locator("#game-1 .board").waitFor();
    assert.equal(await page.getByLabel("Your move").count(), 0);
    assert.deepEqual(bad, []);
    await context.close();
  });
});

describe("a game against the engine", () => {
  const path = join(folder, "analyze.html");

  before(() => {
    writeFileSync(path, execFileSync(program, ["page"], { maxBuffer: 1 << 26 }));
  });

  const begin = async (page, side) => {
    await page.locator("#play summary").click();
    await page.selectOption("#level", "1200");
    await page.selectOption("#side", side);
    await page.click("#new-game");
    await page.locator("#game .movable").waitFor();
  };
  const write = async (page, move, count) => {
    await page.getByLabel("Your move").fill(move);
    await page.keyboard.press("Enter");
    await page.locator("#game .now", { hasText: "your move" }).waitFor();
    await page.waitForFunction((least) => document.querySelector(".played-moves").textContent.split(" ").length >= least, count);
  };

  test("is played, taken back, kept when the page is closed, given up and analyzed", async () => {
    const { page, context, bad } = await open(browser, path);
    await begin(page, "white");
    await onSquares(page, page.locator("#game"), "e2", "e4");
    await page.locator("#game .now", { hasText: /^1… \S+: your move/ }).waitFor();
    await page.locator("#game .movable").waitFor();
    await write(page, "a3", 6);
    await page.getByRole("button", { name: "Take back" }).click();
    await page.locator("#game .now", { hasText: /^1… \S+: your move/ }).waitFor();
    const moves = await page.locator(".played-moves").textContent();
    await page.reload();
    await page.locator("#game .movable").waitFor();
    assert.equal(await page.locator(".played-moves").textContent(), moves);
    assert.equal(await page.isDisabled("#new-game"), true);
    await write(page, "b3", 6);
    await page.getByRole("button", { name: "Resign" }).click();
    assert.equal(await page.locator("#game .now").textContent(), "You lose: resignation, 0-1");
    assert.equal(await page.isDisabled("#new-game"), false);
    await page.getByRole("button", { name: "Analyze this game" }).click();
    await page.waitForSelector("#found:not([hidden])", { timeout: 60_000 });
    const report = page.frameLocator("#report");
    await report.locator("#ranking-table", { hasText: "gainalyze (level 1200)" }).waitFor();
    assert.deepEqual(others(bad), []);
    // The boards of its report use the page's engine. The only game is open.
    await report.locator("#game-1").getByLabel("Your move").fill("Nf3");
    await report.locator("#game-1").getByLabel("Your move").press("Enter");
    await report.locator("#game-1 .now", { hasText: /^1\. Nf3: evaluation/ }).waitFor();
    await context.close();
  });

  test("can be played as Black, flipped, and ends by the rules", async () => {
    const { page, context, bad } = await open(browser, path);
    await begin(page, "black");
    assert.match(await page.locator("#game .now").textContent(), /^1\. \S+: your move$/);
    assert.equal(await page.locator('#game use[href="#piece-k"]').getAttribute("y"), "70");
    await page.getByRole("button", { name: "Flip board" }).click();
    assert.equal(await page.locator('#game use[href="#piece-k"]').getAttribute("y"), "0");
    // A stored game, one move before the end.
    await page.evaluate(() => {
      const mate = [["f2f3", "f3", "-"], ["e7e5", "e5", "-"], ["g2g4", "g4", "rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2"]];
      localStorage.setItem("gainalyze-game", JSON.stringify({ level: 1200, side: "black", begun: "2026-01-31T12:00:00.000Z", moves: mate }));
    });
    await page.reload();
    await page.locator("#game .movable").waitFor();
    assert.equal(await page.inputValue("#level"), "1200");
    await page.getByLabel("Your move").fill("qh4");
    await page.keyboard.press("Enter");
    await page.locator("#game .now", { hasText: "You win: checkmate, 0-1" }).waitFor();
    assert.deepEqual(others(bad), []);
    await context.close();
  });

  test("is not begun from a store with something else", async () => {
    const { page, context, bad } = await open(browser, path);
    const other = (facts) => JSON.stringify({ level: 1200, side: "white", begun: "2026-01-31T12:00:00.000Z", moves: [], ...facts });
    for (const kept of ["{", "null", other({ level: 1234 }), other({ side: "red" }), other({ begun: 5 }), other({ moves: [["e2e5", "e5", "x"]] })]) {
      await page.evaluate((text) => localStorage.setItem("gainalyze-game", text), kept);
      await page.reload();
      await page.locator("#new-game:not([disabled])").waitFor({ state: "attached" });
      assert.equal(await page.isVisible("#game"), false, kept);
    }
    // An end is taken from the moves, except for a resignation.
    await page.evaluate((text) => localStorage.setItem("gainalyze-game", text), other({ end: "x" }));
    await page.reload();
    await page.locator("#game .movable").waitFor();
    assert.deepEqual(others(bad), []);
    await context.close();
  });

  test("is accessible, and fits a narrow screen", async () => {
    for (const options of [{ colorScheme: "light" }, { colorScheme: "dark" }, { viewport: { width: 360, height: 740 } }]) {
      const { page, context } = await open(browser, path, { ...options, bypassCSP: true });
      await begin(page, "white");
      assert.deepEqual(await barriers(page), [], JSON.stringify(options));
      assert.equal(await overflows(page), false);
      await context.close();
    }
  });
});
