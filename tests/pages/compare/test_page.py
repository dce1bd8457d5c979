"""The page "Compare" through app.py: what it opens on, every example and section, what limits what, a run of one's own."""

import contextlib
import gc
import io
import re
import shutil
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from pages.compare import computations, findings
from pages.compare import experiment_figure as experiment
from pages.compare.comparison import by_data_set_figure
from pages.compare.critical_difference import as_latex, as_markdown, critical_difference_figure
from pages.compare.findings import (
    control_verdict,
    count_sentence,
    protocols_sentence,
    training_sentence,
    verdict,
)  # fmt: skip
from pages.compare.settings import PROTOCOL_RUNS, STORED_RUNS, TRAINING_RUN, VARIABLE, folders
from pages.frame.presets import OWN_RESULTS
from pages.listed import PAGES
from pages.own_data import uploads
from pages.settings.address import url_words
from pages.work.engines import Store
from pages.work.heavy import jobs
from pages.work.jobs import JobLimits, Jobs
from qcore import Dataset, DatasetReference
from qcore.evaluation.experiment import (
    EXPERIMENTS,
    ExperimentFolder,
    ExperimentSettings,
    Pair,
    Problem,
    Sampling,
    mean_losses,
    read_experiment,
    run_experiment,
)
from qcore.evaluation.experiment.cell import Cell, run_cell
from qcore.evaluation.significance import Comparison, compare, nemenyi_distance
from tests.browser.server import ROOT
from tests.pages.app import chart, components, fine, go_to, link, long_sentences, run, script, tables

SECTIONS = PAGES["compare"].sections

PAGE = "compare"
CHARTS = {
    "Tests": [],
    "Box plots": ["boxes"],
    "Against a pivot": ["pivot-losses", "pivot-wins"],
    "By data set": ["by-data-set"],
    "Training": ["training-size", "training-prevalence"],
    "Protocols": ["protocol-ranks"],
    "Can the test be trusted": ["trust"],
    "A recommender": ["recommender-ranks", "recommender-errors"],
    "Findings of the papers": [],
    "Run your own": [],
    "Your own table": [],
    "How it works": [],
}


def words(app):
    return " ".join(element.value for element in [*app.markdown, *app.caption, *app.info])


def names(app):
    return [data["name"] for data in components(app, "kept_chart")]


@pytest.fixture(scope="module")
def bundled():
    settings, estimates = read_experiment(STORED_RUNS / "bundled")
    return settings, estimates


class TestStoredRuns:
    @pytest.mark.parametrize("name", ["bundled", "bundled-training", *PROTOCOL_RUNS])
    def test_they_are_of_the_settings_that_their_command_has(self, name):
        assert ExperimentFolder.open(STORED_RUNS / name).settings == EXPERIMENTS[name]
        assert not ExperimentFolder.open(STORED_RUNS / name).missing()

    @pytest.mark.parametrize(("problem", "draw"), [(2, 3), (9, 0)])
    def test_a_cell_that_is_run_again_gives_what_is_stored(self, bundled, problem, draw):
        settings, stored = bundled
        few = ExperimentSettings(
            settings.name, settings.problems, [pair for pair in settings.pairs if pair.quantifier in ("CC", "AC", "EMQ")][:3]
        )
        again = run_cell(few, Cell(problem, draw))
        name = settings.problems[problem].name
        rows = stored[(stored["data"] == name) & (stored.draw == draw) & stored.method.isin(few.methods)]
        merged = again.merge(rows, on=["method", "target"], suffixes=("", "_stored"))
        assert len(merged) == 33
        assert merged.prevalence.tolist() == merged.prevalence_stored.tolist()
        assert merged.estimate.to_numpy() == pytest.approx(merged.estimate_stored.to_numpy(), abs=1e-6)


def test_zero_clicks_show_the_diagram_and_a_verdict(bundled):
    settings, estimates = bundled
    app = fine(run(PAGE))
    result = compare(mean_losses(estimates, settings))
    drawn = {trace["name"]: trace for trace in chart(app, "critical-difference")["figure"]["data"]}
    for method, rank in result.mean_ranks.items():
        assert drawn[f"{method} rank"]["x"] == [pytest.approx(rank)]
    assert sum(name.startswith("group") for name in drawn) == len(result.groups())
    assert "**DyS-TS and SORD lead. Clearly worse" in words(app)
    assert "N = 17, the number of problems" in words(app)
    assert not app.warning


@pytest.mark.parametrize("title", SECTIONS)
def test_only_the_open_section_is_computed(title):
    app = fine(run(PAGE, compare_section=title))
    assert names(app)[1:] == CHARTS[title]
    assert not long_sentences(app)


@pytest.mark.parametrize("preset", PAGES["compare"].presets, ids=lambda preset: preset.name)
def test_every_preset_shows_what_it_says(preset):
    app = fine(run(PAGE, **url_words(preset.settings)))
    assert preset.why in words(app)
    assert names(app)
    assert link(app)


class TestControls:
    def test_a_control_has_tests_of_its_own(self):
        app = fine(run(PAGE, control="CC", compare_section="Tests"))
        assert "No method is clearly better than CC; clearly worse are T50 and BL." in words(app)
        (table,) = tables(app)
        assert "CC" not in set(table.method)
        assert (table.bonferroni_dunn >= table.holm).all()
        assert (table.holm >= table.hommel).all()

    def test_a_prevalence_limits_the_diagram_and_the_sections(self, bundled):
        settings, estimates = bundled
        losses = mean_losses(estimates, settings)
        result = compare(losses[losses.prevalence == 0.1])
        app = fine(run(PAGE, compared_prevalence="0.1", compare_section="Box plots"))
        drawn = {trace["name"]: trace for trace in chart(app, "critical-difference")["figure"]["data"]}
        assert drawn["AC rank"]["x"] == [pytest.approx(result.mean_ranks["AC"])]
        boxes = {trace["name"]: trace for trace in chart(app, "boxes")["figure"]["data"]}
        assert len(boxes["AC"]["y"]) == 17

    def test_fewer_methods_have_a_smaller_critical_difference(self):
        app = fine(run(PAGE, compared_methods=["CC", "AC", "EMQ", "MS"], compare_section="Box plots"))
        labels = [note["text"] for note in chart(app, "critical-difference")["figure"]["layout"]["annotations"]]
        assert f"critical difference {nemenyi_distance(4, 17):.2f}" in labels
        assert {trace["name"] for trace in chart(app, "boxes")["figure"]["data"]} == {"CC", "AC", "EMQ", "MS"}
        assert link(app)["compared_methods"] == ["CC", "AC", "MS", "EMQ"]

    def test_one_method_alone_is_one_sentence(self):
        app = fine(run(PAGE, compared_methods="CC"))
        assert "Methods must be at least two for a test" in app.warning[0].value

    def test_a_data_set_limits_the_sections(self):
        app = fine(run(PAGE, compared_data="wine 2", compare_section="Box plots"))
        boxes = {trace["name"]: trace for trace in chart(app, "boxes")["figure"]["data"]}
        assert len(boxes["AC"]["y"]) == 11
        assert "Box plots, Against a pivot and By data set use wine 2." in words(app)

    def test_kld_can_be_smoothed_both_ways_and_is_drawn_on_a_logarithmic_axis(self):
        app = fine(run(PAGE, compared_loss="KLD", compare_section="Box plots"))
        assert chart(app, "boxes")["figure"]["layout"]["yaxis"]["type"] == "log"
        other = fine(run(PAGE, compared_loss="KLD", smoothing="half a count", compare_section="Box plots"))
        assert chart(app, "boxes")["figure"]["data"] != chart(other, "boxes")["figure"]["data"]

    def test_what_the_run_does_not_have_gives_the_default(self):
        app = fine(run(PAGE, control="nobody", compared_data="nowhere", run="never"))
        assert app.session_state["control"] == "all against all"
        assert "N = 17" in words(app)

    def test_wins_and_losses_add_up(self):
        app = fine(run(PAGE, compare_section="Against a pivot", pivot="EMQ", beside_pivot="AC"))
        (table,) = tables(app)
        assert (table.wins + table.losses + table.ties == 17 * 11).all()
        row = table[table.method == "AC"].iloc[0]
        assert f"EMQ is better than AC in {row.wins} cases, worse in {row.losses}" in words(app)

    def test_the_bars_are_of_chosen_methods(self):
        app = fine(run(PAGE, compare_section="By data set", bar_methods=["CC", "EMQ"]))
        assert {trace["name"] for trace in chart(app, "by-data-set")["figure"]["data"]} == {"CC", "EMQ"}
        assert link(app)["bar_methods"] == ["CC", "EMQ"]

    def test_the_simulation_follows_its_controls(self):
        app = fine(run(PAGE, compare_section="Can the test be trusted", simulated_methods="4", simulated_sets="10"))
        drawn = {trace["name"]: trace["y"] for trace in chart(app, "trust")["figure"]["data"]}
        of_sets, of_cases = drawn["N is the number of data sets"], drawn["N is the number of test cases (the mistake)"]
        assert of_sets[0] < 0.12 < of_cases[0]
        assert of_sets[-1] > 0.9


def test_another_run_of_the_operators_folder(tmp_path, monkeypatch):
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    settings = ExperimentSettings(
        "mine", (Problem("iris"), Problem("wine")), (Pair("KNN", "CC", "mine"), Pair("KNN", "AC", "other")), Sampling(folds=2)
    )
    run_experiment(settings, tmp_path / "mine", n_jobs=1)
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "experiment.toml").write_text("name = [")
    app = fine(run(PAGE, run="mine", compare_section="Box plots"))
    assert {trace["name"] for trace in chart(app, "boxes")["figure"]["data"]} == {"mine", "other"}
    assert not any("are missing" in text.value for text in app.markdown)
    next((tmp_path / "mine" / "cells").glob("*.parquet")).unlink()
    assert any("**1 of 4 cells of this experiment are missing**" in text.value for text in fine(run(PAGE, run="mine")).markdown)
    app = run(PAGE, run="broken")
    assert not app.exception
    assert "have version 2" in app.warning[0].value


def test_one_data_set_is_one_sentence(tmp_path, monkeypatch):
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    settings = ExperimentSettings("one", (Problem("iris"),), (Pair("KNN", "CC"), Pair("KNN", "AC")), Sampling(folds=2))
    run_experiment(settings, tmp_path / "one", n_jobs=1)
    app = fine(run(PAGE, run="one"))
    assert "Data sets must be at least two for a test" in app.warning[0].value


OWN = {"own_data": ["iris", "wine"], "own_classifiers": "Gaussian naive Bayes", "own_quantifiers": ["CC", "AC"]}


def test_an_experiment_of_ones_own_runs_in_the_background():
    app = fine(run(PAGE, compare_section="Run your own", own_folds="2", **OWN))
    app.button(key="run_own").click().run()
    own = app.session_state["own experiment"]
    assert own.job.wait(60)
    fine(app.run())
    (table,) = tables(app)
    assert set(table.method) == {"CC (Gaussian naive Bayes)", "AC (Gaussian naive Bayes)"}
    assert "2 data sets, CC" in words(app)
    assert "own-critical-difference" in names(app)
    assert app.selectbox(key="run").value == "my own run", "the page shows it when it has ended"
    assert "N = 2, the number" in words(fine(app))
    assert OWN_RESULTS in words(app), "no link shows it to another session"
    app.selectbox(key="run").set_value("bundled").run()
    assert OWN_RESULTS not in words(fine(app))


def test_an_experiment_on_ones_own_table_is_of_its_name_and_its_script_reads_it():
    app = fine(run(PAGE, compare_section="Run your own", own_folds="2", **OWN))
    frame = pd.DataFrame({"x": range(60), "answer": ["yes" if i % 3 == 0 else "no" for i in range(60)]})
    table = DatasetReference("upload", uploads.UploadedTable("mine.csv", "abc", "answer").name, "me")
    app.session_state["owner of uploads"] = "me"
    app.session_state["uploaded tables"] = {table: Dataset.from_frame(frame, "answer", name="mine.csv").loaded_by(table)}
    word = str(table)
    app.run()
    app.multiselect(key="own_data").set_value(["iris", word]).run()
    app.button(key="run_own").click().run()
    own = app.session_state["own experiment"]
    assert own.job.wait(60)
    fine(app.run())
    assert [problem.name for problem in own.settings.problems] == ["iris", "mine.csv"]
    assert set(computations.experiment(own.folder)[1]["data"]) == {"iris", "mine.csv"}
    code = script(app)
    assert "data_sets={'mine.csv': read_dataset('mine.csv', 'answer')}" in code
    go_to(app, "data_sets").run().run()
    next(button for button in app.button if button.label == "Forget my tables").click().run()
    assert own.was_left, "nothing of a forgotten table stays"
    assert "own experiment" not in fine(app).session_state


def test_a_run_that_cannot_be_compared_does_not_take_the_picture():
    app = fine(run(PAGE, compare_section="Run your own", own_folds="2", **OWN | {"own_data": "iris"}))
    app.button(key="run_own").click().run()
    assert app.session_state["own experiment"].job.wait(60)
    assert fine(app.run()).selectbox(key="run").value == "bundled"


def test_a_data_set_that_is_gone_is_said():
    app = fine(run(PAGE, compare_section="Run your own", own_data=["iris", "uci:999"]))
    assert "uci:999" in app.warning[0].value
    assert "left out" in app.warning[0].value
    assert app.multiselect(key="own_data").value == ["iris"]


def test_it_is_stopped_goes_on_and_ends_with_its_session():
    slow = OWN | {"own_classifiers": "random forest"}
    app = fine(run(PAGE, compare_section="Run your own", own_folds="10", **slow))
    app.button(key="run_own").click().run()
    own = app.session_state["own experiment"]
    app.button(key="stop_own").click().run()
    assert not own.is_running
    assert "It was stopped: " in words(fine(app))
    assert own.job.wait(20)
    full = Jobs(JobLimits(1, 0, 0, 60.0), Store(Path("unused"), 0))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("pages.compare.your_own.jobs", lambda: full)
        app.button(key="go_on_own").click().run()
        gc.collect()
    assert "computations are waiting" in app.warning[0].value
    time.sleep(0.2)
    assert own.folder.exists(), "what is finished is not lost where the queue is full"
    app.button(key="go_on_own").click().run()
    again = app.session_state["own experiment"]
    assert again.folder == own.folder
    job, folder = again.job, again.folder
    del own, again, app
    gc.collect()
    assert job.wait(20)
    deadline = time.monotonic() + 20
    while folder.exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not folder.exists()


def test_its_cells_go_to_the_cluster_that_the_server_names(monkeypatch):
    monkeypatch.setattr(jobs(), "dask", "nowhere")
    app = fine(run(PAGE, compare_section="Run your own", own_folds="2", **OWN))
    app.button(key="run_own").click().run()
    assert app.session_state["own experiment"].job.wait(60)
    assert "scheduler must be an address with a host and a port" in words(fine(app.run()))


def test_a_full_queue_is_a_sentence(monkeypatch):
    full = Jobs(JobLimits(1, 0, 0, 60.0), Store(Path("unused"), 0))
    monkeypatch.setattr("pages.compare.your_own.jobs", lambda: full)
    app = fine(run(PAGE, compare_section="Run your own", **OWN))
    app.button(key="run_own").click().run()
    assert "0 computations are waiting on this server already" in app.warning[0].value


def test_the_command_writes_the_diagram_and_the_box_plot(tmp_path, monkeypatch, capsys):
    folder = tmp_path / "run"
    shutil.copytree(STORED_RUNS / "bundled", folder)
    monkeypatch.setattr("sys.argv", ["experiment", str(folder), "--loss", "KLD", "--smoothing", "half_count"])
    assert experiment.main() == 0
    assert "critical difference 4.81" in (folder / "critical-difference.html").read_text()
    assert "KLD over data sets and prevalences" in (folder / "box-plot.html").read_text()
    monkeypatch.setattr("sys.argv", ["experiment", str(tmp_path)])
    assert experiment.main() == 2
    assert "hold experiment.toml" in capsys.readouterr().err


def test_the_script_gives_the_pages_ranks_from_any_folder(shown, tmp_path, monkeypatch):
    app = fine(run(PAGE, compared_prevalence="0.1", compared_methods=["CC", "AC", "EMQ"]))
    # The script runs the experiment, which takes minutes, unless its folder is there.
    shutil.copytree(STORED_RUNS / "bundled", tmp_path / "bundled")
    monkeypatch.chdir(tmp_path)
    with contextlib.redirect_stdout(io.StringIO()):
        exec(compile(script(app), "script", "exec"), {})
    (figure,) = shown
    drawn = {trace["name"]: trace for trace in chart(app, "critical-difference")["figure"]["data"]}
    for method, rank in zip(figure.data[0].y, figure.data[0].x, strict=True):
        assert drawn[f"{method} rank"]["x"] == [pytest.approx(rank)]


def test_every_claim_of_the_papers_is_there_with_its_verdict():
    text = (ROOT / "docs/findings.md").read_text()
    app = fine(run(PAGE, compare_section="Findings of the papers"))
    (table,) = tables(app)
    said = re.findall(r"Of (\d+) claims.*?(\d+) hold, (\d+) hold in part, (\d+) do", text, re.DOTALL)
    judged = table[table.place != ""].groupby("paper").verdict.value_counts()
    for paper, (_, *counts) in zip(("Barranquero 2013", "Maletzke et al. 2020"), said, strict=True):
        extra = 2 if paper.startswith("Maletzke") else 0  # the two claims on MLQ have a table of their own
        verdicts = [int(judged[paper].get(one, 0)) for one in ("holds", "in part", "does not hold")]
        assert sum(verdicts) == sum(map(int, counts)) + extra
        assert [a >= int(b) for a, b in zip(verdicts, counts, strict=True)] == [True] * 3
    assert (table.figures.str.len() > 3).all()
    app.button_group(key="verdict").set_value("does not hold").run()
    (few,) = tables(fine(app))
    assert set(few.verdict) == {"does not hold"}
    assert len(few) == (table.verdict == "does not hold").sum()
    assert "QuaPy 0.2.3" in words(app), "how fast, beside whom"
    assert "| 2 | 1.00 | 1.00 | 0.82 | 0.65 | 0.50 | 0.33 | 0.10 |" in words(app), "Barranquero 2013, Table 5.1"


def test_the_thesis_stands_beside_its_experiment_run_anew():
    app = fine(run(PAGE, run="thesis, chapter 5", pivot="PWK-alpha", compare_section="Against a pivot"))
    text = words(app)
    assert "BL +200 and 24.26 here, +200 and 23.97 there" in text
    assert "Max +108 and 6.54 here, +29 and 2.09 there" in text
    other = fine(run(PAGE, run="thesis, chapter 5", pivot="CC", compare_section="Against a pivot"))
    assert "beside the thesis" not in words(other)


@pytest.mark.parametrize("chapter", ["5", "6"])
def test_absolute_error_and_nas_rank_alike(chapter):
    """Barranquero 2013, 6.5.1: of one prevalence, NAS divides AE by a constant."""
    settings, estimates = read_experiment(STORED_RUNS / f"barranquero-2013-chapter-{chapter}")
    by_ae, by_nas = (compare(mean_losses(estimates, settings, loss)).mean_ranks for loss in ("AE", "NAE"))
    assert by_ae.index.tolist() == by_nas.index.tolist()
    assert (by_ae - by_nas).abs().max() < 0.05


@pytest.mark.parametrize(
    ("name", "first", "n_sets"),
    [("thesis, chapter 5", "PWK-alpha", 24), ("thesis, chapter 6", "Q2", 22), ("size paper", "DyS-PS-LP", 8)],
)
def test_the_papers_experiments_are_there(name, first, n_sets):
    app = fine(run(PAGE, run=name))
    ranks = computations.ranking_losses(folders()[name], "AE", "additive")
    assert compare(ranks).n_sets == n_sets
    assert compare(ranks).mean_ranks.index[0] == first
    assert f"N = {n_sets}, the number" in words(app)


def test_a_run_of_several_sizes_can_be_limited_to_one():
    app = fine(run(PAGE, run="size paper"))
    assert [*app.selectbox(key="compared_size").options][:2] == ["all", "10"]
    app.selectbox(key="compared_size").set_value("500").run()
    assert "DyS-PS-LP leads" in words(fine(app))
    (title,) = chart(app, "critical-difference")["figure"]["layout"]["title"]["text"].split("<br>")
    assert title == "Mean ranks by AE, samples of 500: 1 is best"
    assert "estimates = estimates[estimates['size'] == 500]" in script(app)
    app.selectbox(key="compared_size").set_value("10").run()
    assert "SORD leads" in words(fine(app))


def test_a_saved_diagram_names_its_experiment():
    app = run("error_by_prevalence", data="wdbc")
    assert chart(app, "loss-by-prevalence")["made"] == "wdbc, logistic regression, samples of 100"
    go_to(app, PAGE).run()
    assert chart(fine(app), "critical-difference")["made"] == "experiment bundled", "not the data set of another page"


def test_a_run_of_one_size_has_no_choice_of_sizes():
    assert "compared_size" not in [box.key for box in fine(run(PAGE)).selectbox]


def test_a_papers_methods_with_names_of_their_own_are_in_the_link():
    app = fine(run(PAGE, run="size paper", compared_methods=["CC", "MS without the rule"]))
    assert link(app)["compared_methods"] == ["CC", "MS without the rule"]


def test_the_papers_scripts_say_where_their_files_are():
    app = fine(run(PAGE, run="thesis, chapter 6"))
    code = script(app)
    assert "QUANTIFICATION_LAB_DATA" in code


@pytest.mark.parametrize(
    ("name", "run_name"),
    [
        ("thesis, chapter 5", "barranquero-2013-chapter-5"),
        ("thesis, chapter 6", "barranquero-2013-chapter-6"),
        ("size paper", "maletzke-2020"),
    ],
)
def test_the_papers_runs_are_those_of_the_command(name, run_name):
    settings, expected = read_experiment(folders()[name])[0], EXPERIMENTS[run_name]
    if name == "size paper":
        expected = replace(expected, sampling=replace(expected.sampling, grid=21, repeats=3))
    assert settings == expected


@pytest.mark.parametrize("order", [["hard", "easy", "fair"], ["easy", "hard", "fair"], ["easy", "fair", "hard"]])
def test_a_panel_that_would_be_empty_has_an_axis_of_its_own(order):
    rows = [
        (data, "CC", p, loss * (1 + p)) for data, loss in (("hard", 0.4), ("easy", 0.01), ("fair", 0.3)) for p in (0.0, 1.0)
    ]
    losses = pd.DataFrame(rows, columns=["data", "method", "prevalence", "loss"])
    panels = by_data_set_figure(losses, ["CC"], order, "AE")
    layout = panels.figure.arrangement
    axes = {name: layout[f"yaxis{i + 1 if i else ''}"] for i, name in enumerate(order)}
    first, second = (name for name in order if name != "easy")
    assert axes[second]["matches"] == f"y{order.index(first) + 1 if order.index(first) else ''}"
    assert not axes[first].get("matches")
    assert axes[first]["range"] == axes[second]["range"] == (0.0, pytest.approx(0.84))
    assert axes["easy"]["matches"] is None
    assert axes["easy"]["range"] == (0.0, pytest.approx(0.021))
    assert axes["easy"].get("ticklabelposition") is None, "its numbers stand beside it, not over its bars"
    assert "<b>easy (own\N{NO-BREAK SPACE}axis)</b>" in [one["text"] for one in layout["annotations"]]


def test_long_names_of_panels_take_two_lines():
    name = "tictactoe x does not win"
    losses = pd.DataFrame(
        [(data, "CC", p, 0.3) for data in (name, "wine") for p in (0.0, 1.0)], columns=["data", "method", "prevalence", "loss"]
    )
    titles = [one["text"] for one in by_data_set_figure(losses, ["CC"], [name, "wine"], "AE").narrow["annotations"]]
    assert "<b>tictactoe x does not<br>win</b>" in titles


def test_a_critical_difference_longer_than_the_axis_is_drawn_whole():
    figure = critical_difference_figure(pd.Series({"a": 1.0, "b": 2.0}), [["a", "b"]], 1.39, title="")
    assert figure.arrangement["xaxis"]["range"][1] > 2.39


class TestSentences:
    RANKS = np.array([[1, 2, 3, 4]] * 12, dtype=float)

    def test_a_clear_order(self):
        result = Comparison(("a", "b", "c", "d"), self.RANKS, self.RANKS)
        assert verdict(result, 0.05) == "a leads. Clearly worse are c and d; one other is not clearly worse."
        assert control_verdict(result, "b", 0.05) == "No method is clearly better than b; clearly worse is d."
        assert control_verdict(result, "c", 0.05) == "Compared with c: clearly better is a."

    def test_no_difference(self):
        ranks = np.array([[1, 2], [2, 1]], dtype=float)
        result = Comparison(("a", "b"), ranks, ranks)
        assert "These 2 data sets do not tell a and b apart (Wilcoxon's test, p-value 1.000)" in verdict(result, 0.05)
        assert control_verdict(result, "a", 0.05) == "No method clearly differs from a."

    def test_of_two_methods_the_size_of_the_differences_decides(self):
        ranks = np.array([[1, 2]] * 12 + [[2, 1]] * 5, dtype=float)
        losses = np.array([[0.1, 0.3]] * 12 + [[0.11, 0.1]] * 5) + np.linspace(0, 0.05, 17)[:, np.newaxis] * [0, 1]
        result = Comparison(("a", "b"), ranks, losses)
        assert result.iman_davenport.p_value > 0.05
        assert verdict(result, 0.05).startswith("a is clearly better than b (Wilcoxon's test")
        assert "For two methods, use Wilcoxon's" in findings.tests_sentence(result, 0.05)

    def test_a_clear_pair_among_methods_that_may_be_alike(self):
        rng = np.random.default_rng(0)
        ranks = np.array([rng.permutation(8) + 1.0 for _ in range(20)])
        ranks[:, :2] = np.where((np.arange(20) < 15)[:, None], [2.0, 6.0], [5.0, 4.0])
        result = Comparison(tuple("abcdefgh"), ranks, ranks)
        alpha = float(result.against("a").bonferroni_dunn.min()) * 1.01
        said = control_verdict(result, "a", alpha)
        assert ("may perform alike" in said) == (result.iman_davenport.p_value > alpha)

    def test_one_case_of_each_data_set_is_no_other_number(self):
        assert "test cases" not in count_sentence(17, 17, 17)
        assert "not of the 34 test cases" in count_sentence(17, 17, 34)

    def test_training_and_protocols(self):
        sizes = pd.DataFrame(
            [("CC", 20, 0.3), ("CC", 50, 0.2), ("AC", 20, 0.19), ("AC", 50, 0.1)], columns=["method", "training_size", "loss"]
        )
        assert "With 20 training instances AC errs no more than counting (CC) with 50" in training_sentence(sizes)
        assert "No method errs as little" in training_sentence(sizes[sizes.method == "CC"])
        # Counting itself may be as good with fewer: that is no method which reaches it.
        losses = {"CC": (0.3, 0.1, 0.13, 0.12), "AC": (0.4, 0.2, 0.11, 0.1)}
        table = pd.DataFrame(losses, index=[20, 50, 75, 100]).melt(ignore_index=False, var_name="method", value_name="loss")
        table = table.rename_axis("training_size").reset_index()
        assert "With 75 training instances AC errs no more than counting (CC) with 100" in training_sentence(table)
        ranks = pd.DataFrame([("APP", "a", 1.0), ("APP", "b", 2.0), ("NPP", "a", 1.0), ("NPP", "b", 2.0)])
        ranks.columns = ["protocol", "method", "rank"]
        assert protocols_sentence(ranks) == "a ranks first under every protocol."
        ranks.loc[2, "rank"] = 3.0
        assert protocols_sentence(ranks).startswith(
            "Which method ranks first depends on the protocol: a under APP, b under NPP."
        )

    def test_tables_for_papers(self):
        table = pd.DataFrame({"method": ["AC"], "mean rank": [1.234]})
        assert as_markdown(table).splitlines() == ["| method | mean rank |", "| --- | --- |", "| AC | 1.23 |"]
        assert "AC & 1.23" in as_latex(table)

    def test_names_in_tables_for_papers_are_as_written(self):
        name = r"a|b_c & 50% \input{x} [y](http://nowhere.example)" + "\n| d"
        table = pd.DataFrame({"method": [name, "AC"], "mean rank": [1.0, 2.0]})
        lines = as_markdown(table).splitlines()
        assert len(lines) == 4
        assert [len(re.split(r"(?<!\\)\|", line)) for line in lines] == [4] * 4, "as many cells in each line"
        assert r"\[y\](" in lines[2]
        latex = as_latex(table)
        assert r"a\textbar{}b\_c \& 50\% \textbackslash{}input\{x\}" in latex
        assert latex.count(r"\\") == 3, "a header and two rows"


def test_the_diagram_of_demsar_has_its_bars():
    ranks = pd.Series({"C4.5+m+cf": 1.964, "C4.5+m": 2.0, "C4.5+cf": 2.893, "C4.5": 3.143})
    groups = [("C4.5+m+cf", "C4.5+m", "C4.5+cf"), ("C4.5+cf", "C4.5")]
    figure = critical_difference_figure(ranks, groups, 1.12, title="AUC").checked
    long = critical_difference_figure(ranks.rename({ranks.index[0]: "MS without the rule"}), [], 1.12, title="AUC")
    assert long.arrangement["margin"]["l"] >= 160 > 110 == long.arrangement["margin"]["r"], "as wide as the longest name"
    bars = [trace for trace in figure.data if trace.name.startswith("group")]
    assert [
        (bar.x[0] < min(ranks[list(group)]), bar.x[1] > max(ranks[list(group)]))
        for bar, group in zip(bars, groups, strict=True)
    ]
    labels = [note.text for note in figure.layout.annotations]
    assert {"C4.5+m+cf 1.96", "3.14 C4.5", "critical difference 1.12"} <= set(labels)


def test_the_training_run_has_what_the_section_says():
    settings, table = read_experiment(TRAINING_RUN)
    assert len(settings.problems) == 10
    assert sorted(table.training_size.unique()) == [20, 30, 50, 75, 100]


def test_of_two_methods_the_headline_goes_the_way_of_wilcoxons_test():
    losses = np.array([[0.1, 0.101 + i * 1e-5] for i in range(58)] + [[0.3 + i * 1e-4, 0.25] for i in range(42)])
    ranks = np.where(losses[:, :1] < losses[:, 1:], [[1.0, 2.0]], [[2.0, 1.0]])
    result = Comparison(("a", "b"), ranks, losses)
    assert result.mean_ranks["a"] < result.mean_ranks["b"]
    assert verdict(result, 0.05).startswith("b is clearly better than a")
