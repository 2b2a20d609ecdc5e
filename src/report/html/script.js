// The interactive parts of a tournament's page: the picture of two histograms, and the viewers of games.
"use strict";

(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const SVG = "http://www.w3.org/2000/svg";

  /** Creates an HTML element. Texts among the children become text nodes, never markup. */
  const element = (name, attributes = {}, ...children) => {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    made.append(...children);
    return made;
  };

  /** Creates an SVG element. */
  const shape = (name, attributes = {}, ...children) => {
    const made = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    made.append(...children);
    return made;
  };

  for (const hidden of document.querySelectorAll(".needs-script")) hidden.hidden = false;

  // Two histograms in one picture.

  const overlay = document.getElementById("overlay-figure");
  const chosen = ["overlay-a", "overlay-b"].map((id) => document.getElementById(id));
  const COLORS = ["var(--plot-gain)", "var(--plot-loss)"];
  const percent = (share) => `${(100 * share).toFixed(1)} %`;
  const mark = (share) => `${Number((100 * share).toFixed(1))} %`;

  const drawOverlay = () => {
    const pair = chosen.map((select) => data.players[Number(select.value)]);
    const [width, height, left, bottom, top] = [1000, 420, 84, 370, 70];
    const x = (gain) => left + ((gain + data.range + 5) / (2 * data.range + 10)) * (width - left - 20);
    const share = (player, moves) => (player.moves ? moves / player.moves : 0);
    // The same scale as in the other pictures of histograms. The bar at 0 may be cut off.
    const { top: peak, tick } = data;
    const y = (value) => bottom - (Math.min(value, peak) / peak) * (bottom - top);
    const title = `Gains of ${pair[0].name} and ${pair[1].name}, share of moves`;
    const svg = shape("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": title });
    const text = (content, at, more = {}) => {
      const made = shape("text", { x: at[0], y: at[1], fill: "var(--plot-pale)", "font-size": 14, ...more });
      made.textContent = content;
      svg.append(made);
    };
    for (let value = tick; value <= peak + 1e-9; value += tick) {
      svg.append(shape("path", { d: `M${left} ${y(value)}H${width - 20}`, stroke: "var(--plot-grid)" }));
      text(mark(value), [left - 6, y(value) + 5], { "text-anchor": "end" });
    }
    svg.append(shape("path", { d: `M${left} ${bottom}H${width - 20}`, stroke: "var(--plot-ink)" }));
    for (let mark = -data.range; mark <= data.range; mark += data.range / 4) {
      text(String(mark).replace("-", "−"), [x(mark), bottom + 20], { "text-anchor": "middle" });
    }
    text("Gain in centipawns", [(left + width) / 2, bottom + 42], { "text-anchor": "middle" });
    pair.forEach((player, index) => {
      const bars = player.bars.filter(([gain]) => Math.abs(gain) <= data.range);
      const step = bars.map(([gain, moves]) => {
        const [from, to] = [x(gain - 5), x(gain + 5)];
        return `M${from} ${bottom}V${y(share(player, moves))}H${to}V${bottom}z`;
      });
      svg.append(shape("path", { d: step.join(""), fill: COLORS[index], "fill-opacity": index ? 0.25 : 0.45, stroke: COLORS[index] }));
      const baseline = 24 + 22 * index;
      svg.append(shape("rect", { x: left, y: baseline - 12, width: 14, height: 14, fill: COLORS[index], "fill-opacity": index ? 0.5 : 0.7 }));
      const middle = player.bars.find(([gain]) => gain === 0);
      const isCut = middle && share(player, middle[1]) > peak;
      const cut = isCut ? ", cut off here" : "";
      if (isCut) {
        const [from, to, row] = [x(-5) - 3, x(5) + 3, top + 14];
        svg.append(shape("path", { d: `M${from} ${row + 6}L${to} ${row}v5L${from} ${row + 11}z`, fill: "var(--plot-paper)" }));
      }
      text(
        `${player.name}: ${player.moves} ${player.moves === 1 ? "move" : "moves"}, exactly 0: ${percent(share(player, player.zero))}, bar at 0: ${percent(share(player, middle ? middle[1] : 0))}${cut}`,
        [left + 22, baseline],
        { fill: "var(--plot-ink)" },
      );
    });
    overlay.replaceChildren(svg);
  };

  if (data.players.length > 1) {
    chosen.forEach((select, index) => {
      select.append(...data.players.map((player, place) => element("option", { value: place }, player.name)));
      select.value = String(index);
      select.addEventListener("change", drawOverlay);
    });
    drawOverlay();
  } else {
    document.getElementById("overlay").hidden = true;
  }

  // Games.

  const SQUARE = 10;
  /** Returns the upper left corner of a square. If `flipped`, Black is at the bottom. */
  const corner = ([file, rank], flipped) => (flipped ? [7 - file, rank] : [file, 7 - rank]).map((at) => SQUARE * at);
  const squareOf = (name) => [name.charCodeAt(0) - 97, Number(name[1]) - 1];

  const arrow = (uci, kind, flipped) => {
    const squares = [uci.slice(0, 2), uci.slice(2, 4)];
    if (!squares.every((name) => /^[a-h][1-8]$/.test(name))) return [];
    const [[x1, y1], [x2, y2]] = squares.map((name) => corner(squareOf(name), flipped).map((at) => at + SQUARE / 2));
    const length = Math.max(Math.hypot(x2 - x1, y2 - y1), 1);
    const [dx, dy] = [(x2 - x1) / length, (y2 - y1) / length];
    const at = (along, across) => `${x1 + along * dx - across * dy},${y1 + along * dy + across * dx}`;
    const [neck, tip] = [length - 4.2, length - 0.8];
    const points = [at(1.5, 0.75), at(neck, 0.75), at(neck, 2.1), at(tip, 0), at(neck, -2.1), at(neck, -0.75), at(1.5, -0.75)];
    return [shape("polygon", { class: `arrow ${kind}`, points: points.join(" ") })];
  };

  /** Returns the letters and numbers around a board with Black at the bottom. */
  const flippedCoordinates = () => {
    const group = shape("g", { class: "coordinates" });
    for (let place = 0; place < 8; place += 1) {
      group.append(shape("text", { x: SQUARE * place + SQUARE / 2, y: 83.2 }, "hgfedcba"[place]));
      group.append(shape("text", { x: -2, y: SQUARE * place + SQUARE / 2 + 1 }, String(place + 1)));
    }
    return group;
  };

  const board = (fen, arrows, title, flipped) => {
    const svg = shape("svg", { class: "board", viewBox: "-4 0 84 84", role: "img", "aria-label": title });
    svg.append(shape("use", { href: "#board", width: 80, height: 80 }));
    fen.split(" ")[0].split("/").forEach((rank, row) => {
      let file = 0;
      for (const letter of rank) {
        if (/\d/.test(letter)) {
          file += Number(letter);
        } else {
          const [x, y] = corner([file, 7 - row], flipped);
          svg.append(shape("use", { href: `#piece-${letter}`, x, y, width: SQUARE, height: SQUARE }));
          file += 1;
        }
      }
    });
    svg.append(...arrows, flipped ? flippedCoordinates() : shape("use", { href: "#coordinates" }));
    return svg;
  };

  /** Copies a text to the clipboard, by a selected text area if the browser refuses the clipboard. Returns whether it worked. */
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

  /** A board to step through a game. It is created when the game is first opened. */
  class Viewer {
    constructor(details) {
      this.details = details;
      this.game = data.games.find((game) => game.number === Number(details.dataset.game));
      this.game.plies = this.game.plies.map(([san, uci, fen, evaluation, gain, best, bestSan, symbol, clock, chances, line]) => ({
        san, uci, fen, evaluation, gain, best, bestSan, symbol, clock, chances, line,
      }));
      this.place = details.querySelector(".viewer");
      this.ply = 0;
      this.flipped = false;
      const last = this.game.plies.length;
      const step = (label, says, to) => this.button(label, says, () => this.show(to()));
      this.buttons = [
        step("|◀", "first position", () => 0),
        step("◀", "one move back", () => this.ply - 1),
        step("▶", "one move forward", () => this.ply + 1),
        step("▶|", "last position", () => last),
      ];
      this.board = element("div");
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
      const judged = element("div", { class: "judged" }, balance, this.board);
      const left = element("div", {}, this.now, this.line, judged, steps, element("div", { class: "steps tools" }, ...tools));
      this.place.append(left, this.list());
      this.place.tabIndex = 0;
      this.place.setAttribute("role", "group");
      this.place.setAttribute("aria-label", "Board: the arrow keys step through the game, Home and End go to its first and last position");
      this.graph = details.querySelector("figure svg");
      this.cursor = shape("path", { stroke: "var(--plot-ink)", "stroke-width": 15, "stroke-dasharray": "40 30" });
      this.graph.append(this.cursor);
      for (const moved of ["pointermove", "pointerdown"]) this.graph.addEventListener(moved, (event) => this.point(event));
      this.show(0);
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

    flip() {
      this.flipped = !this.flipped;
      this.show(this.ply);
    }

    async copy(what, text) {
      this.told.textContent = (await copy(text)) ? `${what} copied` : `${what} could not be copied`;
    }

    link() {
      return `${location.href.split("#")[0]}#game-${this.game.number}-${this.ply}`;
    }

    fen() {
      return this.ply ? this.game.plies[this.ply - 1].fen : this.game.start;
    }

    pgn() {
      const quoted = (text) => text.replace(/[\\"]/g, "\\$&");
      const tags = this.game.tags.map(([name, value]) => `[${name} "${quoted(value)}"]\n`).join("");
      const moves = this.game.plies.map(({ san }, index) => {
        const count = this.game.first + index;
        if (count % 2 === 0) return `${count / 2}. ${san}`;
        return index === 0 ? `${Math.floor(count / 2)}... ${san}` : san;
      });
      return `${tags}\n${[...moves, this.game.result].join(" ")}\n`;
    }

    /** Shows the position below the pointer. */
    point(event) {
      const box = this.graph.getBoundingClientRect();
      const { x, width } = this.graph.viewBox.baseVal;
      const column = x + ((event.clientX - box.left) / box.width) * width;
      const [left, step] = this.game.graph;
      const ply = Math.round((column - left) / step);
      if (ply >= 0 && ply <= this.game.plies.length && ply !== this.ply) this.show(ply);
    }

    /** Returns the engine's line in the position shown, with move numbers. */
    expected() {
      const line = (this.ply ? this.game.plies[this.ply - 1] : this.game).line;
      if (!line) return "";
      const numbered = line.split(" ").map((san, index) => {
        const count = this.game.first + this.ply + index;
        return count % 2 === 0 || index === 0 ? `${this.number(this.ply + 1 + index)} ${san}` : san;
      });
      return `Engine: ${numbered.join(" ")}`;
    }

    number(ply) {
      const first = this.game.first + ply - 1;
      return first % 2 === 0 ? `${Math.floor(first / 2)}.` : `${Math.floor(first / 2)}…`;
    }

    key(event) {
      if (event.altKey || event.ctrlKey || event.metaKey) return;
      const to = { ArrowRight: this.ply + 1, ArrowLeft: this.ply - 1, Home: 0, End: this.game.plies.length }[event.key];
      if (to === undefined) return;
      event.preventDefault();
      this.show(to);
      this.place.scrollIntoView({ block: "nearest" });
    }

    /** Describes the move that led to the position shown: gain, evaluation, clock and judgment. */
    says(played) {
      if (!played) return this.game.evaluation && `Evaluation ${this.game.evaluation}`;
      const [, judged] = JUDGEMENTS[played.symbol] ?? [];
      const parts = [played.gain && `gain ${played.gain}`, `evaluation ${played.evaluation}`, played.clock && `clock ${played.clock}`];
      const better = played.bestSan ? `; the engine would have played ${played.bestSan}` : "";
      const chances = played.chances && `, winning chances ${played.chances}`;
      const judgment = judged ? `; ${judged.toLowerCase()}${chances}` : "";
      return `${this.number(this.ply)} ${played.san}: ${parts.filter(Boolean).join(", ")}${judgment}${better}`;
    }

    /** Returns White's chance of winning in percent, from the shown evaluation by lichess's curve. */
    chance() {
      const told = (this.ply ? this.game.plies[this.ply - 1].evaluation : this.game.evaluation).replace("−", "-");
      if (told === "mate") return this.game.result === "1-0" ? 100 : 0;
      if (told.startsWith("#")) return told.startsWith("#-") ? 0 : 100;
      const pawns = Number.parseFloat(told);
      return Number.isFinite(pawns) ? 100 / (1 + Math.exp(-0.368208 * pawns)) : 50;
    }

    show(ply) {
      const { plies, number } = this.game;
      const before = this.ply;
      this.ply = Math.min(Math.max(ply, 0), plies.length);
      this.details.dataset.ply = this.ply;
      this.details.dataset.atEnd = this.ply === plies.length;
      const played = plies[this.ply - 1];
      const title = played ? `Position after ${this.number(this.ply)} ${played.san}` : "First position";
      const arrows = played
        ? [...(played.best ? arrow(played.best, "best", this.flipped) : []), ...arrow(played.uci, "played", this.flipped)]
        : [];
      this.board.replaceChildren(board(this.fen(), arrows, title, this.flipped));
      this.whites.style.height = `${this.flipped ? 100 - this.chance() : this.chance()}%`;
      this.whites.style.background = this.flipped ? "#333" : "";
      this.whites.parentElement.style.background = this.flipped ? "#f4f4f0" : "";
      this.now.textContent = this.says(played);
      this.line.textContent = this.expected();
      this.told.textContent = "";
      const [left, step] = this.game.graph;
      const { height } = this.graph.viewBox.baseVal;
      this.cursor.setAttribute("d", `M${left + step * this.ply} 1000V${height - 200}`);
      const [first, back, on, last] = this.buttons;
      first.disabled = back.disabled = this.ply === 0;
      on.disabled = last.disabled = this.ply === plies.length;
      this.moves[before - 1]?.removeAttribute("aria-current");
      if (before !== this.ply) name(`#game-${number}-${this.ply}`);
      const current = this.moves[this.ply - 1];
      if (current) {
        current.setAttribute("aria-current", "step");
        const list = current.closest("ol");
        list.scrollTop = current.offsetTop - list.offsetTop - list.clientHeight / 2;
      }
    }
  }

  const viewers = new Map();
  let current = null;
  const viewerOf = (details) => {
    if (!viewers.has(details)) viewers.set(details, new Viewer(details));
    return viewers.get(details);
  };
  const games = [...document.querySelectorAll("details.game")];
  for (const details of games) {
    details.addEventListener("toggle", () => {
      if (details.open) current = viewerOf(details);
    });
  }

  // The keys step through the game that has the focus, else through the game opened last, unless the focused element uses them.
  document.addEventListener("keydown", (event) => {
    const { target } = event;
    const viewer = viewers.get(target.closest?.("details.game[open]")) ?? current;
    const isUsed = target.closest?.("select, input, textarea, .scroll, figure");
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
    details.scrollIntoView();
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
    detail.games = [...document.querySelectorAll("details.game[open]")].map((details) => [
      details.dataset.game,
      details.dataset.atEnd === "true" ? Infinity : Number(details.dataset.ply ?? 0),
    ]);
  });
  document.addEventListener("restore", ({ detail }) => {
    for (const [number, ply] of detail.games) {
      const details = document.getElementById(`game-${number}`);
      if (!details) continue;
      details.open = true;
      viewerOf(details).show(ply);
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
