// Reloads a page that is rewritten while a run goes on. The page's script keeps what the reader has opened: it
// adds it to the state at the event "keep", and opens it again at the event "restore".
"use strict";

(() => {
  const live = document.getElementById("live");
  if (!live) return;
  const wanted = live.querySelector("input");
  const before = history.state?.live;
  history.scrollRestoration = "manual";
  if (before) {
    wanted.checked = before.wanted;
    document.dispatchEvent(new CustomEvent("restore", { detail: before }));
    // The page has its old length only now.
    requestAnimationFrame(() => window.scrollTo({ top: before.top, behavior: "instant" }));
  }
  const keep = () => {
    const live = { wanted: wanted.checked, top: window.scrollY };
    document.dispatchEvent(new CustomEvent("keep", { detail: live }));
    return { live };
  };
  setInterval(() => {
    if (!wanted.checked) return;
    history.replaceState(keep(), "");
    location.reload();
  }, 1000 * Number(live.dataset.seconds));
})();
