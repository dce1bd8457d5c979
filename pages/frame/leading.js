// Scrolls by `go`. What is still being drawn is too short to lie where it will, so once more, unless the person acts.
function leadBy(go) {
  const acted = new AbortController(), later = [300, 1000, 2500].map((time) => setTimeout(go, time));
  const stop = () => { later.forEach(clearTimeout); acted.abort(); };
  for (const act of ["wheel", "touchmove", "keydown", "pointerdown"])
    addEventListener(act, stop, { passive: true, signal: acted.signal });
  go();
}
