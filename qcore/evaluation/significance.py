"""Do quantifiers differ? Over many data sets, and on the same samples.

N is the number of data sets, never of test cases: samples of one data set are not independent of each other.
Source: Barranquero 2013, 4.2; Demšar 2006.

Tests of ranks: do data sets agree on an order of methods more than by chance?

Source: Friedman 1937; Barranquero 2013, 4.2. They are exact where data sets are few, which those of
scikit-posthocs are not; our tests compare Nemenyi's with its.

When a difference of mean losses on the same samples is clear: its standard error, and how many of them are enough.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import combinations, permutations
from math import factorial, prod
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy.stats import binomtest, chi2, f, norm, rankdata, studentized_range

from qcore._base.validation import (
    TIE,
    BoolArray,
    FloatArray,
    IntArray,
    InvalidInput,
    check_choice,
    check_fraction,
    check_kind,
    check_numbers,
)
from qcore.evaluation.estimates import prevalence_losses
from qcore.evaluation.signed_ranks import RANK_DIGITS, wilcoxon_p
from qcore.protocols.samples import Samples

MOST_SETS = {3: 15, 4: 10, 5: 5, 6: 3, 7: 2, 8: 2}
"""Number of methods, above two -> most data sets for which all ways to assign ranks are enumerated, in 0.1 to 0.2 s."""


class RankTest(NamedTuple):
    """A statistic and its p-value."""

    statistic: float
    p_value: float


def friedman_statistic(ranks: ArrayLike) -> FloatArray:
    """Friedman's chi-square of ranks, (..., n_sets, n_methods) -> (...), corrected for ties; 0 where all are tied."""
    array = np.asarray(ranks, dtype=np.float64)
    n, k = array.shape[-2:]
    means = array.mean(axis=-2)
    squares = (means**2).sum(axis=-1) - k * (k + 1) ** 2 / 4.0
    # The variance of ranks within a data set, which ties reduce.
    spread = (array**2).sum(axis=(-2, -1)) / n - k * (k + 1) ** 2 / 4.0
    tied = spread <= TIE
    return np.where(tied, 0.0, n * (k - 1) * squares / np.where(tied, 1.0, spread))


def iman_davenport(ranks: FloatArray) -> RankTest:
    """Iman and Davenport's test of ranks, (n_sets, n_methods); with few data sets its p-value is exact."""
    n, k = ranks.shape
    statistic = float(friedman_statistic(ranks))
    rest, exact = n * (k - 1) - statistic, exact_p_value(ranks)
    if rest <= TIE:
        # All data sets rank the methods alike: F is infinite, but the ways to assign the ranks can be counted.
        _, tied = np.unique(ranks[0], return_counts=True)
        ways = factorial(k) / prod(factorial(int(count)) for count in tied)
        return RankTest(np.inf, float(ways) ** (1 - n))
    value = (n - 1) * statistic / rest
    return RankTest(float(value), float(f.sf(value, k - 1, (k - 1) * (n - 1))) if exact is None else exact)


def exact_p_value(ranks: FloatArray) -> float | None:
    """Among all ways to assign each data set's ranks to methods, the share in which data sets agree at least as much.

    Agreement is Friedman's chi-square, which grows with the squares of the methods' sums of ranks. Ties stay within their data
    set. Source: Friedman 1937, whose tables are of this distribution.

    Parameters
    ----------
    ranks : (n_sets, n_methods), mean ranks where methods tie.

    Returns
    -------
    p : from 0 to 1, or None where MOST_SETS says that there are too many ways to enumerate; of two methods it is that of the
        sign test.

    Examples
    --------
    Three data sets agree on the order of two methods in 2 of 8 ways.

    >>> exact_p_value(np.array([[1.0, 2.0]] * 3))
    0.25
    """
    # Twice the ranks are whole numbers, also where methods tie.
    doubled = np.rint(2.0 * ranks).astype(np.intp)
    n_sets, n_methods = doubled.shape
    if n_methods == 2:
        wins, losses = int((doubled[:, 0] < doubled[:, 1]).sum()), int((doubled[:, 0] > doubled[:, 1]).sum())
        return float(binomtest(wins, wins + losses).pvalue) if wins + losses else 1.0
    if n_sets > MOST_SETS.get(n_methods, 0):
        return None
    # Neither the order of data sets matters nor which method has which rank.
    rows = sorted(tuple(row) for row in np.sort(doubled, axis=1).tolist())
    squares, shares = _squares(tuple(rows))
    # All shares together are 1 but for rounding.
    return float(min(shares[squares >= (doubled.sum(axis=0) ** 2).sum()].sum(), 1.0))


@lru_cache(maxsize=1024)
def _squares(rows: tuple[tuple[int, ...], ...]) -> tuple[IntArray, FloatArray]:
    """The sum of the squared sums of ranks in each way to assign the ranks, and its share of all ways."""
    # The order of the methods does not matter, so sums are kept sorted, and the ranks of the first data set stay fixed.
    sums, shares = np.array(rows[:1], dtype=np.intp), np.ones(1)
    for row in rows[1:]:
        orders = np.array(sorted(set(permutations(row))), dtype=np.intp)
        together = np.sort((sums[:, np.newaxis] + orders).reshape(-1, len(row)), axis=1)
        # A number for each row, which floats hold exactly up to 2^53: the largest here is 33^8.
        numbers = together @ (together.max() + 1.0) ** np.arange(len(row))
        _, first, which = np.unique(numbers, return_index=True, return_inverse=True)
        shares = np.bincount(which, weights=np.repeat(shares, len(orders)) / len(orders)).astype(np.float64)
        sums = together[first]
    return (sums**2).sum(axis=1), shares


ALPHAS = (0.05, 0.10)


@dataclass(frozen=True)
class Comparison:
    """Methods compared over data sets by their ranks.

    Attributes
    ----------
    methods : names, (n_methods,).
    ranks : (n_sets, n_methods), 1 is best; equal methods share their mean rank.
    losses : (n_sets, n_methods), the mean loss on each data set, for Wilcoxon's test only.

    Examples
    --------
    >>> ranks = np.array([[1.0, 2.0], [1.0, 2.0], [2.0, 1.0]])
    >>> compared = Comparison(("AC", "CC"), ranks, losses=ranks / 10)
    >>> compared.mean_ranks.round(2).to_dict(), round(compared.nemenyi_distance(), 2)
    ({'AC': 1.33, 'CC': 1.67}, 1.13)
    """

    methods: tuple[str, ...]
    ranks: FloatArray
    losses: FloatArray

    @cached_property
    def mean_ranks(self) -> pd.Series:
        """The mean rank of each method, best first."""
        return pd.Series(self.ranks.mean(axis=0), index=list(self.methods)).sort_values(kind="stable")

    @property
    def n_sets(self) -> int:
        """Number of data sets."""
        return len(self.ranks)

    @property
    def friedman(self) -> RankTest:
        """Friedman's chi-square, corrected for ties. Source: Barranquero 2013, eq. 4.2."""
        statistic = friedman_statistic(self.ranks)
        return RankTest(float(statistic), float(chi2.sf(statistic, len(self.methods) - 1)))

    @property
    def iman_davenport(self) -> RankTest:
        """Iman and Davenport's F, which is less conservative. Source: Barranquero 2013, eq. 4.3.

        It is computed from Friedman's chi-square with the correction for ties; the example of Demšar 2006 does not correct
        (10.23 and 4.19 with the correction, 9.28 and 3.69 without). With few data sets F rejects too often, up to 19% of equal
        methods at 5%: there the p-value is exact, see `exact_p_value`. If all data sets rank the methods alike, F is infinite,
        and the p-value is exact, too.
        """
        return iman_davenport(self.ranks)

    @property
    def is_exact(self) -> bool:
        """Whether the p-value of `iman_davenport` is exact: of few data sets, of two methods, or where all rank them alike."""
        return exact_p_value(self.ranks) is not None or bool(np.isinf(self.iman_davenport.statistic))

    def nemenyi_distance(self, alpha: float = 0.05) -> float:
        """How far apart two mean ranks must be to differ, if all methods are compared with all."""
        return nemenyi_distance(len(self.methods), self.n_sets, alpha)

    def bonferroni_dunn_distance(self, alpha: float = 0.05) -> float:
        """How far a mean rank must be from the control's to differ, if all methods are compared with one control."""
        return bonferroni_dunn_distance(len(self.methods), self.n_sets, alpha)

    def groups(self, alpha: float = 0.05) -> list[tuple[str, ...]]:
        """The largest sets of two or more methods, best first, in which no two differ by Nemenyi's test."""
        ranks, distance = self.mean_ranks, self.nemenyi_distance(alpha)
        ends = np.searchsorted(ranks.to_numpy(), ranks.to_numpy() + distance + TIE, side="right")
        spans = [(start, int(end)) for start, end in enumerate(ends) if start == 0 or end > ends[start - 1]]
        return [tuple(ranks.index[start:end]) for start, end in spans if end - start > 1]

    def pairs(self) -> pd.DataFrame:
        """Each pair of methods: first (the better), second, difference of mean ranks, p-values of Nemenyi and of Wilcoxon."""
        scale = _scale(len(self.methods), self.n_sets)
        rows = []
        for first, second in combinations(self.mean_ranks.index, 2):
            apart = float(self.mean_ranks[second] - self.mean_ranks[first])
            nemenyi = float(studentized_range.sf(apart / scale * np.sqrt(2.0), len(self.methods), np.inf))
            losses = [self.losses[:, self.methods.index(name)] for name in (first, second)]
            rows.append((first, second, apart, nemenyi, wilcoxon_p(*losses)))
        return pd.DataFrame(rows, columns=["first", "second", "difference", "nemenyi", "wilcoxon"])

    def against(self, control: str) -> pd.DataFrame:
        """Each other method compared with a control: method, difference of mean ranks, p, and p corrected in four ways.

        These are Bonferroni and Dunn's, Holm's, Hochberg's and Hommel's; each finds at least what the one before it does.
        Raises InvalidInput for an unknown control. Source: Barranquero 2013, eq. 4.5; Demšar 2006, 3.2.2.
        """
        check_choice("control", control, self.methods)
        others = [name for name in self.mean_ranks.index if name != control]
        differences = np.array([self.mean_ranks[name] - self.mean_ranks[control] for name in others])
        p = 2.0 * norm.sf(np.abs(differences) / _scale(len(self.methods), self.n_sets))
        table = pd.DataFrame({"method": others, "difference": differences, "p": p})
        bonferroni_dunn = np.minimum(p * len(others), 1.0)
        return table.assign(bonferroni_dunn=bonferroni_dunn, holm=holm(p), hochberg=hochberg(p), hommel=hommel(p))


def compare(losses: pd.DataFrame, loss: str = "loss") -> Comparison:
    """Compare methods over data sets and test prevalences: the double ranking of Barranquero 2013, 4.2.4.

    For each data set methods are ranked by their mean loss at each prevalence, and each size if there are several; these ranks
    are averaged, and ranked again.

    Parameters
    ----------
    losses : columns data, prevalence (or target, as in reports), method and the loss; several rows of one cell, such as folds,
        are averaged. A column size tells sample sizes apart.
    loss : name of the column with the loss.

    Raises
    ------
    InvalidInput
        Fewer than two methods or data sets, a method that lacks a data set or a prevalence of the others, a loss that is NaN,
        or a score or a signed loss, whose lowest value is not the best.

    Examples
    --------
    >>> rows = [(d, 0.5, m, loss) for d in "abc" for m, loss in (("CC", 0.2), ("AC", 0.1))]
    >>> result = compare(pd.DataFrame(rows, columns=["data", "prevalence", "method", "loss"]))
    >>> result.mean_ranks.to_dict()
    {'AC': 1.0, 'CC': 2.0}
    """
    _check_lowest_is_best(loss)
    table = _by_cell(losses, loss)
    methods = tuple(table.columns)
    for name, count in (("methods", len(methods)), ("data sets", losses["data"].nunique())):
        if count < 2:
            raise InvalidInput(name, "be at least two for a test", str(count), "Compare more of them.")
    ranks, means = [], []
    for _, rows in table.groupby(level="data", sort=False):
        # Sums in another order differ in the last digits; equal methods must tie nevertheless.
        inner = rankdata(np.round(rows.to_numpy(), RANK_DIGITS), axis=1).mean(axis=0)
        ranks.append(rankdata(np.round(inner, RANK_DIGITS)))
        means.append(rows.to_numpy().mean(axis=0))
    return Comparison(methods, np.array(ranks), np.array(means))


def _check_lowest_is_best(loss: str) -> None:
    """Raise InvalidInput for a score or a signed loss; a column of another name is taken as a loss."""
    known = prevalence_losses().get(loss)
    if known is not None and (known.signed or known.best != 0.0):
        hint = "Compare a loss such as AE, or a column of your own with 1 minus the score, or without the sign."
        raise InvalidInput("loss", "be lowest where an estimate is best", repr(loss), hint)


def _by_cell(losses: pd.DataFrame, loss: str) -> pd.DataFrame:
    """The loss of each method, a column, in each cell, a row. Raises InvalidInput for a lacking column or cell."""
    check_kind("losses", losses, pd.DataFrame, "Write pandas.DataFrame(losses).")
    if "prevalence" not in losses and "target" in losses:
        losses = losses.rename(columns={"target": "prevalence"})
    if targets := [name for name in losses if re.fullmatch(r"target_\d+", str(name))]:
        # With more than two classes a prevalence is a vector, replaced by its number; data sets with fewer classes have gaps.
        known = [*(["prevalence"] if "prevalence" in losses else []), *targets]
        losses = losses.assign(prevalence=losses[known].round(6).groupby(known, dropna=False).ngroup())
    for name in ("data", "prevalence", "method", loss):
        if name not in losses:
            has = f"the columns {', '.join(map(str, losses))}"
            raise InvalidInput("losses", f"have a column {name!r}", has, f"Rename one of them to {name!r}.")
    losses = losses.assign(**{loss: check_numbers(f"the column {loss!r}", losses[loss])})
    cells, methods = losses[_cell(losses)].drop_duplicates(), list(dict.fromkeys(losses["method"]))
    table = losses.pivot_table(loss, _cell(losses), "method", sort=False)
    # A pivot table leaves out methods and cells without any number.
    table = table.reindex(index=pd.MultiIndex.from_frame(cells), columns=methods)
    if table.isna().to_numpy().any():
        place = table.index[table.isna().any(axis=1)][0]
        lacking = ", ".join(map(str, table.columns[table.loc[place].isna()]))
        raise InvalidInput("losses", "have every method in every cell", f"none of {lacking} on {place[0]}", "Leave either out.")
    if (unknown := losses[loss].isna()).any():
        row = losses[unknown].iloc[0]
        raise InvalidInput("losses", "be numbers", f"NaN of {row['method']} on {row['data']}", "Leave that data set out.")
    return table


def _cell(losses: pd.DataFrame) -> list[str]:
    """The columns in which methods are compared; several rows of one cell, such as folds, are averaged."""
    return ["data", *(["size"] if "size" in losses else []), "prevalence"]


def nemenyi_distance(n_methods: int, n_sets: int, alpha: float = 0.05) -> float:
    """Q sqrt(k (k + 1) / (6 N)), q the studentized range over sqrt(2). Source: Barranquero 2013, eq. 4.4, Table 4.2.

    Raises InvalidInput for an invalid `alpha`, the share of false alarms.

    Examples
    --------
    >>> round(nemenyi_distance(10, 24), 2), round(nemenyi_distance(10, 22), 2)
    (2.77, 2.89)
    """
    q = studentized_range.ppf(1.0 - check_alpha(alpha), n_methods, np.inf) / np.sqrt(2.0)
    return float(q * _scale(n_methods, n_sets))


def bonferroni_dunn_distance(n_methods: int, n_sets: int, alpha: float = 0.05) -> float:
    """As `nemenyi_distance`, for comparisons with one control: q is the normal quantile of 1 - alpha / (2 (k - 1)).

    Source: Barranquero 2013, eq. 4.5, Table 4.2b, which prints 2.724 for the 2.734 of nine methods at 5%.

    Examples
    --------
    >>> float(norm.ppf(1.0 - 0.05 / (2 * 8)).round(3)), round(bonferroni_dunn_distance(9, 24), 2)
    (2.734, 2.16)
    """
    return float(norm.ppf(1.0 - check_alpha(alpha) / (2.0 * (n_methods - 1))) * _scale(n_methods, n_sets))


def check_alpha(alpha: object) -> float:
    """Return the share of false alarms that a test allows as a float, or raise InvalidInput."""
    return check_fraction("alpha", alpha, low=1e-9, high=0.5, hint="Choose for example 0.05.")


def _scale(n_methods: int, n_sets: int) -> float:
    return float(np.sqrt(n_methods * (n_methods + 1) / (6.0 * n_sets)))


def holm(p_values: ArrayLike) -> FloatArray:
    """Holm's (1979) step-down correction of p-values, (n,).

    Examples
    --------
    >>> holm([0.01, 0.04, 0.03]).round(2).tolist()
    [0.03, 0.06, 0.06]
    """
    p = np.asarray(p_values, dtype=np.float64)
    order = np.argsort(p, kind="stable")
    stepped = np.maximum.accumulate(p[order] * np.arange(len(p), 0, -1))
    corrected = np.empty(len(p))
    corrected[order] = np.minimum(stepped, 1.0)
    return corrected


def hochberg(p_values: ArrayLike) -> FloatArray:
    """Hochberg's (1988) step-up correction of p-values, (n,): Holm's factors, from the largest p-value down.

    It holds where the tests are independent or positively dependent, as those against one control are.

    Examples
    --------
    >>> hochberg([0.01, 0.04, 0.03]).round(2).tolist()
    [0.03, 0.04, 0.04]
    """
    p = np.asarray(p_values, dtype=np.float64)
    order = np.argsort(-p, kind="stable")
    corrected = np.empty(len(p))
    corrected[order] = np.minimum.accumulate(p[order] * np.arange(1, len(p) + 1))
    return corrected


def hommel(p_values: ArrayLike) -> FloatArray:
    """Hommel's (1988) correction of p-values, (n,): closed testing by Simes's test, under the same condition as `hochberg`.

    By the algorithm of Wright 1992.

    Examples
    --------
    >>> hommel([0.01, 0.04, 0.03]).round(2).tolist()
    [0.03, 0.04, 0.04]
    """
    p = np.asarray(p_values, dtype=np.float64)
    order, n = np.argsort(p, kind="stable"), len(p)
    increasing = p[order]
    corrected = np.full(n, (n * increasing / np.arange(1, n + 1)).min(initial=1.0))
    for m in range(n - 1, 1, -1):
        least = (m * increasing[n - m + 1 :] / np.arange(2, m + 1)).min()
        stepped = np.minimum(m * increasing, least)
        stepped[n - m + 1 :] = stepped[n - m]
        corrected = np.maximum(corrected, stepped)
    result = np.empty(n)
    result[order] = np.maximum(corrected, increasing)
    return result


def against_pivot(losses: pd.DataFrame, pivot: str, loss: str = "loss", by: Sequence[str] = ()) -> pd.DataFrame:
    """Each method compared with a pivot, cell by cell: method, wins, losses, ties of the pivot, dwl (wins - losses), mdae.

    Cells are data sets and prevalences, and sizes if there are several; `by` splits them, such as by prevalence. `mdae` is the
    mean of the method's loss minus the pivot's. Raises InvalidInput for an unknown pivot, or a method that lacks a cell.
    Source: Barranquero 2013, 5.3.4, Figures 5.3 and 5.4.

    Examples
    --------
    >>> rows = [(d, 0.5, m, loss) for d in "abc" for m, loss in (("CC", 0.2), ("AC", 0.1))]
    >>> table = pd.DataFrame(rows, columns=["data", "prevalence", "method", "loss"])
    >>> against_pivot(table, "AC")[["method", "wins", "losses"]].to_numpy().tolist()
    [['CC', 3, 0]]
    """
    table = _by_cell(losses, loss)
    check_choice("pivot", pivot, table.columns)
    parts = []
    for name in table.columns.drop(pivot):
        differences = (table[name] - table[pivot]).round(RANK_DIGITS)
        apart = differences.to_frame("apart").reset_index()
        apart = apart.assign(method=name, wins=apart.apart > 0, losses=apart.apart < 0, ties=apart.apart == 0)
        parts.append(apart)
    counted = pd.concat(parts).groupby(["method", *by], sort=False)
    result = counted[["wins", "losses", "ties"]].sum().astype(int)
    return result.assign(dwl=result.wins - result.losses, mdae=counted.apart.mean()).reset_index()


CLEARLY = 2.0
"""A difference is clear if it exceeds this many standard errors: with many repeats, this happens to one in 20 equal methods."""


def is_clear(difference: ArrayLike, standard_error: ArrayLike) -> BoolArray:
    """Whether a difference, (...), exceeds CLEARLY standard errors, (...), in either direction."""
    return np.asarray(np.abs(difference) > CLEARLY * np.asarray(standard_error) + TIE)


def standard_error(values: FloatArray, strata: IntArray | None = None) -> FloatArray:
    """Standard error of the mean over the last axis, (..., n) -> (...); 0 for one value.

    `strata`, (n,), are numbers; values with the same number are repeats of each other. Differences between strata recur
    whenever the experiment is repeated, so only the scatter within strata counts.
    """
    n = values.shape[-1]
    if n == 1:
        return np.zeros(values.shape[:-1])
    if strata is None:
        return np.asarray(values.std(axis=-1, ddof=1) / np.sqrt(n))
    sizes = np.bincount(strata)
    order, starts = np.argsort(strata, kind="stable"), np.cumsum(sizes) - sizes
    ordered = values[..., order]
    apart = ordered - np.repeat(np.add.reduceat(ordered, starts, axis=-1) / sizes, sizes, axis=-1)
    variances = np.add.reduceat(apart**2, starts, axis=-1) / (sizes - 1)
    return np.asarray(np.sqrt((sizes * variances).sum(axis=-1)) / n)


def strata_of(samples: Samples) -> IntArray | None:
    """The number of the requested prevalence of each sample, (n_samples,); None where one was requested only once.

    Protocols that draw prevalences at random, or one sample for each point of a grid, have no strata.
    """
    numbers, sizes = np.unique(samples.targets, axis=0, return_inverse=True, return_counts=True)[1:]
    return numbers.ravel() if sizes.min() > 1 else None


def level_with_best(losses: FloatArray, strata: IntArray | None) -> BoolArray:
    """Whether no method of lower mean is clearly better: (n_methods, n_samples) -> (n_methods,).

    All methods get the same samples, so differences are taken sample by sample, from the method with the lowest mean; signed
    losses are compared by the magnitude of their means. `strata`: as in `standard_error`.
    """
    means = losses.mean(axis=1)
    magnitudes = np.where(means < 0.0, -1.0, 1.0)[:, np.newaxis] * losses
    differences = magnitudes - magnitudes[np.abs(means).argmin()]
    return ~is_clear(differences.mean(axis=1), standard_error(differences, strata))
