"""Percentile bootstrap of the sample and of the training scores together: of an adjusted count, and of any quantifier."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from qcore._base.rounding import TIE
from qcore._base.threads import one_thread
from qcore._base.validation import FloatArray, IntArray, check_class_scores, check_integer, check_scores
from qcore.intervals.analytic import Interval, clipped
from qcore.intervals.counts import Counts
from qcore.quantifiers import make_quantifiers
from qcore.quantifiers.checked_estimates import check_estimates, only_to_read
from qcore.quantifiers.fitting import Methods, by_name

_Redrawn = tuple[Mapping[str, Any], FloatArray]
"""Quantifiers fitted to redrawn training scores, and redrawn samples that they estimate."""

_REPLICATES = 1000
_FITS = 100
_LARGEST_BLOCK = 4_000_000
"""Number of scores that are gathered at once."""
_ESTIMATED_AT_ONCE = 200_000
"""Number of scores after which they are estimated: fewer take long for each call, more no longer fit the processor's cache."""


def bootstrap(counts: Counts, level: float = 0.95, *, rng: np.random.Generator | None = None) -> Interval:
    """Percentiles of the adjusted count when the sample, the labelled positives and the labelled negatives are redrawn.

    `rng` is the random generator; by default it has seed 0, so that equal counts have equal intervals.
    """
    estimates = _redrawn_counts(counts, rng or np.random.default_rng(0))
    low, high = np.quantile(estimates, ((1.0 - level) / 2.0, (1.0 + level) / 2.0), axis=0)
    return clipped(low, high, counts)


def _redrawn_counts(counts: Counts, rng: np.random.Generator) -> FloatArray:
    shape = (_REPLICATES, *counts.unclipped.shape)
    count, tpr, fpr = (
        rng.binomial(total, share, shape) / np.asarray(total)
        for total, share in (
            (counts.sample_size, counts.count), (counts.positives, counts.tpr), (counts.negatives, counts.fpr),
        )
    )  # fmt: skip
    gap = tpr - fpr
    corrected = (count - fpr) / np.where(gap > TIE, gap, 1.0)
    return np.where(gap > TIE, np.clip(corrected, 0.0, 1.0), count)


def double_bootstrap(
    methods: Methods,
    sample: ArrayLike,
    scores: ArrayLike,
    labels: ArrayLike,
    *,
    rng: np.random.Generator,
    replicates: int = _REPLICATES,
) -> dict[str, FloatArray]:
    """Estimates of quantifiers when the sample and the training scores are redrawn, for each method.

    Of one class against the rest (replicates,); of all classes (replicates, n_classes).

    Quantifiers are fitted anew on 100 draws of the training scores, class by class, to include the scatter of tpr, fpr and
    distributions; each fit estimates its share of the redrawn samples.

    Parameters
    ----------
    methods : as in `make_quantifiers`; a copy of your own is fitted anew on each draw, even if it is fitted already.
    sample : (m,) or (m, n_classes), scores of the sample.
    scores, labels : (n,) or (n, n_classes), and (n,): out-of-fold training scores, and labels 0 and 1 or from 0.
    rng : random generator of all draws.
    replicates : at least 100.

    Raises
    ------
    InvalidInput
        An unknown method, scores outside [0, 1], or too few replicates.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> labels = np.repeat([1, 0], 50)
    >>> scores = np.clip(rng.normal(0.3 + 0.4 * labels, 0.2), 0.0, 1.0)
    >>> drawn = double_bootstrap(["AC"], scores[30:80], scores, labels, rng=rng)["AC"]
    >>> drawn.shape, round(float(np.median(drawn)), 1)
    ((1000,), 0.4)
    """
    check = check_scores if np.ndim(scores) == 1 else check_class_scores
    checked, training, truth, named = check("sample", sample), check("scores", scores), np.asarray(labels), by_name(methods)
    parts: list[dict[str, FloatArray]] = []
    waiting: list[_Redrawn] = []
    with one_thread():
        for rows, n_samples in redrawn_training(truth, replicates, rng):
            fitted = make_quantifiers(named, training[rows], truth[rows], refit=True)
            for drawn in _redrawn_samples(checked, n_samples, rng):
                waiting.append((fitted, drawn))
                if sum(one.size for _, one in waiting) >= _ESTIMATED_AT_ONCE:
                    parts.append(_answers(waiting))
                    waiting = []
        if waiting:
            parts.append(_answers(waiting))
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


def redrawn_training(labels: IntArray, replicates: int, rng: np.random.Generator) -> Iterator[tuple[IntArray, int]]:
    """(redrawn rows of the training scores, class by class; number of samples to estimate with them), 100 times.

    Raises InvalidInput for fewer than 100 replicates.
    """
    check_integer("replicates", replicates, low=_FITS)
    members = [np.flatnonzero(labels == label) for label in np.unique(labels)]
    for n_samples in np.diff(np.linspace(0, replicates, _FITS + 1).astype(int)):
        yield np.concatenate([rng.choice(one, len(one)) for one in members]), int(n_samples)


def _redrawn_samples(sample: FloatArray, n_samples: int, rng: np.random.Generator) -> Iterator[FloatArray]:
    """The sample redrawn so many times, in blocks."""
    block = max(1, _LARGEST_BLOCK // sample.size)
    for start in range(0, n_samples, block):
        yield sample[rng.integers(len(sample), size=(min(block, n_samples - start), len(sample)))]


def _answers(redrawn: Sequence[_Redrawn]) -> dict[str, FloatArray]:
    """The estimates of each method. What a method learnt alike in several fits, such as EMQ a prevalence, is asked once."""
    answers = {}
    for name in redrawn[0][0]:
        runs: list[tuple[Any, list[FloatArray]]] = []
        for fitted, drawn in redrawn:
            if runs and _learnt_alike(runs[-1][0], fitted[name]):
                runs[-1][1].append(drawn)
            else:
                runs.append((fitted[name], [drawn]))
        answers[name] = np.concatenate([_answer(name, quantifier, drawn) for quantifier, drawn in runs])
    return answers


def _answer(name: str, quantifier: Any, drawn: list[FloatArray]) -> FloatArray:
    samples = drawn[0] if len(drawn) == 1 else np.concatenate(drawn)
    return check_estimates(name, quantifier.predict(only_to_read(samples)), (len(samples), *samples.shape[2:]))


def _learnt_alike(one: object, other: object) -> bool:
    """Whether two fits of a quantifier learnt the same numbers; where it learnt anything else, that is not known."""
    if one is other or not (hasattr(one, "__dict__") and hasattr(other, "__dict__")):
        return one is other
    mine, others = vars(one), vars(other)
    return bool(mine) and all(value is None or isinstance(value, int | float) for value in mine.values()) and mine == others


def percentiles(estimates: FloatArray, level: float, sample_size: int) -> FloatArray:
    """The percentile interval of bootstrap estimates, (replicates, ...) -> (2, ...).

    If nearly all estimates are less than half an instance from 0 (or 1), its end is that of Clopper and Pearson for none (or
    all) of `sample_size` instances: a sample without any instance of a class does not prove that the class is absent.
    """
    tail = (1.0 - level) / 2.0
    low, high = np.quantile(estimates, (tail, 1.0 - tail), axis=0)
    least = tail ** (1.0 / sample_size)
    none = 0.5 / sample_size
    return np.stack([np.where(low > 1.0 - none, least, low), np.where(high < none, 1.0 - least, high)])
