// Draws the components of a file that has no server: each is called as Streamlit would call it, and nothing is sent anywhere.
const read = (id) => JSON.parse(document.getElementById(id).textContent);

async function unpacked(id) {
  const bytes = Uint8Array.from(atob(document.getElementById(id).textContent.trim()), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).blob();
}

// Plotly as a script of its own, which is evaluated once a chart asks for it.
const plotly = new Promise((done, failed) => {
  addEventListener("DOMContentLoaded", async () => {
    if (!document.getElementById("plotly").textContent.trim()) return;
    const script = document.createElement("script");
    script.onload = () => done(window.Plotly);
    script.onerror = failed;
    script.src = URL.createObjectURL(new Blob([await unpacked("plotly")], { type: "text/javascript" }));
    document.head.append(script);
  });
});

addEventListener("DOMContentLoaded", () => {
  const parts = read("parts");
  for (const { name, data } of parts) if (name === "kept_chart") (window.keptPlotly ??= {})[data.url] = plotly;
  for (const place of document.querySelectorAll("[data-part]")) {
    const { name, data } = parts[Number(place.dataset.part)];
    const draw = () => components[name]({ data, parentElement: place, setTriggerValue: () => {}, setStateValue: () => {} });
    draw();
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
  }
  for (const one of document.querySelectorAll("[data-question]")) ask(one, read("questions")[Number(one.dataset.question)]);
});

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;

// Questions of a lesson: a choice, a number, a curve to draw. What is asked for is hidden until it is answered or shown.
function ask(box, question) {
  const labels = read("labels"), reply = box.querySelector("[role=status]");
  const hidden = box.closest("section").querySelectorAll("[data-hidden]");
  const show = () => hidden.forEach((one) => one.removeAttribute("data-hidden"));
  const say = (isRight, text) => {
    reply.className = isRight ? "right" : "wrong";
    reply.textContent = `${isRight ? labels.right : labels.not_yet} ${text}`;
    if (isRight) show();
  };
  box.querySelector(".show")?.addEventListener("click", () => {
    show();
    reply.className = "";
    reply.textContent = `${labels.shown} ${question.shown}`;
    if (question.curve) drawCurve(true);
  });
  const form = box.querySelector("form");
  form?.addEventListener("submit", (event) => {
    event.preventDefault();
    if (question.kind === "choice") {
      const chosen = form.querySelector("input:checked");
      if (!chosen) reply.textContent = labels.nothing_chosen;
      else say(question.options[Number(chosen.value)].right, question.options[Number(chosen.value)].why);
      return;
    }
    const written = form.querySelector("input").value, unit = written.match(new RegExp(question.unit, "i"));
    const typed = (unit ? written.slice(0, unit.index) : written).replace(",", ".").replace("\u2212", "-").trim();
    const number = Number(typed), value = number / (question.share ? 100 : 1);
    const isFraction = question.share && !unit && (Math.abs(number - question.answer) <= question.tolerance
      || (number > 0 && number < 1 && question.answer > question.nearly_nothing));
    if (!NUMBER.test(typed)) reply.textContent = labels.no_number;
    else if (Math.abs(value - question.answer) <= question.tolerance + 1e-9) say(true, question.shown);
    else if (isFraction) reply.textContent = labels.no_percentage;
    else say(false, question.replies[value < question.answer ? "Too low" : "Too high"]);
  });
  const place = box.querySelector(".curve");
  const drawCurve = (real) => components.drawing({ parentElement: place,
    data: { ...question.curve.data, real: real ? question.curve.real : "", drawn: place.drawn ?? [] },
    setTriggerValue: (_, points) => {
      if (question.curve.fractions && Math.max(...points) > 0 && Math.max(...points) < question.curve.fractions) {
        reply.className = "";
        reply.textContent = labels.no_percentage;
        return;
      }
      place.drawn = points;
      drawCurve(true);
      show();
      // As `compare` in pages/learn/curves.py does.
      const { reals, bends, close, bend } = question.curve, end = question.curve.data.y.high;
      const mean = (values) => values.reduce((sum, one) => sum + one, 0) / values.length;
      const far = (differences) => mean(differences.map(Math.abs));
      // Straight lines through the five values that can be typed.
      const places = (points.length - 1) / 4, before = (i) => Math.min(3, Math.floor(i / places)) * places;
      const isTyped = points.every((one, i) => Math.abs(one - points[before(i)]
        - (points[before(i) + places] - points[before(i)]) * (i - before(i)) / places) < 1e-3 * end);
      const apart = points.map((one, i) => one / end - reals[Number(isTyped)][i]);
      const bent = Math.hypot(...bends.map((row) => row.reduce((sum, one, i) => sum + one * apart[i], 0)));
      const distance = end * far(apart);
      const reason = far(apart) <= close ? (bent <= bend ? "Close" : "Other shape")
        : Math.abs(mean(apart)) < 0.75 * far(apart) ? "Other shape" : mean(apart) > 0 ? "Too high" : "Too low";
      const told = question.curve.data.y.share ? Math.round(100 * distance) : Number(distance.toPrecision(2));
      reply.className = reason === "Close" ? "right" : "";
      reply.textContent = question.replies[reason].replaceAll("{distance}", told);
    } });
  if (question.curve) drawCurve(false);
}
