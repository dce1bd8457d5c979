// Where labels or a legend need more margin than a figure has, Plotly finds out while it draws, and draws once more: a third of
// its time. A chart of the same traces that has been drawn in the same size before begins with the margins that it took then.
function withMargins(plot, traces, layout, times, draw) {
  const known = (window.keptMargins ??= {}), own = layout.margin;
  const place = [plot.dataset.name, plot.dataset.made, ...traces.map(({ name }) => name), plot.clientWidth, layout.height, times].join();
  const begun = !plot.keptReady && known[place];
  if (begun) layout.margin = Object.fromEntries(Object.entries(begun).map(([side, room]) => [side, Math.max(own[side] ?? 0, room)]));
  return draw(layout).then(() => {
    const { _size: taken } = plot._fullLayout;
    known[place] = Object.fromEntries(["l", "r", "t", "b"].map((side) => [side, Math.ceil(taken[side])]));
    // In another size, or with other labels, it may take less.
    if (begun) plot.layout.margin = own;
  });
}
