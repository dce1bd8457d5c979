// The Tab key stops at a chart, not at each of its tools: Enter leads to them, Escape back.
function reachByKeys(plot) {
  const figure = plot.closest(".kept-chart"), tools = [...plot.querySelectorAll(".modebar-btn")];
  const reachable = (are) => tools.forEach((tool) => { tool.tabIndex = are ? 0 : -1; });
  reachable(tools.includes(document.activeElement));
  figure.tabIndex = 0;
  figure.onkeydown = (event) => {
    const isTool = tools.includes(event.target);
    if (event.key === "Enter" && isTool) event.target.click();
    else if (event.key === "Enter" && event.target === figure) { reachable(true); tools[0]?.focus(); }
    else if (event.key === "Escape" && isTool) { reachable(false); figure.focus(); }
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
}

// What a pointer does in a chart: it picks a line, clicks a mark, turns a surface.
// The band of a line is seen while one points at the line, which stands out from the others meanwhile.
function showBands(plot) {
  const traces = [...plot.querySelectorAll(".scatterlayer .trace")].map((element) => ({ element, trace: element.__data__?.[0]?.trace }));
  const known = traces.filter(({ trace }) => trace);
  if (!known.some(({ trace }) => trace.meta === POINTED_AT)) plot.keptPointed = null;
  known.forEach(({ element, trace }) => {
    const pointed = trace.legendgroup === plot.keptPointed;
    element.classList.toggle("kept-unseen", trace.meta === POINTED_AT && !pointed);
    element.classList.toggle("kept-faint", Boolean(plot.keptPointed && trace.legendgroup && !pointed));
  });
}

function pointAtLines(plot) {
  if (plot.keptPoints === plot._ev) return;
  plot.keptPoints = plot._ev;
  const point = (method) => {
    if (plot.keptPointed === method) return;
    plot.keptPointed = method;
    showBands(plot);
  };
  plot.on("plotly_hover", ({ points: [{ data }] }) => point(data.legendgroup ?? null));
  plot.on("plotly_unhover", () => point(null));
}

// A finger that scrolls the page would turn a surface instead, so a surface turns only after a tap on it, until a tap beside it.
const touches = matchMedia("(pointer: coarse)").matches;

const scenesOf = (layout) => Object.keys(layout).filter((key) => /^scene\d*$/.test(key));

function turnAfterTap(plot) {
  if (!touches || plot.keptTurns) return;
  plot.keptTurns = true;
  const hint = document.createElement("p");
  hint.className = "kept-hint";
  plot.closest(".kept-chart").append(hint);
  const rest = (still) => {
    plot.classList.toggle("kept-still", still);
    hint.textContent = still ? "Tap the surface to turn it" : "Tap beside it to scroll again";
  };
  const isOnSurface = ({ clientX: x, clientY: y }) => [...plot.querySelectorAll(".gl-container canvas")].some((canvas) => {
    const { left, right, top, bottom } = canvas.getBoundingClientRect();
    return left <= x && x <= right && top <= y && y <= bottom;
  });
  const hear = (event) => {
    if (!plot.isConnected) return document.removeEventListener("click", hear, true);
    rest(!isOnSurface(event));
  };
  // In the capture phase, because Plotly stops some clicks.
  document.addEventListener("click", hear, true);
  rest(true);
}

// Which mark was clicked: the trace's name and where it lies.
function hearClicks(plot) {
  if (plot.keptHears === plot._ev) return;
  plot.keptHears = plot._ev;
  plot.on("plotly_click", ({ points: [point] }) => {
    if (!point) return;
    plot.keptClicked?.({ name: point.data.name, x: point.x, y: point.y });
    document.querySelector(`.kept-plot[data-name="${plot.keptEnlarges}"]`)?.scrollIntoView({ block: "nearest" });
  });
}

// Where a surface was turned to: the picture that is saved, a next drawing and the link have it, too. The numbers are those of the
// eye, and of what it looks at if that was moved.
const written = ({ eye, center }, before) => [...["x", "y", "z"].map((axis) => eye[axis]),
  ...(["x", "y", "z"].some((axis) => Math.abs(center[axis] - before[axis]) > 0.005) ? ["x", "y", "z"].map((axis) => center[axis]) : [])]
  .map((value) => Number(value.toFixed(2))).join(",");
function rememberCamera(plot) {
  if (plot.keptRemembers === plot._ev) return;
  plot.keptRemembers = plot._ev;
  const before = Object.fromEntries(scenesOf(plot._fullLayout).map((key) => [key, { ...plot._fullLayout[key].camera.center }]));
  plot.on("plotly_relayout", (changes) => {
    const [key] = Object.keys(changes ?? {}).filter((name) => /^scene\d*\.camera$/.test(name));
    if (!key) return;
    const scene = key.split(".")[0], camera = structuredClone(changes[key]);
    plot.layout[scene].camera = plot._fullLayout[scene].camera = camera;
    clearTimeout(plot.keptCameraWaits);
    if (plot.keptCamera) plot.keptCameraWaits = setTimeout(() => plot.keptCamera(written(camera, before[scene])), 300);
  });
}
// A layout whose surfaces are seen from where the link says, if it says it.
function seenFrom(layout, camera) {
  if (!camera) return layout;
  const [x, y, z, ...center] = camera.split(",").map(Number), [cx, cy, cz] = center;
  const at = { eye: { x, y, z }, ...(center.length && { center: { x: cx, y: cy, z: cz } }) };
  scenesOf(layout).forEach((key) => { layout[key] = { ...layout[key], uirevision: camera, camera: { ...layout[key].camera, ...at } }; });
  return layout;
}

// Surfaces that are compared are seen from one side: a camera that is turned takes the others along.
function shareCamera(plot) {
  if (plot.keptShares === plot._ev) return;
  plot.keptShares = plot._ev;
  let next = null, busy = false, held = "";
  const turn = async () => {
    if (busy || !next) return;
    busy = true;
    const camera = next;
    next = null;
    const scenes = scenesOf(plot.layout).filter((key) => key !== held);
    await plot.keptPlotly.relayout(plot, Object.fromEntries(scenes.map((scene) => [scene + ".camera", camera])));
    busy = false;
    requestAnimationFrame(turn);
  };
  const hear = (changes) => {
    const [key] = Object.keys(changes ?? {}).filter((name) => /^scene\d*\.camera$/.test(name));
    if (!key || busy) return;
    next = structuredClone(changes[key]);
    requestAnimationFrame(turn);
  };
  plot.on("plotly_relayouting", hear);
  plot.on("plotly_relayout", hear);
  // Plotly says nothing of a camera that a finger turns, nor keeps it. While it turns, nobody else may set it.
  for (const key of scenesOf(plot._fullLayout)) {
    const scene = plot._fullLayout[key]._scene, canvas = scene?.glplot?.canvas, follow = () => hear({ [key + ".camera"]: scene.getCamera() });
    canvas?.addEventListener("touchmove", () => { held = key; follow(); });
    canvas?.addEventListener("touchend", () => setTimeout(() => { held = ""; follow(); }, 100));
  }
}
