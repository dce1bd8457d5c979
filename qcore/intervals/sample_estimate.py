"""One sample of scores -> estimates with intervals, and the evidence for them.

An estimate of one sample by each of several methods, with an interval that covers the sample and the training scores.

How good a classifier is on a sample without labels, beside how good it is on the labelled instances.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any, overload

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from qcore._base.random_streams import RandomStream, random_stream
from qcore._base.validation import (
    FloatArray,
    IntArray,
    InvalidInput,
    check_level,
    check_one_sample,
    check_seed,
    check_training_data,
)
from qcore.intervals.all_classes_estimate import AllClassesEstimate, checked_classes, estimate_all_classes
from qcore.intervals.analytic import NO_INTERVAL, Interval, why_no_interval
from qcore.intervals.bootstrap import double_bootstrap, percentiles
from qcore.intervals.catalog import DEFAULT_INTERVAL, INTERVALS
from qcore.intervals.counts import Counts, EffectiveCounts
from qcore.intervals.few_labels import (
    FEWEST_INSTANCES,
    biased_by_few_labels,
    cautions,
    fewest_labels,
    many_beside_labels,
    needing_labels,
    tell_too_little,
    widened,
    widened_by_method,
)
from qcore.intervals.goodness_of_fit import GoodnessOfFit, mixture_fit
from qcore.intervals.posteriors import PrecisePosterior, precise_posterior
from qcore.intervals.weights import TIMES_AS_MANY, check_weights, effective_rows, effective_size
from qcore.measures.probability import CLASSIFIER_MEASURES, CalibrationCheck, calibration_check, estimated_measures
from qcore.quantifiers import QUANTIFIERS
from qcore.quantifiers.batch import THRESHOLD
from qcore.quantifiers.expectation_maximisation import adjusted_posteriors
from qcore.quantifiers.fitting import Methods, by_name, estimate_of_one_sample, make_quantifiers, registered_keys
from qcore.scoring.sigmoid import Sigmoid

BY_FORMULA = "AC"
"""The quantifier whose interval needs no redrawing: it is made of counts."""


def intervals_by_method(
    methods: Mapping[str, Any],
    sample: FloatArray,
    scores: FloatArray,
    labels: IntArray,
    *,
    level: float,
    seed: int,
    weights: FloatArray | None = None,
    posteriors: bool = True,
    n_jobs: int | None = None,
    on_progress: Callable[[float], None] | None = None,
) -> pd.DataFrame:
    """A row for each method: method, estimate, low, high and `interval`, the kind of interval.

    `sample`, (m,), and training `scores` and `labels`, (n,), of one class against the rest, are checked already, and so are
    `weights`, (m,). Raises InvalidInput for an unknown method. `posteriors` as in `make_quantifiers`.
    """
    fitted = make_quantifiers(methods, scores, labels, refit=True, posteriors=posteriors)
    counts, whole = Counts.from_scores(sample, scores, labels), sample
    if weights is not None:
        counts = EffectiveCounts.from_weights(counts, sample >= THRESHOLD, weights)
        whole = sample[effective_rows(sample, weights, TIMES_AS_MANY * len(sample))]
        sample = sample[effective_rows(sample, weights, round(effective_size(weights)))]
    by_formula = {name for name, key in registered_keys(methods).items() if key == BY_FORMULA}
    unknown = "the scores hardly tell positives from negatives" if tell_too_little(scores, labels) else ""
    unknown = f"fewer than {FEWEST_INSTANCES} instances" if len(sample) < FEWEST_INSTANCES else unknown
    reasons = {
        name: "" if name in by_formula else unknown or (QUANTIFIERS[key].no_interval if key else "")
        for name, key in registered_keys(methods).items()
    }
    bootstrapped = {name: methods[name] for name in fitted if name not in by_formula and not reasons[name]}
    how: Any = {"posteriors": posteriors, "n_jobs": n_jobs, "on_progress": on_progress}
    redrawn = _redrawn(bootstrapped, sample, (scores, labels), seed, how)
    shares = widened_by_method(methods, int(fewest_labels(counts)))
    rows = [
        (
            name,
            float(counts.estimate) if name in by_formula else estimate_of_one_sample(name, quantifier, whole),
            *_interval(reasons[name], redrawn.get(name), shares[name], counts, level),
        )
        for name, quantifier in fitted.items()
    ]
    return pd.DataFrame(rows, columns=["method", "estimate", "low", "high", "interval"])


def _interval(unknown: str, redrawn: FloatArray | None, share: float, counts: Counts, level: float) -> tuple[float, float, str]:
    """Ends of a method's interval, and its kind; `unknown` says why redrawn samples do not show how estimates scatter.

    `share` says how far it is widened towards AC's.
    """
    if unknown:
        return 0.0, 1.0, f"{NO_INTERVAL}{unknown}"
    by_formula = INTERVALS[DEFAULT_INTERVAL].interval(counts, level)
    if redrawn is None:
        return float(by_formula.low), float(by_formula.high), DEFAULT_INTERVAL
    ends = Interval(*percentiles(redrawn, level, int(counts.sample_size)))
    if ends.low == ends.high:
        return 0.0, 1.0, f"{NO_INTERVAL}redrawn samples all have the same estimate"
    low, high = widened(ends, by_formula, share)
    return float(low), float(high), "double bootstrap, widened" if share else "double bootstrap"


def _redrawn(
    methods: Mapping[str, Any], sample: FloatArray, training: tuple[FloatArray, np.ndarray], seed: int, how: Mapping[str, Any]
) -> dict[str, FloatArray]:
    """Redrawn estimates of the methods."""
    if not methods:
        return {}
    rng = random_stream(seed, RandomStream.DOUBLE_BOOTSTRAP)
    return double_bootstrap(methods, sample, *training, rng=rng, **how)


def classifier_on_sample(
    sample: ArrayLike, scores: ArrayLike, labels: ArrayLike, *, truth: ArrayLike | None = None, posteriors: bool = True
) -> pd.DataFrame:
    """Accuracy, F1 and AUC that are expected of a classifier on a sample, predictions at the threshold 0.5.

    Parameters
    ----------
    sample : (m,), the classifier's scores, taken as probabilities at the labelled instances' prevalence.
    scores, labels : (n,) each, of the labelled instances, out of fold; labels 0 and 1.
    truth : (m,), the sample's labels 0 and 1, if they are known.
    posteriors : whether the scores are posteriors; else Platt's sigmoid makes posteriors of them, by the labelled instances.

    Returns
    -------
    DataFrame
        A row for each measure: measure, labelled (on the labelled instances), as_they_are (expected of the sample's scores),
        adjusted (of the posteriors that EMQ ends with, so that their mean is its estimate) and, with labels, truth. NaN for
        the AUC of a single class.

    Raises
    ------
    InvalidInput
        A score outside [0, 1], or labels that are not 0 and 1.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> y = np.repeat([0, 1], [400, 100])
    >>> scores = 1.0 / (1.0 + 4.0 * np.exp(-1.5 * rng.normal(1.5 * y - 0.75)))
    >>> z = np.repeat([0, 1], [200, 300])
    >>> sample = 1.0 / (1.0 + 4.0 * np.exp(-1.5 * rng.normal(1.5 * z - 0.75)))
    >>> table = classifier_on_sample(sample, scores, y, truth=z).set_index("measure")
    >>> table.loc["accuracy"].round(1).tolist()
    [0.9, 0.8, 0.6, 0.6]

    Source: Saerens et al. 2002; Moreo 2025.
    """
    drawn, (training, known) = check_one_sample("sample", sample), check_training_data(scores, labels)
    share = float(make_quantifiers(["EMQ"], training, known, posteriors=posteriors)["EMQ"].predict(drawn))
    read = drawn if posteriors else Sigmoid.fit(training, known)(drawn)
    adjusted = adjusted_posteriors(read, float(known.mean()), share)
    columns = {
        "labelled": _measures(known.astype(np.float64), training),
        "as_they_are": _measures(read, drawn),
        "adjusted": _measures(adjusted, drawn),
    }
    if truth is not None:
        columns["truth"] = _measures(_own(truth, drawn).astype(np.float64), drawn)
    return pd.DataFrame({"measure": list(CLASSIFIER_MEASURES), **columns})


def _own(truth: ArrayLike, drawn: FloatArray) -> IntArray:
    labels = np.asarray(truth)
    if labels.shape != drawn.shape or not np.isin(labels, (0, 1)).all():
        got = f"shape {labels.shape} with {np.unique(labels)[:5].tolist()}"
        raise InvalidInput("truth", f"be {len(drawn):,} labels 0 and 1", got, "Give a label for each score, or none.")
    return labels.astype(np.intp)


def _measures(posteriors: FloatArray, scores: FloatArray) -> list[float]:
    """Expected accuracy, F1 and AUC of the scores under these posteriors; with labels 0 and 1 as posteriors the true ones."""
    return [float(value) for value in estimated_measures(posteriors, scores)[1:]]


def records(table: pd.DataFrame | None) -> list[dict[str, float | str | None]] | None:
    """A table of `classifier_on_sample` as plain values for JSON, None in place of NaN."""
    if table is None:
        return None
    rows = table.astype(object).where(table.notna(), None)
    return [dict(zip(map(str, rows.columns), row, strict=True)) for row in rows.itertuples(index=False)]


def in_words(table: pd.DataFrame, column: str) -> str:
    """A column of the table as a clause: accuracy, F1 and, unless it is NaN, AUC."""
    accuracy, f1, auc = table[column]
    return f"{accuracy:.0%} right, F1 {f1:.2f}" + ("" if np.isnan(auc) else f", AUC {auc:.2f}")


DEFAULT_METHODS = ("AC", "PACC", "EMQ")
"""A correction of counts, one of scores, and EM."""


@dataclass(frozen=True)
class SampleEstimate:
    """Estimates for a sample, with the evidence for them.

    Attributes
    ----------
    table : a row for each method: method, estimate, low, high and `interval`, the kind of interval.
    counts : counts at threshold 0.5, which AC corrects; those of the effective size where rows have weights.
    fit : fit of the mixture of the two classes, None for fewer than 20 instances.
    outside : share of the sample's scores below or above all training scores.
    level : level of the intervals.
    calibration : whether the training scores are calibrated probabilities.
    unreliable : the methods of the table that need calibrated scores, where these are not.
    classifier : how good the classifier is on the sample, as `classifier_on_sample` says.
    needing_labels : the methods of the table that are biased with so few labels; their intervals are widened.
    on_probabilities : sentences on intervals that leave out the error of the classifier's probabilities, where it shows.
    scored : sample as training is scored, training scores and labels, of which `precise` is made; None for counts.

    Examples
    --------
    >>> labels = np.repeat([1, 0], 50)
    >>> scores = np.linspace(1.0, 0.0, 100)
    >>> result = estimate_sample(scores[:60], scores, labels, ["AC"])
    >>> result.table[["method", "estimate"]].to_numpy().tolist(), int(result.counts.sample_size)
    ([['AC', 0.8333333333333334]], 60)
    """

    table: pd.DataFrame
    counts: Counts
    fit: GoodnessOfFit | None
    outside: float
    level: float
    calibration: CalibrationCheck | None = None
    unreliable: tuple[str, ...] = ()
    classifier: pd.DataFrame | None = None
    scored: tuple[FloatArray, FloatArray, IntArray] | None = field(default=None, repr=False, compare=False)
    seed: int = 0
    needing_labels: tuple[str, ...] = ()
    on_probabilities: tuple[str, ...] = ()

    @cached_property
    def precise(self) -> PrecisePosterior | None:
        """The posterior of the precise quantifier; None for counts, and for samples of fewer than 20 instances."""
        if self.scored is None or len(self.scored[0]) < FEWEST_INSTANCES:
            return None
        return precise_posterior(*self.scored, rng=random_stream(self.seed, RandomStream.PRECISE_QUANTIFIER))

    def to_dict(self, positive: str) -> dict[str, Any]:
        """A dictionary for JSON: positive class, level, a record for each method, counts, the mixture's p-value and weight.

        Of the classifier: accuracy, F1 and AUC on the labelled instances and as expected on the sample, None for NaN.
        """
        effective = isinstance(self.counts, EffectiveCounts)
        counts = {name: np.asarray(getattr(self.counts, name)).item() for name in Counts.__dataclass_fields__}
        mixture = None if self.fit is None else {"p_value": self.fit.p_value, "weight": self.fit.weight}
        estimates = self.table.to_dict("records")
        return {
            "positive": positive,
            "level": self.level,
            "estimates": estimates,
            "counts": counts,
            "weighted": effective,
            "mixture": mixture,
            "cautions": self.cautions,
            "unreliable": list(self.unreliable),
            "classifier": records(self.classifier),
            "precise": None if self.precise is None else self.precise.to_dict(self.level),
        }

    @property
    def cautions_on_labels(self) -> list[str]:
        """Sentences on rates that are hardly known, and on methods that need more labels than there are."""
        few = biased_by_few_labels(self.needing_labels, int(fewest_labels(self.counts)))
        return [*cautions(self.counts), *few, *self.on_probabilities]

    @property
    def cautions(self) -> list[str]:
        """`cautions_on_labels`, and a sentence on methods that need calibrated scores where these are not."""
        text = self.cautions_on_labels
        if self.unreliable and self.calibration is not None:
            text.append(
                f"The scores are not calibrated: they are off by {self.calibration.error:.2g} on average. "
                f"{', '.join(self.unreliable)} {'needs' if len(self.unreliable) == 1 else 'need'} calibrated scores."
            )
        return text


@overload
def estimate_sample(
    sample: ArrayLike,
    scores: ArrayLike,
    labels: ArrayLike,
    methods: Methods = ...,
    *,
    level: float = ...,
    seed: int = ...,
    as_training: ArrayLike | None = ...,
    weights: ArrayLike | None = ...,
    posteriors: bool = ...,
    n_jobs: int | None = ...,
    on_progress: Callable[[float], None] | None = ...,
) -> SampleEstimate: ...
@overload
def estimate_sample(
    sample: ArrayLike,
    scores: ArrayLike,
    labels: ArrayLike,
    methods: Methods = ...,
    *,
    classes: tuple[str, ...],
    level: float = ...,
    seed: int = ...,
    as_training: ArrayLike | None = ...,
    posteriors: bool = ...,
    n_jobs: int | None = ...,
    on_progress: Callable[[float], None] | None = ...,
) -> AllClassesEstimate: ...
def estimate_sample(
    sample: ArrayLike,
    scores: ArrayLike,
    labels: ArrayLike,
    methods: Methods = DEFAULT_METHODS,
    *,
    classes: tuple[str, ...] | None = None,
    level: float = 0.95,
    seed: int = 0,
    as_training: ArrayLike | None = None,
    weights: ArrayLike | None = None,
    posteriors: bool = True,
    n_jobs: int | None = None,
    on_progress: Callable[[float], None] | None = None,
) -> SampleEstimate | AllClassesEstimate:
    """Estimates of a sample by several quantifiers, each with an interval that includes the sample and the training scores.

    Of one class against the rest, AC's interval is that of Lang and Reiczigel (2014), the others' are percentiles of a double
    bootstrap. With fewer than 40 training scores of a class it is moved towards AC's, by `bootstrap_widened`, since scores
    redrawn from so few hardly scatter; with fewer than 20, `cautions` says so. The bootstrap shows how estimates scatter, not
    how far they are off on average: those of HDy and DyS, whose bins need more labels, are widened further, and `cautions`
    names them; that of a quantifier without a correction, such as CC, is off where the share has moved.
    For all classes, intervals and joint regions are those of the bootstrap; intervals are moved towards the posterior's.

    Parameters
    ----------
    sample : (m,), scores of the sample; of all classes (m, n_classes), with the sum 1.
    scores, labels : (n,) each, out-of-fold training scores and labels 0 and 1; of all classes (n, n_classes) and labels from 0.
    methods : as in `make_quantifiers`; a copy of your own is fitted on these scores, even if it is fitted already.
    classes : names of all classes, (n_classes,), for scores of all classes.
    level, seed : level of the intervals and regions, and seed of the bootstrap.
    as_training : the sample's scores for the test of the mixture, (m,), each by a model of a fold as those of training are:
        `SampleScores.as_training`. None: `sample`.
    weights : (m,), how many each row of the sample stands for, as in a survey: shares are weighted, and the sample counts for
        its effective size (see `effective_size`). Of one class against the rest.
    posteriors : whether the scores are posteriors. If not, as those of a linear SVM, quantifiers that take them for posteriors,
        such as EMQ, get calibrated ones: see `Calibrated`.
    n_jobs : how many parts of the bootstrap are computed at once, as in joblib; the draws are the same with any number.
    on_progress : called with the share of the bootstrap that is done.

    Raises
    ------
    InvalidInput
        A score outside [0, 1], scores of other classes than named, an unknown method, or an invalid level, seed or weight.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> labels = np.repeat([1, 0], 100)
    >>> scores = np.clip(rng.normal(0.3 + 0.4 * labels, 0.2), 0.0, 1.0)
    >>> result = estimate_sample(scores[60:160], scores, labels, ["AC"])
    >>> result.table[["estimate", "low", "high"]].round(1).to_numpy().tolist()
    [[0.4, 0.2, 0.5]]
    >>> labels = np.repeat([0, 1, 2], 60)
    >>> scores = np.random.default_rng(0).dirichlet(np.ones(3), 180) * 0.4 + 0.6 * np.eye(3)[labels]
    >>> result = estimate_sample(scores[30:], scores, labels, ["AC"], classes=("a", "b", "c"))
    >>> result.table["estimate"].round(1).tolist(), bool(result.regions["AC"].holds([0.2, 0.4, 0.4]))
    ([0.2, 0.4, 0.4], True)
    """
    check_level(level)
    check_seed(seed)
    methods = by_name(methods)
    if classes is not None or np.ndim(scores) > 1:
        if weights is not None:
            raise InvalidInput("weights", "be left out for all classes", "weights", "Estimate one class after the other.")
        checked = checked_classes(sample, scores, labels, classes)
        return estimate_all_classes(
            *checked, methods, level=level, seed=seed, posteriors=posteriors, n_jobs=n_jobs, on_progress=on_progress
        )
    drawn, (training, truth) = check_one_sample("sample", sample), check_training_data(scores, labels)
    counts = Counts.from_scores(drawn, training, truth)
    given = None if weights is None else check_weights(weights, len(drawn))
    how: Any = {"level": level, "seed": seed, "posteriors": posteriors, "n_jobs": n_jobs, "on_progress": on_progress}
    table = intervals_by_method(methods, drawn, training, truth, weights=given, **how)
    compared = drawn if as_training is None else check_one_sample("as_training", as_training)
    if len(compared) != len(drawn):
        raise InvalidInput(
            "as_training", f"have {len(drawn)} scores, as the sample", str(len(compared)), "Pass SampleScores.as_training."
        )
    if given is not None:
        counts = EffectiveCounts.from_weights(counts, drawn >= THRESHOLD, given)
        rows = effective_rows(drawn, given, round(effective_size(given)))
        drawn, compared = drawn[rows], compared[rows]
    fit = None
    if len(drawn) >= FEWEST_INSTANCES:
        fit = mixture_fit(compared, training, truth, rng=random_stream(seed, RandomStream.GOODNESS_OF_FIT))
    outside = float(np.mean((drawn < training.min()) | (drawn > training.max())))
    made = None if posteriors else Sigmoid.fit(training, truth)
    calibration = _calibration((training if made is None else made(training)).tobytes(), truth.tobytes(), seed)
    unreliable = _needing_probabilities(methods) if calibration.rejects else ()
    judged = classifier_on_sample(drawn, training, truth, posteriors=posteriors)
    scored = (compared, training, truth)
    has_interval = dict(zip(table.method, (not why_no_interval(kind) for kind in table.interval), strict=True))
    with_interval = {name: key for name, key in registered_keys(methods).items() if key and has_interval[name]}
    needing = tuple(needing_labels(with_interval, int(fewest_labels(counts))))
    too_short = tuple(many_beside_labels(with_interval, counts))
    return SampleEstimate(table, counts, fit, outside, level, calibration, unreliable, judged, scored, seed, needing, too_short)


@lru_cache(maxsize=8)
def _calibration(scores: bytes, labels: bytes, seed: int) -> CalibrationCheck:
    """The check of training scores and labels, given as bytes so that it is cached: many samples share a training part."""
    rng = random_stream(seed, RandomStream.CALIBRATION_CHECK)
    return calibration_check(np.frombuffer(scores), np.frombuffer(labels, dtype=np.intp), rng)


def _needing_probabilities(methods: Methods) -> tuple[str, ...]:
    """The names of the methods that need calibrated scores; of user-defined quantifiers nothing is known."""
    keys = registered_keys(methods)
    return tuple(name for name, key in keys.items() if key is not None and QUANTIFIERS[key].needs_probabilities)
