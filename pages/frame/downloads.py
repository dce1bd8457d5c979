"""Downloads: tables as CSV, and the Python script that reproduces a picture."""

import ast
import re
from collections.abc import Callable

import pandas as pd
import streamlit as st

from pages.frame.citation import version
from pages.frame.words import said
from pages.own_data import uploads
from pages.settings.address import PAGE_SHOWN, current_settings, link_query, settings_on_paper
from pages.settings.page_declaration import settings_of
from qcore import DatasetReference, ScoringSettings, __version__

_BREAKS = r",;|\t\r\n\v\f\x85\u2028\u2029"
"""What begins a new cell or row in some reader, whatever is in quotes here: a quote within its cell says nothing to it."""
_NUMBER = r"[-+]?(?:\d+[.,]?\d*|[.,]\d+)(?:[eE][-+]?\d+)?%?"
_FORMULA = re.compile(rf"(^|[{_BREAKS}])(?!\s*{_NUMBER}\s*(?:\Z|[{_BREAKS}]))(?=[\s\"']*[=+\-@\uff1d\uff0b\uff0d\uff20])")
"""Where a cell begins like a formula, and is not a number: with one of these signs, or with a wide one of East Asia."""

SETUP = (
    f"# Quantification Lab {__version__}. Once, in a copy of its repository: pip install . plotly\n"
    "# Run it in the folder that holds the files it names.\n"
    "import plotly.express as px\n"
)
"""The first lines of each script."""


def loading(data: DatasetReference) -> str:
    """The expression of a script that loads a data set; of an upload, the person's own file."""
    if data.source != uploads.SOURCE:
        return f"load_dataset({str(data)!r})"
    table = uploads.parse(data.name)
    if table.text:
        return f"read_texts({table.file_name!r}, {table.label!r}, {table.text!r})"
    if table.score:
        known = uploads.load(data)
        columns = list(map(str, known.features.columns))
        score = table.score if len(columns) == 1 else dict(zip(known.classes, columns, strict=True))
        pool = f", pool={table.pool!r}" if table.pool else ""
        return f"read_scores({table.file_name!r}, {table.label!r}, {score!r}{pool})"
    more = {"leave_out": list(table.left_out), "as_text": list(table.as_text)}
    arguments = "".join(f", {name}={columns!r}" for name, columns in more.items() if columns)
    return f"read_dataset({table.file_name!r}, {table.label!r}{arguments})"


def scoring(data: DatasetReference, settings: ScoringSettings) -> str:
    """The lines of a script that score a data set."""
    return f"settings = {settings!r}\nscores = score_dataset({loading(data)}, settings)\n"


def without_unused_imports(source: str) -> str:
    """A script without the names that it imports and does not use: which these are depends on the data set."""
    tree = ast.parse(source)
    used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    lines = source.splitlines()
    for node in reversed(tree.body):
        if isinstance(node, ast.Import | ast.ImportFrom):
            node.names = [name for name in node.names if (name.asname or name.name).partition(".")[0] in used]
            lines[node.lineno - 1 : node.end_lineno] = [ast.unparse(node)] if node.names else []
    return "\n".join(lines) + "\n"


def safe_csv(table: pd.DataFrame) -> bytes:
    """The table as CSV (UTF-8) that a spreadsheet opens without running anything: text that starts like a formula gets a '.

    So does what starts so after a mark at which another reader begins a new cell or row.
    """

    def neutralise(cell: object) -> object:
        return _FORMULA.sub(r"\1'", cell) if isinstance(cell, str) else cell

    text = {name: table[name].map(neutralise) for name in table.columns if not pd.api.types.is_numeric_dtype(table[name])}
    # A line ends as RFC 4180 has it, too, so that a carriage return within a cell is quoted.
    csv = table.assign(**text).rename(columns=neutralise).to_csv(index=False, lineterminator="\r\n")
    # Excel takes a file for one of Windows' old code pages unless it begins with this mark.
    return csv.encode("ascii" if csv.isascii() else "utf-8-sig")


def csv_button(label: str, table: Callable[[], pd.DataFrame], name: str, place: str = "") -> None:
    """Draw a button that downloads a table as CSV, which is made only then; `place` tells two buttons for one table apart."""
    name = re.sub(r"[^\w.-]+", "-", name)
    key = f"download {name} {place}".strip()
    st.download_button(label, lambda: safe_csv(table()), f"{name}.csv", "text/csv", key=key, on_click="ignore")


def settings_button() -> None:
    """Draw a button that downloads the settings of the page: in words, and as what follows the address in a link."""
    page = str(st.session_state.get(PAGE_SHOWN, ""))
    link = f"{page}?{link_query(current_settings(settings_of(page)))}"
    content = f"{settings_on_paper(page)}\n\n{link}\n\nQuantification Lab {version()}\n"
    key = "download settings"
    st.download_button(said("Settings as text"), content, f"{page}-settings.txt", "text/plain", key=key, on_click="ignore")


def python_code(source: str, *, height: int | None = None) -> None:
    """Draw a script in a box of `height` pixels; None for the height of its text."""
    st.code(source, language="python", wrap_lines=True, height=height or "content")
