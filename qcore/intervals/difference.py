"""The difference of two shares: samples that one classifier counts, so that the errors of its rates cancel.

Two intervals of one share each say little about their difference: both hold the same errors of tpr and fpr. In the difference
of two adjusted counts, (q1 - q2) / (tpr - fpr), these errors cancel except for the factor.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy.stats import chi2_contingency, fisher_exact, norm

from qcore._base.random_streams import RandomStream, random_stream
from qcore._base.validation import (
    TIE,
    FloatArray,
    IntArray,
    InvalidInput,
    check_choice,
    check_level,
    check_one_sample,
    check_several,
    check_training_data,
)
from qcore.evaluation.significance import holm
from qcore.intervals.all_classes_estimate import checked_classes
from qcore.intervals.catalog import DEFAULT_INTERVAL, INTERVALS
from qcore.intervals.counts import Counts, EffectiveCounts
from qcore.intervals.joint_bootstrap import joint_bootstrap
from qcore.intervals.weights import check_weights, in_groups
from qcore.quantifiers.batch import THRESHOLD

OTHERS = "all others"
"""What each group is compared with in place of one of them: all other groups together."""
BY_FORMULA = "AC"
"""The quantifier whose difference has an interval by a formula."""
_EXACT_BELOW = 5
"""With a count below this, two proportions are compared by Fisher's exact test."""


class DifferenceInterval(NamedTuple):
    """Differences of two shares and the ends of their intervals, (...) each, in [-1, 1]."""

    difference: FloatArray
    low: FloatArray
    high: FloatArray


def fieller(first: Counts, second: Counts, level: float = 0.95) -> DifferenceInterval:
    """The share in the second sample less that in the first: Fieller's interval of (q2 - q1) / (tpr - fpr).

    One is added to each count. Where the labels do not tell the classes apart, the interval is -1 to 1.

    Parameters
    ----------
    first, second : counts of two samples with the same labels, each of one sample or of many, (...).
    level : level of the intervals.

    Raises
    ------
    InvalidInput
        Other labels behind the second sample than behind the first, or an invalid level.

    Source: Fieller (1954), Some problems in interval estimation; mathematics.md, 20.

    Examples
    --------
    >>> may, june = Counts(345, 1000, 80, 100, 10, 100), Counts(380, 1000, 80, 100, 10, 100)
    >>> [round(float(end), 3) for end in fieller(may, june)]
    [0.05, -0.01, 0.114]
    """
    check_level(level)
    _check_one_classifier(first, second)
    z2 = norm.ppf(0.5 + level / 2.0) ** 2
    counted = [(np.asarray(one.predicted_positives) + 1.0, np.asarray(one.sample_size) + 2.0) for one in (second, first)]
    (q, n), (q_before, n_before) = [(found / total, total) for found, total in counted]
    moved, of_moved = q - q_before, q * (1.0 - q) / n + q_before * (1.0 - q_before) / n_before
    (se, of_se), (sp, of_sp) = first.smoothed_rates
    gap, of_gap = se + sp - 1.0, of_se + of_sp
    # The differences d with (moved - d gap)^2 <= z^2 (of_moved + d^2 of_gap): between the roots of a parabola.
    square = gap**2 - z2 * of_gap
    tells = (gap > 0.0) & (square > TIE)
    by = np.where(tells, square, 1.0)
    half = np.sqrt(np.maximum((moved * gap) ** 2 - square * (moved**2 - z2 * of_moved), 0.0))
    low, high = ((moved * gap + sign * half) / by for sign in (-1.0, 1.0))
    low, high = (np.where(tells, np.clip(end, -1.0, 1.0), edge) for end, edge in ((low, -1.0), (high, 1.0)))
    return DifferenceInterval(np.clip(_difference(first, second), low, high), low, high)


def _difference(first: Counts, second: Counts) -> FloatArray:
    """(q2 - q1) / (tpr - fpr); the difference of the counts where tpr is not above fpr."""
    gap = first.tpr - first.fpr
    difference: FloatArray = np.asarray((second.count - first.count) / np.where(gap > TIE, gap, 1.0))
    return difference


def _check_one_classifier(first: Counts, second: Counts) -> None:
    for name in ("true_positives", "positives", "false_positives", "negatives"):
        one, other = np.asarray(getattr(first, name)), np.asarray(getattr(second, name))
        if not np.array_equal(np.broadcast_to(one, np.broadcast_shapes(one.shape, other.shape)), other):
            raise InvalidInput(
                name,
                "be the same for both samples",
                f"{one.tolist()} and {other.tolist()}",
                "Count both with one classifier and its labels; else compare two separate intervals.",
            )


def predictions_differ(first: Counts, second: Counts) -> float:
    """The p-value of "as many are predicted positive in both": it needs no labels, and no rates.

    A chi-square test of two proportions; Fisher's exact test where a count is below 5. Of one sample each. If tpr is above fpr
    and only the prevalence can have moved, it is the p-value of "the share is the same".

    Examples
    --------
    >>> round(predictions_differ(Counts(345, 1000, 80, 100, 10, 100), Counts(380, 1000, 80, 100, 10, 100)), 3)
    0.104
    """
    found, sizes = (
        np.array([float(getattr(one, of)) for one in (first, second)]) for of in ("predicted_positives", "sample_size")
    )
    return _alike(np.column_stack([found, sizes - found]))


def _alike(table: FloatArray | IntArray) -> float:
    """The p-value of "in all samples the same share is predicted of each class", of counts (n_samples, n_classes)."""
    table = table[:, table.sum(axis=0) > 0]
    if table.shape[1] < 2:
        return 1.0
    if table.shape == (2, 2) and table.min() < _EXACT_BELOW:
        return float(fisher_exact(np.rint(table)).pvalue)
    return float(chi2_contingency(table, correction=False).pvalue)


@dataclass(frozen=True)
class Differences:
    """The shares of several samples, and by how much each differs from what it is compared with.

    Attributes
    ----------
    table : a row for each sample that is compared, in their order: group, size, share, share_low, share_high, difference, low,
        high, p_value, p_adjusted (by Holm, for comparing several), differs. Differences are the group's share less that of
        `against`. Of all classes a row for each group and class, with a column `positive`.
    against : the sample that the others are compared with, or OTHERS: each with all others together.
    base : its row: group, size, share, share_low, share_high; None for OTHERS, and of all classes.
    groups : the rows of all samples: group, size, share, share_low, share_high.
    all_alike : p-value of "all samples have the same shares of predicted classes", which needs no labels.
    method, level : the quantifier, and the level of the intervals and of `differs`.
    tells : whether the labels tell the classes apart; else no difference is known.
    in_time : whether the samples follow each other, so that a share rises or falls from one to the other.

    Examples
    --------
    >>> counts = Counts(np.array([345, 430]), np.array([1000, 1000]), 80, 100, 10, 100)
    >>> found = count_differences(counts, ["May", "June"])
    >>> found.against, found.table[["group", "differs"]].to_numpy().tolist()
    ('May', [['June', True]])
    """

    table: pd.DataFrame
    against: str
    base: dict[str, Any] | None
    all_alike: float
    method: str
    level: float
    groups: pd.DataFrame
    tells: bool = True
    in_time: bool = True

    @property
    def planned_from(self) -> tuple[float, int]:
        """The share from which another change is planned, and the size of a sample: the median of all.

        The share is that of `against`; where each is compared with all others, the mean of all, weighted by their sizes.
        """
        share = float(np.average(self.groups.share, weights=self.groups["size"])) if self.base is None else self.base["share"]
        return float(share), int(np.median(self.groups["size"]))

    def sentences(self, of: str = "The share") -> list[str]:
        """A sentence for each sample that differs, in points of percent; one that says so if none does."""
        if not self.tells:
            return ["The labels do not tell the classes apart: whether the shares differ cannot be said."]
        found = self.table[self.table.differs]
        if not len(found):
            return [self._nothing()]
        return [
            _moved(f"{of} of {row['positive']!r}" if "positive" in row else of, row, self.against, self.in_time)
            for row in found.to_dict("records")
        ]

    def _nothing(self) -> str:
        if len(self.table) > 1:
            other = (
                "differs clearly from the others together" if self.against == OTHERS else f"differs clearly from {self.against}"
            )
            return f"No group {other}."
        row = self.table.to_dict("records")[0]
        low, high = points(row["low"]), points(row["high"])
        return f"No clear change from {self.against} to {row['group']}: {points(row['difference'])} points ({low} to {high})."

    def to_dict(self, positive: str) -> dict[str, Any]:
        """A dictionary for JSON: shares and differences as fractions, a record for each group."""
        return {
            "positive": positive,
            "method": self.method,
            "level": self.level,
            "against": self.against,
            "base": self.base,
            "all_alike_p_value": self.all_alike,
            "groups": self.groups.to_dict("records"),
            "differences": self.table.to_dict("records"),
            "sentences": self.sentences(f"The share of {positive!r}"),
        }


def points(difference: float) -> str:
    """A difference of shares in points of percent, with its sign where it is negative.

    Examples
    --------
    >>> points(0.0456), points(-0.1)
    ('4.6', '-10.0')
    """
    return f"{100.0 * difference:.1f}"


def _moved(of: str, row: Mapping[Any, Any], against: str, in_time: bool) -> str:
    difference, ends = row["difference"], (row["low"], row["high"])
    size = points(abs(difference))
    low, high = sorted(ends) if difference >= 0.0 else sorted(-end for end in ends)
    interval = f"({points(low)} to {points(high)})"
    if against == OTHERS or not in_time:
        other = f"of {OTHERS}" if against == OTHERS else f"in {against}"
        return f"{of} in {row['group']} is {size} points {interval} {'above' if difference > 0 else 'below'} that {other}."
    return f"{of} {'rose' if difference > 0 else 'fell'} by {size} points {interval} from {against} to {row['group']}."


def difference(
    samples: Mapping[str, ArrayLike],
    scores: ArrayLike,
    labels: ArrayLike,
    *,
    against: str | None = None,
    method: Any = BY_FORMULA,
    classes: Sequence[str] | None = None,
    weights: Mapping[str, ArrayLike] | None = None,
    level: float = 0.95,
    seed: int = 0,
    posteriors: bool = True,
) -> Differences:
    """By how much the share of positives, or of each class, differs between samples that one classifier has scored.

    For adjusted counts (AC) of one class the interval is Fieller's, and the p-value that of the predictions alone. For other
    quantifiers, and for all classes, both come from a joint bootstrap: the labelled instances are redrawn once for all samples,
    each sample by itself.

    Parameters
    ----------
    samples : name -> scores of a sample, (m,) each, of all classes (m, n_classes); at least two.
    scores, labels : (n,) each, out-of-fold training scores and labels 0 and 1; of all classes (n, n_classes), labels from 0.
    against : the sample that all others are compared with, by default the first; OTHERS compares each with all others together.
    method : a key of QUANTIFIERS, or your own quantifier.
    classes : names of all classes, (n_classes,), for scores of all classes.
    weights : name -> how many each row of that sample stands for, (m,) each: shares are weighted, and a sample counts for its
        effective size (see `effective_size`).
    level : level of the intervals; a group differs where its p-value, adjusted by Holm (1979), is at most 1 - level.
    seed : of the bootstrap.
    posteriors : whether the scores are posteriors: see `make_quantifiers`.

    Raises
    ------
    InvalidInput
        Fewer than two samples, an unknown `against` or method, a score outside [0, 1], labels of one class, an invalid level or
        weight.

    Source: Fieller (1954), Some problems in interval estimation; Holm (1979), A simple sequentially rejective multiple test
    procedure; mathematics.md, 20.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> def scored(n, share):
    ...     truth = rng.random(n) < share
    ...     return np.clip(rng.normal(0.35 + 0.3 * truth, 0.15), 0, 1), truth.astype(int)
    >>> scores, labels = scored(300, 0.4)
    >>> result = difference({"May": scored(2000, 0.35)[0], "June": scored(2000, 0.45)[0]}, scores, labels)
    >>> result.sentences("The share of refunds")
    ['The share of refunds rose by 10.2 points (5.7 to 15.4) from May to June.']
    """
    check_level(level)
    base = checked_base(list(samples), against)
    if classes is not None or np.ndim(scores) > 1:
        return _of_all_classes(
            samples, scores, labels, classes, base=base, method=method, weights=weights, level=level, seed=seed
        )
    training, truth = check_training_data(scores, labels)
    checked = {str(name): check_one_sample(f"sample {name}", sample) for name, sample in samples.items()}
    given = _weights_of(checked, weights)
    counts, rows = _counts(checked, given, training, truth), [len(sample) for sample in checked.values()]
    by_formula = count_differences(counts, list(checked), against=base, level=level, rows=rows)
    if method == BY_FORMULA:
        return by_formula
    rng = random_stream(seed, RandomStream.DIFFERENCES)
    redrawn = joint_bootstrap(method, checked, training, truth, weights=given, rng=rng, posteriors=posteriors)
    table = pd.DataFrame({"group": list(checked), "size": rows, **redrawn.compared_with(base, OTHERS, level)})
    return compared_with_base(table, base, by_formula.all_alike, method, level)


def count_differences(
    counts: Counts,
    names: Sequence[str],
    *,
    against: str | None = None,
    level: float = 0.95,
    rows: Sequence[int] | None = None,
) -> Differences:
    """By how much adjusted counts differ between samples, such as months whose counts one test gave: Fieller's intervals.

    Parameters
    ----------
    counts : of all samples, (n_samples,); the counts of labels are the same for all.
    names : of the samples, (n_samples,); at least two.
    against, level : as in `difference`.
    rows : sizes to report, (n_samples,), where those of the counts are effective ones.

    Raises InvalidInput as `difference`.

    Examples
    --------
    >>> counts = Counts(np.array([345, 430]), np.array([1000, 1000]), 80, 100, 10, 100)
    >>> count_differences(counts, ["May", "June"]).sentences()
    ['The share rose by 12.1 points (6.1 to 19.1) from May to June.']
    """
    check_level(level)
    base = checked_base(names, against)
    if np.shape(counts.count) != (len(names),):
        raise InvalidInput("counts", f"be of {len(names)} samples", f"shape {counts.count.shape}", "Pass an array of each.")
    places = np.full(len(names), list(names).index(base)) if base != OTHERS else None
    beside = _rest(counts) if places is None else _of(counts, places)
    low, high = INTERVALS[DEFAULT_INTERVAL].interval(counts, level)
    sizes = np.asarray(counts.sample_size if rows is None else rows)
    table = pd.DataFrame({"group": list(names), "size": sizes, "share": counts.estimate, "share_low": low, "share_high": high})
    table[["difference", "low", "high"]] = np.column_stack(fieller(beside, counts, level))
    table["p_value"] = [predictions_differ(_of(beside, one), _of(counts, one)) for one in range(len(names))]
    found, totals = np.asarray(counts.predicted_positives), np.asarray(counts.sample_size)
    return compared_with_base(table, base, _alike(np.column_stack([found, totals - found])), BY_FORMULA, level)


def _of_all_classes(
    samples: Mapping[str, ArrayLike],
    scores: ArrayLike,
    labels: ArrayLike,
    classes: Sequence[str] | None,
    *,
    base: str,
    method: Any,
    weights: Mapping[str, ArrayLike] | None,
    level: float,
    seed: int,
) -> Differences:
    known = None if classes is None else tuple(check_several("classes", classes))
    parts = [checked_classes(sample, scores, labels, known) for sample in samples.values()]
    checked = {str(name): part[0] for name, part in zip(samples, parts, strict=True)}
    _, training, truth, named = parts[0]
    given = _weights_of(checked, weights)
    rng = random_stream(seed, RandomStream.DIFFERENCES)
    redrawn = joint_bootstrap(method, checked, training, truth, weights=given, rng=rng, posteriors=True)
    compared = redrawn.compared_with(base, OTHERS, level)
    table = pd.DataFrame(
        {
            "group": np.repeat(list(checked), len(named)),
            "positive": np.tile(named, len(checked)),
            "size": np.repeat([len(sample) for sample in checked.values()], len(named)),
            **{name: values.ravel() for name, values in compared.items()},
        }
    )
    predicted = [np.bincount(sample.argmax(axis=1), minlength=len(named)) for sample in checked.values()]
    return compared_with_base(table, base, _alike(np.array(predicted)), method, level)


def compared_with_base(table: pd.DataFrame, base: str, all_alike: float, method: Any, level: float) -> Differences:
    """The result of a table of all samples: those other than the base, with p-values adjusted for the number of comparisons."""
    names = ("group", "positive", "size", "labels", "share", "share_low", "share_high")
    shares = [name for name in names if name in table.columns]
    rows = table[table.group != base].reset_index(drop=True)
    rows["p_adjusted"] = holm(rows.p_value)
    of_base = table.loc[table.group == base, shares].to_dict("records")
    return Differences(
        rows.assign(differs=rows.p_adjusted <= 1.0 - level + TIE),
        base,
        {str(key): value for key, value in of_base[0].items()} if len(of_base) == 1 else None,
        all_alike,
        method if isinstance(method, str) else type(method).__name__,
        level,
        table[shares],
        tells=bool((rows.low > -1.0).any() or (rows.high < 1.0).any()),
    )


def checked_base(names: Sequence[str], against: str | None) -> str:
    """The sample that others are compared with, by default the first. Raises InvalidInput for another, or for one sample."""
    if len(names) < 2:
        raise InvalidInput("samples", "be at least two", str(len(names)), "Pass a mapping from a name to scores for each.")
    base = str(names[0]) if against is None else against
    check_choice("against", base, (*map(str, names), OTHERS))
    return base


def _weights_of(samples: Mapping[str, FloatArray], weights: Mapping[str, ArrayLike] | None) -> dict[str, FloatArray] | None:
    """The weights of each sample's rows. Raises InvalidInput."""
    if weights is None:
        return None
    for name in samples:
        check_choice("a sample with weights", name, list(map(str, weights)))
    given = {str(name): values for name, values in weights.items()}
    return {name: check_weights(given[name], len(sample)) for name, sample in samples.items()}


def group_differences(
    sample: ArrayLike,
    groups: ArrayLike,
    scores: ArrayLike,
    labels: ArrayLike,
    *,
    against: str | None = None,
    weights: ArrayLike | None = None,
    **how: Any,
) -> Differences:
    """By how much the share differs between the groups of one sample, such as its months.

    Parameters
    ----------
    sample, groups : (m,) each, scores and the group of each instance; at least two groups, and instances without one are left
        out. Groups of a categorical column stay in its order. Scores of all classes are (m, n_classes).
    scores, labels : (n,) each, out-of-fold training scores and labels 0 and 1, or those of all classes.
    against : the group that all others are compared with, by default the first; OTHERS compares each with all others together.
    weights : (m,), how many each instance stands for.
    how : `method`, `classes`, `level`, `seed`, `posteriors`, as in `difference`.

    Raises InvalidInput as `difference`, and for other numbers of groups than of instances.

    Examples
    --------
    >>> scores, labels = [0.9, 0.8, 0.7, 0.4, 0.3, 0.2, 0.1, 0.6], [1, 1, 1, 1, 0, 0, 0, 0]
    >>> group_differences([0.9, 0.8, 0.2, 0.1, 0.3], ["a", "a", "a", "b", "b"], scores, labels).table.group.tolist()
    ['b']
    """
    checked = np.asarray(sample) if np.ndim(sample) > 1 else check_one_sample("sample", sample)
    given = None if weights is None else check_weights(weights, len(checked))
    names = in_groups(groups, len(checked))
    members = {str(name): rows for name, rows in names.groupby(names, observed=True).indices.items()}
    parts = {name: checked[rows] for name, rows in members.items()}
    of_rows = None if given is None else {name: given[rows] for name, rows in members.items()}
    return difference(parts, scores, labels, against=against, weights=of_rows, **how)


def _counts(
    samples: Mapping[str, FloatArray], weights: Mapping[str, FloatArray] | None, scores: FloatArray, labels: IntArray
) -> Counts:
    """The counts of all samples, (n_samples,); those of the labels are the same for each."""
    taken = {name: sample >= THRESHOLD for name, sample in samples.items()}
    labelled = Counts.from_scores(next(iter(samples.values())), scores, labels)
    if weights is None:
        found = np.array([int(one.sum()) for one in taken.values()])
        return replace(labelled, predicted_positives=found, sample_size=np.array([len(one) for one in taken.values()]))
    each = [EffectiveCounts.from_weights(labelled, one, weights[name]) for name, one in taken.items()]
    found, sizes = (np.array([float(getattr(one, of)) for one in each]) for of in ("predicted_positives", "sample_size"))
    return replace(each[0], predicted_positives=found, sample_size=sizes)


def _of(counts: Counts, which: int | IntArray) -> Counts:
    """The counts of one of many samples, or of several."""
    found, sizes = np.asarray(counts.predicted_positives), np.asarray(counts.sample_size)
    return replace(counts, predicted_positives=found[which], sample_size=sizes[which])


def _rest(counts: Counts) -> Counts:
    """For each sample the counts of all others together."""
    found, sizes = np.asarray(counts.predicted_positives), np.asarray(counts.sample_size)
    return replace(counts, predicted_positives=found.sum() - found, sample_size=sizes.sum() - sizes)
