// A picture for print: Plotly saves surfaces and maps as points of colour, even in an SVG. Here they are drawn as paths, surfaces
// from where they are seen on the page, with level lines.
const BANDS = 20, LEVEL_LINES = 10, DARK = "#1B1F24", GRID = "#B4BAC0";
// By how much marks and lines lie nearer than the surface under them, as a share of the space: else it would cover half of each.
const LIFT = 0.04;
const element = (name, attributes, content = "") =>
  `<${name} ${Object.entries(attributes).map(([key, value]) => `${key}="${value}"`).join(" ")}>${content}</${name}>`;
const short = (value) => Number(value.toFixed(2));
const through = (points) => "M" + points.map(([x, y]) => `${short(x)},${short(y)}`).join("L");
const partsOf = (colour) => colour[0] === "#" ? channels(colour) : colour.match(/[\d.]+/g).slice(0, 3).map(Number);

// The range of a trace's colours, and the colour of a value.
function scaleOf(plot, trace) {
  const axis = trace.coloraxis && plot._fullLayout[trace.coloraxis], { colorscale, reversescale } = axis || trace;
  const [low, high] = axis ? [axis.cmin, axis.cmax] : [trace.zmin ?? trace.cmin, trace.zmax ?? trace.cmax];
  const stops = colorscale.map(([at, colour]) => [at, partsOf(colour)]);
  const colour = (value) => {
    const share = Math.min(1, Math.max(0, (value - low) / (high - low || 1))), at = reversescale ? 1 - share : share;
    const next = Math.max(1, stops.findIndex(([end]) => end >= at)), [[from, before], [to, after]] = [stops[next - 1], stops[next]];
    return before.map((part, i) => Math.round(part + (after[i] - part) * (at - from) / (to - from || 1)));
  };
  return { low, high, colour: (value) => `rgb(${colour(value)})`, line: (value) => colour(value)[1] < 128 ? "#fff" : DARK };
}

// Where a side of a polygon of corners [x, y, value] crosses a level.
const between = (a, b, level) => a.map((part, i) => part + (b[i] - part) * (level - a[2]) / (b[2] - a[2]));
const crosses = (a, b, level) => (a[2] < level) !== (b[2] < level);
const sidesOf = (corners) => corners.map((corner, i) => [corner, corners[(i + 1) % corners.length]]);
// The part of a polygon where the value is at least the level, and the lines on which it is the level.
const above = (corners, level) => sidesOf(corners).flatMap(([a, b]) =>
  [...(a[2] >= level ? [a] : []), ...(crosses(a, b, level) ? [between(a, b, level)] : [])]);
function levelLines(corners, level) {
  const points = sidesOf(corners).filter(([a, b]) => crosses(a, b, level)).map(([a, b]) => between(a, b, level));
  return points.length < 2 ? [] : [points.slice(0, 2), points.slice(2)].filter(({ length }) => length === 2);
}
const levelsOf = ({ low, high }) => Array.from({ length: LEVEL_LINES - 1 }, (_, i) => low + (i + 1) * (high - low) / LEVEL_LINES);
// The quadrilaterals of a grid, of corners [x, y, value].
const cellsOf = ({ x, y, z }) => Array.from(y).slice(1).flatMap((_, j) => Array.from(x).slice(1).map((_, i) =>
  [[0, 0], [1, 0], [1, 1], [0, 1]].map(([across, up]) => [x[i + across], y[j + up], z[j + up][i + across]])));

// Neighbours in a row that lie above a level with all of their corners are one area.
const joined = (cells, level) => cells.reduce((areas, cell) => {
  const last = areas.at(-1), whole = cell.every(([, , value]) => value >= level);
  if (whole && last?.whole && last.corners[1][0] === cell[0][0] && last.corners[1][1] === cell[0][1])
    last.corners = [last.corners[0], cell[1], cell[2], last.corners[3]];
  else areas.push({ whole, corners: whole ? cell : above(cell, level) });
  return areas;
}, []).map(({ corners }) => corners).filter(({ length }) => length > 2);

// The number of a level line stands on it, nearest to the way from the lower right corner, `across` and `down`, to the middle: not
// on the edge, nor on the line from the lower left corner, if there is another place.
function levelName(scale, level, pieces, [across, down]) {
  const isFree = (x, y) => x + y > 1.12 && x < 0.96 && y < 0.96;
  const off = ([[x, y]]) => Math.abs(x / across - y / down) + (isFree(x / across, y / down) ? 0 : 1);
  const [[x, y]] = pieces.reduce((best, one) => off(one) < off(best) ? one : best);
  return element("text", { x: short(x), y: short(y + 3.5), "text-anchor": "middle", "font-size": 10, fill: scale.line(level),
    "font-family": "Arial, Helvetica, sans-serif", stroke: scale.colour(level), "stroke-width": 3, "paint-order": "stroke" }, short(level));
}

// A smooth map: each colour covers all that lies above its level, so that no seam shows between two.
function smoothMap(plot, trace, seen) {
  const scale = scaleOf(plot, trace), cells = cellsOf(trace), step = (scale.high - scale.low) / BANDS;
  const bands = Array.from({ length: BANDS }, (_, i) => scale.low + i * step).map((level, i) => element("path", {
    d: joined(cells, i ? level : -Infinity).map((area) => through(area.map(seen)) + "Z").join(""), fill: scale.colour(level + step / 2) }));
  const lines = levelsOf(scale).map((level) => [level, cells.flatMap((cell) => levelLines(cell, level)).map((line) => line.map(seen))])
    .filter(([, pieces]) => pieces.length).map(([level, pieces]) => element("path", { fill: "none", stroke: scale.line(level),
      "stroke-width": 0.7, d: pieces.map(through).join("") }) + levelName(scale, level, pieces, seen([trace.x.at(-1), trace.y[0]])));
  return [...bands, ...lines].join("");
}

// A map of cells: the values and edges are those that Plotly has worked out.
function cellMap(plot, { trace, x, y, z }, seen) {
  const scale = scaleOf(plot, trace), { xgap = 0, ygap = 0 } = trace;
  return Array.from(z).flatMap((row, j) => Array.from(row).map((value, i) => {
    if (value === null || value === undefined || Number.isNaN(value)) return "";
    const [[left, bottom], [right, top]] = [seen([x[i], y[j]]), seen([x[i + 1], y[j + 1]])];
    return element("path", { fill: scale.colour(value), "shape-rendering": "crispEdges", d: through([[left + xgap / 2, bottom - ygap / 2],
      [right - xgap / 2, bottom - ygap / 2], [right - xgap / 2, top + ygap / 2], [left + xgap / 2, top + ygap / 2]]) + "Z" });
  })).join("");
}

function mapDrawing(plot, first) {
  const { trace } = first, [x, y] = [trace.xaxis, trace.yaxis].map((name) => plot._fullLayout[`${name[0]}axis${name.slice(1)}`]);
  const seen = ([across, up]) => [x.c2p(across), y.c2p(up)];
  return trace.zsmooth ? smoothMap(plot, trace, seen) : cellMap(plot, first, seen);
}

// Where points of a scene are seen in a box of the picture, and how far away: Plotly's camera, as it stands now.
function lens({ dataScale, glplot: { cameraParams: { model, view, projection } } }, box) {
  const times = (point, matrix) => [0, 1, 2, 3].map((row) => point.reduce((sum, part, i) => sum + part * matrix[4 * i + row], 0));
  return (point) => {
    const [x, y, , away] = [model, view, projection].reduce(times, [...point.map((part, i) => part * dataScale[i]), 1]);
    return [box.x + box.width * (1 + x / away) / 2, box.y + box.height * (1 - y / away) / 2, away];
  };
}

const cross = (r, t) => [[-t, -r], [t, -r], [t, -t], [r, -t], [r, t], [t, t], [t, r], [-t, r], [-t, t], [-r, t], [-r, -t], [-t, -t]];
const turned = ([x, y]) => [0.71 * (x - y), 0.71 * (x + y)];
const MARKS = { square: (r) => [[-r, -r], [r, -r], [r, r], [-r, r]], diamond: (r) => [[0, -1.3 * r], [1.3 * r, 0], [0, 1.3 * r], [-1.3 * r, 0]],
  cross: (r) => cross(1.2 * r, 0.4 * r), x: (r) => cross(1.2 * r, 0.4 * r).map(turned) };

// What a trace in space consists of: [distance, drawing] of each piece.
function surfacePieces(plot, trace, seen) {
  const scale = scaleOf(plot, trace), levels = levelsOf(scale);
  return cellsOf(trace).flatMap((cell) => {
    const corners = cell.map(seen), fill = scale.colour(cell.reduce((sum, [, , value]) => sum + value / 4, 0));
    const away = corners.reduce((sum, [, , distance]) => sum + distance / 4, 0);
    const lines = levels.flatMap((level) => levelLines(cell, level).map((line) => [away - 0.75 * LIFT, element("path",
      { d: through(line.map(seen)), stroke: scale.line(level), "stroke-width": 0.7 })]));
    return [[away, element("path", { d: through(corners) + "Z", fill, stroke: fill, "stroke-width": 0.8 })], ...lines];
  });
}
function pointPieces({ x, y, z, mode, line, marker }, seen) {
  const points = Array.from(x).map((_, i) => seen([x[i], y[i], z[i]])).filter(([at]) => Number.isFinite(at));
  if (mode === "lines") return points.slice(1).map((end, i) => [Math.min(end[2], points[i][2]) - LIFT,
    element("path", { d: through([points[i], end]), stroke: line.color, "stroke-width": line.width / 2 })]);
  const edge = { fill: marker.color, stroke: marker.line.color, "stroke-width": 1 }, shape = MARKS[marker.symbol];
  return points.map(([across, down, away]) => [away - LIFT, shape
    ? element("path", { ...edge, d: through(shape(marker.size).map(([right, below]) => [across + right, down + below])) + "Z" })
    : element("circle", { ...edge, cx: short(across), cy: short(down), r: marker.size })]);
}

// The far sides of a space with their grid, and the numbers and names of its axes outside it.
function spaceFrame({ axesOptions, dataScale }, layout, seen) {
  const axes = ["x", "y", "z"].map((name) => layout[`${name}axis`]), ranges = axes.map(({ range }) => range.map(Number));
  const at = (places) => seen(ranges.map(([low, high], i) => places[i] ?? (low + high) / 2));
  const sides = ranges.map((range, i) => range.toSorted((a, b) => at({ [i]: b })[2] - at({ [i]: a })[2]));
  const ticks = axes.map((_, i) => axesOptions.ticks[i].map(({ x, text }) => [x / dataScale[i], text]));
  const grid = ranges.flatMap((range, i) => [...ticks[i].map(([value]) => value), ...range].flatMap((value) =>
    [(i + 1) % 3, (i + 2) % 3].map((side) => element("path", { stroke: GRID, "stroke-width": 0.6,
      d: through(ranges[3 - i - side].map((end) => at({ [i]: value, [side]: sides[side][0], [3 - i - side]: end }))) }))));
  const write = ([x, y], text, anchor = "middle") => element("text", { x: short(x), y: short(y + 4), "text-anchor": anchor, fill: DARK,
    "font-size": 13, "font-family": "Arial, Helvetica, sans-serif" }, String(text).replaceAll("&", "&amp;").replaceAll("<", "&lt;"));
  const floor = ranges[2][0], [x, y] = at({ 2: floor });
  const along = [0, 1].flatMap((i) => {
    const edge = (value) => at({ [i]: value, [1 - i]: sides[1 - i][1], 2: floor }), [right, down] = [edge()[0] - x, edge()[1] - y];
    const off = ([across, deep], by) => [across + by * right / Math.hypot(right, down), deep + by * down / Math.hypot(right, down)];
    return [...ticks[i].map(([value, text]) => write(off(edge(value), 16), text)), write(off(edge(), 40), axes[i].title.text ?? "")];
  });
  const corners = ranges[0].flatMap((one) => ranges[1].map((other) => ({ 0: one, 1: other })));
  const left = corners.toSorted((a, b) => at({ ...a, 2: floor })[0] - at({ ...b, 2: floor })[0])[0];
  const up = ticks[2].map(([value, text]) => [at({ ...left, 2: value }), text]).map(([[across, deep], text]) => write([across - 8, deep - 5], text, "end"));
  return [grid.join(""), [...along, ...up].join("")];
}

function spaceDrawing(plot, key, image) {
  const [left, top, width, height] = ["x", "y", "width", "height"].map((name) => Number(image.getAttribute(name)));
  const layout = plot._fullLayout[key], seen = lens(layout._scene, { x: left, y: top, width, height });
  const [grid, words] = spaceFrame(layout._scene, layout, seen);
  const pieces = plot._fullData.filter(({ scene = "scene", type, visible }) => isInSpace({ type }) && scene === key && visible === true)
    .flatMap((trace) => trace.type === "surface" ? surfacePieces(plot, trace, seen) : pointPieces(trace, seen));
  const drawn = pieces.toSorted(([far], [near]) => near - far).map(([, piece]) => piece).join("");
  return element("g", { fill: "none", "stroke-linejoin": "round" }, grid + drawn + words);
}

// The picture of a chart as an SVG element without points of colour.
async function vectorPicture(Plotly, plot) {
  const parsed = (text) => new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  const file = parsed(await Plotly.toImage(saved(plot), { format: "svg", imageDataOnly: true, ...savedSize(plot) }));
  const replace = (selector, drawings) => {
    const images = [...file.querySelectorAll(selector)];
    if (images.length !== drawings.length) return;
    images.forEach((image, i) => image.replaceWith(parsed(`<g xmlns="http://www.w3.org/2000/svg">${drawings[i](image)}</g>`)));
  };
  replace(".glimages image", (plot._fullLayout._subplots.gl3d ?? []).map((key) => (image) => spaceDrawing(plot, key, image)));
  // Plotly keeps what it has worked out of a map with the elements that it draws.
  const maps = [...plot.querySelectorAll(".heatmaplayer image")].map((image) => image.closest(".hm").__data__[0]);
  replace(".heatmaplayer image", maps.map((first) => () => mapDrawing(plot, first)));
  // As on the page: Plotly's dark grey is hard to read on a middling colour.
  file.querySelectorAll('.heatmap-label text[style*="rgb(68, 68, 68)"]').forEach((text) => { text.style.fill = "#000"; });
  return file;
}

// Pictures as pages of their own sizes, which the browser prints or saves as PDF: lines stay lines, and letters letters.
async function printPictures(Plotly, plots) {
  const frame = document.createElement("iframe");
  frame.className = "kept-pages";
  frame.title = "Pictures to print";
  document.body.append(frame);
  const { contentDocument: pages, contentWindow: view } = frame;
  pages.title = pictureName(plots[0]);
  const style = pages.createElement("style");
  pages.head.append(style);
  for (const [i, plot] of plots.entries()) {
    const file = await vectorPicture(Plotly, plot), page = pages.createElement("div"), { width, height } = savedSize(plot);
    style.textContent += `@page p${i} { size: ${width}px ${height}px; margin: 0 }`;
    page.style.page = `p${i}`;
    page.append(pages.importNode(file, true));
    pages.body.append(page);
  }
  style.textContent += "body { margin: 0 } svg { display: block }";
  view.addEventListener("afterprint", () => setTimeout(() => frame.remove()));
  view.focus();
  view.print();
}
