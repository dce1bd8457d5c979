"""A paper's claims beside our measurements: each claim is judged on the results of one or several protocols."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

HOLDS = "holds"
IN_PART = "in part"
FAILS = "does not hold"

Judgement = tuple[str, str]
"""HOLDS, IN_PART or FAILS, and what was measured."""


@dataclass(frozen=True)
class Claim:
    """A claim of a paper.

    Attributes
    ----------
    text, place : the claim in our words, and where the paper says so.
    judge : (results of one protocol) -> verdict and what was measured.
    why : why it fails or holds only in part, if that is known.
    """

    text: str
    place: str
    judge: Callable[[Any], Judgement]
    why: str = ""


def verdict(*conditions: bool) -> str:
    """HOLDS if all conditions do, IN_PART if some, else FAILS."""
    return HOLDS if all(conditions) else IN_PART if any(conditions) else FAILS


def named(ranks: pd.Series) -> str:
    """Names with their mean ranks: PWK 3.56, Max 4.21."""
    return ", ".join(f"{name} {rank:.2f}" for name, rank in ranks.items())


def claim_rows(claims: Sequence[Claim], results: Mapping[str, Sequence[Any]]) -> list[Mapping[str, str]]:
    """A row for each claim: verdict and figures of the first protocol, and the verdicts of the others where they differ.

    Of several runs, the most frequent verdict counts (in a tie the worse), with the figures of the first run that gives it.
    """
    rows: list[Mapping[str, str]] = []
    for claim in claims:
        judged = {name: _of_most([claim.judge(one) for one in runs]) for name, runs in results.items()}
        said = {name: f"**{result}**{share}" for name, (result, share, _) in judged.items()}
        first, *others = judged
        row = {"claim": claim.text, "place": claim.place, first: f"{said[first]}: {judged[first][2]}"}
        elsewhere = "; ".join(f"{name}: {said[name]}" for name in others if judged[name][0] != judged[first][0])
        why = claim.why if any(result != HOLDS for result, *_ in judged.values()) else ""
        rows.append(row | {"elsewhere, and why" if others else "why": ". ".join(filter(None, (elsewhere, why)))})
    return rows


def _of_most(judgements: Sequence[Judgement]) -> tuple[str, str, str]:
    """(most frequent verdict, the share of runs that gave it in words, what was measured)."""
    verdicts = [result for result, _ in judgements]
    chosen = max((FAILS, IN_PART, HOLDS), key=verdicts.count)
    agree = verdicts.count(chosen)
    share = f" ({agree}/{len(verdicts)})" if agree < len(verdicts) else ""
    return chosen, share, next(measured for result, measured in judgements if result == chosen)


def markdown(rows: Sequence[Mapping[str, str]]) -> str:
    """Rows as a table in Markdown."""
    columns = list(rows[0])
    cells = [columns, *([row[column].replace("|", "\\|") for column in columns] for row in rows)]
    head, *lines = [f"| {' | '.join(line)} |" for line in cells]
    return "\n".join([head, f"|{'---|' * len(columns)}", *lines])


def counts(rows: Sequence[Mapping[str, str]], protocol: str) -> str:
    """How many claims hold, in words: 9 hold, 3 hold in part, 4 do not hold."""
    result = [row[protocol].split("**")[1] for row in rows]
    parts = (
        (HOLDS, "hold"),
        (IN_PART, "hold in part"),
        (FAILS, "does not hold" if result.count(FAILS) == 1 else "do not hold"),
    )
    return ", ".join(f"{result.count(key)} {text}" for key, text in parts)
