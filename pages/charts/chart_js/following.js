// A chart follows values that are dragged; dragged_frames.js reads their frames.
// The index of each followed value: from its bar, or from the server as long as the bar is not drawn.
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

// Plotly gets only what has changed, and only when it has drawn the last move: a pointer can be faster than drawing.
function follow(plot, name) {
  const kept = plot.keptFollow;
  if (!plot.keptReady || !kept.follows.some((followed) => followed.name === name)) return;
  if (!inView(plot)) return followWhenSeen(plot, name);
  kept.waiting.add(name);
  if (!kept.moving) followWaiting(plot);
}

function followWaiting(plot) {
  const kept = plot.keptFollow;
  if (plot.keptDraws || !kept?.waiting.size) return;
  const all = async () => {
    while (kept.waiting.size && !plot.keptDraws) {
      const [next] = kept.waiting;
      kept.waiting.delete(next);
      await step(plot, next);
    }
  };
  kept.moving = all().then(() => describe(plot)).catch((failure) => console.error(failure)).finally(() => { kept.moving = null; });
}

async function step(plot, name) {
  const { follows } = plot.keptFollow, i = follows.findIndex((followed) => followed.name === name);
  if (i < 0) return;
  const indices = currentIndices(follows), frame = follows[i].frames[indices[i]];
  if (indices[i] === plot.keptIndices[i]) return;
  showSentence(plot, follows, indices, i);
  if (frame.traces.some((trace) => !plot.data[trace])) return;
  await move(plot, frame);
  plot.keptIndices[i] = indices[i];
  recordDrawn(plot, follows);
}

// Plotly moves lines and markers without drawing axes and legend anew, in half of the time; bars beside them would vanish.
function move(plot, frame) {
  const { traces } = frame, changes = {}, data = traces.map((_, j) => changeOf(frame, j));
  if (plot.data.every(({ type }) => type === "scatter"))
    return plot.keptPlotly.animate(plot, { data, traces },
      { mode: "immediate", transition: { duration: 0 }, frame: { duration: 0, redraw: false } });
  data.forEach((change, j) => Object.entries(change).forEach(([key, value]) => {
    (changes[key] ??= traces.map((trace) => plot.data[trace][key]))[j] = value;
  }));
  return plot.keptPlotly.restyle(plot, changes, traces);
}

// What is drawn, for tests and benchmarks: the figure, and the values it shows.
function recordDrawn(plot, follows) {
  plot.dataset.drawn = [plot.keptStamp, ...follows.map((followed, i) => followed.values[plot.keptIndices[i]])].join(" ");
}

function showSentence(plot, follows, indices, i) {
  const paragraph = plot.parentElement.querySelector(".chart-sentence");
  paragraph.hidden = !follows[i]?.sentences.length;
  if (!paragraph.hidden) paragraph.replaceChildren(...withBold(follows[i].sentences[indices[i]]));
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
    // The browser cancels when the finger scrolls the page: this was no drag, so the value goes back.
    addEventListener("pointercancel", same(() => { ends.abort(); send(before, true); }), { signal });
  });
}
