"""The page "Test size" through app.py: each part, each control, each bad input; never a traceback."""

import base64
from functools import cache

import numpy as np
import pytest

from pages import pipeline
from pages.listed import PAGES
from pages.settings.shared import SHOWN_FIRST, family_members, quantifiers_key
from pages.test_size.heatmaps import clicked_cell
from qcore import (
    DATASETS,
    LOSSES,
    QUANTIFIERS,
    ScoringSettings,
    SizeGrid,
    estimate,
    load_dataset,
    make_quantifiers,
    score_dataset,
)
from qcore.evaluation.loss_grid import loss_grid, ranks_by_size
from qcore.quantifiers import FAMILIES
from qcore.studies.sample_size import GRID_OF_MALETZKE_2020, sample_overlap
from tests.pages.app import (
    FEW_INSTANCES,
    SOME_CLASSIFIERS,
    addresses,
    captions,
    drawn,
    fine,
    lines,
    link,
    long_sentences,
    names,
    open_section,
    run,
    script,
    warnings,
    words,
)
from tests.thorough import mostly_thorough

PAGE = "test_size"
SIZE_CHARTS = ["winners", "column", "row"]
SIZE_SECTION_CHARTS = {
    "Each quantifier": ["loss_by_size", "enlarged_heatmap"],
    "Compare two": ["difference"],
    "Two data sets": ["winners_here", "winners_beside"],
    "Ranks": ["ranks"],
    "Can the repeats be trusted?": ["draw_counts", "sample_overlap"],
    "Recommender": ["errors_by_size"],
    "What it chooses": ["choices", "importance"],
}
SIZE_DRAWN = [*SIZE_CHARTS, *SIZE_SECTION_CHARTS["Each quantifier"]]
"""What is drawn while the first section is open."""

FIRST = [method for method in QUANTIFIERS if method in SHOWN_FIRST]
SMALL = {"sizes": "5 10", "points": "11", "runs": "2"}
SEVERAL = {quantifiers_key(family): family_members(family) for family in FAMILIES}


def numbers(value):
    """The numbers of an array as Plotly spells it: a list, or single precision in base 64."""
    if isinstance(value, dict):
        flat = np.frombuffer(base64.b64decode(value["bdata"]), dtype=value["dtype"])
        return flat.reshape([int(length) for length in str(value["shape"]).split(",")])
    return np.array(value)


def heats(app):
    """The heatmaps among the panels, without the mark of the selected cell."""
    return [trace for trace in drawn(app, "loss_by_size")["data"] if trace["type"] == "heatmap"]


def panels(app):
    return [trace["name"] for trace in heats(app)]


@cache
def estimates_by_hand(grid):
    """Samples of the default data set, and what the quantifiers shown first estimate on them."""
    scores = score_dataset(load_dataset("waveform"), ScoringSettings("0"))
    fitted = make_quantifiers(FIRST, scores.training_scores, scores.training_labels)
    samples = grid.draw(scores.pool_labels, np.random.default_rng(0))
    return [estimate(fitted, scores, part) for part in samples], samples


def by_hand(grid, loss="AE"):
    estimates, samples = estimates_by_hand(grid)
    return loss_grid(estimates, loss), samples


class TestTestSize:
    def test_zero_clicks_teach(self):
        app = fine(run(PAGE))
        assert names(app) == SIZE_DRAWN
        assert not app.warning or "share more than half" in warnings(app)
        assert "With samples of 10, EMQ has the lowest mean AE" in words(app)
        assert panels(app) == FIRST

    def test_the_charts_show_what_qcore_computes(self):
        result, samples = by_hand(SizeGrid())
        app = fine(run(PAGE))
        for index, trace in enumerate(heats(app)):
            assert numbers(trace["z"]) == pytest.approx(result.means[index], abs=1e-6)
        open_section(app, "test_size", "Ranks")
        ranks = ranks_by_size(result)
        assert lines(drawn(app, "ranks"))["CC"]["y"] == pytest.approx(ranks[ranks.method == "CC"].mean_rank.tolist())
        open_section(app, "test_size", "Can the repeats be trusted?")
        assert drawn(app, "sample_overlap")["data"][0]["y"] == pytest.approx(sample_overlap(samples).shared.tolist())
        open_section(app, "test_size", "Compare two")
        apart = result.means[FIRST.index("AC")] - result.means[FIRST.index("CC")]
        assert numbers(drawn(app, "difference")["data"][0]["z"]) == pytest.approx(apart, abs=1e-6)

    @pytest.mark.parametrize(
        ("key", "value"),
        [("sizes", "10 40"), ("points", 11), ("runs", 3), ("seed", 5), ("share", 0.4), ("loss", "KLD")],
    )
    def test_every_control_changes_the_picture(self, key, value):
        app = run(PAGE, **SMALL)
        before, spelt = drawn(app, "loss_by_size"), link(app)
        kinds = {"sizes": app.text_input, "points": app.button_group, "loss": app.button_group, "share": app.slider}
        kinds.get(key, app.number_input)(key=key).set_value(value if key != "points" else 21).run()
        assert drawn(fine(app), "loss_by_size") != before
        assert link(app)[key] != spelt[key]

    @pytest.mark.parametrize("loss", LOSSES)
    def test_every_loss(self, loss):
        app = fine(run(PAGE, loss=loss, **SMALL))
        assert names(app) == SIZE_DRAWN
        result, _ = by_hand(SizeGrid((5, 10), 11, 2), loss=loss)
        for index, trace in enumerate(heats(app)):
            assert numbers(trace["z"]) == pytest.approx(result.means[index], rel=1e-5, abs=1e-6)
        assert LOSSES[loss].formula in words(app)

    @pytest.mark.parametrize("data", DATASETS)
    def test_every_data_set(self, data):
        assert names(fine(run(PAGE, data=data, **SMALL))) == SIZE_DRAWN

    @pytest.mark.parametrize("classifier", SOME_CLASSIFIERS)
    def test_every_classifier(self, classifier):
        assert names(fine(run(PAGE, classifier=classifier, **FEW_INSTANCES, **SMALL))) == SIZE_DRAWN

    def test_all_quantifiers_at_once(self):
        app = fine(run(PAGE, **SMALL, **SEVERAL))
        assert panels(app) == list(QUANTIFIERS)

    @pytest.mark.parametrize("title", SIZE_SECTION_CHARTS)
    def test_only_the_open_section_is_computed(self, title):
        app = fine(run(PAGE, test_size_section=title, **SMALL))
        assert names(app) == [*SIZE_CHARTS, *SIZE_SECTION_CHARTS[title]]
        assert not long_sentences(app)

    @pytest.mark.parametrize("method", mostly_thorough(QUANTIFIERS))
    def test_each_alone_enlarged(self, method):
        only = {quantifiers_key(family): "" for family in FAMILIES}
        app = fine(run(PAGE, **SMALL, **{**only, "q_counting": "CC"}, look=method, first=method, second="CC"))
        assert names(app) == SIZE_DRAWN
        assert drawn(app, "enlarged_heatmap")["data"][0]["name"] == method
        assert lines(drawn(app, "row"))[method]["mode"] == "lines+markers"
        assert panels(app) == ["CC"]
        open_section(app, "test_size", "Compare two")
        assert ("difference" in names(fine(app))) == (method != "CC")

    def test_no_quantifier(self):
        app = fine(run(PAGE, **{quantifiers_key(family): "" for family in FAMILIES}))
        assert "No quantifier is chosen" in warnings(app)

    def test_a_click_enlarges(self):
        app = run(PAGE)
        before = heats(app)
        assert drawn(app, "enlarged_heatmap")["data"][0]["name"] == "EMQ"
        for key, value in {"look": "AC", "at_size": 50, "at_p": 0.25}.items():
            {"look": app.selectbox, "at_size": app.selectbox, "at_p": app.slider}[key](key=key).set_value(value)
        app.run()
        assert drawn(fine(app), "enlarged_heatmap")["data"][0]["name"] == "AC"
        assert drawn(app, "row")["layout"]["title"]["text"] == "AC with samples of 50"
        assert drawn(app, "column")["layout"]["title"]["text"] == "AC at a prevalence of 25%"
        marks = [trace for trace in drawn(app, "loss_by_size")["data"] if trace["name"] == "selected"]
        assert [(mark["x"], mark["y"]) for mark in marks] == [([0.25], ["50"])]
        assert heats(app) == before, "what is not looked at stays as it is"
        assert link(app)["look"] == ["AC"]

    def test_what_a_browser_sends_of_a_click_may_be_anything(self):
        assert clicked_cell("AC", 0.15000000000000002, "50") == ("AC", 50, 0.15)
        assert clicked_cell("AC", 1, 50) == ("AC", 50, 1.0)
        nonsense = [
            *[("script", 0, 10), (5, 0.5, 10), ([], 0.5, 10)],
            *[("AC", "x", "10"), ("AC", float("nan"), "10"), ("AC", 2, 10), ("AC", 1e999, 10)],
            *[("AC", 0.5, "y"), ("AC", None, []), ("AC", 0.5, 0), ("AC", 0.5, 10**9)],
        ]
        assert [clicked_cell(*sent) for sent in nonsense] == [None] * len(nonsense)

    def test_what_nobody_has_chosen_is_not_looked_at(self):
        app = fine(run(PAGE, q_likelihood="EMQ-5", sizes="10 40", runs="2", points="11"))
        method, _, rest = drawn(app, "row")["layout"]["title"]["text"].partition(" ")
        assert (method in {*SHOWN_FIRST, "EMQ-5"} - {"EMQ"}, rest) == (True, "with samples of 10")
        assert app.selectbox(key="look").value == method
        asked = run(PAGE, q_likelihood="EMQ-5", look="EMQ", sizes="10 40", runs="2", points="11")
        assert drawn(fine(asked), "row")["layout"]["title"]["text"] == "EMQ with samples of 10"

    def test_the_cells_show_what_a_choice_costs(self):
        app = fine(run(PAGE, sizes="10 40", runs="2", points="11", cells="what a choice costs", look="CC"))
        assert drawn(app, "winners")["layout"]["title"]["text"] == "What choosing CC everywhere costs: dark is good"
        assert np.min(drawn(app, "winners")["data"][0]["z"]) >= 0.0
        assert "If **CC** is chosen everywhere" in words(app)

    def test_a_quantifier_that_the_page_has_chosen_goes_when_it_is_not_shown(self):
        app = fine(run(PAGE, sizes="10 40", runs="2", points="11"))
        assert app.selectbox(key="look").value == "EMQ"
        app.button_group(key="q_likelihood").set_value([]).run()
        first = fine(app).selectbox(key="look").value
        assert first in {"CC", "AC", "PACC"}
        app.button_group(key=quantifiers_key(QUANTIFIERS[first].family)).set_value([]).run()
        assert fine(app).selectbox(key="look").value in {"CC", "AC", "PACC"} - {first}
        app.selectbox(key="look").set_value("EMQ").run()
        app.button_group(key="q_matching").set_value(["HDy"]).run()
        assert fine(app).selectbox(key="look").value == "EMQ", "a person has asked for it"

    def test_the_nearest_row_and_column_are_taken(self):
        app = fine(run(PAGE, at_size="999", at_p="0.26"))
        assert drawn(app, "row")["layout"]["title"]["text"] == "EMQ with samples of 100"
        assert drawn(app, "column")["layout"]["title"]["text"] == "EMQ at a prevalence of 25%"
        assert app.selectbox(key="at_size").options == ["10", "20", "30", "50", "70", "100"]
        app.text_input(key="sizes").set_value("10 40").run()
        assert drawn(fine(app), "row")["layout"]["title"]["text"] == "EMQ with samples of 40"

    def test_the_papers_grid_is_one_click(self):
        app = run(PAGE, data="waveform", **{quantifiers_key(family): "" for family in FAMILIES} | {"q_counting": "CC"})
        next(button for button in app.button if button.label == "The paper's grid").click().run()
        (trace,) = heats(fine(app))
        assert trace["y"] == [str(size) for size in GRID_OF_MALETZKE_2020.sizes]
        assert len(trace["x"]) == 101
        assert "10 samples of %{y}" in trace["hovertemplate"]
        open_section(app, "test_size", "Can the repeats be trusted?")
        assert "14,140 samples come from a pool of 2,500" in words(fine(app))
        assert (link(app)["points"], link(app)["runs"]) == (["101"], ["10"])

    def test_sizes_that_do_not_fit_are_left_out_and_named(self):
        app = fine(run(PAGE, data="wdbc", sizes="10 50 106 107 500", points="11", runs="2"))
        assert drawn(app, "loss_by_size")["data"][0]["y"] == ["10", "50", "106"]
        assert "Left out: **107** and **500**. The pool has 106 positives and 179 negatives" in words(app)
        assert app.text_input(key="sizes").value == "10 50 106 107 500", "the setting stays the person's"
        none = fine(run(PAGE, data="wdbc", sizes="300 400"))
        assert "One of the sample sizes must fit into a pool of 106 positives and 179 negatives" in warnings(none)
        assert not [name for name in names(none) if name == "loss_by_size"]

    def test_samples_that_share_most_are_warned_of(self):
        for more in ({}, {"test_size_section": "Recommender"}):
            app = run(PAGE, data="iris", sizes="5 25", points="11", **more)
            assert "share more than half of their instances" in warnings(app)
        # All samples of 87 at a prevalence of 1 are one and the same, though on average samples of 87 share little.
        ends = run(PAGE, data="digits", sizes="10 87", points="11", runs="2")
        assert "With samples of **87**" in warnings(ends)
        assert "share more than half" not in warnings(run(PAGE, data="waveform", **SMALL))

    def test_bad_sizes_are_refused_in_words_and_kept(self):
        app = run(PAGE, **SMALL)
        for text in ("", "abc", "0", "1", "10 20x", "-5", "1001", "1e3", "<b>5</b>", "10 " * 40):
            app.text_input(key="sizes").set_value(text).run()
            assert "ample size" in warnings(fine(app)), text
            assert "Write for example: 10 20 50 100" in warnings(app), text
            assert app.text_input(key="sizes").value == text
        app.text_input(key="sizes").set_value("10 20").run()
        assert not app.warning
        assert names(app)

    def test_words_that_are_refused_are_shown_as_they_are(self):
        app = fine(run(PAGE, sizes="http://evil.example :red[x] ~~y~~"))
        assert "http\\:\N{WORD JOINER}//evil.example" in warnings(app)
        app.text_input(key="sizes").set_value(":red[x]").run()
        assert r"\:red\[x\]" in warnings(app)

    @pytest.mark.parametrize(
        "query",
        addresses([("runs", "1"), ("runs", "1e9"), ("points", "7"), ("look", "XYZ"), ("at_size", "-5"), ("at_p", "2")]),
    )
    def test_nonsense_in_the_url(self, query):
        app = fine(run(PAGE, **query))
        assert warnings(app).count("The link's") == len(query)
        assert names(app) == SIZE_DRAWN

    def test_one_size_and_one_repeat_more_than_none(self):
        app = fine(run(PAGE, sizes="20", points="11", runs="2"))
        assert names(app) == SIZE_DRAWN

    def test_a_new_method_or_size_computes_only_that(self, monkeypatch):
        app = run(PAGE, sizes="10 31", runs="3", points="11", seed="771", q_counting="CC")
        computed = []
        original = pipeline.estimates_in_turn

        def counted(scores, wanted, **more):
            computed.extend((samples.sample_size, list(methods)) for samples, methods in wanted)
            return original(scores, wanted, **more)

        monkeypatch.setattr(pipeline, "estimates_in_turn", counted)
        app.button_group(key="loss").set_value("KLD").run()
        assert computed == []
        app.text_input(key="sizes").set_value("10 31 45").run()
        assert [size for size, _ in computed] == [45]
        computed.clear()
        app.button_group(key="q_counting").set_value(["CC", "PCC"]).run()
        assert computed == [(size, ["PCC"]) for size in (10, 31, 45)]

    def test_the_python_behind_the_picture_gives_the_cells(self, capsys):
        app = run(PAGE, loss="SE", **SMALL)
        exec(compile(script(app), "page", "exec"), {})
        result, _ = by_hand(SizeGrid((5, 10), 11, 2), loss="SE")
        printed = capsys.readouterr().out
        assert f"{result.means[0, 0, 5]:.6f}"[:7] in printed

    def test_the_same_in_both_sections(self):
        """The recommender's candidates have the errors that the heatmaps show."""
        app = run(PAGE, **SMALL, **SEVERAL)
        means = {trace["name"]: numbers(trace["z"]).mean(axis=1) for trace in heats(app)}
        other = run(PAGE, test_size_section="Recommender", **SMALL)
        for method in ("MS", "DyS-PS", "SORD"):
            assert lines(drawn(other, "errors_by_size"))[method]["y"] == pytest.approx(means[method].tolist(), abs=1e-6)


@pytest.mark.parametrize("preset", PAGES["test_size"].presets, ids=lambda preset: preset.name)
def test_every_preset_draws_and_says_why(preset):
    app = run(PAGE)
    app.button(key=f"preset {preset.name}").click().run()
    assert preset.why in captions(fine(app))
    section = preset.settings.get("test_size_section", "Each quantifier")
    assert names(app) == [*SIZE_CHARTS, *SIZE_SECTION_CHARTS[section]]
    app.button(key="reset").click().run()
    assert PAGES["test_size"].presets[0].why in captions(fine(app))


class TestPresetsAreTrue:
    """What a preset says of its picture is what the picture shows."""

    def means(self, preset):
        chosen = PAGES["test_size"].presets[preset]
        app = run(PAGE)
        app.button(key=f"preset {chosen.name}").click().run()
        data = heats(fine(app))
        return {trace["name"]: numbers(trace["z"]).mean(axis=1) for trace in data}

    def test_from_10_to_100(self):
        means = self.means(0)
        assert 0.08 < means["CC"][-1] < means["CC"][0] < 0.13
        assert all(means[method][-1] < 0.5 * means[method][0] for method in ("AC", "PACC", "EMQ"))

    def test_counting_holds_its_own_at_10(self):
        app = fine(run(PAGE, data="wdbc"))
        assert "none of 3 are clearly better than plain counting" in words(app)
        assert "With samples of 100, 3 of 3 are clearly better" in words(app)
        means = self.means(1)
        assert sum(means[method][0] > means["CC"][0] for method in ("AC", "PACC")) == 2
        assert max(means, key=lambda method: means[method][-1]) == "CC"

    def test_from_10_to_500(self):
        means = self.means(2)
        assert means["AC"][0] / means["AC"][-1] == pytest.approx(7, abs=0.5)
        for method in ("CC", "PCC"):
            assert 0.7 < means[method][-1] / means[method][0] < 1.15

    def test_the_papers_comparison(self):
        means = self.means(3)
        assert len(means) == 15
        assert min(means, key=lambda method: means[method][-1]).startswith("DyS")
        assert min(means, key=lambda method: means[method][0]) == "EMQ-5"
        assert sum(selected[0] < means["CC"][0] for selected in means.values()) > 2

    def test_more_data_same_error(self):
        means = self.means(4)
        for method in ("CC", "EMQ", "PCC"):
            assert 0.9 < means[method][-1] / means[method][0] < 1.1
        for method in ("AC", "PACC", "MS", "DyS-PS"):
            assert means[method][-1] < 0.5 * means[method][0]
        assert score_dataset(load_dataset("digits"), ScoringSettings("8", "Gaussian naive Bayes")).rates[1] > 0.45
