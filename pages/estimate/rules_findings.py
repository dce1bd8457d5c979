"""Sentences on the rules by which intervals are given: which hold the truth often enough, and which of these is shortest."""

import pandas as pd

from pages.settings.number_text import enumerated
from qcore.studies.interval_rules import ELSEWHERE, OF_SAMPLE

_HOLDS = 0.945
"""The least coverage of a rule that is recommended; with a lower limit, rules would be recommended for being too short."""
_TOO_SHORT = 0.935
"""A rule with less coverage is called too short: of 2,000 intervals at 95%, so few hold the truth once in a thousand times."""


def rules_sentences(table: pd.DataFrame) -> list[str]:
    """The shortest rule that holds the truth often enough with labels of each kind, and the rules that do not."""
    sentences = []
    for labels in (OF_SAMPLE, ELSEWHERE):
        kept = table[(table.labels == labels) & (table.coverage >= _HOLDS)]
        if len(kept):
            best = kept.iloc[int(kept.width.argmin())]
            sentences.append(
                f"With labels {labels}, **{best.rule}** is the shortest rule that holds the truth often enough: its intervals "
                f"are {best.width:.1%} wide on average, and {best.coverage:.1%} of them hold the truth."
            )
    broken = table[table.coverage < _TOO_SHORT].sort_values("coverage")
    if len(broken):
        listed = enumerated([f"{row.rule} ({row.coverage:.0%})" for row in broken.itertuples()])
        sentences.append(f"Too short: {listed}.")
    return sentences
