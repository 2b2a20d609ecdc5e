// Reloads a page that is rewritten during a run. At the event "keep", the page's scripts add the reader's view to
// the saved state. At the event "restore", they show this view again.
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
    // Only now, the page is long enough to scroll to the old place.
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
