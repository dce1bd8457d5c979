"""An adjusted count with its interval for each group of a sample's instances, such as each month."""

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from qcore._base.validation import InvalidInput, check_level, check_one_sample
from qcore.intervals.catalog import DEFAULT_INTERVAL, INTERVALS
from qcore.intervals.counts import Counts, EffectiveCounts
from qcore.intervals.weights import check_weights


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
    sample: ArrayLike,
    groups: ArrayLike,
    scores: ArrayLike,
    labels: ArrayLike,
    *,
    weights: ArrayLike | None = None,
    level: float = 0.95,
) -> pd.DataFrame:
    """The adjusted count (AC) of each group of a sample, with the interval of Lang and Reiczigel (2014).

    Parameters
    ----------
    sample, groups : (m,) each, scores and the group of each instance; instances without a group are left out. Groups of a
        categorical column stay in its order.
    scores, labels : (n,) each, out-of-fold training scores and labels 0 and 1.
    weights : (m,), how many each instance stands for: see `effective_size`.
    level : level of the intervals.

    Returns
    -------
    DataFrame with a row for each group, in their order: group, size, estimate, low, high. The intervals share the errors of tpr
    and fpr: where these are large, groups lie too high or too low together.

    Raises
    ------
    InvalidInput
        A score outside [0, 1], a label other than 0 and 1, different numbers of groups and instances, no group at all, or an
        invalid level or weight.

    Examples
    --------
    >>> scores, labels = [0.9, 0.8, 0.7, 0.4, 0.3, 0.2, 0.1, 0.6], [1, 1, 1, 1, 0, 0, 0, 0]
    >>> estimate_groups([0.9, 0.8, 0.2, 0.1, 0.3], ["a", "a", "a", "b", "b"], scores, labels)[["group", "size"]].values.tolist()
    [['a', 3], ['b', 2]]
    """
    check_level(level)
    taken = check_one_sample("sample", sample) >= 0.5
    names = in_groups(groups, len(taken))
    labelled = Counts.from_scores(sample, scores, labels)
    given = np.ones(len(taken)) if weights is None else check_weights(weights, len(taken))
    rows = pd.DataFrame({"group": names, "taken": taken * given, "weight": given, "square": given**2}).dropna(subset="group")
    grouped = rows.groupby("group", observed=True)
    if not grouped.ngroups:
        raise InvalidInput("groups", "hold a value", "none", "Choose a column with the group of each instance.")
    sums, sizes = grouped.sum(), grouped.size()
    # A group whose weights are all 0 stands for none.
    counted = (sums.weight > 0.0).to_numpy()
    sums, sizes = sums[counted], sizes[counted]
    effective = (sums.weight**2 / sums.square).to_numpy()
    found = (sums.taken / sums.weight).to_numpy() * effective
    # tpr and fpr are those of all labelled instances, the same for each group.
    of_labels = labelled.true_positives, labelled.positives, labelled.false_positives, labelled.negatives
    made = Counts(np.rint(found).astype(np.intp), np.rint(effective).astype(np.intp), *of_labels)
    counts = made if weights is None else EffectiveCounts(found, effective, *of_labels)
    low, high = INTERVALS[DEFAULT_INTERVAL].interval(counts, level)
    return pd.DataFrame(
        {"group": sums.index.astype(str), "size": sizes.to_numpy(), "estimate": counts.estimate, "low": low, "high": high}
    )
