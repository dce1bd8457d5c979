"""Limits on the tables that are read, and the words that stand for a missing value."""

from typing import Final

LARGEST_FILE: Final = 200 * 2**20
"""Largest size of a file in bytes, packed and unpacked."""

MAX_COLUMNS: Final = 5000
MAX_ROWS: Final = 2_000_000
MAX_CELLS: Final = 50_000_000
"""Largest number of rows times columns, checked before a table is read: a few bytes can stand for many cells."""

LARGEST_PART: Final = 20 * 2**20
"""Largest size in bytes of a part that only describes a table: the styles of a spreadsheet, the footer of a Parquet file."""

LARGEST_TABLE: Final = 300 * 2**20
"""Largest size in bytes of a table in memory: some kilobytes of a packed file can stand for thousands of times as many."""

READING_SECONDS: Final = 20.0
READING_MEMORY: Final = 1200 * 2**20
"""Bytes of memory that reading may take beyond the program itself."""

MISSING: Final = ("?", "<null>")
"""Words for a missing value that pandas does not know: those of UCI and KEEL."""
