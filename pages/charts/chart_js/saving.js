// Saving a chart as a picture.
const icon = (word, width = 30) => ({ svg: `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} 16" width="${width}" height="16">` +
  `<text x="${width / 2}" y="12" text-anchor="middle" font-size="12" font-weight="700" font-family="sans-serif">${word}</text></svg>` });

// Of a title with two lines Plotly puts the first on the edge, not below it.
const FIRST_LINE = 12;

// A saved picture stands alone: on white, in a font that every machine has, with what it was made of.
function saved(plot) {
  const dark = "#1B1F24", line = "#C8CDD2", axis = { gridcolor: "#E6E9EC", linecolor: line, tickcolor: line, color: dark, title: { font: { size: 13 } } };
  const { title, margin, ...rest } = structuredClone(plot.layout);
  const template = { layout: { font: { color: dark, family: "Arial, Helvetica, sans-serif", size: 13 }, xaxis: axis, yaxis: axis } };
  const text = title?.text ? title.text + `<br><sub>${plot.dataset.made}</sub>` : plot.dataset.made;
  const layout = { ...rest, template, title: { ...title, text, pad: { ...title?.pad, t: (title?.pad?.t ?? 0) + FIRST_LINE } }, paper_bgcolor: "#fff", plot_bgcolor: "#fff",
    margin: { ...margin, t: (margin?.t ?? 48) + 18 }, width: plot.clientWidth, height: plot.clientHeight + 18 };
  // A band that is not pointed at is not in the picture.
  const seen = ({ meta, legendgroup }) => meta !== POINTED_AT || legendgroup === plot.keptPointed;
  return { data: plot.data.filter(seen), layout };
}

function saveButton(Plotly, format) {
  const word = format.toUpperCase();
  return { name: "save-" + format, title: "Save as " + word, icon: icon(word),
    click: (plot) => Plotly.downloadImage(saved(plot), { format, scale: format === "png" ? 2 : 1,
      filename: [plot.dataset.name, plot.dataset.made].join("-").replaceAll(/[^A-Za-z0-9]+/g, "-").replace(/-$/, ""),
      width: plot.clientWidth, height: plot.clientHeight + 18 }) };
}

// The picture as PNG in the clipboard, for a slide or a mail.
function copyButton(Plotly) {
  return { name: "copy", title: "Copy the picture", icon: icon("COPY", 40),
    click: async (plot) => {
      const size = { width: plot.clientWidth, height: plot.clientHeight + 18 };
      const address = await Plotly.toImage(saved(plot), { format: "png", scale: 2, ...size });
      const picture = await (await fetch(address)).blob();
      await navigator.clipboard.write([new ClipboardItem({ "image/png": picture })]);
      plot.dataset.copied = picture.size;
    } };
}

// The chart alone on the whole screen, and back by the same button or Escape.
const WHOLE_SCREEN = { name: "whole-screen", title: "Fill the screen", icon: icon("⛶", 22),
  click: (plot) => document.fullscreenElement ? document.exitFullscreen() : plot.closest(".kept-chart").requestFullscreen() };
