// The browser half of chart.py, which puts dragged_frames.js in front.
const load = (url) => (window.keptPlotly ??= {})[url] ??= new Promise((done, failed) => {
  const script = document.createElement("script");
  script.src = url;
  script.onload = () => done(window.Plotly);
  script.onerror = failed;
  document.head.append(script);
});

function themed(element, layout) {
  const css = getComputedStyle(element);
  const value = (name, other) => css.getPropertyValue(name).trim() || other;
  const text = value("--st-text-color", "#333"), page = value("--st-background-color", "#fff");
  const line = value("--st-border-color", "#ccc"), quiet = value("--st-border-color-light", line);
  const axis = { gridcolor: quiet, linecolor: line, tickcolor: line, zerolinecolor: line };
  const template = { layout: {
    paper_bgcolor: "rgba(0,0,0,0)", plot_bgcolor: "rgba(0,0,0,0)", xaxis: axis, yaxis: axis,
    font: { color: text, family: value("--st-font", "sans-serif"), size: 13 },
    hoverlabel: { bgcolor: page, bordercolor: line, font: { color: text } },
    modebar: { bgcolor: "rgba(0,0,0,0)", color: text, activecolor: value("--st-primary-color", text) },
  } };
  // A box with all methods would hide the plot of a phone.
  const hovermode = element.clientWidth < 500 ? "closest" : layout.hovermode;
  // A title that starts where the plot does would not fit beside its numbers.
  const title = element.clientWidth < 500 ? { ...layout.title, xref: "container", x: 0.01, font: { size: 14 } } : layout.title;
  return { ...layout, title, template, hovermode, autosize: true };
}

const icon = (word) => ({ svg: `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 30 16" width="30" height="16">` +
  `<text x="15" y="12" text-anchor="middle" font-size="12" font-weight="700" font-family="sans-serif">${word}</text></svg>` });

// A saved picture stands alone: on white, in a font that every machine has, with what it was made of.
function saved(plot) {
  const dark = "#1B1F24", line = "#C8CDD2", axis = { gridcolor: "#E6E9EC", linecolor: line, tickcolor: line, color: dark };
  const { title, margin, ...rest } = structuredClone(plot.layout);
  const template = { layout: { font: { color: dark, family: "Arial, Helvetica, sans-serif", size: 13 }, xaxis: axis, yaxis: axis } };
  const text = title?.text ? title.text + `<br><sub>${plot.dataset.made}</sub>` : plot.dataset.made;
  const layout = { ...rest, template, title: { ...title, text }, paper_bgcolor: "#fff", plot_bgcolor: "#fff",
    margin: { ...margin, t: (margin?.t ?? 48) + 18 }, width: plot.clientWidth, height: plot.clientHeight + 18 };
  return { data: plot.data, layout };
}

function saveButton(Plotly, format) {
  const word = format.toUpperCase();
  return { name: "save-" + format, title: "Save as " + word, icon: icon(word),
    click: (plot) => Plotly.downloadImage(saved(plot), { format, scale: format === "png" ? 2 : 1,
      filename: [plot.dataset.name, plot.dataset.made].join("-").replaceAll(/[^A-Za-z0-9]+/g, "-").replace(/-$/, ""),
      width: plot.clientWidth, height: plot.clientHeight + 18 }) };
}

const config = (Plotly) => ({ responsive: true, displaylogo: false, doubleClick: "reset", doubleClickDelay: 500,
  showSendToCloud: false, plotlyServerURL: "",
  modeBarButtonsToRemove: ["toImage", "select2d", "lasso2d", "autoScale2d", "zoomIn2d", "zoomOut2d", "pan2d", "zoom2d"],
  modeBarButtonsToAdd: [saveButton(Plotly, "png"), saveButton(Plotly, "svg")] });

const bold = (sentence) => sentence.split("**").map((part, i) => {
  const element = document.createElement(i % 2 ? "strong" : "span");
  element.textContent = part;
  return element;
});

// The index of each followed value: what its bar says, or before the bar is there what the server says.
const currentIndices = (follows) => follows.map(({ name, values, index }) => {
  const value = window.draggedValues?.[name];
  return value === undefined ? index : nearest(values, value);
});

// A chart that nobody sees is drawn when it comes into view, so that those that are seen move faster.
function inView(plot) {
  const box = plot.getBoundingClientRect();
  return box.bottom > -100 && box.top < innerHeight + 100;
}

function followWhenSeen(plot, name) {
  (plot.keptLate ??= new Set()).add(name);
  plot.keptLateEye ??= new IntersectionObserver((entries) => {
    if (!entries.some((entry) => entry.isIntersecting)) return;
    const late = [...plot.keptLate];
    plot.keptLate.clear();
    late.forEach((one) => follow(plot, one));
  }, { rootMargin: "90px" });
  plot.keptLateEye.observe(plot);
}

// Only what moves is handed to Plotly, and only when the last move is drawn: a pointer can outrun it.
async function follow(plot, name) {
  const kept = plot.keptFollow;
  if (!plot.keptReady || !kept.follows.some((followed) => followed.name === name)) return;
  if (!inView(plot)) return followWhenSeen(plot, name);
  kept.waiting.add(name);
  if (kept.drawing) return;
  kept.drawing = true;
  try {
    while (kept.waiting.size) {
      const [next] = kept.waiting;
      kept.waiting.delete(next);
      await step(plot, next);
    }
  } finally { kept.drawing = false; }
}

async function step(plot, name) {
  const { follows } = plot.keptFollow, i = follows.findIndex((followed) => followed.name === name);
  if (i < 0) return;
  const indices = currentIndices(follows), frame = follows[i].frames[indices[i]], changes = {};
  if (indices[i] === plot.keptIndices[i]) return;
  showSentence(plot, follows, indices, i);
  if (frame.traces.some((trace) => !plot.data[trace])) return;
  frame.data.forEach((_, j) => Object.entries(changeOf(frame, j)).forEach(([key, value]) => {
    (changes[key] ??= frame.traces.map((trace) => plot.data[trace][key]))[j] = value;
  }));
  await plot.keptPlotly.restyle(plot, changes, frame.traces);
  plot.keptIndices[i] = indices[i];
  recordDrawn(plot, follows);
}

// What is drawn, for tests and benchmarks: the figure, and the values it shows.
function recordDrawn(plot, follows) {
  plot.dataset.drawn = [plot.keptStamp, ...follows.map((followed, i) => followed.values[plot.keptIndices[i]])].join(" ");
}

function showSentence(plot, follows, indices, i) {
  const paragraph = plot.parentElement.querySelector(".chart-sentence");
  paragraph.hidden = !follows[i]?.sentences.length;
  if (!paragraph.hidden) paragraph.replaceChildren(...bold(follows[i].sentences[indices[i]]));
}

// The threshold is dragged in the chart as well as on its bar.
function draggable(plot) {
  plot.addEventListener("pointerdown", (down) => {
    const area = plot.querySelector(".nsewdrag");
    const axis = plot._fullLayout?.xaxis;
    if (!area || !axis || down.button !== 0 || !plot.keptDrags) return;
    const box = area.getBoundingClientRect();
    if (down.clientX < box.left || down.clientX > box.right || !down.target.closest?.(".draglayer, .hoverlayer")) return;
    const name = plot.keptDrags, before = window.draggedValues?.[name], ends = new AbortController(), { signal } = ends;
    const send = (value, done) => document.dispatchEvent(new CustomEvent("drag-value", { detail: { name, value, done } }));
    const under = (event) => axis.p2d(event.clientX - area.getBoundingClientRect().left);
    const same = (act) => (event) => { if (event.pointerId === down.pointerId) act(event); };
    send(under(down), false);
    addEventListener("pointermove", same((event) => send(under(event), false)), { signal });
    addEventListener("pointerup", same((event) => { ends.abort(); send(under(event), true); }), { signal });
    // A finger that scrolls the page was no drag.
    addEventListener("pointercancel", same(() => { ends.abort(); send(before, true); }), { signal });
  });
}

// Panels lie in fewer columns where there is less room.
const NARROW = 640;

function watchWidth(plot, parentElement) {
  if (plot.keptWatch) return;
  let small = parentElement.clientWidth < NARROW;
  plot.keptWatch = new ResizeObserver(() => {
    if (!plot.isConnected) return plot.keptWatch.disconnect();
    const now = parentElement.clientWidth < NARROW;
    if (now !== small && parentElement.clientWidth) { small = now; plot.keptRender(); }
  });
  plot.keptWatch.observe(parentElement);
}

// A finger that scrolls the page would turn a surface instead: it turns after a tap.
const touches = matchMedia("(pointer: coarse)").matches;

function turnAfterTap(plot) {
  if (!touches || plot.keptTaps !== undefined) return;
  plot.keptTaps = 0;
  plot.classList.add("kept-still");
  plot.addEventListener("click", () => { plot.keptTaps += 1; plot.classList.remove("kept-still"); });
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

// Surfaces that are compared are seen from one side: a camera that is turned takes the others along.
function shareCamera(plot) {
  if (plot.keptShares === plot._ev) return;
  plot.keptShares = plot._ev;
  let next = null, busy = false;
  const turn = async () => {
    if (busy || !next) return;
    busy = true;
    const camera = next;
    next = null;
    const scenes = Object.keys(plot.layout).filter((key) => /^scene\d*$/.test(key));
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

function render(component) {
  const { data, parentElement, setTriggerValue } = component;
  const figure = parentElement.querySelector(".kept-chart"), plot = parentElement.querySelector(".kept-plot");
  figure.setAttribute("aria-label", data.alt);
  plot.dataset.name = data.name;
  plot.dataset.made = data.made;
  plot.keptClicked = data.clicks ? (point) => setTriggerValue("clicked", point) : null;
  plot.keptEnlarges = data.enlarges;
  plot.keptRender = () => render(component);
  if (data.narrow !== null) watchWidth(plot, parentElement);
  const css = getComputedStyle(parentElement);
  const small = data.narrow !== null && parentElement.clientWidth < NARROW;
  const look = ["--st-text-color", "--st-background-color"].map((name) => css.getPropertyValue(name)).join();
  const mark = data.stamp + look + (parentElement.clientWidth < 500) + small;
  if (plot.keptReady && plot.keptMark === mark) {
    // Nothing new, except perhaps the index.
    plot.keptFollow.follows.forEach((followed, i) => { followed.index = data.indices[i]; follow(plot, followed.name); });
    return;
  }
  const drawing = JSON.parse(data.figure);
  if (small) drawing.layout = JSON.parse(data.narrow);
  // On a phone the legend takes more rows; only charts that follow a value have room to grow.
  if (data.indices.length && innerWidth < 640) {
    drawing.layout.height = Math.max(drawing.layout.height, 390);
  }
  plot.style.height = drawing.layout.height + "px";
  parentElement.querySelector(".chart-sentence").style.minHeight = data.sentenceHeight + "em";
  if (data.waits && !plot.keptSeen) return whenSeen(plot);
  // A trace is known by its name, so that a hidden one stays hidden when others come and go; plotly.py drops uid. Plotly makes
  // a selector of it, which a space would break.
  drawing.data.forEach((trace) => { trace.uid = trace.name.replaceAll(/[^A-Za-z0-9_-]/g, "_"); });
  const axes = Object.keys(drawing.layout).filter((key) => /^[xy]axis/.test(key)).sort().join(" ");
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
    // Axes that come by an update have no range to go back to: with other axes it is another plot.
    if ((plot.keptAxes ?? axes) !== axes) Plotly.purge(plot);
    plot.keptAxes = axes;
    // One and the same config for the life of the plot: Plotly draws anew, view lost, when it sees another.
    plot.keptConfig ??= config(Plotly);
    const traces = () => {
      plot.keptIndices = currentIndices(follows);
      return tracesAt(drawing.data, follows.map(({ frames }, i) => frames[plot.keptIndices[i]]));
    };
    const draw = () => Plotly.react(plot, traces(), themed(parentElement, drawing.layout), plot.keptConfig);
    // An update that fails leaves half a plot behind; without it the same figure is drawn.
    return Promise.resolve().then(draw).catch((failure) => { console.error(failure); Plotly.purge(plot); return draw(); });
  }, (failure) => {
    plot.textContent = "The chart library could not be loaded from this server; reload the page.";
    throw failure;
  }).then(() => {
    if (plot.keptVersion !== version) return;
    plot.keptReady = true;
    plot.keptMark = mark;
    // The menu "Share" saves pictures, too: whoever goes by the keyboard need not pass the tools of every chart.
    plot.querySelectorAll(".modebar-btn").forEach((button) => { button.tabIndex = -1; });
    if (data.clicks) hearClicks(plot);
    if (plot.querySelector(".gl-container canvas")) turnAfterTap(plot);
    if (data.oneCamera) shareCamera(plot);
    recordDrawn(plot, follows);
    // What was dragged further while this was drawn.
    follows.forEach((followed) => follow(plot, followed.name));
  });
}

export default render;
