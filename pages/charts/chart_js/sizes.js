// Panels lie in fewer columns where there is less room, and a phone has no room for a box with all methods. Pushed aside for a
// moment, while a page changes, a chart has no room at all.
const NARROW = 640, PHONE = 500, NO_ROOM = 100;
const hasNoRoom = ({ clientWidth }) => clientWidth > 0 && clientWidth < NO_ROOM;

// Charts grow with a window that is higher than a laptop's, and high ones shrink a little in a lower one, such as that of a
// projector; a chart that fills the screen is as high as the screen.
const LAPTOP = { width: 1000, height: 900 }, MOST = 1.5, LEAST = 0.875, LOW = 420;
const LEAST_ROOM = 800;
const SQUEEZED = { least: 0.75, low: 260 };
// In steps, so that a window that is resized does not draw everything anew with each pixel.
const STEPS = 20;
// A strip below the page leaves it less room than the window has.
const room = () => document.querySelector("[data-testid=stMain]")?.clientHeight || innerHeight;
const squeezed = () => innerHeight - room() > 100;
const growth = () => embedded() ? 1 : onStage() ? window.stageGrowth ?? 1 : innerWidth < LAPTOP.width ? 1
  : Math.min(MOST, Math.max(squeezed() ? SQUEEZED.least : LEAST, Math.round(STEPS * room() / LAPTOP.height) / STEPS));
// On the stage the chart of a section ends above the window's end, below the names of the sections, with a row of controls in
// sight. One of so many rows that it is higher by itself would be illegible in that: there one scrolls.
const NAMES_AND_CONTROLS = 150, STAGE_MOST = 2.2;
const stageRoom = (plot) => onStage() && plot.closest("[role=tabpanel]") ? room() - NAMES_AND_CONTROLS : 0;
// What a chart's height is worked out from, beside its figure.
const heightFrom = (plot) => [stageRoom(plot) || growth(), larger(plot)].join();
const inSection = (height, most, times) => height > most ? height * times : Math.min(height * STAGE_MOST, most);
const grown = (height) => onStage() ? Math.round(height * growth())
  : Math.round(Math.max(height * growth(), Math.min(height, squeezed() ? SQUEEZED.low : LOW)));

// On the stage the picture is as high as the window allows: headline above, bar beside it, no more.
function fitStage() {
  clearTimeout(window.stageFits);
  if (!onStage()) {
    delete window.stageGrowth;
    return;
  }
  window.stageFits = setTimeout(() => {
    const hero = document.querySelector("[class*=st-key-hero]"), bar = document.querySelector("[class*=st-key-bar]");
    const plots = [...(hero?.querySelectorAll(".kept-plot") ?? [])].filter((plot) => plot.offsetHeight && !document.fullscreenElement);
    if (!plots.length) return;
    const boxes = plots.map((plot) => plot.getBoundingClientRect());
    const top = Math.min(...boxes.map((box) => box.top)), bottom = Math.max(...boxes.map((box) => box.bottom));
    const main = document.querySelector("[data-testid=stMain]");
    const below = bar && bar.getBoundingClientRect().top >= bottom - 8 ? bar.getBoundingClientRect().height : 0;
    // What lies between charts of several rows does not grow: the next drawing comes closer still.
    const free = room() - (top + main.scrollTop) - below - 24, now = window.stageGrowth ?? 1;
    // Four charts in the window of an old projector, or above the strip of a classroom, would be too low to read: there one scrolls.
    const least = innerHeight < LAPTOP.height || room() < LEAST_ROOM ? 0.84 : 0.6;
    const next = Math.max(least, Math.min(2.6, now * free / (bottom - top)));
    if (Math.abs(next - now) < 0.02) return;
    window.stageGrowth = next;
    document.querySelectorAll(".kept-plot").forEach((plot) => plot.keptRender?.());
  }, 120);
}
// A surface beside its map is cut off at its sides where the chart is high and narrow.
const HIGHEST_BESIDE = 0.62;
const isBeside = ({ domain }) => domain.x[1] < 0.9 && domain.y[1] - domain.y[0] > 0.9;
const BETWEEN = 2;
// Rows with labels of several lines are as high as these, however low the window is.
function rowsNeed(plot, { margin, yaxis }) {
  const lines = (yaxis?.ticktext ?? []).map((text) => text.split("<br>").length);
  return Math.max(0, ...lines) < 2 ? 0 : (margin?.t ?? 48) + (margin?.b ?? 0) + lines.length * (Math.max(...lines) * LINE + BETWEEN) * larger(plot);
}
function setHeight(plot, layout) {
  const most = stageRoom(plot);
  layout.height = fillsScreen(plot) ? innerHeight
    : Math.max(most ? Math.round(inSection(layout.height, most, larger(plot))) : grown(layout.height), rowsNeed(plot, layout));
  if (layout.scene?.domain && isBeside(layout.scene) && plot.clientWidth)
    layout.height = Math.min(layout.height, Math.round(HIGHEST_BESIDE * plot.clientWidth));
  plot.style.height = layout.height + "px";
  takeOwnHeight(plot);
}

// A chart that is drawn takes the width that it has now.
function fitWidth(plot) {
  const fits = () => !plot.clientWidth || Math.abs(plot._fullLayout.width - plot.clientWidth) <= 1;
  if (plot.keptReady && !fits()) inTurn(plot, () => fits() || plot.keptPlotly.Plots.resize(plot));
}

// Plotly itself looks at the window alone, not at a sidebar that closes or a style that comes late.
function watchWidth(plot, parentElement) {
  if (plot.keptWatch) return;
  const kind = () => [parentElement.clientWidth < NARROW, parentElement.clientWidth < PHONE, heightFrom(plot)].join();
  let before = kind();
  plot.keptWatch = new ResizeObserver(() => {
    if (!plot.isConnected) return plot.keptWatch.disconnect();
    if (!parentElement.clientWidth || hasNoRoom(parentElement)) return;
    if (kind() !== before || plot.keptWaits) { before = kind(); plot.keptRender(); }
    else fitWidth(plot);
  });
  plot.keptWatch.observe(parentElement);
  plot.keptResized = () => { if (kind() !== before) { before = kind(); plot.keptRender(); } };
}

// One listener for all charts: those of a page that was left are not in the document.
if (!window.keptHears) {
  window.keptHears = true;
  const all = () => [...document.querySelectorAll(".kept-plot")];
  const sized = (width) => printed().forEach((plot) => plot.keptPlotly.relayout(plot, width(plot)));
  addEventListener("beforeprint", () => sized(onPaper));
  // Firefox lays the page out for its window only after this event.
  addEventListener("afterprint", () => requestAnimationFrame(() => setTimeout(() =>
    sized((plot) => ({ width: null, autosize: true, ...plot.keptEyes })))));
  addEventListener("resize", () => { all().forEach((plot) => plot.keptResized?.()); fitStage(); });
  document.addEventListener("fullscreenchange", () => all().forEach((plot) => plot.keptRender?.()));
}

// A chart that is costly to draw waits until it comes into view.
function whenSeen(plot) {
  if (plot.keptEye) return;
  plot.keptEye = new IntersectionObserver((entries) => {
    if (!entries.some((entry) => entry.isIntersecting)) return;
    plot.keptEye.disconnect();
    plot.keptSeen = true;
    plot.keptRender();
  }, { rootMargin: "200px" });
  plot.keptEye.observe(plot);
}
