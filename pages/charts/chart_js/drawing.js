// The browser half of chart.py, which puts dragged_frames.js and the other files of this folder in front.
const load = (url) => (window.keptPlotly ??= {})[url] ??= new Promise((done, failed) => {
  const script = document.createElement("script");
  script.src = url;
  script.onload = () => done(window.Plotly);
  script.onerror = failed;
  document.head.append(script);
});

// On the whole screen and on the stage, text for the last row: 20 px in a window 1080 px high.
const FOR_THE_LAST_ROW = 1.6, ON_STAGE = 20 / 13;
const onStage = () => document.documentElement.hasAttribute("data-stage");
const embedded = () => document.documentElement.hasAttribute("data-embedded");
const larger = (plot) => fillsScreen(plot) ? FOR_THE_LAST_ROW
  : onStage() && innerWidth >= LAPTOP.width ? Math.max(1.2, Math.min(FOR_THE_LAST_ROW, ON_STAGE * innerHeight / 1080)) : 1;

// A figure's texts, lines and marks, so many times as large.
function enlarged(one, times, key = "") {
  if (times === 1 || one === null || typeof one !== "object" || ArrayBuffer.isView(one)) return one;
  if (Array.isArray(one)) return typeof one[0] === "object" ? one.map((item) => enlarged(item, times, key)) : one;
  return Object.fromEntries(Object.entries(one).map(([name, value]) => [name,
    typeof value === "number" && ((name === "size" && /font$/.test(key)) || (name === "width" && key === "line") || (name === "size" && key === "marker"))
      ? times * value : enlarged(value, times, name)]));
}
// A larger text beside a mark may reach over the frame.
const readable = (traces, times) => times === 1 ? traces
  : enlarged(traces, times).map((trace) => trace.type === "scatter" && trace.mode?.includes("text") ? { ...trace, cliponaxis: false } : trace);
const fillsScreen = (plot) => Boolean(document.fullscreenElement?.contains(plot));

function themed(element, layout) {
  const times = larger(element.querySelector(".kept-plot")), size = 13 * times;
  const css = getComputedStyle(element);
  const value = (name, other) => css.getPropertyValue(name).trim() || other;
  const text = value("--st-text-color", "#333"), page = value("--st-background-color", "#fff");
  const line = value("--st-border-color", "#ccc"), quiet = value("--st-border-color-light", line);
  const axis = { gridcolor: quiet, linecolor: line, tickcolor: line, zerolinecolor: line, title: { font: { size } } };
  const template = { layout: {
    paper_bgcolor: "rgba(0,0,0,0)", plot_bgcolor: "rgba(0,0,0,0)", xaxis: axis, yaxis: axis,
    font: { color: text, family: value("--st-font", "sans-serif"), size },
    hoverlabel: { bgcolor: page, bordercolor: line, font: { color: text, family: value("--st-font", "sans-serif"), size } },
    modebar: { bgcolor: "rgba(0,0,0,0)", color: text, activecolor: value("--st-primary-color", text) },
  } };
  // A box with all methods would hide the plot of a phone.
  const hovermode = element.clientWidth < PHONE ? "closest" : layout.hovermode;
  // A title that starts where the plot does would not fit beside its numbers.
  const title = element.clientWidth < PHONE ? { ...layout.title, xref: "container", x: 0.01, font: { size: 14 * times } }
    : { ...layout.title, font: { ...layout.title?.font, size: times * (layout.title?.font?.size ?? 17) } };
  // A finger that scrolls would zoom.
  const dragmode = touches && [undefined, "zoom"].includes(layout.dragmode) ? false : layout.dragmode;
  const margin = Object.fromEntries(Object.entries({ t: 48, ...layout.margin })
    .map(([side, room]) => [side, side === "t" ? times * room : Math.round((1 + (times - 1) * 0.8) * room)]));
  const large = enlarged(layout, times), annotations = legible(large.annotations, text);
  return { ...large, ...(annotations && { annotations }), title, margin, template, hovermode, dragmode, autosize: true };
}

const config = (Plotly) => ({ responsive: true, displaylogo: false, doubleClick: "reset", doubleClickDelay: 500,
  showSendToCloud: false, plotlyServerURL: "", showTips: false,
  // Surfaces are as sharp as the screen: Plotly's own choice draws four points for each of an ordinary one.
  plotGlPixelRatio: Math.min(2, Math.max(1, devicePixelRatio)),
  modeBarButtonsToRemove: ["toImage", "select2d", "lasso2d", "autoScale2d", "zoomIn2d", "zoomOut2d", "pan2d", "zoom2d"],
  modeBarButtonsToAdd: [saveButton(Plotly, "png"), saveButton(Plotly, "svg"),
    ...(canCopy() ? [copyButton(Plotly)] : []), ...(document.fullscreenEnabled ? [WHOLE_SCREEN] : [])] });

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
    const least = innerHeight < LAPTOP.height || room() < LEAST_ROOM ? 0.95 : 0.6;
    const next = Math.max(least, Math.min(2.6, now * free / (bottom - top)));
    if (Math.abs(next - now) < 0.02) return;
    window.stageGrowth = next;
    document.querySelectorAll(".kept-plot").forEach((plot) => plot.keptRender?.());
  }, 120);
}
// A surface beside its map is cut off at its sides where the chart is high and narrow.
const HIGHEST_BESIDE = 0.62;
const isBeside = ({ domain }) => domain.x[1] < 0.9 && domain.y[1] - domain.y[0] > 0.9;
function setHeight(plot, layout) {
  layout.height = fillsScreen(plot) ? innerHeight : grown(layout.height);
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
  const kind = () => [parentElement.clientWidth < NARROW, parentElement.clientWidth < PHONE, growth(), larger(plot)].join();
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
  addEventListener("afterprint", () => sized((plot) => ({ width: null, autosize: true, ...plot.keptEyes })));
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

// Whether a figure differs from the one before in where its lines are, and in what is said of them, and in nothing else.
const MOVED = ["x", "y", "text", "customdata", "hovertemplate"];
const without = (keys, object) => JSON.stringify({ ...object, ...Object.fromEntries(keys.map((key) => [key, undefined])) });

// Both as text: Plotly writes into the objects that it is given.
function onlyMoved(layout, ...figures) {
  const [before, now] = figures.map((figure) => JSON.parse(figure ?? "null"));
  // An axis without a range would have to find one for what has moved.
  const axes = Object.entries(layout).filter(([key]) => /^[xy]axis/.test(key));
  return axes.every(([, axis]) => Array.isArray(axis.range)) && before?.data.length === now.data.length && before.layout.annotations?.length === now.layout.annotations?.length
    && without(["annotations"], before.layout) === without(["annotations"], now.layout)
    && now.data.every((trace, i) => trace.type === "scatter" && without(MOVED, trace) === without(MOVED, before.data[i]));
}

// Lines that move, and their names, take two thirds of the time of a figure that is drawn anew.
function moveLines(Plotly, plot, data, layout) {
  const moved = data.map((trace) => Object.fromEntries(MOVED.filter((key) => key in trace).map((key) => [key, trace[key]])));
  return Plotly.animate(plot, { data: moved, traces: data.map((_, i) => i), layout: { annotations: layout.annotations } },
    { mode: "immediate", transition: { duration: 0 }, frame: { duration: 0, redraw: false } });
}

function render(component) {
  const { data, parentElement, setTriggerValue } = component;
  const figure = parentElement.querySelector(".kept-chart"), plot = parentElement.querySelector(".kept-plot");
  plot.keptAlt = data.alt;
  if (!plot.keptReady) figure.setAttribute("aria-label", data.alt);
  plot.dataset.name = data.name;
  plot.dataset.made = data.made;
  plot.keptClicked = data.clicks ? (point) => setTriggerValue("clicked", point) : null;
  plot.keptEnlarges = data.enlarges;
  plot.keptRender = () => render(component);
  watchWidth(plot, parentElement);
  plot.keptWaits = hasNoRoom(parentElement);
  if (plot.keptWaits) return;
  const css = getComputedStyle(parentElement);
  const small = data.narrow !== null && parentElement.clientWidth < NARROW;
  const colours = ["--st-text-color", "--st-background-color"].map((name) => css.getPropertyValue(name));
  const look = [...colours, parentElement.clientWidth < PHONE, small, growth(), larger(plot), fillsScreen(plot) && innerHeight].join(), mark = data.stamp + look;
  if (plot.keptReady && plot.keptMark === mark) {
    // Nothing new, except perhaps the width and the index.
    fitWidth(plot);
    plot.keptFollow.follows.forEach((followed, i) => { followed.index = data.indices[i]; follow(plot, followed.name); });
    return;
  }
  const drawing = JSON.parse(data.figure);
  if (small) drawing.layout = JSON.parse(data.narrow);
  // On a phone the legend takes more rows; only charts that follow a value have room to grow.
  if (data.indices.length && innerWidth < 640) {
    drawing.layout.height = Math.max(drawing.layout.height, 390);
  }
  setHeight(plot, drawing.layout);
  parentElement.querySelector(".chart-sentence").style.minHeight = data.sentenceHeight + "em";
  if (data.waits && !plot.keptSeen) return whenSeen(plot);
  // A trace is known by its name, so that a hidden one stays hidden when others come and go; plotly.py drops uid. Plotly makes
  // a selector of it, which a space would break.
  drawing.data.forEach((trace) => { trace.uid = trace.name.replaceAll(/[^A-Za-z0-9_-]/g, "_"); });
  // A colour bar that is turned leaves its numbers behind.
  const turned = drawing.layout.coloraxis?.colorbar?.orientation ?? "";
  const axes = [...Object.keys(drawing.layout).filter((key) => /^[xy]axis/.test(key)).sort(), turned].join(" ");
  const version = plot.keptVersion = (plot.keptVersion ?? 0) + 1;
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
  load(data.url).then((Plotly) => {
    if (plot.keptVersion !== version) return;
    plot.keptPlotly = Plotly;
    // One and the same config for the life of the plot: Plotly draws anew, view lost, when it sees another.
    plot.keptConfig ??= config(Plotly);
    const traces = () => {
      plot.keptIndices = currentIndices(follows);
      return tracesAt(readable(drawing.data, larger(plot)), follows.map(({ frames }, i) => frames[plot.keptIndices[i]]));
    };
    const themedLayout = () => themed(parentElement, drawing.layout);
    const anew = () => withMargins(plot, drawing.data, themedLayout(), larger(plot),
      (layout) => Plotly.react(plot, traces(), layout, plot.keptConfig));
    const draw = () => {
      // While it waited for its turn, another figure may have come, or the page may have been left, or be changing.
      if (plot.keptVersion !== version || !plot.isConnected) return false;
      plot.keptWaits = hasNoRoom(parentElement);
      if (plot.keptWaits) return false;
      // Axes that come by an update have no range to go back to: with other axes it is another plot.
      if ((plot.keptAxes ?? axes) !== axes) Plotly.purge(plot);
      plot.keptAxes = axes;
      const moves = plot.keptReady && plot.keptLook === look && !follows.length && onlyMoved(drawing.layout, plot.keptFigure, data.figure);
      plot.keptLook = look;
      plot.keptFigure = data.figure;
      // An update that fails leaves half a plot behind; without it the same figure is drawn.
      return Promise.resolve().then(() => moves ? moveLines(Plotly, plot, drawing.data, themedLayout()) : anew())
        .catch((failure) => { console.error(failure); Plotly.purge(plot); return anew(); }).then(() => true);
    };
    const drawInTurn = () => inTurn(plot, draw);
    return plot.keptReady ? drawInTurn() : oneByOne(plot, drawInTurn);
  }, (failure) => {
    plot.textContent = "The chart library could not be loaded from this server; reload the page.";
    throw failure;
  }).then((drawn) => {
    if (!drawn || plot.keptVersion !== version) return;
    plot.keptReady = true;
    plot.keptMark = mark;
    // The menu "Share" saves pictures, too: whoever goes by the keyboard need not pass the tools of every chart.
    plot.querySelectorAll(".modebar-btn").forEach((button) => { button.tabIndex = -1; });
    pointAtLines(plot);
    showBands(plot);
    if (data.clicks) hearClicks(plot);
    describe(plot);
    const inSpace = Boolean(plot.querySelector(".gl-container canvas"));
    if (inSpace) turnAfterTap(plot);
    if (inSpace && (data.oneCamera || touches)) shareCamera(plot);
    recordDrawn(plot, follows);
    // It may have changed while this was drawn.
    fitWidth(plot);
    fitStage();
    // What was dragged further while this was drawn.
    follows.forEach((followed) => follow(plot, followed.name));
  });
}

export default render;
