"""What people's files hold is read as it is meant, whatever its spelling, or is said; and no warning of a library comes out."""

import warnings

import numpy as np
import pandas as pd
import pytest

from qcore import Dataset, InvalidInput, score_sample
from qcore.datasets.headers import sentences_on_reading
from qcore.datasets.table_reader import read_table
from qcore.datasets.written_numbers import as_numbers
from tests.qcore.datasets.odd_files import SPELLINGS, above, as_csv, as_parquet, as_sheet, plain, rows_of


@pytest.fixture(autouse=True)
def no_warning():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_a_spelling_gives_the_same_table(spelling):
    write, name = SPELLINGS[spelling]
    table = plain()
    read = read_table(write(table), name)
    pd.testing.assert_frame_equal(read, table, check_dtype=False)
    assert all(pd.api.types.is_float_dtype(read[column]) for column in ("len", "wid"))


SAID = {
    "a merged title": "Skipped above the header: Measures, Other.",
    "units": "The first row belongs to the header, and is left out: cm, mm.",
    "questions of a survey": "The first 2 rows belong to the header, and are left out: What is",
    "ARFF with weights": "60 rows have weights, which are not used: each row counts once.",
}


@pytest.mark.parametrize("spelling", SAID)
def test_what_is_passed_over_is_said(spelling):
    write, name = SPELLINGS[spelling]
    (sentence,) = sentences_on_reading(read_table(write(plain()), name))
    assert sentence.startswith(SAID[spelling])


def test_rows_of_a_file_are_no_header():
    table = plain(20).astype({"len": object, "wid": object})
    table.loc[0, ["len", "wid"]] = "n/k"
    read = read_table(as_csv(table), "a.csv")
    assert len(read) == 20
    assert np.isnan(read.len[0])


def test_percent_cells_and_words_with_percent_signs_are_the_same():
    table = plain().assign(len=lambda one: (one.len.abs() % 1).round(3))
    words = read_table(as_csv(table.assign(len=[f"{100 * value:.1f}%" for value in table.len])), "a.csv")
    assert words.len.tolist() == read_table(as_sheet(rows_of(table)), "a.xlsx").len.tolist()
    assert sentences_on_reading(words)[0].startswith("len: percentages are shares: '")


def test_one_odd_value_is_missing_and_named():
    table = plain().astype({"len": object})
    table.loc[len(table)] = ["n/k", 0.5, "red", None]
    read = read_table(as_csv(table), "a.csv")
    assert read.len.tolist()[:-1] == plain().len.tolist()
    assert sentences_on_reading(read) == ["len: 1 value is not a number and counts as missing, such as 'n/k' in row 121."]
    assert "1 row has no label: nothing is learnt from it." in Dataset.from_frame(read, "y").notes


def test_censored_values_are_read_as_their_bound():
    table = plain().assign(len=lambda one: [f"{value:.3f}" if value > 0.5 else "<0.5" for value in one.len])
    read = read_table(as_csv(table), "a.csv")
    assert read.len.min() == 0.5
    n = int((table.len == "<0.5").sum())
    assert sentences_on_reading(read) == [f"len: {n} values are read as the bound: '<0.5' is 0.5."]


@pytest.mark.parametrize(
    ("words", "numbers"),
    [
        (["1,234.5", "12", "1,000"], [1234.5, 12, 1000]),
        (["1.234,5", "2.345"], [1234.5, 2345]),
        (["1'204.50", "3"], [1204.5, 3]),
        (["1\u2019204.50", "3"], [1204.5, 3]),
        (["1\u202f204,5", "3,2"], [1204.5, 3.2]),
        (["-$3", "$1,200.50"], [-3, 1200.5]),
        (["46.1 %", "0"], [0.461, 0]),
        (["1e-3", "2"], [0.001, 2]),
        (["<0.5", "0.6", "\u22650.7", "0.8"], [0.5, 0.6, 0.7, 0.8]),
        (["1.5", "NA", "2"], [1.5, np.nan, 2]),
    ],
)
def test_numbers_as_people_write_them(words, numbers):
    read = as_numbers(pd.Series(words), typed=True)
    np.testing.assert_array_equal(read.numbers, numbers)


WORDS = {
    "padded codes": ["007", "012", "100"],
    "postcodes": ["10115", "80331"],
    "years": ["1999", "2004"],
    "versions": ["1.2.3", "1.10.0"],
    "dates": ["2024-01-02", "2024-01-03"],
    "German dates": ["01.02.2024", "03.04.2024"],
    "times": ["12:30", "13:45"],
    "telephone numbers": ["030 1234567", "0171 998877"],
    "grouped telephone numbers": ["555 123 456", "555 124 456"],
    "international telephone numbers": ["+493012345", "+443012"],
    "card numbers": ["4556737586899855", "4556737586899856"],
    "groups of age": ["<18", "18-25", ">65"],
    "groups beside a bound": ["<50", ">=50"],
    "several currencies": ["$5", "€5", "€7"],
    "few numbers and a word": ["2", "3", "4", "rotary"] * 30,
    "names": ["A-17", "B-18"],
    "truth values": [True, False, "1"],
}


@pytest.mark.parametrize("what", WORDS)
def test_codes_stay_words(what):
    assert as_numbers(pd.Series(WORDS[what], dtype=object), typed=True) is None


def test_digits_of_a_text_file_are_numbers_as_before():
    assert as_numbers(pd.Series(["10115", "80331"]), typed=False).numbers.tolist() == [10115, 80331]


def test_what_a_comma_means_is_said_where_nothing_tells_it():
    table = pd.DataFrame({"a": ["1,065", "2,300"], "y": ["no", "yes"]})
    read = read_table(as_csv(table), "a.csv")
    assert read.a.tolist() == [1065, 2300]
    assert sentences_on_reading(read) == ["a: '1,065' is read as 1065."]


def test_a_sample_is_read_as_the_labelled_table_is():
    """Even where most of its values are no numbers: the column is one of numbers in the labelled table."""
    data = Dataset.from_frame(plain(), "y")
    sample = plain(40, seed=1, labelled=False)
    odd = sample.assign(len=[f"\u2212{-value}" if value < 0 else f"{value} ?" for value in sample.len])
    asked = sample.assign(len=sample.len.where(sample.len < 0))
    np.testing.assert_array_equal(score_sample(data, odd, "yes").sample, score_sample(data, asked, "yes").sample)


LINES = {
    "below a title": ("Title\n\na,b,y\n1,2,x\n1,2,3,y\n", "a.csv", "got 4 in line 5"),
    "below values of several lines": ('a,b,y\n1,"2\n3",x\n\n1,2,3,y\n', "a.csv", "got 4 in line 5"),
    "of an open quote": ('a,b,y\n1,2,x\n\n1,"2,3\n', "a.csv", "open from line 4 on"),
    "in ARFF": (
        "% c\n@relation r\n@attribute a numeric\n@attribute y {u,v}\n@data\n\n% c\n1,u\n1,2,v\n",
        "a.arff", "got 3 in line 9"),
    "in the first row of ARFF": (
        "@relation r\n@attribute a numeric\n@attribute y {u,v}\n@data\n% c\n1,2,v\n",
        "a.arff", "got 3 in line 6"),
    "in JSON lines": ('{"a": 1, "y": "u"}\n{"a": 1\n', "a.jsonl", "in line 2"),
}  # fmt: skip


@pytest.mark.parametrize("where", LINES)
def test_lines_in_messages_are_those_of_the_file(where):
    text, name, message = LINES[where]
    with pytest.raises(InvalidInput, match=message):
        read_table(text.encode(), name)


def test_escapes_of_arff_are_read():
    text = (
        "@relation r\n@attribute note {'it\\'s, ok','no'}\n@attribute 'a \\'b\\'' numeric\n"
        "@attribute y {'don\\'t know, sorry',yes}\n"
        "@data\n'it\\'s, ok',1.5,yes\n'no',2,'don\\'t know, sorry'\n"
    )
    read = read_table(text.encode(), "a.arff")
    assert read.to_dict("list") == {"note": ["it's, ok", "no"], "a 'b'": [1.5, 2], "y": ["yes", "don't know, sorry"]}


@pytest.mark.parametrize("text", ["[1, 2]", '{"a": {"b": 1}}', "[]", '{"a": 1', "[[1, 2], [3, 4]]"])
def test_json_without_a_table_is_refused_in_words(text):
    with pytest.raises(InvalidInput, match="be JSON") as refused:
        read_table(text.encode(), "a.json")
    assert "Write an object for each row" in str(refused.value)


def test_json_with_too_many_columns_is_not_unfolded():
    rows = ",".join(f'{{"k{i}": 1}}' for i in range(6000))
    with pytest.raises(InvalidInput, match="have at most 5,000 columns"):
        read_table(f"[{rows}]".encode(), "a.json")


@pytest.mark.parametrize("text", ["name\nJohn Smith\nAnna Lee\n", "a b\nc d\n", "first last\nJohn Smith\n"])
def test_words_alone_are_no_columns(text):
    assert read_table(text.encode(), "a.txt", labelled=False).shape[1] == 1


def test_a_file_of_text_in_columns_without_a_header_is_read():
    rows = "".join(f"A{11 + i % 3}  {i / 7:8.3f}   {1 + i % 2}\n" for i in range(40))
    assert read_table(rows.encode(), "german.data").dtypes.astype(str).tolist()[1:] == ["float64", "int64"]


def test_a_column_that_is_left_out_is_named_with_one_value():
    table = plain().assign(zone=[f"{10000 + 7 * i}" for i in range(120)])
    notes = Dataset.from_frame(read_table(as_parquet(table), "a.parquet"), "y").notes
    assert any("zone (such as '10000')" in one for one in notes)


def test_units_below_a_header_with_decimal_commas():
    table = plain(40)
    content = above(table, "cm;mm;;", sep=";").replace(b".", b",")
    pd.testing.assert_frame_equal(read_table(content, "a.csv"), table, check_dtype=False)


def test_text_that_becomes_numbers_is_named():
    read = read_table(as_parquet(plain().assign(wid=lambda table: table.wid.astype(str))), "a.parquet")
    assert sentences_on_reading(read) == ["Text that holds only numbers is read as numbers: wid."]
