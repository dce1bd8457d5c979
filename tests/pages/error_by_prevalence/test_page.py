"""The page "Error by prevalence" through app.py: each registered thing, each control, each bad input; never a traceback."""

import contextlib
import csv
import io
import re
from urllib.parse import unquote_plus

import numpy as np
import pandas as pd
import pytest

from pages import pipeline
from pages.charts.figure import method_style
from pages.frame.downloads import safe_csv
from pages.frame.presets import OWN_SETTINGS, all_values
from pages.listed import PAGES
from pages.settings.address import LINK_VERSION, link_query, without_defaults
from pages.settings.page_declaration import SETTINGS, settings_of
from pages.settings.shared import AS_FOUND, GRIDS, SHOWN_FIRST, TRAINING_PREVALENCES, family_members, quantifiers_key
from qcore import (
    CLASSIFIERS,
    DATASETS,
    LOSSES,
    NAMED_QUANTIFIERS,
    QUANTIFIERS,
    ArtificialPrevalence,
    ScoringSettings,
    load_dataset,
)
from qcore.evaluation.estimates import estimate, evaluation_report
from qcore.quantifiers import FAMILIES, make_quantifiers
from qcore.scoring.plan import score_dataset
from tests.pages.app import (
    ERROR_PAGE,
    FEW_INSTANCES,
    addresses,
    captions,
    components,
    figures,
    fine,
    lines,
    link,
    long_sentences,
    open_share_menu,
    run,
    script,
    tables,
)
from tests.thorough import mostly_thorough

assert set(SHOWN_FIRST) <= set(QUANTIFIERS)
FIRST = [method for method in QUANTIFIERS if method in SHOWN_FIRST]
EVERY = {quantifiers_key(family): family_members(family) for family in FAMILIES}


def chosen_methods(app):
    return [name for name in lines(figures(app)[0]) if name in QUANTIFIERS]


class TestErrorByPrevalence:
    def test_default_view(self):
        app = fine(run(ERROR_PAGE))
        loss, text = figures(app)
        assert list(lines(loss)) == FIRST
        assert list(lines(text)) == ["truth", *FIRST]
        assert len(lines(loss)["AC"]["x"]) == 21
        assert len(tables(app)) == 1
        assert list(tables(app)[0].method) == FIRST
        assert any("has the lowest mean AE" in element.value for element in app.markdown)
        assert not long_sentences(app)

    def test_the_charts_show_what_qcore_computes(self):
        app = run(ERROR_PAGE)
        scores = score_dataset(load_dataset("waveform"), ScoringSettings("0"))
        samples = ArtificialPrevalence(21, 100, 100).draw(scores.pool_labels, np.random.default_rng(0))
        quantifiers = make_quantifiers(FIRST, scores.training_scores, scores.training_labels)
        result = estimate(quantifiers, scores, samples)
        for method, trace in lines(figures(app)[0]).items():
            expected = np.abs(result.by_method[method] - samples.prevalences).reshape(21, 100).mean(axis=1)
            assert trace["y"] == pytest.approx(expected.tolist())

    @pytest.mark.parametrize("data", DATASETS)
    def test_every_data_set(self, data):
        app = fine(run(ERROR_PAGE, data=data, size="20"))
        assert len(figures(app)) == 2
        dataset = load_dataset(data)
        assert f" of {len(dataset.labels):,} instances: " in captions(app)
        assert app.selectbox(key="positive").value == dataset.default_positive

    def test_data_sets_that_differ_in_nothing_else_do_not_share_a_cache(self):
        for data in ("monks-1", "monks-2", "monks-3"):
            shown = lines(figures(run(ERROR_PAGE, data=data, size="50"))[0])["CC"]["y"]
            scores = score_dataset(load_dataset(data), ScoringSettings("monk"))
            report = evaluation_report(scores, ["CC"], ArtificialPrevalence(21, 50, 100))
            assert shown == pytest.approx(report.groupby("true").AE.mean().tolist())

    @pytest.mark.parametrize("positive", load_dataset("digits").classes)
    def test_every_class_can_be_positive(self, positive):
        app = fine(run(ERROR_PAGE, data="digits", positive=positive, size="20", repeats="2"))
        assert app.selectbox(key="positive").value == positive
        assert len(figures(app)) == 2

    @pytest.mark.parametrize("classifier", CLASSIFIERS)
    def test_every_classifier(self, classifier):
        app = fine(run(ERROR_PAGE, classifier=classifier, size="10", repeats="5", **FEW_INSTANCES))
        assert len(figures(app)) == 2
        assert CLASSIFIERS[classifier].idea in app.selectbox(key="classifier").help

    @pytest.mark.parametrize("loss", LOSSES)
    def test_every_loss_is_drawn_and_explained(self, loss):
        app = fine(run(ERROR_PAGE, loss=loss))
        drawn = figures(app)[0]
        assert tuple(drawn["layout"]["yaxis"]["range"]) == LOSSES[loss].axis
        assert loss in drawn["layout"]["title"]["text"]
        text = " ".join(element.value for element in app.markdown)
        assert LOSSES[loss].formula in text
        assert LOSSES[loss].source in text

    def test_every_quantifier_is_explained(self):
        app = run(ERROR_PAGE, error_by_prevalence_section="How the quantifiers work", **EVERY)
        text = " ".join(element.value for element in [*app.markdown, *app.caption])
        for entry in QUANTIFIERS.values():
            assert entry.idea in text
            assert entry.formula in text
            assert entry.source in text

    def test_more_lines_than_a_chart_holds_become_small_multiples(self):
        app = fine(run(ERROR_PAGE, **EVERY))
        for drawn in figures(app):
            text = lines(drawn)
            assert set(QUANTIFIERS) <= set(text)
            for family, members in EVERY.items():
                panels = {text[member].get("xaxis", "x") for member in members if text[member]["mode"] == "lines+markers"}
                assert len(panels) == 1, family
            assert len({text[method].get("xaxis", "x") for method in QUANTIFIERS}) == len(FAMILIES)

    @pytest.mark.parametrize("method", QUANTIFIERS)
    def test_every_quantifier_alone(self, method):
        only = {quantifiers_key(family): "" for family in FAMILIES}
        only[quantifiers_key(QUANTIFIERS[method].family)] = method
        app = fine(run(ERROR_PAGE, repeats="5", **only))
        assert chosen_methods(app) == [method]
        assert len(figures(app)) == 2

    @pytest.mark.parametrize("grid", GRIDS)
    def test_every_grid(self, grid):
        app = fine(run(ERROR_PAGE, grid=str(grid)))
        assert len(lines(figures(app)[0])["CC"]["x"]) == grid

    @pytest.mark.parametrize("prior", mostly_thorough(TRAINING_PREVALENCES))
    def test_every_training_prevalence(self, prior):
        app = fine(run(ERROR_PAGE, prior=prior, classifier="Gaussian naive Bayes", repeats="20"))
        marked = figures(app)[0]["layout"]["shapes"][0]["x0"]
        assert marked == pytest.approx(1674 / 5000 if prior == AS_FOUND else float(prior[:-1]) / 100, abs=0.02)

    def test_every_control_changes_something_visible(self):
        app = run(ERROR_PAGE)
        moves = {
            "size": lambda: app.number_input(key="size").set_value(60),
            "share": lambda: app.slider(key="share").set_value(0.3),
            "repeats": lambda: app.number_input(key="repeats").set_value(20),
            "prior": lambda: app.selectbox(key="prior").set_value("20%"),
            "free": lambda: app.toggle(key="free").set_value(True),
            "seed": lambda: app.number_input(key="seed").set_value(5),
            "classifier": lambda: app.selectbox(key="classifier").set_value("Gaussian naive Bayes"),
            "positive": lambda: app.selectbox(key="positive").set_value("1"),
            "data": lambda: app.selectbox(key="data").set_value("digits"),
            "q_counting": lambda: app.button_group(key="q_counting").set_value(["PCC"]),
        }
        seen = figures(app)
        for key, move in moves.items():
            move().run()
            now = figures(fine(app))
            assert now != seen, key
            seen = now

    def test_bands_are_drawn_around_all_lines_and_named_in_the_csv(self):
        app = fine(run(ERROR_PAGE, bands="95% of the mean"))
        bands = [trace for trace in figures(app)[0]["data"] if trace["name"].endswith(" band")]
        assert [trace.get("meta") for trace in bands] == [None] * len(FIRST)
        assert "Bands: 95% intervals of the mean" in captions(app)
        none = figures(fine(run(ERROR_PAGE, bands="off")))[0]["data"]
        assert not [trace for trace in none if trace["name"].endswith(" band")]

    def test_three_losses_stand_side_by_side_and_the_script_draws_them(self):
        app = fine(run(ERROR_PAGE, data="balance", size="15", repeats="7", beside="true", bands="percentiles"))
        (shown,) = figures(app)
        assert {trace["yaxis"] for trace in shown["data"] if trace["name"].startswith("AC")} == {"y", "y2", "y3"}
        assert len([trace for trace in shown["data"] if trace["name"].partition(",")[0] in FIRST]) == 3 * len(FIRST)
        assert link(app)["beside"] == ["true"]
        report: dict = {}
        exec(script(app).replace(".show()", ""), report)
        for key, axis in (("AE", "y"), ("RAE", "y2"), ("KLD", "y3")):
            (drawn,) = [t for t in shown["data"] if t["name"] in ("AC", f"AC, {key}") and t["yaxis"] == axis]
            rows = report["curves"].query("method == 'AC' and loss == @key")
            assert drawn["y"] == pytest.approx(rows["mean"].tolist(), abs=1e-7)

    def test_a_typed_size_is_the_samples(self):
        app = run(ERROR_PAGE)
        app.number_input(key="size").set_value(42).run()
        fine(app)
        assert "of 42." in " ".join(caption.value for caption in app.caption)

    def test_a_new_loss_or_one_more_quantifier_recomputes_no_estimate(self, monkeypatch):
        app = run(ERROR_PAGE, size="91", q_counting="CC")
        computed = []
        original = pipeline.estimates_in_turn

        def counted(scores, wanted, **more):
            computed.extend(list(methods) for _, methods in wanted)
            return original(scores, wanted, **more)

        monkeypatch.setattr(pipeline, "estimates_in_turn", counted)
        app.button_group(key="loss").set_value("KLD").run()
        assert computed == []
        app.button_group(key="q_counting").set_value(["CC", "PCC"]).run()
        assert computed == [["PCC"]]
        assert "PCC" in chosen_methods(app)

    def test_axes_stay_fixed_until_freed(self):
        app = run(ERROR_PAGE)
        before = figures(app)[0]["layout"]["yaxis"]["range"]
        app.number_input(key="size").set_value(20).run()
        assert figures(app)[0]["layout"]["yaxis"]["range"] == before
        app.toggle(key="free").set_value(True).run()
        low, high = figures(app)[0]["layout"]["yaxis"]["range"]
        highest = max(max(trace["y"]) for trace in lines(figures(app)[0]).values())
        assert low == 0
        assert highest < high < 1.1 * highest

    def test_charts_carry_a_description(self):
        for data in components(run(ERROR_PAGE), "kept_chart"):
            assert len(data["alt"]) > 20

    def test_the_python_behind_the_picture_gives_the_tables_means(self):
        app = run(
            ERROR_PAGE, data="balance", size="15", repeats="7", prior="30%", loss="KLD", seed="3", smoothing="half a count"
        )
        means = tables(app)[0].set_index("method")["mean"]
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(script(app), "snippet", "exec"), {})
        text = dict(line.split() for line in printed.getvalue().splitlines()[1:-1])
        assert list(text) == FIRST
        assert [float(value) for value in text.values()] == pytest.approx(means.tolist(), abs=1e-5)


class TestNamedMethods:
    """A classifier and a correction by one name."""

    @pytest.mark.parametrize("key", NAMED_QUANTIFIERS)
    def test_choosing_one_sets_both(self, key):
        app = run(ERROR_PAGE, data="iris", q_counting="", q_adjustment="PACC", size="20")
        app.selectbox(key="named").set_value(key).run()
        pair = NAMED_QUANTIFIERS[key]
        assert app.selectbox(key="classifier").value == fine(app).session_state["classifier"] == pair.classifier
        assert app.selectbox(key="named").value is None, "ready for the next"
        chosen = {method for family in FAMILIES for method in app.session_state[quantifiers_key(family)]}
        assert {pair.quantifier, "PACC"} <= chosen
        assert pair.quantifier in lines(figures(app)[0])
        assert link(app)["classifier"] == [pair.classifier]

    def test_it_is_called_so(self):
        app = fine(
            run(ERROR_PAGE, data="iris", classifier="PWK-alpha", size="20", q_counting="CC", q_adjustment="AC", q_likelihood="")
        )
        names = {note["text"]: note.get("hovertext") for note in figures(app)[0]["layout"]["annotations"]}
        assert names["<b>PWK-alpha</b>"] == "Adjusted count, AC"
        assert "<b>CC</b>" in names
        assert "<b>AC</b>" not in names
        assert set(tables(app)[0].method) == {"CC", "PWK-alpha"}
        assert "**AC**" not in " ".join(element.value for element in app.markdown)
        assert "PWK-alpha: AC on the classifier PWK-alpha" in " ".join(element.value for element in app.markdown)
        plain = fine(run(ERROR_PAGE, data="iris", size="20"))
        assert "<b>AC</b>" in {note["text"] for note in figures(plain)[0]["layout"]["annotations"]}

    def test_a_page_without_quantifiers_takes_the_classifier(self):
        app = run("search_space", data="iris", learners="")
        app.selectbox(key="named").set_value("KNN").run()
        assert fine(app).session_state["classifier"] == "KNN"


class TestPresets:
    def test_what_they_say_is_so(self):
        def means(name):
            app = run(ERROR_PAGE)
            if name:
                app.button(key=f"preset {name}").click().run()
            return tables(app)[0].set_index("method")["mean"], lines(figures(app)[1])

        textbook, _ = means("Textbook case")
        assert (textbook[["AC", "PACC", "EMQ"]] < textbook["CC"] / 2).all()
        unlucky = tables(run(ERROR_PAGE, q_thresholds="T50"))[0].set_index("method")["mean"]
        assert unlucky["T50"] > unlucky["AC"]
        rare, text = means("Rare positives")
        assert max(text["CC"]["y"][:-1]) < 0.01
        assert max(text["AC"]["y"][:-1]) < 0.02
        assert (rare[["PACC", "MS"]] < 0.1).all()
        assert rare[["T50", "EMQ", "DyS-PS"]].between(0.1, 0.2).all()
        weak, text = means("Weak classifier")
        assert weak.idxmin() == "DyS-PS"
        assert np.ptp(text["CC"]["y"]) < 0.4 < 0.7 < np.ptp(text["AC"]["y"])
        tiny, _ = means("Tiny training set")
        assert (tiny[["AC", "PACC", "T50"]] > tiny["CC"] * 1.5).all()
        assert (tiny[["MS", "DyS-PS"]] < tiny["CC"] * 1.2).all()

    @pytest.mark.parametrize("preset", PAGES["error_by_prevalence"].presets, ids=lambda preset: preset.name)
    def test_no_two_lines_of_one_have_the_same_colour(self, preset):
        chosen = [m for key in EVERY for m in all_values("error_by_prevalence", preset)[key]]
        assert len({method_style(method).colour for method in chosen}) == len(chosen) <= 8

    def test_a_preset_stays_itself_under_another_loss(self):
        app = run(ERROR_PAGE)
        app.button(key="preset Weak classifier").click().run()
        app.button_group(key="loss").set_value("KLD").run()
        assert PAGES["error_by_prevalence"].presets[2].why in captions(app)
        app.number_input(key="size").set_value(50).run()
        assert OWN_SETTINGS in captions(app)

    @pytest.mark.parametrize("preset", PAGES["error_by_prevalence"].presets, ids=lambda preset: preset.name)
    def test_each_shows_a_picture_and_says_why(self, preset):
        app = run(ERROR_PAGE, data="iris", size="11", loss="RAE")
        app.button(key=f"preset {preset.name}").click().run()
        assert len(figures(fine(app))) == 2
        assert preset.why in captions(app)
        assert app.button_group(key="loss").value == "RAE", "a preset keeps the way of looking"
        for key, value in preset.settings.items():
            assert app.session_state[key] == value

    def test_reset_puts_every_setting_back(self):
        app = run(ERROR_PAGE, data="iris", size="11", loss="RAE", seed="9", q_counting="CC", free="true", prior="20%")
        app.button(key="reset").click().run()
        assert link(fine(app)) == link(run(ERROR_PAGE))

    def test_the_order_of_clicks_does_not_matter(self):
        app = run(ERROR_PAGE)
        app.button_group(key="q_counting").set_value(["PCC", "CC"]).run()
        assert link(app)["q_counting"] == ["CC", "PCC"]
        app.button_group(key="q_counting").set_value(["CC"]).run()
        assert PAGES["error_by_prevalence"].presets[0].why in captions(app)


class TestLink:
    def test_spells_every_setting_and_the_version(self):
        spelt = link(run(ERROR_PAGE))
        assert set(spelt) == {"v", *settings_of("error_by_prevalence")}
        assert spelt["v"] == [LINK_VERSION]
        assert spelt["data"] == ["waveform"]
        assert spelt["q_adjustment"] == ["AC", "PACC"]

    def test_opens_the_same_picture(self):
        app = run(ERROR_PAGE, data="digits", size="33", loss="SE", seed="4", q_counting="PCC", q_baseline="", prior="10%")
        again = run(ERROR_PAGE, **link(app))
        assert figures(fine(again)) == figures(app)
        assert not again.warning

    def test_an_address_is_shortened_to_what_differs(self):
        spelt = link(run(ERROR_PAGE, data="digits", size="33", q_counting="PCC"))
        assert without_defaults(spelt) == {"data": ["digits"], "size": ["33"], "q_counting": ["PCC"]}
        odd = {"v": ["9"], "size": ["many"], "foo": ["1"], "data": ["nowhere"], "positive": ["malignant"]}
        assert without_defaults(odd) == odd

    @pytest.mark.parametrize("key", SETTINGS)
    def test_every_settings_default_passes_its_own_rule(self, key):
        setting = SETTINGS[key]
        if setting.default is not None:
            words = link_query({key: setting.default})
            assert setting.parse([unquote_plus(part.split("=")[1]) for part in words.split("&")[1:]]) == setting.default


class TestBadInput:
    """One sentence that names the value and the way out; the other settings survive."""

    @pytest.mark.parametrize("query", addresses([
            ("data", "nowhere"), ("classifier", "magic"), ("loss", "MAE"), ("grid", "1"), ("grid", "x"), ("size", "many"),
            ("size", "-3"), ("size", "1e9"), ("repeats", "0"), ("share", "1.5"), ("prior", "0.333"), ("seed", "-1"),
            ("free", "perhaps"), ("today", "2"), ("positive", "unicorn"), ("positive", "[x](javascript:1)"),
            ("q_counting", "EM"), ("size", "nan"), ("size", "inf"), ("share", "nan"), ("share", "inf"), ("seed", "9" * 400),
            ("data", "<img src=x>"), ("grid", "\uff11\uff11"), ("size", "\uff14\uff12"),
    ]))  # fmt: skip
    def test_nonsense_in_the_url_gives_the_default_and_says_so(self, query):
        app = fine(run(ERROR_PAGE, **{"loss": "KLD"} | query))
        warnings = " ".join(warning.value for warning in app.warning)
        assert [value for value in query.values() if value[:50] not in warnings] == []
        assert len(figures(app)) == 2
        assert "loss" in query or "KLD" in figures(app)[0]["layout"]["title"]["text"], "the other setting is gone"

    def test_what_people_supply_is_never_markdown(self):
        app = fine(run(ERROR_PAGE, positive="\n\n[click](http://evil.example/x) **bold** `code`"))
        (warning,) = app.warning
        assert "\n\n[click]" not in warning.value
        assert "`[click](http://evil.example/x) **bold** 'code'`" in warning.value

    def test_unknown_settings_and_versions_are_named(self):
        app = run(ERROR_PAGE, dataset="iris", v="7")
        warnings = " ".join(warning.value for warning in fine(app).warning)
        assert "`dataset`" in warnings
        assert "another version (`7`" in warnings
        (older,) = fine(run(ERROR_PAGE, v="1")).warning
        assert "was made by version 0.1.0" in older.value
        assert "Numbers that have changed since: Rows that are equal" in older.value
        app.button(key="dismiss_notices").click().run()
        assert not fine(app).warning

    def test_no_quantifier(self):
        app = run(ERROR_PAGE)
        for key in EVERY:
            app.button_group(key=key).set_value([])
        app.run()
        assert not figures(fine(app))
        assert "Choose at least one" in app.warning[0].value
        app.button_group(key="q_counting").set_value(["CC"]).run()
        assert chosen_methods(app) == ["CC"]

    def test_a_sample_larger_than_the_pool_allows(self):
        app = run(ERROR_PAGE, data="iris", loss="KLD")
        (warning,) = fine(app).warning
        assert "Samples of 100 do not fit: the pool has 25 positives and 50 negatives" in warning.value
        assert "have 25, the largest size that works" in warning.value
        assert app.number_input(key="size").value == 100, "the setting is the person's"
        shown = figures(app)
        next(button for button in app.button if "25" in button.label).click().run()
        assert figures(fine(app)) == shown
        assert not app.warning
        assert app.number_input(key="size").value == 25
        assert app.session_state["loss"] == "KLD"
        app.number_input(key="size").set_value(30)
        assert app.selectbox(key="data").set_value("wdbc").run().number_input(key="size").value == 30

    def test_a_class_with_too_few_instances(self):
        app = fine(run(ERROR_PAGE, data="balance", positive="balanced", share="0.02", size="10"))
        assert "positive class must have at least 2 training instances, got 1" in app.warning[0].value

    def test_fewer_folds_are_said(self):
        app = fine(run(ERROR_PAGE, data="balance", positive="balanced", share="0.1", size="10"))
        assert any("folds instead of 10" in element.value for element in app.markdown)

    def test_another_data_set_after_a_chosen_class(self):
        app = run(ERROR_PAGE, data="wdbc", size="20", positive="benign")
        app.selectbox(key="data").set_value("wine").run()
        assert fine(app).selectbox(key="positive").value == "2"
        assert len(figures(app)) == 2
        assert not app.warning


class TestCsv:
    def test_formulas_are_neutralised_and_numbers_are_not(self):
        table = pd.DataFrame({"=name": ["=1+1", "@x", "+y", "-z", "\tq", "fine"], "bias": [-0.5, 1, 2, 3, 4, 5]})
        text = safe_csv(table).decode()
        assert text.splitlines()[:3] == ["'=name,bias", "'=1+1,-0.5", "'@x,1.0"]
        assert "'-z" in text
        assert "fine,5.0" in text
        assert "'-0.5" not in text

    ELSEWHERE = ("x;=1+1", "a\r=1+1", "a\n@x", "x;;+y", "x, =1", "x|-y", "-5;=1", 'x;"=1"', "x\t=1", "a\u2028=1", "\uff1d1+1")
    """Cells that begin like a formula where another reader begins a cell or a row."""
    NUMBERS = ("-1", "+5", "-1.5e3", "-1,5", "-10%", "1;-2")

    def test_no_cell_of_another_reader_is_a_formula(self):
        table = pd.DataFrame({"class": [*self.ELSEWHERE, *self.NUMBERS], "x;=2": 1.0})
        text = safe_csv(table).decode()
        for separator in ",;|\t":
            for quoting in (csv.QUOTE_MINIMAL, csv.QUOTE_NONE):
                rows = csv.reader(re.split("[\r\n\u2028]", text), delimiter=separator, quoting=quoting)
                starts = {cell.strip(' \t"')[:2] for row in rows for cell in row}
                assert not {start for start in starts if re.match(r"[=@\uff1d]|[+-]\D", start)}

    def test_a_number_stays_one_and_a_cell_stays_a_cell(self):
        table = pd.DataFrame({"class": [*self.NUMBERS, *self.ELSEWHERE]})
        read = [row[0] for row in csv.reader(io.StringIO(safe_csv(table).decode(), newline=""))]
        assert read[1 : 1 + len(self.NUMBERS)] == list(self.NUMBERS)
        assert [cell.replace("'", "") for cell in read[1 + len(self.NUMBERS) :]] == list(self.ELSEWHERE)

    def test_both_downloads_are_offered(self):
        labels = [button.label for button in open_share_menu(run(ERROR_PAGE)).get("download_button")]
        assert labels == ["Curves as CSV", "Settings as text", "Table as CSV", "All estimates as CSV"]


def test_samples_that_are_nearly_the_whole_pool_are_said():
    def said(app):
        return any("share more than half of their instances" in text.value for text in app.markdown)

    assert not said(fine(run(ERROR_PAGE)))
    assert said(fine(run(ERROR_PAGE, data="wdbc", size=100)))
