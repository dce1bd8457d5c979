"""Sentences on a trend: which method stays nearest to the truth, and whether counting flattens it."""

import math

import pandas as pd

from pages.settings.number_text import digits, formatted
from qcore.watching import WatchedShare


def trend_sentences(table: pd.DataFrame) -> list[str]:
    """Which method is nearest and which furthest off over the days, and how counting errs; of `studies.trend.trend`."""
    errors = (table.estimate - table.true).abs().groupby(table.method, sort=False).mean().sort_values(kind="stable")
    days = table.day.nunique()
    names, values = errors.index.tolist(), errors.tolist()
    if len(names) == 1:
        sentences = [f"Over {days} days **{names[0]}** is off by {digits(values[0])} on average (AE, |estimate - truth|)."]
    else:
        sentences = [
            f"Over {days} days **{names[0]}** stays nearest to the truth: mean AE (|estimate - truth|) {digits(values[0])}.",
            f"**{names[-1]}** is furthest off: {digits(values[-1])}.",
        ]
    if len(names) > 1 and digits(values[0]) == digits(values[-1]):
        sentences = [
            f"Over {days} days all methods are equally near to the truth: mean AE (|estimate - truth|) {digits(values[0])}."
        ]
    counts = table[table.method == "CC"]
    if len(counts):
        error = counts.estimate - counts.true
        middle = counts.true.median()
        low, high = error[counts.true <= middle].mean(), error[counts.true > middle].mean()
        if not (math.isnan(low) or math.isnan(high)):
            flat = "flattens the trend" if low > high else "does not flatten the trend here"
            sentences.append(
                f"**CC** errs by {formatted(low, '+.2f')} on the days with fewer positives and by {formatted(high, '+.2f')} on "
                f"those with more: counting {flat}."
            )
    return sentences


def watched_sentence(result: WatchedShare) -> str:
    """Whether and when the counts of the days show a move to one who looks every day."""
    days = f"With an interval that holds at every look and the first {result.baseline} days as a baseline, the counts"
    if result.moved_at is None:
        return f"{days} show no move on any day."
    return f"{days} show a move on **day {result.moved_at}**."
