// Owns what moves on the page of a tree: folding and walking it, the board beside it, finding a move.
"use strict";

(() => {
  const { start, nodes } = JSON.parse(document.getElementById("data").textContent);
  const SVG = "http://www.w3.org/2000/svg";
  const [SAN, UCI, SCORES, ROLE, CHILD] = [0, 1, 2, 3, 4];
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

  const middle = (square) => [10 * (square.charCodeAt(0) - 97) + 5, 10 * (8 - Number(square[1])) + 5];

  const arrow = (uci, kind) => {
    const [[x1, y1], [x2, y2]] = [middle(uci.slice(0, 2)), middle(uci.slice(2, 4))];
    const length = Math.max(Math.hypot(x2 - x1, y2 - y1), 1);
    const [dx, dy] = [(x2 - x1) / length, (y2 - y1) / length];
    const at = (along, across) => `${(x1 + along * dx - across * dy).toFixed(2)},${(y1 + along * dy + across * dx).toFixed(2)}`;
    const [neck, tip] = [length - 4.2, length - 0.8];
    const points = [at(1.5, 0.75), at(neck, 0.75), at(neck, 2.1), at(tip, 0), at(neck, -2.1), at(neck, -0.75), at(1.5, -0.75)];
    return shape("polygon", { class: `arrow ${kind}`, points: points.join(" ") });
  };

  const draw = (fen, arrows, title) => {
    const svg = shape("svg", { class: "board", viewBox: "-4 0 84 84", role: "img", "aria-label": title });
    svg.append(shape("use", { href: "#board", width: 80, height: 80 }));
    fen.split(" ")[0].split("/").forEach((rank, row) => {
      let column = 0;
      for (const letter of rank) {
        if (/\d/.test(letter)) {
          column += Number(letter);
        } else {
          svg.append(shape("use", { href: `#piece-${letter}`, x: 10 * column, y: 10 * row, width: 10, height: 10 }));
          column += 1;
        }
      }
    });
    svg.append(...arrows, shape("use", { href: "#coordinates" }));
    boardPlace.replaceChildren(svg);
  };

  // The tree: rows are made when they are first seen.

  const parts = start.split(" ");
  const firstPly = 2 * (Number(parts[5] || 1) - 1) + (parts[1] === "b" ? 1 : 0);
  const numbered = (ply, san) => `${Math.floor((firstPly + ply) / 2) + 1}${(firstPly + ply) % 2 ? "…" : "."} ${san}`;

  /** What each item stands for: node, index of the move there, plies from the root, the nodes on the way. */
  const places = new WeakMap();

  const moveOf = (item) => {
    const { node, index } = places.get(item);
    return nodes[node][2][index];
  };

  const canUnfold = (item) => {
    const { way } = places.get(item);
    const child = moveOf(item)[CHILD];
    return child !== null && !way.includes(child);
  };

  const items = (node, way) =>
    nodes[node][2].map((move, index) => {
      const [idea, alpha, engine] = move[SCORES];
      const row = element(
        "div",
        { class: "row" },
        element("span", { class: "fold", "aria-hidden": "true" }),
        element("span", { class: "san" }, numbered(way.length - 1, move[SAN])),
        element("span", { class: "scores" }, `${idea} · ${alpha} · ${engine}`),
      );
      const item = element("li", { role: "treeitem", class: move[ROLE], "aria-selected": "false" }, row);
      item.setAttribute("aria-label", `${move[SAN]}, ${move[ROLE]}, idea ${idea}, alpha ${alpha}, engine ${engine}`);
      places.set(item, { node, index, way });
      if (canUnfold(item)) {
        item.setAttribute("aria-expanded", "false");
        row.firstChild.textContent = "▸";
      }
      return item;
    });

  const unfold = (item) => {
    if (item.getAttribute("aria-expanded") !== "false") return;
    const child = moveOf(item)[CHILD];
    if (!item.querySelector(":scope > ul")) {
      item.append(element("ul", { role: "group" }, ...items(child, [...places.get(item).way, child])));
    }
    item.querySelector(":scope > ul").hidden = false;
    item.setAttribute("aria-expanded", "true");
    item.querySelector(".fold").textContent = "▾";
  };

  const fold = (item) => {
    if (item.getAttribute("aria-expanded") !== "true") return;
    item.querySelector(":scope > ul").hidden = true;
    item.setAttribute("aria-expanded", "false");
    item.querySelector(".fold").textContent = "▸";
  };

  const parentOf = (item) => item.parentElement.closest("li[role=treeitem]");

  let selected = null;
  let count = 0;

  const select = (item) => {
    if (selected) selected.setAttribute("aria-selected", "false");
    selected = item;
    item.setAttribute("aria-selected", "true");
    if (!item.id) item.id = `item-${(count += 1)}`;
    tree.setAttribute("aria-activedescendant", item.id);
    const row = item.querySelector(".row");
    const [top, bottom] = [row.getBoundingClientRect(), tree.getBoundingClientRect()];
    if (top.top < bottom.top) tree.scrollTop -= bottom.top - top.top;
    if (top.bottom > bottom.bottom) tree.scrollTop += top.bottom - bottom.bottom;
    const { node } = places.get(item);
    const move = moveOf(item);
    const candidates = nodes[node][2].filter((other) => other[ROLE] === "candidate" && other !== move);
    const arrows = [...candidates.map((other) => arrow(other[UCI], "candidate-arrow")), arrow(move[UCI], "chosen-arrow")];
    draw(nodes[node][0], arrows, `The position before ${move[SAN]}, with the candidates as arrows`);
    const line = [];
    for (let up = item; up; up = parentOf(up)) line.unshift(numbered(places.get(up).way.length - 1, moveOf(up)[SAN]));
    const cut = nodes[node][1] ? " Other moves were cut here." : "";
    document.getElementById("line").textContent = `${line.join(" ")}.${cut}`;
  };

  const seen = () => [...tree.querySelectorAll("li")].filter((item) => item.offsetParent !== null);

  const step = (by) => {
    const all = seen();
    const next = all[all.indexOf(selected) + by];
    if (next) select(next);
  };

  tree.addEventListener("keydown", (event) => {
    const isOpen = selected.getAttribute("aria-expanded") === "true";
    const act = {
      ArrowDown: () => step(1),
      ArrowUp: () => step(-1),
      ArrowRight: () => (isOpen ? step(1) : unfold(selected)),
      ArrowLeft: () => (isOpen ? fold(selected) : parentOf(selected) && select(parentOf(selected))),
      Home: () => select(seen()[0]),
      End: () => select(seen().at(-1)),
    }[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  });

  tree.addEventListener("click", (event) => {
    const item = event.target.closest("li[role=treeitem]");
    if (!item) return;
    select(item);
    if (event.target.closest(".fold")) (item.getAttribute("aria-expanded") === "true" ? fold : unfold)(item);
  });

  // Finding a move: each position is looked into once, nearest to the root first.

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

  const go = () => {
    if (!hits.length) return;
    hit = (hit + 1) % hits.length;
    let list = tree;
    let item = null;
    for (const index of hits[hit]) {
      if (item) {
        unfold(item);
        list = item.querySelector(":scope > ul");
      }
      item = list.children[index];
    }
    select(item);
    status.textContent = `${hit + 1} of ${hits.length} places`;
  };

  field.addEventListener("input", find);
  field.addEventListener("keydown", (event) => {
    if (event.key === "Enter") go();
  });
  document.getElementById("next").addEventListener("click", go);

  tree.append(...items(0, [0]));
  if (tree.firstChild) {
    select(tree.firstChild);
    unfold(tree.firstChild);
  }
})();
