// What a chart shows, in words for a screen reader: each line with its ends and its extremes, each bar with its value.
const MOST_DESCRIBED = 8, MOST_BARS = 12, A_CLOUD = 30;
const described = (value, axis) => typeof value === "string" ? value.replace(/<[^>]*>/g, " ")
  : axis?.tickformat?.endsWith("%") ? `${Number((100 * value).toPrecision(3))}%` : String(Number(value.toPrecision(3)));

function describedLine({ x, y }, xaxis, yaxis) {
  const at = [...y.keys()].filter((i) => Number.isFinite(y[i]));
  if (!at.length) return "";
  const lowest = at.reduce((best, i) => (y[i] < y[best] ? i : best)), highest = at.reduce((best, i) => (y[i] > y[best] ? i : best));
  const ends = new Map([[at[0], ""], [at.at(-1), ""]]);
  if (at.length > 2) {
    if (!ends.has(lowest)) ends.set(lowest, "lowest ");
    if (!ends.has(highest)) ends.set(highest, "highest ");
  }
  return [...ends].sort(([one], [other]) => one - other)
    .map(([i, extreme]) => `${extreme}${described(y[i], yaxis)} at ${described(x[i], xaxis)}`).join(", ");
}

// Values of things that have names, on either axis.
const isNamed = (places) => typeof places[0] === "string";
function describedBars({ x, y }, xaxis, yaxis) {
  const [places, values, placed, valued] = isNamed(y) ? [y, x, yaxis, xaxis] : [x, y, xaxis, yaxis];
  const at = [...values.keys()].filter((i) => Number.isFinite(values[i])), word = (i) => `${described(places[i], placed)} ${described(values[i], valued)}`;
  if (at.length <= MOST_BARS) return at.map(word).join(", ");
  const highest = at.reduce((best, i) => (values[i] > values[best] ? i : best));
  return `${at.length} bars, the highest ${word(highest)}`;
}

// Left out are bands and other traces that say nothing to a pointer, clouds of points, what is hidden, and what has no axes.
function describe(plot) {
  const { _fullData: traces, _fullLayout: layout } = plot;
  const axisOf = (trace, letter) => layout[`${letter}axis${(trace[`${letter}axis`] ?? letter).slice(1)}`];
  const lines = traces.filter(({ type, visible, name, hoverinfo, x, y }) => ["scatter", "bar"].includes(type) && visible === true
    && x?.length && y?.length && hoverinfo !== "skip" && !/ band$/.test(name))
    .filter((trace) => axisOf(trace, "x")?.visible !== false && axisOf(trace, "y")?.visible !== false
      && !(trace.mode === "markers" && trace.x.length > A_CLOUD));
  const sentences = lines.slice(0, MOST_DESCRIBED).map((trace) => {
    const ofNames = trace.type === "bar" || isNamed(trace.x) || isNamed(trace.y);
    const words = (ofNames ? describedBars : describedLine)(trace, axisOf(trace, "x"), axisOf(trace, "y"));
    return words && `${trace.name.replace(/<[^>]*>/g, " ")}: ${words}.`;
  });
  const more = lines.length > MOST_DESCRIBED ? `And ${lines.length - MOST_DESCRIBED} more.` : "";
  plot.closest(".kept-chart").setAttribute("aria-label", [plot.keptAlt, ...sentences, more].filter(Boolean).join(" "));
  // The numbers of its axes, one after the other, tell nothing.
  plot.querySelectorAll(".svg-container > svg").forEach((picture) => picture.setAttribute("aria-hidden", "true"));
}
