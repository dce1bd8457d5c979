// Calls `go`, which scrolls to a place, and calls it again a few times unless the person acts: while the page is being drawn, the
// place still moves.
function leadBy(go) {
  const acted = new AbortController(), later = [300, 1000, 2500].map((time) => setTimeout(go, time));
  const stop = () => { later.forEach(clearTimeout); acted.abort(); };
  for (const act of ["wheel", "touchmove", "keydown", "pointerdown"])
    addEventListener(act, stop, { passive: true, signal: acted.signal });
  go();
}
