// In full screen and on the stage, text is legible from the last row of a room: 20 px in a window 1080 px high.
const FOR_THE_LAST_ROW = 1.6, ON_STAGE = 20 / 13;
const onStage = () => document.documentElement.hasAttribute("data-stage");
const embedded = () => document.documentElement.hasAttribute("data-embedded");
const larger = (plot) => fillsScreen(plot) ? FOR_THE_LAST_ROW
  : onStage() && innerWidth >= LAPTOP.width ? Math.max(1.2, Math.min(FOR_THE_LAST_ROW, ON_STAGE * innerHeight / 1080)) : 1;

// A part of a figure with texts, lines and marks enlarged by the factor `times`.
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

// Lines of a text that fit into a width: a tag takes no room, and a name with spaces that do not break stays whole.
const LETTER = 0.53;
function inLines(words, width, size) {
  const most = Math.max(12, Math.floor(width / (LETTER * size))), room = (part) => part.replace(/<[^>]*>/g, "").length;
  return words.split("<br>").map((line) => line.match(/(?:<[^>]*>|[^ <])+/g)?.reduce((lines, word) => {
    const longer = lines.length ? `${lines.at(-1)}${lines.at(-1) ? " " : ""}${word}` : word;
    return lines.length && room(longer) <= most ? [...lines.slice(0, -1), longer] : [...lines, word];
  }, []) ?? [""]).flat();
}

// The title with what stands under it, broken where the chart is too narrow, and how many lines that adds.
function headed(title, width, times, text) {
  if (!title?.text) return [title, 0];
  const lines = inLines(title.text, width, TITLE * times), under = title.subtitle?.text ?? "";
  const names = under ? inLines(under, width, TEXT * times) : [];
  const added = lines.length - 1 + names.length - (under ? under.split("<br>").length : 0);
  const font = { ...title.font, size: times * (title.font?.size ?? TITLE) };
  const subtitle = under && { subtitle: { text: coloured(names.join("<br>"), text), font: { size: TEXT * times } } };
  // Plotly puts the first of several lines on the edge, not below it.
  const pad = { ...title.pad, t: (title.pad?.t ?? 0) + (lines.length > 1 ? FIRST_LINE * times : 0) };
  return [{ ...title, ...subtitle, text: lines.join("<br>"), font, pad, kept: title }, added];
}

const TITLE = 16, TEXT = 13, LINE = 17;
function themed(element, layout) {
  const times = larger(element.querySelector(".kept-plot")), size = TEXT * times;
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
  // On a phone, a hover box with all methods would hide the plot.
  const hovermode = element.clientWidth < PHONE ? "closest" : layout.hovermode;
  const [title, added] = headed(layout.title, element.clientWidth, times, text);
  // Otherwise a finger that scrolls the page would zoom the chart.
  const dragmode = touches && [undefined, "zoom"].includes(layout.dragmode) ? false : layout.dragmode;
  const margin = Object.fromEntries(Object.entries({ t: 40, ...layout.margin })
    .map(([side, room]) => [side, side === "t" ? times * (room + added * LINE) : Math.round((1 + (times - 1) * 0.8) * room)]));
  const large = enlarged(layout, times), depth = layout.height - margin.t - margin.b;
  const annotations = legible(apart(large.annotations, large, depth, times), text);
  return { ...large, ...(annotations && { annotations }), title, margin, template, hovermode, dragmode, autosize: true };
}
