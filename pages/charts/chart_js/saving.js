// Saving a chart as a picture.
const icon = (word) => ({ svg: `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 30 16" width="30" height="16">` +
  `<text x="15" y="12" text-anchor="middle" font-size="12" font-weight="700" font-family="sans-serif">${word}</text></svg>` });

// Pixels by which a title of several lines moves down.
const FIRST_LINE = 12;

// The names under a title with the colours that they had before the page's theme, made legible on white.
function recoloured({ subtitle, kept }, dark) {
  const colours = kept?.subtitle?.text.match(/#[0-9a-f]{6}/gi) ?? [];
  return subtitle.text.replace(/color:[^']*/g, () => `color:${nearer(colours.shift() ?? dark, dark)}`);
}

// What a picture was made of, with the value that is shown of what it follows.
const madeOf = (plot) => [plot.dataset.made, ...(plot.keptFollow?.follows ?? []).map(({ called, values }, i) =>
  called && `${called} ${Number(values[plot.keptIndices[i]].toFixed(4))}`)].filter(Boolean).join(", ");

// Room for the line that says what a picture was made of.
const ABOVE = 18;
const savedSize = (plot) => ({ width: plot.clientWidth, height: plot.clientHeight + ABOVE });

// A saved picture stands alone: on white, in a font that every machine has, with what it was made of.
function saved(plot) {
  const dark = "#1B1F24", line = "#C8CDD2", axis = { gridcolor: "#E6E9EC", linecolor: line, tickcolor: line, color: dark, title: { font: { size: 13 } } };
  const { title, margin, ...rest } = structuredClone(plot.layout);
  const template = { layout: { font: { color: dark, family: "Arial, Helvetica, sans-serif", size: 13 }, xaxis: axis, yaxis: axis } };
  // The names of files and data sets are texts; Plotly would read tags in them.
  const made = madeOf(plot).replaceAll("<", "&lt;"), text = title?.text ? title.text + `<br><sub>${made}</sub>` : made;
  const under = title?.subtitle && { subtitle: { ...title.subtitle, text: recoloured(title, dark) } };
  const layout = { ...rest, annotations: legible(rest.annotations, dark), template, title: { ...title, ...under, text, pad: { ...title?.pad, t: (title?.kept?.pad?.t ?? title?.pad?.t ?? 0) + FIRST_LINE } }, paper_bgcolor: "#fff", plot_bgcolor: "#fff",
    margin: { ...margin, t: (margin?.t ?? 48) + ABOVE }, ...savedSize(plot) };
  // A band that is not pointed at is not in the picture.
  const seen = ({ meta, legendgroup }) => meta !== POINTED_AT || legendgroup === plot.keptPointed;
  return { data: plot.data.filter(seen), layout };
}

const pictureName = (plot) =>
  [plot.dataset.name, madeOf(plot)].join("-").replaceAll(/[^A-Za-z0-9.]+|\.(?!\d)/g, "-").replace(/-$/, "");

function saveButton(Plotly, format) {
  const word = format.toUpperCase(), save = {
    png: (plot) => Plotly.downloadImage(saved(plot), { format, scale: 2, filename: pictureName(plot), ...savedSize(plot) }),
    svg: async (plot) => {
      const text = new XMLSerializer().serializeToString(await vectorPicture(Plotly, plot)), link = document.createElement("a");
      link.href = URL.createObjectURL(new Blob([text], { type: "image/svg+xml" }));
      link.download = `${pictureName(plot)}.svg`;
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 60000);
    },
  };
  return { name: "save-" + format, title: "Save as " + word, icon: icon(word), click: save[format] };
}

const COPY = { width: 16, height: 16, path: "M5 1h9v10h-3v4H2V5h3V1zm1.5 4H11v4.5h1.5v-7h-6V5zm-3 1.5v7h6v-7h-6z" };
const CORNERS = { width: 16, height: 16, path: "M1 1h5v2H3v3H1V1zm9 0h5v5h-2V3h-3V1zM1 10h2v3h3v2H1v-5zm12 0h2v5h-5v-2h3v-3z" };

// Browsers allow writing to the clipboard only on pages that come by https or from this machine.
const canCopy = () => Boolean(navigator.clipboard?.write && window.ClipboardItem);

function say(plot, text) {
  const note = document.createElement("p");
  note.className = "kept-note";
  note.setAttribute("role", "status");
  note.textContent = text;
  plot.closest(".kept-chart").append(note);
  setTimeout(() => note.remove(), 2500);
}

// The picture as PNG in the clipboard, for a slide or a mail.
function copyButton(Plotly) {
  return { name: "copy", title: "Copy the picture", icon: COPY,
    click: async (plot) => {
      try {
        const address = await Plotly.toImage(saved(plot), { format: "png", scale: 2, ...savedSize(plot) });
        const picture = await (await fetch(address)).blob();
        await navigator.clipboard.write([new ClipboardItem({ "image/png": picture })]);
        plot.dataset.copied = picture.size;
        say(plot, "Picture copied");
      } catch {
        say(plot, "The browser does not allow copying; save it as PNG.");
      }
    } };
}

// The chart alone on the whole screen, and back by the same button or Escape.
const WHOLE_SCREEN = { name: "whole-screen", title: "Fill the screen", icon: CORNERS,
  click: (plot) => (document.fullscreenElement ? document.exitFullscreen() : plot.closest(".kept-chart").requestFullscreen())
    .catch(() => say(plot, "The browser does not allow the whole screen.")) };
