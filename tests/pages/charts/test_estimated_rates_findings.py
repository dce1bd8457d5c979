"""Sentences on estimated rates and overfitting: true of the numbers, in each of the cases they can meet."""

import pandas as pd
import pytest

from pages.charts.estimated_rates import error_estimates_sentence, estimated_rates_figure, overfitting_sentence, rates_sentences
from qcore.studies.threshold_adjustment import EstimatedRates


def rates(counting=0.2, pool_error=0.1, **of):
    """Rates of estimations: name -> list of (tpr, fpr, error, AE)."""
    names = {"folds": "out of fold", "wrong": "resubstitution", "half": "hold-out half"}
    rows = [(names[name], i, 50, *values) for name, many in of.items() for i, values in enumerate(many)]
    table = pd.DataFrame(rows, columns=["estimation", "repeat", "n_scored", "tpr", "fpr", "error", "AE"])
    return EstimatedRates(table, {"tpr": 0.8, "fpr": 0.2, "error": pool_error, "AE": 0.02}, (40, 60), counting, 50, 420)


SPREAD = {"folds": [(0.8, 0.2, 0.2, 0.05), (0.82, 0.2, 0.19, 0.03)], "wrong": [(1.0, 0.0, 0.0, 0.1)]}


def test_best_worst_and_scatter():
    text = " ".join(rates_sentences(rates(**SPREAD, half=[(0.5, 0.2, 0.3, 0.3), (0.9, 0.2, 0.3, 0.3)])))
    assert "tpr of **0.80** and an fpr of **0.20**" in text
    assert "would err by 0.020; counting without a correction errs by 0.20" in text
    assert (
        "least with the rates of **out of fold** (0.040), most with those of **hold-out half** (0.30). That is more than"
        in text
    )
    assert "**hold-out half** scatter most: a rate moves by 0.28" in text


def test_level_estimates_are_called_so():
    text = " ".join(rates_sentences(rates(folds=[(0.8, 0.2, 0.2, 0.05)], wrong=[(0.8, 0.2, 0.2, 0.051)])))
    assert "hardly matters" in text
    assert "scatter" not in text


def test_whether_the_training_error_flatters():
    assert "it has memorised them. Out of fold it is 20%, on the pool 10%." in error_estimates_sentence(rates(**SPREAD))
    honest = rates(folds=[(0.8, 0.2, 0.1, 0.05)], wrong=[(0.8, 0.2, 0.1, 0.1)])
    assert "about as on other data" in error_estimates_sentence(honest)
    nearly = rates(folds=[(0.8, 0.2, 0.11, 0.05)], wrong=[(0.8, 0.2, 0.095, 0.1)])
    assert "about as on other data" in error_estimates_sentence(nearly), (
        "14% where it is 15% elsewhere has not been learnt by heart"
    )
    between = rates(folds=[(0.8, 0.2, 0.2, 0.05)], wrong=[(0.8, 0.2, 0.1, 0.1)])
    said = error_estimates_sentence(between)
    assert "errs in 10%; out of fold it is 20%, on the pool 10%. These are errors at the training prevalence" in said
    assert said.endswith("at the pool's own prevalence the error is 20%.")
    alike = rates(pool_error=0.2, folds=[(0.8, 0.2, 0.2, 0.05)], wrong=[(0.8, 0.2, 0.1, 0.1)])
    assert error_estimates_sentence(alike).endswith("better than other data. Out of fold it is 20%, on the pool 20%.")


@pytest.mark.parametrize(
    ("pool", "end"),
    [((0.3, 0.2, 0.25), "which cross-validation chooses, too."), ((0.3, 0.25, 0.2), "cross-validation chooses 2,")],
)
def test_overfitting(pool, end):
    rows = [(v, "training", e) for v, e in zip((1, 2, 3), (0.3, 0.1, 0.0), strict=True)]
    rows += [(v, "out of fold", e) for v, e in zip((1, 2, 3), (0.3, 0.2, 0.22), strict=True)]
    rows += [(v, "pool", e) for v, e in zip((1, 2, 3), pool, strict=True)]
    text = overfitting_sentence(pd.DataFrame(rows, columns=["value", "part", "error"]), "depth of a tree")
    assert f"(**depth of a tree: 3**) errs in 0% of its training data and {pool[2]:.0%} of the pool" in text
    assert end in text


def test_the_figure_has_a_circle_for_each_repeat_and_the_pools_own_value():
    one = rates(**SPREAD)
    panels = estimated_rates_figure(one, ("tpr", "AE"), "Which?")
    traces = {trace.name: trace for trace in panels.figure.data}
    assert list(traces["out of fold tpr"].x) == [0.8, 0.82]
    assert list(traces["out of fold mean AE"].x) == [pytest.approx(0.04)]
    positions = {shape.x0 for shape in panels.figure.layout.shapes if shape.type == "line"}
    assert positions == {0.8, 0.02, 0.2}
    bands = [(shape.x0, shape.x1) for shape in panels.figure.layout.shapes if shape.type == "rect"]
    assert bands == [(pytest.approx(0.8 - 2 * 0.0632, abs=1e-3), pytest.approx(0.8 + 2 * 0.0632, abs=1e-3))]
    assert panels.narrow["xaxis"]["domain"] == [0.0, 1.0]
    assert panels.narrow["yaxis2"]["domain"][1] < panels.narrow["yaxis"]["domain"][0]

    def height(layout):
        (low, high), margin = layout["yaxis"]["domain"], layout["margin"]
        return (high - low) * (layout["height"] - margin["t"] - margin["b"])

    assert height(panels.narrow) == pytest.approx(height(panels.figure.layout)), "panels are as high below each other"
