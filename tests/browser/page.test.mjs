// Tests report.html in a real browser, for tournaments and experiments: the page works, loads nothing from the
// network, and is valid and accessible HTML.

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

/** Analyzes a PGN with recorded evaluations and returns the path of the page. */
const report = (pgn, name, ...options) => {
  const output = join(folder, name);
  execFileSync(program, [pgn, "--quiet", "--plots", "none", "--output", output, ...options], {
    cwd: root,
    env: { ...process.env, GAINALYZE_ENGINE: "/no/such/engine" },
    stdio: "ignore",
  });
  return join(output, "report.html");
};

const stockfish = ["/usr/games/stockfish", "/usr/bin/stockfish", "/opt/homebrew/bin/stockfish"].find(existsSync);

/** Lets Stockfish play itself at four depths and returns the path of the page. */
const experiment = (name) => {
  const output = join(folder, name);
  const played = ["--depths", "1-4", "--games", "8", "--random-plies", "6", "--restart", "never"];
  const told = ["--anchor", "4=2500±50", "--fit", "pairwise", "--calibrate", "2", "--plots", "none"];
  execFileSync(program, ["selfplay", ...played, ...told, "--quiet", "--output", output], {
    cwd: root,
    env: { ...process.env, GAINALYZE_ENGINE: stockfish },
    stdio: "ignore",
  });
  return join(output, "report.html");
};

/** Lets three entrants of the built-in engine play each other, one of them with HTML in its name. Returns the path of the page. */
const roundRobin = (name) => {
  const output = join(folder, name);
  const entrants = ["one=builtin@1", "two=builtin@2", "<u>few</u>=builtin@nodes=50"];
  const played = entrants.flatMap((entrant) => ["--entrant", entrant]);
  const told = ["--games", "8", "--random-plies", "6", "--max-moves", "40", "--restart", "never", "--plots", "none"];
  execFileSync(program, ["selfplay", ...played, ...told, "--quiet", "--output", output], { cwd: root, stdio: "ignore" });
  return join(output, "report.html");
};

before(async () => {
  folder = mkdtempSync(join(tmpdir(), "gainalyze-browser-"));
  browser = await launch();
});

after(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

describe("the Candidates tournament", () => {
  let path;
  let paper;

  before(() => {
    path = report("data/candidates-2013-stockfish-15.1-depth-20.pgn", "candidates", "--also", "paper");
    paper = join(folder, "candidates", "paper.html");
  });

  test("is one file of under 3 MB that names no other", () => {
    assert.ok(statSync(path).size < 3_000_000, `${statSync(path).size} bytes`);
    const html = readFileSync(path, "utf8");
    assert.doesNotMatch(html, /<(link|script|img|iframe)[^>]+(src|href)="(?!data:)/);
  });

  test("is valid HTML", async () => {
    assert.deepEqual(await mistakes(path), []);
  });

  test("opens without an error or a request, in light, dark and on paper", async () => {
    for (const options of [{}, { colorScheme: "dark" }, { viewport: { width: 360, height: 740 } }]) {
      const { page, context, bad } = await open(path, options);
      assert.equal(await overflows(page), false, JSON.stringify(options));
      await page.emulateMedia({ media: "print" });
      assert.equal(await page.locator("nav").isVisible(), false);
      assert.equal(await page.locator("#ranking-table").isVisible(), true);
      assert.deepEqual(bad, []);
      await context.close();
    }
  });

  test("has the paper's tables as an accessible page that fits a phone", async () => {
    assert.deepEqual(await mistakes(paper), []);
    for (const options of [{}, { colorScheme: "dark" }, { viewport: { width: 390, height: 740 } }]) {
      const { page, context, bad } = await open(paper, { ...options, bypassCSP: true });
      assert.equal(await overflows(page), false, JSON.stringify(options));
      assert.deepEqual(await barriers(page), [], JSON.stringify(options));
      assert.deepEqual(bad, []);
      await context.close();
    }
  });

  test("is accessible in light and dark", async () => {
    for (const colorScheme of ["light", "dark"]) {
      // The page's security policy forbids the script of axe.
      const { page, context } = await open(path, { colorScheme, bypassCSP: true });
      await page.locator("details.game summary").first().click();
      assert.deepEqual(await barriers(page), [], colorScheme);
      await context.close();
    }
  });

  test("is sorted by any column, missing values last", async () => {
    const { page, context } = await open(path);
    const names = () => page.locator("#ranking-table tbody th").allTextContents();
    const first = (await names())[0];
    const ranking = page.locator("#ranking-table");
    const header = ranking.getByRole("button", { name: "Accuracy" });
    await header.click();
    assert.equal((await names())[0], "Teimour Radjabov");
    await header.focus();
    await page.keyboard.press("Enter");
    assert.equal((await names())[0], "Vladimir Kramnik");
    assert.equal(await page.locator("#ranking-table th[aria-sort]").getAttribute("aria-sort"), "descending");
    await ranking.getByRole("button", { name: "Player" }).click();
    const surnames = (await names()).map((name) => name.split(" ").at(-1));
    assert.deepEqual(surnames, surnames.toSorted());
    await ranking.getByRole("button", { name: "Rank" }).click();
    assert.equal((await names())[0], first);
    await context.close();
  });

  test("shows two players in one picture", async () => {
    const { page, context } = await open(paper);
    const figure = page.locator("#overlay-figure");
    await page.getByLabel("One player").selectOption({ label: "Carlsen, Magnus" });
    await page.getByLabel("Another").selectOption({ label: "Radjabov, Teimour" });
    // 84 of 663 and 79 of 688 moves, as in players.csv.
    assert.match(await figure.textContent(), /Carlsen, Magnus: 663 moves, exactly 0: 12\.7\s%/);
    assert.match(await figure.textContent(), /Radjabov, Teimour: 688 moves, exactly 0: 11\.5\s%/);
    await context.close();
  });

  test("steps through a game by keys", async () => {
    const { page, context, bad } = await open(path);
    await page.locator("#game-2 summary").focus();
    await page.keyboard.press("Enter");
    const viewer = page.locator("#game-2 .viewer");
    // The focus is still on the heading. The keys act on the open game.
    const says = () => viewer.locator(".now").textContent();
    const first = await says();
    // The engine's line in the position shown. Recorded evaluations have only its first move.
    assert.match(await viewer.locator(".line").textContent(), /^Engine: 1\. \S+$/);
    assert.equal(await viewer.locator(".balance span").evaluate((white) => Math.round(Number.parseFloat(white.style.height))) > 40, true);
    await page.keyboard.press("ArrowRight");
    assert.match(await says(), /^1\. /);
    await page.keyboard.press("ArrowRight");
    assert.match(await says(), /^1… .*gain .*evaluation/);
    await page.keyboard.press("End");
    assert.ok(await viewer.getByRole("button", { name: "one move forward" }).isDisabled());
    await page.keyboard.press("Home");
    assert.equal(await says(), first);
    assert.equal(await viewer.locator("use[href^='#piece-']").count(), 32);
    assert.deepEqual(bad, []);
    await context.close();
  });

  test("has judged moves in two columns, a board to flip, and texts to copy", async () => {
    const { page, context, bad } = await open(path, { permissions: ["clipboard-read", "clipboard-write"] });
    await page.locator("#game-2 summary").click();
    const viewer = page.locator("#game-2 .viewer");
    const rows = viewer.locator("ol li");
    assert.match(await rows.first().textContent(), /^1\.\S+$/);
    assert.equal(await rows.first().locator("button").count(), 2);
    const wrong = page.locator(".viewer li .inaccuracy, .viewer li .mistake, .viewer li .blunder");
    for (const summary of await page.locator("details.game summary").all()) await summary.click();
    assert.ok((await wrong.count()) > 10);
    assert.match(await wrong.first().textContent(), /\?/);
    assert.match(await wrong.first().getAttribute("title"), /was best\.$/);
    await page.locator("#game-2 summary").click();
    await rows.nth(2).locator("button").first().click();
    const corner = () => viewer.locator("use[href='#piece-K']").evaluate((king) => Number(king.getAttribute("y")));
    const before = await corner();
    await viewer.getByRole("button", { name: "Flip board" }).click();
    assert.equal(await corner(), 70 - before);
    const taken = async (name) => {
      await viewer.getByRole("button", { name }).click();
      await viewer.getByText(/copied$/).waitFor();
      return page.evaluate(() => navigator.clipboard.readText());
    };
    assert.match(await taken("Copy FEN"), /^[1-8a-hK-RkqrnbpQPNB/]+ b [KQkq-]+ \S+ \d+ 3$/);
    const pgn = await taken("Copy PGN");
    assert.match(pgn, /^\[Event "FIDE Candidates Tournament 2013"\]\n/);
    assert.match(pgn, /\n\n1\. \S+ \S+ 2\. .*(1-0|0-1|1\/2-1\/2)\n$/);
    const link = await taken("Copy link");
    assert.match(link, /#game-2-5$/);
    assert.deepEqual(bad, []);
    await context.close();
  });

  test("opens at the move named in its address", async () => {
    const { page, context } = await open(`${path}#game-7-23`);
    assert.match(await page.locator("#game-7 .now").textContent(), /^12\. /);
    assert.equal(await page.locator("#game-7 [aria-current=step]").count(), 1);
    await page.keyboard.press("ArrowRight");
    assert.match(await page.locator("#game-7 .now").textContent(), /^12… /);
    await context.close();
  });

  test("has the games by round and the most accurate games", async () => {
    const { page, context } = await open(path);
    const first = page.locator("#cross-table tbody tr").first();
    assert.match(await first.textContent(), /^(Carlsen|Kramnik)[0½1]{14}8\.5$/);
    // 56 games of two sides.
    const cells = page.locator("#cross-table a.cell");
    assert.equal(await cells.count(), 112);
    assert.match(await cells.first().getAttribute("title"), /^(White|Black) against .+, accuracy \d\d\s%$/);
    const number = await cells.nth(5).getAttribute("data-game");
    await cells.nth(5).click();
    assert.equal(await page.locator(`#game-${number}`).evaluate((game) => game.open), true);
    assert.equal(await page.locator("#event ul a[data-game]").count(), 6);
    await context.close();
  });

  test("has pictures with text of at least 12 pixels, and breaks no name of the ranking", async () => {
    for (const width of [390, 1280]) {
      const { page, context } = await open(path, { viewport: { width, height: 900 } });
      const sizes = (where) =>
        page.locator(where).evaluateAll((texts) =>
          texts.map((text) => {
            const scale = text.getScreenCTM().a;
            return scale * Number.parseFloat(getComputedStyle(text).fontSize);
          }),
        );
      const points = await sizes("#points figure text");
      assert.ok(points.length > 16 && Math.min(...points) >= 12, `${width}: ${Math.min(...points)}`);
      const lines = await page
        .locator("#ranking-table tbody th")
        .evaluateAll((names) => names.map((name) => name.getBoundingClientRect().height));
      assert.ok(Math.max(...lines) < 45, `${width}: ${lines}`);
      await context.close();
    }
  });

  test("prints at most six pages, and breaks no matrix", async () => {
    const field = report("data/club-games-stockfish-15.1-depth-12.pgn", "a field of 72 players");
    for (const printed of [path, field]) {
      const { page, context } = await open(printed);
      const pages = (await page.pdf({ format: "A4" })).toString("latin1").match(/\/Type\s*\/Page[^s]/g).length;
      assert.ok(pages <= 6, `${printed}: ${pages} pages`);
      await context.close();
    }
    const { page, context } = await open(path);
    await page.emulateMedia({ media: "print" });
    assert.equal(await page.locator("details.game").first().isVisible(), false);
    for (const table of ["#cross-table"]) {
      assert.equal(await page.locator(table).evaluate((made) => getComputedStyle(made).breakInside), "avoid", table);
    }
    await context.close();
  });

  test("shows the position below the pointer", async () => {
    const { page, context } = await open(path);
    await page.locator("#game-3 summary").click();
    const graph = await page.locator("#game-3 .graph").boundingBox();
    const says = () => page.locator("#game-3 .now").textContent();
    await page.mouse.move(graph.x + graph.width / 2, graph.y + graph.height / 2);
    const middle = await says();
    assert.match(middle, /^\d\d(\.|…) /);
    await page.mouse.move(graph.x + graph.width / 4, graph.y + graph.height / 2);
    assert.notEqual(await says(), middle);
    await context.close();
  });

  test("lists the games by round, each with its accuracies, blunders and graph", async () => {
    const { page, context } = await open(path);
    const rows = page.locator("details.game summary");
    const rounds = (await rows.locator(".number").allTextContents()).map(Number);
    assert.deepEqual(rounds, rounds.toSorted((one, other) => one - other));
    assert.match((await rows.nth(1).locator(".accuracy").allTextContents()).join(), /^\d\d\s%,\d\d\s%$/);
    assert.equal(await rows.locator("svg.spark").count(), 56);
    // The symbols in the graph of a game are those of its moves.
    for (const symbol of ["?!", "?", "??"]) {
      const marks = (await page.locator("#game-2 .graph i").allTextContents()).filter((mark) => mark === symbol);
      const moves = (await page.locator("#game-2 .moves").textContent()).split(" ").filter((move) => /[^?!]*/.exec(move)[0] + symbol === move);
      assert.equal(marks.length, moves.length, symbol);
    }
    await context.close();
  });

  test("shows a whole game in a window of 1280 × 900 pixels, and no row of more than two lines on a phone", async () => {
    const { page, context } = await open(path, { viewport: { width: 1280, height: 900 } });
    await page.locator("#game-5 summary").click();
    const box = await page.locator("#game-5").boundingBox();
    assert.ok(box.y >= 0 && box.y + box.height <= 900, JSON.stringify(box));
    await context.close();
    const phone = await open(path, { viewport: { width: 390, height: 800 } });
    const heights = await phone.page.locator("details.game summary").evaluateAll((rows) => rows.map((row) => row.offsetHeight));
    assert.ok(Math.max(...heights) < 70, `${Math.max(...heights)}`);
    await phone.context.close();
  });

  test("goes from a costly move to the move in its game", async () => {
    const { page, context } = await open(path);
    const moment = page.locator(".moment").first();
    const played = (await moment.locator("h3").textContent()).replace(/[?!]+$/, "");
    await moment.locator("a[data-game]").click();
    const game = await moment.locator("a[data-game]").getAttribute("data-game");
    const says = await page.locator(`#game-${game} .now`).textContent();
    assert.ok(says.startsWith(`${played}:`), `${says} after ${played}`);
    await context.close();
  });

  test("shows the games of one player", async () => {
    const { page, context } = await open(path);
    await page.getByLabel("Games of").selectOption("Carlsen, Magnus");
    assert.equal(await page.locator("details.game:visible").count(), 14);
    assert.equal(await page.locator("#games-count").textContent(), "14 of 56 games");
    await context.close();
  });

  test("shows all columns of the ranking in a window of 1,100 pixels", async () => {
    const { page, context } = await open(path, { viewport: { width: 1100, height: 900 } });
    const [room, table] = await page.locator("#ranking-table").evaluate((e) => [e.parentElement.clientWidth, e.scrollWidth]);
    assert.ok(table <= room, `${table} pixels in ${room}`);
    await context.close();
  });

  test("works without JavaScript", async () => {
    const { page, context } = await open(path, { javaScriptEnabled: false });
    assert.equal(await page.locator("#ranking-table tbody tr").count(), 8);
    assert.equal(await page.locator(".needs-script:visible").count(), 0);
    await page.locator("details.game summary").first().click();
    const game = page.locator("details.game").first();
    assert.equal(await game.locator(".graph").isVisible(), true);
    assert.match(await game.locator(".moves").textContent(), /^1\. \S+ \S+ 2\. /);
    await context.close();
  });
});

describe("one game", () => {
  let path;

  before(() => {
    path = report("data/candidates-2013-stockfish-15.1-depth-20.pgn", "one", "--max-games", "1");
  });

  test("opens in its viewer below the finding, above the ranking", async () => {
    const { page, context, bad } = await open(path, { viewport: { width: 1280, height: 900 }, bypassCSP: true });
    assert.match(await page.locator("h1").textContent(), /^\S+ (outplayed|beat) \S+, \d\d to \d\d|^\S+ and \S+ drew/);
    const tops = await page.locator("#games, #ranking").evaluateAll((all) => all.map((one) => one.id));
    assert.deepEqual(tops, ["games", "ranking"]);
    await page.keyboard.press("ArrowRight");
    assert.match(await page.locator(".viewer .now").textContent(), /^1\. /);
    assert.equal(await page.locator("#moves, #scores").count(), 0);
    assert.deepEqual(await barriers(page), []);
    assert.deepEqual(bad, []);
    await context.close();
  });

  test("is valid HTML", async () => {
    assert.deepEqual(await mistakes(path), []);
  });
});

describe("one player's own games", () => {
  let path;

  before(() => {
    path = report("data/candidates-2013-stockfish-15.1-depth-20.pgn", "own", "--games-of", "Carlsen");
  });

  test("begin with the profile instead of a ranking of the opponents", async () => {
    const { page, context, bad } = await open(path, { bypassCSP: true });
    assert.equal(await page.locator("h1").textContent(), "No certain difference between Magnus Carlsen and the opponents");
    assert.match(await page.locator("#result .kicker").textContent(), /^Carlsen, Magnus · 14 games/);
    assert.match(await page.locator("#groups").textContent(), /Carlsen, Magnus: 663 moves in 14 games/);
    assert.equal(await page.locator("main section[aria-labelledby]").nth(0).getAttribute("id"), "won");
    assert.equal(await page.locator("#ranking").count(), 0);
    assert.equal(await page.locator("#train .board").count(), 3);
    assert.deepEqual(await barriers(page), []);
    assert.deepEqual(await mistakes(path), []);
    assert.deepEqual(bad, []);
    await context.close();
  });
});

describe("a panel of engines", () => {
  let path;

  before(() => {
    const judges = ["stockfish-dd", "toga-ii-3.0"].map((judge) => `data/candidates-2013-${judge}-depth-10.pgn`);
    path = report("data/candidates-2013.pgn", "panel", ...judges.flatMap((judge) => ["--engine", judge]));
  });

  test("opens accessibly, without an error or a request, in light, dark and on a phone", async () => {
    for (const options of [{}, { colorScheme: "dark" }, { viewport: { width: 390, height: 740 } }]) {
      const { page, context, bad } = await open(path, { ...options, bypassCSP: true });
      assert.equal(await overflows(page), false, JSON.stringify(options));
      assert.deepEqual(await barriers(page), [], JSON.stringify(options));
      assert.equal(await page.locator("#tables table").first().locator("tbody tr").count(), 8);
      assert.deepEqual(bad, []);
      await context.close();
    }
    assert.deepEqual(await mistakes(path), []);
  });
});

describe("hostile and odd games", () => {
  test("cannot inject HTML or scripts", async () => {
    const path = report("tests/browser/hostile.pgn", "hostile");
    const { page, context, bad } = await open(path, { viewport: { width: 360, height: 740 } });
    assert.equal(await overflows(page), false);
    assert.equal(await page.locator("b.injected, script[src], img").count(), 0);
    for (const summary of await page.locator("details.game summary").all()) await summary.click();
    assert.deepEqual(bad, []);
    assert.equal(await page.evaluate(() => globalThis.injected), undefined);
    await context.close();
  });
});

describe("the profile of a player", () => {
  let path;

  before(() => {
    const output = join(folder, "player");
    const games = "data/candidates-2013-stockfish-15.1-depth-20.pgn";
    const peers = join(folder, "peers.parquet");
    const quietly = (...args) => execFileSync(program, [...args, "--quiet"], { cwd: root, stdio: "ignore" });
    quietly("archive", games, "--by", "speed,elo-band", "--quantiles", "--partial", peers, "--output", join(folder, "peers"));
    quietly("player", "Magnus Carlsen", games, "--reference", peers, "--output", output);
    path = join(output, "report.html");
  });

  test("compares the games with games of the same rating", async () => {
    const { page, context } = await open(path, {});
    const rows = page.locator("#peers tbody tr");
    assert.match(await rows.first().textContent(), /Accuracy, %.*96\.1.*50 \(/s);
    await context.close();
  });

  test("is one small file of valid HTML", async () => {
    assert.ok(statSync(path).size < 300_000, `${statSync(path).size} bytes`);
    assert.deepEqual(await mistakes(path), []);
  });

  test("opens accessibly, without an error or a request, in light, dark and on a phone", async () => {
    for (const options of [{}, { colorScheme: "dark" }, { viewport: { width: 360, height: 740 } }]) {
      const { page, context, bad } = await open(path, { ...options, bypassCSP: true });
      assert.equal(await overflows(page), false, JSON.stringify(options));
      assert.deepEqual(await barriers(page), [], JSON.stringify(options));
      assert.equal(await page.locator(".moment .board").count(), 10);
      assert.equal(await page.locator("#train .board").count(), 3);
      assert.deepEqual(bad, []);
      await context.close();
    }
  });
});

describe("games under way", () => {
  let child;

  after(() => child?.kill("SIGKILL"));

  test("reload their page, which keeps its scroll position and open games", async () => {
    const output = join(folder, "watched");
    const pgn = join(folder, "live.pgn");
    const moves = "1. e4 { [%eval 0.3] } e5 { [%eval 0.3] } 2. Nf3 { [%eval 0.3] } Nc6 { [%eval 0.3] } *\n";
    writeFileSync(pgn, `[White "A"]\n[Black "B"]\n\n${moves}`);
    child = spawn(program, ["watch", pgn, "--interval", "1", "--plots", "none", "--quiet", "--output", output]);
    const live = join(output, "report.html");
    for (let tries = 0; !existsSync(live) && tries < 200; tries += 1) await new Promise((go) => setTimeout(go, 100));
    const { page, context, bad } = await open(live, { reducedMotion: "reduce" });
    assert.equal(await page.locator("#boards").getByRole("img", { name: "Position after 2… Nc6" }).count(), 1);
    // The only game is open from the beginning.
    await page.locator("#game-1 .viewer").focus();
    await page.keyboard.press("End");
    const top = await page.evaluate(() => window.scrollY);
    writeFileSync(pgn, `[White "A"]\n[Black "B"]\n\n${moves.replace("*", "3. Bb5 { [%eval 0.3] } *")}`);
    await page.getByText("3. Bb5: ").waitFor();
    assert.equal(await page.locator("#boards").getByRole("img", { name: "Position after 3. Bb5" }).count(), 1);
    await page.waitForFunction((before) => Math.abs(window.scrollY - before) < 120, top, { timeout: 5000 });
    await page.getByRole("checkbox").uncheck();
    assert.deepEqual(await mistakes(live), []);
    assert.deepEqual(bad, []);
    await context.close();
  });
});

describe("an engine against itself", { skip: stockfish ? false : "Stockfish is not installed" }, () => {
  let path;

  before(() => {
    path = experiment("selfplay");
  });

  test("is one file of under 3 MB of valid HTML", async () => {
    assert.ok(statSync(path).size < 3_000_000, `${statSync(path).size} bytes`);
    assert.deepEqual(await mistakes(path), []);
  });

  test("opens without an error or a request, in light, dark, on a phone and on paper", async () => {
    for (const options of [{}, { colorScheme: "dark" }, { viewport: { width: 360, height: 740 } }]) {
      const { page, context, bad } = await open(path, options);
      assert.equal(await overflows(page), false, JSON.stringify(options));
      await page.emulateMedia({ media: "print" });
      assert.equal(await page.locator("nav").isVisible(), false);
      assert.equal(await page.locator("#tables table").first().isVisible(), true);
      assert.deepEqual(bad, []);
      await context.close();
    }
  });

  test("follows the color scheme, in its pictures too", async () => {
    const colors = async (colorScheme) => {
      const { page, context } = await open(path, { colorScheme });
      const of = (element, property) => page.locator(element).first().evaluate(
        (found, name) => globalThis.getComputedStyle(found)[name],
        property,
      );
      const found = [await of("body", "backgroundColor"), await of("figure text", "fill")];
      await context.close();
      return found;
    };
    const [light, dark] = [await colors("light"), await colors("dark")];
    light.forEach((color, place) => assert.notEqual(color, dark[place]));
  });

  test("is accessible in light and dark", async () => {
    for (const colorScheme of ["light", "dark"]) {
      // The page's security policy forbids the script of axe.
      const { page, context } = await open(path, { colorScheme, bypassCSP: true });
      assert.deepEqual(await barriers(page), [], colorScheme);
      await context.close();
    }
  });

  test("has all figures and the tables of both papers", async () => {
    const { page, context } = await open(path);
    const said = await page.locator("figure svg").evaluateAll((all) => all.map((one) => one.getAttribute("aria-label")));
    const questions = [
      "How strong is each depth?",
      "Do returns diminish?",
      "How do the games end?",
      "How does the score rise with depth?",
      "Is a ply worth the same at every depth?",
      "Does one rating for each depth explain the scores?",
    ];
    assert.deepEqual(said.map((text) => `${text.split("?")[0]}?`), questions);
    const titles = await page.locator("#tables h3").allTextContents();
    for (const table of ["Table 1", "Table 2", "Table 3", "Table 4", "Table 8", "Heinz's Table 5", "Heinz's Table 6"]) {
      assert.ok(titles.some((title) => title.includes(`(${table})`)), `${table} in ${titles}`);
    }
    assert.equal(await page.getByRole("table", { name: "(Table 2)" }).locator("tbody tr").count(), 4);
    await context.close();
  });

  test("has tables that are sorted by any column", async () => {
    const { page, context, bad } = await open(path);
    const table = page.getByRole("table", { name: "Strength by depth" });
    const depths = () => table.locator("tbody th").allTextContents();
    const strengths = async () => (await table.locator("tbody tr td:nth-child(3)").allTextContents()).map(Number);
    assert.deepEqual(await depths(), ["1", "2", "3", "4"]);
    const header = table.getByRole("button", { name: "Strength" });
    await header.click();
    assert.deepEqual(await strengths(), (await strengths()).toSorted((a, b) => a - b));
    await header.focus();
    await page.keyboard.press("Enter");
    assert.deepEqual(await strengths(), (await strengths()).toSorted((a, b) => b - a));
    await table.getByRole("button", { name: "Depth" }).click();
    assert.deepEqual(await depths(), ["1", "2", "3", "4"]);
    assert.deepEqual(bad, []);
    await context.close();
  });

  test("works without JavaScript", async () => {
    const { page, context } = await open(path, { javaScriptEnabled: false });
    assert.equal(await page.locator("figure svg").first().isVisible(), true);
    assert.equal(await page.locator("th button").count(), 0);
    await context.close();
  });
});

describe("a round robin", () => {
  let path;

  before(() => {
    path = roundRobin("round-robin");
  });

  test("is one file of valid HTML, with names as plain text", async () => {
    assert.ok(statSync(path).size < 1_000_000, `${statSync(path).size} bytes`);
    assert.deepEqual(await mistakes(path), []);
    const { page, context } = await open(path);
    assert.equal(await page.locator("u").count(), 0);
    await context.close();
  });

  test("opens accessibly, without an error or a request, in light, dark and on a phone", async () => {
    for (const options of [{}, { colorScheme: "dark" }, { viewport: { width: 360, height: 740 } }]) {
      // The page's security policy forbids the script of axe.
      const { page, context, bad } = await open(path, { ...options, bypassCSP: true });
      assert.equal(await overflows(page), false, JSON.stringify(options));
      assert.deepEqual(await barriers(page), [], JSON.stringify(options));
      assert.deepEqual(bad, []);
      await context.close();
    }
  });

  test("has its figure, its tables in order and all entrants", async () => {
    const { page, context } = await open(path);
    const said = await page.locator("figure svg").first().getAttribute("aria-label");
    assert.match(said, /How strong is each entrant\?/);
    const titles = await page.locator("#tables h3").allTextContents();
    assert.deepEqual(titles, [
      "Score of each entrant against every other",
      "Elo of all entrants by maximum likelihood",
      "Likelihood of superiority",
    ]);
    assert.equal(await page.locator("#tables table").nth(1).locator("tbody tr").count(), 3);
    await context.close();
  });
});
