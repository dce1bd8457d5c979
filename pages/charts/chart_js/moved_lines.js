// Whether a figure differs from the previous one only in the positions and the texts of its lines.
const MOVED = ["x", "y", "text", "customdata", "hovertemplate"];
const without = (keys, object) => JSON.stringify({ ...object, ...Object.fromEntries(keys.map((key) => [key, undefined])) });

// `figures` are two figures as text, the former and the new one: Plotly writes into the objects that it is given.
function onlyMoved(layout, ...figures) {
  const [before, now] = figures.map((figure) => JSON.parse(figure ?? "null"));
  // An axis without a range would have to be fitted anew to the moved lines.
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
