// Boards: pictures of positions, and boards on which a person moves.
"use strict";

const boards = (() => {
  const SVG = "http://www.w3.org/2000/svg";
  const SQUARE = 10;

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

  /** Returns the upper left corner of a square. If `flipped`, Black is at the bottom. */
  const corner = ([file, rank], flipped) => (flipped ? [7 - file, rank] : [file, 7 - rank]).map((at) => SQUARE * at);
  const squareOf = (name) => [name.charCodeAt(0) - 97, Number(name[1]) - 1];
  const nameOf = ([file, rank]) => `${"abcdefgh"[file]}${rank + 1}`;

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
          const square = nameOf([file, 7 - row]);
          svg.append(shape("use", { href: `#piece-${letter}`, "data-square": square, x, y, width: SQUARE, height: SQUARE }));
          file += 1;
        }
      }
    });
    svg.append(...arrows, flipped ? flippedCoordinates() : shape("use", { href: "#coordinates" }));
    return svg;
  };

  /** Returns moves in SAN with their numbers. `first` is twice the number of the first move, plus one if it is Black's. */
  const numbered = (moves, first, dots = "…") =>
    moves
      .map((san, index) => {
        const count = first + index;
        if (count % 2 === 0) return `${count / 2}. ${san}`;
        return index === 0 ? `${Math.floor(count / 2)}${dots} ${san}` : san;
      })
      .join(" ");

  /** Returns a game as PGN. */
  const pgn = (tags, moves, first, result) => {
    const quoted = (text) => text.replace(/[\\"]/g, "\\$&");
    const lines = tags.map(([name, value]) => `[${name} "${quoted(value)}"]\n`).join("");
    return `${lines}\n${[numbered(moves, first, "..."), result].join(" ").trim()}\n`;
  };

  /** A board on which a person moves: by two presses, by dragging a piece with a mouse, or by writing a move. */
  class MoveBoard {
    /** `play` is called with the person's move, an element of the legal moves. */
    constructor(play) {
      this.play = play;
      this.fen = "";
      // The square of the piece that is to move, and the one on which a pointer was pressed.
      this.from = "";
      this.pressed = "";
      this.place = element("div", { class: "place" });
      this.place.addEventListener("pointerdown", (event) => this.press(event));
      this.place.addEventListener("pointermove", (event) => this.drag(event));
      this.place.addEventListener("pointerup", (event) => this.release(event));
      this.place.addEventListener("pointercancel", () => this.leave());
      this.field = element("input", { type: "text", size: 8, autocomplete: "off", autocapitalize: "off", spellcheck: "false" });
      this.told = element("span", { class: "told", role: "status" });
      this.form = element("form", { class: "steps" }, element("label", {}, "Your move ", this.field), element("button", { type: "submit" }, "Move"), this.told);
      this.field.addEventListener("input", () => (this.isWaiting = false));
      this.form.addEventListener("submit", (event) => {
        event.preventDefault();
        this.write();
      });
    }

    /** Shows a position. `legal` has the person's moves in UCI and in SAN, each followed by further data for `play`; undefined until the moves are known. */
    show({ fen, legal, arrows, title, flipped }) {
      if (fen !== this.fen) {
        this.told.textContent = this.isWaiting ? "The position has changed." : "";
        this.from = "";
        this.isWaiting = false;
      }
      Object.assign(this, { fen, legal, arrows, title, flipped });
      this.place.classList.toggle("movable", Boolean(legal?.length));
      this.draw();
      if (this.isWaiting && legal) queueMicrotask(() => this.write());
    }

    draw() {
      const svg = board(this.fen, this.arrows, this.title, this.flipped);
      const mark = (square, kind) => {
        const [x, y] = corner(squareOf(square), this.flipped);
        return shape("rect", { class: kind, x, y, width: SQUARE, height: SQUARE });
      };
      if (this.from) {
        svg.querySelector("use").after(mark(this.from, "from"));
        const targets = new Set(this.movesFrom(this.from).map(([uci]) => uci.slice(2, 4)));
        svg.append(...[...targets].map((square) => mark(square, "target")));
      }
      this.place.replaceChildren(svg);
    }

    movesFrom(square) {
      return square ? (this.legal ?? []).filter(([uci]) => uci.startsWith(square)) : [];
    }

    /** Returns the moves between two squares: several if it is a promotion. */
    between(from, to) {
      return this.movesFrom(from).filter(([uci]) => uci.slice(2, 4) === to);
    }

    /** Returns the place of a pointer on the board, in its units. */
    at(event) {
      return new DOMPoint(event.clientX, event.clientY).matrixTransform(this.place.firstChild.getScreenCTM().inverse());
    }

    /** Returns the name of the square under a pointer; empty outside the board. */
    square(event) {
      const { x, y } = this.at(event);
      const [column, row] = [x, y].map((at) => Math.floor(at / SQUARE));
      if (Math.min(column, row) < 0 || Math.max(column, row) > 7) return "";
      return nameOf(this.flipped ? [7 - column, row] : [column, 7 - row]);
    }

    press(event) {
      if (event.button || !event.isPrimary) return;
      this.place.setPointerCapture(event.pointerId);
      this.pressed = this.square(event);
      this.isAgain = this.pressed === this.from;
      this.isDragged = false;
      if (this.isAgain || this.between(this.from, this.pressed).length) return;
      this.from = this.movesFrom(this.pressed).length ? this.pressed : "";
      this.draw();
    }

    drag(event) {
      if (event.pointerType !== "mouse" || !this.pressed || this.pressed !== this.from) return;
      this.isDragged ||= this.square(event) !== this.from;
      const piece = this.isDragged && this.place.querySelector(`use[data-square="${this.from}"]`);
      if (!piece) return;
      const { x, y } = this.at(event);
      piece.setAttribute("x", x - SQUARE / 2);
      piece.setAttribute("y", y - SQUARE / 2);
      piece.parentNode.append(piece);
    }

    /** Plays the move from the chosen piece to the square of a press, or to the end of a drag. */
    release(event) {
      const square = this.square(event);
      const [from, isPress, isDrag] = [this.from, square === this.pressed, event.pointerType === "mouse" && this.pressed === this.from];
      if (isPress && this.isAgain) this.from = "";
      this.leave();
      // A promotion is to a queen. Other promotions are written.
      const found = isPress || isDrag ? this.between(from, square) : [];
      if (found.length) this.choose(found.find(([uci]) => uci.endsWith("q")) ?? found[0]);
    }

    leave() {
      this.pressed = "";
      this.draw();
    }

    choose(move) {
      this.from = this.field.value = this.told.textContent = "";
      this.play(move);
    }

    /** Plays the written move; if the legal moves are not yet known, as soon as they are. */
    write() {
      const text = this.field.value.trim();
      this.isWaiting = text !== "" && !this.legal;
      if (!text || this.isWaiting) return;
      const plain = (name) => name.replace(/[-+#?!=x–—\s]/g, "").replace(/0/g, "O").toLowerCase();
      const names = ([uci, san]) => {
        const piece = san[0].replace("O", "K");
        const all = [san, uci, `${piece}${uci}`, `${piece}${uci[0]}${uci.slice(2)}`, `${piece}${uci.slice(1)}`].map(plain);
        // A promotion is to a queen, if nothing else is written.
        return uci.endsWith("q") ? [...all, ...all.map((name) => name.slice(0, -1))] : all;
      };
      // A pawn's bxc3 and a bishop's Bxc3 differ only by their case.
      const isOther = ([, san]) => /^bx/i.test(text) && san[0].toLowerCase() === "b" && san[0] !== text[0];
      const found = this.legal.filter((move) => names(move).includes(plain(text)) && !isOther(move));
      const move = found.find(([, san]) => san.replace(/[+#]/g, "") === text) ?? (found.length === 1 ? found[0] : undefined);
      if (move) this.choose(move);
      else this.told.textContent = `${text} is ${found.length ? "ambiguous" : "not a legal move"} here.`;
    }
  }

  return { MoveBoard, arrow, element, numbered, pgn, shape };
})();
