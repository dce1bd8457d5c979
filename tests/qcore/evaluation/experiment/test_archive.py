"""An experiment as one file: what was finished comes back, a run goes on with it, and no other file does harm."""

import io
import json
import zipfile
from dataclasses import replace

import pandas as pd
import pytest

from qcore import InvalidInput
from qcore.evaluation.experiment import (
    ExperimentSettings,
    Pair,
    Problem,
    Sampling,
    archived,
    experiment_seconds,
    read_experiment,
    run_experiment,
    unpacked,
)
from qcore.evaluation.experiment.folder import ExperimentFolder

NB = "Gaussian naive Bayes"
SETTINGS = ExperimentSettings(
    "sent",
    (Problem("iris", all_classes=True), Problem("wdbc")),
    (Pair(NB, "CC"), Pair(NB, "AC", "1")),
    Sampling("UPP", (10,), repeats=1),
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("sent") / "run"
    run_experiment(SETTINGS, path, n_jobs=1)
    return ExperimentFolder.open(path)


def test_what_was_finished_comes_back(folder, tmp_path):
    again = unpacked(archived(folder), tmp_path / "again")
    assert (again.settings, again.missing(), again.damaged()) == (SETTINGS, [], [])
    pd.testing.assert_frame_equal(read_experiment(again.path)[1], read_experiment(folder.path)[1], check_exact=True)


def test_a_run_goes_on_where_the_file_ends(folder, tmp_path):
    first = tmp_path / "first"
    run_experiment(SETTINGS, first, n_jobs=1)
    next((first / "cells").glob("001-*.parquet")).unlink()
    again = unpacked(archived(ExperimentFolder.open(first)), tmp_path / "again")
    assert len(again.missing()) == 1
    assert run_experiment(SETTINGS, again.path, n_jobs=1).finished == 1
    pd.testing.assert_frame_equal(read_experiment(again.path)[1], read_experiment(folder.path)[1], check_exact=True)


def test_other_versions_are_noted_as_they_were(folder, tmp_path):
    content = changed(folder, "format.json", lambda text: text.replace('"python": "', '"python": "0.'))
    again = unpacked(content, tmp_path / "again")
    assert json.loads((again.path / "format.json").read_text())["versions"]["python"].startswith("0.")


def changed(folder, name, change):
    """The file of a run, with one of the files inside changed, or without it."""
    made = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(archived(folder))) as before, zipfile.ZipFile(made, "w") as after:
        for one in before.namelist():
            text = before.read(one).decode()
            if one != name:
                after.writestr(one, text)
            elif change is not None:
                after.writestr(one, change(text))
    return made.getvalue()


@pytest.mark.parametrize(
    ("name", "change", "named"),
    [
        ("experiment.toml", None, "must hold experiment.toml"),
        ("estimates.csv", None, "must hold estimates.csv"),
        (
            "experiment.toml",
            lambda text: text.replace('"CC"', '"os:system"'),
            "name no Python class of your own, got 'os:system'",
        ),
        ("experiment.toml", lambda _: "name = [", "settings must be TOML"),
        (
            "estimates.csv",
            lambda text: text.replace("001-000-00-00", "../../x"),
            "cell of estimates.csv must be of the settings",
        ),
        (
            "estimates.csv",
            lambda text: text.replace("wdbc", "other"),
            "data of estimates.csv must be of the settings, got 'other'",
        ),
        ("estimates.csv", lambda text: text.replace("estimate,", "guess,", 1), "none called estimate"),
        ("estimates.csv", lambda text: text.replace(",10,", ",ten,", 1), "must hold shares from 0 to 1 and whole numbers"),
        ("estimates.csv", lambda text: text.replace(",0.", ",7.", 1), "must hold shares from 0 to 1 and whole numbers"),
        ("format.json", lambda _: "[]", "format.json must hold names and values"),
        ("data.json", lambda _: "{", "data.json must be JSON"),
    ],
)
def test_another_file_is_one_sentence(folder, tmp_path, name, change, named):
    with pytest.raises(InvalidInput, match=named):
        unpacked(changed(folder, name, change), tmp_path / "again")


def test_what_is_no_zip_or_unpacks_to_too_much(folder, tmp_path, monkeypatch):
    for content in (b"", b"PK", b"PK\x03\x04 and more", archived(folder)[:300]):
        with pytest.raises(InvalidInput, match="the experiment must"):
            unpacked(content, tmp_path / "again")
    monkeypatch.setattr("qcore.evaluation.experiment.archive._LARGEST", 100)
    with pytest.raises(InvalidInput, match="be smaller unpacked"):
        unpacked(archived(folder), tmp_path / "again")


def test_the_time_grows_with_the_work():
    short = experiment_seconds(SETTINGS)
    assert experiment_seconds(replace(SETTINGS, draws=3)) == pytest.approx(3 * short)
    assert experiment_seconds(replace(SETTINGS, pairs=(Pair("random forest", "CC"),))) > 5 * short
    finer = Sampling("APP", (10, 20), grid=21, repeats=100)
    assert experiment_seconds(replace(SETTINGS, sampling=finer)) > short
    assert experiment_seconds(replace(SETTINGS, problems=SETTINGS.problems[1:], sampling=Sampling())) > 0
