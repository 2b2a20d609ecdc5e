// The picture of two histograms, on the page of the paper's tables.
"use strict";

(() => {
  const { element, shape } = boards;
  const data = JSON.parse(document.getElementById("data").textContent);

  for (const hidden of document.querySelectorAll(".needs-script")) hidden.hidden = false;

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
})();
