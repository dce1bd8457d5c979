"""What a table that is read may be, and what stands for a missing value in it."""

from __future__ import annotations

from typing import Final

LARGEST_FILE: Final = 200 * 2**20
"""Bytes of a file, and of what it unpacks to."""

MAX_COLUMNS: Final = 5000
MAX_ROWS: Final = 2_000_000
MAX_CELLS: Final = 50_000_000
"""Rows times columns, known before a table is read: a few bytes can stand for many cells."""

LARGEST_PART: Final = 20 * 2**20
"""Bytes of what describes a table and is none itself: the styles of a spreadsheet, the footer of a Parquet file."""

READING_SECONDS: Final = 20.0
READING_MEMORY: Final = 1200 * 2**20
"""Bytes that reading may take beside the program itself."""

MISSING: Final = ("?", "<null>")
"""What stands for a missing value beside what pandas knows: as UCI and KEEL write it."""
