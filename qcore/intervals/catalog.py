"""The registry of intervals of an adjusted count."""

from collections.abc import Callable
from dataclasses import dataclass

import pandas as pd

from qcore._base.registry import Entry, registry
from qcore._base.validation import check_level
from qcore.intervals.analytic import Interval, delta, interval_row, known_rates, sample_alone
from qcore.intervals.bootstrap import bootstrap
from qcore.intervals.counts import Counts
from qcore.intervals.few_labels import default_interval
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

    Examples
    --------
    >>> counts = Counts(345, 1000, 80, 100, 10, 100)
    >>> [round(float(end), 2) for end in INTERVALS[DEFAULT_INTERVAL].interval(counts, 0.95)]
    [0.26, 0.43]
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

    Examples
    --------
    >>> all_intervals(Counts(345, 1000, 80, 100, 10, 100)).loc[0, ["method", "includes"]].tolist()
    ['Lang-Reiczigel', 'sample and rates']
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
        unseen.append("tpr and fpr, which it takes as known")
    return f"it sees no error in {' and in '.join(unseen)}" if unseen else ""
