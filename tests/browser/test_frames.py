"""The format of dragged frames: what the browser makes of it is what Python makes of it, and what the figure itself shows."""

import json
from pathlib import Path

import numpy as np
import pytest

from pages.charts import chart
from pages.charts.chart import FRAMES_JS
from pages.charts.dragged_frames import frames_of, traces_at
from pages.classifier.roc_and_confusion_figures import confusion_figure, measures_figure, roc_figure
from pages.corrections.threshold import chosen_rates_figure, cost_figure, rates_figure, scores_figure, theorem_figure
from pages.search_space.surface_figure import surface_figure
from qcore.measures.catalog import ParametricMeasure
from qcore.measures.roc import Skew
from qcore.protocols import PrevalencePath
from qcore.studies.classifier_evaluation import evaluate_classifier
from qcore.studies.search_space import search_space_grid
from qcore.studies.threshold_adjustment import adjust_at_thresholds, rates_table

pytestmark = pytest.mark.browser
NAMES = ["scores", "rates", "theorem", "cost", "chosen rates", "roc", "confusion", "measures", "surface"]


@pytest.fixture(scope="module")
def figures(scored):
    """Name -> a function that makes the figure at the index of a value."""
    adjustment = adjust_at_thresholds(scored, PrevalencePath((0.3,), 80), 0.5, seed=0, n_samples=50)
    evaluation = evaluate_classifier(scored, "training", 0.5)
    thresholds, points = adjustment.rates.thresholds.tolist(), adjustment.points
    spaces = [search_space_grid(ParametricMeasure("Q_beta", beta), 6, 9) for beta in (0.0, 0.5, 1.0, np.inf)]
    chosen = [0.2, 0.5, 0.8]
    return {
        "scores": lambda i: scores_figure(adjustment.histograms, thresholds, i),
        "rates": lambda i: rates_figure(adjustment.curve, points, adjustment.bands, adjustment.rates, i),
        "theorem": lambda i: theorem_figure(adjustment.corrections, adjustment.pool_rates, adjustment.prevalence, i),
        "cost": lambda i: cost_figure(adjustment.deviations, points, i),
        "chosen rates": lambda i: chosen_rates_figure(rates_table(chosen, 0.2), chosen, i),
        "roc": lambda i: roc_figure(evaluation, evaluation.points, Skew(1, 1, 0.5), i),
        "confusion": lambda i: confusion_figure(evaluation, i),
        "measures": lambda i: measures_figure(evaluation.measures(), i),
        "surface": lambda i: surface_figure(spaces, i),
    }


def plain(traces):
    return json.loads(json.dumps(traces))


def data_of(figure):
    return json.loads(figure.to_json())["data"]


@pytest.mark.parametrize("name", NAMES)
def test_python_and_javascript_show_the_figure_of_each_value(figures, name, browser):
    make = figures[name]
    dragged = make(1)
    shown = data_of(dragged.figure)
    page = browser.new_page()
    read = f"([traces, frame]) => {{ {FRAMES_JS}; return tracesAt(traces, [frame]); }}"
    last = len(dragged.values) - 1
    for i in sorted({0, 1, last // 2, last}):
        frame = plain(dragged.frames[i])
        by_python = plain(traces_at(shown, frame))
        assert page.evaluate(read, [shown, frame]) == by_python
        assert by_python == data_of(make(i).figure), f"the frame of {dragged.values[i]} is not the figure there"
    page.close()


def test_nearest_value_in_the_browser(browser):
    page = browser.new_page()
    nearest = f"([values, value]) => {{ {FRAMES_JS}; return nearest(values, value); }}"
    for value, index in ((-1, 0), (0.24, 0), (0.26, 1), (0.5, 1), (9, 2)):
        assert page.evaluate(nearest, [[0, 0.5, 1], value]) == index
    page.close()


def test_names_at_the_ends_of_lines_are_moved_apart_as_little_as_possible(browser):
    script = Path(chart.__file__).parent.joinpath("chart_js", "line_names.js").read_text()
    page = browser.new_page()
    spread = f"([positions, most]) => {{ {script}; return spread(positions, 16, most); }}"
    for positions, moved in (([10, 50], [10, 50]), ([40, 42], [33, 49]), ([1, 2, 3], [0, 16, 32]), ([90, 99], [84, 100])):
        assert page.evaluate(spread, [positions, 100]) == moved
    page.close()


def test_large_objects_that_are_shared_are_sent_once(browser):
    z = [[1, 2], [3, 4]]
    steps = [
        [{"z": z, "name": "a"}, {"z": z, "name": "b"}, {"x": 1}],
        [{"z": [[9]], "name": "a"}, {"z": [[8]], "name": "b"}, {"x": 1}],
    ]
    frames = frames_of(steps)
    assert frames[0] == {"traces": [0, 1], "data": [{"z": z}, 0]}
    assert frames[1] == {"traces": [0, 1], "data": [{"z": [[9]]}, {"z": [[8]]}]}
    page = browser.new_page()
    read = f"([traces, frame]) => {{ {FRAMES_JS}; return tracesAt(traces, [frame]); }}"
    for step, frame in zip(steps, frames, strict=True):
        assert page.evaluate(read, [steps[0], frame]) == traces_at(steps[0], frame) == step
    page.close()
