"""Which shift is it? The decision from tests, and the tables that it is taken for.

Which shift lies between a data set and a table with few labels or none, or a sample of the data set's pool.
"""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from qcore._base.random_streams import RandomStream, random_stream
from qcore._base.validation import (
    FloatArray,
    IntArray,
    InvalidInput,
    check_fraction,
    check_numbers,
    check_one_sample,
    check_training_data,
)
from qcore.datasets import Dataset
from qcore.datasets.preparation import as_labels, is_labelled
from qcore.intervals.counts import Counts
from qcore.intervals.few_labels import FEWEST_INSTANCES
from qcore.intervals.goodness_of_fit import mixture_fit
from qcore.intervals.shift_tests import (
    WOULD_SEE,
    class_sizes,
    correction_against_labels,
    features_differ,
    labelled_sample_of,
    labels_at_scores_differ,
    p_value_of_difference,
    scores_of_classes_differ,
    thinned,
    visible_difference,
    visible_labels,
    visible_pairs,
    visible_part,
)
from qcore.quantifiers import make_quantifiers
from qcore.scoring import SampleScores, Scores
from qcore.scoring.sample_scores import aligned

_FEWEST_LABELS = 10
_ASK_FOR = 60
QUESTIONS = {
    "mixture": "Does no mixture of the classes explain the sample's scores?",
    "features": "Do features of the sample differ from the labelled ones?",
    "features, same share": "Do they still, once the labelled ones have the sample's share?",
    "labels at a score": "Do the labels at a given score differ?",
    "scores of a class": "Do the scores of a class differ?",
    "correction": "Do labels of the sample contradict the corrected count?",
}
"""Each test -> the question that it answers: with yes if its p-value is at most the level."""
NEXT = {
    "nothing seen": "This does not prove that nothing has moved. Use an estimate with its interval.",
    "prior shift": "Shares have moved: use a corrected estimate with its interval.",
    "prior shift suffices": "A change of the shares alone can explain how features have moved: use a correction. Only "
    "labels of the sample can show whether the labels at a given score have changed.",
    "not prior shift alone": "More than the shares has moved: do not trust a correction. Label {n} instances of the sample, "
    "drawn at random.",
    "covariate shift": "Scores of a class have moved; no test sees that labels at a given score have: a correction is wrong. "
    "Use the labels of the sample itself.",
    "concept shift": "The labels at a given score have changed: a correction is wrong, and so is the classifier. Use the "
    "labels of the sample itself, and train the classifier again.",
}
"""Each verdict -> what to do next."""

REFUSES_CORRECTION = ("not prior shift alone", "covariate shift", "concept shift")
"""The verdicts under which a correction is wrong."""

_MORE = {"mixture", "features, same share"}
"""Tests that say yes if more than the shares has moved; under prior shift alone only by chance."""
_ONLY_WITHOUT_LABELS = (
    "The tests with labels find no shift, but a test without labels does: that may be chance, or there are too few labels."
)
_MORE_THAN_SHARES = (
    "Shares have moved, and a test without labels finds that more has moved, too. There may be too few labels to show it: "
    "label more of the sample before you trust a correction."
)
_PERHAPS_MORE = (
    "More than the shares may have moved; where only they have, one sample in twenty looks as odd. Label {n} instances of the "
    "sample, drawn at random, before you rely on a correction."
)


@dataclass(frozen=True)
class ShiftVerdict:
    """The verdict of the tests of a shift.

    Attributes
    ----------
    verdict : a key of `NEXT`.
    table : test, question, p_value, seen and would_see, a row for each test that could be made; would_see says what the test
        would see in four of five samples of this size.
    next_step : what to do, in a sentence.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> y = np.repeat([0, 1], 100)
    >>> scores = np.clip(rng.normal(0.3 + 0.4 * y, 0.15), 0.0, 1.0)
    >>> verdict = which_shift((scores, y), scores[50:], rng=rng)
    >>> verdict.table.columns.tolist()
    ['test', 'question', 'p_value', 'seen', 'would_see']
    """

    verdict: str
    table: pd.DataFrame
    next_step: str

    def to_dict(self) -> dict[str, Any]:
        """The result as plain values, for JSON."""
        tests = self.table.assign(seen=self.table.seen.astype(bool)).to_dict("records")
        return {"verdict": self.verdict, "next": self.next_step, "tests": tests}

    def __str__(self) -> str:
        rows = [
            f"  {row.question:64s} {'yes' if row.seen else 'no':3s} (p = {row.p_value:.3f}; would see {row.would_see})"
            for row in self.table.itertuples()
        ]
        return "\n".join([f"Which shift: {self.verdict}. {self.next_step}", *rows])


def which_shift(
    training: tuple[ArrayLike, ArrayLike],
    sample: ArrayLike,
    *,
    features: tuple[ArrayLike, ArrayLike] | None = None,
    labels: ArrayLike | None = None,
    level: float = 0.05,
    rng: np.random.Generator,
    fit_rng: np.random.Generator | None = None,
    posteriors: bool = True,
) -> ShiftVerdict:
    """Which shift lies between labelled instances and a sample.

    Parameters
    ----------
    training : (scores, labels), (n,) each, out of fold, labels 0 and 1.
    sample : scores, (m,).
    features : numbers of the labelled instances, (n, n_features), and of the sample, (m, n_features); None for no such test.
    labels : (m,), 0 and 1 where instances of the sample were labelled, drawn at random, NaN elsewhere; None if none is known.
    level : of each test.
    posteriors : whether the scores are posteriors: see `make_quantifiers`.
    fit_rng : draws the simulations of the mixture, None for `rng`; that of `estimate_sample` gives the p-value shown there.

    Raises
    ------
    InvalidInput
        Fewer than 20 instances, fewer than ten labels, lengths that do not agree, or features with missing numbers.

    Notes
    -----
    Without labels a shift of P(y | x) under the same P(x) cannot be seen. Each test may see one by chance at `level`.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> y = np.repeat([0, 1], 250)
    >>> x = rng.normal(2.0 * y - 1.0)
    >>> z = rng.normal(2.0 * np.repeat([0, 1], [240, 60]) - 1.0)
    >>> scores, unlabelled = (1.0 / (1.0 + np.exp(-2.0 * one)) for one in (x, z))
    >>> which_shift((scores, y), unlabelled, features=(x[:, None], z[:, None]), rng=rng).verdict
    'prior shift suffices'
    """
    check_fraction("level", level, low=0.001, high=0.5)
    (scores, truth), drawn = check_training_data(*training), check_one_sample("sample", sample)
    if len(drawn) < FEWEST_INSTANCES:
        raise InvalidInput("sample", f"have {FEWEST_INSTANCES} instances or more", str(len(drawn)), "Draw a larger one.")
    fit = mixture_fit(drawn, scores, truth, rng=fit_rng or rng)
    found, groups = {"mixture": fit.p_value}, {}
    if features is not None:
        here, there = (_numbers(one, n) for one, n in zip(features, (len(scores), len(drawn)), strict=True))
        if here.shape[1] != there.shape[1]:
            value = f"{here.shape[1]} and {there.shape[1]}"
            raise InvalidInput("features", "have the same columns in both", value, "Give the same columns in the same order.")
        share = float(make_quantifiers(["EMQ"], scores, truth, posteriors=posteriors)["EMQ"].predict(drawn))
        for name, rows in (("features", np.arange(len(here))), ("features, same share", thinned(truth, share, rng=rng))):
            if len(rows) >= FEWEST_INSTANCES:
                found[name], groups[name] = features_differ(here[rows], there, rng=rng), len(rows)
    visible = {name: visible_pairs((n, len(drawn)), level, two_sided=False) for name, n in groups.items()}
    known = None if labels is None else _labels(labels, len(drawn))
    if known is not None:
        of_labels = _with_labels((scores, truth), drawn, known, level)
        found |= {name: p_value for name, (p_value, _) in of_labels.items()}
        visible |= {name: size for name, (_, size) in of_labels.items()}
    sizes = (len(drawn), int(truth.sum()), int(len(truth) - truth.sum()))
    visible["mixture"] = visible_part(fit, sizes, level, rng=rng)
    rejected = {name for name, p_value in found.items() if p_value <= level}
    verdict = _verdict(rejected, known is not None)
    table = pd.DataFrame(
        [(name, QUESTIONS[name], p_value, name in rejected, WOULD_SEE[name](visible[name])) for name, p_value in found.items()],
        columns=["test", "question", "p_value", "seen", "would_see"],
    )
    next_step = _next_step(verdict, rejected, is_clear=fit.rejects)
    return ShiftVerdict(verdict, table, next_step.format(n=min(_ASK_FOR, len(drawn))))


def _with_labels(
    training: tuple[np.ndarray, np.ndarray], sample: np.ndarray, labels: np.ndarray, level: float
) -> dict[str, tuple[float, float]]:
    """The tests that need labels of the sample: name -> (p-value, what would be seen)."""
    (scores, truth), has = training, ~np.isnan(labels)
    own_scores, own_labels = sample[has], labels[has].astype(np.intp)
    pairs = (scores, own_scores), (truth, own_labels)
    counts, checked = Counts.from_scores(sample, scores, truth), labelled_sample_of(sample, labels)
    classes = class_sizes(truth, own_labels)
    against = correction_against_labels(counts, checked)
    return {
        "labels at a score": (labels_at_scores_differ(*pairs), visible_labels(own_scores, len(scores), level)),
        "scores of a class": (
            scores_of_classes_differ(*pairs),
            min(visible_pairs(sizes, level / len(classes)) for sizes in classes),
        ),
        "correction": (
            1.0 if against is None else p_value_of_difference(*against),
            1.0 if against is None else visible_difference(against[1], level),
        ),
    }


def _verdict(seen: set[str], labelled: bool) -> str:
    if labelled:
        if seen & {"scores of a class", "correction"}:
            return "concept shift" if "labels at a score" in seen else "covariate shift"
        return "prior shift" if seen & {"features", "labels at a score"} else "nothing seen"
    if seen & _MORE:
        return "not prior shift alone"
    return "prior shift suffices" if "features" in seen else "nothing seen"


def _next_step(verdict: str, seen: set[str], *, is_clear: bool) -> str:
    """What to do next; `is_clear` is whether the mixture clearly does not explain the sample, as for `estimate_sample`."""
    if verdict == "nothing seen" and seen:
        return f"{_ONLY_WITHOUT_LABELS} {NEXT[verdict]}"
    if verdict == "prior shift" and seen & _MORE:
        return _MORE_THAN_SHARES
    if verdict == "not prior shift alone" and seen & _MORE == {"mixture"} and not is_clear:
        return _PERHAPS_MORE
    return NEXT[verdict]


def _numbers(features: ArrayLike, n_expected: int) -> np.ndarray:
    columns = check_numbers("features", features)
    if columns.ndim != 2 or len(columns) != n_expected or not columns.size:
        raise InvalidInput(
            "features", f"be a table of {n_expected} rows", f"shape {columns.shape}", "Give a row for each score."
        )
    if not np.isfinite(columns).all():
        row, column = np.argwhere(~np.isfinite(columns))[0]
        value = f"{columns[row, column]} in row {row + 1} of column {column + 1}"
        raise InvalidInput("features", "be numbers without gaps", value, "Fill them, or leave the column out.")
    return columns


def _labels(labels: ArrayLike, n_expected: int) -> np.ndarray:
    known = check_numbers("labels", labels)
    if known.shape != (n_expected,):
        raise InvalidInput("labels", f"be {n_expected} values, NaN where unknown", f"shape {known.shape}", "Fill with NaN.")
    given = known[~np.isnan(known)]
    if (others := given[~np.isin(given, (0.0, 1.0))]).size:
        raise InvalidInput(
            "labels", "be 0, 1 or NaN", f"{others[0]:g}", "Write 1 for the positive class, NaN for unlabelled instances."
        )
    if len(given) < _FEWEST_LABELS:
        hint = "Label more instances, drawn at random, or leave the labels out."
        raise InvalidInput("labels", f"be known for {_FEWEST_LABELS} instances or more", f"{len(given)} labels", hint)
    return known


def shift_of(
    data: Dataset, sample: pd.DataFrame, scored: SampleScores, positive: str, label: str = "", *, seed: int = 0
) -> ShiftVerdict:
    """The tests of `which_shift`, with the mixture's p-value of `estimate_sample`; of scores only, features are not compared.

    `label` is the sample's column of labels, taken as those of instances drawn at random; values that are not classes count
    as missing.
    Raises InvalidInput.
    """
    features = None
    if data.trains_any_classifier:
        features = data.numeric_features(), data.numeric_features(aligned(sample, data))
    return which_shift(
        (scored.training_scores, scored.training_labels),
        scored.to_compare,
        features=features,
        labels=_labels_of_table(sample, label, positive, data.classes),
        rng=random_stream(seed, RandomStream.SHIFT_TESTS),
        fit_rng=random_stream(seed, RandomStream.GOODNESS_OF_FIT),
        posteriors=scored.posteriors,
    )


def _labels_of_table(sample: pd.DataFrame, label: str, positive: str, classes: Collection[str]) -> FloatArray | None:
    if label not in sample.columns:
        return None
    given = as_labels(sample[label])
    known = np.asarray(is_labelled(sample[label]), dtype=bool) & pd.Series(given).isin(set(classes)).to_numpy()
    return np.where(known, (given == positive).astype(np.float64), np.nan) if known.any() else None


def shift_of_pool(
    data: Dataset,
    scores: Scores,
    rows: IntArray,
    instances: tuple[IntArray, IntArray],
    *,
    n_labels: int,
    rng: np.random.Generator,
    fit_rng: np.random.Generator | None = None,
    as_training: FloatArray | None = None,
) -> ShiftVerdict:
    """The tests of `which_shift` on a sample of a pool, some of whose labels are shown to them.

    Parameters
    ----------
    rows : (m,), the sample's instances in the pool of `scores`.
    instances : rows in `data` of the training part, (n_training,), and of the sample, (m,).
    n_labels : how many labels are shown, drawn at random; 0 for none, else 10 or more.
    fit_rng : as in `which_shift`.
    as_training : the sample's scores as training scores are made, (m,): see `SampleScores`; None for the pool's scores.

    Raises
    ------
    InvalidInput
        As `which_shift`.
    """
    labels = np.full(len(rows), np.nan)
    shown = rng.choice(len(rows), min(n_labels, len(rows)), replace=False)
    labels[shown] = scores.pool_labels[rows][shown]
    features = None
    if data.trains_any_classifier:
        columns = data.numeric_features()
        features = columns[instances[0]], columns[instances[1]]
    return which_shift(
        (scores.training_scores, scores.training_labels),
        scores.pool_scores[rows] if as_training is None else as_training,
        features=features,
        labels=labels if n_labels else None,
        rng=rng,
        fit_rng=fit_rng,
        posteriors=scores.posteriors,
    )
