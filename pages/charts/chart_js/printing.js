// Width of a printed page in pixels: printing changes widths without a ResizeObserver noticing.
const PAPER = 680;
// The size and the cameras of a plot on paper. A scene in space gets narrow, and is cut off at its sides unless the camera steps
// back.
function onPaper(plot) {
  const { _fullLayout: layout } = plot, width = Math.min(PAPER, plot.clientWidth);
  plot.keptEyes = {};
  const scenes = scenesOf(layout);
  // A map beside a narrow scene is narrow, too: with less height it does not become a strip.
  const height = scenes.length ? Math.min(layout.height, Math.round(0.62 * width)) : layout.height;
  if (scenes.length) plot.keptEyes.height = layout.height;
  const further = scenes.map((key) => {
    const { domain, camera: { eye } } = layout[key];
    const [wide, high] = [width * (domain.x[1] - domain.x[0]), height * (domain.y[1] - domain.y[0])];
    plot.keptEyes[`${key}.camera.eye`] = { ...eye };
    return [`${key}.camera.eye`, Object.fromEntries(Object.entries(eye).map(([axis, at]) => [axis, at * Math.max(1, high / wide)]))];
  });
  return { width, ...(scenes.length && { height }), ...Object.fromEntries(further) };
}
const printed = () => [...document.querySelectorAll(".kept-plot")].filter((plot) => plot.keptReady && plot._fullLayout);
