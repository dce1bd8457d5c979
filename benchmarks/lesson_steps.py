"""From "Next" in a lesson to the picture of the next step, in a real headless browser, server on the same machine.

python -m benchmarks.lesson_steps [--json]   (needs the group dev and a browser, as the tests do)

A step on the page that is shown already changes its settings; a step on another page opens that page. Measured for the first
who takes the lessons on a new server, and then, when the server has the answers, for others: with the processor at full and at
quarter speed.
"""

import numpy as np
from playwright.sync_api import Page, sync_playwright

import pages.listed  # noqa: F401  lessons lead to the pages
from benchmarks.report import Row, main
from pages.learn.lesson import Lesson
from pages.learn.library import lessons
from tests.browser import chromium
from tests.browser.server import serve

TITLE = "From Next to the picture of the next step of a lesson"
WALKS = (("the first", 1), ("others", 1), ("others", 4))
"""Who takes all lessons, one after the other, and how much slower the processor of their browser is."""

# The time runs from the click itself: before it, the browser's driver waits until the button holds still.
CLICKED = "() => addEventListener('click', (event) => { window.clickedAt = event.timeStamp; }, true)"
# It ends when the strip names the step, no progress bar is left, and the charts of the picture have not changed for a frame.
SEEN = """(head) => new Promise((done) => {
  let last = null;
  const look = () => {
    const charts = [...document.querySelectorAll('[class*=st-key-hero] [data-drawn]')].map((plot) => plot.dataset.drawn).join();
    const there = document.querySelector('.st-key-lesson-head p')?.textContent.includes(head) && charts
      && !document.querySelector('[data-testid=stProgress]');
    if (there && charts === last) return done(performance.now() - window.clickedAt);
    if (performance.now() - window.clickedAt > 60000) return done(null);
    last = there ? charts : null;
    requestAnimationFrame(look);
  };
  look(); })"""


def steps_of(page: Page, lesson: Lesson, address: str, rest: float) -> list[tuple[bool, float]]:
    """For each step but the first: whether it stays on the page, and milliseconds to its picture."""
    page.goto(f"{address}/learn?lesson={lesson.name}&step=1")
    page.wait_for_timeout(4 * rest)
    page.evaluate(CLICKED)
    taken = []
    for number in range(2, len(lesson.steps) + 1):
        before, after = (lesson.steps[i].view.page for i in (number - 2, number - 1))
        page.get_by_role("button", name="Next →").click()
        head = f"Step {number} of {len(lesson.steps)}"
        milliseconds = page.evaluate(SEEN, head)
        if milliseconds is None:
            raise SystemExit(f"{head} of {lesson.name!r} was not drawn within a minute.")
        taken.append((before == after, float(milliseconds)))
        page.wait_for_timeout(rest)
    return taken


def measure() -> list[Row]:
    """A row for each walk and for steps on the same and on another page."""
    rows: list[Row] = []
    with serve() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium.find(), args=chromium.ARGUMENTS)
        for who, slower in WALKS:
            page = browser.new_page(viewport={"width": 1400, "height": 900})
            page.goto(address)
            page.wait_for_timeout(3000)
            page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": slower})
            taken = [step for lesson in lessons().values() for step in steps_of(page, lesson, address, 1000.0 * slower)]
            rows += [_row(who, slower, same, np.array([ms for stays, ms in taken if stays == same])) for same in (True, False)]
            page.close()
        browser.close()
    return rows


def _row(who: str, slower: int, same: bool, taken: np.ndarray) -> Row:
    middle, high = np.quantile(taken, [0.5, 0.9])
    what = "on the same page" if same else "on another page"
    shown = {"median ms": float(middle), "90 %": float(high), "largest": float(taken.max()), "steps": len(taken)}
    return {"who": who, "processor": f"1/{slower}", "step": what, **shown}


if __name__ == "__main__":
    main(TITLE, measure)
