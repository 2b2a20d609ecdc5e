// Reloads a page that is rewritten while a run goes on. The page's script keeps what the reader has opened: it
// adds it to the state at the event "keep", and opens it again at the event "restore".
"use strict";

(() => {
  const live = document.getElementById("live");
  const before = history.state?.live;
  if (!live && !before) return;
  const wanted = live?.querySelector("input");
  history.scrollRestoration = "manual";
  if (before) {
    if (wanted) wanted.checked = before.wanted;
    document.dispatchEvent(new CustomEvent("restore", { detail: before }));
    // The page has its old length only now.
    requestAnimationFrame(() => window.scrollTo({ top: before.top, behavior: "instant" }));
  }
  // The page of the finished run is as the reader left it, and is an ordinary page from then on.
  if (!live) {
    history.replaceState(null, "");
    history.scrollRestoration = "auto";
    return;
  }
  const keep = () => {
    const state = { wanted: wanted.checked, top: window.scrollY };
    document.dispatchEvent(new CustomEvent("keep", { detail: state }));
    return { live: state };
  };
  setInterval(() => {
    if (!wanted.checked) return;
    history.replaceState(keep(), "");
    location.reload();
  }, 1000 * Number(live.dataset.seconds));
})();
