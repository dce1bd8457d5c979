"""The section "Findings of the papers" of "Compare": each claim of both papers, its verdict, and the figures behind it.

Source of the table: docs/findings.md, which `python -m benchmarks.findings` writes.
"""

import re
from functools import cache
from typing import Final

import pandas as pd
import streamlit as st

from pages.charts.small_table import Column, small_table
from pages.compare.settings import ALL_VERDICTS, SETTINGS
from pages.frame.documents import document, document_popover
from pages.frame.layout import narrow_row
from pages.frame.texts import texts_of
from pages.settings import control
from pages.settings.number_text import enumerated

TEXTS: Final = texts_of("compare")
_SAID: Final = {"holds": "hold", "in part": "hold in part", "does not hold": "do not hold"}
_DOCUMENTS: Final = {
    "findings": "All runs and variants", "benchmarks": "Beside QuaPy and mlquantify", "references": "References in full",
}  # fmt: skip
_COLUMNS: Final = (
    Column("claim", "Claim"),
    Column("paper", "Paper"),
    Column("place", "Place"),
    Column("verdict", "Verdict"),
    Column("figures", "Figures of our run"),
    Column("why", "Why"),
)
_VERDICT: Final = re.compile(r"\*\*(.+?)\*\*(?: \([^)]*\))?: (.*)")


def claims_section() -> None:
    """Draw the table of claims with the chosen verdict, and the documents on the runs behind it."""
    st.markdown(TEXTS["claims"])
    verdict = str(control.segments(SETTINGS["verdict"]))
    table = claims()
    counts = ", ".join(f"{(table.verdict == one).sum()} {said}" for one, said in _SAID.items())
    papers = enumerated([f"{paper} ({(table.paper == paper).sum()})" for paper in table.paper.unique()])
    st.markdown(f"- Of {len(table)} claims, {papers}: {counts}.")
    shown = table if verdict == ALL_VERDICTS else table[table.verdict == verdict]
    small_table(shown, _COLUMNS, label="Claims of the papers", searches="Find a claim or a quantifier", height=520)
    for part, (name, title) in zip(narrow_row("documents", len(_DOCUMENTS)), _DOCUMENTS.items(), strict=True):
        with part:
            document_popover(name, title)


@cache
def claims() -> pd.DataFrame:
    """A row for each claim: claim, paper, place, verdict and figures of the first of the protocols, why."""
    rows: list[dict[str, str]] = []
    paper = ""
    names: list[str] = []
    for line in document("findings").splitlines():
        if line.startswith("## "):
            paper = line.removeprefix("## ").split(",")[0]
        cells = [cell.strip() for cell in line.strip().strip("|").split(" | ")] if line.startswith("|") else []
        if cells[:2] == ["claim", "place"]:
            names = cells
        elif not cells:
            names = []
        elif names and not cells[0].startswith("---"):
            rows.append(_claim(paper, cells + [""] * (len(names) - len(cells))))
    return pd.DataFrame(rows)


def _claim(paper: str, cells: list[str]) -> dict[str, str]:
    found = _VERDICT.fullmatch(cells[2])
    verdict, figures = found.groups() if found else ("", cells[2])
    return {"claim": cells[0], "paper": paper, "place": cells[1], "verdict": verdict, "figures": figures, "why": cells[-1]}
