// What a chart shows, in words for a screen reader: each line with its ends and its extremes, each bar with its value.
const MOST_DESCRIBED = 8, MOST_NAMED = 12, A_CLOUD = 30;
const inWords = (text) => String(text).replace(/<\/?[a-z][^>]*>/gi, " ").replaceAll("&lt;", "<");
const described = (value, axis) => typeof value !== "number" ? inWords(value)
  : axis?.tickformat?.endsWith("%") ? `${Number((100 * value).toPrecision(3))}%`
  : String(Number.isInteger(value) ? value : Number(value.toPrecision(3)));

// Whether the positions of a trace are names, such as methods, and not numbers. Names can lie on either axis.
const isNamed = (places) => typeof places[0] === "string";
const isSideways = ({ type, orientation, y }) => type === "bar" ? orientation === "h" : isNamed(y);

function describedTrace(trace, xaxis, yaxis) {
  const [places, values, placed, valued] = isSideways(trace) ? [trace.y, trace.x, yaxis, xaxis] : [trace.x, trace.y, xaxis, yaxis];
  const at = [...values.keys()].filter((i) => Number.isFinite(values[i]) && i < places.length && places[i] !== null);
  if (!at.length) return "";
  const word = (i) => isNamed(places) && Number.isNaN(Number(places[i])) ? `${described(places[i], placed)} ${described(values[i], valued)}`
    : `${described(values[i], valued)} at ${described(places[i], placed)}`;
  const extreme = (sign) => at.reduce((best, i) => (sign * values[i] > sign * values[best] ? i : best));
  const lowest = extreme(-1), highest = extreme(1);
  if (trace.type === "bar" || isNamed(places))
    return at.length <= MOST_NAMED ? at.map(word).join(", ") : `${at.length} values, lowest ${word(lowest)}, highest ${word(highest)}`;
  const said = new Map([[at[0], ""], [at.at(-1), ""]]);
  if (!said.has(lowest)) said.set(lowest, "lowest ");
  if (!said.has(highest)) said.set(highest, "highest ");
  return [...said].sort(([one], [other]) => one - other).map(([i, name]) => name + word(i)).join(", ");
}

// A sentence for each trace, except bands and other traces without a hover box, clouds of points, hidden traces, and traces on
// invisible axes.
function sentencesOf({ _fullData: traces, _fullLayout: layout }) {
  const axisOf = (trace, letter) => layout[`${letter}axis${(trace[`${letter}axis`] ?? letter).slice(1)}`];
  const shown = traces.filter((trace) => ["scatter", "bar"].includes(trace.type) && trace.visible === true && trace.x?.length && trace.y?.length
    && trace.hoverinfo !== "skip" && !/ band$/.test(trace.name) && !(trace.mode === "markers" && trace.x.length > A_CLOUD)
    && axisOf(trace, "x")?.visible !== false && axisOf(trace, "y")?.visible !== false);
  const sentences = shown.slice(0, MOST_DESCRIBED).map((trace) => {
    const words = describedTrace(trace, axisOf(trace, "x"), axisOf(trace, "y"));
    return words && `${inWords(trace.name)}: ${words}.`;
  });
  return [...sentences, shown.length > MOST_DESCRIBED ? `And ${shown.length - MOST_DESCRIBED} more.` : ""].filter(Boolean);
}

function describe(plot) {
  let sentences = [];
  // A chart that cannot be described is nevertheless drawn.
  try { sentences = sentencesOf(plot); } catch (failure) { console.warn(failure); }
  plot.closest(".kept-chart").setAttribute("aria-label", [plot.keptAlt, ...sentences, "Enter: its tools."].join(" "));
  // A screen reader would otherwise read out the numbers of the axes, one after the other.
  plot.querySelectorAll(".svg-container > svg").forEach((picture) => picture.setAttribute("aria-hidden", "true"));
}
