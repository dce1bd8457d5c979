"""Sentences of the page "Losses"."""

from __future__ import annotations

import re

import pandas as pd

from pages.findings.number_text import percentage

_ALIKE = 1.01
"""Values within a hundredth of each other are the same: smoothing moves some that far."""


def preference_headline(table: pd.DataFrame, truth: float, pair: tuple[float, float]) -> str:
    """Which losses prefer which of the two estimates; the table of `preferences`."""
    a, b, level = (table.loss[table.prefers == side].tolist() for side in ("first", "second", "neither"))
    first, second = (f"{name} ({percentage(value)})" for name, value in zip("AB", pair, strict=True))
    parts = [f"{', '.join(losses)} prefer{_s(losses)} {which}" for losses, which in ((a, first), (b, second)) if losses]
    if level:
        parts.append(f"{', '.join(level)} find{_s(level)} {f'{first} and {second}' if not parts else 'both'} equally good")
    if len(parts) == 1 and len(table) > 1:
        parts = [re.sub("^.*? (prefer|find)s? ", r"all these losses \1 ", parts[0])]
    return f"Of a true {percentage(truth)}, {'; '.join(parts)}."


def _s(names: list[str]) -> str:
    return "s" if len(names) == 1 else ""


def property_marks(row: dict[str, float]) -> dict[str, bool]:
    """What the numbers of a row of `properties_at` say of each property, at this true prevalence."""

    def same(one: str, other: str) -> bool:
        return max(row[one], row[other]) <= _ALIKE * min(row[one], row[other])

    return {
        "MAX": same("largest", "largest_even"),
        "IMP": same("over", "under"),
        "REL": row["over"] > _ALIKE * row["even"] and same("over", "under"),
        "ABS": same("over", "even") and same("over", "under"),
    }
