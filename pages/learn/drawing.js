// In a low window with the strip below the page, the boxes for typed values have to stay in sight.
const IS_LOW = matchMedia("(min-width: 769px) and (max-width: 1599px) and (max-height: 800px)").matches;
const HEIGHT = IS_LOW ? 160 : 190, LEFT = 62, RIGHT = 24, TOP = 8, BOTTOM = 40;
const SVG = "http://www.w3.org/2000/svg";
const TYPED = 5;

const make = (parent, name, attributes = {}, text = "") => {
  const one = parent.appendChild(document.createElementNS(SVG, name));
  for (const [key, value] of Object.entries(attributes)) one.setAttribute(key, value);
  one.textContent = text;
  return one;
};
// A number with a decimal point or comma, perhaps with a percent sign, and a minus as a keyboard or as a text has it.
const typed = (text) => text.trim() === "" ? NaN : Number(text.replace("%", "").replace(",", ".").replace("\u2212", "-"));
const written = (value, axis) => axis.share ? `${Math.round(100 * value)}%`
  // Sizes of samples are whole.
  : String(axis.whole ? Math.round(value) : Number(value.toPrecision(3)));

// From values to places in the picture, and back. It is as wide as there is room, so that its words keep their size.
function placesIn(box, { x, y, n }) {
  const width = Math.min(544, Math.max(280, box.clientWidth || 544)), right = width - RIGHT, floor = HEIGHT - BOTTOM;
  return {
    width, right, floor,
    toX: (value) => LEFT + (right - LEFT) * (value - x.low) / (x.high - x.low),
    toY: (value) => TOP + (floor - TOP) * (1 - (value - y.low) / (y.high - y.low)),
    at: (i) => x.low + (x.high - x.low) * i / (n - 1),
    // The number of the point under a mouse or finger, and the value there, both within the axes.
    under: (event, area) => {
      const across = (event.clientX - area.left) * width / area.width, up = (event.clientY - area.top) * HEIGHT / area.height;
      const i = Math.min(n - 1, Math.max(0, Math.round((across - LEFT) / (right - LEFT) * (n - 1))));
      return { i, value: Math.min(y.high, Math.max(y.low, y.low + (y.high - y.low) * (1 - (up - TOP) / (floor - TOP)))) };
    },
  };
}

function drawAxes(svg, { width, right, floor, toX, toY }, x, y) {
  for (let i = 0; i <= 4; i++) {
    const across = x.low + (x.high - x.low) * i / 4, up = y.low + (y.high - y.low) * i / 4;
    make(svg, "line", { class: "grid", x1: LEFT, x2: right, y1: toY(up), y2: toY(up) });
    make(svg, "line", { class: "grid", x1: toX(across), x2: toX(across), y1: TOP, y2: floor });
    if (i % 2 === 0) make(svg, "text", { x: LEFT - 6, y: toY(up) + 4, "text-anchor": "end" }, written(up, y));
    make(svg, "text", { x: toX(across), y: floor + 16, "text-anchor": "middle" }, written(across, x));
  }
  make(svg, "path", { class: "axis", d: `M${LEFT} ${TOP}V${floor}H${right}` });
  make(svg, "text", { x: (LEFT + width) / 2, y: HEIGHT - 6, "text-anchor": "middle" }, x.label);
  make(svg, "text", { transform: `translate(13 ${floor / 2 + TOP}) rotate(-90)`, "text-anchor": "middle" }, y.label);
}

// The curve of the page over the drawn one, and both in words.
function drawReal(svg, real, points, { right, floor, toX, toY, at }, spots, { x, y, labels }) {
  const nearest = (one) => real.x.reduce((best, each, i) => Math.abs(each - one) < Math.abs(real.x[best] - one) ? i : best, 0);
  const told = (i, value) => `${labels.at.replace("{x}", written(at(i), x))} ${written(value, y)}`;
  // Somebody who has the curve shown may have drawn nothing, or a part of it.
  const mine = spots.filter((i) => points[i] !== null).map((i) => told(i, points[i]));
  const words = [[labels.your_curve, mine], [labels.real_curve, spots.map((i) => told(i, real.y[nearest(at(i))]))]];
  svg.setAttribute("aria-label", words.filter(([, values]) => values.length).map(([name, values]) => `${name}: ${values.join(", ")}`).join("; "));
  // What is higher than the frame leaves it.
  make(make(svg, "clipPath", { id: "drawing-frame" }), "rect", { x: LEFT, y: TOP, width: right - LEFT, height: floor - TOP + 2 });
  const line = real.x.map((one, i) => `${i ? "L" : "M"}${toX(one)} ${toY(real.y[i])}`).join("");
  make(svg, "path", { class: "real", "clip-path": "url(#drawing-frame)", d: line });
}

// Between drawn points, and beyond the first and last one, the curve is continued in straight lines.
function continued(points) {
  const known = points.flatMap((value, i) => value === null ? [] : [[i, value]]);
  return points.map((value, i) => {
    if (value !== null) return value;
    const before = known.findLast(([j]) => j < i), after = known.find(([j]) => j > i);
    if (!before || !after) return (before ?? after)[1];
    return before[1] + (after[1] - before[1]) * (i - before[0]) / (after[0] - before[0]);
  });
}

// A fast pointer skips points; they lie on the line between the two that it was seen at.
function drawBetween(points, from, { i, value }) {
  for (let j = Math.min(from.i, i); j <= Math.max(from.i, i); j++)
    points[j] = i === from.i ? value : from.value + (value - from.value) * (j - from.i) / (i - from.i);
}

export default function ({ data, parentElement, setTriggerValue }) {
  const box = parentElement.querySelector(".drawing"), { x, y, n, labels } = data;
  const kept = box.kept ??= { points: new Array(n).fill(null) };
  const stamp = JSON.stringify(data);
  if (kept.stamp === stamp) return;
  kept.stamp = stamp;
  if (data.drawn.length === n) kept.points = [...data.drawn];
  const done = Boolean(data.real);
  box.toggleAttribute("data-done", done);
  const places = placesIn(box, data), { toX, toY, at } = places;
  const spots = Array.from({ length: TYPED }, (_, i) => Math.round(i * (n - 1) / (TYPED - 1)));

  const hadFocus = box.contains(document.activeElement);
  box.replaceChildren();
  const hint = box.appendChild(document.createElement("p"));
  hint.setAttribute("aria-live", "polite");
  const hasMine = kept.points.some((value) => value !== null);
  hint.textContent = done ? `${hasMine ? `— ${labels.your_curve}; ` : ""}- - ${labels.real_curve}` : labels.draw;
  const svg = make(box, "svg", { viewBox: `0 0 ${places.width} ${HEIGHT}`, role: "img", "aria-label": `${y.label}, ${x.label}` });
  drawAxes(svg, places, x, y);
  const mine = make(svg, "path", { class: "mine" });
  if (done) {
    // The pressed button is gone: the keyboard's focus moves to the answer.
    if (hadFocus) Object.assign(hint, { tabIndex: -1 }).focus({ preventScroll: true });
    drawReal(svg, JSON.parse(data.real), kept.points, places, spots, data);
  }

  const form = box.appendChild(document.createElement("div"));
  form.className = "drawing-typed";
  form.hidden = done;
  const inputs = spots.map((place) => {
    const label = form.appendChild(document.createElement("label"));
    label.append(labels.at.replace("{x}", written(at(place), x)));
    const input = label.appendChild(document.createElement("input"));
    Object.assign(input, { type: "text", inputMode: "decimal", placeholder: y.share ? "%" : "",
      title: y.share ? `${y.label}, %` : y.label });
    input.oninput = () => type();
    return input;
  });
  const buttons = form.appendChild(document.createElement("div"));
  buttons.className = "drawing-buttons";
  const button = (text, act) => {
    const one = buttons.appendChild(document.createElement("button"));
    Object.assign(one, { type: "button", textContent: text, onclick: act });
    return one;
  };
  const emptied = () => inputs.forEach((input) => { Object.assign(input, { value: "", ariaInvalid: "false" }); });
  const clear = () => {
    kept.points = new Array(n).fill(null);
    emptied();
    show();
  };
  button(labels.clear, clear);
  const status = box.appendChild(document.createElement("p"));
  status.setAttribute("role", "status");
  const send = button(labels.done, async () => {
    if (!data.post) return setTriggerValue("drawn", continued(kept.points));
    status.textContent = "…";
    tell(status, await sendAnswer(data.post, continued(kept.points).map((value) => Number(value.toPrecision(4)))));
  });
  let isOpen = true, pointer = null;

  const show = () => {
    const reach = kept.points.flatMap((value, i) => value === null ? [] : [i]), first = reach[0], end = reach[reach.length - 1];
    // A curve is enough for an answer if it spans most of the axis; a shorter one is not continued.
    const isEnough = reach.length > 0 && end - first >= 0.7 * (n - 1);
    const drawn = done || !reach.length ? kept.points : continued(kept.points);
    const line = drawn.flatMap((value, i) => value === null ? [] : [[toX(at(i)), toY(value)]]);
    const seen = isEnough || done ? line : line.slice(first, end + 1);
    mine.setAttribute("d", seen.map(([across, down], i) => `${i ? "L" : "M"}${across} ${down}`).join(""));
    const isUnclear = inputs.some((input) => input.ariaInvalid === "true");
    send.disabled = !isOpen || !isEnough || isUnclear;
    // Not before the pointer is up, and in a line that is there already: the axes must hold still.
    if (!done && !pointer) hint.textContent = isUnclear ? (y.share ? labels.no_percentage : labels.no_number) : reach.length && !isEnough ? labels.draw_more : labels.draw;
  };
  const type = () => {
    const times = y.share ? 100 : 1;
    kept.points = new Array(n).fill(null);
    spots.forEach((place, i) => {
      const value = typed(inputs[i].value) / times, outside = y.share && (value < 0 || value > 1);
      const unclear = inputs[i].value !== "" && (Number.isNaN(value) || outside);
      inputs[i].ariaInvalid = String(unclear);
      if (inputs[i].value !== "" && !unclear) kept.points[place] = Math.min(y.high, Math.max(y.low, value));
    });
    show();
  };
  const draw = (event) => {
    const seen = places.under(event, svg.getBoundingClientRect());
    emptied();
    drawBetween(kept.points, pointer ?? seen, seen);
    pointer = seen;
    show();
  };
  if (!done) {
    svg.onpointerdown = (event) => {
      event.preventDefault();
      try { svg.setPointerCapture(event.pointerId); } catch { /* The pointer is gone already. */ }
      pointer = null;
      draw(event);
    };
    svg.onpointermove = (event) => { if (pointer) draw(event); };
    svg.onpointerup = svg.onpointercancel = () => {
      pointer = null;
      show();
    };
  }
  show();
  if (!data.post || done) return;
  if (data.drawn.length === n) status.textContent = data.post.labels.sent;
  hearOpen(box, data.post, (open) => {
    isOpen = open;
    if (!open) status.textContent = data.post.labels.closed;
    show();
  });
}
