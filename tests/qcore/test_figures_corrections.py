"""Figures of "Corrections" and "Classifier": the data that they hold, and frames that Plotly knows."""

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import pytest

from qcore.assumption import rates_before_and_after
from qcore.calibration import reliability
from qcore.corrections import at_work
from qcore.costs import SLIDES_CLASSIFIERS, Skew, cost_table, slides_points
from qcore.figures.assumption import degradation_figure, errors_figure, shifted_rates_figure
from qcore.figures.calibration import effects_figure, reliability_figure
from qcore.figures.confusion import confusion_figure, measures_figure, pairs_figure
from qcore.figures.inside import distribution_figure, mixture_figure, objective_figure, sweep_figure, trajectory_figure
from qcore.figures.roc import classifiers_figure, roc_figure
from qcore.figures.template import NEGATIVES, POSITIVES, method_style
from qcore.figures.theorem import textbook_figure, theorem_figure
from qcore.figures.thresholds import cost_figure, rates_figure, scores_figure
from qcore.figures.trend import trend_figure
from qcore.inside import matched_distribution, matched_histogram
from qcore.judgement import judge
from qcore.operating import convex_hull
from qcore.protocols import PrevalencePath
from qcore.quantifiers import make_quantifiers
from tests.qcore.test_figures import luminance


@pytest.fixture(scope="module")
def work(scored):
    return at_work(scored, PrevalencePath((0.3,), 80), 0.5, seed=0, n_samples=100)


@pytest.fixture(scope="module")
def judgement(scored):
    return judge(scored, "training", 0.5)


def traces(figure: go.Figure) -> dict[str, object]:
    return {trace.name: trace for trace in figure.data}


def followings(work, judgement):
    thresholds = work.rates.thresholds.tolist()
    place = work.place(0.5)
    return {
        "scores": scores_figure(work.histograms, thresholds, place),
        "rates": rates_figure(work.curve, work.points, work.bands, work.rates, place),
        "theorem": theorem_figure(work.table, work.pool_rates, work.prevalence, place),
        "cost": cost_figure(work.spread, work.points, place),
        "textbook": textbook_figure([(t, 0.2) for t in (0.2, 0.5, 0.8)], [0.2, 0.5, 0.8], 1),
        "roc": roc_figure(judgement, Skew(1, 1, 0.5), place),
        "confusion": confusion_figure(judgement, place),
        "measures": measures_figure(judgement.measures(), place),
    }


NAMES = ["scores", "rates", "theorem", "cost", "textbook", "roc", "confusion", "measures"]


@pytest.mark.parametrize("name", NAMES)
def test_frames_are_plotlys_and_the_figure_is_one_of_them(work, judgement, name):
    found = followings(work, judgement)[name]
    assert len(found.frames) == len(found.values)
    assert np.all(np.diff(found.values) > 0)
    for frame in (found.frames[0], found.frames[-1]):
        go.Frame(traces=frame["traces"], data=[{"type": found.figure.data[i].type, **d} for i, d in zip(frame["traces"], frame["data"], strict=True)])  # noqa: E501  # fmt: skip
    numbers = found.frames[0]["traces"]
    assert all(frame["traces"] == numbers for frame in found.frames)
    keys = [[set(change) for change in frame["data"]] for frame in found.frames]
    assert all(key == keys[0] for key in keys), "a frame that leaves something out would leave it as another one set it"
    place = 1 if name == "textbook" else work.place(0.5)
    for number, change in zip(numbers, found.frames[place]["data"], strict=True):
        for key, value in change.items():
            now = found.figure.data[number][key]
            assert (list(now) if isinstance(now, tuple | np.ndarray) else now) == value
    assert "NaN" not in found.figure.to_json()


@pytest.mark.parametrize("name", NAMES)
def test_every_trace_has_a_name_of_its_own(work, judgement, name):
    """The browser knows a trace by its name."""
    figure = followings(work, judgement)[name].figure
    assert len({trace.name for trace in figure.data}) == len(figure.data)
    assert None not in {trace.name for trace in figure.data}


@pytest.mark.parametrize("colour", [POSITIVES, NEGATIVES])
@pytest.mark.parametrize("page", ["#FFFFFF", "#0F141A"])
def test_the_classes_colours_have_contrast(colour, page):
    light, dark = sorted((luminance(colour), luminance(page)), reverse=True)
    assert (light + 0.05) / (dark + 0.05) >= 3


def test_scores(work):
    found = traces(scores_figure(work.histograms, work.rates.thresholds.tolist(), work.place(0.5)).figure)
    assert list(found["training positives"].y) == work.histograms.positives.tolist()
    assert list(found["this sample"].y)[:-1] == work.histograms["sample"].tolist()
    assert list(found["threshold"].x) == [0.5, 0.5]


def test_rates_hold_both_curves_the_policies_and_the_band(work):
    found = traces(rates_figure(work.curve, work.points, work.bands, work.rates, work.place(0.5)).figure)
    assert list(found["fpr"].y) == [1.0, *work.curve.fpr, 0.0]
    assert list(found["1 - tpr"].y) == [0.0, *(1 - work.curve.tpr), 1.0]
    for key, point in work.points.items():
        assert (found[key].x[0], found[key].y[0]) == (point.threshold, point.fpr)
        assert found[f"{key} too"].y[0] == 1 - point.tpr
        assert found[key].marker.color == method_style(key).colour
    band = found["Median Sweep uses these"]
    assert next(x for x in band.x if x is not None) == work.bands[0][0]
    assert sum(x is None for x in band.x) == len(work.bands)
    here = found["here"]
    row = work.table.iloc[work.place(0.5)]
    assert list(here.y) == [row.fpr, 1 - row.tpr]


def test_theorem_leads_the_sample_back_to_the_diagonal(work):
    place = work.place(0.5)
    row = work.table.iloc[place]
    found = traces(theorem_figure(work.table, work.pool_rates, work.prevalence, place).figure)
    assert list(found["counting (CC), expected"].y) == [row.fpr, row.tpr]
    assert list(found["p*"].x) == [row.crossing]
    assert (found["this sample, counted"].x[0], found["this sample, counted"].y[0]) == (0.3, row["count"])
    own = found["with the pool's rates"]
    assert list(own.y) == [work.pool_rates.fpr[place], work.pool_rates.tpr[place]]
    way = found["its correction (AC)"]
    assert list(way.x)[-1] == list(way.y)[-1] == row.estimate
    assert list(way.y)[:2] == [row["count"]] * 2


def test_equal_rates_lead_nowhere(work):
    found = traces(theorem_figure(work.table, work.pool_rates, work.prevalence, work.place(0.0)).figure)
    assert len(found["its correction (AC)"].x) == 0
    assert found["this sample, counted"].y[0] == 1.0


@pytest.mark.parametrize(("tpr", "fpr", "n_stars"), [(0.8, 0.2, 1), (1.0, 0.0, 0), (0.5, 0.5, 1), (0.2, 0.8, 1)])
def test_textbook_rates(tpr, fpr, n_stars):
    found = traces(textbook_figure([(tpr, fpr)], [0.0], 0).figure)
    assert list(found["counting (CC), expected"].y) == [fpr, tpr]
    assert len(found["p*"].x) == n_stars
    assert "this sample, counted" not in found


def test_cost_holds_measured_and_delta_inflation_and_clipping(work):
    found = traces(cost_figure(work.spread, work.points, work.place(0.5)).figure)
    for name, column in (("measured", "measured"), ("delta method", "sampling"), ("1 / |tpr - fpr|", "inflation"),
                         ("share clipped", "clipped"), ("measured after clipping", "kept")):  # fmt: skip
        shown = np.array([np.nan if v is None else v for v in found[name].y], dtype=float)
        np.testing.assert_array_equal(shown, work.spread[column].to_numpy())


def test_inside(scored, work):
    quantifiers = make_quantifiers(["MS", "DyS-PS", "SORD", "EMQ", "HDy"], scored.training_scores, scored.training_labels)
    sweep = quantifiers["MS"].sweep(work.sample)
    found = traces(sweep_figure(sweep, 0.3, "MS"))
    assert list(found["estimate at the threshold"].y) == sweep.estimates.tolist()
    assert list(found["median: MS"].y) == [sweep.estimate] * 2
    assert list(found["truth"].y) == [0.3] * 2
    for key in ("DyS-PS", "HDy"):
        objective = quantifiers[key].objective(work.sample)
        found = traces(objective_figure(objective, 0.3, key))
        assert list(found["10 bins"].y) == objective.distances[objective.bins.index(10)].tolist()
        assert list(found["10 bins, least"].x) == [objective.minima[objective.bins.index(10)]]
        assert list(found[f"estimate: {key}"].x) == [objective.estimate] * 2
        histogram = matched_histogram(quantifiers[key], work.sample, objective.estimate)
        found = traces(mixture_figure(histogram, key))
        assert list(found["positives in the mixture"].y) == histogram.positives.tolist()
    objective = quantifiers["SORD"].objective(work.sample)
    assert "area between the distribution functions" in traces(objective_figure(objective, 0.3, "SORD"))
    table = matched_distribution(quantifiers["SORD"], work.sample, objective.estimate)
    found = traces(distribution_figure(table, "SORD"))
    assert list(found["mixture"].y)[1:-1] == table.mixture.tolist()
    assert found["mixture"].line.shape == "vh", "the share below a score holds from the score before on"
    trajectory = quantifiers["EMQ"].trajectory(work.sample, 10)
    found = traces(trajectory_figure(trajectory, 0.3, "EMQ"))
    assert list(found["after this many steps"].y) == trajectory.prevalences.tolist()
    assert list(found["answer: EMQ"].y) == [trajectory.estimate] * 2


def test_trend():
    table = pd.DataFrame({"method": ["CC", "CC", "AC", "AC"], "day": [1, 2] * 2, "true": [0.1, 0.9] * 2,
                          "estimate": [0.2, 0.8, 0.1, 0.95]})  # fmt: skip
    found = traces(trend_figure(table))
    assert list(found["truth"].y) == [0.1, 0.9]
    assert list(found["AC"].y) == [0.1, 0.95]
    panels = traces(trend_figure(table, {"Counting": ["CC"], "Adjustment": ["AC"]}))
    assert {"truth 0", "truth 1", "CC", "AC"} == set(panels)
    assert panels["AC"].xaxis == "x2"


def test_assumption(scored):
    rates = rates_before_and_after(scored, scored)
    found = traces(shifted_rates_figure(rates))
    assert list(found["fpr, pool"].y) == rates[rates.part == "pool"].fpr.tolist()
    assert list(found["1 - tpr, training"].y) == (1 - rates[rates.part == "training"].tpr).tolist()
    table = pd.DataFrame({"method": ["CC", "AC"] * 2, "strength": [0.0, 0.0, 0.6, 0.6], "bias": [0.1, 0.0, 0.2, 0.3],
                          "lower": [0.0, -0.1, 0.1, 0.1], "upper": [0.2, 0.1, 0.3, 0.45],
                          "AE": [0.1, 0.05, 0.2, 0.3]})  # fmt: skip
    figure = errors_figure(table, 0.6)
    found = traces(figure)
    assert dict(zip(found["strength 0.6"].y, found["strength 0.6"].x, strict=True)) == {"CC": 0.2, "AC": 0.3}
    assert figure.layout.xaxis.range[1] > 0.45
    assert list(traces(errors_figure(table, 0.0))) == ["no shift"]
    found = traces(degradation_figure(table, 0.6))
    assert list(found["AC"].y) == [0.05, 0.3]


def test_roc(judgement):
    skew = Skew(3, 1, 0.4)
    found = traces(roc_figure(judgement, skew, judgement.place(0.5)).figure)
    assert list(found["ROC curve"].x) == judgement.curve.fpr.tolist()
    assert list(found["convex hull"].y) == judgement.hull.tpr.tolist()
    best = skew.best(judgement.curve)
    assert found["cheapest threshold"].x[0] == judgement.curve.fpr[best]
    (x0, x1), (y0, y1) = found["equal cost"].x, found["equal cost"].y
    assert (y1 - y0) / (x1 - x0) == pytest.approx(skew.slope)
    assert -0.04 < min(x0, x1, y0, y1) < max(x0, x1, y0, y1) < 1.04, "inside the frame"
    assert set(judgement.points) <= set(found)
    flat = traces(roc_figure(judgement, Skew(0, 1, 0.5), 0).figure)["equal cost"]
    assert flat.y[0] == flat.y[1]
    upright = traces(roc_figure(judgement, Skew(1, 0, 0.5), 0).figure)["equal cost"]
    assert upright.x[0] == upright.x[1]


def test_classifiers_of_the_slides():
    skew = Skew(100, 2000, 0.005)
    table = cost_table(list(SLIDES_CLASSIFIERS), slides_points(), skew)
    found = traces(classifiers_figure(table, convex_hull(slides_points()), skew))
    assert found["classifier 3"].y[0] == 0.8
    assert found["cheapest"].y[0] == 0.6


def test_confusion_and_measures(judgement):
    place = judgement.place(0.5)
    matrix = confusion_figure(judgement, place).figure.data[0]
    assert f"TP <b>{judgement.table.tp[place]:,.0f}</b>" in matrix.text[0][0]
    assert f"FN <b>{judgement.table.fn[place]:,.0f}</b>" in matrix.text[1][0]
    assert np.sum(matrix.z, axis=0) == pytest.approx([1.0, 1.0])
    dots = measures_figure(judgement.measures(), place).figure.data[0]
    assert dict(zip(dots.y, dots.x, strict=True))["recall (tpr)"] == judgement.rates.tpr[place]


def test_calibration(scored):
    table = reliability(scored.pool_scores, scored.pool_labels)
    found = traces(reliability_figure({"none": table, "sigmoid": table}))
    assert list(found) == ["a probability", "uncalibrated", "sigmoid"]
    assert list(found["uncalibrated"].y) == table.share.tolist()
    errors = {
        key: pd.DataFrame({"method": ["PCC", "EMQ"], "AE": [0.1, value]}) for key, value in (("none", 0.2), ("sigmoid", 0.3))
    }
    assert list(traces(effects_figure(errors))["EMQ"].y) == [0.2, 0.3]


def test_pairs():
    pairs = np.array([[np.nan, 0.9], [0.9, np.nan]])
    heat = pairs_figure(pairs, ("a", "b")).data[0]
    assert [list(row) for row in heat.z] == [[None, 0.9], [0.9, None]]
    assert "NaN" not in pairs_figure(pairs, ("a", "b")).to_json()
