"""Differences of groups within each of several panels, such as months within each team."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from qcore._base.validation import TIE, InvalidInput, check_one_sample
from qcore.evaluation.significance import holm
from qcore.intervals.difference import OTHERS, Differences, group_differences
from qcore.intervals.weights import check_weights, in_groups


def panel_differences(
    sample: ArrayLike,
    groups: ArrayLike,
    panels: ArrayLike | None,
    scores: ArrayLike,
    labels: ArrayLike,
    *,
    against: str | None = None,
    weights: ArrayLike | None = None,
    **how: Any,
) -> dict[str, Differences]:
    """By how much the share differs between groups within each panel: months within each team, say.

    Parameters
    ----------
    sample, groups, panels : (m,) each, scores, and the group and the panel of each instance; as in `group_differences`. Without
        panels, None, all groups are in one, whose name is empty.
    scores, labels : (n,) each, out-of-fold training scores and labels 0 and 1.
    against : the group that others of its panel are compared with, by default the first; OTHERS as in `difference`. A panel
        without that group, or with one group alone, is left out.
    weights : (m,), how many each instance stands for.
    how : `method`, `level`, `seed`, `posteriors`, as in `difference`.

    Returns
    -------
    Panel -> differences within it. Their p-values are adjusted by Holm for all comparisons of all panels together.

    Raises
    ------
    InvalidInput
        As `difference`; or no panel has two groups, one of them `against`.

    Examples
    --------
    >>> scores, labels = [0.9, 0.8, 0.7, 0.4, 0.3, 0.2, 0.1, 0.6], [1, 1, 1, 1, 0, 0, 0, 0]
    >>> months, teams = ["May", "June"] * 4, ["a"] * 4 + ["b"] * 4
    >>> found = panel_differences([0.9, 0.8, 0.2, 0.1] * 2, months, teams, scores, labels, against="May")
    >>> [(team, one.table.group.tolist()) for team, one in found.items()]
    [('a', ['June']), ('b', ['June'])]
    """
    if panels is None:
        return {"": group_differences(sample, groups, scores, labels, against=against, weights=weights, **how)}
    checked = check_one_sample("sample", sample)
    of_group, of_panel = in_groups(groups, len(checked)), in_groups(panels, len(checked))
    first = str(next(iter(of_group.groupby(of_group, observed=True).groups), ""))
    base = first if against is None else against
    given = None if weights is None else check_weights(weights, len(checked))
    found = {}
    for panel, rows in of_panel.groupby(of_panel, observed=True).indices.items():
        within = of_group.iloc[rows]
        names = {str(name) for name in within.dropna().unique()}
        if len(names) > 1 and (base == OTHERS or base in names):
            part = within.cat.remove_unused_categories() if isinstance(within.dtype, pd.CategoricalDtype) else within
            of_rows = None if given is None else given[rows]
            found[str(panel)] = group_differences(checked[rows], part, scores, labels, against=base, weights=of_rows, **how)
    if not found:
        raise InvalidInput("panels", f"hold {base} and another group", "none that does", "Choose another column or group.")
    return _adjusted_together(found)


def _adjusted_together(found: Mapping[str, Differences]) -> dict[str, Differences]:
    """The differences with p-values adjusted for all comparisons of all panels."""
    tables = [one.table for one in found.values()]
    adjusted = np.split(holm(np.concatenate([table.p_value for table in tables])), np.cumsum([len(table) for table in tables]))
    return {
        panel: replace(one, table=one.table.assign(p_adjusted=p_values, differs=p_values <= 1.0 - one.level + TIE))
        for (panel, one), p_values in zip(found.items(), adjusted, strict=False)
    }
