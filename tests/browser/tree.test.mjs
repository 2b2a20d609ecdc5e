// Tests tree.html in a real browser: keys fold and walk the tree, it can be searched and printed, and the page is
// valid and accessible HTML.

import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { barriers, launch, mistakes, open as openIn, overflows, program, root } from "./browser.mjs";

let folder;
let browser;

const open = (path, options) => openIn(browser, path, options);

/** The position of the committed example, before 25…Rc8. */
const ROOT = "r2b4/pb3pkp/4p1p1/4N3/1P1P4/4B2P/1P3PP1/2R3K1 b - - 0 25";

/** Computes a tree with the built-in engine and returns the path of the page. */
const grown = (name) => {
  const output = join(folder, name);
  const tree = ["--depth", "3", "--distance", "60", "--plies", "4"];
  execFileSync(program, ["deep", ROOT, ...tree, "--no-store", "--quiet", "--output", output], {
    cwd: root,
    env: { ...process.env, GAINALYZE_ENGINE: "builtin" },
    stdio: "ignore",
  });
  return join(output, "tree.html");
};

const DATA = /(<script type="application\/json" id="data">)(.*)(<\/script>)/;

/** Returns the tree's data from its page. */
const dataOf = (path) => JSON.parse(readFileSync(path, "utf8").match(DATA)[2]);

/** Writes a copy of the page `path` with a tree of `count` positions, each with the moves of the root. */
const enlarged = (path, count) => {
  const { start, nodes } = dataOf(path);
  const [fen, , moves] = nodes[0];
  const nth = (node) =>
    moves.map(([san, uci, scores, , , chances], index) => {
      const child = node * moves.length + index + 1;
      return [node === count - 1 ? "Qz9" : san, uci, scores, "candidate", child < count ? child : null, chances, false];
    });
  const all = Array.from({ length: count }, (_, node) => [fen, false, nth(node)]);
  const large = join(folder, `${count}.html`);
  const html = readFileSync(path, "utf8").replace(DATA, (_, head, __, tail) => head + JSON.stringify({ start, nodes: all }) + tail);
  writeFileSync(large, html);
  return large;
};

/** Returns the selected move and its `aria-expanded`. */
const chosen = async (page) => {
  const item = page.locator("[role=treeitem][aria-selected=true]");
  assert.equal(await item.count(), 1);
  const id = await item.getAttribute("id");
  assert.equal(await page.locator("#tree").getAttribute("aria-activedescendant"), id);
  return [await item.locator(".san").textContent(), await item.getAttribute("aria-expanded")];
};

before(async () => {
  folder = mkdtempSync(join(tmpdir(), "gainalyze-tree-"));
  browser = await launch();
});

after(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

describe("a tree", () => {
  let path;
  let nodes;

  before(() => {
    path = grown("tree");
    nodes = dataOf(path).nodes;
  });

  test("is one file of valid HTML that names no other", async () => {
    assert.ok(statSync(path).size < 1_000_000, `${statSync(path).size} bytes`);
    assert.doesNotMatch(readFileSync(path, "utf8"), /<(link|script|img|iframe)[^>]+(src|href)="(?!data:)/);
    assert.deepEqual(await mistakes(path), []);
  });

  test("opens without an error or a request, in light, dark, on a phone and on paper", async () => {
    for (const options of [{}, { colorScheme: "dark" }, { viewport: { width: 360, height: 740 } }]) {
      const { page, context, bad } = await open(path, options);
      assert.equal(await overflows(page), false, JSON.stringify(options));
      // Unfolds the first moves to the end of the tree.
      await page.locator("#tree").focus();
      for (let down = 0; down < 10; down += 1) await page.keyboard.press("ArrowRight");
      assert.equal(await overflows(page), false, `unfolded: ${JSON.stringify(options)}`);
      await page.emulateMedia({ media: "print" });
      assert.equal(await page.locator("nav").isVisible(), false);
      assert.equal(await page.locator("input, button").first().isVisible(), false);
      assert.equal(await page.locator("#tree").isVisible(), true);
      assert.equal(await overflows(page), false, `on paper: ${JSON.stringify(options)}`);
      assert.deepEqual(bad, []);
      await context.close();
    }
  });

  test("is accessible in light, dark and on a phone", async () => {
    for (const options of [{ colorScheme: "light" }, { colorScheme: "dark" }, { viewport: { width: 360, height: 740 } }]) {
      // The page's security policy forbids the script of axe.
      const { page, context } = await open(path, { ...options, bypassCSP: true });
      assert.deepEqual(await barriers(page), [], JSON.stringify(options));
      await context.close();
    }
  });

  test("is folded and walked by keys, beside a board", async () => {
    const { page, context, bad } = await open(path);
    const [moves, replies] = [nodes[0][2], nodes[nodes[0][2][0][4]][2]];
    const press = async (key) => (await page.keyboard.press(key), chosen(page));
    await page.locator("#tree").focus();
    assert.deepEqual(await chosen(page), [`25… ${moves[0][0]}`, "true"]);
    assert.equal(await page.locator("[role=treeitem]:visible").count(), moves.length + replies.length);
    assert.deepEqual(await press("ArrowLeft"), [`25… ${moves[0][0]}`, "false"]);
    assert.equal(await page.locator("[role=treeitem]:visible").count(), moves.length);
    assert.equal((await press("ArrowDown"))[0], `25… ${moves[1][0]}`);
    assert.equal((await press("ArrowUp"))[0], `25… ${moves[0][0]}`);
    assert.deepEqual(await press("ArrowRight"), [`25… ${moves[0][0]}`, "true"]);
    assert.equal((await press("ArrowRight"))[0], `26. ${replies[0][0]}`);
    const board = page.locator("#position svg");
    assert.match(await board.getAttribute("aria-label"), new RegExp(`before ${replies[0][0].replace("+", "\\+")}`));
    const candidates = replies.filter((move) => move[3] === "candidate").length;
    assert.equal(await board.locator(".arrow").count(), candidates);
    assert.equal(await board.locator(".chosen-arrow").count(), 1);
    const pieces = nodes[moves[0][4]][0].split(" ")[0].replace(/[\d/]/g, "").length;
    assert.equal(await board.locator("use[href^='#piece-']").count(), pieces);
    const chances = ` The engine’s chances of a White win, a draw and a Black win: ${replies[0][5]} %.`;
    assert.equal(await page.locator("#line").textContent(), `25… ${moves[0][0]} 26. ${replies[0][0]}.${chances}`);
    assert.equal((await press("ArrowLeft"))[1] === "false", false);
    assert.equal((await press("End"))[0], `25… ${moves.at(-1)[0]}`);
    assert.equal((await press("Home"))[0], `25… ${moves[0][0]}`);
    assert.deepEqual(bad, []);
    await context.close();
  });

  test("is flipped, and its board shows the position after the move too", async () => {
    const { page, context, bad } = await open(path);
    const board = page.locator("#position svg");
    const [first] = nodes[0][2];
    const corner = () => board.locator(".coordinates text, use[href='#coordinates']").first();
    assert.equal(await corner().evaluate((one) => one.tagName), "use");
    await page.locator("#tree").focus();
    await page.keyboard.press("f");
    assert.equal(await corner().textContent(), "h");
    await page.getByRole("button", { name: "Flip the board" }).click();
    assert.equal(await corner().evaluate((one) => one.tagName), "use");
    await page.getByLabel("After the move").check();
    assert.match(await board.getAttribute("aria-label"), /^Position after /);
    // The pieces are those of the next position of the tree.
    const squares = await board.locator("use[href^='#piece-']").evaluateAll((all) =>
      all.map((one) => `${one.getAttribute("href").at(-1)}${one.getAttribute("x")},${one.getAttribute("y")}`),
    );
    const rows = nodes[first[4]][0].split(" ")[0].replace(/\d/g, (count) => ".".repeat(Number(count))).split("/");
    const expected = rows.flatMap((row, y) => [...row].flatMap((piece, x) => (piece === "." ? [] : [`${piece}${10 * x},${10 * y}`])));
    assert.deepEqual(squares, expected);
    assert.deepEqual(bad, []);
    await context.close();
  });

  test("is unfolded by the pointer", async () => {
    const { page, context } = await open(path);
    const item = page.locator("#tree > li > ul > li > [aria-expanded=false]").first();
    const reply = page.locator("#tree > li > ul > li > .row", { hasText: await item.locator(".san").textContent() }).first();
    await reply.locator(".fold").click();
    assert.deepEqual(await chosen(page), [await reply.locator(".san").textContent(), "true"]);
    assert.equal(await page.locator("#tree ul ul").count(), 1);
    await reply.locator(".fold").click();
    assert.equal((await chosen(page))[1], "false");
    assert.equal(await page.locator("#tree ul ul").isVisible(), false);
    await context.close();
  });

  test("is searched for a move", async () => {
    const { page, context, bad } = await open(path);
    const san = nodes[1][2][0][0];
    const places = nodes.flatMap((node) => node[2]).filter((move) => move[0].toLowerCase().startsWith(san.toLowerCase())).length;
    const status = page.locator("#found");
    await page.getByLabel("Find a move").fill(san.toUpperCase());
    assert.equal(await status.textContent(), places === 1 ? "1 place" : `${places} places`);
    await page.keyboard.press("Enter");
    assert.equal(await status.textContent(), `1 of ${places} places`);
    assert.ok((await chosen(page))[0].includes(san), `${await chosen(page)}`);
    await page.getByRole("button", { name: "Next" }).click();
    assert.ok((await chosen(page))[0].includes(san), `${await chosen(page)}`);
    await page.getByLabel("Find a move").fill("Qz9");
    assert.equal(await status.textContent(), "0 places");
    assert.deepEqual(bad, []);
    await context.close();
  });

  test("of 5,000 positions opens, unfolds, walks and is searched without a hang", async () => {
    const { page, context, bad } = await open(enlarged(path, 5000));
    // The bounds only detect a hang. They are a hundred times the usual time, because machines differ in speed.
    const opened = await page.evaluate(() => performance.getEntriesByType("navigation")[0].loadEventEnd);
    assert.ok(opened < 20_000, `opened after ${opened} ms`);
    const searched = await page.evaluate(() => {
      const [field, before] = [document.getElementById("find"), performance.now()];
      field.value = "Qz9";
      field.dispatchEvent(new Event("input"));
      document.getElementById("next").click();
      document.getElementById("tree").getBoundingClientRect();
      return performance.now() - before;
    });
    assert.ok(searched < 5_000, `searched for ${searched} ms`);
    assert.ok((await chosen(page))[0].endsWith("Qz9"));
    // Unfolds hundreds of positions, more than a user does by hand, and times each step with its layout.
    const steps = await page.evaluate(() => {
      const [tree, took] = [document.getElementById("tree"), []];
      const felt = (act) => {
        const before = performance.now();
        act();
        tree.getBoundingClientRect();
        took.push(performance.now() - before);
      };
      while (tree.querySelectorAll("[aria-expanded=true]").length < 500) {
        for (const folded of tree.querySelectorAll("[aria-expanded=false] > .fold")) felt(() => folded.click());
      }
      for (const key of ["End", "ArrowUp", "ArrowUp", "ArrowLeft", "Home", "ArrowDown", "ArrowRight"]) {
        felt(() => tree.dispatchEvent(new KeyboardEvent("keydown", { key })));
      }
      return took.toSorted((a, b) => a - b);
    });
    assert.ok(steps.length > 500, `${steps.length} steps`);
    const [usual, longest] = [steps[Math.floor(steps.length / 2)], steps.at(-1)];
    assert.ok(usual < 500 && longest < 5_000, `${usual} ms, at most ${longest} ms`);
    assert.deepEqual(bad, []);
    await context.close();
  });

  test("works without JavaScript", async () => {
    const { page, context } = await open(path, { javaScriptEnabled: false });
    assert.equal(await page.locator("#moves tbody tr").count(), nodes[0][2].length);
    assert.equal(await page.locator(".needs-script:visible").count(), 0);
    assert.equal(await page.locator("figure svg").first().isVisible(), true);
    await context.close();
  });
});

describe("a growing tree", () => {
  let child;

  after(() => child?.kill("SIGKILL"));

  test("reloads its page, which keeps the selected and unfolded moves and the flipped board to the end", async () => {
    const output = join(folder, "growing");
    // The focused line stays in the tree while other moves come and go, and move.
    const tree = ["--depth", "8", "--distance", "40", "--plies", "60", "--focus", "h5 Nc6", "--no-store", "--quiet", "--output", output];
    const env = { ...process.env, GAINALYZE_ENGINE: "builtin" };
    child = spawn(program, ["deep", ROOT, ...tree], { cwd: root, env, stdio: "ignore" });
    const path = join(output, "tree.html");
    for (let tries = 0; !existsSync(path) && tries < 1200; tries += 1) await new Promise((go) => setTimeout(go, 100));
    const { page, context, bad } = await open(path);
    await page.getByText("The tree is growing.").waitFor();
    await page.locator("#tree").focus();
    // The first move is folded and another one unfolded, the reverse of how a page opens.
    await page.keyboard.press("ArrowLeft");
    const focused = page.locator("[role=treeitem]", { hasText: "25… h5" });
    await focused.click();
    for (const key of ["ArrowRight", "f"]) await page.keyboard.press(key);
    await page.locator("li", { has: focused }).locator("[role=treeitem]:visible", { hasText: "26. Nc6" }).first().click();
    const before = await chosen(page);
    const unfolded = await page.locator("[role=treeitem][aria-expanded=true]").count();
    await page.waitForEvent("load");
    assert.deepEqual(await chosen(page), before);
    assert.equal(await page.locator("[role=treeitem][aria-expanded=true]").count(), unfolded);
    assert.equal(await page.locator("#position .coordinates text").first().textContent(), "h");
    assert.deepEqual(await mistakes(path), []);
    // The last page does not reload itself, but it too is as the reader left the page before.
    child.kill("SIGINT");
    await page.locator("#live").waitFor({ state: "detached", timeout: 60_000 });
    assert.deepEqual(await chosen(page), before);
    assert.equal(await page.locator("[role=treeitem][aria-expanded=true]").count(), unfolded);
    assert.equal(await page.evaluate(() => history.state), null);
    assert.deepEqual(bad, []);
    await context.close();
  });
});
