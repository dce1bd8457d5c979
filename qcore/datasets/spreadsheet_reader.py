"""An Excel file -> the table in its first sheet that holds one."""

import io
import itertools
import zipfile
from typing import Any, Final

import pandas as pd

from qcore.datasets.missing_header import lacks_header, without_header
from qcore.datasets.reading_failures import file_refused
from qcore.datasets.reading_notes import note
from qcore.datasets.table_limits import LARGEST_FILE, LARGEST_PART, MAX_CELLS, MAX_COLUMNS, MAX_ROWS, MISSING
from qcore.datasets.titles import n_titles, titles_sentence

SPREADSHEETS: Final = (".xlsx", ".xlsm")
"""Endings of the files that can be read."""

_PARSED_WHOLE: Final = ("xl/styles", "xl/workbook", "xl/theme/", "xl/_rels/", "_rels/", "[Content_Types]", "docProps/")
"""Parts that hold no cells and are read before the cells."""


def read_spreadsheet(content: bytes, name: str) -> pd.DataFrame:
    """The table in the first sheet that holds one. Raises InvalidInput over the limits, and what openpyxl and zipfile raise."""
    from openpyxl import load_workbook  # imported here, since only spreadsheets need it

    with zipfile.ZipFile(io.BytesIO(content)) as parts:
        sizes = {part.filename: part.file_size for part in parts.infolist()}
    if sum(sizes.values()) > LARGEST_FILE:
        raise file_refused(name, "unpack to at most 200 MB", f"{sum(sizes.values()) / 2**20:,.0f} MB", "Use a part of it.")
    styles = sum(size for part, size in sizes.items() if part.startswith(_PARSED_WHOLE))
    if styles > LARGEST_PART:
        result = f"{styles / 2**20:,.0f} MB"
        raise file_refused(name, "hold at most 20 MB of styles and the like", result, "Save the values alone, as CSV.")
    sheets = load_workbook(io.BytesIO(content), read_only=True, data_only=True).worksheets
    first = _sheet(sheets[0], name)
    frames = itertools.chain([first], (_sheet(sheet, name) for sheet in sheets[1:]))
    # Some files begin with a sheet of remarks.
    tables = ((sheet, frame) for sheet, frame in zip(sheets, frames, strict=True) if _holds_columns(frame))
    sheet, frame = next(tables, (sheets[0], first))
    if len(sheets) > 1:
        note(frame, f"Of {len(sheets)} sheets the first one with a table is read: {sheet.title}.")
    return frame


def _holds_columns(frame: pd.DataFrame) -> bool:
    return len(frame) > 0 and frame.shape[1] > 1


def _sheet(sheet: Any, name: str) -> pd.DataFrame:
    rows, n_rows, n_cells = [], 0, 0
    # Row by row: one distant cell can turn a sheet of a few kilobytes into a table of billions of cells.
    known = sheet.max_column
    for row in sheet.iter_rows(values_only=True, max_col=min(known, MAX_COLUMNS) + 1 if known else None):
        # A skipped row is empty, but still takes time.
        n_rows, n_cells = n_rows + 1, n_cells + len(row)
        if n_cells > MAX_CELLS or n_rows > MAX_ROWS + 1:
            raise file_refused(name, f"have at most {MAX_CELLS:,} cells", "more", "Use a part of it, or save it as CSV.")
        if any(value is not None for value in row):
            rows.append(row)
    n_above = n_titles(rows)
    said = titles_sentence([title for row in rows[:n_above] for title in row])
    rows = rows[n_above:]
    header = rows[0] if rows else ()
    width = max((i + 1 for i, value in enumerate(header) if value is not None), default=0)
    # If a sheet does not state its width, each row ends with its last value.
    whole = [(*row, *[None] * width)[:width] for row in rows]
    frame = _with_missing(pd.DataFrame(whole[1:], columns=["" if value is None else value for value in header[:width]]))
    if lacks_header(header[:width], frame):
        frame = without_header(_with_missing(pd.DataFrame(whole)))
    note(frame, said)
    return frame


def _with_missing(frame: pd.DataFrame) -> pd.DataFrame:
    return frame.replace(dict.fromkeys(MISSING)).infer_objects()
