"""How soon a person whose process was killed can go on, with two processes behind HAProxy and a real headless browser.

python -m benchmarks.takeover [--json] [--times 5]   (needs the group dev, HAProxy and a browser, as the tests do)

A person has "Error by prevalence" open and moves the sample size. The time runs until the picture of the new size is drawn:
once while their process runs, and once right after it was killed. Meanwhile the killed process is started again.
"""

import os
import signal
import time

import numpy as np
from playwright.sync_api import Page, sync_playwright

from benchmarks import report
from benchmarks.report import Row
from tests.browser import chromium
from tests.browser.workers import all_answer, draws_again, serve_by_workers, worker_of

TITLE = "Seconds from a move of the sample size to its picture"


def measure(times: int) -> list[Row]:
    """A row for moves before and one for the first after a process was killed, and how many times as long that takes."""
    before: list[float] = []
    killed: list[float] = []
    with serve_by_workers(2) as (process, address), sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium.find(), args=chromium.ARGUMENTS)
        page = browser.new_page()
        page.goto(f"{address}/error-by-prevalence?size=40")
        page.wait_for_selector("[data-drawn]", timeout=60_000)
        for _ in range(times):
            if not all_answer(process):
                raise RuntimeError("a process that has ended was not started again")
            page.wait_for_timeout(2000)
            before.append(_seconds_of_a_move(page))
            page.wait_for_timeout(1000)
            os.kill(worker_of(page, process), signal.SIGKILL)
            killed.append(_seconds_of_a_move(page))
        browser.close()
    usual = float(np.median(before))
    return [_row("before", before, usual), _row("its process was killed", killed, usual)]


def _seconds_of_a_move(page: Page) -> float:
    started = time.perf_counter()
    if not draws_again(page):
        raise RuntimeError("no picture was drawn within a minute")
    return time.perf_counter() - started


def _row(move: str, seconds: list[float], usual: float) -> Row:
    median = float(np.median(seconds))
    return {"move": move, "median s": median, "largest": max(seconds), "ratio": median / usual}


if __name__ == "__main__":
    parsed = report.arguments(__doc__ or "", times=5)
    report.show({TITLE: lambda: measure(parsed.times)}, parsed)
