"""The registry of intervals of an adjusted count, their coverage, and several samples at once.

Several samples at once: an adjusted count with its interval for each group of instances, such as each month.

Coverage of intervals: simulated samples and validations, and how often each method's interval holds the truth.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import product

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from qcore._base.registry import Entry, registry
from qcore._base.validation import (
    FloatArray,
    InvalidInput,
    check_choice,
    check_fraction,
    check_integer,
    check_level,
    check_one_sample,
)
from qcore.intervals.analytic import Interval, delta, interval_row, known_rates, sample_alone
from qcore.intervals.bootstrap import bootstrap
from qcore.intervals.counts import Counts
from qcore.intervals.few_labels import default_interval
from qcore.intervals.labelled_sample import LabelledSample
from qcore.intervals.posterior import bayes, highest_density


@dataclass(frozen=True)
class IntervalMethod(Entry):
    """A way to give an adjusted count an interval.

    Attributes
    ----------
    includes : what it takes into account: "sample", or "sample and rates".
    interval : (counts, level) -> the ends.
    one_by_one : whether each sample takes milliseconds, so that a page cannot compute thousands.
    blind_to : of "count", "tpr" and "fpr" those in which it sees no error where none or all were found: it is then too short;
        "rates" where it takes tpr and fpr for known though they are measured.
    """

    includes: str
    interval: Callable[[Counts, float], Interval]
    one_by_one: bool = False
    blind_to: tuple[str, ...] = ()


INTERVALS = registry(
    IntervalMethod(
        key="Lang-Reiczigel",
        idea="A formula that adds successes and failures to the counts, so that it holds the truth as often as it says even if "
        "positives are rare; gradually wider where a class has fewer than 20 labels or tpr is close to fpr.",
        source="Lang and Reiczigel 2014; Clopper and Pearson 1934 for few labels",
        includes="sample and rates",
        interval=default_interval,
    ),
    IntervalMethod(
        key="delta",
        idea="The estimate plus and minus some standard errors (1.96 at a level of 95%), which the delta method computes from "
        "the errors of the count, of tpr and of fpr.",
        source="Vaz et al. 2019",
        includes="sample and rates",
        interval=delta,
        blind_to=("count", "tpr", "fpr"),
    ),
    IntervalMethod(
        key="bootstrap",
        idea="The sample and the labelled instances are redrawn often; at a level of 95%, the middle 95% of the estimates.",
        source="Efron and Tibshirani 1993",
        includes="sample and rates",
        interval=bootstrap,
        blind_to=("count", "tpr", "fpr"),
    ),
    IntervalMethod(
        key="Bayes",
        idea="At a level of 95%, the middle 95% of the posterior, with uniform priors on the prevalence, tpr and fpr; its "
        "ends are never exactly 0 or 1.",
        source="Messam et al. 2008",
        includes="sample and rates",
        interval=bayes,
        one_by_one=True,
    ),
    IntervalMethod(
        key="highest density",
        idea="At a level of 95%, the shortest interval that holds 95% of the posterior of Bayes; it can hold 0 and 1.",
        source="Messam et al. 2008; Box and Tiao 1973",
        includes="sample and rates",
        interval=highest_density,
        one_by_one=True,
    ),
    IntervalMethod(
        key="sample alone",
        idea="A bootstrap of the sample alone, shown for comparison.",
        source="Efron and Tibshirani 1993",
        includes="sample",
        interval=sample_alone,
        blind_to=("count", "rates"),
    ),
    IntervalMethod(
        key="known rates",
        idea="The exact interval of the count, corrected: right if tpr and fpr are known, too short if they are estimated.",
        source="Clopper and Pearson 1934; Rogan and Gladen 1978",
        includes="sample",
        interval=known_rates,
    ),
)
DEFAULT_INTERVAL = "Lang-Reiczigel"


def all_intervals(counts: Counts, level: float = 0.95) -> pd.DataFrame:
    """Every interval of one sample's adjusted count: method (its key), low, high, interval, too_short, idea, includes.

    `interval` is the method, or says why there is none, with 0 and 1 as ends: where the count is 0 of 50, a bootstrap finds no
    scatter. `too_short` is a reason for that or empty; `idea` begins with it. Raises InvalidInput for an invalid level.
    """
    check_level(level)
    rows = []
    for key, entry in INTERVALS.items():
        low, high = (float(end) for end in entry.interval(counts, level))
        row = interval_row(key, entry.idea, (low, high), _too_short(entry, counts))
        rows.append({"method": key, **row, "includes": entry.includes})
    return pd.DataFrame(rows)


def _too_short(entry: IntervalMethod, counts: Counts) -> str:
    """Why a method's interval of these counts is too short, as far as they show it; else empty."""
    shares = {
        "count": (int(counts.predicted_positives), int(counts.sample_size)),
        "tpr": (int(counts.true_positives), int(counts.positives)),
        "fpr": (int(counts.false_positives), int(counts.negatives)),
    }
    unseen = [
        f"the {name} ({found:,} of {total:,})"
        for name, (found, total) in shares.items()
        if name in entry.blind_to and found in (0, total)
    ]
    if "rates" in entry.blind_to:
        unseen.append("tpr and fpr, which it takes for known")
    return f"it sees no error in {' and in '.join(unseen)}" if unseen else ""


def in_groups(groups: ArrayLike, n_instances: int) -> pd.Series:
    """The group of each instance, (n_instances,); those of a categorical column stay in its order.

    Raises InvalidInput for another number of entries.
    """
    is_ordered = isinstance(getattr(groups, "dtype", None), pd.CategoricalDtype)
    names = pd.Series(groups if is_ordered else np.asarray(groups, dtype=object)).reset_index(drop=True)
    if len(names) != n_instances:
        raise InvalidInput("groups", f"have {n_instances} entries", str(len(names)), "Pass one for each instance.")
    return names


def estimate_groups(
    sample: ArrayLike, groups: ArrayLike, scores: ArrayLike, labels: ArrayLike, *, level: float = 0.95
) -> pd.DataFrame:
    """The adjusted count (AC) of each group of a sample, with the interval of Lang and Reiczigel (2014).

    Parameters
    ----------
    sample, groups : (m,) each, scores and the group of each instance; instances without a group are left out. Groups of a
        categorical column stay in its order.
    scores, labels : (n,) each, out-of-fold training scores and labels 0 and 1.
    level : level of the intervals.

    Returns
    -------
    DataFrame with a row for each group, in their order: group, size, estimate, low, high. The intervals share the errors of tpr
    and fpr: where these are large, groups lie too high or too low together.

    Raises
    ------
    InvalidInput
        A score outside [0, 1], a label other than 0 and 1, different numbers of groups and instances, no group at all, or an
        invalid level.

    Examples
    --------
    >>> scores, labels = [0.9, 0.8, 0.7, 0.4, 0.3, 0.2, 0.1, 0.6], [1, 1, 1, 1, 0, 0, 0, 0]
    >>> estimate_groups([0.9, 0.8, 0.2, 0.1, 0.3], ["a", "a", "a", "b", "b"], scores, labels)[["group", "size"]].values.tolist()
    [['a', 3], ['b', 2]]
    """
    check_level(level)
    taken = check_one_sample("sample", sample) >= 0.5
    names = in_groups(groups, len(taken))
    counted = pd.DataFrame({"group": names, "taken": taken}).dropna(subset="group").groupby("group", observed=True).taken
    if not counted.ngroups:
        raise InvalidInput("groups", "hold a value", "none", "Choose a column with the group of each instance.")
    positives, sizes = counted.sum(), counted.size()
    # tpr and fpr are those of all labelled instances, the same for each group.
    counts = replace(
        Counts.from_scores(sample, scores, labels),
        predicted_positives=np.asarray(positives, dtype=np.intp),
        sample_size=np.asarray(sizes, dtype=np.intp),
    )
    low, high = INTERVALS[DEFAULT_INTERVAL].interval(counts, level)
    return pd.DataFrame(
        {"group": positives.index.astype(str), "size": sizes.to_numpy(), "estimate": counts.estimate, "low": low, "high": high}
    )


def simulated_counts(
    prevalence: float,
    rates: tuple[float, float],
    labelled: tuple[int, int],
    sample_size: int,
    *,
    repetitions: int,
    rng: np.random.Generator,
) -> Counts:
    """Counts of simulated samples, each with its own simulated validation, (repetitions,) each.

    Parameters
    ----------
    prevalence : share of positives in the population that samples are drawn from.
    rates : the classifier's true (tpr, fpr).
    labelled : numbers of (positives, negatives) on which its rates are measured.
    sample_size, repetitions : instances in each sample, and how many samples.
    rng : random generator of all draws.

    Raises
    ------
    InvalidInput
        A value is out of range.
    """
    _check_simulation(prevalence, rates, (*labelled, sample_size, repetitions))
    positives = rng.binomial(sample_size, prevalence, repetitions)
    taken = rng.binomial(positives, rates[0]) + rng.binomial(sample_size - positives, rates[1])
    of_positives, of_negatives = (rng.binomial(n, rate, repetitions) for n, rate in zip(labelled, rates, strict=True))
    return Counts(taken, sample_size, of_positives, labelled[0], of_negatives, labelled[1])


def simulated_labelled_samples(
    prevalence: float,
    rates: tuple[float, float],
    labels: int,
    sample_size: int,
    *,
    repetitions: int,
    rng: np.random.Generator,
) -> tuple[LabelledSample, FloatArray]:
    """Simulated samples of which `labels` instances, drawn at random, are labelled, and their own shares, (repetitions,).

    The other parameters are those of `simulated_counts`. Raises InvalidInput for a value out of range, and if there are more
    labels than instances.
    """
    _check_simulation(prevalence, rates, (labels, sample_size, repetitions))
    if labels > sample_size:
        got = f"{labels:,} labels of {sample_size:,} instances"
        raise InvalidInput("the sample", "have no more labels than instances", got, "Label fewer, or take a larger sample.")
    positives = rng.binomial(sample_size, prevalence, repetitions)
    found, false = rng.binomial(positives, rates[0]), rng.binomial(sample_size - positives, rates[1])
    cells = np.stack([found, false, positives - found, sample_size - positives - false], axis=1)
    drawn = np.array([rng.multivariate_hypergeometric(row, labels) for row in cells])
    checked = drawn[:, 0] + drawn[:, 1]
    sample = LabelledSample(found + false, sample_size, checked, drawn[:, 0], labels - checked, drawn[:, 2])
    return sample, positives / sample_size


def _check_simulation(prevalence: float, rates: tuple[float, float], counts: tuple[int, ...]) -> None:
    check_fraction("prevalence", prevalence)
    for name, rate in zip(("tpr", "fpr"), rates, strict=True):
        check_fraction(name, rate)
    for count in counts:
        check_integer("a number of instances", count, low=1)


def coverage(prevalence: float, counts: Counts, methods: Iterable[str] = tuple(INTERVALS), level: float = 0.95) -> pd.DataFrame:
    """For each method, the share of intervals that hold the prevalence, their mean width, and the shares that miss it.

    `counts` are those of `simulated_counts`. Returns method, coverage, width, and the shares of intervals that lie below and
    above the prevalence. Raises InvalidInput for an unknown method or an invalid level.

    Examples
    --------
    >>> counts = simulated_counts(0.1, (0.8, 0.1), (100, 100), 1000, repetitions=400, rng=np.random.default_rng(0))
    >>> coverage(0.1, counts, ["Lang-Reiczigel", "sample alone"]).coverage.round(1).tolist()
    [1.0, 0.6]
    """
    check_level(level)
    rows = []
    for method in methods:
        check_choice("interval", method, INTERVALS)
        rows.append({"method": method, **kept(INTERVALS[method].interval(counts, level), prevalence)})
    return pd.DataFrame(rows)


def coverage_curves(
    prevalences: Sequence[float],
    sizes: Sequence[int],
    rates: tuple[float, float],
    labelled: tuple[int, int],
    *,
    repetitions: int,
    rng: np.random.Generator,
    methods: Iterable[str] = tuple(INTERVALS),
    level: float = 0.95,
) -> pd.DataFrame:
    """`coverage` at each prevalence and sample size: prevalence, size, method, coverage, width, below, above.

    Parameters and errors are those of `simulated_counts` and `coverage`.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> coverage_curves([0.1], [100, 1000], (0.8, 0.1), (50, 50), repetitions=50, rng=rng, methods=["delta"]).shape
    (2, 7)
    """
    keys, tables = tuple(methods), []
    for prevalence, size in product(prevalences, sizes):
        counts = simulated_counts(prevalence, rates, labelled, size, repetitions=repetitions, rng=rng)
        result = coverage(prevalence, counts, keys, level)
        tables.append(result.assign(prevalence=prevalence, size=size))
    columns = ["prevalence", "size", "method", "coverage", "width", "below", "above"]
    return pd.concat(tables, ignore_index=True)[columns]


def kept(interval: Interval, prevalence: float) -> dict[str, float]:
    """The share of intervals that hold the prevalence, their mean width, and the shares below and above it."""
    below, above = (float(np.mean(missed)) for missed in misses(interval, prevalence))
    width = float(np.mean(interval.high - interval.low))
    return {"coverage": 1.0 - below - above, "width": width, "below": below, "above": above}


def misses(interval: Interval, prevalence: float) -> tuple[np.ndarray, np.ndarray]:
    """Which intervals lie below the prevalence, and which above, (...) each."""
    return interval.high < prevalence, interval.low > prevalence
