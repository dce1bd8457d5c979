"""What a person takes away: tables as CSV, and the Python behind a picture."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import pandas as pd
import streamlit as st

_FORMULA_STARTS: Final = ("=", "+", "-", "@", "\t", "\r")

SETUP: Final = "# In the app's folder, once: pip install -e .\n"
"""The first line of each script."""


def safe_csv(table: pd.DataFrame) -> bytes:
    """The table as CSV (UTF-8) that a spreadsheet opens without running anything: text that starts like a formula gets a '."""

    def neutralise(cell: object) -> object:
        return f"'{cell}" if isinstance(cell, str) and cell.startswith(_FORMULA_STARTS) else cell

    text = {name: table[name].map(neutralise) for name in table.columns if not pd.api.types.is_numeric_dtype(table[name])}
    return table.assign(**text).rename(columns=neutralise).to_csv(index=False).encode()


def csv_button(label: str, table: Callable[[], pd.DataFrame], name: str) -> None:
    """A button that downloads a table, made only when it is pressed."""
    st.download_button(label, lambda: safe_csv(table()), f"{name}.csv", "text/csv", key=f"download {name}", on_click="ignore")


def python_code(source: str) -> None:
    """The script that gives the numbers of a picture."""
    st.code(source, language="python", wrap_lines=True)
