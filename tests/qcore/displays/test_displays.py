"""The displays: their tables are those of the report, the estimator and the comparison; what they draw is what they hold."""

import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
from sklearn.model_selection import GridSearchCV, StratifiedKFold
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from qcore import (
    ArtificialPrevalence,
    InvalidInput,
    QuantifierCV,
    estimate_sample,
    evaluation_report,
    load_dataset,
    make_quantification_scorer,
    score_dataset,
)
from qcore.displays import CriticalDifferenceDisplay, PrevalenceErrorDisplay, PrevalenceIntervalDisplay
from qcore.evaluation.significance import compare
from tests.browser.server import ROOT

RNG = np.random.default_rng(1)
NUMBERS = RNG.integers(0, 3, 600)
X = RNG.normal(size=(600, 3)) + 1.2 * np.eye(3)[NUMBERS]
TWO = np.where(NUMBERS == 1, "yes", "no")
PROTOCOL = ArtificialPrevalence(grid=5, sample_size=30, repeats=3)
FOLDS = StratifiedKFold(2)
THIRDS = [1 / 3, 1 / 3, 1 / 3]


def fitted(labels, quantifier="AC"):
    return QuantifierCV(GaussianNB(), quantifier, cv=3).fit(X[:300], labels[:300])


def drawn(figure, name):
    (trace,) = [trace for trace in figure.data if trace.name == name]
    return trace


def test_the_curve_of_an_estimator_is_minus_its_score():
    quantifier = fitted(TWO)
    display = PrevalenceErrorDisplay.from_estimator(quantifier, X[300:], TWO[300:], protocol=PROTOCOL, loss="KLD")
    assert display.curves.x.tolist() == pytest.approx(sorted({round(0.25 * k * 30) / 30 for k in range(5)}))
    score = make_quantification_scorer("KLD", PROTOCOL)(quantifier, X[300:], TWO[300:])
    assert display.curves["mean"].mean() == pytest.approx(-score)
    assert (display.curves.lower <= display.curves.upper).all()
    assert list(drawn(display.figure_, "AC").y) == display.curves["mean"].tolist()


def test_a_pipeline_of_several_classes_has_the_shift_on_its_axis():
    pipeline = make_pipeline(StandardScaler(), QuantifierCV(GaussianNB(), cv=3)).fit(X[:300], NUMBERS[:300])
    display = PrevalenceErrorDisplay.from_estimator(pipeline, X[300:], NUMBERS[300:], name="AC")
    assert "difference from the training prevalences" in display.figure_.layout.xaxis.title.text
    assert len(display.curves) <= 10
    assert display.curves.x.between(0, 0.45).all()


def test_several_displays_share_a_figure_and_differ_in_colour():
    first = PrevalenceErrorDisplay.from_estimator(fitted(TWO, "CC"), X[300:], TWO[300:], protocol=PROTOCOL, name="CC")
    figure = first.figure_
    for key in ("AC", "EMQ"):
        quantifier = fitted(TWO, key)
        PrevalenceErrorDisplay.from_estimator(quantifier, X[300:], TWO[300:], protocol=PROTOCOL, name=key, figure=figure)
    assert len({drawn(figure, name).line.color for name in ("CC", "AC", "EMQ")}) == 3


def test_a_report_has_a_curve_for_each_method():
    scores = score_dataset(load_dataset("wdbc"))
    report = evaluation_report(scores, ["CC", "AC"], PROTOCOL, losses=["AE", "KLD"])
    display = PrevalenceErrorDisplay.from_report(report, "KLD")
    means = display.curves.groupby("method", sort=False)["mean"].mean()
    assert means.to_dict() == pytest.approx(report.groupby("method", sort=False)["KLD"].mean().to_dict())
    with pytest.raises(InvalidInput, match="SE"):
        PrevalenceErrorDisplay.from_report(report, "SE")


def test_predictions_of_any_program():
    true = RNG.dirichlet(np.ones(3), 200)
    estimated = RNG.dirichlet(np.ones(3), 200)
    display = PrevalenceErrorDisplay.from_predictions(true, estimated, training_prevalences=THIRDS, name="by chance")
    errors, shifts = np.abs(true - estimated).mean(axis=1), np.abs(true - 1 / 3).mean(axis=1)
    nearest = np.abs(shifts[:, np.newaxis] - display.curves.x.to_numpy()).argmin(axis=1)
    means = [errors[nearest == place].mean() for place in range(len(display.curves))]
    assert display.curves["mean"].tolist() == pytest.approx(means)
    with pytest.raises(InvalidInput, match="training_prevalences"):
        PrevalenceErrorDisplay.from_predictions(true, estimated)
    two = PrevalenceErrorDisplay.from_predictions([[0.5, 0.5], [0.2, 0.8]], [[0.5, 0.5], [0.3, 0.7]])
    pd.testing.assert_frame_equal(two.curves, PrevalenceErrorDisplay.from_predictions([0.5, 0.8], [0.5, 0.7]).curves)
    assert two.curves[["x", "mean"]].to_numpy() == pytest.approx(np.array([[0.5, 0.0], [0.8, 0.1]]))


def test_the_intervals_at_the_end_of_a_search_and_a_pipeline_are_called_by_the_quantifier():
    pipeline = make_pipeline(StandardScaler(), QuantifierCV(GaussianNB(), "CC", cv=3))
    search = GridSearchCV(pipeline, {"quantifiercv__quantifier": ["PCC"]}, scoring=make_quantification_scorer(), cv=2)
    display = PrevalenceIntervalDisplay.from_estimator(search.fit(X[:300], TWO[:300]), X[300:], TWO[300:])
    assert list(drawn(display.figure_, "PCC").x) == pytest.approx(search.predict(X[300:]).tolist())


@pytest.mark.parametrize("labels", [TWO, NUMBERS], ids=["two", "three"])
def test_the_intervals_are_those_of_the_estimator(labels):
    quantifier = fitted(labels)
    display = PrevalenceIntervalDisplay.from_estimator(quantifier, X[300:], labels[300:], level=0.9)
    assert display.table.label.tolist() == [str(one) for one in quantifier.classes_]
    assert display.table[["low", "high"]].to_numpy() == pytest.approx(quantifier.predict_interval(X[300:], level=0.9))
    marks = drawn(display.figure_, "AC")
    assert list(marks.x) == pytest.approx(quantifier.predict(X[300:]).tolist())
    assert np.add(marks.x, marks.error_x.array) == pytest.approx(display.table.high.to_numpy())
    shares = [np.mean(labels[300:] == one) for one in quantifier.classes_]
    assert list(drawn(display.figure_, "truth").x) == pytest.approx(shares)
    assert "90%" in display.figure_.layout.xaxis.title.text
    other = PrevalenceIntervalDisplay.from_estimator(fitted(labels, "CC"), X[300:], name="CC", figure=display.figure_)
    assert drawn(other.figure_, "CC").marker.color != marks.marker.color


def test_the_intervals_of_several_methods():
    scores = score_dataset(load_dataset("wdbc"))
    result = estimate_sample(scores.pool_scores[:60], scores.training_scores, scores.training_labels, ["AC", "EMQ"])
    display = PrevalenceIntervalDisplay.from_table(result.table, truth=0.4)
    assert list(drawn(display.figure_, "estimate").y) == ["AC", "EMQ"]
    assert list(drawn(display.figure_, "truth").x) == [0.4, 0.4]
    first = PrevalenceIntervalDisplay.from_table(result.table, name="first")
    truth = dict.fromkeys(["AC", "EMQ"], 0.4)
    second = PrevalenceIntervalDisplay(first.table, 0.95, truth, "second").plot(figure=first.figure_)
    assert list(drawn(second.figure_, "truth").x) == [0.4, 0.4], "the first display knows no truth"
    with pytest.raises(InvalidInput, match="low"):
        PrevalenceIntervalDisplay.from_table(result.table.drop(columns="low"))


def losses(n_sets=12):
    rows = [(f"set {d}", 0.5, f"M{m}", 0.1 * m + 0.15 * RNG.random()) for d in range(n_sets) for m in range(5)]
    return pd.DataFrame(rows, columns=["data", "prevalence", "method", "loss"])


def test_the_diagram_shows_ranks_groups_and_distance():
    table = losses()
    comparison, display = compare(table), CriticalDifferenceDisplay.from_losses(table, alpha=0.1)
    assert display.mean_ranks.equals(comparison.mean_ranks)
    for name, rank in comparison.mean_ranks.items():
        assert drawn(display.figure_, name).x[0] == rank
    scale = drawn(display.figure_, "critical difference").x
    assert scale[1] - scale[0] == pytest.approx(comparison.nemenyi_distance(0.1))
    bars = [trace.x for trace in display.figure_.data if trace.name.startswith("group")]
    ends = [(comparison.mean_ranks[group[0]], comparison.mean_ranks[group[-1]]) for group in comparison.groups(0.1)]
    assert np.ravel(bars) == pytest.approx(np.ravel(ends) + np.tile([-0.05, 0.05], len(ends)))
    texts = [note.text for note in display.figure_.layout.annotations]
    assert f"{comparison.mean_ranks.index[0]} {comparison.mean_ranks.iloc[0]:.2f}" in texts


def test_a_critical_difference_longer_than_the_axis_is_not_cut_off():
    display = CriticalDifferenceDisplay.from_losses(losses(n_sets=2))
    assert max(drawn(display.figure_, "critical difference").x) > len(display.mean_ranks)
    assert display.figure_.layout.xaxis.range[1] > max(drawn(display.figure_, "critical difference").x)


def test_a_notebook_shows_what_is_drawn():
    display = CriticalDifferenceDisplay.from_losses(losses())
    assert "plotly" in display._repr_html_().lower()
    assert display._repr_mimebundle_() == display.figure_._repr_mimebundle_()


def test_without_plotly_it_says_what_to_install():
    code = (
        "import sys; sys.modules['plotly'] = sys.modules['plotly.graph_objects'] = None\n"
        "from qcore import InvalidInput\n"
        "from qcore.displays import PrevalenceErrorDisplay\n"
        "try:\n    PrevalenceErrorDisplay.from_predictions([[0.5, 0.5]], [[0.4, 0.6]])\n"
        "except InvalidInput as error:\n    print(error)"
    )
    result = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert "quantification-lab[displays]" in result.stdout


def test_each_row_of_a_report_is_at_its_own_prevalence():
    report = evaluation_report(score_dataset(load_dataset("tictactoe")), ["CC", "AC"], ArtificialPrevalence(5, 50, 20))
    curves = PrevalenceErrorDisplay.from_report(report).curves
    by_loss = PrevalenceErrorDisplay.from_report(report.sort_values("AE")).curves
    pd.testing.assert_frame_equal(*(one.set_index(["method", "x"]).sort_index() for one in (by_loss, curves)))
    unequal = PrevalenceErrorDisplay.from_report(report[(report.method == "CC") | (report.true > 0.5)])
    assert unequal.curves.groupby("method").x.min().to_dict() == {"AC": 0.76, "CC": 0.0}
    with pytest.raises(InvalidInput, match="a row for each sample"):
        PrevalenceErrorDisplay.from_report(report[:0])


@pytest.mark.parametrize("trained", [[5, 5, 5], [0.5, 0.5], "a"])
def test_training_prevalences_that_are_none_are_refused(trained):
    true = [THIRDS, [0.2, 0.3, 0.5]]
    with pytest.raises(InvalidInput, match="training_prevalences"):
        PrevalenceErrorDisplay.from_predictions(true, true, training_prevalences=trained)


def test_one_sample_is_a_curve_of_one_point_and_others_than_samples_are_refused():
    one = PrevalenceErrorDisplay.from_predictions([0.5, 0.5], [0.4, 0.6])
    assert one.curves[["x", "mean"]].to_numpy() == pytest.approx(np.array([[0.5, 0.1]]))
    with pytest.raises(InvalidInput, match="estimated must have the shape of true"):
        PrevalenceErrorDisplay.from_predictions([[0.5, 0.5], [0.2, 0.8]], np.full((3, 2), 0.5))


def test_in_a_pipeline_or_a_search_the_training_prevalences_are_those_of_training():
    rare = np.concatenate([np.flatnonzero(NUMBERS[:300] == 0), np.flatnonzero(NUMBERS[:300] > 0)[:60]])
    pipeline = make_pipeline(StandardScaler(), QuantifierCV(GaussianNB(), "CC", cv=3))
    search = GridSearchCV(pipeline, {"quantifiercv__quantifier": ["CC"]}, scoring=make_quantification_scorer("AE"), cv=FOLDS)
    places = [
        PrevalenceErrorDisplay.from_estimator(one.fit(X[rare], NUMBERS[rare]), X[300:], NUMBERS[300:]).curves.x.tolist()
        for one in (QuantifierCV(GaussianNB(), "CC", cv=3), pipeline, search)
    ]
    assert places[0] == places[1] == places[2]
    assert max(places[0]) > 0.45


@pytest.mark.parametrize(
    "change", [lambda y: y.astype(str), lambda y: y + 1, lambda y: y[:5], lambda y: np.where(y, np.nan, y)]
)
def test_labels_that_are_not_those_of_the_sample_are_refused(change):
    with pytest.raises(InvalidInput, match=r"y must (hold|name)"):
        PrevalenceIntervalDisplay.from_estimator(fitted(NUMBERS), X[300:], change(NUMBERS[300:]))


def test_a_truth_that_is_no_share_is_refused():
    table = pd.DataFrame({"method": ["AC"], "estimate": [0.5], "low": [0.4], "high": [0.6]})
    with pytest.raises(InvalidInput, match="truth must be a number from 0 to 1"):
        PrevalenceIntervalDisplay.from_table(table, truth=5)


@pytest.mark.parametrize("alpha", [5, 0, "a"])
def test_a_level_that_is_none_is_refused(alpha):
    rows = [(data, 0.5, method, method / 10) for data in "abcdefgh" for method in (1, 2, 3)]
    losses = pd.DataFrame(rows, columns=["data", "prevalence", "method", "loss"])
    with pytest.raises(InvalidInput, match="alpha must be a number"):
        CriticalDifferenceDisplay.from_losses(losses, alpha=alpha)
    assert len(CriticalDifferenceDisplay.from_losses(losses).mean_ranks) == 3
    with pytest.raises(InvalidInput, match="the column 'loss' must be numbers"):
        CriticalDifferenceDisplay.from_losses(losses.assign(loss="small"))
