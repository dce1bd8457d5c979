"""Sentences of the page "Losses"."""

import pandas as pd

from pages.settings.number_text import exact_percentage

_ALIKE = 1.01
"""Values with a ratio up to this count as equal, because smoothing can change a value by a hundredth."""


def preference_headlines(table: pd.DataFrame, pair: tuple[float, float]) -> list[str]:
    """Which losses prefer which of the two estimates, at each true prevalence of the table of `preferences`."""
    preferred: dict[float, list[tuple[str, str]]] = {}
    for truth, loss, prefers in zip(table["true"].tolist(), table["loss"].tolist(), table["prefers"].tolist(), strict=True):
        preferred.setdefault(truth, []).append((loss, prefers))
    return [_headline(at_truth, truth, pair) for truth, at_truth in preferred.items()]


def _headline(preferred: list[tuple[str, str]], truth: float, pair: tuple[float, float]) -> str:
    a, b, level = ([loss for loss, prefers in preferred if prefers == side] for side in ("first", "second", "neither"))
    first, second = (f"{name} ({exact_percentage(value)})" for name, value in zip("AB", pair, strict=True))
    both = "both" if a or b else f"{first} and {second}"
    verdicts = ((a, "prefer", first), (b, "prefer", second), (level, "find", f"{both} equally good"))
    parts = [
        f"all these losses {verb} {what}" if len(losses) == len(preferred) > 1
        else f"{', '.join(losses)} {verb}{'s' if len(losses) == 1 else ''} {what}"
        for losses, verb, what in verdicts
        if losses
    ]  # fmt: skip
    return f"If the truth is {exact_percentage(truth)}, {'; '.join(parts)}."


def property_marks(row: dict[str, float]) -> dict[str, bool]:
    """Property -> whether it holds at this true prevalence, by the numbers in a row of `properties_at`."""

    def same(one: str, other: str) -> bool:
        return max(row[one], row[other]) <= _ALIKE * min(row[one], row[other])

    return {
        "MAX": same("largest", "largest_even"),
        "IMP": same("over", "under"),
        "REL": row["over"] > _ALIKE * row["even"] and same("over", "under"),
        "ABS": same("over", "even") and same("over", "under"),
    }
