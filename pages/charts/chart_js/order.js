// Plotly does one thing after the other to a chart: drawn anew while a line moves, it would keep the frame of the former picture,
// and cut off what lies outside. Returns what `act` gives.
function inTurn(plot, act) {
  const turn = async () => {
    plot.keptDraws = true;
    try {
      await plot.keptFollow?.moving;
      return await act();
    } finally {
      plot.keptDraws = false;
      followWaiting(plot);
    }
  };
  plot.keptLast = (plot.keptLast ?? Promise.resolve()).catch(() => {}).then(turn);
  return plot.keptLast;
}

// The first pictures of charts: the uppermost in the window first, each seen before the next is drawn. Where a chart takes so few
// milliseconds that nobody sees the difference, the next is drawn before the frame, which costs as much as a chart.
const AT_ONCE = 50;
function oneByOne(plot, draw) {
  return new Promise((done, failed) => {
    (window.keptQueue ??= []).push({ plot, draw, done, failed });
    // Charts that came together are all in the queue before the first is chosen.
    window.keptTurn ??= setTimeout(drawNext);
  });
}
function drawNext() {
  const queue = window.keptQueue;
  const place = ({ plot }) => {
    const { top, bottom, height } = plot.getBoundingClientRect();
    return !height ? Infinity : bottom < 0 ? 1e6 - bottom : top;
  };
  const places = queue.map(place), next = places.indexOf(Math.min(...places));
  if (next < 0) {
    window.keptTurn = window.keptBegan = null;
    return;
  }
  const [{ draw, done, failed }] = queue.splice(next, 1);
  window.keptBegan ??= performance.now();
  Promise.resolve().then(draw).then(done, failed).then(() => {
    if (performance.now() - window.keptBegan < AT_ONCE) return drawNext();
    window.keptBegan = null;
    // A tab in the background has no frames to wait for.
    return document.hidden ? setTimeout(drawNext) : requestAnimationFrame(() => setTimeout(drawNext));
  });
}
