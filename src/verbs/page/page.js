// The analysis page: reads games, evaluates them on all cores, keeps what is done, and shows the report.
"use strict";

(() => {
  const element = (id) => document.getElementById(id);
  const show = (id, isShown) => (element(id).hidden = !isShown);
  const fail = (text) => (element("error").textContent = text);
  const MOST_BYTES = 32 << 20;
  const TOO_LARGE = "This page reads up to 32 MB; the program gainalyze reads files of any size.";
  const MOST_WORKERS = 16;
  const VERSION = document.querySelector('meta[name="generator"]').content;
  const CURRENT = "Use a current version of Firefox, Chrome, Edge or Safari.";
  const encoder = new TextEncoder();

  const counted = (count, what) => `${count} ${what}${count === 1 ? "" : "s"}`;

  /** Returns a message of the library as a sentence. A name of a file at its beginning stays as it is. */
  const sentence = (text, file) => {
    const first = text.startsWith(file) ? text.charAt(0) : text.charAt(0).toUpperCase();
    return `${first}${text.slice(1)}${/[.!?]$/.test(text) ? "" : "."}`;
  };

  const newWorker = () => engines.start("core");
  // The boards of reports share a worker.
  const askEngine = engines.asker("core");

  // What is kept for another visit: the facts of one analysis under 0, and its game number n under n.

  const opened = new Promise((resolve) => {
    try {
      const request = indexedDB.open("gainalyze", 1);
      request.onupgradeneeded = () => request.result.createObjectStore("games");
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => resolve(undefined);
    } catch {
      resolve(undefined);
    }
  });

  /** Uses the store in one transaction. Returns the result of the request that `use` returns; undefined after a failure. */
  const inStore = async (mode, use) => {
    const base = await opened;
    return new Promise((resolve) => {
      try {
        const transaction = base.transaction("games", mode);
        const request = use(transaction.objectStore("games"));
        transaction.oncomplete = () => resolve(request?.result ?? true);
        transaction.onerror = transaction.onabort = () => resolve(undefined);
      } catch {
        resolve(undefined);
      }
    });
  };

  let isKept = true;
  const write = async (use) => {
    isKept = Boolean(await inStore("readwrite", use));
    show("unkept", !isKept);
  };

  const isCount = (value) => Number.isSafeInteger(value) && value >= 0;
  const isGame = (game) => typeof game?.pgn === "string" && isCount(game.number) && isCount(game.positions);
  const isDepth = (depth) => [0, ...[...element("depth").options].map((option) => Number(option.value))].includes(depth);

  /** Returns the stored analysis, and the reason if it cannot be opened; undefined if nothing is stored. */
  const stored = async () => {
    const all = await inStore("readonly", (store) => store.getAll());
    if (!Array.isArray(all) || !all.length) return undefined;
    const [kept, ...games] = all;
    const isNamed = ["id", "version", "file"].every((name) => typeof kept?.[name] === "string");
    // Another version may store its games in another form.
    if (isNamed && kept.version !== VERSION)
      return { fault: `The games of ${kept.file} were analyzed by another version of this page (${kept.version}). Only that version can open them.` };
    const isSound = isNamed && isDepth(kept.depth) && Array.isArray(kept.read?.left_out) && games.length && kept.count === games.length && games.every(isGame);
    return isSound ? { kept, games } : { fault: "What this browser has stored of an earlier analysis is damaged. Discard it to analyze games." };
  };

  const keepAll = ({ games, ...facts }) =>
    write((store) => {
      store.clear();
      store.put(facts, 0);
      games.forEach((game, place) => store.put(game, place + 1));
    });

  /** Keeps a game and the facts, unless another tab has begun another analysis. */
  const keepGame = ({ games, ...facts }, game) =>
    write((store) => {
      const known = store.get(0);
      known.onsuccess = () => {
        if (known.result?.id !== facts.id) return store.transaction.abort();
        store.put(facts, 0);
        return store.put(game, games.indexOf(game) + 1);
      };
    });

  // The analysis: its file, depth (0 for recorded evaluations), facts from reading, and games. A game has its PGN. It
  // is done once the PGN has all evaluations, or has failed.

  let analysis;
  let workers = [];
  // The worker that reads and reports, as a promise.
  let reporter;
  // These numbers rise with each start. What was started before sees that it is no longer wanted.
  let begins = 0;
  let runs = 0;
  let clock = { begun: 0, before: 0 };

  const askReporter = async (task, games) => {
    try {
      reporter ??= newWorker();
      return await (await reporter).ask(task, games);
    } catch (error) {
      reporter = undefined;
      return { error: `this browser cannot run the engine (${error.message}). ${CURRENT}` };
    }
  };

  const positions = (games) => games.reduce((sum, game) => sum + game.positions, 0);
  const isOver = (game) => game.isDone || game.isFailed;
  const done = () => analysis.games.filter((game) => game.isDone);
  const isFinished = () => analysis.games.every(isOver);
  let isRunning = false;

  const duration = (seconds) => {
    if (seconds <= 90) return counted(Math.max(1, Math.ceil(seconds)), "second");
    return seconds <= 5400 ? counted(Math.round(seconds / 60), "minute") : counted(Math.round(seconds / 3600), "hour");
  };

  const tell = () => {
    const { file, depth, games, read } = analysis;
    const [ready, total] = [positions(games.filter(isOver)), positions(games)];
    element("bar").value = total ? ready / total : 1;
    const parts = [
      depth
        ? `${file}: ${done().length} of ${counted(games.length, "game")} analyzed at depth ${depth}`
        : `${file}: ${counted(games.length, "game")} with evaluations`,
    ];
    const rate = (ready - clock.before) / (performance.now() - clock.begun);
    if (isRunning) parts.push(rate > 0 ? `about ${duration((total - ready) / rate / 1000)} left` : "the first games are under way");
    else if (!isFinished()) parts.push("stopped");
    const missing = Object.values(read.left_out_by_reason ?? {}).reduce((sum, count) => sum + count, 0);
    if (missing) parts.push(`left out: ${counted(missing, "game")}${done().length ? " (see “How was it made?”)" : ""}`);
    element("says").textContent = parts.join(", ");
    show("bar", !isFinished());
    show("stop", isRunning);
    show("go", !isRunning && !isFinished());
    element("other").textContent = isFinished() ? "Other games" : "Discard these games";
  };

  /** Tells a screen reader that a run begins or ends. If its control disappears, another element gets the focus. */
  const announce = (text, focus) => {
    element("told").textContent = text;
    if (focus) element(focus).focus();
  };

  // The report.

  // Makes the frame as high as its report, also after a part of it opens.
  const growth = new ResizeObserver(([{ target }]) => (element("report").style.height = `${target.offsetHeight + 1}px`));

  const hideReport = () => {
    growth.disconnect();
    show("report", false);
    show("found", false);
    document.body.classList.remove("reported");
    element("report").removeAttribute("srcdoc");
    reported = 0;
  };

  // The frame keeps what the reader has opened, as pages that reload themselves do.
  const display = (html) => {
    const frame = element("report");
    const state = { games: [] };
    if (!frame.hidden) frame.contentDocument?.dispatchEvent(new CustomEvent("keep", { detail: state }));
    frame.onload = () => {
      const inside = frame.contentDocument;
      takeDrops(inside);
      growth.observe(inside.body);
      inside.dispatchEvent(new CustomEvent("engine", { detail: askEngine }));
      inside.dispatchEvent(new CustomEvent("restore", { detail: state }));
      for (const link of inside.querySelectorAll('a[href^="http"]')) link.target = "_blank";
    };
    growth.disconnect();
    show("report", true);
    document.body.classList.add("reported");
    // Without a base, the report's links to its own sections would lead to this page.
    frame.srcdoc = html.replace("<head>", '<head><base href="about:srcdoc">');
  };

  /** Offers the files of a report. The links stay the same elements, so none loses the focus. */
  const offer = (files) => {
    const types = { html: "text/html", csv: "text/csv", json: "application/json", pgn: "application/x-chess-pgn" };
    const known = new Map([...element("files").children].map((link) => [link.download, link]));
    const links = Object.entries(files).map(([name, text]) => {
      const link = known.get(name) ?? document.createElement("a");
      if (link.href) URL.revokeObjectURL(link.href);
      link.href = URL.createObjectURL(new Blob([text], { type: types[name.split(".").pop()] }));
      link.download = link.textContent = name;
      return link;
    });
    if (links.some((link) => !known.has(link.download))) element("files").replaceChildren(...links);
    show("found", true);
  };

  // One report at a time, at most a tenth of the time, and one at the end.
  let isReporting = false;
  let next = 0;
  // The number of games of this analysis that the last report has or leaves out.
  let reported = 0;
  let reportFailure = "";
  const report = async () => {
    if (isReporting || (isRunning && performance.now() < next)) return;
    const [of, games, begun] = [analysis, done(), performance.now()];
    const over = of.games.filter(isOver).length;
    if (!games.length || reported === over) return;
    isReporting = true;
    const task = { task: "report", file: of.file, read: of.read, numbers: games.map((game) => game.number) };
    const { error, page, files } = await askReporter(task, encoder.encode(games.map((game) => game.pgn).join("\n")));
    next = performance.now() + Math.max(2000, 10 * (performance.now() - begun));
    isReporting = false;
    if (of === analysis) {
      reported = over;
      const failure = error ? sentence(error, of.file) : "";
      // A failure of an earlier report is over; other messages stay.
      if (error || element("error").textContent === reportFailure) fail(failure);
      reportFailure = failure;
      if (page) {
        display(page);
        offer({ "report.html": page, ...files });
      }
    }
    if (analysis) report();
  };

  // A run.

  const stop = () => {
    runs += 1;
    isRunning = false;
    workers.splice(0).forEach((worker) => worker.end());
  };

  /** Leaves out a game on which the engine failed, so that the others can be reported. */
  const leaveOut = (of, game, reason) => {
    game.isFailed = true;
    const { read, file } = of;
    read.left_out.push({ file, game: game.number, white: game.white, black: game.black, ply: null, written: null, reason });
    read.left_out_by_reason = { ...read.left_out_by_reason };
    read.left_out_by_reason["the engine failed"] = (read.left_out_by_reason["the engine failed"] ?? 0) + 1;
  };

  const work = async (worker, of, run) => {
    for (;;) {
      const game = of.games.find((other) => !isOver(other) && other.run !== run);
      if (!game) return;
      game.run = run;
      const { isEnded, error, pgn } = await worker.ask({ task: "evaluate", depth: of.depth || 10 }, encoder.encode(game.pgn));
      if (isEnded) return;
      if (error) leaveOut(of, game, error);
      else Object.assign(game, { pgn, isDone: true });
      await keepGame(of, game);
      if (run !== runs) return;
      tell();
      report();
    }
  };

  const run = async () => {
    stop();
    const [of, mine] = [analysis, runs];
    fail("");
    show("choice", false);
    show("kept", false);
    show("work", true);
    const wanted = of.games.filter((game) => !isOver(game));
    clock = { begun: performance.now(), before: positions(of.games.filter(isOver)) };
    isRunning = wanted.length > 0;
    next = 0;
    tell();
    announce(element("says").textContent, isRunning ? "stop" : "says");
    report();
    try {
      const count = Math.min(navigator.hardwareConcurrency || 1, MOST_WORKERS, wanted.length);
      const started = await Promise.all(Array.from({ length: count }, newWorker));
      if (mine !== runs) return started.forEach((worker) => worker.end());
      workers = started;
      await Promise.all(started.map((worker) => work(worker, of, mine)));
    } catch (error) {
      fail(`This browser cannot run the engine (${error.message}). ${CURRENT}`);
    }
    if (mine !== runs) return undefined;
    const isOnStop = document.activeElement === element("stop");
    stop();
    tell();
    announce(element("says").textContent, isOnStop && "says");
    if (!done().length && isFinished()) fail(sentence(of.read.left_out.at(-1).reason, of.file));
    return report();
  };

  // The games.

  /** Returns the reason why other games cannot be opened now; empty if they can. */
  const obstacle = () => {
    if (isRunning) return "Stop the analysis before you open other games.";
    if (analysis && !isFinished()) return `Discard the games of ${analysis.file} before you open others.`;
    return analysis || element("kept").hidden ? "" : "Discard the stored games before you open others.";
  };

  /** Reads the games in the bytes of a file, or of several files with their names and sizes, and analyzes them. */
  const begin = async (file, bytes, parts = [{ name: file, size: bytes.length }]) => {
    if (obstacle()) return fail(obstacle());
    begins += 1;
    const mine = begins;
    stop();
    analysis = undefined;
    hideReport();
    for (const id of ["choice", "kept", "stop", "go"]) show(id, false);
    show("work", true);
    element("says").textContent = `Reading ${file} …`;
    const { error, read, games: found } = await askReporter({ task: "read", file, parts }, bytes);
    if (mine !== begins) return undefined;
    // A message about one of several files begins with its name.
    if (!found) return reset(sentence(error, parts.find(({ name }) => error.startsWith(name))?.name ?? file));
    // Evaluations of one engine only can be compared. A game without moves has no evaluation.
    const isEvaluated = found.some((game) => game.positions > 1) && found.every((game) => game.is_evaluated || game.positions === 1);
    const isSearched = element("again").checked || !isEvaluated;
    const games = found.map(({ is_evaluated: has, ...game }) => ({ ...game, isDone: has && !isSearched }));
    const depth = isSearched ? Number(element("depth").value) : 0;
    const id = crypto.getRandomValues(new Uint32Array(2)).join("-");
    analysis = { id, version: VERSION, file, depth, read, count: games.length, games };
    await keepAll(analysis);
    return mine === begins ? run() : undefined;
  };

  const beginWith = async (list) => {
    const files = [...list];
    if (!files.length) return undefined;
    if (obstacle()) return fail(obstacle());
    fail("");
    const name = files.length === 1 ? files[0].name : `${files[0].name} and ${files.length - 1} more`;
    try {
      // The core refuses as much after unpacking.
      if (files.reduce((sum, { size }) => sum + size, 0) > MOST_BYTES) return fail(TOO_LARGE);
      const parts = files.map(({ name: part, size }) => ({ name: part, size }));
      return begin(name, new Uint8Array(await new Blob(files).arrayBuffer()), parts);
    } catch (error) {
      return fail(sentence(`${name} cannot be read: ${error.message}`, name));
    }
  };

  const reset = (error = "") => {
    begins += 1;
    stop();
    analysis = undefined;
    hideReport();
    show("work", false);
    show("kept", false);
    show("choice", true);
    fail(error);
    element("file").focus();
  };

  const discard = () => {
    reset();
    write((store) => store.clear());
  };

  // A drop of text goes where the browser puts it.
  const takeDrops = (target) => {
    for (const kind of ["dragover", "dragleave", "drop"]) {
      target.addEventListener(kind, (event) => {
        if (!event.dataTransfer?.types.includes("Files")) return;
        event.preventDefault();
        document.body.classList.toggle("dropping", kind === "dragover");
        if (kind === "drop") beginWith(event.dataTransfer.files);
      });
    }
  };

  const isAble = typeof WebAssembly === "object" && typeof DecompressionStream === "function" && typeof Worker === "function";
  if (!isAble) return show("choice", false);
  fail("");
  takeDrops(document);
  element("file").addEventListener("change", ({ target }) => {
    beginWith(target.files);
    // The same file can be chosen again after an error.
    target.value = "";
  });
  document.addEventListener("analyze", ({ detail }) =>
    analysis && isFinished() ? fail("Choose “Other games” before you analyze this game.") : begin(detail.name, encoder.encode(detail.text)),
  );
  element("paste").addEventListener("click", () => {
    const text = element("text").value.trim();
    return text ? begin("pasted games", encoder.encode(text)) : fail("Paste at least one game.");
  });
  element("stop").addEventListener("click", () => {
    stop();
    tell();
    announce(element("says").textContent, isFinished() ? "says" : "go");
    report();
  });
  element("go").addEventListener("click", run);
  element("resume").addEventListener("click", async () => {
    // Another tab may have finished games since.
    const { kept, games } = (await stored()) ?? {};
    if (kept?.id === analysis.id) Object.assign(analysis, { games, read: kept.read });
    run();
  });
  element("other").addEventListener("click", () => (analysis && !isFinished() ? discard() : reset()));
  element("discard").addEventListener("click", discard);
  setInterval(() => isRunning && tell(), 1000);

  stored().then((found) => {
    if (!found || analysis || begins) return;
    const { kept, games, fault } = found;
    if (!fault) analysis = { ...kept, games };
    const ready = fault ? 0 : games.filter(isOver).length;
    element("kept-says").textContent = fault ?? `This browser has an analysis of ${kept.file}: ${ready} of ${counted(games.length, "game")}.`;
    element("resume").textContent = ready === games?.length ? "Show the report" : "Resume";
    show("resume", !fault);
    show("kept", true);
    show("choice", false);
  });
})();
