"""An estimate of one sample by each of several methods, with an interval that covers the sample and the training scores."""

from collections.abc import Callable, Mapping
from typing import Any, Final

import numpy as np
import pandas as pd

from qcore._base.random_streams import RandomStream, random_stream
from qcore._base.validation import FloatArray, IntArray
from qcore.intervals.bootstrap import double_bootstrap, percentiles
from qcore.intervals.catalog import DEFAULT_INTERVAL, INTERVALS
from qcore.intervals.counts import Counts
from qcore.intervals.few_labels import FEWEST_INSTANCES, exact_corners, hardly_labelled, tell_nothing
from qcore.quantifiers.checked_estimates import estimate_of_one_sample
from qcore.quantifiers.fitting import make_quantifiers, registered_keys

BY_FORMULA = "AC"
"""The quantifier whose interval needs no redrawing: it is made of counts."""

_NO_INTERVAL: Final = "none: "
"""The first word for the kind of an interval that says nothing, 0 to 1; the reason follows."""


def intervals_by_method(
    methods: Mapping[str, Any], sample: FloatArray, scores: FloatArray, labels: IntArray, *, level: float, seed: int,
    n_jobs: int | None = None, on_progress: Callable[[float], None] | None = None,
) -> pd.DataFrame:  # fmt: skip
    """A row for each method: method, estimate, low, high and `interval`, the kind of interval.

    `sample`, (m,), and training `scores` and `labels`, (n,), of one class against the rest, are checked already. Raises
    InvalidInput for an unknown method.
    """
    fitted = make_quantifiers(methods, scores, labels, refit=True)
    counts = Counts.from_scores(sample, scores, labels)
    by_formula = {name for name, key in registered_keys(methods).items() if key == BY_FORMULA}
    unknown = "the scores do not tell positives from negatives" if tell_nothing(scores, labels) else ""
    unknown = f"fewer than {FEWEST_INSTANCES} instances" if len(sample) < FEWEST_INSTANCES else unknown
    bootstrapped = [name for name in fitted if name not in by_formula]
    how: Any = {"n_jobs": n_jobs, "on_progress": on_progress}
    redrawn = {} if unknown else _redrawn({name: methods[name] for name in bootstrapped}, sample, (scores, labels), seed, how)
    rows = [
        (
            name,
            estimate_of_one_sample(name, quantifier, sample),
            *_interval("" if name in by_formula else unknown, redrawn.get(name), len(sample), counts, level),
        )
        for name, quantifier in fitted.items()
    ]
    return pd.DataFrame(rows, columns=["method", "estimate", "low", "high", "interval"])


def why_no_interval(kind: str) -> str:
    """Why an interval of this kind is 0 to 1 and says nothing; empty for any other kind.

    Examples
    --------
    >>> why_no_interval("none: fewer than 20 instances"), why_no_interval("double bootstrap")
    ('fewer than 20 instances', '')
    """
    return kind.removeprefix(_NO_INTERVAL) if kind.startswith(_NO_INTERVAL) else ""


def _interval(unknown: str, redrawn: FloatArray | None, size: int, counts: Counts, level: float) -> tuple[float, float, str]:
    """Ends of a method's interval, and its kind; `unknown` says why redrawn samples do not show how estimates scatter."""
    if unknown:
        return 0.0, 1.0, f"{_NO_INTERVAL}{unknown}"
    low, high = INTERVALS[DEFAULT_INTERVAL].interval(counts, level) if redrawn is None else percentiles(redrawn, level, size)
    kind = DEFAULT_INTERVAL if redrawn is None else "double bootstrap"
    if redrawn is not None and hardly_labelled(counts):
        wide = exact_corners(counts, level)
        low, high, kind = np.minimum(low, wide.low), np.maximum(high, wide.high), f"{kind}, widened"
    return float(low), float(high), kind


def _redrawn(
    methods: Mapping[str, Any], sample: FloatArray, training: tuple[FloatArray, np.ndarray], seed: int, how: Mapping[str, Any]
) -> dict[str, FloatArray]:
    """Redrawn estimates of the methods."""
    if not methods:
        return {}
    rng = random_stream(seed, RandomStream.DOUBLE_BOOTSTRAP)
    return double_bootstrap(methods, sample, *training, rng=rng, **how)
