"""Files with tables: what people bring is read, what is no table is refused in one sentence, and nothing else comes out."""

import gzip
import io
import random
import tempfile
import tracemalloc
import zipfile
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from openpyxl import Workbook
from pyarrow import parquet as arrow_parquet

from qcore import Dataset, InvalidInput, read_dataset, score_sample
from qcore.datasets import limited_reading, table_reader, written_numbers
from qcore.datasets.headers import sentences_on_reading
from qcore.datasets.limited_reading import read_table_within_limits
from qcore.datasets.table_limits import MAX_COLUMNS, TableLimits, limits, within
from qcore.datasets.table_reader import read_table
from qcore.datasets.time_order import groups_in_time
from qcore.datasets.user_tables import dataset_of_table, guessed_reading
from tests.thorough import mostly_thorough

TABLE = pd.DataFrame(
    {"width": [1.5, 2.0, np.nan, 4.25], "colour": ["red", "green", "red", None], "class": ["a", "b", "a", "b"]}
)
CSV = TABLE.to_csv(index=False)


def as_bytes(write):
    buffer = io.BytesIO()
    write(buffer)
    return buffer.getvalue()


def parquet(**columns):
    """The bytes of a Parquet file of Arrow's arrays, with a column x of numbers."""
    table = pa.table({"x": pa.array(np.arange(40.0)), **columns})
    return as_bytes(lambda buffer: arrow_parquet.write_table(table, buffer))


ARFF = """% a comment
@RELATION 'two words'
@attribute width numeric
@attribute 'the colour' {red, green}
@ATTRIBUTE class {a,b}
@DATA
1.5,red,a
2.0,green,b
?,red,a
4.25,?,b
"""

FORMATS = {
    "comma.csv": CSV.encode(),
    "mark.csv": b"\xef\xbb\xbf" + CSV.encode(),
    "wide.csv": CSV.encode("utf-16"),
    "tab.tsv": TABLE.to_csv(index=False, sep="\t").encode(),
    "pipe.txt": TABLE.to_csv(index=False, sep="|").encode(),
    "decimal.csv": TABLE.to_csv(index=False, sep=";", decimal=",").encode(),
    "packed.csv.gz": gzip.compress(CSV.encode()),
    "table.parquet": as_bytes(TABLE.to_parquet),
    "sheet.xlsx": as_bytes(lambda buffer: TABLE.to_excel(buffer, index=False)),
    "weka.arff": ARFF.encode(),
    "ours.csv": b"# Quantification Lab, data_sets: v=2\n" + CSV.encode(),
    "question.csv": CSV.replace("red,a\n4", "red,a\n4").replace(",red", ", red").encode(),
}


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_gives_the_same_data_set(name):
    data = Dataset.from_frame(read_table(FORMATS[name], name), "class")
    assert data.features.iloc[:, 0].tolist() == pytest.approx([1.5, 2.0, np.nan, 4.25], nan_ok=True)
    assert data.features.iloc[:, 1].tolist() == ["red", "green", "red", "missing"]
    assert data.labels.tolist() == ["a", "b", "a", "b"]
    assert data.n_missing == 2
    assert any("2 values are missing" in note for note in data.notes)


PLAUSIBLE = {
    "a header that begins with #": ("#a,b,class\n1,2,x\n3,4,y\n", ["#a", "b", "class"], 2),
    "rows with names": ("a,b,class\nr1,1,2,x\nr2,3,4,y\n", ["a", "b", "class"], 2),
    "a separator at the end": ("a;b;class;\n1;2;x;\n3;4;y;\n", ["a", "b", "class"], 2),
    "thousands": ("a;b;class\n1.234,5;2;x\n3,25;4;y\n", ["a", "b", "class"], 2),
    "an apostrophe": ("@relation r\n@attribute a numeric\n@attribute b string\n@attribute class {x,y}\n@data\n"
                      '1,"it\'s",x\n2,"a,b",y\n', ["a", "b", "class"], 2),
    "tabs in ARFF": ("@relation r\n@attribute a numeric\n@attribute b numeric\n@attribute class {x,y}\n@data\n"
                     "1\t2\tx\n3\t4\ty\n", ["a", "b", "class"], 2),
}  # fmt: skip


@pytest.mark.parametrize("what", PLAUSIBLE)
def test_what_is_plausible_is_read_as_it_is_meant(what):
    text, columns, n_rows = PLAUSIBLE[what]
    frame = read_table(text.encode(), "file.csv")
    assert list(frame.columns) == columns
    assert len(frame) == n_rows
    assert frame["class"].tolist() == ["x", "y"]
    assert pd.api.types.is_numeric_dtype(frame[columns[0]])


NONE_AMONG_WORDS = {
    "a.csv": "x,y,class\n1,None,None\n2,3.5,Mild\nNone,NA,Severe\n4,1,None\n",
    "a.tsv": "x\ty\tclass\n1\tNone\tNone\n2\t3,5\tMild\nNone\tNA\tSevere\n4\t1,0\tNone\n",
    "a.arff": "@relation a\n@attribute x real\n@attribute y real\n@attribute class {None,Mild,Severe}\n@data\n"
    "1,?,None\n2,3.5,Mild\n?,?,Severe\n4,1,None\n",
}


@pytest.mark.parametrize("name", NONE_AMONG_WORDS)
def test_none_is_a_class_among_words_and_missing_among_numbers(name):
    frame = read_table(NONE_AMONG_WORDS[name].encode(), name)
    assert frame["class"].tolist() == ["None", "Mild", "Severe", "None"]
    np.testing.assert_array_equal(frame["x"], [1, 2, np.nan, 4])
    np.testing.assert_array_equal(frame["y"], [np.nan, 3.5, np.nan, 1])


def test_other_words_for_nothing_are_those_of_pandas():
    from pandas._libs.parsers import STR_NA_VALUES

    assert {*written_numbers.READ_WITH["na_values"]} == {*STR_NA_VALUES, "?", "<null>", "\\N"} - {"None"}


@pytest.mark.parametrize("above", ["sep=;\n", "SEP=;\r\n", "Patients 2025\n", "Patients 2025\n\n", "Patients 2025\nWard 3\n"])
def test_a_title_above_the_header_is_passed_over(above):
    table = read_table(f"{above}age;sex;label\n51;f;ill\n63;m;well\n".encode(), "patients.csv")
    assert table.to_dict("list") == {"age": [51, 63], "sex": ["f", "m"], "label": ["ill", "well"]}


@pytest.mark.parametrize("text", ["score\n0.5\n0.7\n", "score\n1;5\n2;7\n", "word\nill,well\nwell,ill\n", "a\nb,c\nd,e\n"])
def test_a_header_of_one_word_is_no_title(text):
    assert read_table(text.encode(), "one.csv", labelled=False).columns.tolist() == [text.partition("\n")[0]]


def test_a_title_in_a_sheet_is_passed_over():
    book = Workbook()
    for row in (["Patients 2025", None], [None, None], ["age", "label"], [51, "ill"], [63, "well"]):
        book.active.append(row)
    assert read_table(as_bytes(book.save), "a.xlsx").to_dict("list") == {"age": [51, 63], "label": ["ill", "well"]}


def test_percentages_are_numbers():
    table = read_table(b"part;share;of\na;93,5 %;7%\nb;;-12%\nc;4 %;x%\n", "shares.csv")
    assert table.share.tolist()[::2] == [0.935, 0.04]
    assert np.isnan(table.share[1])
    assert table["of"].tolist() == ["7%", "-12%", "x%"], "as they are written, if one is none"
    assert read_table(b"a,b\n1.5%,u\n2%,v\n", "shares.csv").a.tolist() == [0.015, 0.02]
    thousands = read_table(b'class,change\na,"1,234%"\nb,"12%"\n', "shares.csv")
    assert thousands.change.tolist() == [12.34, 0.12]
    assert "change: '1,234%' is read as 12.34." in sentences_on_reading(thousands)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("score\n0,93\n0,5\n1\n0,07\n", {"score": [0.93, 0.5, 1.0, 0.07]}),
        ("v\n101,1\n205,0\n", {"v": [1, 0]}),
        # As R writes a column with the numbers of rows.
        ("score\n1,5\n2,7\n3,1\n", {"score": [5, 7, 1]}),
        ("a,b\n0,93\n0,5\n", {"a": [0, 0], "b": [93, 5]}),
    ],
)
def test_one_column_with_decimal_commas_is_one(text, expected):
    table = read_table(text.encode(), "scores.csv", labelled=False)
    assert table.to_dict("list") == expected


def test_beside_decimal_commas_points_are_between_thousands():
    text = "dose;cells;all;both;version;class\n1,5;1.234;1.234.567;1.234,5;1.100;a\n2;None;12.000;1.000;1.101;b\n"
    text += "0,5;;3;2,5;1.102;a\n3;1500;4.000;7;1.103;b\n"
    table = read_table(text.encode(), "doses.csv")
    assert table.dose.tolist() == [1.5, 2.0, 0.5, 3.0]
    assert table.cells.fillna(0).tolist() == [1234, 0, 0, 1500]
    assert table["all"].tolist() == [1_234_567, 12_000, 3, 4000]
    assert table.both.tolist() == [1234.5, 1000, 2.5, 7]
    assert table.version.tolist() == [1.1, 1.101, 1.102, 1.103], "nothing says that these are thousands"


@pytest.mark.parametrize("text", ["answers;score\n1,2;12.345\n3;0.5\n2,3;950\n", "answers;score\n12;12.345\n3;1.500\n23;950\n"])
def test_points_are_decimal_where_another_number_says_so_or_no_comma_is(text):
    assert read_table(text.encode(), "scores.csv").score[0] == 12.345


def test_one_cell_far_out_does_not_make_a_sheet_of_billions():
    book = Workbook()
    book.active.cell(1, 1, "a")
    book.active.cell(1_000_000, 16_000, 1)
    with pytest.raises(InvalidInput, match="have at most 50,000,000 cells"):
        read_table(as_bytes(book.save), "wide.xlsx")


def test_a_sheet_of_remarks_before_the_table_is_passed_over():
    book = Workbook()
    book.active.append(["Where these numbers come from"])
    book.active.append(["A survey of 2026."])
    sheet = book.create_sheet("data")
    for row in (["a", "class"], [1, "x"], [2, "y"]):
        sheet.append(row)
    frame = read_table(as_bytes(book.save), "survey.xlsx")
    assert frame["a"].tolist() == [1, 2]
    assert sentences_on_reading(frame) == ["Of 2 sheets the first one with a table is read: data."]
    del book["data"]
    assert not sentences_on_reading(read_table(as_bytes(book.save), "survey.xlsx", labelled=False))


def as_archive(buffer):
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("a.csv", "a,class\n1,x\n")


@pytest.mark.parametrize(
    ("content", "name", "message"),
    [
        (b"a,b,class\n1,2,x\n1,2,3,y\n", "a.csv", "as many values in each line as in the header, 3, got 4 in line 3"),
        (b'a,class\n1,"x\n2,y\n', "a.csv", "close each quote, got one that is open from line 2 on"),
        (as_bytes(as_archive), "a.csv", "be a table, got an archive of files. Unpack it first."),
        (b"a,class\n1,x\n", "a.xlsx", "be a spreadsheet that can be opened, got another kind of file"),
        (b"a,class\n", "a.csv", "got 0 rows and 2 columns. Add rows below the header."),
    ],
)
def test_what_cannot_be_read_is_said_in_words_for_those_who_have_the_file(content, name, message):
    with pytest.raises(InvalidInput, match=message):
        read_table(content, name)


def test_a_parquet_file_is_measured_before_it_is_read(monkeypatch):
    monkeypatch.setattr(pd, "read_parquet", lambda _: 1 / 0)
    with within(TableLimits(rows=3)), pytest.raises(InvalidInput, match="have at most 3 rows"):
        read_table(FORMATS["table.parquet"], "long.parquet")


def test_a_sheet_that_does_not_say_how_wide_it_is_is_read():
    book = Workbook(write_only=True)
    sheet = book.create_sheet()
    for row in (["a", "b", "class"], [1, None, "x"], [2, 5, "y"], [3]):
        sheet.append(row)
    frame = read_table(as_bytes(book.save), "streamed.xlsx")
    assert frame["a"].tolist() == [1, 2, 3]
    assert frame["class"].tolist()[:2] == ["x", "y"]
    assert frame["class"].isna().tolist() == [False, False, True]


HEADER = ",".join(f"a{i}" for i in range(4999)).encode() + b"\n"


def with_styles():
    book = Workbook()
    book.active.append(["a", "b"])
    packed, more = io.BytesIO(as_bytes(book.save)), io.BytesIO()
    with zipfile.ZipFile(packed) as before, zipfile.ZipFile(more, "w", zipfile.ZIP_DEFLATED) as after:
        for part in before.infolist():
            content = before.read(part)
            after.writestr(part, content + b" " * (30 * 2**20) if part.filename == "xl/styles.xml" else content)
    return more.getvalue()


def arff():
    attributes = b"".join(b"@attribute a%d numeric\n" % i for i in range(4999))
    return gzip.compress(b"@relation r\n" + attributes + b"@data\n" + (b",".join([b"1"] * 4999) + b"\n") * 10_100, 1)


HEAVY = {
    "columns.csv.gz": (lambda: gzip.compress(HEADER + (b"," * 4998 + b"\n") * 11_000, 1), "50,000,000 cells"),
    "columns.arff.gz": (arff, "50,000,000 values"),
    "unpacked.csv.gz": (lambda: gzip.compress(b"a,b\n" + b"1,2\n" * (53 * 2**20), 1), "unpack to at most 200 MB"),
    "styles.xlsx": (with_styles, "20 MB of styles"),
    "columns.parquet": (
        lambda: as_bytes(pd.DataFrame(np.ones((1, 5001)), columns=map(str, range(5001))).to_parquet), "5,000 columns",
    ),
}  # fmt: skip


def sheet_with_a_far_row():
    book = Workbook(write_only=True)
    sheet = book.create_sheet()
    for row in (["a", "b"], [1, 2]):
        sheet.append(row)
    packed, more = io.BytesIO(as_bytes(book.save)), io.BytesIO()
    with zipfile.ZipFile(packed) as before, zipfile.ZipFile(more, "w", zipfile.ZIP_DEFLATED) as after:
        for part in before.infolist():
            far = b'<row r="900000000"><c r="A900000000"><v>3</v></c></row></sheetData>'
            after.writestr(part, before.read(part).replace(b"</sheetData>", far))
    return more.getvalue()


HEAVY |= {
    "far.xlsx": (sheet_with_a_far_row, "50,000,000 cells"),
    "long_row.csv": (lambda: b"a,b\n" + b"," * 120_000 + b"\n1,2\n", "5,000 columns, got a longer row"),
}
PARQUET = as_bytes(TABLE.to_parquet)


@pytest.mark.parametrize(
    ("content", "name", "light"),
    [(CSV.encode(), "a.csv", True), (gzip.compress(CSV.encode()), "a.csv.gz", True), (PARQUET, "a", False),
     (gzip.compress(PARQUET), "a.parquet.gz", False), (FORMATS["sheet.xlsx"], "a.xlsx", False),
     (b"a,b\n" * 10**6, "a.csv", False), (b"," * 5000 + b"\n", "a.csv", False), (b"a b\n" + b"1 " * 5000, "a.txt", False),
     (b"@relation r\n" + b"@attribute a numeric\n" * 5000, "a.arff", False),
     (b"[{" + b",".join(b'"x%d":1' % i for i in range(5000)) + b"}]", "a.json", False),
     (b"[[" + b"1," * 5000 + b"1]]", "a.json", False), (b'[{"a":1,"b":2}' + b',{"a":1,"b":2}' * 5000 + b"]", "a.json", True)],
    ids=["text", "text in gzip", "Parquet", "Parquet in gzip", "workbook", "4 MB of text", "5,000 columns", "and blanks",
         "and ARFF", "and JSON objects", "and JSON lists", "5,000 rows of JSON"],
)  # fmt: skip
def test_only_text_of_some_megabytes_is_light(content, name, light):
    assert table_reader.is_light(content, name) is light


def test_a_picture_in_a_workbook_is_no_style():
    packed, more = io.BytesIO(FORMATS["sheet.xlsx"]), io.BytesIO()
    with zipfile.ZipFile(packed) as before, zipfile.ZipFile(more, "w", zipfile.ZIP_DEFLATED) as after:
        for part in before.infolist():
            after.writestr(part, before.read(part))
        after.writestr("xl/media/image1.png", b" " * (21 * 2**20))
    assert read_table_within_limits(more.getvalue(), "pictures.xlsx").shape == (4, 3)


def test_lines_within_quotes_are_no_rows():
    text = "a,b,class\n" + '"' + "x\n" * 25 + '",1,y\n"z",2,z\n'
    assert table_reader.rows_of(text * 40_000) == 120_000
    with within(TableLimits(cells=500)):
        assert len(read_table(text.encode() + b'"' + b"x\n" * 150 + b'",1,y\n', "listing.csv")) == 3


@pytest.mark.parametrize("gap", ["% c\n\n", "  \n", "\r\n \t\n% c\n \n"])
def test_blank_lines_and_comments_may_follow_data_in_arff(gap):
    head = "@relation r\n@attribute a numeric\n@attribute b numeric\n@attribute class {x,y}\n@data\n"
    frame = read_table((head + gap + "1\t2\tx\n3\t4\ty\n").encode(), "tabs.arff")
    assert frame.to_numpy().tolist() == [[1, 2, "x"], [3, 4, "y"]]
    with pytest.raises(InvalidInput, match="sparse rows"):
        read_table((head + gap + "{0 1, 2 x}\n").encode(), "sparse.arff")


class TestHeavyFiles:
    """Files that are small and would take minutes or gigabytes: each is refused in a sentence, at a bounded price."""

    @pytest.mark.parametrize("name", HEAVY)
    def test_it_is_refused(self, name):
        write, sentence = HEAVY[name]
        content = write()
        assert len(content) < 3 * 2**20
        with pytest.raises(InvalidInput, match=sentence):
            read_table_within_limits(content, name)

    @pytest.mark.parametrize(
        "columns",
        mostly_thorough(
            [
                {f"x{i}": np.zeros(199_000, dtype=np.int64) for i in range(249)},
                {"x": ["long " * 200] * 400_000, "y": [1] * 400_000},
            ],
            1,
        ),
        ids=["zeros", "one long text"],
    )
    def test_a_small_file_of_a_large_table_is_refused_before_it_is_kept_anywhere(self, columns):
        packed = io.BytesIO()
        pd.DataFrame(columns).to_parquet(packed, compression="zstd")
        assert len(packed.getvalue()) < 400_000
        with pytest.raises(InvalidInput, match=r"take at most (300 MB in memory|1\.2 GB)"):
            read_table_within_limits(packed.getvalue(), "zeros.parquet")

    def test_one_such_file_is_read_at_a_time(self, monkeypatch, tmp_path):
        monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
        content = b"a,b\n" + b"1,2\n" * 10**6
        with ThreadPoolExecutor(1) as thread:
            with limited_reading._turn():
                waits = thread.submit(read_table_within_limits, content, "long.csv")
                with pytest.raises(TimeoutError):
                    waits.result(2.0)
            assert len(waits.result(60)) == 10**6

    @pytest.mark.parametrize(
        "change", mostly_thorough([{"memory": 2**23}, {"memory": 2**30, "seconds": 0.01}, {"memory": 2**24}], 2)
    )
    def test_memory_and_seconds_are_those_of_the_limits(self, change):
        content = gzip.compress(("a,b,class\n" + "1,2,x\n2,3,y\n" * 300_000).encode(), 1)
        assert len(read_table_within_limits(content, "long.csv.gz")) == 600_000
        with within(TableLimits(**change)), pytest.raises(InvalidInput, match=r"GB and \d+ s to read"):
            read_table_within_limits(content, "long.csv.gz")

    def test_rows_beyond_those_of_the_app_are_read_where_the_limits_allow_them(self):
        content = b"a,b\n" + b"1,2\n" * 2_000_001
        with pytest.raises(InvalidInput, match="have at most 2,000,000 rows"):
            read_table_within_limits(content, "long.csv")
        with within(TableLimits.of_file(300, 3_000_000, 60.0)):
            assert len(read_table_within_limits(content, "long.csv")) == 2_000_001
        assert limits() == TableLimits()

    def test_what_is_read_beside_is_what_is_read_here(self, tmp_path):
        frame = pd.DataFrame(
            {"x": np.arange(150_000) / 7, "colour": ["red", "green", None] * 50_000, "class": ["a", "b", "b"] * 50_000}
        )
        content = frame.to_csv(index=False).encode()
        assert not table_reader.is_light(content, "large.csv")
        pd.testing.assert_frame_equal(read_table_within_limits(content, "large.csv"), read_table(content, "large.csv"))
        (tmp_path / "large.csv").write_bytes(content)
        assert read_dataset(tmp_path / "large.csv", "class").class_counts == {"a": 50_000, "b": 100_000}

    def test_why_it_is_refused_comes_from_the_other_process(self):
        with pytest.raises(InvalidInput, match="as in the header, 2, got 5 in line"):
            read_table_within_limits(b"a,b\n" + b"1,2\n" * 10**6 + b"1,2,3,4,5\n", "ragged.csv")


@pytest.mark.parametrize("value", [1e308, -1e200])
def test_a_number_that_no_classifier_can_use_is_named(value):
    table = pd.DataFrame({"x": [1.0, value, 2.0, 3.0], "y": ["a", "b", "a", "b"]})
    with pytest.raises(InvalidInput, match=r"column 'x' must hold numbers up to 1e\+150 in size, got -?1e\+\d+ in row 2"):
        Dataset.from_frame(table, "y")
    unlabelled = pd.concat([pd.DataFrame({"x": [0.5], "y": [None]}), table])
    with pytest.raises(InvalidInput, match="in row 3"):
        Dataset.from_frame(unlabelled, "y")
    data = Dataset.from_frame(table.assign(x=[1.0, 2.0, 3.0, 4.0]), "y")
    with pytest.raises(InvalidInput, match="column 'x' must hold numbers up to"):
        score_sample(data, table[["x"]], "a")


def test_infinities_are_said():
    table = pd.DataFrame({"x": [1.0, np.inf, 2.0, -np.inf], "y": ["a", "b", "a", "b"]})
    assert "2 infinite values are taken as missing." in Dataset.from_frame(table, "y").notes


def test_lists_in_a_column_are_no_feature_and_blanks_no_label():
    table = pd.DataFrame({"x": [1, 2, 3], "list": [[1], [2], [3]], "class": ["a", "b", "  "]})
    data = Dataset.from_frame(read_table(as_bytes(table.to_parquet), "nested.parquet"), "class")
    assert list(data.features) == ["x"]
    assert data.classes == ("a", "b")


ANSWERS = {
    "binary": pa.array([b"yes", b"no"] * 20),
    "large binary": pa.array([b"yes", b"no"] * 20, pa.large_binary()),
    "dictionary": pa.array([b"yes", b"no"] * 20).dictionary_encode(),
    "with gaps": pa.array([b"yes", None, b"no", b"yes"] * 10),
}


@pytest.mark.parametrize("column", ANSWERS.values(), ids=ANSWERS)
def test_bytes_that_are_text_are_text(column):
    frame = read_table(parquet(y=column), "a.parquet")
    assert dataset_of_table(frame, guessed_reading(frame)).classes == ("no", "yes")


NO_TEXT = {
    "binary": pa.array([b"\xff\xfe", b"no"] * 20),
    "of one length": pa.array([b"\xff\xfe", b"no"] * 20, pa.binary(2)),
    "dictionary": pa.array([b"\xff\xfe", b"no"] * 20).dictionary_encode(),
    # Arrow takes the writer's word for it that this is UTF-8.
    "called text": pa.array([b"\xff\xfe", b"no"] * 20).view(pa.string()),
}


@pytest.mark.parametrize("column", NO_TEXT.values(), ids=NO_TEXT)
def test_bytes_that_are_no_text_are_one_sentence(column):
    with pytest.raises(InvalidInput, match=r"text in UTF-8, got .*bytes.* such as b'\\xff\\xfe'"):
        read_table(parquet(y=column), "a.parquet")


NESTED = {
    "lists": pa.array([[b"\xff"], [b"a"]] * 20),
    "records": pa.array([{"a": b"\xff"}, {"a": b"x"}] * 20),
    "mappings": pa.array([[("a", b"\xff")], [("b", b"x")]] * 20, pa.map_(pa.string(), pa.binary())),
}


@pytest.mark.parametrize("column", NESTED.values(), ids=NESTED)
def test_nested_values_are_no_feature_whoever_guesses(column):
    frame = read_table(parquet(z=column, y=pa.array(["a", "b"] * 20)), "a.parquet")
    assert list(dataset_of_table(frame, guessed_reading(frame)).features) == ["x"]


def test_a_file_brings_no_remarks_of_its_own():
    table = TABLE.copy()
    for remarks in (5, ["Call this number."]):
        table.attrs = {"notes on reading": remarks}
        assert sentences_on_reading(read_table(as_bytes(table.to_parquet), "a.parquet")) == []


def test_a_thousand_columns_of_one_name_get_names_in_no_time():
    frame = read_table((",".join(["x"] * 4000) + ",class\n" + "1," * 4000 + "a\n" + "2," * 4000 + "b\n").encode(), "same.csv")
    assert len(set(frame.columns)) == 4001


def test_latin_1_is_read():
    text = "größe;class\n1;süß\n2;sauer\n"
    assert list(read_table(text.encode("latin-1"), "old.csv").columns) == ["größe", "class"]


ODD = {
    "duplicate columns": "x,x,class\n1,2,a\n3,4,b\n",
    "empty column names": ",,class\n1,2,a\n3,4,b\n",
    "emoji labels": "x,y,class\n1,2,a b\n3,4,😀\n",
    "dates and free text": "x,when,class\n" + "".join(f"{i},2026-11-{i % 28 + 1:02} {i}:00,{'ab'[i % 2]}\n" for i in range(60)),
    "a constant column": "x,same,class\n1,7,a\n3,7,b\n",
    "a column all missing": "x,nothing,class\n1,,a\n3,,b\n",
    "booleans": "x,flag,class\n1,True,a\n3,False,b\n",
    "infinities": "x,y,class\n1,inf,a\n3,4,b\n2,5,b\n",
    "labels missing": "x,y,class\n1,2,a\n3,4,\n5,6,b\n",
    "quoted separators": 'x,text,class\n1,"a, b",a\n2,"c; d",b\n',
}


@pytest.mark.parametrize("what", ODD)
def test_what_is_odd_is_read(what):
    frame = read_table(ODD[what].encode(), "odd.csv")
    assert len(set(frame.columns)) == frame.shape[1]
    data = Dataset.from_frame(frame, "class")
    assert len(data.classes) == 2
    assert data.features.shape[1] >= 1


def test_what_is_no_feature_is_left_out_and_said():
    data = Dataset.from_frame(read_table(ODD["dates and free text"].encode(), "dates.csv"), "class")
    assert list(data.features) == ["x"]
    assert "when" in data.notes[0]


WRONG = {
    "empty": (b"", r"file\.csv is empty"),
    "one class": (b"x,class\n1,a\n2,a\n", "hold 2 to 100 classes"),
    "one column": (b"class\na\nb\n", "one feature at least"),
    "only a header": (b"x,class\n", "and rows"),
    "binary": (bytes(range(256)) * 20, "hold text or a known table format"),
    "torn gzip": (gzip.compress(CSV.encode())[:-9], "be a whole gzip file"),
    "no zip": (b"PK\x03\x04 and nothing", "be a spreadsheet that can be opened"),
    "no parquet": (b"PAR1 and nothing", "be a Parquet file that can be opened"),
    "arff without data": (b"@relation x\n@attribute y numeric\n", "have a line @data"),
    "too many columns": (",".join(f"x{i}" for i in range(MAX_COLUMNS + 5)).encode() + b"\n", "have at most 5,000 columns"),
    "labels are numbers": (b"x,class\n" + b"".join(b"%d,%d.5\n" % (i, i) for i in range(200)), "hold 2 to 100 classes"),
    "no feature": (b"name,class\n" + b"".join(b"person %d,%d\n" % (i, i % 2) for i in range(80)), "have a feature"),
}


@pytest.mark.parametrize("what", WRONG)
def test_what_is_no_table_is_refused_in_one_sentence(what):
    content, why = WRONG[what]
    with pytest.raises(InvalidInput, match=why) as refused:
        Dataset.from_frame(read_table(content, "file.csv"), "class")
    assert len(str(refused.value)) < 400
    assert "\n" not in str(refused.value)


def test_a_bomb_does_not_unpack():
    bomb = gzip.compress(b"1,2\n" * 2**20)
    spreadsheet = io.BytesIO()
    with zipfile.ZipFile(spreadsheet, "w", zipfile.ZIP_DEFLATED) as parts:
        parts.writestr("xl/workbook.xml", b"0" * 2**22)
    tracemalloc.start()
    for content, name in ((bomb, "bomb.csv.gz"), (spreadsheet.getvalue(), "bomb.xlsx")):
        with within(TableLimits(file=2**20)), pytest.raises(InvalidInput, match="unpack to at most"):
            read_table(content, name)
    assert tracemalloc.get_traced_memory()[1] < 2**24
    tracemalloc.stop()


def mangled(content, seed):
    """The file with a piece cut out, doubled, or overwritten by chance."""
    draw = random.Random(seed)
    start, stop = sorted(draw.randrange(len(content) + 1) for _ in range(2))
    middle = draw.choice([b"", content[start:stop] * 2, draw.randbytes(stop - start), b'"' * 7, b"=1+1,@x\n", b"\xff\x00"])
    return content[:start] + middle + content[stop:]


@settings(max_examples=300)
@given(st.sampled_from(sorted(FORMATS)), st.integers(0, 2**32))
def test_nothing_but_its_own_error_comes_out_of_malformed_files(name, seed):
    try:
        data = Dataset.from_frame(frame := read_table(mangled(FORMATS[name], seed), name), str(frame.columns[-1]))
    except InvalidInput:
        return
    assert len(data.labels) == len(data.features) > 0


@given(st.binary(max_size=400), st.sampled_from(["x.csv", "x.arff", "x.parquet", "x.xlsx", "x.gz"]))
def test_nothing_but_its_own_error_comes_out_of_any_bytes(content, name):
    try:
        frame = read_table(content, name)
    except InvalidInput:
        return
    assert frame.shape[1] >= 2


def test_a_file_that_is_too_large_is_not_read_and_its_size_is_said(tmp_path):
    with (tmp_path / "large.csv").open("wb") as file:
        file.truncate(201 * 2**20)  # a hole: it takes no room
    with pytest.raises(InvalidInput, match="be a file of at most 200 MB, got 201 MB"):
        read_dataset(tmp_path / "large.csv", "y")


def test_read_dataset_takes_a_label_and_columns(tmp_path):
    path = tmp_path / "mine.csv"
    path.write_text("id,code,answer,x\n" + "".join(f"{i},{i % 3},{'yes' if i % 4 else 'no'},{i * i}\n" for i in range(20)))
    data = read_dataset(path, "answer", leave_out=["id"], as_text=["code"])
    assert list(data.features) == ["code", "x"]
    assert data.nominal == ("code",)
    assert (data.default_positive, data.classes) == ("no", ("no", "yes"))
    assert read_dataset(path, "code").classes == ("0", "1", "2")
    with pytest.raises(InvalidInput, match="be a column of the table"):
        read_dataset(path, "question")
    with pytest.raises(InvalidInput, match="be a column of the table"):
        read_dataset(path, "answer", leave_out=["nose"])
    with pytest.raises(InvalidInput, match="as_text must be a list, got None"):
        read_dataset(path, "answer", as_text=None)
    with pytest.raises(InvalidInput, match="no file"):
        read_dataset(tmp_path / "other.csv")


@pytest.mark.parametrize("separator", [",", ";"])
def test_months_with_a_point_stay_as_they_are_written(separator):
    rows = ["month,rate,x", "05.2026,1.2034,1.5", "10.2020,1.1987,2.5", ",1.2001,3.5", "12.2025,1.2011,4"]
    table = read_table("\n".join(rows).replace(",", separator).encode(), "months.csv")
    assert table.month.dropna().tolist() == ["05.2026", "10.2020", "12.2025"]
    assert table.rate.tolist() == [1.2034, 1.1987, 1.2001, 1.2011], "an exchange rate is no month"
    assert groups_in_time(table.month, "month").cat.categories.tolist() == ["10.2020", "12.2025", "05.2026"]
