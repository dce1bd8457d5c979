"""The share of positives in a sample that is labelled in part, and what its labels are worth."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from qcore._base.validation import FloatArray, InvalidInput, check_kind, check_level
from qcore.intervals.analytic import interval_row
from qcore.intervals.catalog import DEFAULT_INTERVAL, INTERVALS
from qcore.intervals.counts import Counts
from qcore.intervals.labelled_sample import LabelledSample
from qcore.intervals.labelled_sample_intervals import (
    labelled_sample_intervals,
    prediction_powered_scores,
    why_normal_is_too_short,
)
from qcore.intervals.labels_needed import (
    LabelSplit,
    labels_for_half_the_width,
    split_of_classes,
    split_of_predicted_classes,
    worth_of_a_label_inside,
)

_NEXT = 100


@dataclass(frozen=True)
class LabelledSampleEstimate:
    """The share of positives in a sample that is labelled in part, and what its labels are worth.

    Attributes
    ----------
    table : a row for each method, the recommended one first: method, estimate, low, high, interval,
        too_short, idea.
    sample : the counts.
    level, own : level of the intervals; whether the sample's own share is estimated, or its population's.
    width_elsewhere : width of an adjusted count's interval (Lang and Reiczigel 2014) with as many labels from elsewhere, best
        divided; 1 if it says nothing. It holds under prior shift alone.
    worth : how many labels elsewhere say as much as one label of the sample; infinite where predictions do not tell the classes
        apart, None where the labels show only one class, so that nothing is known of a rate.
    next_split : how many of the next hundred labels to draw from predicted positives and negatives, so that they help most.
        Labels drawn so are not a simple random sample: only `double_sampling` is valid. None if fewer are left.
    labels_to_halve : how many more labels make the interval half as wide; None if the sample is too small for that.

    Examples
    --------
    >>> result = estimate_labelled_sample(LabelledSample(310, 1000, 31, 24, 69, 6))
    >>> result.table.loc[0, ["low", "high"]].astype(float).round(2).tolist()
    [0.24, 0.37]
    """

    table: pd.DataFrame
    sample: LabelledSample
    level: float
    own: bool
    width_elsewhere: float
    worth: float | None
    labels_to_halve: int | None
    next_split: LabelSplit | None = None

    def to_dict(self, positive: str) -> dict[str, Any]:
        """A dictionary for JSON."""
        counts = {name: int(getattr(self.sample, name)) for name in LabelledSample.__dataclass_fields__}
        tpr, fpr = (None if np.isnan(rate) else float(rate) for rate in self.sample.rates)
        return {
            "positive": positive,
            "level": self.level,
            "share_of": "sample" if self.own else "population",
            "estimates": self.table.drop(columns="idea").to_dict("records"),
            "counts": counts,
            "tpr": tpr,
            "fpr": fpr,
            "agreement": float(self.sample.agreement),
            "width_with_labels_from_elsewhere": self.width_elsewhere,
            "labels_from_elsewhere_for_one": None if self.worth is None or np.isinf(self.worth) else self.worth,
            "labels_to_halve": self.labels_to_halve,
            "next_hundred_labels": None if self.next_split is None else self.next_split._asdict(),
        }


def estimate_labelled_sample(
    sample: LabelledSample,
    level: float = 0.95,
    *,
    own: bool = True,
    scores: FloatArray | None = None,
    labels: FloatArray | None = None,
) -> LabelledSampleEstimate:
    """Estimate the share of positives in a sample that is predicted as a whole and labelled in part.

    Parameters
    ----------
    sample : its counts, of one sample.
    level : level of the intervals.
    own : whether the sample's own share is wanted, or that of the population that it was drawn from.
    scores, labels : (m,) each, scores of all instances in [0, 1], and labels 0 and 1, NaN where there is none. If they are
        given, the table has one more row, the estimate of `prediction_powered_scores`.

    Raises
    ------
    InvalidInput
        An invalid level, score or label; scores without labels, or labels without scores.

    Examples
    --------
    >>> result = estimate_labelled_sample(LabelledSample(310, 1000, 31, 24, 69, 6))
    >>> result.table.loc[0, "method"], result.labels_to_halve, result.worth and round(result.worth, 1)
    ('double sampling', 200, 2.0)
    """
    check_level(level)
    check_kind("sample", sample, LabelledSample, "Write LabelledSample(...) with its six counts.")
    if np.ndim(sample.estimate):
        raise InvalidInput("sample", "be the counts of one sample", f"{np.size(sample.estimate)}", "Pass one after the other.")
    if (scores is None) != (labels is None):
        alone = "labels" if scores is None else "scores"
        raise InvalidInput("scores and labels", "be given together", f"{alone} alone", "Pass both, or neither.")
    table = labelled_sample_intervals(sample, level, own=own)
    if scores is not None and labels is not None:
        _check_of_sample(sample, labels)
        estimate, low, high = (float(value) for value in prediction_powered_scores(scores, labels, level))
        idea = "PPI++ with the scores in place of the predicted classes."
        ends = interval_row("PPI++ on scores", idea, (low, high), why_normal_is_too_short(sample))
        row = {"method": "PPI++ on scores", "estimate": estimate, **ends}
        table = pd.concat([table, pd.DataFrame([row])], ignore_index=True)
    try:
        more = labels_for_half_the_width(sample, level, own=own)
    except InvalidInput:
        more = None
    width, worth = _elsewhere(sample, level)
    left = int(sample.sample_size) - int(sample.n_labels)
    split = split_of_predicted_classes(sample, _NEXT) if left >= _NEXT else None
    return LabelledSampleEstimate(table, sample, level, own, width, worth, more, split)


def _check_of_sample(sample: LabelledSample, labels: FloatArray) -> None:
    """Raise InvalidInput unless the labels are those that the sample counts."""
    given = np.atleast_1d(np.asarray(labels, dtype=object))
    n, n_labels = len(given), int(pd.notna(given).sum())
    if (n, n_labels) != (int(sample.sample_size), int(sample.n_labels)):
        rule = f"be of the sample: {int(sample.sample_size):,} instances, {int(sample.n_labels):,} of them labelled"
        raise InvalidInput("labels", rule, f"{n:,} and {n_labels:,}", "Pass NaN for unlabelled instances.")


def _elsewhere(sample: LabelledSample, level: float) -> tuple[float, float | None]:
    """(width of an adjusted count's interval with as many labels from elsewhere, labels there for one here)."""
    p, (tpr, fpr) = float(sample.estimate), (float(rate) for rate in sample.rates)
    if int(sample.positives.sum()) in (0, int(sample.n_labels)) or np.isnan(tpr) or np.isnan(fpr):
        return 1.0, None
    if tpr <= fpr:
        return 1.0, float("inf")
    split = split_of_classes(p, (tpr, fpr), int(sample.n_labels))
    labels = (max(split.positives, 1), max(split.negatives, 1))
    right, wrong = (round(rate * n) for rate, n in zip((tpr, fpr), labels, strict=True))
    counts = Counts(int(sample.predicted_positives), int(sample.sample_size), right, labels[0], wrong, labels[1])
    interval = INTERVALS[DEFAULT_INTERVAL].interval(counts, level)
    return float(interval.high - interval.low), worth_of_a_label_inside(p, (tpr, fpr))
