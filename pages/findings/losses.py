"""Sentences of the page "Losses"."""

from __future__ import annotations

import pandas as pd

from pages.findings.number_text import percentage

_ALIKE = 1.01
"""Values within a hundredth of each other are the same: smoothing moves some that far."""


def preference_headline(table: pd.DataFrame, truth: float, pair: tuple[float, float]) -> str:
    """Which losses prefer which of the two estimates; the table of `preferences`."""
    a, b = (table.loss[table.prefers == side].tolist() for side in ("first", "second"))
    first, second = (f"{name} ({percentage(value)})" for name, value in zip("AB", pair, strict=True))
    start = f"Of a true {percentage(truth)}"
    if a and b:
        return f"{start}, {', '.join(a)} prefer{_s(a)} {first}, {', '.join(b)} prefer{_s(b)} {second}."
    if not a and not b:
        return f"{start}, all these losses find {first} and {second} equally good."
    return f"{start}, all these losses prefer {first if a else second}, or find both equally good."


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
