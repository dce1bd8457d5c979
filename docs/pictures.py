"""Takes pictures of the app: `python -m docs.pictures` for the README, with --lessons for the cards of the lessons.

Both need the group dev of pyproject.toml and a browser, as tests do.
"""

import argparse
import base64
import io
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page, sync_playwright

from pages.learn.library import LESSONS
from tests.browser import chromium
from tests.browser.server import serve

PICTURES = {"home.png": "/"}
"""File -> the view that it shows."""
OF_LESSONS = {
    "counting": ("/?today=0.1", "home"),
    "correction": ("/corrections?data=waveform&p=0.7&threshold=0.5", "correction"),
    "threshold": ("/corrections?data=waveform&p=0.7&threshold=0.5", "rates"),
    "beyond-thresholds": ("/estimate?data=waveform&sample_share=0.3&size=300", "mixture"),
    "small-samples": ("/test-size?data=waveform", "winners"),
    "losses": ("/losses?true_p=0.2", "shapes"),
    "dataset-shift": ("/corrections?data=waveform&corrections_section=When+it+breaks&threshold=0.5", "degradation"),
    "own-sample": ("/estimate?way=An+example&sample_share=0.4", "intervals"),
    "judge": ("/estimate?way=a+share+over+time&sample_draw=10", "over-time"),
}
"""Lesson -> a view of it, and the chart that stands on its card."""
_DRAWN = """() => document.querySelector('[data-testid=stApp]').dataset.testScriptState === 'notRunning'
  && document.querySelectorAll('[data-drawn]').length"""
# A chart without words on a transparent ground: the shapes alone, for a light and for a dark page.
_SMALL = """async (name) => {
  const plot = document.querySelector(`.kept-plot[data-name="${name}"]`), layout = structuredClone(plot.layout);
  const axes = Object.keys(layout).filter((key) => /^[xy]axis/.test(key));
  axes.forEach((key) => Object.assign(layout[key], { title: { text: "" }, showticklabels: false, ticks: "", showgrid: false }));
  Object.assign(layout, { title: { text: "" }, annotations: [], showlegend: false, paper_bgcolor: "rgba(0,0,0,0)",
    plot_bgcolor: "rgba(0,0,0,0)", margin: { l: 6, r: 6, t: 6, b: 6 }, width: 280, height: 120,
    coloraxis: { showscale: false } });
  const data = plot.data.map((trace) => ({ ...trace, mode: trace.mode?.replace("+text", ""), showscale: false }));
  return plot.keptPlotly.toImage({ data, layout }, { format: "png", width: 280, height: 120, scale: 2 }); }"""


def main() -> None:
    """Take each picture in a window of 1400 x 900 pixels."""
    parser = argparse.ArgumentParser(description=__doc__, prog="python -m docs.pictures")
    parser.add_argument("--lessons", action="store_true", help="take the pictures of the lessons' cards")
    of_lessons = parser.parse_args().lessons
    with serve() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium.find(), args=chromium.ARGUMENTS)
        page = browser.new_page(viewport={"width": 1400, "height": 900}, reduced_motion="reduce")
        if of_lessons:
            for lesson, (view, chart) in OF_LESSONS.items():
                _open(page, address + view)
                _take(page, chart, LESSONS / "pictures" / f"{lesson}.png")
        else:
            for name, view in PICTURES.items():
                _open(page, address + view)
                page.screenshot(path=Path(__file__).with_name(name))
        browser.close()


def _open(page: Page, view: str) -> None:
    page.goto(view)
    page.wait_for_function(_DRAWN, timeout=60_000)
    page.wait_for_timeout(3000)  # fonts, and charts that find their room


def _take(page: Page, chart: str, path: Path) -> None:
    """Write a chart's shapes as a small picture."""
    page.wait_for_selector(f'.kept-plot[data-name="{chart}"] .main-svg', timeout=60_000)
    path.parent.mkdir(exist_ok=True)
    picture = Image.open(io.BytesIO(base64.b64decode(page.evaluate(_SMALL, chart).partition(",")[2])))
    picture.quantize(64, Image.Quantize.FASTOCTREE).save(path, optimize=True)


if __name__ == "__main__":
    main()
