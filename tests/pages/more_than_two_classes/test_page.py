"""The page "More than two classes" through app.py: its pictures, every example and section, data sets that do not fit."""

import contextlib
import io
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from pages.listed import PAGES
from pages.more_than_two_classes.hero import matrix_sentence, methods_figure, methods_headline
from pages.settings.address import url_words
from qcore import QUANTIFIERS, InvalidInput, ScoringSettings, load_dataset, score_dataset
from qcore.quantifiers import make_quantifiers
from qcore.studies.more_than_two_classes import (
    SIMPLEX_PROTOCOLS,
    AdjustmentMatrix,
    adjustment_matrix,
    multiclass_errors,
    native_and_one_vs_all,
    simplex_protocol,
)
from tests.pages.app import chart, components, fine, link, long_sentences, run, script, tables

SECTIONS = PAGES["more_than_two_classes"].sections

PAGE = "more_than_two_classes"
CHARTS = dict(
    zip(
        SECTIONS,
        (["truth", "errors-by-class"], ["native"], ["moved-share", "moved-losses"], ["inverted-matrix"]),
        strict=True,
    )
)
QUICK = {"data": "iris", "classifier": "Gaussian naive Bayes"}


def words(app):
    return " ".join(element.value for element in [*app.markdown, *app.caption, *app.info])


def names(app):
    return [data["name"] for data in components(app, "kept_chart")]


@pytest.fixture(scope="module")
def scores():
    return score_dataset(load_dataset("wine"), ScoringSettings(None, "Gaussian naive Bayes"))


class TestStudy:
    @pytest.mark.parametrize("key", SIMPLEX_PROTOCOLS)
    def test_each_protocol_gives_about_a_thousand_samples(self, scores, key):
        errors = multiclass_errors(scores, ["CC", "BL"], simplex_protocol(key, scores.pool_labels, 20))
        assert 800 <= len(errors.estimates.samples) <= 1000
        table = errors.by_method()
        assert table.method.tolist()[0] == "CC" if key != "NPP" else table["mean"].max() < 0.2
        cells = errors.on_simplex("CC")
        assert cells[list(scores.classes)].sum(axis=1).to_numpy() == pytest.approx(np.ones(len(cells)), abs=1e-5)

    def test_the_map_holds_the_mean_losses(self, scores):
        errors = multiclass_errors(scores, ["AC"], simplex_protocol("APP on the simplex", scores.pool_labels, 20))
        cells = errors.on_simplex("AC")
        assert len(cells) == 231
        assert cells.loss.mean() == pytest.approx(errors.losses["AC"].mean())
        assert errors.class_errors().error.mean() == pytest.approx(errors.losses["AC"].mean())

    @pytest.mark.parametrize("key", SIMPLEX_PROTOCOLS)
    def test_the_map_has_the_vectors_in_the_order_in_which_they_come(self, scores, key):
        errors = multiclass_errors(scores, ["AC", "CC"], simplex_protocol(key, scores.pool_labels, 20))
        samples, names = errors.estimates.samples, list(scores.classes)
        table = pd.DataFrame(np.round(samples.prevalences, 6), columns=names).assign(loss=errors.losses["AC"])
        wanted = table.groupby(names, sort=False)["loss"].mean().reset_index()
        pd.testing.assert_frame_equal(errors.on_simplex("AC"), wanted)
        largest = max(errors.on_simplex(method).loss.max() for method in errors.losses)
        assert errors.largest_on_simplex == pytest.approx(largest)

    def test_the_map_of_small_samples_has_the_shares_that_they_have(self, scores):
        errors = multiclass_errors(scores, ["AC"], simplex_protocol("APP on the simplex", scores.pool_labels, 1))
        assert sorted(errors.on_simplex("AC")[list(scores.classes)].to_numpy().tolist(), reverse=True) == np.eye(3).tolist()

    def test_methods_that_are_equal_are_level(self, scores):
        errors = multiclass_errors(scores, ["BL", "CC", "AC", "EMQ"], simplex_protocol("UPP", scores.pool_labels, 20))
        table = errors.by_method().set_index("method")
        assert table.level.iloc[0]
        assert not table.level["BL"]
        twins = replace(errors, losses={"CC": errors.losses["CC"], "copy": errors.losses["CC"].copy()})
        assert twins.by_method().level.tolist() == [True, True]

    @pytest.mark.parametrize(
        ("rows", "sentence"),
        [
            ([("EMQ", 0.02, True), ("CC", 0.09, False)], "On 3 classes EMQ errs least: mean AE 0.020; CC most, 0.090."),
            ([("EMQ", 0.02, True), ("AC", 0.021, True), ("CC", 0.09, False)],
             "On 3 classes EMQ errs least, level with **AC**: mean AE 0.020; CC most, 0.090."),
            ([("EMQ", 0.02, True), ("AC", 0.021, False), ("CC", 0.03, True)],
             "On 3 classes EMQ errs least, level with **CC**: mean AE 0.020; CC most, 0.030."),
            ([("EMQ", 0.02, True), ("AC", 0.02, True)], "On 3 classes **EMQ** and **AC** are level: mean AE 0.020."),
        ],
    )  # fmt: skip
    def test_the_headline_says_who_is_level(self, rows, sentence):
        assert methods_headline(pd.DataFrame(rows, columns=["method", "mean", "level"]), 3, "AE") == sentence

    def test_every_method_of_many_has_its_name(self):
        table = pd.DataFrame({"method": [f"m{i}" for i in range(23)], "mean": 0.1, "standard_error": 0.01})
        made = methods_figure(table, "AE")
        assert made.layout.yaxis.dtick == 1
        assert made.layout.height - 112 >= 23 * 16

    def test_the_matrix_is_what_ac_learns(self, scores):
        result = adjustment_matrix(scores, "AC")
        fitted = make_quantifiers(["AC"], scores.training_scores, scores.training_labels)["AC"]
        assert np.array_equal(result.rates, fitted.rates_)
        assert result.rates.sum(axis=0) == pytest.approx(np.ones(3))
        assert result.condition == pytest.approx(np.linalg.svd(result.rates)[1][0] / np.linalg.svd(result.rates)[1][-1])

    def test_binary_methods_have_no_second_way(self, scores):
        errors = multiclass_errors(scores, ["MS", "EMQ"], simplex_protocol("UPP", scores.pool_labels, 20))
        assert native_and_one_vs_all(errors, scores).method.tolist() == ["EMQ"]

    def test_two_classes_are_refused(self):
        two = score_dataset(load_dataset("wdbc"), ScoringSettings(None, "Gaussian naive Bayes"))
        with pytest.raises(InvalidInput, match="be three or more"):
            multiclass_errors(two, ["CC"], simplex_protocol("UPP", two.pool_labels, 20))


def test_zero_clicks_show_a_map_and_who_errs_least():
    app = fine(run(PAGE))
    assert names(app)[:2] == ["simplex", "methods"]
    assert not chart(app, "methods")["figure"]["data"][0]["showlegend"], "what its bars are is in the title"
    assert "On 3 classes EMQ errs least" in words(app)
    assert "CC is worst where all are class" in words(app)


@pytest.mark.parametrize("title", SECTIONS)
def test_only_the_open_section_is_computed(title):
    app = fine(run(PAGE, **QUICK, more_than_two_classes_section=title))
    assert not long_sentences(app)
    assert names(app)[2:] == CHARTS[title]


@pytest.mark.parametrize("preset", PAGES["more_than_two_classes"].presets, ids=lambda preset: preset.name)
def test_every_preset_shows_what_it_says(preset):
    app = fine(run(PAGE, **url_words(preset.settings)))
    assert preset.why in words(app)
    assert len(names(app)) == 4
    assert link(app)


class TestControls:
    def test_a_sample_that_does_not_fit_is_as_large_as_it_can_be(self):
        app = fine(run(PAGE, **QUICK, size="300"))
        assert "samples of 25 instances. The smallest class of the pool has no more: 300 do not fit." in words(app)

    def test_the_map_is_of_the_chosen_quantifier(self):
        first, second = (fine(run(PAGE, **QUICK, mapped=method)) for method in ("CC", "EMQ"))
        colours = [chart(app, "simplex")["figure"]["data"][-1]["marker"] for app in (first, second)]
        assert colours[0]["color"] != colours[1]["color"]
        assert colours[0]["cmax"] == colours[1]["cmax"]

    def test_a_quantifier_that_is_not_chosen_is_let_go(self):
        app = fine(run(PAGE, **QUICK, mapped="HDy"))
        assert app.session_state["mapped"] == "CC"

    def test_both_matrices(self):
        title = "The matrix that is inverted"
        app = fine(run(PAGE, **QUICK, matrix="PACC", more_than_two_classes_section=title))
        assert "The condition number of PACC's matrix" in words(app)

    def test_more_classes_have_no_triangle(self):
        app = fine(run(PAGE, data="digits", classifier="Gaussian naive Bayes", class_protocol="UPP", size="20"))
        assert names(app)[:2] == ["class-errors", "methods"]

    def test_native_and_one_against_all_are_on_the_same_samples(self):
        app = fine(run(PAGE, **QUICK, more_than_two_classes_section="All at once or one against all"))
        (table,) = tables(app)
        assert set(table.method) == {"CC", "AC", "PACC", "EMQ"}


def test_two_classes_are_one_sentence():
    app = fine(run(PAGE, data="wdbc"))
    assert "wdbc has two classes" in app.info[0].value
    assert "waveform" in app.info[0].value
    assert not names(app)


def test_the_script_gives_the_pages_numbers(shown):
    app = fine(run(PAGE, **QUICK, size="20"))
    with contextlib.redirect_stdout(io.StringIO()):
        exec(compile(script(app), "script", "exec"), {})
    (figure,) = shown
    drawn = chart(app, "methods")["figure"]["data"][0]
    ours = dict(zip(drawn["y"], drawn["x"], strict=True))
    assert dict(zip(figure.data[0].y, figure.data[0].x, strict=True)) == pytest.approx(ours)


class TestOrderedClasses:
    """Losses of ordered classes, their order, and the section that shows why AE is blind to it."""

    def test_an_order_offers_losses_and_shows_methods_by_them(self):
        app = fine(run(PAGE, data="balance", more_than_two_classes_section="Ordered classes", class_loss="NMD"))
        assert app.selectbox(key="class_loss").value == "NMD"
        (table,) = tables(app)
        assert list(table.columns) == ["method", "AE", "NMD", "RNOD"]
        data = load_dataset("balance")
        scores = score_dataset(data, ScoringSettings(None)).in_order(data.class_order)
        protocol = simplex_protocol(SIMPLEX_PROTOCOLS[0], scores.pool_labels, 100)
        errors = multiclass_errors(scores, list(table.method), protocol, loss="NMD")
        assert dict(zip(table.method, table.NMD, strict=True)) == pytest.approx(
            errors.by_method().set_index("method")["mean"].to_dict()
        )

    def test_without_one_they_are_not_there_and_the_way_is_said(self):
        app = fine(run(PAGE, **QUICK, more_than_two_classes_section="Ordered classes"))
        assert "NMD" not in app.selectbox(key="class_loss").options
        assert "type it into *Order of the classes*, such as setosa < versicolor < virginica" in words(app).replace("\\", "")
        app.text_input(key="class_order").set_value("virginica < setosa < versicolor").run()
        assert "NMD" in fine(app).selectbox(key="class_loss").options
        assert tables(app)
        assert link(app)["class_order"] == ["virginica < setosa < versicolor"]
        app.text_input(key="class_order").set_value("none").run()
        assert not tables(fine(app))

    def test_an_order_that_is_none_is_said_and_the_pictures_stay(self):
        app = run(PAGE, **QUICK, class_order="setosa < virginica")
        assert "The order of the classes must name each of setosa, versicolor, virginica once" in app.warning[0].value
        assert not app.exception
        assert names(app)

    def test_the_match_distance_follows_the_slider(self):
        app = fine(run(PAGE, **QUICK, more_than_two_classes_section="Ordered classes"))
        before = [chart(app, key)["figure"] for key in ("moved-share", "moved-losses")]
        app.slider(key="moved_by").set_value(4).run()
        after = [chart(fine(app), key)["figure"] for key in ("moved-share", "moved-losses")]
        assert all(one != other for one, other in zip(before, after, strict=True))


@pytest.mark.parametrize(("rate", "said"), [(0.0, "No class is taken for another."), (0.004, "Most confused: less than 1% of")])
def test_classes_that_are_hardly_confused_are_not_said_to_be(rate, said):
    matrix = AdjustmentMatrix(np.array([[1.0, rate], [0.0, 1.0 - rate]]), 1.0)
    assert said in matrix_sentence(matrix, ["a", "b"], "AC")


def test_the_page_says_which_quantifiers_take_all_classes_at_once():
    app = fine(run(PAGE, **QUICK, more_than_two_classes_section="How it works"))
    said = words(app)
    at_once = [key for key, entry in QUANTIFIERS.items() if entry.takes_all_classes]
    assert f"{', '.join(at_once[:-1])} and {at_once[-1]} take all classes at once" in said
    assert "{" not in said


def test_the_sentence_on_the_matrix_says_which_class_counts_as_which():
    rates = np.array([[0.9, 0.3, 0.0], [0.1, 0.7, 0.2], [0.0, 0.0, 0.8]])
    matrix = AdjustmentMatrix(rates, 2.0)
    assert "Most confused: 30% of class b count as a." in matrix_sentence(matrix, ["a", "b", "c"], "AC")
