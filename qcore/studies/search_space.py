"""The search space: the value of a measure on every contingency table, where classifiers lie on it, and the example of iris."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler

from qcore._base.validation import TIE, FloatArray, IntArray, InvalidInput, check_choice, check_fraction, check_integer
from qcore.datasets import load_dataset
from qcore.evaluation.estimates import Estimates, estimate
from qcore.measures import ContingencyTable, ParametricMeasure
from qcore.measures.roc import RateCurve, rate_curve
from qcore.protocols import ArtificialPrevalence
from qcore.quantifiers import QUANTIFIERS
from qcore.quantifiers.adjustment import expected_count
from qcore.quantifiers.batch import THRESHOLD
from qcore.quantifiers.catalog import named_correction
from qcore.scoring.plan import Scores

FEATURES = ("petal length (cm)", "petal width (cm)")
POSITIVE = "virginica"
WRONG = "setosa"


@dataclass(frozen=True)
class Hypothesis:
    """A line through the plane: `normal` (2,) and `offset`; positive where normal x - offset is at least 0."""

    name: str
    normal: FloatArray
    offset: float
    fp: int
    fn: int


@dataclass(frozen=True)
class IrisExample:
    """The irises (two features and class) and the two hypotheses, with the numbers of both classes."""

    table: pd.DataFrame
    hypotheses: tuple[Hypothesis, Hypothesis]
    positives: int
    negatives: int

    def rates(self, hypothesis: Hypothesis) -> tuple[float, float]:
        """(tpr, fpr) of a hypothesis."""
        return 1.0 - hypothesis.fn / self.positives, hypothesis.fp / self.negatives

    def expected_count(self, hypothesis: Hypothesis, prevalences: FloatArray) -> FloatArray:
        """The share that a hypothesis counts on average at the true prevalences, (...)."""
        return expected_count(*self.rates(hypothesis), prevalences)


def iris_example() -> IrisExample:
    """Fit both lines on all irises, and move each to where it counts exactly as many as there are in class 3."""
    dataset = load_dataset("iris")
    features = dataset.features[list(FEATURES)]
    labels = np.asarray(dataset.labels)
    table = features.assign(**{"class": labels})
    positive = labels == POSITIVE
    hypotheses = [
        _hypothesis(name, features.to_numpy(), labels == target, positive) for name, target in (("w1", WRONG), ("w2", POSITIVE))
    ]
    return IrisExample(table, (hypotheses[0], hypotheses[1]), int(positive.sum()), int((~positive).sum()))


def _hypothesis(name: str, features: FloatArray, target: np.ndarray, positive: np.ndarray) -> Hypothesis:
    """The line that separates the target from the rest, moved to where as many lie above it as there are positives."""
    scaler = StandardScaler().fit(features)
    normal = LogisticRegression().fit(scaler.transform(features), target).coef_[0] / scaler.scale_
    values = features @ normal
    ordered = np.sort(values)[::-1]
    n_positives = int(positive.sum())
    offset = float((ordered[n_positives - 1] + ordered[n_positives]) / 2.0)
    predicted = values >= offset
    return Hypothesis(name, normal, offset, int((predicted & ~positive).sum()), int((~predicted & positive).sum()))


MAX_INSTANCES = 5000
"""Largest number of instances of a class: 25 million tables can still be counted while a user waits."""

BETAS = (0.0, 0.1, 0.2, 0.25, 0.33, 0.5, 0.67, 0.8, 1.0, 1.25, 1.5, 2.0, 3.0, 4.0, 5.0, 10.0, np.inf)
"""The steps of a slider of beta: those below 1 are the reciprocals of those above, to two decimals."""

GOOD = 0.9
_STEPS = 40
_BLOCK = 1_000_000


@dataclass(frozen=True)
class SearchSpace:
    """A measure on a grid of tables: `values` is (n_fp, n_fn), rows are FP."""

    measure: ParametricMeasure
    positives: int
    negatives: int
    fp: IntArray
    fn: IntArray
    values: FloatArray

    def rows_by_fn(self, decimals: int = 3) -> list[list[float]]:
        """The values as a list of rows, one for each FN: as charts take them."""
        rows: list[list[float]] = np.round(self.values.T, decimals).tolist()
        return rows

    def best(self) -> tuple[IntArray, IntArray]:
        """(FP, FN) of the drawn tables with the largest value, (n,) each: the one without errors is always among them."""
        fp, fn = np.nonzero(self.values >= self.values[0, 0] - TIE)
        return self.fp[fp], self.fn[fn]

    def ridge(self) -> tuple[FloatArray, FloatArray]:
        """Where the count is right: FP, which is FN, in steps from none to all of the smaller class, and the values, (n,)."""
        along = np.linspace(0.0, min(self.positives, self.negatives), _STEPS + 1)
        return along, value_at(self.measure, along, along, self.positives, self.negatives)

    def table(self) -> pd.DataFrame:
        """A row for each drawn table: FP, FN and value."""
        fp, fn = np.meshgrid(self.fp, self.fn, indexing="ij")
        return pd.DataFrame({"FP": fp.ravel(), "FN": fn.ravel(), "value": np.ravel(self.values)})


@dataclass(frozen=True)
class Optima:
    """The optima of a measure over all tables.

    Attributes
    ----------
    best : its largest value, which `n_best` of `n_tables` tables have.
    lowest_tp : the lowest number of true positives among those.
    good_share : share of all tables with a value of at least `good`.
    """

    best: float
    n_best: int
    n_tables: int
    lowest_tp: int
    good: float
    good_share: float


def values_on_all_tables(measure: ParametricMeasure, positives: int, negatives: int) -> FloatArray:
    """The measure on every table, (N + 1, P + 1): rows are FP, columns FN. Raises InvalidInput for an empty class."""
    score = measure.on_counts(positives, negatives)
    values = score.at(np.arange(negatives + 1)[:, None], np.arange(positives + 1)[None, :])
    return np.ascontiguousarray(np.broadcast_to(values, (negatives + 1, positives + 1)))


def search_space_grid(measure: ParametricMeasure, positives: int, negatives: int) -> SearchSpace:
    """The measure on a grid of at most 81 x 81 tables, with the same steps on both axes as far as the smaller class goes.

    So the line FP = FN, where the count is right, runs through tables of the grid. Raises InvalidInput for an empty class.
    """
    score = measure.on_counts(positives, negatives)
    fp, fn = _ticks(negatives, positives), _ticks(positives, negatives)
    values = np.broadcast_to(score.at(fp[:, None], fn[None, :]), (len(fp), len(fn)))
    return SearchSpace(measure, positives, negatives, fp, fn, values)


def _ticks(size: int, other_size: int) -> IntArray:
    """The numbers of errors to draw for a class with `size` instances, if the other class has `other_size`."""
    shared = np.linspace(0, min(size, other_size), min(size, other_size, _STEPS) + 1)
    whole = np.linspace(0, size, min(size, _STEPS) + 1)
    return np.unique(np.rint(np.concatenate([shared, whole])).astype(np.intp))


def optima(measure: ParametricMeasure, positives: int, negatives: int, good: float = GOOD) -> Optima:
    """The optima of the measure among all tables, computed in blocks of rows.

    Raises InvalidInput for an empty class, or one with more than MAX_INSTANCES.
    """
    hint = "Divide both classes by the same number: the space keeps its shape."
    check_integer("positives", positives, low=1, high=MAX_INSTANCES, hint=hint)
    check_integer("negatives", negatives, low=1, high=MAX_INSTANCES, hint=hint)
    check_fraction("good", good)
    score, fn = measure.on_counts(positives, negatives), np.arange(positives + 1)
    rows = max(1, _BLOCK // (positives + 1))
    # Every measure is highest for the table without errors.
    best = float(score.at(np.array([0]), np.array([0]))[0])
    n_best, max_fn, n_good = 0, 0, 0
    for start in range(0, negatives + 1, rows):
        fp = np.arange(start, min(start + rows, negatives + 1))
        values = np.broadcast_to(score.at(fp[:, None], fn[None, :]), (len(fp), len(fn)))
        n_good += int(np.count_nonzero(values >= good - TIE))
        at_best = values >= best - TIE
        if at_best.any():
            n_best += int(np.count_nonzero(at_best))
            max_fn = max(max_fn, int(fn[at_best.any(axis=0)].max()))
    n_tables = (positives + 1) * (negatives + 1)
    return Optima(best, n_best, n_tables, positives - max_fn, good, n_good / n_tables)


def errors_at_rates(tpr: ArrayLike, fpr: ArrayLike, positives: int, negatives: int) -> tuple[FloatArray, FloatArray]:
    """(FP, FN) of classifiers with these rates for these class sizes, (...) each; they need not be whole."""
    return np.asarray(fpr, float) * negatives, (1.0 - np.asarray(tpr, float)) * positives


def value_at(measure: ParametricMeasure, fp: FloatArray, fn: FloatArray, positives: int, negatives: int) -> FloatArray:
    """The measure at errors that need not be whole, (...). Raises InvalidInput for more errors than instances."""
    return measure.of(ContingencyTable.from_errors(fp, fn, positives, negatives))


_MAX_POINTS = 120
"""Largest number of thresholds on the path in a chart."""


@dataclass(frozen=True)
class ClassifierPoints:
    """Out-of-fold rates of classifiers at 0.5, (n_classifiers,) each, by name.

    For the classifier named `traced`, also the rates at every threshold (`curve`), and at fewer thresholds for charts (`path`).
    """

    names: tuple[str, ...]
    tpr: FloatArray
    fpr: FloatArray
    curve: RateCurve | None = None
    path: RateCurve | None = None
    traced: str = ""


def classifier_points(scores: Mapping[str, Scores], traced: str = "") -> ClassifierPoints:
    """The points of the classifiers, and the path of the one named `traced`, if any."""
    rates = np.array([one.rates for one in scores.values()]).reshape(-1, 2)
    curve = rates_at_every_threshold(scores[traced]) if traced else None
    path = threshold_path(curve) if curve else None
    return ClassifierPoints(tuple(scores), rates[:, 0], rates[:, 1], curve, path, traced)


def classifier_point_table(
    points: ClassifierPoints, measure: ParametricMeasure, positives: int, negatives: int
) -> pd.DataFrame:
    """A row for each classifier, the best first: its rates, its FP and FN for these class sizes, and its value."""
    fp, fn = errors_at_rates(points.tpr, points.fpr, positives, negatives)
    value = value_at(measure, fp, fn, positives, negatives)
    columns = {"classifier": list(points.names), "tpr": points.tpr, "fpr": points.fpr, "FP": fp, "FN": fn, "value": value}
    return pd.DataFrame(columns).sort_values("value", ascending=False, kind="stable")


def rates_at_every_threshold(scores: Scores) -> RateCurve:
    """Out-of-fold rates at thresholds from above all scores, where nothing is positive, down to the lowest one."""
    thresholds = np.unique(np.append(scores.training_scores, THRESHOLD))[::-1]
    return rate_curve(scores.training_scores, scores.training_labels, np.append(np.inf, thresholds))


def threshold_path(curve: RateCurve) -> RateCurve:
    """The thresholds of `rates_at_every_threshold` that lie evenly along the path of tpr and fpr; 0.5 is always included."""
    along = np.append(0.0, np.cumsum(np.diff(curve.tpr) + np.diff(curve.fpr)))
    wanted = np.searchsorted(along, np.linspace(0, along[-1], min(_MAX_POINTS, len(along))))
    default = int(np.flatnonzero(curve.thresholds == THRESHOLD)[0])
    return curve.at(np.unique(np.concatenate([[0, default, len(along) - 1], np.minimum(wanted, len(along) - 1)])))


def points_on_spaces(
    spaces: Sequence[SearchSpace], points: ClassifierPoints, example: IrisExample | None = None
) -> tuple[pd.DataFrame, list[FloatArray]]:
    """Classifiers, and the hypotheses of the iris example if given, as points of search spaces that differ in the measure.

    Returns a table with a row for each point, those of a group together: group, classifier (empty for a hypothesis), text, FP
    and FN; and for each space the values of the points, (n_points,).
    """
    space = spaces[0]
    rows: list[tuple[str, str, str, float, float]] = []

    def add(group: str, classifier: str, texts: Sequence[str], rates: tuple[ArrayLike, ArrayLike]) -> None:
        fp, fn = (np.atleast_1d(errors) for errors in errors_at_rates(*rates, space.positives, space.negatives))
        rows.extend((group, classifier, text, *errors) for text, *errors in zip(texts, fp.tolist(), fn.tolist(), strict=True))

    if points.path is not None:
        texts = ["above all scores" if np.isinf(t) else f"threshold {t:.4f}" for t in points.path.thresholds]
        add(f"{points.traced}, every threshold", points.traced, texts, (points.path.tpr, points.path.fpr))
    for i, name in enumerate(points.names):
        add(name, name, [f"{name} at 0.5"], (points.tpr[i], points.fpr[i]))
    for hypothesis in example.hypotheses if example else ():
        add(hypothesis.name, "", [hypothesis.name], example.rates(hypothesis) if example else (0.0, 0.0))
    table = pd.DataFrame(rows, columns=["group", "classifier", "text", "FP", "FN"])
    fp, fn = table.FP.to_numpy(float), table.FN.to_numpy(float)
    return table, [value_at(one.measure, fp, fn, one.positives, one.negatives) for one in spaces]


NAMED_CORRECTION = "as named"
"""Each classifier with the correction of its named method: AC for neighbours, CC for those that learn to count."""


def correction_for(classifier: str, correction: str) -> str:
    """The key of the quantifier for a classifier. Raises InvalidInput for an unknown correction."""
    check_choice("correction", correction, [NAMED_CORRECTION, *QUANTIFIERS])
    return named_correction(classifier) if correction == NAMED_CORRECTION else correction


def learner_estimates(
    scores: Mapping[str, Scores],
    correction: str,
    protocol: ArtificialPrevalence,
    seed: int,
    on_progress: Callable[[float], None] | None = None,
) -> Estimates:
    """Estimates of each classifier with its correction, `by_method` by classifier.

    Parameters
    ----------
    scores : classifier -> its scores, all of one split: same pool, same order.
    correction : key of QUANTIFIERS, or NAMED_CORRECTION.
    on_progress : called with the share of the classifiers that are done.

    Raises
    ------
    InvalidInput
        There is no classifier, pools differ, or the pool is too small for the protocol.
    """
    if not scores:
        raise InvalidInput("learners", "be at least one", "none", "Choose a learner.")
    pools = [one.pool_labels for one in scores.values()]
    if any(not np.array_equal(pool, pools[0]) for pool in pools):
        raise InvalidInput("scores", "come from one pool", "pools that differ", "Score all classifiers with the same settings.")
    samples = protocol.draw(pools[0], np.random.default_rng(seed))
    estimates = {}
    for number, (classifier, classifier_scores) in enumerate(scores.items(), start=1):
        method = correction_for(classifier, correction)
        estimates[classifier] = estimate([method], classifier_scores, samples).by_method[method]
        if on_progress:
            on_progress(number / len(scores))
    return Estimates(samples, estimates)
