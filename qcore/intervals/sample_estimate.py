"""One sample of scores -> estimates with intervals, and the evidence for them: the rates and the fit of the mixture."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from qcore._base.random_streams import RandomStream, random_stream
from qcore._base.validation import FloatArray, check_fraction, check_scores, check_seed, check_training_data
from qcore.intervals.bootstrap import double_bootstrap, percentiles
from qcore.intervals.catalog import DEFAULT_INTERVAL, INTERVALS
from qcore.intervals.counts import Counts
from qcore.intervals.few_labels import cautions, exact_corners, hardly_labelled
from qcore.intervals.goodness_of_fit import GoodnessOfFit, mixture_fit
from qcore.quantifiers import make_quantifiers
from qcore.quantifiers.fitting import Methods

BY_FORMULA = "AC"
"""The quantifier whose interval needs no redrawing: it is made of counts."""

DEFAULT_METHODS: Final = ("AC", "PACC", "EMQ")
"""A correction of counts, one of scores, and EM."""

FEWEST = 20
"""Samples with fewer instances are neither redrawn nor tested for the fit of the mixture."""


@dataclass(frozen=True)
class SampleEstimate:
    """Estimates for a sample, with the evidence for them.

    Attributes
    ----------
    table : a row for each method: method, estimate, low, high and `interval`, the kind of interval.
    counts : counts at threshold 0.5, which AC corrects.
    fit : fit of the mixture of the two classes, None for fewer than 20 instances.
    outside : share of the sample's scores below or above all training scores.
    level : level of the intervals.
    """

    table: pd.DataFrame
    counts: Counts
    fit: GoodnessOfFit | None
    outside: float
    level: float

    def to_dict(self, positive: str) -> dict[str, Any]:
        """A dictionary for JSON: positive class, level, a record for each method, counts, the mixture's p-value and weight."""
        counts = {name: int(getattr(self.counts, name)) for name in Counts.__dataclass_fields__}
        mixture = None if self.fit is None else {"p_value": self.fit.p_value, "weight": self.fit.weight}
        estimates = self.table.to_dict("records")
        return {
            "positive": positive, "level": self.level, "estimates": estimates, "counts": counts, "mixture": mixture,
            "cautions": self.cautions,
        }  # fmt: skip

    @property
    def cautions(self) -> list[str]:
        """Sentences on rates that are hardly known; none with enough labels and a tpr well above fpr."""
        return cautions(self.counts)


def estimate_sample(
    sample: ArrayLike, scores: ArrayLike, labels: ArrayLike, methods: Methods = DEFAULT_METHODS, *,
    level: float = 0.95, seed: int = 0,
) -> SampleEstimate:  # fmt: skip
    """Estimates of a sample by several quantifiers, each with an interval that includes the sample and the training scores.

    AC's interval is that of Lang and Reiczigel (2014), the others' are percentiles of a double bootstrap. With fewer than ten
    training scores of a class all intervals are widened, and `cautions` says so: scores redrawn from so few hardly scatter.

    Parameters
    ----------
    sample : (m,), scores of the sample.
    scores, labels : (n,) each, out-of-fold training scores and labels 0 and 1.
    methods : as in `make_quantifiers`.
    level, seed : level of the intervals, and seed of the bootstrap.

    Raises
    ------
    InvalidInput
        A score outside [0, 1], an unknown method, or an invalid level or seed.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> labels = np.repeat([1, 0], 100)
    >>> scores = np.clip(rng.normal(0.3 + 0.4 * labels, 0.2), 0.0, 1.0)
    >>> result = estimate_sample(scores[60:160], scores, labels, ["AC"])
    >>> result.table[["estimate", "low", "high"]].round(1).to_numpy().tolist()
    [[0.4, 0.2, 0.5]]
    """
    check_fraction("level", level, low=0.5, high=0.999)
    check_seed(seed)
    drawn, (training, truth) = check_scores("sample", sample), check_training_data(scores, labels)
    fitted = make_quantifiers(methods, training, truth)
    counts = Counts.from_scores(drawn, training, truth)
    redrawn = _redrawn(methods, fitted, drawn, (training, truth), seed)
    rows = []
    for name, quantifier in fitted.items():
        if len(drawn) < FEWEST and name != BY_FORMULA:
            # Samples redrawn from one instance are all the same: so few instances do not show how estimates scatter.
            ends, interval = (0.0, 1.0), f"none: fewer than {FEWEST} instances"
        elif name in redrawn:
            low, high = percentiles(redrawn[name], level, len(drawn))
            ends, interval = (float(low), float(high)), "double bootstrap"
            if hardly_labelled(counts):
                wide = exact_corners(counts, level)
                ends = min(ends[0], float(wide.low)), max(ends[1], float(wide.high))
                interval = "double bootstrap, widened"
        else:
            low, high = INTERVALS[DEFAULT_INTERVAL].interval(counts, level)
            ends, interval = (float(low), float(high)), DEFAULT_INTERVAL
        rows.append((name, float(quantifier.predict(drawn)), *ends, interval))
    table = pd.DataFrame(rows, columns=["method", "estimate", "low", "high", "interval"])
    fit = None
    if len(drawn) >= FEWEST:
        fit = mixture_fit(drawn, training, truth, rng=random_stream(seed, RandomStream.GOODNESS_OF_FIT))
    outside = float(np.mean((drawn < training.min()) | (drawn > training.max())))
    return SampleEstimate(table, counts, fit, outside, level)


def _redrawn(
    methods: Methods, fitted: Iterable[str], sample: FloatArray, training: tuple[FloatArray, np.ndarray], seed: int
) -> dict[str, FloatArray]:
    """Redrawn estimates of all methods but AC."""
    names = [name for name in fitted if name != BY_FORMULA]
    if not names or len(sample) < FEWEST:
        return {}
    rng = random_stream(seed, RandomStream.DOUBLE_BOOTSTRAP)
    wanted = {name: methods[name] for name in names} if isinstance(methods, Mapping) else names
    return double_bootstrap(wanted, sample, *training, rng=rng)
