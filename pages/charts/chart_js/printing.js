// Width of a printed page in pixels: printing changes widths without a ResizeObserver noticing.
const PAPER = 680;
// So low is a flat chart on paper that two of them lie on the first page, instead of one above an empty half.
const PAPER_HEIGHT = 320;
// The size and the cameras of a plot on paper. A scene in space gets narrow, and is cut off at its sides unless the camera steps
// back.
function onPaper(plot) {
  const { _fullLayout: layout } = plot, width = PAPER;
  plot.keptEyes = {};
  const scenes = scenesOf(layout);
  // A map beside a narrow scene is narrow, too: with less height it does not become a strip.
  const isLow = Object.keys(layout).filter((key) => key.startsWith("yaxis")).length === 1 && layout.yaxis.type !== "category";
  const most = scenes.length ? Math.round(0.62 * width) : isLow ? PAPER_HEIGHT : Infinity;
  const height = Math.min(layout.height, most);
  if (height < layout.height) plot.keptEyes.height = layout.height;
  const further = scenes.map((key) => {
    const { domain, camera: { eye } } = layout[key];
    const [wide, high] = [width * (domain.x[1] - domain.x[0]), height * (domain.y[1] - domain.y[0])];
    plot.keptEyes[`${key}.camera.eye`] = { ...eye };
    return [`${key}.camera.eye`, Object.fromEntries(Object.entries(eye).map(([axis, at]) => [axis, at * Math.max(1, high / wide)]))];
  });
  return { width, height, ...Object.fromEntries(further) };
}
const printed = () => [...document.querySelectorAll(".kept-plot")].filter((plot) => plot.keptReady && plot._fullLayout);
