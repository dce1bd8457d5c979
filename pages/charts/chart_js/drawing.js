// The browser half of chart.py, which puts dragged_frames.js and the other files of this folder in front: what happens when the
// server sends a chart, from its arguments to the picture.
const once = (url) => new Promise((done, failed) => {
  const script = document.createElement("script");
  script.src = url;
  script.onload = () => done(window.Plotly);
  script.onerror = failed;
  document.head.append(script);
});
const load = (url) => (window.keptPlotly ??= {})[url] ??= untilItAnswers(() => once(url));

const config = (Plotly) => ({ responsive: true, displaylogo: false, doubleClick: "reset", doubleClickDelay: 500,
  showSendToCloud: false, plotlyServerURL: "", showTips: false,
  // Surfaces are as sharp as the screen: Plotly's own choice draws four points for each of an ordinary one.
  plotGlPixelRatio: Math.min(2, Math.max(1, devicePixelRatio)),
  modeBarButtonsToRemove: ["toImage", "select2d", "lasso2d", "autoScale2d", "zoomIn2d", "zoomOut2d", "pan2d", "zoom2d"],
  modeBarButtonsToAdd: [saveButton(Plotly, "png"), saveButton(Plotly, "svg"),
    ...(canCopy() ? [copyButton(Plotly)] : []), ...(document.fullscreenEnabled ? [WHOLE_SCREEN] : [])] });

// Keeps what the server says of the chart as properties of the plot, where other functions find it.
function takeArguments(plot, component) {
  const { data, parentElement, setTriggerValue } = component;
  plot.keptAlt = data.alt;
  if (!plot.keptReady) parentElement.querySelector(".kept-chart").setAttribute("aria-label", data.alt);
  plot.dataset.name = data.name;
  plot.dataset.made = data.made;
  plot.keptClicked = data.clicks ? (point) => setTriggerValue("clicked", point) : null;
  plot.keptEnlarges = data.enlarges;
  plot.keptCamera = data.camera === null ? null : (text) => setTriggerValue("camera", text);
  plot.keptFrom = data.camera;
  plot.keptRender = () => render(component);
}

// Returns [whether panels lie in fewer columns, a text of all that decides how the chart looks beside its figure].
function lookOf(plot, data, parentElement) {
  const css = getComputedStyle(parentElement), width = parentElement.clientWidth;
  const small = data.narrow !== null && width < NARROW;
  const colours = ["--st-text-color", "--st-background-color"].map((name) => css.getPropertyValue(name));
  return [small, [...colours, width < PHONE, small, heightFrom(plot), fillsScreen(plot) && innerHeight].join()];
}

// Whether the browser draws surfaces: one without a graphics card may not.
const drawsSurfaces = () => window.keptInSpace ??= Boolean(document.createElement("canvas").getContext("webgl"));

const isInSpace = ({ type }) => ["surface", "scatter3d"].includes(type);

// Leaves the surfaces out, and gives their room to the map beside them; a line says why.
function withoutSurfaces(plot, drawing) {
  const { layout } = drawing, isAll = drawing.data.every(isInSpace);
  // Frames number the traces; Plotly makes a scene even for one in space that is not visible.
  drawing.data = drawing.data.map((trace) => isInSpace(trace) ? { type: "scatter", name: trace.name, visible: false } : trace);
  scenesOf(layout).forEach((scene) => { delete layout[scene]; });
  layout.xaxis.domain = [0, 0.93];
  if (isAll) Object.assign(layout, { height: 90, annotations: [] });
  if (plot.keptFlat) return;
  plot.keptFlat = document.createElement("p");
  plot.keptFlat.textContent = "This browser draws no surfaces: it has no WebGL.";
  plot.before(plot.keptFlat);
}

function readFigure(plot, data, small) {
  const drawing = JSON.parse(data.figure);
  if (drawing.data.some(isInSpace) && !drawsSurfaces()) withoutSurfaces(plot, drawing);
  else if (small) drawing.layout = JSON.parse(data.narrow);
  // On a phone the legend takes more rows; only charts that follow a value have room to grow.
  if (data.indices.length && innerWidth < 640) drawing.layout.height = Math.max(drawing.layout.height, 390);
  // A trace is known by its name, so that a hidden one stays hidden when others come and go; plotly.py drops uid. Plotly makes
  // a selector of it, which a space would break.
  drawing.data.forEach((trace) => { trace.uid = trace.name.replaceAll(/[^A-Za-z0-9_-]/g, "_"); });
  return drawing;
}

// The values that the chart follows from now on, each with its frames.
function takeFollowed(plot, data) {
  const follows = JSON.parse(data.follows).map((followed, i) => ({ ...followed, index: data.indices[i] }));
  plot.keptStamp = data.stamp;
  plot.keptDrags = data.drags;
  plot.style.touchAction = data.drags ? "pan-y" : "";
  plot.classList.toggle("kept-drags", Boolean(data.drags));
  if (plot.keptFollow) plot.keptFollow.follows = follows;
  else {
    plot.keptFollow = { follows, waiting: new Set() };
    draggable(plot);
    hear(plot, "dragged-value", ({ name }) => follow(plot, name));
  }
  showSentence(plot, follows, currentIndices(follows), 0);
  return follows;
}

// The names of the axes, and how the colour bar is turned: Plotly does not remove the numbers of one that turns.
const axesOf = ({ coloraxis, ...layout }) =>
  [...Object.keys(layout).filter((key) => /^[xy]axis/.test(key)).sort(), coloraxis?.colorbar?.orientation ?? ""].join(" ");

// Draws the plot, or returns false if the picture is no longer wanted. `next`: drawing, follows, figure as text, look, version.
function draw(plot, next, parentElement) {
  const { keptPlotly: Plotly } = plot, { drawing, follows, figure, look, version } = next;
  // While it waited for its turn, another figure may have come, or the page may have been left, or be changing.
  if (plot.keptVersion !== version || !plot.isConnected) return false;
  plot.keptWaits = hasNoRoom(parentElement);
  if (plot.keptWaits) return false;
  const traces = () => {
    plot.keptIndices = currentIndices(follows);
    return tracesAt(readable(drawing.data, larger(plot)), follows.map(({ frames }, i) => frames[plot.keptIndices[i]]));
  };
  const layout = () => seenFrom(themed(parentElement, drawing.layout), plot.keptFrom);
  const anew = () => withMargins(plot, drawing.data, layout(), larger(plot), (one) => Plotly.react(plot, traces(), one, plot.keptConfig));
  // Axes that come by an update have no range to go back to: with other axes it is another plot.
  const axes = axesOf(drawing.layout);
  if ((plot.keptAxes ?? axes) !== axes) Plotly.purge(plot);
  plot.keptAxes = axes;
  const moves = plot.keptReady && plot.keptLook === look && !follows.length && onlyMoved(drawing.layout, plot.keptFigure, figure);
  plot.keptLook = look;
  plot.keptFigure = figure;
  // An update that fails leaves half a plot behind; without it the same figure is drawn.
  return Promise.resolve().then(() => moves ? moveLines(Plotly, plot, drawing.data, layout()) : anew())
    .catch((failure) => { console.error(failure); Plotly.purge(plot); return anew(); }).then(() => true);
}

// Adds to a drawn picture what belongs to it: bands, clicks, a description, and what has changed while it was drawn.
function complete(plot, data, follows) {
  plot.keptReady = true;
  reachByKeys(plot);
  // Tools that would lie on the title are seen only where somebody points at them.
  const [title, tools] = [".gtitle", ".modebar"].map((part) => plot.querySelector(part)?.getBoundingClientRect());
  plot.classList.toggle("kept-aside", Boolean(title && tools && title.right > tools.left));
  pointAtLines(plot);
  showBands(plot);
  if (data.clicks) hearClicks(plot);
  describe(plot);
  const inSpace = Boolean(plot.querySelector(".gl-container canvas"));
  if (inSpace) turnAfterTap(plot);
  if (inSpace) rememberCamera(plot);
  if (inSpace && (data.oneCamera || touches)) shareCamera(plot);
  recordDrawn(plot, follows);
  fitWidth(plot);
  fitStage();
  // Catch up with values that were dragged further while this was drawn.
  follows.forEach((followed) => follow(plot, followed.name));
}

function render(component) {
  const { data, parentElement } = component, plot = parentElement.querySelector(".kept-plot");
  takeArguments(plot, component);
  watchWidth(plot, parentElement);
  plot.keptWaits = hasNoRoom(parentElement);
  if (plot.keptWaits) return;
  const [small, look] = lookOf(plot, data, parentElement), mark = data.stamp + look;
  if (plot.keptReady && plot.keptMark === mark) {
    // Nothing new, except perhaps the width and the index.
    fitWidth(plot);
    plot.keptFollow.follows.forEach((followed, i) => { followed.index = data.indices[i]; follow(plot, followed.name); });
    return;
  }
  const drawing = readFigure(plot, data, small);
  setHeight(plot, drawing.layout);
  parentElement.querySelector(".chart-sentence").style.minHeight = data.sentenceHeight + "em";
  if (data.waits && !plot.keptSeen) return whenSeen(plot);
  const version = plot.keptVersion = (plot.keptVersion ?? 0) + 1, follows = takeFollowed(plot, data);
  load(data.url).then((Plotly) => {
    if (plot.keptVersion !== version) return;
    plot.keptPlotly = Plotly;
    // Keep one config for the life of the plot: with another one, Plotly would draw it anew and lose its view.
    plot.keptConfig ??= config(Plotly);
    plot.keptPrint = (plots) => printPictures(Plotly, plots);
    const drawInTurn = () => inTurn(plot, () => draw(plot, { drawing, follows, figure: data.figure, look, version }, parentElement));
    return plot.keptReady ? drawInTurn() : oneByOne(plot, drawInTurn);
  }, (failure) => {
    plot.textContent = "The chart library could not be loaded from this server; reload the page.";
    throw failure;
  }).then((drawn) => {
    if (!drawn || plot.keptVersion !== version) return;
    plot.keptMark = mark;
    complete(plot, data, follows);
  });
}

export default render;
