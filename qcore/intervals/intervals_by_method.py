"""An estimate of one sample by each of several methods, with an interval that covers the sample and the training scores."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pandas as pd

from qcore._base.random_streams import RandomStream, random_stream
from qcore._base.validation import FloatArray, IntArray
from qcore.intervals.analytic import Interval
from qcore.intervals.bootstrap import double_bootstrap, percentiles
from qcore.intervals.catalog import DEFAULT_INTERVAL, INTERVALS
from qcore.intervals.counts import Counts
from qcore.intervals.few_labels import FEWEST_INSTANCES, fewest_labels, tell_too_little, widened, widened_by_method
from qcore.intervals.no_interval import NO_INTERVAL
from qcore.quantifiers import QUANTIFIERS
from qcore.quantifiers.checked_estimates import estimate_of_one_sample
from qcore.quantifiers.fitting import make_quantifiers, registered_keys

BY_FORMULA = "AC"
"""The quantifier whose interval needs no redrawing: it is made of counts."""


def intervals_by_method(
    methods: Mapping[str, Any], sample: FloatArray, scores: FloatArray, labels: IntArray, *, level: float, seed: int,
    posteriors: bool = True, n_jobs: int | None = None, on_progress: Callable[[float], None] | None = None,
) -> pd.DataFrame:  # fmt: skip
    """A row for each method: method, estimate, low, high and `interval`, the kind of interval.

    `sample`, (m,), and training `scores` and `labels`, (n,), of one class against the rest, are checked already. Raises
    InvalidInput for an unknown method. `posteriors` as in `make_quantifiers`.
    """
    fitted = make_quantifiers(methods, scores, labels, refit=True, posteriors=posteriors)
    counts = Counts.from_scores(sample, scores, labels)
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
            estimate_of_one_sample(name, quantifier, sample),
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
