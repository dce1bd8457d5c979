"""How pandas keeps the texts of a table's columns."""

import pandas as pd


def keep_texts_as_python_strings() -> None:
    """Have pandas keep texts as Python's strings, not as Arrow's, in this process.

    The tables behind a picture have some hundred rows. There, taking a column or some rows, or making a table, is a third to a
    half faster so.
    """
    pd.set_option("mode.string_storage", "python")
