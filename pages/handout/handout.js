// Draws the components of a file that has no server: each is called as Streamlit would call it, and nothing is sent anywhere.
// The views of a talk share what the file around them holds.
const held = (id) => {
  const own = document.getElementById(id);
  return (own.dataset.of === "talk" ? parent.document.getElementById(id) : own).textContent.trim();
};

async function unpacked(id) {
  const bytes = Uint8Array.from(atob(held(id)), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).blob();
}

// Plotly as a script of its own, which is evaluated once a chart asks for it.
const plotly = new Promise((done, failed) => {
  addEventListener("DOMContentLoaded", async () => {
    if (!held("plotly")) return;
    const script = document.createElement("script");
    script.onload = () => done(window.Plotly);
    script.onerror = failed;
    script.src = URL.createObjectURL(new Blob([await unpacked("plotly")], { type: "text/javascript" }));
    document.head.append(script);
  });
});

// A view that leads to a section begins there, below the bar: what is drawn above it meanwhile does not push it away.
function lead() {
  const section = document.getElementById("section"), bar = document.querySelector("main > .bar");
  if (!section) return;
  const main = document.querySelector("main");
  const watch = new ResizeObserver(() => scrollBy(0, section.getBoundingClientRect().top - (bar?.offsetHeight ?? 0)));
  for (const act of ["wheel", "pointerdown", "keydown"]) addEventListener(act, () => watch.disconnect(), { capture: true });
  watch.observe(main);
}

addEventListener("DOMContentLoaded", () => {
  lead();
  const parts = JSON.parse(document.getElementById("parts").textContent);
  for (const { name, data } of parts) if (name === "kept_chart") (window.keptPlotly ??= {})[data.url] = plotly;
  for (const place of document.querySelectorAll("[data-part]")) {
    const { name, data } = parts[Number(place.dataset.part)];
    const draw = () => components[name]({ data, parentElement: place, setTriggerValue: () => {}, setStateValue: () => {} });
    draw();
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
  }
});
