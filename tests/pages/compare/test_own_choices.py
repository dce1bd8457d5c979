"""A run of one's own, whole: protocols, sizes, calibration, all classes, losses; its settings and results as files."""

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pandas as pd
import pytest

from pages.compare import settings as compare_settings
from pages.compare.own_choices import plan_sentence
from pages.compare.settings import VARIABLE
from pages.own_data import uploads
from qcore import DatasetReference, load_dataset
from qcore.datasets import scores_dataset
from qcore.evaluation.experiment import ExperimentFolder, ExperimentSettings, Pair, Problem, Sampling, archived, run_experiment
from qcore.evaluation.experiment.cell import Cell, run_cell
from tests.pages.app import chart, fine, link, run, tables

PAGE, SECTION = "compare", "Run your own"
NB = "Gaussian naive Bayes"
QUICK = {"own_data": ["iris", "wine"], "own_classifiers": NB, "own_quantifiers": ["CC", "AC"]}
SETTINGS = ExperimentSettings("sent", (Problem("iris"), Problem("wine")), (Pair(NB, "CC"), Pair(NB, "AC")), Sampling(folds=2))


def opened(**settings):
    return fine(run(PAGE, compare_section=SECTION, **QUICK | settings))


def words(app):
    return " ".join(element.value for element in [*app.markdown, *app.caption])


def ran(app):
    app.button(key="run_own").click().run()
    own = app.session_state["own experiment"]
    assert own.job.wait(60)
    fine(app.run())
    return own


def test_every_choice_is_in_the_settings_and_in_the_link():
    app = opened(
        own_protocol="UPP",
        own_sizes="10 20",
        own_repeats="1",
        own_draws="2",
        own_calibrations=["as given", "sigmoid"],
        own_losses=["KLD", "NMD"],
        own_data=["iris", "wdbc"],
    )
    assert "2 data sets, 4 methods, UPP, samples of 10 and 20: 4 cells, about" in words(app)
    assert link(app)["own_protocol"] == ["UPP"]
    own = ran(app)
    assert own.settings.sampling == Sampling("UPP", (10, 20), repeats=1)
    assert (own.settings.draws, own.settings.losses) == (2, ("KLD", "NMD"))
    assert [pair.calibration for pair in own.settings.pairs] == ["", "", "sigmoid", "sigmoid"]
    (table,) = tables(app)
    assert list(table.columns) == ["method", "rank", "KLD", "NMD"]
    assert set(table.method) == {f"{key} ({name})" for key in ("CC", "AC") for name in (NB, f"{NB}, sigmoid")}


def test_all_classes_at_once_where_there_are_more_than_two():
    app = opened(
        own_protocol="UPP", own_sizes="10", own_repeats="1", own_all_classes="true", own_data=["iris", "balance", "wdbc"]
    )
    assert "3 data sets, 2 of them with all classes" in words(app)
    orders = [(problem.all_classes, problem.order) for problem in ran(app).settings.problems]
    assert orders == [(True, ()), (True, ("left", "balanced", "right")), (False, ())]


def test_a_run_of_all_classes_is_compared_by_losses_of_ordered_ones(tmp_path, monkeypatch):
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    order = load_dataset("balance").class_order
    problems = (Problem("balance", all_classes=True, order=order), Problem("wdbc"))
    sampling = Sampling("APP", (10,), grid=3, repeats=2)
    run_experiment(replace(SETTINGS, problems=problems, sampling=sampling), tmp_path / "several", n_jobs=1)
    app = fine(run(PAGE, run="several", compared_loss="NMD", compare_section="By data set"))
    assert app.selectbox(key="compared_loss").value == "NMD"
    assert app.selectbox(key="compared_prevalence").options == ["all", "0.0", "0.5", "1.0"]
    assert "Problems of all classes have no single test prevalence" in words(app)
    drawn = chart(app, "by-data-set")["figure"]["layout"]["annotations"]
    assert [note["text"] for note in drawn if "balance" in note["text"]] == []
    app = fine(run(PAGE, run="several", compare_section="Box plots"))
    texts = [text for trace in chart(app, "boxes")["figure"]["data"] for text in trace["text"]]
    assert "balance (all classes)" in texts
    assert "wdbc, prevalence 50%" in texts


def test_uploaded_scores_are_compared_without_a_classifier(monkeypatch):
    started = []
    monkeypatch.setattr("pages.compare.your_own._start", lambda *work: started.append(work))
    app = opened(own_protocol="UPP", own_sizes="10", own_repeats="1")
    app.session_state["owner of uploads"] = "me"
    frame = pd.DataFrame({"p": [0.2, 0.4, 0.1, 0.9, 0.8, 0.3] * 20, "y": ["no", "no", "no", "yes", "yes", "yes"] * 20})
    held = {
        DatasetReference("upload", uploads.UploadedTable(name, name, "y", score="p").name, "me"): name
        for name in ("a.csv", "b.csv")
    }
    app.session_state["uploaded tables"] = {
        table: scores_dataset(frame, "y", "p", name=name).loaded_by(table) for table, name in held.items()
    }
    app.run()
    app.multiselect(key="own_data").set_value(["iris", str(next(iter(held)))]).run()
    assert "Problems must all hold scores, or none, got scores in a.csv, none in iris" in app.warning[0].value
    app.multiselect(key="own_data").set_value([str(table) for table in held]).run()
    assert app.multiselect(key="own_classifiers").disabled
    assert "2 data sets of given scores, 2 methods, UPP" in words(fine(app))
    app.button(key="run_own").click().run()
    ((settings, loaded, _),) = started
    assert [(pair.classifier, pair.label) for pair in settings.pairs] == [("given scores", "CC"), ("given scores", "AC")]
    assert [(problem.name, problem.are_scores) for problem in settings.problems] == [("a.csv", True), ("b.csv", True)]
    assert run_cell(settings, Cell(0, 0), data_sets=loaded).estimate.notna().all()


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"own_scores": "true"}, "Table 'Iris Plants' must hold a column of scores of one of two classes"),
        ({"own_protocol": "APP", "own_sizes": "ten"}, "Each sample size must be a whole number from 2 to 5000"),
        (
            {"own_protocol": "APP", "own_repeats": "1000", "own_grid": "101", "own_sizes": "10 20"},
            "at most 200,000 on this page",
        ),
        ({"own_protocol": "UPP", "own_sizes": "30"}, "fit into the half of iris that is not trained on, got 30. Choose 25 or"),
        ({"own_all_classes": "true"}, "Protocol must be APP, UPP, NPP or given samples for all classes of iris"),
        ({"own_protocol": "given samples"}, "Data of given samples must be a folder of samples"),
    ],
)
def test_what_cannot_be_run_is_one_sentence(settings, sentence):
    app = opened(**settings)
    assert sentence in " ".join(one.value for one in app.warning)
    assert app.button(key="run_own").disabled


def with_file(content, name):
    app = opened()
    return app.file_uploader(key="own experiment file").set_value((name, content, "text/plain")).run()


def test_settings_of_a_file_are_run_in_place_of_those_of_the_page():
    app = fine(with_file(SETTINGS.to_toml().encode(), "sent.toml"))
    assert "2 data sets, 2 methods, stratified folds: 4 cells" in words(app)
    assert ran(app).settings == SETTINGS


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (SETTINGS.to_toml().replace('"CC"', '"os:system"').encode(), "name no Python class of your own, got 'os"),
        (SETTINGS.to_toml().replace('"wine"', '"folder:/etc/passwd"').encode(), "Each data set of the file must be here"),
        (b"name = [", "Settings must be TOML"),
        (b"\xff\xfe", "be text in UTF-8"),
    ],
)
def test_a_file_that_is_not_run_is_one_sentence(content, sentence):
    app = with_file(content, "sent.toml")
    assert not app.exception
    assert sentence in " ".join(one.value for one in app.warning)
    assert app.button(key="run_own").disabled


def test_a_saved_run_is_found_again_and_gone_on_with(tmp_path):
    run_experiment(SETTINGS, tmp_path / "run", n_jobs=1)
    next((tmp_path / "run" / "cells").glob("*.parquet")).unlink()
    app = fine(with_file(archived(ExperimentFolder.open(tmp_path / "run")), "own-experiment.zip"))
    app.button(key="open_own").click().run()
    own = app.session_state["own experiment"]
    assert own.job.wait(60)
    assert own.is_whole
    assert fine(app.run()).selectbox(key="run").value == "my own run"
    (table,) = tables(app)
    assert len(table) == 2


def test_a_file_that_is_no_run_is_one_sentence():
    app = with_file(b"PK\x03\x04", "own-experiment.zip")
    app.button(key="open_own").click().run()
    assert "must be a ZIP file" in " ".join(one.value for one in app.warning)
    assert "own experiment" not in app.session_state


def test_the_plan_names_what_is_made():
    assert plan_sentence(SETTINGS, 3.2) == "2 data sets, 2 methods, stratified folds: 4 cells, about 4 s of one processor."


def test_the_runs_before_the_last_one_stay(monkeypatch):
    state, left = {}, []
    monkeypatch.setattr(compare_settings.st, "session_state", state)
    for number in range(6):
        compare_settings.keep_earlier_run()
        state["own experiment"] = SimpleNamespace(
            is_whole=number != 1, folder=Path(str(number)), settings=SETTINGS, leave=lambda: left.append("left")
        )
    names = ["my own run", *(f"my own run {number} (stratified folds)" for number in (1, 2, 3, 4))]
    assert list(compare_settings.own_runs()) == names
    assert [str(compare_settings.folders()[name]) for name in names] == ["5", "0", "2", "3", "4"], "1 was not whole"
    compare_settings.keep_earlier_run()
    assert "my own run 1 (stratified folds)" not in compare_settings.own_runs(), "no more than four"
    compare_settings.forget_own_runs()
    assert (len(left), compare_settings.own_runs()) == (5, {})
