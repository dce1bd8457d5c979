// What a classroom answers, as it comes in: counts of options, a histogram of numbers, drawn curves over each other.
const SVG_NAMES = "http://www.w3.org/2000/svg";
const WIDE = 520, HIGH = 170, EDGE = { left: 46, right: 24, top: 8, bottom: 30 };
const BINS = 20, LEAST_SPAN = 0.2;
const drawIn = (parent, name, attributes = {}, text = "") => {
  const one = parent.appendChild(document.createElementNS(SVG_NAMES, name));
  for (const [key, value] of Object.entries(attributes)) one.setAttribute(key, value);
  one.textContent = text;
  return one;
};
const asNumber = (text) => {
  const value = Number(String(text).replace("%", "").replace(",", ".").replace("\u2212", "-"));
  return String(text).replace("%", "").trim() === "" || !Number.isFinite(value) ? null : value;
};
const shortly = (value, share) => `${Number(value.toPrecision(3))}${share ? "%" : ""}`;

function chosenOptions(box, data, values, covered) {
  const list = box.appendChild(document.createElement("ul"));
  list.classList.toggle("judged", data.right !== null);
  data.options.forEach((text, i) => {
    const n = values.filter((one) => one === i).length, item = list.appendChild(document.createElement("li"));
    item.classList.toggle("right", data.right === i);
    item.appendChild(document.createElement("span")).textContent = plain(text);
    if (covered) return;
    const bar = item.appendChild(document.createElement("i"));
    bar.appendChild(document.createElement("i")).style.width = `${100 * n / Math.max(1, values.length)}%`;
    item.appendChild(document.createElement("b")).textContent = `${n}${data.right === i ? " ✓" : ""}`;
  });
}

function frame(box, x, label) {
  const svg = drawIn(box, "svg", { viewBox: `0 0 ${WIDE} ${HIGH}`, role: "img", "aria-label": label });
  const base = HIGH - EDGE.bottom;
  drawIn(svg, "path", { class: "axis", d: `M${EDGE.left} ${base}H${WIDE - EDGE.right}` });
  for (let i = 0; i <= 4; i++) {
    const value = x.low + (x.high - x.low) * i / 4, at = EDGE.left + (WIDE - EDGE.left - EDGE.right) * i / 4;
    drawIn(svg, "text", { x: at, y: base + 16, "text-anchor": "middle" }, shortly(x.share ? 100 * value : value, x.share || x.percent));
  }
  return svg;
}

function histogram(box, data, given) {
  const numbers = given.map((one) => one.value), right = data.right;
  const all = right === null ? numbers : [...numbers, right];
  let low = data.limits ? data.limits[0] : Math.min(...all), high = data.limits ? data.limits[1] : Math.max(...all);
  // An answer far outside is drawn at the edge: otherwise all others would lie on one spot.
  if (data.share) [low, high] = [Math.max(0, Math.min(low, 100)), Math.min(100, Math.max(high, 0))];
  // On a narrower axis an answer that is right would seem far from the right one.
  const least = Math.max(LEAST_SPAN * Math.max(Math.abs(low), Math.abs(high)), data.share ? 2 : 1e-3);
  const missing = (data.limits ? 0 : least) - (high - low);
  if (missing > 0) [low, high] = [low - missing / 2, high + missing / 2];
  if (data.share) [low, high] = [Math.max(0, low - Math.max(0, high - 100)), Math.min(100, high - Math.min(0, low))];
  if (!(high > low)) [low, high] = [low - 1, low + 1];
  const x = { low, high, percent: data.share }, base = HIGH - EDGE.bottom;
  const svg = frame(box, x, `${data.labels.answers}: ${numbers.map((one) => shortly(one, data.share)).join(", ")}`);
  const counts = new Array(BINS).fill(0);
  numbers.forEach((one) => { counts[Math.min(BINS - 1, Math.max(0, Math.floor((one - low) / (high - low) * BINS)))] += 1; });
  const most = Math.max(1, ...counts), step = (WIDE - EDGE.left - EDGE.right) / BINS;
  counts.forEach((n, i) => {
    const height = (base - EDGE.top) * n / most;
    drawIn(svg, "rect", { class: "bin", x: EDGE.left + i * step + 1, y: base - height, width: step - 2, height });
  });
  drawIn(svg, "text", { x: EDGE.left - 6, y: EDGE.top + 10, "text-anchor": "end" }, String(most));
  if (right !== null) {
    const at = EDGE.left + (WIDE - EDGE.left - EDGE.right) * (right - low) / (high - low);
    drawIn(svg, "path", { class: "right", d: `M${at} ${EDGE.top}V${base}` });
  }
}

function drawnCurves(box, data, values) {
  const { x, y } = data.axes, base = HIGH - EDGE.bottom;
  const svg = frame(box, x, `${y.label}, ${x.label}: ${values.length}`);
  const toX = (value) => EDGE.left + (WIDE - EDGE.left - EDGE.right) * (value - x.low) / (x.high - x.low);
  const toY = (value) => EDGE.top + (base - EDGE.top) * (1 - Math.min(1, Math.max(0, (value - y.low) / (y.high - y.low))));
  for (const value of [y.low, y.high])
    drawIn(svg, "text", { x: EDGE.left - 6, y: toY(value) + 4, "text-anchor": "end" }, shortly(y.share ? 100 * value : value, y.share));
  drawIn(svg, "text", { x: (WIDE + EDGE.left) / 2, y: HIGH - 2, "text-anchor": "middle" }, x.label);
  const path = (xs, ys) => xs.map((one, i) => `${i ? "L" : "M"}${toX(one).toFixed(1)} ${toY(ys[i]).toFixed(1)}`).join("");
  const opacity = Math.max(0.12, Math.min(0.7, 6 / Math.max(1, values.length)));
  for (const curve of values) {
    const at = curve.map((_, i) => x.low + (x.high - x.low) * i / (curve.length - 1));
    drawIn(svg, "path", { class: "drawn", d: path(at, curve), "stroke-opacity": opacity });
  }
  if (data.curve) drawIn(svg, "path", { class: "right", d: path(data.curve.x, data.curve.y) });
}

// In a hall the question lies large over the page, in the middle: its text as the strip has drawn it, and the answers below.
const IS_WIDE = matchMedia("(min-width: 1000px)");
function hallOf(box, data, parentElement) {
  const hall = box.querySelector(".classroom-hall"), strip = box.closest(".st-key-lesson");
  const texts = strip?.querySelectorAll(".st-key-lesson-text [data-testid=stMarkdownContainer], .st-key-lesson-asked > * > [data-testid=stMarkdown] [data-testid=stMarkdownContainer]") ?? [];
  hall.style.background = getComputedStyle(parentElement).getPropertyValue("--st-background-color");
  hall.replaceChildren();
  const code = hall.appendChild(document.createElement("div"));
  code.className = "hall-code";
  code.textContent = data.code.replace(/^.{4}/, "$& ");
  [...texts].forEach((text, i) => {
    const copy = hall.appendChild(document.createElement("div"));
    copy.className = i === texts.length - 1 ? "hall-question" : "hall-text";
    copy.innerHTML = text.innerHTML;
  });
  const counts = hall.appendChild(document.createElement("div"));
  counts.className = "hall-counts";
  return { hall, counts, picture: hall.appendChild(document.createElement("div")) };
}

const fill = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => values[name]);

export default function ({ data, parentElement, setTriggerValue }) {
  const box = parentElement.querySelector(".classroom-answers"), [head, picture] = box.children;
  const [counts, toggle, large] = head.children, list = data.labels.answers;
  picture.setAttribute("role", "group");
  picture.setAttribute("aria-label", list);
  box.headers = { "x-teacher": data.secret };
  if (box.question !== data.question) {
    Object.assign(box, { question: data.question, values: [], stamp: "", present: box.present ?? 0, folded: true,
      isLarge: IS_WIDE.matches });
    box.abort?.abort();
  }
  const draw = () => {
    const { values } = box, now = box.data, answered = values.length;
    const said = [fill(now.labels.present, box), ...(now.kind ? [fill(now.labels.answered, { answered })] : [])];
    picture.replaceChildren();
    // What is right is shown to all: then the votes are, too.
    if (now.revealed && !box.wasRevealed) box.folded = false;
    box.wasRevealed = now.revealed;
    const hall = hallOf(box, now, parentElement), isLarge = Boolean(box.isLarge && now.kind);
    hall.hall.hidden = !isLarge;
    large.hidden = !now.kind;
    large.textContent = isLarge ? now.labels.page : now.labels.hall;
    const place = isLarge ? hall.picture : picture;
    toggle.hidden = !now.kind;
    toggle.setAttribute("aria-expanded", String(!box.folded));
    toggle.textContent = box.folded ? now.labels.show_answers : now.labels.hide_answers;
    if (now.kind === "choice" && (isLarge || !box.folded)) chosenOptions(place, now, values, box.folded);
    else if (now.kind && box.folded) place.textContent = now.labels.covered;
    else if (now.kind) {
      if (!answered) place.textContent = now.labels.no_answers;
      else if (now.kind === "draw" && now.axes) drawnCurves(place, now, values);
      else if (now.kind === "number") {
        const numbers = values.map(asNumber).filter((one) => one !== null), n = answered - numbers.length;
        if (n) said.push(fill(now.labels.unclear, { n }));
        if (numbers.length) histogram(place, now, numbers.map((value) => ({ value })));
      } else if (now.kind === "find") {
        histogram(place, now, values.map((one) => ({ value: now.times * one.value })));
        if (now.revealed) {
          const right = values.filter((one) => one.right).length;
          said.push(fill(now.labels.judged, { right, wrong: answered - right }));
        }
      }
    }
    counts.textContent = hall.counts.textContent = said.join(" · ");
    box.dataset.answered = String(answered);
  };
  box.data = data;
  box.follow = () => setTriggerValue("changed", box.seen);
  toggle.onclick = () => { box.folded = !box.folded; draw(); };
  large.onclick = () => { box.isLarge = !box.isLarge; draw(); };
  // The texts of the strip are drawn after this component when a step begins.
  clearTimeout(box.later);
  box.later = setTimeout(draw, 400);
  draw();
  listen(box, () => box.data.url, () => ({ question: box.question, since: box.stamp }), (answer) => {
    if (!answer.values) return false;
    Object.assign(box, { values: answer.values, stamp: answer.stamp, present: answer.present, seen: answer.version });
    draw();
    // Another device of the teacher has gone on; what this one has done itself is drawn by then.
    clearTimeout(box.follows);
    if (answer.look !== box.data.look) box.follows = setTimeout(() => {
      if (box.isConnected && !isLeaving() && answer.look !== box.data.look) box.follow();
    }, 1500);
  });
}
