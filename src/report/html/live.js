// Reloads a page that is rewritten while games are played. Open games stay open.
"use strict";

(() => {
  const live = document.getElementById("live");
  if (!live) return;
  const wanted = live.querySelector("input");
  const before = history.state?.live;
  history.scrollRestoration = "manual";
  if (before) {
    wanted.checked = before.wanted;
    for (const [number, ply] of before.games) {
      document.dispatchEvent(new CustomEvent("open-game", { detail: { number, ply } }));
    }
    // Reopened games restore the length of the page.
    requestAnimationFrame(() => window.scrollTo({ top: before.top, behavior: "instant" }));
  }
  const open = () =>
    [...document.querySelectorAll("details.game[open]")].map((details) => [
      details.dataset.game,
      details.dataset.atEnd === "true" ? Infinity : Number(details.dataset.ply ?? 0),
    ]);
  const keep = () => ({ live: { wanted: wanted.checked, top: window.scrollY, games: open() } });
  setInterval(() => {
    if (!wanted.checked) return;
    history.replaceState(keep(), "");
    location.reload();
  }, 1000 * Number(live.dataset.seconds));
})();
