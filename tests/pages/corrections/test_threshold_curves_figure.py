"""Figures of "Corrections" and "Classifier": the data that they hold, and frames that Plotly knows."""

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import pytest

from pages.charts.dragged_frames import traces_at
from pages.charts.figure import method_style
from pages.classifier.calibration import effects_figure, reliability_figure
from pages.classifier.roc_and_confusion_figures import (
    classifiers_figure,
    confusion_figure,
    measures_figure,
    pairs_figure,
    roc_figure,
)
from pages.corrections.dataset_shift import degradation_figure, errors_figure, shifted_rates_figure
from pages.corrections.method_inspection import (
    mixture_distribution_figure,
    mixture_histogram_figure,
    objective_figure,
    sweep_figure,
    trajectory_figure,
)
from pages.corrections.threshold import DOUBTFUL, chosen_rates_figure, cost_figure, rates_figure, scores_figure, theorem_figure
from pages.corrections.trend import trend_figure
from qcore.measures.probability import reliability
from qcore.measures.roc import SLIDES_CLASSIFIERS, Skew, convex_hull, cost_table, slides_points
from qcore.protocols import PrevalencePath
from qcore.quantifiers import make_quantifiers
from qcore.studies.classifier_evaluation import evaluate_classifier
from qcore.studies.dataset_shift import rates_before_and_after
from qcore.studies.threshold_adjustment import adjust_at_thresholds, rates_table


@pytest.fixture(scope="module")
def adjustment(scored):
    return adjust_at_thresholds(scored, PrevalencePath((0.3,), 80), 0.5, seed=0, n_samples=100)


@pytest.fixture(scope="module")
def evaluation(scored):
    return evaluate_classifier(scored, "training", 0.5)


def traces(figure: go.Figure) -> dict[str, object]:
    return {trace.name: trace for trace in figure.data}


def dragged_figures(adjustment, evaluation):
    thresholds = adjustment.rates.thresholds.tolist()
    index = adjustment.rates.nearest(0.5)
    return {
        "scores": scores_figure(adjustment.histograms, thresholds, index),
        "rates": rates_figure(adjustment.curve, adjustment.points, adjustment.bands, adjustment.rates, index),
        "theorem": theorem_figure(adjustment.corrections, adjustment.pool_rates, adjustment.prevalence, index),
        "cost": cost_figure(adjustment.deviations, adjustment.points, index),
        "chosen rates": chosen_rates_figure(rates_table([0.2, 0.5, 0.8], 0.2), [0.2, 0.5, 0.8], 1),
        "roc": roc_figure(evaluation, evaluation.points, Skew(1, 1, 0.5), index),
        "confusion": confusion_figure(evaluation, index),
        "measures": measures_figure(evaluation.measures(), index),
    }


NAMES = ["scores", "rates", "theorem", "cost", "chosen rates", "roc", "confusion", "measures"]


@pytest.mark.parametrize("name", NAMES)
def test_frames_are_plotlys_and_the_figure_is_one_of_them(adjustment, evaluation, name):
    shown = dragged_figures(adjustment, evaluation)[name]
    assert len(shown.frames) == len(shown.values)
    assert np.all(np.diff(shown.values) > 0)
    for frame in (shown.frames[0], shown.frames[-1]):
        go.Frame(traces=frame["traces"], data=[{"type": shown.figure.data[i].type, **d} for i, d in zip(frame["traces"], frame["data"], strict=True)])  # noqa: E501  # fmt: skip
    numbers = shown.frames[0]["traces"]
    assert all(frame["traces"] == numbers for frame in shown.frames)
    keys = [[set(change) for change in frame["data"]] for frame in shown.frames]
    assert all(key == keys[0] for key in keys), "a frame that leaves something out would leave it as another one set it"
    index = 1 if name == "chosen rates" else adjustment.rates.nearest(0.5)
    for number, change in zip(numbers, shown.frames[index]["data"], strict=True):
        for key, value in change.items():
            now = shown.figure.data[number][key]
            assert (list(now) if isinstance(now, tuple | np.ndarray) else now) == value
    assert "NaN" not in shown.figure.to_json()


@pytest.mark.parametrize("name", NAMES)
def test_every_trace_has_a_name_of_its_own(adjustment, evaluation, name):
    """The browser knows a trace by its name."""
    figure = dragged_figures(adjustment, evaluation)[name].figure
    assert len({trace.name for trace in figure.data}) == len(figure.data)
    assert None not in {trace.name for trace in figure.data}


def test_scores(adjustment):
    shown = traces(
        scores_figure(adjustment.histograms, adjustment.rates.thresholds.tolist(), adjustment.rates.nearest(0.5)).figure
    )
    assert list(shown["training positives"].y)[:-1] == adjustment.histograms.positives.tolist()
    assert list(shown["this sample"].y)[:-1] == adjustment.histograms["sample"].tolist()
    assert list(shown["threshold"].x) == [0.5, 0.5]


def test_rates_hold_both_curves_the_policies_and_the_band(adjustment):
    shown = traces(
        rates_figure(
            adjustment.curve, adjustment.points, adjustment.bands, adjustment.rates, adjustment.rates.nearest(0.5)
        ).figure
    )
    assert list(shown["fpr"].y) == [1.0, *adjustment.curve.fpr, 0.0]
    assert list(shown["1 - tpr"].y) == [0.0, *(1 - adjustment.curve.tpr), 1.0]
    for key, point in adjustment.points.items():
        assert (shown[key].x[0], shown[key].y[0]) == (point.threshold, point.fpr)
        assert shown[f"{key} too"].y[0] == 1 - point.tpr
        assert shown[key].marker.color == method_style(key).colour
    band = shown["Median Sweep uses these"]
    assert next(x for x in band.x if x is not None) == adjustment.bands[0][0]
    assert sum(x is None for x in band.x) == len(adjustment.bands)
    here = shown["at the threshold"]
    row = adjustment.corrections.iloc[adjustment.rates.nearest(0.5)]
    assert list(here.y) == [row.fpr, 1 - row.tpr]


def test_theorem_leads_the_sample_back_to_the_diagonal(adjustment):
    index = adjustment.rates.nearest(0.5)
    row = adjustment.corrections.iloc[index]
    shown = traces(theorem_figure(adjustment.corrections, adjustment.pool_rates, adjustment.prevalence, index).figure)
    assert list(shown["counting (CC), expected"].y) == [row.fpr, row.tpr]
    assert list(shown["p*"].x) == [row.p_star]
    assert (shown["this sample, counted"].x[0], shown["this sample, counted"].y[0]) == (0.3, row["count"])
    selected = shown["with the pool's rates"]
    assert list(selected.y) == [adjustment.pool_rates.fpr[index], adjustment.pool_rates.tpr[index]]
    way = shown["its correction (AC)"]
    assert list(way.x)[-1] == list(way.y)[-1] == row.estimate
    assert list(way.y)[:2] == [row["count"]] * 2


def test_equal_rates_lead_nowhere(adjustment):
    shown = traces(
        theorem_figure(
            adjustment.corrections, adjustment.pool_rates, adjustment.prevalence, adjustment.rates.nearest(0.0)
        ).figure
    )
    assert list(shown["its correction (AC)"].x) == [None]
    assert shown["this sample, counted"].y[0] == 1.0


@pytest.mark.parametrize(("tpr", "fpr", "n_stars"), [(0.8, 0.2, 1), (1.0, 0.0, 0), (0.5, 0.5, 1), (0.2, 0.8, 1)])
def test_chosen_rates(tpr, fpr, n_stars):
    shown = traces(chosen_rates_figure(rates_table([tpr], fpr), [0.0], 0).figure)
    assert list(shown["counting (CC), expected"].y) == [fpr, tpr]
    assert len([x for x in shown["p*"].x if x is not None]) == n_stars
    assert "this sample, counted" not in shown


def test_where_samples_overlap_the_theory_is_the_main_line(adjustment):
    index = adjustment.rates.nearest(0.5)
    plain, doubtful = (
        traces(cost_figure(adjustment.deviations, adjustment.points, index, small=True, doubtful=is_doubtful).figure)
        for is_doubtful in (False, True)
    )
    assert DOUBTFUL not in plain
    assert "with rates anew" not in plain, "beside three other charts, two lines are enough"
    assert doubtful[DOUBTFUL].line.dash == "dash"
    assert doubtful["with rates anew"].line.dash != "dash"
    assert doubtful["with rates anew"].line.width > 3 * doubtful[DOUBTFUL].line.width
    total = adjustment.deviations.total[adjustment.deviations.threshold == adjustment.points["AC"].threshold].iloc[0]
    assert doubtful["AC"].y[0] == pytest.approx(total), "the policies stand on the main line"


def test_cost_holds_measured_and_delta_inflation_and_clipping(adjustment):
    shown = traces(cost_figure(adjustment.deviations, adjustment.points, adjustment.rates.nearest(0.5)).figure)
    for name, column in (("measured", "measured"), ("delta method", "sampling"), ("1 / |tpr - fpr|", "inflation"),
                         ("share clipped", "clipped"), ("after clipping", "clipped_deviation")):  # fmt: skip
        values = np.array([np.nan if v is None else v for v in shown[name].y], dtype=float)
        np.testing.assert_array_equal(values, adjustment.deviations[column].to_numpy())


def test_method_inspection(scored, adjustment):
    quantifiers = make_quantifiers(["MS", "DyS-PS", "SORD", "EMQ", "HDy"], scored.training_scores, scored.training_labels)
    sweep = quantifiers["MS"].sweep(adjustment.sample)
    shown = traces(sweep_figure(sweep, 0.3, "MS"))
    assert list(shown["estimate at the threshold"].y) == sweep.estimates.tolist()
    assert list(shown["median: MS"].y) == [sweep.estimate] * 2
    assert list(shown["truth"].y) == [0.3] * 2
    for key in ("DyS-PS", "HDy"):
        objective = quantifiers[key].objective(adjustment.sample)
        shown = traces(objective_figure(objective, 0.3, key))
        assert list(shown["10 bins"].y) == objective.distances[objective.bins.index(10)].tolist()
        assert list(shown["10 bins, lowest"].x) == [objective.minima[objective.bins.index(10)]]
        assert list(shown[f"estimate: {key}"].x) == [objective.estimate] * 2
        histogram = objective.mixture.table
        shown = traces(mixture_histogram_figure(histogram, key))
        assert list(shown["positives in the mixture"].y) == histogram.positives.tolist()
    objective = quantifiers["SORD"].objective(adjustment.sample)
    assert "area between the distribution functions" in traces(objective_figure(objective, 0.3, "SORD"))
    table = objective.mixture.table
    shown = traces(mixture_distribution_figure(table, "SORD"))
    assert list(shown["mixture"].y)[1:-1] == table.mixture.tolist()
    assert shown["mixture"].line.shape == "vh", "the share below a score holds from the score before on"
    trajectory = quantifiers["EMQ"].trajectory(adjustment.sample, 10)
    shown = traces(trajectory_figure(trajectory, 0.3, "EMQ"))
    assert list(shown["after this many steps"].y) == trajectory.prevalences.tolist()
    assert list(shown["estimate: EMQ"].y) == [trajectory.estimate] * 2


def test_trend():
    table = pd.DataFrame({"method": ["CC", "CC", "AC", "AC"], "day": [1, 2] * 2, "true": [0.1, 0.9] * 2,
                          "estimate": [0.2, 0.8, 0.1, 0.95]})  # fmt: skip
    shown = traces(trend_figure(table))
    assert list(shown["truth"].y) == [0.1, 0.9]
    assert list(shown["AC"].y) == [0.1, 0.95]
    panels = traces(trend_figure(table, {"Counting": ["CC"], "Adjustment": ["AC"]}))
    assert {"truth 0", "truth 1", "CC", "AC"} == set(panels)
    assert panels["AC"].xaxis == "x2"


def test_dataset_shift(scored):
    rates = rates_before_and_after(scored, scored)
    shown = traces(shifted_rates_figure(rates))
    assert list(shown["fpr, pool"].y) == rates[rates.part == "pool"].fpr.tolist()
    assert list(shown["1 - tpr, training"].y) == (1 - rates[rates.part == "training"].tpr).tolist()
    table = pd.DataFrame({"method": ["CC", "AC"] * 2, "strength": [0.0, 0.0, 0.6, 0.6], "bias": [0.1, 0.0, 0.2, 0.3],
                          "lower": [0.0, -0.1, 0.1, 0.1], "upper": [0.2, 0.1, 0.3, 0.45],
                          "AE": [0.1, 0.05, 0.2, 0.3]})  # fmt: skip
    figure = errors_figure(table, 0.6)
    shown = traces(figure)
    assert dict(zip(shown["strength 0.6"].y, shown["strength 0.6"].x, strict=True)) == {"CC": 0.2, "AC": 0.3}
    assert figure.layout.xaxis.range[1] > 0.45
    assert list(traces(errors_figure(table, 0.0))) == ["no shift"]
    shown = traces(degradation_figure(table, 0.6))
    assert list(shown["AC"].y) == [0.05, 0.3]


def test_roc(evaluation):
    skew = Skew(3, 1, 0.4)
    shown = traces(roc_figure(evaluation, evaluation.points, skew, evaluation.rates.nearest(0.5)).figure)
    assert list(shown["ROC curve"].x) == evaluation.curve.fpr.tolist()
    assert list(shown["convex hull"].y) == evaluation.hull.tpr.tolist()
    best = skew.best(evaluation.curve)
    assert shown["cheapest threshold"].x[0] == evaluation.curve.fpr[best]
    (x0, x1), (y0, y1) = shown["equal cost"].x, shown["equal cost"].y
    assert (y1 - y0) / (x1 - x0) == pytest.approx(skew.slope)
    assert -0.04 < min(x0, x1, y0, y1) < max(x0, x1, y0, y1) < 1.04, "inside the frame"
    assert set(evaluation.points) <= set(shown)
    flat = traces(roc_figure(evaluation, evaluation.points, Skew(0, 1, 0.5), 0).figure)["equal cost"]
    assert flat.y[0] == flat.y[1]
    upright = traces(roc_figure(evaluation, evaluation.points, Skew(1, 0, 0.5), 0).figure)["equal cost"]
    assert upright.x[0] == upright.x[1]


def test_classifiers_of_the_slides():
    skew = Skew(100, 2000, 0.005)
    table = cost_table(list(SLIDES_CLASSIFIERS), slides_points(), skew)
    shown = traces(classifiers_figure(table, convex_hull(slides_points()), skew))
    assert shown["classifier 3"].y[0] == 0.8
    assert shown["cheapest"].y[0] == 0.6


def test_confusion_and_measures(evaluation):
    index = evaluation.rates.nearest(0.5)
    matrix = confusion_figure(evaluation, index).figure.data[0]
    assert f"TP <b>{evaluation.table.tp[index]:,.0f}</b>" in matrix.text[0][0]
    assert f"FN <b>{evaluation.table.fn[index]:,.0f}</b>" in matrix.text[1][0]
    assert np.sum(matrix.z, axis=0) == pytest.approx([1.0, 1.0])
    dots = measures_figure(evaluation.measures(), index).figure.data[0]
    assert dict(zip(dots.y, dots.x, strict=True))["recall (tpr)"] == evaluation.rates.tpr[index]
    last = len(evaluation.rates.thresholds) - 1
    assert evaluation.table.tp[last] + evaluation.table.fp[last] == 0
    dots, words = measures_figure(evaluation.measures(), last).figure.data
    assert dict(zip(dots.y, dots.x, strict=True))["precision"] is None
    assert [name for name, word in zip(words.y, words.text, strict=True) if word == "undefined"] == ["precision"]


def test_calibration(scored):
    table = reliability(scored.pool_scores, scored.pool_labels)
    shown = traces(reliability_figure({"none": table, "sigmoid": table}))
    assert list(shown) == ["a probability", "uncalibrated", "sigmoid"]
    assert list(shown["uncalibrated"].y) == table.share.tolist()
    errors = {
        key: pd.DataFrame({"method": ["PCC", "EMQ"], "AE": [0.1, value]}) for key, value in (("none", 0.2), ("sigmoid", 0.3))
    }
    assert list(traces(effects_figure(errors))["EMQ"].y) == [0.2, 0.3]


def test_pairs():
    pairs = np.array([[np.nan, 0.9], [0.9, np.nan]])
    heat = pairs_figure(pairs, ("a", "b")).data[0]
    assert [list(row) for row in heat.z] == [[None, 0.9], [0.9, None]]
    assert "NaN" not in pairs_figure(pairs, ("a", "b")).to_json()


def test_where_the_scatter_leaves_its_scale_its_value_is_said(adjustment):
    thresholds = adjustment.deviations.threshold.tolist()
    measured = adjustment.deviations.measured.to_numpy()
    index = int(np.nanargmax(measured))
    shown = cost_figure(adjustment.deviations, adjustment.points, adjustment.rates.nearest(0.5), small=True)
    top = shown.figure.arrangement["yaxis"]["range"][1]
    assert measured[index] > top, "what is tested is there"

    def label(i):
        line = next(trace for trace in traces_at(shown.figure.traces, shown.frames[i]) if trace["name"] == "threshold y")
        return line["text"][1].strip()

    assert label(index) == f"{thresholds[index]:g}: {measured[index]:.2f}, off the scale"
    assert "off the scale" not in label(adjustment.rates.nearest(0.5))
