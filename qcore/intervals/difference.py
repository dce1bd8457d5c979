"""The difference of two shares: samples that one classifier counts, so that the errors of its rates cancel.

Two intervals of one share each say little about their difference: both hold the same errors of tpr and fpr. In the difference
of two adjusted counts, (q1 - q2) / (tpr - fpr), these errors cancel but for the factor.
"""

from collections.abc import Mapping
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
    check_fraction,
    check_level,
    check_one_sample,
    check_training_data,
)
from qcore.evaluation.significance import holm
from qcore.intervals.catalog import DEFAULT_INTERVAL, INTERVALS
from qcore.intervals.counts import Counts
from qcore.intervals.groups import in_groups
from qcore.quantifiers import make_quantifiers
from qcore.quantifiers.batch import THRESHOLD

OTHERS = "all others"
"""What each group is compared with in place of one of them: all other groups together."""
BY_FORMULA = "AC"
"""The quantifier whose difference has an interval by a formula."""
_EXACT_BELOW = 5
"""With a count below this, two proportions are compared by Fisher's exact test."""
_FITS = 100
_SAMPLES_A_FIT = 10


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
                "be the same behind both samples",
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
    return _alike(
        *(np.array([int(getattr(one, of)) for one in (first, second)]) for of in ("predicted_positives", "sample_size"))
    )


def _alike(found: IntArray, sizes: IntArray) -> float:
    """The p-value of "in all samples the same share is predicted positive", (n_samples,) each."""
    table = np.column_stack([found, sizes - found])
    if not table.sum(axis=0).all():
        return 1.0
    if len(table) == 2 and table.min() < _EXACT_BELOW:
        return float(fisher_exact(table).pvalue)
    return float(chi2_contingency(table, correction=False).pvalue)


@dataclass(frozen=True)
class Differences:
    """The shares of several samples, and by how much each differs from what it is compared with.

    Attributes
    ----------
    table : a row for each sample that is compared, in their order: group, size, share, share_low, share_high, difference, low,
        high, p_value, p_adjusted (by Holm, for comparing several), differs. Differences are the group's share less that of
        `against`.
    against : the sample that the others are compared with, or OTHERS: each with all others together.
    base : its row: group, size, share, share_low, share_high; None for OTHERS.
    all_alike : p-value of "all samples have the same share of predicted positives", which needs no labels.
    method, level : the quantifier, and the level of the intervals and of `differs`.
    tells : whether the labels tell the classes apart; else no difference is known.
    """

    table: pd.DataFrame
    against: str
    base: dict[str, Any] | None
    all_alike: float
    method: str
    level: float
    tells: bool = True

    @property
    def shares(self) -> pd.DataFrame:
        """Every sample's share, first that which others are compared with: group, size, share, share_low, share_high."""
        compared = self.table[["group", "size", "share", "share_low", "share_high"]]
        return compared if self.base is None else pd.concat([pd.DataFrame([self.base]), compared], ignore_index=True)

    def sentences(self, of: str = "The share", *, in_time: bool = True) -> list[str]:
        """A sentence for each sample that differs, in points of percent; one that says so if none does.

        `in_time` : whether the samples follow each other, so that a share rises or falls from one to the other.
        """
        if not self.tells:
            return ["The labels do not tell the classes apart: whether the shares differ cannot be said."]
        found = self.table[self.table.differs]
        if not len(found):
            return [self._nothing()]
        return [_moved(of, row, self.against, in_time) for row in found.to_dict("records")]

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
            "differences": self.table.to_dict("records"),
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
    level: float = 0.95,
    seed: int = 0,
    posteriors: bool = True,
) -> Differences:
    """By how much the share of positives differs between samples that one classifier has scored.

    For adjusted counts (AC) the interval is Fieller's, and the p-value that of the predictions alone. For other quantifiers
    both come from a joint bootstrap: the labelled instances are redrawn once for all samples, each sample by itself.

    Parameters
    ----------
    samples : name -> scores of a sample, (m,) each; at least two.
    scores, labels : (n,) each, out-of-fold training scores and labels 0 and 1.
    against : the sample that all others are compared with, by default the first; OTHERS compares each with all others together.
    method : a key of QUANTIFIERS, or your own quantifier.
    level : level of the intervals; a group differs where its p-value, adjusted by Holm (1979), is at most 1 - level.
    seed : of the bootstrap.
    posteriors : whether the scores are posteriors: see `make_quantifiers`.

    Raises
    ------
    InvalidInput
        Fewer than two samples, an unknown `against` or method, a score outside [0, 1], labels of one class, an invalid level.

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
    training, truth = check_training_data(scores, labels)
    checked = {str(name): check_one_sample(f"sample {name}", sample) for name, sample in samples.items()}
    if len(checked) < 2:
        raise InvalidInput("samples", "be at least two", str(len(checked)), "Pass a mapping from a name to scores for each.")
    base = next(iter(checked)) if against is None else against
    check_choice("against", base, (*checked, OTHERS))
    names, is_base = list(checked), np.array([name == base for name in checked])
    counts = _counts(checked, training, truth)
    beside = _rest(counts) if base == OTHERS else _of(counts, np.flatnonzero(is_base).repeat(len(names)))
    low, high = INTERVALS[DEFAULT_INTERVAL].interval(counts, level)
    table = pd.DataFrame(
        {"group": names, "size": counts.sample_size, "share": counts.estimate, "share_low": low, "share_high": high}
    )
    if method == BY_FORMULA:
        table[["difference", "low", "high"]] = np.column_stack(fieller(beside, counts, level))
        table["p_value"] = [predictions_differ(_of(beside, one), _of(counts, one)) for one in range(len(names))]
    else:
        rng = random_stream(seed, RandomStream.DIFFERENCES)
        found = _redrawn(method, checked, base, (training, truth), rng=rng, posteriors=posteriors)
        tails = [(1.0 - level) / 2.0, (1.0 + level) / 2.0]
        table[["share", "share_low", "share_high"]] = [[*found.estimate(name, tails)] for name in names]
        table[["difference", "low", "high", "p_value"]] = [[*found.difference(name, tails)] for name in names]
    rows = table[~is_base].reset_index(drop=True)
    rows["p_adjusted"] = holm(rows.p_value)
    return Differences(
        rows.assign(differs=rows.p_adjusted <= 1.0 - level + TIE),
        base,
        None if base == OTHERS else _row(table, base),
        _alike(np.asarray(counts.predicted_positives), np.asarray(counts.sample_size)),
        method if isinstance(method, str) else type(method).__name__,
        level,
        tells=bool((rows.low > -1.0).any() or (rows.high < 1.0).any()),
    )


def group_differences(
    sample: ArrayLike, groups: ArrayLike, scores: ArrayLike, labels: ArrayLike, *, against: str | None = None, **how: Any
) -> Differences:
    """By how much the share differs between the groups of one sample, such as its months.

    Parameters
    ----------
    sample, groups : (m,) each, scores and the group of each instance, as in `estimate_groups`; at least two groups.
    scores, labels : (n,) each, out-of-fold training scores and labels 0 and 1.
    against : the group that all others are compared with, by default the first; OTHERS compares each with all others together.
    how : `method`, `level`, `seed`, `posteriors`, as in `difference`.

    Raises InvalidInput as `difference`, and for other numbers of groups than of instances.

    Examples
    --------
    >>> scores, labels = [0.9, 0.8, 0.7, 0.4, 0.3, 0.2, 0.1, 0.6], [1, 1, 1, 1, 0, 0, 0, 0]
    >>> group_differences([0.9, 0.8, 0.2, 0.1, 0.3], ["a", "a", "a", "b", "b"], scores, labels).table.group.tolist()
    ['b']
    """
    checked = check_one_sample("sample", sample)
    names = in_groups(groups, len(checked))
    parts = {str(name): checked[rows] for name, rows in names.groupby(names, observed=True).indices.items()}
    return difference(parts, scores, labels, against=against, **how)


def _row(table: pd.DataFrame, group: str) -> dict[str, Any]:
    (row,) = table.loc[table.group == group, ["group", "size", "share", "share_low", "share_high"]].to_dict("records")
    return {str(key): value for key, value in row.items()}


def _counts(samples: Mapping[str, FloatArray], scores: FloatArray, labels: IntArray) -> Counts:
    """The counts of all samples, (n_samples,); those of the labels are the same for each."""
    found = np.array([int((sample >= THRESHOLD).sum()) for sample in samples.values()])
    labelled = Counts.from_scores(next(iter(samples.values())), scores, labels)
    return replace(labelled, predicted_positives=found, sample_size=np.array([len(sample) for sample in samples.values()]))


def _of(counts: Counts, which: int | IntArray) -> Counts:
    """The counts of one of many samples, or of several."""
    found, sizes = np.asarray(counts.predicted_positives), np.asarray(counts.sample_size)
    return replace(counts, predicted_positives=found[which], sample_size=sizes[which])


def _rest(counts: Counts) -> Counts:
    """For each sample the counts of all others together."""
    found, sizes = np.asarray(counts.predicted_positives), np.asarray(counts.sample_size)
    return replace(counts, predicted_positives=found.sum() - found, sample_size=sizes.sum() - sizes)


@dataclass(frozen=True)
class _Redrawn:
    """Estimates of each sample and of what it is compared with: of all scores, and of redrawn ones, (replicates,)."""

    shares: Mapping[str, float]
    redrawn: Mapping[str, FloatArray]
    beside: Mapping[str, str]

    def estimate(self, name: str, tails: list[float]) -> tuple[float, float, float]:
        """The estimate of a sample, and the ends of its interval."""
        low, high = np.quantile(self.redrawn[name], tails)
        return self.shares[name], low, high

    def difference(self, name: str, tails: list[float]) -> tuple[float, float, float, float]:
        """The difference of a sample from what it is compared with, the ends of its interval, and its p-value."""
        moved = self.redrawn[name] - self.redrawn[self.beside[name]]
        estimate = self.shares[name] - self.shares[self.beside[name]]
        low, high = np.quantile(moved, tails)
        # Two-sided; one replicate is added on each side, since none beyond 0 does not prove a p-value of 0.
        beyond = (min(int((moved <= 0.0).sum()), int((moved >= 0.0).sum())) + 1) / (len(moved) + 1)
        return estimate, min(low, estimate), max(high, estimate), min(2.0 * beyond, 1.0)


def _redrawn(
    method: Any,
    samples: Mapping[str, FloatArray],
    base: str,
    training: tuple[FloatArray, IntArray],
    *,
    rng: np.random.Generator,
    posteriors: bool,
) -> _Redrawn:
    """The joint bootstrap: one draw of the labelled instances, class by class, for all samples; ten draws of each sample."""
    scores, labels = training
    classes = [np.flatnonzero(labels == label) for label in (0, 1)]
    beside = {name: f"{OTHERS} but {name}" if base == OTHERS else base for name in samples}
    rests = {beside[name]: _pooled(samples, name) for name in samples} if base == OTHERS else {}
    parts = {**samples, **rests}
    estimates: dict[str, list[FloatArray]] = {key: [] for key in parts}
    for _ in range(_FITS):
        chosen = np.concatenate([rng.choice(members, len(members)) for members in classes])
        fitted = _fitted(method, scores[chosen], labels[chosen], posteriors)
        for key, part in parts.items():
            drawn = part[rng.integers(0, len(part), (_SAMPLES_A_FIT, len(part)))]
            estimates[key].append(np.asarray(fitted.predict(drawn), dtype=np.float64))
    once = _fitted(method, scores, labels, posteriors)
    shares = {key: float(np.asarray(once.predict(part[np.newaxis]))[0]) for key, part in parts.items()}
    return _Redrawn(shares, {key: np.concatenate(values) for key, values in estimates.items()}, beside)


def _pooled(samples: Mapping[str, FloatArray], name: str) -> FloatArray:
    return np.concatenate([sample for other, sample in samples.items() if other != name])


def _fitted(method: Any, scores: FloatArray, labels: IntArray, posteriors: bool) -> Any:
    return make_quantifiers({"method": method}, scores, labels, refit=True, posteriors=posteriors)["method"]


def sample_size_for_difference(
    prevalence: float, difference: float, rates: tuple[float, float], *, power: float = 0.8, level: float = 0.95
) -> int:
    """Instances that each of two samples needs for a change of the share to be seen with that power.

    More labels hardly help: the test is one of the predictions.

    Parameters
    ----------
    prevalence : share of positives in the first sample.
    difference : by how much the second one differs, other than 0; the share stays in [0, 1].
    rates : (tpr, fpr), tpr above fpr.
    power, level : probability that the change is seen, and that none is seen where there is none.

    Raises InvalidInput for a share outside [0, 1], no difference, or rates that do not tell the classes apart. Source:
    mathematics.md, 20.

    Examples
    --------
    >>> [sample_size_for_difference(0.35, points, (0.8, 0.1)) for points in (0.01, 0.03, 0.05)]
    [72734, 8152, 2958]
    """
    check_level(level)
    check_fraction("prevalence", prevalence, hint="Choose for example 0.35.")
    check_fraction("prevalence and difference together", prevalence + difference, hint="Choose a smaller difference.")
    check_fraction("power", power, hint="Choose for example 0.8.")
    tpr, fpr = rates
    if not 0.0 <= fpr < tpr <= 1.0:
        raise InvalidInput("rates", "be a tpr above an fpr", f"{tpr:g} and {fpr:g}", "Choose for example 0.8 and 0.1.")
    if abs(difference) <= TIE:
        raise InvalidInput("difference", "be other than 0", f"{difference:g}", "Choose for example 0.03.")
    q1, q2 = (fpr + share * (tpr - fpr) for share in (prevalence, prevalence + difference))
    z = norm.ppf(0.5 + level / 2.0) + norm.ppf(power)
    return int(np.ceil(z**2 * (q1 * (1.0 - q1) + q2 * (1.0 - q2)) / (difference * (tpr - fpr)) ** 2 - TIE))
