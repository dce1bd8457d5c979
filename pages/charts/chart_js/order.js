// Calls `act` when everything that was begun before on this chart has ended; resolves to what `act` returns. A chart that is drawn
// anew while a line moves would keep the frame of the former picture, and cut off what lies outside.
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

// Charts are drawn for the first time one by one, the uppermost in the window first, and the browser shows each before the next is
// drawn. Showing costs as much as drawing a small chart, so charts that together take less than AT_ONCE ms are shown together.
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
