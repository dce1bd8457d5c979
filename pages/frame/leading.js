// Calls `go`, which scrolls to a place, again and again until the page is drawn, because until then the place still moves; no
// longer once the person acts, or is led elsewhere.
const SETTLES = 1500, AT_MOST = 30_000;
function leadBy(go) {
  window.endLeading?.();
  const acted = new AbortController(), begun = performance.now();
  const isDrawn = () => document.querySelector("[data-testid=stApp]")?.dataset.testScriptState === "notRunning" && !window.keptTurn;
  let restsSince = begun;
  const again = setInterval(() => {
    const now = performance.now();
    if (!isDrawn()) restsSince = now;
    go();
    if (now - restsSince > SETTLES || now - begun > AT_MOST) window.endLeading();
  }, 300);
  window.endLeading = () => { clearInterval(again); acted.abort(); };
  for (const act of ["wheel", "touchmove", "keydown", "pointerdown"])
    addEventListener(act, () => window.endLeading(), { passive: true, signal: acted.signal });
  go();
}
