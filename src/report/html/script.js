// The interactive parts of a tournament's page: the viewers of games.
"use strict";

(() => {
  const { element, shape, numbered } = boards;
  const data = JSON.parse(document.getElementById("data").textContent);

  for (const hidden of document.querySelectorAll(".needs-script")) hidden.hidden = false;

  // Games.

  /** Copies a text to the clipboard, by a selected text area if the browser refuses the clipboard. Returns true if it worked. */
  const copy = async (text) => {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      const area = element("textarea", { "aria-label": "Text to copy" });
      area.value = text;
      document.body.append(area);
      area.select();
      const done = document.execCommand("copy");
      area.remove();
      return done;
    }
  };

  /** Puts the shown position into the address after a pause, because browsers limit the changes per second. */
  let naming;
  const name = (hash) => {
    clearTimeout(naming);
    naming = setTimeout(() => history.replaceState(history.state, "", hash), 300);
  };

  /** The class and the name of each judgment, by its symbol. */
  const JUDGEMENTS = { "?!": ["inaccuracy", "Inaccuracy"], "?": ["mistake", "Mistake"], "??": ["blunder", "Blunder"] };

  // The engine of the page: a function that answers questions about positions. A page that contains this one may provide its own engine.
  let engine = document.getElementById("engine") ? engines.asker("engine") : undefined;
  document.addEventListener("engine", ({ detail }) => {
    engine = detail;
    for (const viewer of viewers.values()) viewer.use(engine);
  });
  // The first step finds only the legal moves.
  const NODES = [0, 20_000, 100_000, 500_000];
  const LINES = 3;

  /** A board to step through a game, and to try other moves if the page has an engine. It is created when the game is first opened. */
  class Viewer {
    constructor(details) {
      this.details = details;
      this.game = data.games.find((game) => game.number === Number(details.dataset.game));
      this.game.plies = this.game.plies.map(([san, uci, fen, evaluation, gain, best, bestSan, symbol, clock, chances, line]) => ({
        san, uci, fen, evaluation, gain, best, bestSan, symbol, clock, chances, line,
      }));
      this.place = details.querySelector(".viewer");
      this.ply = 0;
      // The moves that the reader tried after this ply, each with its UCI, SAN and the FEN after it.
      this.tried = [];
      // What the engine found in the position shown.
      this.found = undefined;
      this.looks = 0;
      this.flipped = false;
      const last = this.game.plies.length;
      const step = (label, says, to) => this.button(label, says, () => this.show(to()));
      this.buttons = [
        step("|◀", "first position", () => 0),
        this.button("◀", "one move back", () => this.back()),
        step("▶", "one move forward", () => this.ply + 1),
        step("▶|", "last position", () => last),
      ];
      this.board = new boards.MoveBoard((move) => this.attempt(move));
      this.whites = element("span");
      const balance = element("div", { class: "balance", "aria-hidden": "true" }, this.whites);
      this.now = element("p", { class: "now", "aria-live": "polite" });
      this.line = element("p", { class: "line" });
      this.told = element("span", { class: "told", role: "status" });
      const tools = [
        this.button("Flip board", "", () => this.flip()),
        this.button("Copy FEN", "", () => this.copy("FEN", this.fen())),
        this.button("Copy PGN", "", () => this.copy("PGN", this.pgn())),
        // A report within another page has no address.
        ...(location.protocol === "about:" ? [] : [this.button("Copy link", "", () => this.copy("link", this.link()))]),
        this.told,
      ];
      const steps = element("div", { class: "steps" }, ...this.buttons);
      const judged = element("div", { class: "judged" }, balance, this.board.place);
      const left = element("div", {}, judged, steps, element("div", { class: "steps tools" }, ...tools));
      this.left = left;
      const chances = details.querySelector(".chances");
      const right = element("div", { class: "right" }, ...(chances ? [chances] : []), this.now, this.line, this.list());
      this.place.replaceChildren(left, right);
      this.place.tabIndex = 0;
      this.place.setAttribute("role", "group");
      this.place.setAttribute("aria-label", "Board: the arrow keys step through the game, Home and End go to its first and last position");
      this.cursor = element("span", { class: "cursor" });
      this.graph = details.querySelector(".graph");
      this.graph?.append(this.cursor);
      for (const moved of ["pointermove", "pointerdown"]) this.graph?.addEventListener(moved, (event) => this.point(event));
      this.show(0);
      this.use(engine);
    }

    button(label, says, press) {
      const button = element("button", says ? { type: "button", "aria-label": says, title: says } : { type: "button" }, label);
      button.addEventListener("click", press);
      return button;
    }

    /** Returns the list of moves: a column for each side, each move in the color of its judgment. */
    list() {
      const rows = [];
      this.moves = this.game.plies.map((ply, index) => {
        const count = this.game.first + index;
        const [kind, says] = JUDGEMENTS[ply.symbol] ?? [];
        const button = element("button", { type: "button", tabindex: "-1" }, `${ply.san}${ply.symbol}`);
        if (kind) {
          button.className = kind;
          button.title = ply.bestSan ? `${says}. ${ply.bestSan} was best.` : `${says}.`;
        }
        if (index < this.game.book) {
          button.classList.add("book");
          button.title = "Book";
        }
        button.addEventListener("click", () => this.show(index + 1));
        if (count % 2 === 0 || index === 0) {
          const number = element("span", { class: "number" }, `${Math.floor(count / 2)}.`);
          rows.push(element("li", {}, number, ...(count % 2 === 0 ? [] : [element("span", {}, "…")])));
        }
        rows.at(-1).append(button);
        return button;
      });
      return element("ol", { "aria-label": "Moves", tabindex: "0" }, ...rows);
    }

    /** Adds an engine, for a board on which the reader moves. */
    use(engine) {
      if (this.engine || !engine) return;
      this.engine = engine;
      this.left.append(this.board.form, this.engineTools());
      this.look();
    }

    /** Returns the switch of the engine, and its lines. */
    engineTools() {
      this.switch = element("input", { type: "checkbox" });
      this.switch.addEventListener("change", () => this.look());
      this.leave = this.button("Back to the game", "", () => {
        this.place.focus({ preventScroll: true });
        this.show(this.ply);
      });
      this.lines = Array.from({ length: LINES }, (_, place) => this.button("", "", () => this.follow(this.found?.lines[place])));
      const controls = element("div", { class: "steps" }, element("label", {}, this.switch, " Show the engine’s best moves"), this.leave);
      return element("div", { class: "engine" }, controls, ...this.lines);
    }

    flip() {
      this.flipped = !this.flipped;
      this.draw();
    }

    /** Takes back the last tried move, or the last move of the game. */
    back() {
      if (!this.tried.length) return this.show(this.ply - 1);
      this.tried.pop();
      this.told.textContent = "";
      return this.look();
    }

    /** Plays the first move of a line. */
    follow(line) {
      if (line) this.attempt(this.found.legal.find(([uci]) => uci === line.uci));
    }

    /** Plays another move than the game, or the next move of the game. */
    attempt([uci, san, fen]) {
      if (!this.tried.length && this.game.plies[this.ply]?.fen === fen) return this.show(this.ply + 1);
      this.tried.push({ uci, san, fen });
      this.told.textContent = "";
      this.switch.checked = true;
      return this.look();
    }

    /** Returns the state that a reloaded page restores. */
    state() {
      const { ply, tried, flipped } = this;
      const isAtEnd = ply === this.game.plies.length && !tried.length;
      const { field } = this.board;
      const [written, isWriting] = [field.value, document.activeElement === field];
      return { ply: isAtEnd ? Infinity : ply, tried, flipped, isOn: this.switch?.checked, written, isWriting };
    }

    restore({ ply, tried, flipped, isOn, written, isWriting }) {
      this.flipped = flipped;
      this.board.field.value = written;
      if (isWriting) this.board.field.focus({ preventScroll: true });
      if (this.switch) this.switch.checked = isOn;
      this.show(ply);
      this.tried = tried;
      if (tried.length) this.look();
    }

    /** Asks the engine about the position shown, and draws it now and after each answer. Without the switch, it asks for the legal moves only. */
    async look() {
      this.looks += 1;
      const mine = this.looks;
      this.found = undefined;
      this.draw();
      if (!this.engine) return;
      const moves = [...this.game.plies.slice(0, this.ply), ...this.tried].map(({ uci }) => uci);
      for (const nodes of this.switch.checked ? NODES : NODES.slice(0, 1)) {
        // While the engine answers an earlier question, only the newest one waits.
        await asking;
        if (mine !== this.looks) return;
        asking = this.engine({ task: "look", start: this.game.start, moves, nodes, lines: LINES });
        const found = await asking;
        if (mine !== this.looks) return;
        if (found.error) {
          this.told.textContent = `${found.error}.`;
          return;
        }
        this.found = found;
        this.draw();
        if (!found.legal.length) return;
      }
    }

    async copy(what, text) {
      this.told.textContent = (await copy(text)) ? `${what} copied` : `${what} could not be copied`;
    }

    link() {
      return `${location.href.split("#")[0]}#game-${this.game.number}-${this.ply}`;
    }

    fen() {
      return this.tried.at(-1)?.fen ?? (this.ply ? this.game.plies[this.ply - 1].fen : this.game.start);
    }

    pgn() {
      const { tags, plies, first, result } = this.game;
      return boards.pgn(tags, plies.map(({ san }) => san), first, result);
    }

    /** Shows the position below the pointer. */
    point(event) {
      const { left, width } = this.graph.getBoundingClientRect();
      const ply = Math.round(((event.clientX - left) / width) * this.game.plies.length);
      if (this.tried.length && event.type === "pointermove") return;
      if (ply >= 0 && ply <= this.game.plies.length && ply !== this.ply) this.show(ply);
    }

    /** Returns the engine's line in the position shown, with move numbers. */
    expected() {
      const line = (this.ply ? this.game.plies[this.ply - 1] : this.game).line;
      return line ? `Engine: ${numbered(line.split(" "), this.game.first + this.ply)}` : "";
    }

    key(event) {
      if (event.altKey || event.ctrlKey || event.metaKey) return;
      const to = { ArrowRight: this.ply + 1, ArrowLeft: this.ply - 1, Home: 0, End: this.game.plies.length }[event.key];
      if (to === undefined) return;
      event.preventDefault();
      if (event.key === "ArrowLeft") this.back();
      else if (event.key !== "ArrowRight" || !this.tried.length) this.show(to);
      this.place.scrollIntoView({ block: "nearest" });
    }

    /** Describes the tried move that led to the position shown: evaluation, best reply or end of the game. */
    saysTried() {
      const told = numbered([this.tried.at(-1).san], this.first() - 1);
      const [best] = this.found?.lines ?? [];
      if (best) return `${told}: evaluation ${best.evaluation}; best reply ${numbered(best.san.slice(0, 1), this.first())}`;
      return this.switch.checked && !this.found?.end ? `${told}: …` : told;
    }

    /** Returns twice the number of the next move, plus one if it is Black's. */
    first() {
      return this.game.first + this.ply + this.tried.length;
    }

    /** Describes the move that led to the position shown: gain, evaluation, clock and judgment. */
    says(played) {
      if (!played) return this.game.evaluation && `Evaluation ${this.game.evaluation}`;
      const [, judged] = JUDGEMENTS[played.symbol] ?? [];
      const parts = [played.gain && `gain ${played.gain}`, `evaluation ${played.evaluation}`, played.clock && `clock ${played.clock}`];
      const better = played.bestSan ? `; the engine would have played ${played.bestSan}` : "";
      const chances = played.chances && `, winning chances ${played.chances}`;
      const judgment = judged ? `; ${judged.toLowerCase()}${chances}` : "";
      return `${numbered([played.san], this.first() - 1)}: ${parts.filter(Boolean).join(", ")}${judgment}${better}`;
    }

    /** Returns White's chance of winning in percent, from the shown evaluation by lichess's curve; undefined until it is known. */
    chance() {
      const recorded = this.tried.length ? undefined : (this.ply ? this.game.plies[this.ply - 1] : this.game).evaluation;
      const told = (this.found?.lines[0]?.evaluation ?? recorded)?.replace("−", "-");
      const result = this.found?.end?.[1];
      if (told === undefined) return result ? { "1-0": 100, "0-1": 0 }[result] ?? 50 : undefined;
      if (told === "mate") return this.game.result === "1-0" ? 100 : 0;
      if (told.startsWith("#")) return told.startsWith("#-") ? 0 : 100;
      const pawns = Number.parseFloat(told);
      return Number.isFinite(pawns) ? 100 / (1 + Math.exp(-0.368208 * pawns)) : 50;
    }

    /** Shows a position of the game. */
    show(ply) {
      const { plies, number } = this.game;
      const before = this.ply;
      this.ply = Math.min(Math.max(ply, 0), plies.length);
      this.tried = [];
      this.told.textContent = "";
      this.moves[before - 1]?.removeAttribute("aria-current");
      if (before !== this.ply) name(`#game-${number}-${this.ply}`);
      const current = this.moves[this.ply - 1];
      if (current) {
        current.setAttribute("aria-current", "step");
        const list = current.closest("ol");
        list.scrollTop = current.offsetTop - list.clientHeight / 2;
      }
      this.look();
    }

    /** Returns the arrows of the last move, and of the engine's moves: in place of that move, or the best ones now. */
    arrows(played) {
      const best = this.found?.lines.length ? this.found.lines.map(({ uci }) => uci) : [this.tried.length ? "" : played?.best];
      const kinds = ["best", "best second", "best third"];
      const drawn = best.map((uci, place) => [uci, kinds[place]]).reverse();
      return [...drawn, [played?.uci, "played"]].flatMap(([uci, kind]) => (uci ? boards.arrow(uci, kind, this.flipped) : []));
    }

    draw() {
      const { plies } = this.game;
      const played = this.tried.at(-1) ?? plies[this.ply - 1];
      const title = played ? `Position after ${numbered([played.san], this.first() - 1)}` : "First position";
      this.board.show({ fen: this.fen(), legal: this.found?.legal, arrows: this.arrows(played), title, flipped: this.flipped });
      this.chances = this.chance() ?? this.chances;
      this.whites.style.height = `${this.flipped ? 100 - this.chances : this.chances}%`;
      this.whites.style.background = this.flipped ? "#333" : "";
      this.whites.parentElement.style.background = this.flipped ? "#f4f4f0" : "";
      const move = this.tried.length ? this.saysTried() : this.says(played);
      // A game may have gone on after a draw by rule, or have had another end.
      const isEnd = this.tried.length || (this.ply === plies.length && this.found?.end?.[1] === this.game.result);
      const told = isEnd && this.found?.end ? `${move}${move.includes(":") ? ";" : ":"} ${this.found.end.join(", ")}` : move;
      // A screen reader reads each change.
      if (told !== this.now.textContent) this.now.textContent = told;
      this.line.textContent = this.tried.length ? "" : this.expected();
      if (this.engine) this.drawLines();
      this.cursor.style.left = `${(100 * this.ply) / Math.max(plies.length, 1)}%`;
      const [first, back, on, last] = this.buttons;
      first.disabled = back.disabled = this.ply === 0 && !this.tried.length;
      on.disabled = last.disabled = this.ply === plies.length || this.tried.length > 0;
    }

    drawLines() {
      this.leave.hidden = !this.tried.length;
      this.lines.forEach((button, place) => {
        const line = this.found?.lines[place];
        button.hidden = !this.switch.checked || (!line && Boolean(this.found?.end));
        if (button.hidden && button === document.activeElement) this.place.focus({ preventScroll: true });
        button.setAttribute("aria-disabled", !line);
        button.title = button.textContent = line ? `${line.evaluation} ${numbered(line.san, this.first())}` : "…";
      });
    }
  }

  // The engine's answer to the last question, as a promise.
  let asking;
  const viewers = new Map();
  let current = null;
  const viewerOf = (details) => {
    if (!viewers.has(details)) viewers.set(details, new Viewer(details));
    return viewers.get(details);
  };
  const games = [...document.querySelectorAll("details.game")];
  let pressed;
  for (const details of games) {
    details.querySelector("summary").addEventListener("click", () => (pressed = details));
    details.addEventListener("toggle", () => {
      if (details.open) current = viewerOf(details);
      // The whole viewer of a game that the reader opens comes into view.
      if (details.open && pressed === details) details.scrollIntoView({ block: "nearest", behavior: "instant" });
      pressed = undefined;
    });
    // The game of a page about one game is open from the beginning.
    if (details.open) current = viewerOf(details);
  }

  // The keys step through the game that has the focus, else through the game opened last, unless the focused element uses them.
  document.addEventListener("keydown", (event) => {
    const { target } = event;
    const viewer = viewers.get(target.closest?.("details.game[open]")) ?? current;
    const isUsed = target.closest?.('select, input:not([type="checkbox"]), textarea, .scroll, figure');
    if (viewer?.details.open && !isUsed) viewer.key(event);
  });

  /** Opens a game at a position. */
  const open = (number, ply) => {
    const details = document.getElementById(`game-${number}`);
    if (!details) return;
    if (details.hidden) {
      ofPlayer.value = "";
      filter();
    }
    details.open = true;
    const viewer = viewerOf(details);
    current = viewer;
    viewer.show(ply);
    viewer.place.focus({ preventScroll: true });
    details.scrollIntoView({ behavior: "instant" });
    viewer.place.scrollIntoView({ block: "nearest" });
  };

  for (const link of document.querySelectorAll("a[data-game]")) {
    link.addEventListener("click", (event) => {
      if (!document.getElementById(`game-${link.dataset.game}`)) return;
      event.preventDefault();
      open(link.dataset.game, Number(link.dataset.ply) + 1);
    });
  }

  const ofPlayer = document.getElementById("games-of");
  const count = document.getElementById("games-count");
  const filter = () => {
    const wanted = ofPlayer.value;
    for (const details of games) {
      details.hidden = wanted !== "" && details.dataset.white !== wanted && details.dataset.black !== wanted;
    }
    const shown = games.filter((details) => !details.hidden).length;
    count.textContent = `${shown} of ${games.length} games`;
  };
  ofPlayer.addEventListener("change", filter);
  filter();

  // A reloaded page opens the games that were open, without moving the focus.
  document.addEventListener("keep", ({ detail }) => {
    const opened = [...document.querySelectorAll("details.game[open]")].filter((details) => viewers.has(details));
    detail.games = opened.map((details) => [details.dataset.game, viewers.get(details).state()]);
  });
  document.addEventListener("restore", ({ detail }) => {
    for (const [number, state] of detail.games) {
      const details = document.getElementById(`game-${number}`);
      if (!details) continue;
      details.open = true;
      viewerOf(details).restore(state);
    }
  });

  /** Opens the game or the position that the address names. */
  const follow = () => {
    const linked = /^#game-(\d+)(?:-(\d+))?$/.exec(location.hash);
    if (linked) open(linked[1], Number(linked[2] ?? 0));
  };
  window.addEventListener("hashchange", follow);
  // A page that reloads itself restores its own state instead.
  if (!history.state?.live) follow();
})();
