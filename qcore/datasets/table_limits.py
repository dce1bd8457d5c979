"""What a table that is read may be, and what stands for a missing value in it."""

from __future__ import annotations

from typing import Final

LARGEST_FILE: Final = 200 * 2**20
"""Bytes of a file; what it unpacks to may be twice as much."""

MAX_COLUMNS: Final = 5000
MAX_ROWS: Final = 2_000_000
MAX_CELLS: Final = 50_000_000
"""Of a spreadsheet or a Parquet file, where a few bytes can stand for many."""

MISSING: Final = ("?", "<null>")
"""What stands for a missing value beside what pandas knows: as UCI and KEEL write it."""
