"""Where the cells of a heatmap lie in the window."""

from playwright.sync_api import Page

_CELL = """([chart, name, prevalence, size]) => {
  const plot = document.querySelector(`.kept-plot[data-name=${chart}]`);
  const trace = plot.data.find((one) => one.name === name), layout = plot._fullLayout;
  const axis = (letter) => layout[letter + "axis" + (trace[letter + "axis"] ?? letter).slice(1)];
  const x = axis("x"), y = axis("y"), box = plot.getBoundingClientRect();
  return [box.left + x._offset + x.d2p(prevalence), box.top + y._offset + y.d2p(y._categories.indexOf(size))];
}"""


def cell(page: Page, chart: str, method: str, prevalence: float, size: str) -> tuple[float, float]:
    """The middle of a cell, after its chart has been brought into view."""
    page.locator(f".kept-plot[data-name={chart}]").scroll_into_view_if_needed()
    page.wait_for_timeout(200)
    x, y = page.evaluate(_CELL, [chart, method, prevalence, size])
    return float(x), float(y)
