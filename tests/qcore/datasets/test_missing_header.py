"""Files without a header: recognised, their first row kept; headers of years or counts stay headers."""

import io

import numpy as np
import pandas as pd
import pytest

from qcore.datasets.missing_header import missing_header_sentence
from qcore.datasets.table_reader import read_table


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("5.1,3.5,setosa\n4.9,3.0,setosa\n6.3,2.9,virginica\n", [5.1, 3.5, "setosa"]),
        ("0.93\n0.12\n0.55\n", [0.93]),
        ("5,1;3;a\n4,9;3;a\n6,3;2;b\n", [5.1, 3, "a"]),
        ("1,7,yes\n2,9,no\n3,7,yes\n", [1, 7, "yes"]),
        ("4.9,4.9,1\n4.9,3.0,1\n6.3,2.9,2\n", [4.9, 4.9, 1]),
        ("3, 8, x y\n1, 2, x y\n5, 1, x\n", [3, 8, "x y"]),
    ],
)
def test_the_first_row_is_kept(text, first):
    frame = read_table(text.encode(), "table.csv", labelled=False)
    assert len(frame) == text.count("\n")
    assert list(frame.iloc[0]) == first
    assert "No header" in missing_header_sentence(frame)


@pytest.mark.parametrize(
    "text",
    [
        "length,width,kind\n4.9,3.0,setosa\n6.3,2.9,virginica\n",
        "2019,2020,2021\n4.9,3.0,2\n6.3,2.9,3\n",
        "0,1,2,class\n4,3,2,a\n6,2,3,b\n",
        "7\n4.9\n6.3\n",
        "id,5,kind\n1,3.0,a\n2,2.9,b\n",
        "a,b\nx,y\nx,z\n",
    ],
)
def test_a_header_stays_a_header(text):
    frame = read_table(text.encode(), "table.csv", labelled=False)
    assert len(frame) == text.count("\n") - 1
    assert list(frame.columns) == text.splitlines()[0].split(",")
    assert not missing_header_sentence(frame)


def test_a_spreadsheet_without_a_header():
    table = pd.DataFrame({"a": [5.1, 4.9, 6.3], "b": ["x", "x", "y"]})
    content = io.BytesIO()
    table.to_excel(content, index=False, header=False)
    frame = read_table(content.getvalue(), "table.xlsx")
    assert np.array_equal(frame["column 1"], table.a)
    assert list(frame["column 2"]) == ["x", "x", "y"]
