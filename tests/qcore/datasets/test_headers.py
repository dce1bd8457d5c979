"""Files without a header: recognised, their first row kept; headers of years or counts stay headers."""

import io

import numpy as np
import pandas as pd
import pytest

from qcore.datasets.headers import missing_header_sentence
from qcore.datasets.table_reader import read_table


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("5.1,3.5,setosa\n4.9,3.0,setosa\n6.3,2.9,virginica\n", [5.1, 3.5, "setosa"]),
        ("0.93\n0.12\n0.55\n", [0.93]),
        ("5,1;3;a\n4,9;3;a\n6,3;2;b\n", [5.1, 3, "a"]),
        ("1,7,yes\n2,9,no\n3,7,yes\n", [1, 7, "yes"]),
        ("4.9,4.9,1\n4.9,3.0,1\n6.3,2.9,2\n", [4.9, 4.9, 1]),
        ("8,3,A-17\n4,9,A-18\n6,2,B-19\n", [8, 3, "A-17"]),
        ("5.1,True,setosa\n4.9,False,setosa\n6.3,True,virginica\n", [5.1, True, "setosa"]),
        (
            "8,2022-04-24,it was fine,no\n4,2021-01-01,too slow,yes\n6,2020-12-31,never again,no\n",
            [8, "2022-04-24", "it was fine", "no"],
        ),
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
        "400,405,412,430\n4,1,3,2\n6,5,1,1\n",
        "900.0,900.5,901.0\n0.3,0.2,0.1\n0.1,0.5,0.9\n",
        "sample,351.5,350.5\nA-1,0.2,0.1\nA-2,0.5,0.9\n",
        "country,2000,2005,2011\nAustria,1,2,3\nBelgium,5,4,1\n",
    ],
)
def test_a_header_stays_a_header(text):
    frame = read_table(text.encode(), "table.csv", labelled=False)
    assert len(frame) == text.count("\n") - 1
    assert list(frame.columns) == text.splitlines()[0].split(",")
    assert not missing_header_sentence(frame)


def test_a_missing_value_in_the_first_row_is_one():
    frame = read_table(b"5.1,?,setosa\n4.9,3.0,setosa\n6.3,2.9,virginica\n", "table.csv")
    assert len(frame) == 3
    assert np.isnan(frame["column 2"][0])


def test_a_table_of_r_whose_header_is_one_field_shorter_is_read():
    frame = read_table(b'354.1,350.5,351.7\n"1",0.1,0.2,0.3\n"2",0.4,0.5,0.6\n', "table.csv", labelled=False)
    assert len(frame) == 2
    assert not missing_header_sentence(frame)


def test_columns_that_are_called_so_are_no_sign_of_a_missing_header():
    frame = read_table(b"column 1,column 2\n5,x\n6,y\n", "table.csv")
    assert not missing_header_sentence(frame)


def test_a_spreadsheet_without_a_header():
    table = pd.DataFrame({"a": [5.1, 4.9, 6.3], "b": ["x", "x", "y"]})
    content = io.BytesIO()
    table.to_excel(content, index=False, header=False)
    frame = read_table(content.getvalue(), "table.xlsx")
    assert np.array_equal(frame["column 1"], table.a)
    assert list(frame["column 2"]) == ["x", "x", "y"]
