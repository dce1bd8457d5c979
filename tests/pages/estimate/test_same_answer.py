"""The same two files on the page "Estimate" and in the command: the same numbers, and the same notes."""

import json
from contextvars import ContextVar

import numpy as np
import pandas as pd
import pytest

from pages.estimate.settings import OWN
from pages.own_data import uploads
from pages.own_data.uploads import UploadedTable
from qcore import Dataset, estimate_sample, score_sample
from qcore.__main__ import main
from qcore.datasets import table_limits
from qcore.datasets.table_reader import read_table
from qcore.datasets.user_tables import guessed_reading
from qcore.scoring.sample_scores import notes_on_sample
from tests.pages.app import chart, fine, run
from tests.qcore.datasets.odd_files import SPELLINGS, as_csv, plain
from tests.thorough import mostly_thorough

PAGE = "estimate"
OPTIONS = ("--keep", "--label")
"""What only the command says: how to have it otherwise, where the page has controls."""


def numbered(table):
    """As pandas writes it, with its index, by which the classes are sorted."""
    return as_csv(table.sort_values("y").reset_index(drop=True).reset_index(names=""))


def with_scores(table):
    score = (1 / (1 + np.exp(-table.len))).round(3)
    return as_csv(table.assign(score=score))


def with_decisions(table):
    return as_csv(table.assign(pred=np.where(table.len > 0.7, "yes", "no"))[["pred", *table.columns[3:]]])


def with_dates(table):
    return as_csv(table.assign(sent=[f"2025-01-{1 + i % 28:02d}" for i in range(len(table))], id=range(len(table))))


KINDS = SPELLINGS | {
    "plain": (as_csv, "a.csv"),
    "an index": (lambda table: numbered(table if "y" in table else table.assign(y=0)).replace(b",0\n", b"\n"), "a.csv"),
    "scores": (with_scores, "a.csv"),
    "decisions": (with_decisions, "a.csv"),
    "dates and numbers of rows": (with_dates, "a.csv"),
    "a row without a label": (lambda table: as_csv(table) + b"n/k,0.5,red,\n" * ("y" in table), "a.csv"),
}


def files(kind):
    """The content of a labelled file and of a sample in which 80% are "no", and their ending."""
    write, name = KINDS[kind]
    sample = plain(200, seed=1, share=0.8, labelled=False)
    return write(plain()), write(sample), name.removeprefix("a")


def by_command(kind, folder, capsys, *more):
    """(method -> share, low, high), and the notes: what the command says."""
    labelled, sample, ending = files(kind)
    names = [folder / f"train{ending}", folder / f"sample{ending}"]
    for path, content in zip(names, (labelled, sample), strict=True):
        path.write_bytes(content)
    assert main(["estimate", *map(str, names), "--json", *more]) == 0
    said = capsys.readouterr()
    estimates = {one["method"]: [one["estimate"], one["low"], one["high"]] for one in json.loads(said.out)["estimates"]}
    notes = [line for line in said.err.splitlines() if not any(option in line for option in OPTIONS)]
    return estimates, notes


@pytest.fixture(autouse=True)
def patient(monkeypatch):
    """A machine with much else to do takes more than the limit to start another process."""
    limits = table_limits.TableLimits(seconds=300.0)
    monkeypatch.setattr(table_limits, "_CURRENT", ContextVar("limits of tables", default=limits))


@pytest.fixture(scope="module")
def plain_answer():
    data = Dataset.from_frame(plain(), "y")
    sample = plain(200, seed=1, share=0.8, labelled=False)
    return estimate_sample(*score_sample(data, sample, "no"), ["AC"]).table


@pytest.mark.parametrize("kind", mostly_thorough(KINDS, 12))
def test_what_the_page_computes_is_what_the_command_says(kind, plain_answer, tmp_path, capsys):
    labelled, sample, ending = files(kind)
    estimates, notes = by_command(kind, tmp_path, capsys, "--method", "AC")
    frame, counted = (read_table(content, f"file{ending}", labelled=False) for content in (labelled, sample))
    guess = guessed_reading(frame)
    data = uploads._dataset(frame, UploadedTable("train", "", guess.label, guess.left_out, (), guess.score), None)
    found = estimate_sample(*score_sample(data, counted, data.default_positive), ["AC"]).table
    expected = found if kind in ("scores", "decisions") else plain_answer
    for table in (found, expected):
        np.testing.assert_allclose(table[["estimate", "low", "high"]].to_numpy(), [estimates["AC"]], rtol=1e-6)
    assert [*data.notes, *notes_on_sample(counted, data)] == notes


@pytest.mark.parametrize("kind", ["an index", "scores", "decisions", "units", "a row without a label"])
def test_the_page_shows_what_the_command_says(kind, tmp_path, capsys):
    labelled, sample, ending = files(kind)
    estimates, notes = by_command(kind, tmp_path, capsys)
    app = run(PAGE, way=OWN)
    app.file_uploader(key="own labelled").set_value((f"train{ending}", labelled, "")).run()
    app = fine(app.file_uploader(key="own sample").set_value((f"sample{ending}", sample, "")).run())
    shown = {trace["name"]: trace["x"] for trace in chart(app, "intervals")["figure"]["data"]}
    for method in set(estimates) & set(shown):
        np.testing.assert_allclose(shown[method], estimates[method][1:], atol=1e-6)
    assert "AC" in shown
    text = " ".join(element.value for element in app.markdown).replace("\\", "")
    line = " ".join(element.value for element in app.caption).replace("\\", "")
    for note in notes:
        assert note in text, "below the picture"
        assert note[:60] in line, "beside the headline"


def test_a_second_column_of_labels_is_named_with_the_options_that_help(tmp_path, capsys):
    table = plain().assign(z=lambda one: one.index % 3 % 2, y=lambda one: one.index % 2)
    table.to_csv(tmp_path / "train.csv", index=False)
    plain(60, 1, labelled=False).to_csv(tmp_path / "sample.csv", index=False)
    assert main(["estimate", str(tmp_path / "train.csv"), str(tmp_path / "sample.csv")]) == 2
    error = capsys.readouterr().err
    assert "--leave-out 'z'" in error
    assert "--label 'z'" in error


def test_files_in_the_wrong_order_are_understood_as_on_the_page(tmp_path, capsys):
    plain().to_csv(tmp_path / "train.csv", index=False)
    plain(60, 1, labelled=False).to_csv(tmp_path / "sample.csv", index=False)
    train, sample = str(tmp_path / "train.csv"), str(tmp_path / "sample.csv")
    assert main(["estimate", train, sample, "--json"]) == 0
    expected = capsys.readouterr().out
    assert main(["estimate", sample, train, "--json"]) == 0
    said = capsys.readouterr()
    assert said.out == expected
    assert "has one more column, y: so it is the labelled table" in said.err


@pytest.mark.parametrize("option", [[], ["--keep", "score"]])
def test_a_column_of_scores_is_kept_on_demand(option, tmp_path, capsys):
    (tmp_path / "train.csv").write_bytes(with_scores(plain()))
    (tmp_path / "sample.csv").write_bytes(with_scores(plain(60, 1, labelled=False)))
    assert main(["estimate", str(tmp_path / "train.csv"), str(tmp_path / "sample.csv"), *option]) == 0
    assert ("nothing is trained" in capsys.readouterr().err) is not bool(option)


def test_the_index_of_tables_put_together_is_no_feature():
    table = pd.DataFrame({"Unnamed: 0": [*range(30), *range(20)], "x": np.arange(50) ** 2 / 7, "y": ["a", "b"] * 25})
    assert guessed_reading(table).left_out == ("Unnamed: 0",)
