// The interactive parts of a tree's page: the tree itself, the board beside it, and the search for a move.
"use strict";

(() => {
  const { start, nodes } = JSON.parse(document.getElementById("data").textContent);
  const SVG = "http://www.w3.org/2000/svg";
  const [SAN, UCI, SCORES, ROLE, CHILD, CHANCES, IS_TABLEBASE_WIN] = [0, 1, 2, 3, 4, 5, 6];
  const tree = document.getElementById("tree");
  const boardPlace = document.getElementById("position");

  const element = (name, attributes = {}, ...children) => {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    made.append(...children);
    return made;
  };

  const shape = (name, attributes = {}) => {
    const made = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    return made;
  };

  for (const hidden of document.querySelectorAll(".needs-script")) hidden.hidden = false;

  // The board.

  let isFlipped = false;

  /** The upper left corner of a square by its column and row from White's view, turned if the board is flipped. */
  const corner = (column, row) => (isFlipped ? [10 * (7 - column), 10 * (7 - row)] : [10 * column, 10 * row]);

  const middle = (square) => corner(square.charCodeAt(0) - 97, 8 - Number(square[1])).map((at) => at + 5);

  const flippedCoordinates = () => {
    const group = shape("g", { class: "coordinates" });
    for (let place = 0; place < 8; place += 1) {
      for (const [x, y, sign] of [[10 * place + 5, 83.2, "hgfedcba"[place]], [-2, 10 * place + 6, String(place + 1)]]) {
        const text = shape("text", { x, y });
        text.append(sign);
        group.append(text);
      }
    }
    return group;
  };

  /** The pieces of a position as rows of letters; a dot is an empty square. */
  const rowsOf = (fen) =>
    fen
      .split(" ")[0]
      .replace(/\d/g, (count) => ".".repeat(Number(count)))
      .split("/")
      .map((row) => [...row]);

  /** The rows of letters after a move. */
  const rowsAfter = (fen, uci) => {
    const rows = rowsOf(fen);
    const [[x1, y1], [x2, y2]] = [0, 2].map((from) => [uci.charCodeAt(from) - 97, 8 - Number(uci[from + 1])]);
    const [piece, other] = [rows[y1][x1], rows[y2][x2]];
    const isWhite = piece === piece.toUpperCase();
    rows[y1][x1] = ".";
    const takesOwnRook = other === (isWhite ? "R" : "r");
    if (piece.toLowerCase() === "k" && (takesOwnRook || Math.abs(x2 - x1) > 1)) {
      const [rook, king, isShort] = [isWhite ? "R" : "r", piece, x2 > x1];
      rows[y1][takesOwnRook ? x2 : isShort ? 7 : 0] = ".";
      rows[y1][isShort ? 6 : 2] = king;
      rows[y1][isShort ? 5 : 3] = rook;
    } else {
      // A pawn that takes an empty square takes the pawn next to it.
      if (piece.toLowerCase() === "p" && x1 !== x2 && other === ".") rows[y1][x2] = ".";
      rows[y2][x2] = uci[4] ? (isWhite ? uci[4].toUpperCase() : uci[4]) : piece;
    }
    return rows;
  };

  const arrow = (uci, kind) => {
    const [[x1, y1], [x2, y2]] = [middle(uci.slice(0, 2)), middle(uci.slice(2, 4))];
    const length = Math.max(Math.hypot(x2 - x1, y2 - y1), 1);
    const [dx, dy] = [(x2 - x1) / length, (y2 - y1) / length];
    const at = (along, across) => `${(x1 + along * dx - across * dy).toFixed(2)},${(y1 + along * dy + across * dx).toFixed(2)}`;
    const [neck, tip] = [length - 4.2, length - 0.8];
    const points = [at(1.5, 0.75), at(neck, 0.75), at(neck, 2.1), at(tip, 0), at(neck, -2.1), at(neck, -0.75), at(1.5, -0.75)];
    return shape("polygon", { class: `arrow ${kind}`, points: points.join(" ") });
  };

  const draw = (rows, arrows, title) => {
    const svg = shape("svg", { class: "board", viewBox: "-4 0 84 84", role: "img", "aria-label": title });
    svg.append(shape("use", { href: "#board", width: 80, height: 80 }));
    rows.forEach((rank, row) => {
      [...rank].forEach((letter, column) => {
        const [x, y] = corner(column, row);
        if (letter !== ".") svg.append(shape("use", { href: `#piece-${letter}`, x, y, width: 10, height: 10 }));
      });
    });
    svg.append(...arrows, isFlipped ? flippedCoordinates() : shape("use", { href: "#coordinates" }));
    boardPlace.replaceChildren(svg);
  };

  // The tree. Rows are created when they are first shown.

  const parts = start.split(" ");
  const firstPly = 2 * (Number(parts[5] || 1) - 1) + (parts[1] === "b" ? 1 : 0);
  const numbered = (ply, san) => `${Math.floor((firstPly + ply) / 2) + 1}${(firstPly + ply) % 2 ? "…" : "."} ${san}`;

  /** The place of each item: the node, the index of the move in it, and the nodes on the path. An item contains its row and the items below. */
  const places = new WeakMap();

  const moveOf = (item) => {
    const { node, index } = places.get(item);
    return nodes[node][2][index];
  };

  const canUnfold = (item) => {
    const { way } = places.get(item);
    const child = moveOf(item)[CHILD];
    return child !== null && nodes[child][2].length > 0 && !way.includes(child);
  };

  const rowOf = (item) => item.firstElementChild;
  const listOf = (item) => item.children[1];
  const parentOf = (item) => item.parentElement.closest("li");
  const isOpen = (item) => rowOf(item).getAttribute("aria-expanded") === "true";

  const items = (node, way) =>
    nodes[node][2].map((move, index) => {
      const [idea, alpha, engine] = move[SCORES];
      const row = element(
        "div",
        { class: "row", role: "treeitem", "aria-level": way.length, "aria-selected": "false" },
        element("span", { class: "fold", "aria-hidden": "true" }),
        element("span", { class: "san" }, numbered(way.length - 1, move[SAN])),
        element("span", { class: "scores" }, `${idea} · ${alpha} · ${engine}`),
      );
      // Most moves are candidates, so this role is not shown.
      if (move[ROLE] !== "candidate") row.append(element("span", { class: "scores" }, move[ROLE]));
      if (move[IS_TABLEBASE_WIN]) row.append(element("span", { class: "scores" }, "tablebase win"));
      const item = element("li", { role: "none", class: move[ROLE] }, row);
      places.set(item, { node, index, way });
      if (canUnfold(item)) {
        row.setAttribute("aria-expanded", "false");
        row.firstChild.textContent = "▸";
      }
      return item;
    });

  const unfold = (item) => {
    const row = rowOf(item);
    if (row.getAttribute("aria-expanded") !== "false") return;
    const child = moveOf(item)[CHILD];
    if (!listOf(item)) item.append(element("ul", { role: "group" }, ...items(child, [...places.get(item).way, child])));
    listOf(item).hidden = false;
    row.setAttribute("aria-expanded", "true");
    row.firstChild.textContent = "▾";
  };

  const fold = (item) => {
    if (!isOpen(item)) return;
    listOf(item).hidden = true;
    rowOf(item).setAttribute("aria-expanded", "false");
    rowOf(item).firstChild.textContent = "▸";
  };

  let selected = null;
  let count = 0;

  const select = (item) => {
    if (selected) rowOf(selected).setAttribute("aria-selected", "false");
    selected = item;
    const row = rowOf(item);
    row.setAttribute("aria-selected", "true");
    if (!row.id) row.id = `item-${(count += 1)}`;
    tree.setAttribute("aria-activedescendant", row.id);
    const [top, bottom] = [row.getBoundingClientRect(), tree.getBoundingClientRect()];
    if (top.top < bottom.top) tree.scrollTop -= bottom.top - top.top;
    if (top.bottom > bottom.bottom) tree.scrollTop += top.bottom - bottom.bottom;
    drawSelected();
    const { node } = places.get(item);
    const line = [];
    for (let up = item; up; up = parentOf(up)) line.unshift(numbered(places.get(up).way.length - 1, moveOf(up)[SAN]));
    const cut = nodes[node][1] ? " Other moves of this position were abandoned." : "";
    const chances = moveOf(item)[CHANCES];
    const told = chances ? ` The engine’s chances of a White win, a draw and a Black win: ${chances} %.` : "";
    document.getElementById("line").textContent = `${line.join(" ")}.${told}${cut}`;
  };

  const showsAfter = document.getElementById("after");

  const drawSelected = () => {
    const { node } = places.get(selected);
    const move = moveOf(selected);
    const fen = nodes[node][0];
    if (showsAfter.checked) {
      draw(rowsAfter(fen, move[UCI]), [arrow(move[UCI], "chosen-arrow")], `Position after ${move[SAN]}`);
      return;
    }
    const candidates = nodes[node][2].filter((other) => (other[ROLE] === "candidate" || other[ROLE] === "included") && other !== move);
    const arrows = [...candidates.map((other) => arrow(other[UCI], "candidate-arrow")), arrow(move[UCI], "chosen-arrow")];
    draw(rowsOf(fen), arrows, `Position before ${move[SAN]}; arrows show the candidates`);
  };

  const flip = () => {
    isFlipped = !isFlipped;
    if (selected) drawSelected();
  };

  showsAfter.addEventListener("change", () => selected && drawSelected());
  document.getElementById("flip").addEventListener("click", flip);

  const lastOf = (item) => (isOpen(item) ? lastOf(listOf(item).lastElementChild) : item);

  const itemBefore = (item) => (item.previousElementSibling ? lastOf(item.previousElementSibling) : parentOf(item));

  const itemAfter = (item) => {
    if (isOpen(item)) return listOf(item).firstElementChild;
    let up = item;
    while (up && !up.nextElementSibling) up = parentOf(up);
    return up && up.nextElementSibling;
  };

  const go = (item) => item && select(item);

  tree.addEventListener("keydown", (event) => {
    const act = {
      ArrowDown: () => go(itemAfter(selected)),
      ArrowUp: () => go(itemBefore(selected)),
      ArrowRight: () => (isOpen(selected) ? go(itemAfter(selected)) : unfold(selected)),
      ArrowLeft: () => (isOpen(selected) ? fold(selected) : go(parentOf(selected))),
      Home: () => go(tree.firstElementChild),
      End: () => go(lastOf(tree.lastElementChild)),
      f: flip,
    }[event.key];
    if (!act || !selected) return;
    event.preventDefault();
    act();
  });

  tree.addEventListener("click", (event) => {
    const item = event.target.closest("li");
    if (!item) return;
    select(item);
    if (event.target.closest(".fold")) (isOpen(item) ? fold : unfold)(item);
  });

  // The search for a move. It visits each position once, the nearest to the root first.

  let hits = [];
  let hit = -1;
  const field = document.getElementById("find");
  const status = document.getElementById("found");

  const find = () => {
    const wanted = field.value.trim().toLowerCase();
    [hits, hit] = [[], -1];
    if (!wanted) {
      status.textContent = "";
      return;
    }
    const queue = [[0, []]];
    const known = new Set([0]);
    for (let next = 0; next < queue.length; next += 1) {
      const [node, way] = queue[next];
      nodes[node][2].forEach((move, index) => {
        if (move[SAN].toLowerCase().startsWith(wanted)) hits.push([...way, index]);
        if (move[CHILD] !== null && !known.has(move[CHILD])) {
          known.add(move[CHILD]);
          queue.push([move[CHILD], [...way, index]]);
        }
      });
    }
    status.textContent = hits.length === 1 ? "1 place" : `${hits.length} places`;
  };

  /** The item at the end of a line of indices of moves. The tree is unfolded up to it. */
  const itemOf = (indices) => {
    let item = null;
    for (const index of indices) {
      if (item) unfold(item);
      const list = item ? listOf(item) : tree;
      if (!list) break;
      item = list.children[index];
    }
    return item;
  };

  const goToNext = () => {
    if (!hits.length) return;
    hit = (hit + 1) % hits.length;
    select(itemOf(hits[hit]));
    status.textContent = `${hit + 1} of ${hits.length} places`;
  };

  field.addEventListener("input", find);
  field.addEventListener("keydown", (event) => {
    if (event.key === "Enter") goToNext();
  });
  document.getElementById("next").addEventListener("click", goToNext);

  // A page that reloads itself keeps its lines as moves, because their places in the tree change.

  const lineTo = (item) => (item ? [...lineTo(parentOf(item)), moveOf(item)[UCI]] : []);

  /** The indices of the moves of a line, up to a move that the tree no longer has. */
  const indicesOf = (line) => {
    const indices = [];
    let node = 0;
    for (const uci of line) {
      const index = node === null || !nodes[node] ? -1 : nodes[node][2].findIndex((move) => move[UCI] === uci);
      if (index < 0) break;
      indices.push(index);
      node = nodes[node][2][index][CHILD];
    }
    return indices;
  };

  document.addEventListener("keep", ({ detail }) => {
    const open = [...tree.querySelectorAll('[aria-expanded="true"]')]
      .filter((row) => !row.closest("ul[hidden]"))
      .map((row) => lineTo(row.parentElement));
    Object.assign(detail, { open, selected: lineTo(selected), isFlipped, isAfter: showsAfter.checked });
  });

  document.addEventListener("restore", ({ detail }) => {
    [isFlipped, showsAfter.checked] = [detail.isFlipped, detail.isAfter];
    // The page opens with its first move unfolded, which may have been another move, or folded by the reader.
    if (tree.firstChild) fold(tree.firstChild);
    for (const line of detail.open) {
      const item = itemOf(indicesOf(line));
      if (item) unfold(item);
    }
    const item = itemOf(indicesOf(detail.selected));
    if (item) select(item);
  });

  tree.append(...items(0, [0]));
  if (tree.firstChild) {
    select(tree.firstChild);
    unfold(tree.firstChild);
  }
})();
