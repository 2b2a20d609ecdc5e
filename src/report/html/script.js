// Owns what moves on the page of a tournament: two histograms over each other, choosing and stepping through games.
"use strict";

(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const SVG = "http://www.w3.org/2000/svg";

  /** An element with attributes and children; texts become text, never markup. */
  const element = (name, attributes = {}, ...children) => {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    made.append(...children);
    return made;
  };

  /** The same for pictures. */
  const shape = (name, attributes = {}, ...children) => {
    const made = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    made.append(...children);
    return made;
  };

  for (const hidden of document.querySelectorAll(".needs-script")) hidden.hidden = false;

  // Two histograms over each other.

  const overlay = document.getElementById("overlay-figure");
  const chosen = ["overlay-a", "overlay-b"].map((id) => document.getElementById(id));
  const COLORS = ["var(--plot-gain)", "var(--plot-loss)"];
  const percent = (share) => `${(100 * share).toFixed(1)} %`;

  const drawOverlay = () => {
    const pair = chosen.map((select) => data.players[Number(select.value)]);
    const [width, height, left, bottom, top] = [1000, 420, 84, 370, 70];
    const x = (gain) => left + ((gain + data.range + 5) / (2 * data.range + 10)) * (width - left - 20);
    const share = (player, moves) => (player.moves ? moves / player.moves : 0);
    // The scale of the other pictures, where the bar at 0 may be cut.
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
      text(percent(value), [left - 6, y(value) + 5], { "text-anchor": "end" });
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
  const squareOf = (name) => [SQUARE * (name.charCodeAt(0) - 97), SQUARE * (8 - Number(name[1]))];

  const arrow = (uci, kind) => {
    const squares = [uci.slice(0, 2), uci.slice(2, 4)];
    if (!squares.every((name) => /^[a-h][1-8]$/.test(name))) return [];
    const [[x1, y1], [x2, y2]] = squares.map(squareOf).map(([x, y]) => [x + SQUARE / 2, y + SQUARE / 2]);
    const length = Math.max(Math.hypot(x2 - x1, y2 - y1), 1);
    const [dx, dy] = [(x2 - x1) / length, (y2 - y1) / length];
    const at = (along, across) => `${x1 + along * dx - across * dy},${y1 + along * dy + across * dx}`;
    const [neck, tip] = [length - 4.2, length - 0.8];
    const points = [at(1.5, 0.75), at(neck, 0.75), at(neck, 2.1), at(tip, 0), at(neck, -2.1), at(neck, -0.75), at(1.5, -0.75)];
    return [shape("polygon", { class: `arrow ${kind}`, points: points.join(" ") })];
  };

  const board = (pieces, arrows, title) => {
    const svg = shape("svg", { class: "board", viewBox: "-4 0 84 84", role: "img", "aria-label": title });
    svg.append(shape("use", { href: "#board", width: 80, height: 80 }));
    pieces.split("/").forEach((rank, row) => {
      let file = 0;
      for (const letter of rank) {
        if (/\d/.test(letter)) {
          file += Number(letter);
        } else {
          svg.append(shape("use", { href: `#piece-${letter}`, x: SQUARE * file, y: SQUARE * row, width: SQUARE, height: SQUARE }));
          file += 1;
        }
      }
    });
    svg.append(...arrows, shape("use", { href: "#coordinates" }));
    return svg;
  };

  /** A board to step through a game, made when the game is first opened. */
  class Viewer {
    constructor(details) {
      this.details = details;
      this.game = data.games.find((game) => game.number === Number(details.dataset.game));
      this.place = details.querySelector(".viewer");
      this.ply = 0;
      const step = (label, says, to) => {
        const button = element("button", { type: "button", "aria-label": says }, label);
        button.addEventListener("click", () => this.show(to()));
        return button;
      };
      const last = this.game.plies.length;
      this.buttons = [
        step("|◀", "first position", () => 0),
        step("◀", "one move back", () => this.ply - 1),
        step("▶", "one move on", () => this.ply + 1),
        step("▶|", "last position", () => last),
      ];
      this.board = element("div");
      this.now = element("p", { class: "now", "aria-live": "polite" });
      const left = element("div", {}, this.now, this.board, element("div", { class: "steps" }, ...this.buttons));
      this.moves = this.game.plies.map((ply, index) => {
        const button = element("button", { type: "button", tabindex: "-1" }, `${this.number(index + 1)} ${ply.san} `);
        button.addEventListener("click", () => this.show(index + 1));
        return button;
      });
      const list = element("ol", { "aria-label": "Moves", tabindex: "0" }, ...this.moves.map((button) => element("li", {}, button)));
      this.place.append(left, list);
      this.place.tabIndex = 0;
      this.place.setAttribute("role", "group");
      this.place.setAttribute("aria-label", "Board: the arrow keys step through the game, Home and End go to its ends");
      this.place.addEventListener("keydown", (event) => this.key(event));
      this.graph = details.querySelector("figure svg");
      this.cursor = shape("path", { stroke: "var(--plot-ink)", "stroke-width": 1.5, "stroke-dasharray": "4 3" });
      this.graph.append(this.cursor);
      this.graph.addEventListener("pointermove", (event) => this.point(event));
      this.show(0);
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

    show(ply) {
      const { plies, start, evaluation } = this.game;
      this.ply = Math.min(Math.max(ply, 0), plies.length);
      this.details.dataset.ply = this.ply;
      this.details.dataset.atEnd = this.ply === plies.length;
      const played = plies[this.ply - 1];
      const title = played ? `Position after ${this.number(this.ply)} ${played.san}` : "First position";
      const better = played && played.best && played.best !== played.uci;
      const arrows = played ? [...(better ? arrow(played.best, "best") : []), ...arrow(played.uci, "played")] : [];
      this.board.replaceChildren(board(played ? played.board : start, arrows, title));
      const says = played
        ? `${this.number(this.ply)} ${played.san}: ${played.gain && `gain ${played.gain}, `}evaluation ${played.evaluation}${better ? `; the engine would have played ${played.best_san}` : ""}`
        : evaluation && `Evaluation ${evaluation}`;
      this.now.textContent = says;
      const [left, step] = this.game.graph;
      this.cursor.setAttribute("d", `M${left + step * this.ply} 100V420`);
      const [first, back, on, last] = this.buttons;
      first.disabled = back.disabled = this.ply === 0;
      on.disabled = last.disabled = this.ply === plies.length;
      this.moves.forEach((button, index) => {
        if (index === this.ply - 1) button.setAttribute("aria-current", "step");
        else button.removeAttribute("aria-current");
      });
      const current = this.moves[this.ply - 1];
      if (current) {
        const list = current.closest("ol");
        list.scrollTop = current.offsetTop - list.offsetTop - list.clientHeight / 2;
      }
    }
  }

  const viewers = new Map();
  const viewerOf = (details) => {
    if (!viewers.has(details)) viewers.set(details, new Viewer(details));
    return viewers.get(details);
  };
  const games = [...document.querySelectorAll("details.game")];
  for (const details of games) {
    details.addEventListener("toggle", () => details.open && viewerOf(details));
  }

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

  // A page that was reloaded opens what was open, without moving the focus.
  document.addEventListener("open-game", ({ detail: { number, ply } }) => {
    const details = document.getElementById(`game-${number}`);
    if (!details) return;
    details.open = true;
    viewerOf(details).show(ply);
  });

  const linked = /^#game-(\d+)$/.exec(location.hash);
  if (linked) open(linked[1], 0);
})();
