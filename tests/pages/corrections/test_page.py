"""The page "Corrections" through app.py: each part, each control, each bad input; never a traceback."""

import re

import numpy as np
import pytest

from pages.corrections.settings import (
    AS_THEY_COME,
    DATASET_SHIFT,
    ESTIMATED_RATES,
    EVERY_PREVALENCE,
    INSPECTABLE,
    SAMPLE,
    TRAINING_SIZES,
    TREND,
)
from pages.listed import PAGES
from pages.settings.shared import SHOWN_FIRST, TRAINING, family_members, quantifiers_key
from qcore import DATASETS, ScoringSettings, load_dataset, score_dataset
from qcore.protocols import PrevalencePath
from qcore.quantifiers import FAMILIES, QUANTIFIERS
from qcore.studies.dataset_shift import SHIFT_KINDS
from qcore.studies.threshold_adjustment import adjust_at_thresholds
from qcore.studies.trend import PATHS
from tests.pages.app import (
    FEW_INSTANCES,
    SOME_CLASSIFIERS,
    addresses,
    captions,
    chart,
    components,
    fine,
    lines,
    link,
    long_sentences,
    open_section,
    run,
    script,
    sentence,
    sentences,
    tables,
    warnings,
)

SECTIONS = PAGES["corrections"].sections

PAGE = "corrections"
QUICK = {"data": "digits", "classifier": "Gaussian naive Bayes"}
"""A data set and a classifier that take no time, where any will do."""
LINKED = ("scores", "rates", "correction", "cost")
WEAK = {"data": "tictactoe", "classifier": "Gaussian naive Bayes", "p": "0.3"}


def names(app):
    return [data["name"] for data in components(app, "kept_chart")]


def opened(title, **query):
    """The page with that section open."""
    return run(PAGE, corrections_section=title, **query)


class TestLinkedCharts:
    def test_the_charts_show_what_qcore_computes(self):
        app = fine(run(PAGE, **WEAK))
        scores = score_dataset(load_dataset("tictactoe"), ScoringSettings("x does not win", "Gaussian naive Bayes"))
        adjustment = adjust_at_thresholds(scores, PrevalencePath((0.3,), 100), 0.5, seed=0)
        assert lines(chart(app, "cost")["figure"])["measured"]["y"][1:-1] == adjustment.deviations.measured.tolist()[1:-1]
        assert lines(chart(app, "rates")["figure"])["fpr"]["y"][1:-1] == adjustment.curve.fpr.tolist()
        row = adjustment.corrections.iloc[adjustment.rates.nearest(0.5)]
        assert f"counting says **{row['count']:.0%}**" in sentence(app, "scores")

    def test_four_charts_follow_the_threshold(self):
        app = fine(run(PAGE))
        (bar,) = (bar for bar in components(app, "dragged") if not bar["live"])
        for name in LINKED:
            data = chart(app, name)
            (follow,) = data["follows"]
            assert follow["name"] == "threshold"
            assert follow["values"] == bar["values"]
            assert len(follow["frames"]) == len(bar["values"])
            assert follow["values"][data["indices"][0]] == 0.5
        assert len({chart(app, name)["figure"]["layout"]["height"] for name in LINKED}) == 1, "in two rows of one window"
        for name in ("corrected", *LINKED[:2], "theorem", "cost"):
            assert len(sentences(app, name)) == len(bar["values"])
        assert [button["name"] for button in bar["buttons"]] == ["AC", "X", "Max", "T50", "FM"]
        assert {button["value"] for button in bar["buttons"]} <= set(bar["values"])
        marked = {
            trace["name"]: trace["marker"]["color"] for trace in chart(app, "rates")["figure"]["data"] if "marker" in trace
        }
        signs = {button["name"]: button["colour"] for button in bar["buttons"]}
        assert {name: marked[name] for name in signs} == signs, "as the charts mark them"

    def test_a_typed_threshold_is_met_exactly_and_redraws_nothing(self):
        app = run(PAGE)
        before = {name: chart(app, name)["stamp"] for name in LINKED}
        app.number_input(key="threshold").set_value(0.37).run()
        assert {name: chart(fine(app), name)["stamp"] for name in LINKED} == before, "the browser only moves what moves"
        assert "At 0.37" in sentence(app, "rates")
        app.number_input(key="threshold").set_value(0.3719).run()
        data = chart(fine(app), "rates")
        assert data["follows"][0]["values"][data["indices"][0]] == 0.3719

    def test_the_threshold_is_in_the_link(self):
        app = run(PAGE, threshold="0.4853266027642147", draw="7")
        assert link(fine(app))["threshold"] == ["0.4853266027642147"]
        assert link(app)["draw"] == ["7"]
        data = chart(app, "scores")
        assert data["follows"][0]["values"][data["indices"][0]] == 0.4853266027642147

    def test_the_textbook_picture_follows_rates_of_ones_own(self):
        app = fine(run(PAGE, textbook="true", tpr="0.7", fpr="0.1"))
        data = chart(app, "chosen-rates")
        assert [follow["name"] for follow in data["follows"]] == ["tpr", "fpr"]
        assert lines(data["figure"])["counting (CC), expected"]["y"] == [0.1, 0.7]
        at_09 = data["follows"][0]["frames"][90]
        line = data["figure"]["data"].index(lines(data["figure"])["counting (CC), expected"])
        assert at_09["data"][at_09["traces"].index(line)]["y"] == [0.1, 0.9]
        assert "only at p* = **25%**" in data["follows"][0]["sentences"][70]
        assert [bar["name"] for bar in components(app, "dragged") if not bar["live"]] == ["threshold", "tpr", "fpr"]
        app.number_input(key="fpr").set_value(0.7).run()
        data = chart(fine(app), "chosen-rates")
        assert "Here tpr = fpr" in data["follows"][0]["sentences"][data["indices"][0]]
        app.toggle(key="textbook").set_value(False).run()
        assert "chosen-rates" not in names(fine(app))

    def test_another_draw_is_another_sample(self):
        app = run(PAGE, **WEAK)
        before = chart(app, "scores")["figure"]
        next(button for button in app.button if button.label == "Another draw").click().run()
        assert fine(app).number_input(key="draw").value == 1
        assert chart(app, "scores")["figure"] != before

    @pytest.mark.parametrize("data", DATASETS)
    def test_every_data_set(self, data):
        assert set(LINKED) <= set(names(fine(run(PAGE, data=data, size="20"))))

    @pytest.mark.parametrize("classifier", SOME_CLASSIFIERS)
    def test_every_classifier(self, classifier):
        app = fine(run(PAGE, size="20", classifier=classifier, **FEW_INSTANCES))
        assert set(LINKED) <= set(names(app))

    def test_the_headline_is_the_finding_in_a_few_words(self):
        app = run(PAGE, **WEAK)
        for text in sentences(app, "corrected"):
            assert len(text.split()) <= 25
        assert "the truth is 30%" in sentence(app, "corrected")

    @pytest.mark.parametrize("title", SECTIONS)
    def test_only_the_open_section_is_computed_and_a_reader_is_told_what_to_try(self, title):
        app = fine(opened(title, data="iris", rate_repeats="5"))
        assert not long_sentences(app)
        drawn, text = set(names(app)) - set(LINKED), text_of(app)
        expected = {
            "Threshold": {"cost-in-full"},
            "Inside a method": {"method-inspection"},
            "Over time": {"trend-by-day"},
            "When it breaks": {"shifted-rates", "errors-under-shift", "degradation"},
            "How rates are estimated": {"estimated-rates-chart"},
            "How the policies work": set(),
        }
        assert drawn == expected[title]
        assert title != "Threshold" or text.count("*Try: ") == 4
        assert title not in ("Inside a method", "Over time") or "*Try: " in text
        assert ("*Predict first: " in text) == (title in ("When it breaks", "How rates are estimated"))


class TestMethodInspection:
    @pytest.mark.parametrize("method", INSPECTABLE)
    def test_every_method(self, method):
        app = fine(opened("Inside a method", inspected_method=method, **WEAK))
        drawn = lines(chart(app, "method-inspection")["figure"])
        assert any(method in name for name in drawn)
        truth = drawn["truth"]
        assert 0.3 in (truth["x"][0], truth["y"][0])
        assert "estimate" in " ".join(drawn) or "median" in " ".join(drawn)
        assert ("matched-mixture" in names(app)) == (QUANTIFIERS[method].family == "matching" or method == "KDEy-ML")
        assert any("The truth is 30%" in element.value for element in app.markdown)


class TestTrend:
    @pytest.mark.parametrize("path", PATHS)
    @pytest.mark.parametrize("trained", TRAINING_SIZES)
    def test_every_path_and_training_size(self, path, trained):
        app = fine(opened("Over time", path=path, trained=str(trained), day="30", data="digits"))
        drawn = lines(chart(app, "trend-by-day")["figure"])
        assert drawn["truth"]["y"] == pytest.approx(PATHS[path].at(np.linspace(0, 1, 30)).tolist(), abs=0.5 / 30 + 1e-9)
        assert set(SHOWN_FIRST) < set(drawn)
        assert any(f"Trained on {trained:,} instances" in caption.value for caption in app.caption)

    def test_what_the_data_allows(self):
        app = fine(opened("Over time", data="iris", day="5"))
        assert any("That is what iris and its training prevalence allow instead of 1,000" in c.value for c in app.caption)

    def test_a_typed_path(self):
        app = fine(opened("Over time", path="typed in", typed="0 1", day="20"))
        assert lines(chart(app, "trend-by-day")["figure"])["truth"]["y"][-1] == 1.0

    @pytest.mark.parametrize(
        ("text", "sentence"), [("", "1 to 30 prevalences, got 0"), ("2", "got '2'"), ("<b>", "got '&lt;b'")]
    )
    def test_nonsense_gives_a_sentence_and_leaves_the_rest(self, text, sentence):
        app = fine(opened("Over time", path="typed in", typed=text))
        assert "typed path must" in warnings(app)
        assert "trend-by-day" not in names(app)
        assert set(LINKED) <= set(names(app))

    def test_what_a_person_types_is_never_markdown(self):
        app = fine(opened("Over time", path="typed in", typed="![](//x.y/z)$a$:red[b]"))
        assert r"\!\[\](//x.y/z)\$a\$\:red" in warnings(app)

    def test_more_lines_than_a_chart_holds_become_small_multiples(self):
        every = {quantifiers_key(family): family_members(family) for family in FAMILIES}
        drawn = lines(chart(fine(opened("Over time", **every)), "trend-by-day")["figure"])
        assert set(QUANTIFIERS) <= set(drawn)
        assert len({drawn[method].get("xaxis", "x") for method in QUANTIFIERS}) == len(FAMILIES)


class TestDatasetShift:
    @pytest.mark.parametrize("kind", SHIFT_KINDS)
    @pytest.mark.parametrize("drawn", [AS_THEY_COME, EVERY_PREVALENCE])
    def test_every_kind_and_way(self, kind, drawn):
        app = fine(opened("When it breaks", kind=kind, drawn=drawn, strength="0.5", **QUICK))
        shown = lines(chart(app, "degradation")["figure"])
        assert set(shown) == set(SHOWN_FIRST)
        assert 0.5 in shown["AC"]["x"]
        assert {"fpr, training", "fpr, pool"} <= set(lines(chart(app, "shifted-rates")["figure"]))
        assert SHIFT_KINDS[kind].idea in " ".join(caption.value for caption in app.caption)

    @pytest.mark.parametrize("strength", ["-1", "0", "1"])
    def test_extreme_strengths(self, strength):
        app = fine(opened("When it breaks", strength=strength, kind="concept shift", **QUICK))
        assert "errors-under-shift" in names(app)

    def test_along_a_feature(self):
        score, feature = (fine(opened("When it breaks", data="iris", along=along)) for along in ("score", "petal length (cm)"))
        assert chart(score, "degradation")["figure"] != chart(feature, "degradation")["figure"]
        feature.selectbox(key="data").set_value("wine").run()
        assert fine(feature).selectbox(key="along").value == "score"

    def test_labels_of_the_sample_show_what_nobody_sees_without(self):
        app = fine(opened("When it breaks", kind="concept shift", strength="0.6", shown_labels="0"))
        assert len(tables(app)[0]) == 3
        app.slider(key="shown_labels").set_value(200).run()
        (table,) = tables(fine(app))
        assert len(table) == 6
        assert "yes" in set(table.answer[3:])

    def test_a_feature_that_is_not_there_is_said(self):
        app = fine(opened("When it breaks", along="length of the nose"))
        assert "`length of the nose`, which waveform does not have" in warnings(app)
        assert "degradation" in names(app)


class TestSettings:
    def test_every_control_changes_something_visible(self):
        app = run(PAGE, textbook="true", **QUICK)
        moves = {
            "Threshold": {
                "p": lambda: app.number_input(key="p").set_value(0.6),
                "size": lambda: app.number_input(key="size").set_value(60),
                "draw": lambda: app.number_input(key="draw").set_value(3),
                "threshold": lambda: app.number_input(key="threshold").set_value(0.3),
                "tpr": lambda: app.number_input(key="tpr").set_value(0.9),
                "fpr": lambda: app.number_input(key="fpr").set_value(0.1),
                "textbook": lambda: app.toggle(key="textbook").set_value(False),
                "share": lambda: app.slider(key="share").set_value(0.3),
                "prior": lambda: app.selectbox(key="prior").set_value("20%"),
                "seed": lambda: app.number_input(key="seed").set_value(5),
            },
            "Inside a method": {"inspected_method": lambda: app.selectbox(key="inspected_method").set_value("SORD")},
            "Over time": {
                "path": lambda: app.selectbox(key="path").set_value("step"),
                "trained": lambda: app.button_group(key="trained").set_value(100),
                "day": lambda: app.slider(key="day").set_value(20),
            },
            "When it breaks": {
                "kind": lambda: app.button_group(key="kind").set_value("concept shift"),
                "strength": lambda: app.slider(key="strength").set_value(-0.4),
                "drawn": lambda: app.button_group(key="drawn").set_value("at every prevalence"),
            },
            "How rates are estimated": {"rate_repeats": lambda: app.button_group(key="rate_repeats").set_value(5)},
        }
        moved = {key for of_section in moves.values() for key in of_section}
        assert moved >= {*SAMPLE, *TREND, *DATASET_SHIFT, *TRAINING, *ESTIMATED_RATES} - {"typed", "along", "shown_labels"}
        for title, of_section in moves.items():
            seen = components(open_section(app, "corrections", title), "kept_chart")
            for key, move in of_section.items():
                move().run()
                now = components(fine(app), "kept_chart")
                assert now != seen, key
                seen = now

    def test_numbers_of_folds_stand_beside_each_other(self):
        folds = {"rate_repeats": "5", "rates_compared": "numbers of folds"}
        app = fine(opened("How rates are estimated", data="iris", classifier="Gaussian naive Bayes", **folds))
        drawn = {trace["name"] for trace in chart(app, "estimated-rates-chart")["figure"]["data"]}
        assert {"2 folds tpr", "20 folds AE", "leave-one-out fpr", ".632+ mean AE"} <= drawn
        assert "too few instances for 50 folds" not in text_of(app)
        assert "The thesis expects 50 folds and leave-one-out to be biased" in text_of(app)

    @pytest.mark.parametrize("preset", PAGES["corrections"].presets, ids=lambda preset: preset.name)
    def test_each_preset_shows_a_picture_and_says_why(self, preset):
        app = run(PAGE, data="iris", size="11", threshold="0.9")
        app.button(key=f"preset {preset.name}").click().run()
        assert set(LINKED) <= set(names(fine(app)))
        assert preset.why in captions(app)
        assert not app.warning
        for key, value in preset.settings.items():
            assert app.session_state[key] == value
        app.number_input(key="threshold").set_value(0.31).run()
        assert f"You started from “{preset.name}”. {preset.why}" in captions(app), "its text may ask to move the threshold"
        app.number_input(key="threshold").set_value(preset.settings["threshold"]).run()
        assert preset.why in captions(app)

    def test_where_samples_share_most_of_the_pool_the_picture_says_why_not_to_go_by_them(self):
        app = run(PAGE, data="iris", positive="versicolor", size="40", p="0.4")
        assert "of the pool, so samples share many instances" in captions(fine(app))
        assert "measured (overlap)" in lines(chart(app, "cost")["figure"])
        calm = run(PAGE, size="40")
        assert "share many instances" not in captions(fine(calm))

    def test_what_presets_say_is_so(self):
        def costs(name):
            app = run(PAGE)
            app.button(key=f"preset {name}").click().run()
            return chart(app, "cost-in-full"), app

        good, _ = costs("Good classifier")
        inflation = np.array([y or np.nan for y in lines(good["figure"])["1 / |tpr - fpr|"]["y"]])
        assert np.nanmedian(inflation) < 1.2
        measured = lines(good["figure"])
        assert measured["T50"]["y"][0] > 1.5 * measured["AC"]["y"][0]
        weak, _ = costs("Weak classifier")
        inflation = np.array([y or np.nan for y in lines(weak["figure"])["1 / |tpr - fpr|"]["y"]])
        assert np.nanmin(inflation) > 2.5
        assert np.nanmax(inflation) > 20
        rare, app = costs("Rare positives")
        assert "AC" not in lines(rare["figure"]), "at 0.5 nothing is predicted to be positive, so that nothing can be corrected"
        assert "tells the classes apart no better than chance" in sentence(app, "rates")
        assert lines(rare["figure"])["Max"]["y"][0] < 0.3
        tiny, _ = costs("Tiny training set")
        total, sampling = (np.array(lines(tiny["figure"])[name]["y"][10:90], dtype=float)
                           for name in ("with rates anew", "delta method"))  # fmt: skip
        assert np.nanmedian(total / sampling) > 1.5

    def test_reset_puts_every_setting_back(self):
        app = run(PAGE, data="iris", size="11", threshold="0.9", path="step", kind="concept shift", textbook="true")
        app.button(key="reset").click().run()
        assert link(fine(app)) == link(run(PAGE))

    def test_charts_carry_a_description(self):
        for data in components(run(PAGE), "kept_chart"):
            assert len(data["alt"]) > 20


class TestBadInput:
    """One sentence each, no traceback."""

    def test_a_threshold_with_equal_rates(self):
        app = fine(run(PAGE, threshold="0"))
        assert "Here tpr = fpr" in sentence(app, "rates")
        assert "would divide by 0" in sentence(app, "cost")
        assert "this count is not corrected" in sentence(app, "theorem")

    @pytest.mark.parametrize(("p", "part"), [("0", "There is no positive in this sample."), ("1", "There is no negative")])
    def test_a_class_absent_from_the_sample(self, p, part):
        assert part in sentence(fine(run(PAGE, p=p)), "scores")

    def test_a_sample_larger_than_the_pool(self):
        app = fine(run(PAGE, data="iris", size="500"))
        assert "Samples of 500 do not fit: the pool has 25 positives and 50 negatives" in warnings(app)
        assert "In this sample it takes" in sentence(app, "scores")
        next(button for button in app.button if "Set the size to" in button.label).click().run()
        assert "do not fit" not in warnings(fine(app))

    @pytest.mark.parametrize("query", addresses([
            ("threshold", "2"), ("threshold", "nan"), ("p", "x"), ("p", "-0.1"), ("draw", "1.5"), ("textbook", "maybe"),
            ("tpr", "7"), ("inspected_method", "foo"), ("path", "up"), ("trained", "500"), ("day", "0"), ("kind", "bad luck"),
            ("strength", "3"), ("drawn", "never"), ("typed", "9" * 300),
    ]))  # fmt: skip
    def test_nonsense_in_the_url_gives_the_default_and_says_so(self, query):
        app = fine(run(PAGE, **query, data="balance"))
        assert [value for value in query.values() if f"`{value[:60]}`" not in warnings(app)] == []
        assert set(LINKED) <= set(names(app))
        assert app.selectbox(key="data").value == "balance"

    def test_no_quantifier(self):
        app = run(PAGE, **{quantifiers_key(family): "" for family in FAMILIES})
        for title in ("Over time", "When it breaks"):
            assert warnings(fine(open_section(app, "corrections", title))).count("Choose at least one") == 1
        assert set(LINKED) <= set(names(app))

    def test_a_class_with_too_few_instances(self):
        app = fine(run(PAGE, data="balance", positive="balanced", share="0.02"))
        assert "positive class must have at least 2 training instances, got 1" in warnings(app)

    @pytest.mark.parametrize("size", ["1", "2"])
    def test_tiny_samples(self, size):
        assert set(LINKED) <= set(names(fine(run(PAGE, size=size))))

    def test_rates_of_too_small_a_pool_are_refused_in_words(self):
        app = fine(opened("How rates are estimated", data="balance", positive="balanced", share="0.02"))
        assert "positive class must have at least 2 training instances" in warnings(app)


class TestEstimatedRates:
    def test_nothing_is_trained_before_it_is_opened(self):
        assert "estimated-rates-chart" not in names(fine(run(PAGE)))

    @pytest.mark.parametrize(("classifier", "rows"), [("Gaussian naive Bayes", 5), ("k nearest neighbours", 6), ("PWK", 7)])
    def test_each_usable_way_has_a_row(self, classifier, rows):
        app = fine(opened("How rates are estimated", data="iris", classifier=classifier, rate_repeats="5"))
        figure = chart(app, "estimated-rates-chart")["figure"]
        assert len(figure["layout"]["yaxis"]["categoryarray"]) == rows
        dots = {trace["name"]: trace for trace in figure["data"]}["bootstrap tpr"]
        assert len(dots["x"]) == 5
        assert any("On the pool the model has a tpr of" in element.value for element in app.markdown)
        assert link(app)["rate_repeats"] == ["5"]


class TestWatchedDays:
    def test_a_step_is_seen_and_a_share_that_stays_is_not(self):
        step = fine(opened("Over time", path="step", day="200"))
        assert "shows a move on **day" in text_of(step)
        assert any(button.label == "Watch these counts" for button in step.button)
        still = fine(opened("Over time", path="typed in", typed="0.4 0.4", day="200"))
        assert "shows no move on any day" in text_of(still)


def text_of(app):
    return " ".join(element.value for element in app.markdown)


def test_the_script_draws_the_samples_that_the_page_shows():
    app = fine(run(PAGE, data="iris", classifier="Gaussian naive Bayes"))
    size = int(re.search(r"PrevalencePath\(\(0\.7,\), (\d+)\)", script(app))[1])
    assert size < 100, "fewer than are asked for"
    assert f"of {size} for positives: counting says" in sentence(app, "scores")
