"""The page "Estimate" through app.py: three ways in, every preset and section, what it says, files that do not fit."""

import contextlib
import io
import json
import re
from dataclasses import replace
from importlib.metadata import version

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from pages import pipeline
from pages.charts.figure import NEGATIVES, NEUTRAL, POSITIVES
from pages.estimate import computations
from pages.estimate.controls import EstimateRequest, OwnSample
from pages.estimate.downloads import as_json, facts_of
from pages.estimate.estimate_view import EstimateView
from pages.estimate.findings import (
    classifier_sentence,
    comparison_sentences,
    estimate_headline,
    mixture_sentence,
    outside_sentence,
    rates_sentence,
    report_sentence,
    verdict,
    warning,
)
from pages.estimate.intervals_figure import intervals_figure, mixture_figure
from pages.estimate.settings import CELLS, COUNTS, DRAWN, LABELLED_PART, OWN, RATES, WAYS
from pages.frame.sidebar import SidebarChoice
from pages.listed import PAGES
from pages.settings.address import url_words
from qcore import (
    Counts,
    DatasetReference,
    RandomStream,
    ScoringSettings,
    estimate_sample,
    load_dataset,
    random_stream,
    score_dataset,
    score_sample,
)
from qcore.__main__ import main
from qcore.intervals import INTERVALS, GoodnessOfFit, expected_width, mixture_fit
from qcore.measures.probability import CalibrationCheck
from qcore.recommender import SampleRecommendation
from qcore.scoring.plan import scoring_seconds
from tests.pages.app import (
    chart,
    components,
    figures,
    fine,
    link,
    long_sentences,
    open_share_menu,
    place_of,
    run,
    script,
    tables,
)

SECTIONS = PAGES["estimate"].sections

PAGE = "estimate"
CHARTS = {
    "Can it be trusted": [],
    "Which shift": [],
    "Which method": [],
    "Intervals compared": ["posterior"],
    "All classes": ["regions", "class-estimates"],
    "How many do I need": ["needed", "widths"],
    "Coverage": ["hundred-default", "hundred-other", "coverage-by-prevalence", "coverage-by-size"],
    "Rules in use": ["rules-coverage", "rules-width"],
    "How it works": [],
}


def words(app):
    return " ".join(element.value for element in [*app.markdown, *app.caption, *app.info])


def names(app):
    return [data["name"] for data in components(app, "kept_chart")]


def sample_file(app, frame, name="sample.csv"):
    app.file_uploader(key="own sample").set_value((name, frame.to_csv(index=False).encode(), "text/csv")).run()
    return app


class TestThreeWays:
    def test_zero_clicks_show_an_estimate_with_its_interval_and_the_truth(self):
        app = fine(run(PAGE, way=DRAWN))
        assert names(app) == ["intervals", "mixture"]
        assert "are class 0 (95% interval: " in words(app)
        assert "In truth it is 40%." in words(app)
        assert [
            word in words(app)
            for word in ("Are the rates known", "mixture of the two classes", "within the range of the labelled data? **Yes")
        ]

    def test_the_interval_holds_what_the_function_says(self):
        app = fine(run(PAGE, data="iris", positive="versicolor", size="20", sample_share="0.5"))
        drawn = {trace["name"]: trace for trace in chart(app, "intervals")["figure"]["data"]}
        assert [name for name in drawn if "estimate" not in name] == ["EMQ", "PACC", "AC", "CC"]
        for name in ("EMQ", "PACC", "AC", "CC"):
            low, high = drawn[name]["x"]
            assert 0.0 <= low <= drawn[f"{name} estimate"]["x"][0] + 0.05 <= high + 0.1

    def test_counts_are_answered_by_every_interval(self):
        app = fine(run(PAGE, way=COUNTS))
        assert names(app) == ["intervals"]
        result = {trace["name"]: trace["x"] for trace in figures(app)[0]["data"]}
        counts = Counts(760, 2000, 66, 80, 18, 120)
        for key, entry in INTERVALS.items():
            assert result[key] == pytest.approx([float(end) for end in entry.interval(counts, 0.95)])
        assert "34.1% are positive (95% interval: 25.5% to 42.2%), by AC." in words(app)

    @pytest.mark.parametrize("level", ["90%", "99%"])
    def test_widths_are_those_of_the_level_and_know_that_perfect_rates_are_not_perfectly_known(self, level):
        perfect = {"count_tp": "20", "count_pos": "20", "count_fp": "0", "count_neg": "20"}
        app = fine(run(PAGE, way=COUNTS, level=level, estimate_section="How many do I need", **perfect))
        rates, size = (21 / 22, 1 / 22), {"sample_size": 2000, "level": float(level[:-1]) / 100.0}
        width = float(expected_width(0.38, rates, 20, 20, **size))
        assert f"The interval is about {100 * width:.0f} points wide. Of the next 100 labels" in words(app)

    def test_counts_that_are_none_are_one_sentence(self):
        app = run(PAGE, way=COUNTS, count_x="3000")
        assert "at most 2,000, the number of instances of the sample, got 3,000" in app.warning[0].value
        assert not app.exception
        assert not names(app), "there was no picture before"

    def test_while_counts_contradict_each_other_the_last_picture_stays(self):
        app = fine(run(PAGE, way=COUNTS))
        before = figures(app)[0]["data"]
        app.number_input(key="count_tp").set_value(81).run()
        assert "True positives must be at most 80, the number of labelled positives, got 81" in app.warning[0].value
        assert not open_share_menu(app).get("download_button"), "their first line would spell counts that they are not of"
        assert figures(app)[0]["data"] == before
        assert "the last counts that did not contradict each other" in words(app)
        app.number_input(key="count_pos").set_value(90).run()
        assert not fine(app).warning
        assert figures(app)[0]["data"] != before

    def test_a_sample_of_ones_own_is_scored_by_a_model_of_all_labels(self):
        data = load_dataset("wdbc")
        sample = data.features.iloc[np.r_[0:60, 400:440]]
        app = fine(sample_file(run(PAGE, data="wdbc", way=OWN), sample))
        expected = estimate_sample(*score_sample(data, sample, data.default_positive), ["AC"]).table.iloc[0]
        drawn = {trace["name"]: trace["x"] for trace in chart(app, "intervals")["figure"]["data"]}
        assert drawn["AC"] == pytest.approx([expected.low, expected.high], abs=1e-6)
        assert "In truth" not in words(app)

    def test_a_column_of_groups_gives_an_estimate_for_each(self):
        data = load_dataset("wdbc")
        months = ["may" if label == data.default_positive else "june" for label in data.labels]
        sample = data.features.assign(name=range(len(months)), month=months)
        app = fine(sample_file(run(PAGE, data="wdbc", way=OWN, by="month"), sample))
        assert names(app) == ["groups", "differences"]
        table = tables(app)[0]
        shares = table.set_index("group").share
        assert shares["may"] > 0.9
        assert shares["june"] < 0.1
        assert table.difference.isna().tolist() == [True, False]
        assert abs(table.difference[1]) > 80.0, "points of percent"
        share = {"may": "fell", "june": "rose"}[table.group[0]]
        assert f"**The share of malignant {share} by " in words(app)

    def test_groups_that_are_alike_do_not_differ_and_the_base_can_be_chosen(self):
        data = load_dataset("wdbc")
        sample = data.features.assign(team=["red" if number % 2 else "blue" for number in range(len(data.features))])
        app = sample_file(run(PAGE, data="wdbc", way=OWN), sample)
        app = fine(app.selectbox(key="by").set_value("team").run())
        assert words(app).count("No clear change from blue to red") == 1, "the headline is not said again"
        box = app.selectbox(key="against")
        assert box.options == ["blue", "red", "all others"]
        app = fine(box.set_value("all others").run())
        assert "No group differs clearly from the others together." in words(app)
        assert tables(app)[0].group.tolist() == ["blue", "red"]

    def test_another_quantifier_compares_groups_by_a_joint_bootstrap(self):
        data = load_dataset("wdbc")
        team = np.where(data.labels == data.default_positive, "red", "blue")
        app = sample_file(run(PAGE, data="wdbc", way=OWN, by="team"), data.features.assign(team=team))
        app = fine(app.selectbox(key="groups_method").set_value("PACC").run())
        assert "The labelled instances are redrawn once for all groups" in words(app)
        assert "PACC, 95% intervals" in json.dumps(figures(app)[0]["layout"]["title"])
        difference = tables(app)[0].difference.dropna().iloc[0]
        assert difference > 80.0
        assert "method='PACC', seed=0" in script(app)

    def test_small_multiples_compare_within_each_panel(self):
        data = load_dataset("wdbc")
        number = np.arange(len(data.features))
        positive = data.labels == data.default_positive
        team, month = np.where(number % 2, "red", "blue"), np.where((number % 2 > 0) & positive, "2026-06", "2026-05")
        sample = data.features.assign(team=team, month=month)
        sample.loc[number % 7 == 3, "month"] = "2026-06"
        app = fine(sample_file(run(PAGE, data="wdbc", way=OWN, by="month", panels="team"), sample))
        assert names(app) == ["groups"]
        table = tables(app)[0]
        assert table[["panel", "group"]].to_numpy().tolist() == [
            [team, month] for team in ("blue", "red") for month in ("2026-05", "2026-06")
        ], "dates as they are written"
        found = table.dropna(subset="difference").set_index("panel").difference
        assert found["red"] > 30.0
        assert abs(found["blue"]) < 15.0
        assert "red: The share of malignant rose by" in words(app)
        figure = figures(app)[0]
        assert [one["text"] for one in figure["layout"]["annotations"]][1:] == ["<b>blue</b>", "<b>red</b>"]

    def test_of_many_small_groups_it_says_how_many_there_are(self):
        data = load_dataset("wdbc")
        sample = data.features.assign(day=[f"day {number % 30}" for number in range(len(data.features))])
        app = fine(sample_file(run(PAGE, data="wdbc", way=OWN, by="day"), sample))
        (caption,) = [text.value for text in app.caption if "Fewer than 20 instances" in text.value]
        table = tables(app)[0]
        n_small = int((table["size"] < 20).sum())
        assert n_small > 10
        assert caption.count("day ") == 9
        assert f"and {n_small - 9} more." in caption

    def test_the_mixture_has_one_p_value_on_the_page(self):
        app = fine(run(PAGE, estimate_section="Which shift"))
        (tests,) = tables(app)
        (title,) = chart(app, "mixture")["figure"]["layout"]["title"]["text"].split("<br>")
        assert f"p-value {tests.p_value[0]:.3f}" in title

    def test_before_there_is_a_file_the_page_says_what_it_waits_for(self):
        app = fine(run(PAGE, way=OWN))
        assert "Choose two files" in words(app)
        assert not names(app)

    @pytest.mark.parametrize(
        ("frame", "sentence"),
        [
            (pd.DataFrame({"x": [1, 2], "y": [3, 4]}), "have the 30 features"),
            (load_dataset("wdbc").features[:0], "have a column and rows"),
        ],
    )
    def test_a_sample_that_does_not_fit_is_one_sentence(self, frame, sentence):
        app = sample_file(run(PAGE, data="wdbc", way=OWN), frame)
        assert sentence in app.warning[0].value
        assert not app.exception


@pytest.mark.parametrize("title", SECTIONS)
def test_only_the_open_section_is_computed(title):
    app = fine(run(PAGE, data="iris", positive="versicolor", size="20", estimate_section=title))
    assert not long_sentences(app)
    assert names(app)[2:] == CHARTS[title]


def test_the_section_on_coverage_shows_what_the_sample_alone_misses():
    app = fine(run(PAGE, estimate_section="Coverage", way=COUNTS))
    (table,) = tables(app)
    shares = table.set_index("method").coverage
    assert shares["Lang-Reiczigel"] > 0.93
    assert shares["sample alone"] < 0.7
    app.slider(key="simulated_labels").set_value(2000).run()
    assert tables(fine(app))[0].set_index("method").coverage["sample alone"] > shares["sample alone"] + 0.2


@pytest.mark.parametrize("preset", PAGES["estimate"].presets, ids=lambda preset: preset.name)
def test_every_preset_shows_what_it_says(preset):
    app = fine(run(PAGE, **url_words(preset.settings)))
    assert preset.why in words(app)
    assert names(app)
    assert not long_sentences(app)
    assert link(app)


class TestSections:
    def test_the_recommender_chooses_among_the_quantifiers_shown(self):
        app = fine(run(PAGE, data="wdbc", estimate_section="Which method"))
        (table,) = tables(app)
        assert set(table.candidate) == {"CC", "AC", "PACC", "EMQ"}
        assert table.votes.sum() == pytest.approx(1.0)
        best = table.candidate[table.error.argmin()]
        assert f"the mean AE of **{best}** was lowest" in words(app)
        assert "AC is recommended above" in words(app)
        assert len(re.findall(r"\bTake [A-Z]", words(app))) == 1, "one recommendation on the page"

    def test_it_chooses_for_a_sample_of_ones_own(self):
        data = load_dataset("wdbc")
        app = fine(sample_file(run(PAGE, data="wdbc", way=OWN, estimate_section="Which method"), data.features[::5]))
        assert "The recommender looks at this sample itself" in words(app)

    def test_text_in_place_of_numbers_is_said(self):
        data = load_dataset("wdbc")
        sample = data.features[::5].astype({data.features.columns[0]: object})
        sample.iloc[:4, 0] = "n.n."
        app = fine(sample_file(run(PAGE, data="wdbc", way=OWN), sample))
        said = f"Not a finite number, so the median of the labelled data is taken: 4 in {data.features.columns[0]}."
        assert said in words(app)

    def test_what_is_missing_of_a_sample_alone_is_said_and_is_not_within_the_labelled_range(self):
        sample = load_dataset("wdbc").features[::5].copy()
        sample.iloc[:40, 0] = np.nan
        shown = words(fine(sample_file(run(PAGE, data="wdbc", way=OWN), sample)))
        assert f"the median of the labelled data is taken: 40 in {sample.columns[0]}." in shown
        assert "of the sample lacks a value or has one outside their range" in shown

    @pytest.mark.parametrize("section", ["Which method", "All classes"])
    def test_counts_have_no_sample_to_look_at(self, section):
        app = fine(run(PAGE, way=COUNTS, estimate_section=section))
        assert "ounts" in app.info[0].value
        assert not tables(app)

    def test_all_classes_have_estimates_and_the_truth(self):
        app = fine(run(PAGE, data="iris", size="30", estimate_section="All classes"))
        (table,) = tables(app)
        assert table.groupby("method").estimate.sum().tolist() == pytest.approx([1.0] * 5)
        posterior = table[table.method == "posterior"]
        assert posterior.low.lt(posterior.estimate).all()
        assert posterior.estimate.lt(posterior.high).all()
        traces = {trace["name"] for trace in chart(app, "regions")["figure"]["data"]}
        assert {"truth", "AC region", "EMQ region"} <= traces

    def test_more_than_three_classes_have_no_triangle(self):
        app = fine(run(PAGE, data="digits", classifier="Gaussian naive Bayes", estimate_section="All classes"))
        assert names(app)[2:] == ["class-estimates"]

    def test_all_classes_of_a_sample_of_ones_own(self):
        data = load_dataset("iris")
        app = fine(sample_file(run(PAGE, data="iris", way=OWN, estimate_section="All classes"), data.features[:100]))
        shares = tables(app)[0].query("method == 'EMQ'").estimate
        assert shares.tolist() == pytest.approx([0.5, 0.5, 0.0], abs=0.05)

    def test_two_classes_say_so(self):
        app = fine(run(PAGE, data="wdbc", estimate_section="All classes"))
        assert "wdbc has only two classes" in app.info[0].value

    def test_coverage_is_drawn_by_prevalence_and_size_or_as_width(self):
        app = fine(run(PAGE, estimate_section="Coverage", other_interval="Bayes", way=COUNTS))
        drawn = {trace["name"]: trace for trace in chart(app, "coverage-by-prevalence")["figure"]["data"]}
        assert min(drawn["Lang-Reiczigel"]["y"]) > 0.93
        assert min(drawn["sample alone"]["y"]) < 0.7
        assert "posterior" in words(app)
        app = fine(run(PAGE, estimate_section="Coverage", coverage_shown="mean width", way=COUNTS))
        wide = {trace["name"]: trace for trace in chart(app, "coverage-by-size")["figure"]["data"]}["Lang-Reiczigel"]["y"]
        assert wide == sorted(wide, reverse=True)


def test_the_json_holds_what_the_command_prints(tmp_path, capsys):
    data = load_dataset("iris")
    frame = data.features.assign(y=data.labels)
    frame.to_csv(tmp_path / "train.csv", index=False)
    data.features[40:110].to_csv(tmp_path / "sample.csv", index=False)
    words_ = ["estimate", str(tmp_path / "train.csv"), str(tmp_path / "sample.csv"), "--label", "y", "--positive", "virginica"]
    assert main([*words_, "--method", "AC", "--method", "EMQ", "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    scored = score_sample(data, data.features[40:110], "virginica")
    result = estimate_sample(*scored, ["AC", "EMQ"], as_training=scored.as_training)
    choice = SidebarChoice(DatasetReference.parse("iris"), "virginica", "logistic regression", ("AC", "EMQ"), 0)
    request = EstimateRequest(
        OWN, 0.95, ScoringSettings("virginica"), own=OwnSample("<b>.csv", "0", "me", data.features[40:110])
    )
    shown = EstimateView(choice, request, result, None, scored)
    found = json.loads(as_json(shown, facts_of(shown)))
    assert found.pop("precise")["population"] == pytest.approx(printed.pop("precise")["population"], abs=1e-6)
    for part in ("estimates", "classifier"):
        for one, other in zip(found.pop(part), printed.pop(part), strict=True):
            assert one == {key: value if isinstance(value, str) else pytest.approx(value) for key, value in other.items()}
    assert {key: found[key] for key in printed} == printed
    assert found["made_of"]["sample"] == "70 instances of <b>.csv"


def test_an_example_of_counts_leaves_the_sidebar_as_it_is():
    app = fine(run(PAGE, data="iris", positive="versicolor"))
    app.button(key="preset A screening test").click().run()
    assert app.session_state["data"] == "iris"
    assert app.session_state["positive"] == "versicolor"
    assert "150 cows" in words(app)


@pytest.mark.parametrize("query", [{}, {"way": COUNTS}])
def test_the_script_gives_the_pages_numbers(query, shown):
    app = fine(run(PAGE, data="iris", positive="versicolor", size="20", **query))
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(script(app), "script", "exec"), {})
    (figure,) = shown
    drawn = {trace["name"]: trace["x"][0] for trace in figures(app)[0]["data"] if trace["name"].endswith(" estimate")}
    assert dict(zip([f"{name} estimate" for name in figure.data[0].y], figure.data[0].x, strict=True)) == pytest.approx(drawn)


def test_sentences_agree_with_their_numbers():
    row = pd.Series({"method": "AC", "estimate": 0.38, "low": 0.33, "high": 0.43, "interval": "x"})
    assert estimate_headline(row, "spam", 0.95) == "38.0% are spam (95% interval: 33.0% to 43.0%), by AC."
    assert "Nothing is known" in estimate_headline(row.replace({0.33: 0.0, 0.43: 1.0}), "spam", 0.95)
    sure = rates_sentence(Counts(1, 2, 900, 1000, 100, 1000))
    assert "Are the rates known? Yes" in sure
    assert sure.endswith("A larger sample would help most.")
    of_fpr = rates_sentence(Counts(150, 1000, 900, 1000, 40, 400))
    assert "Are the rates known? Less well than the count." in of_fpr, "the fpr has most of the variance"
    assert "Of AC's variance, 61% comes from the fpr, 39% from the count and less than 1% from the tpr. More labelled" in of_fpr
    assert "Are the rates known? Hardly" in rates_sentence(Counts(1, 2, 6, 10, 4, 10))
    few = rates_sentence(Counts(30, 300, 100, 100, 0, 2))
    assert "Are the rates known? Hardly" in few
    assert "fpr 0.000 ± 0.217 on 2 negatives" in few, "what two instances agree on is not known without error"
    assert "The rates are of no use" in rates_sentence(Counts(1, 2, 4, 10, 6, 10))
    fit = GoodnessOfFit(0.4, 0.0, 0.001, *[np.array([0.5])] * 4)
    assert "No** (p-value 0.001)" in mixture_sentence(fit)
    table = pd.DataFrame({"lower": [0.0], "upper": [1.0], "positives": [1.0], "negatives": [1.0], "sample": [1.0]})
    title = mixture_figure(table, fit).layout.title
    assert title.text.endswith("(p-value 0.001)"), "not 0.00: none is zero"
    assert all(f"color:{colour}'>" in title.subtitle.text for colour in (POSITIVES, NEGATIVES)), "else both are grey squares"
    assert "are too few to tell" in mixture_sentence(None)
    assert "Not all**: 30% of the sample lacks a value or has one outside their range, mostly in id" in outside_sentence(
        0.3, ["id"]
    )
    assert "Yes**: more than 99% of it is. Inside that range it may still be unlike them." in outside_sentence(0.003)
    assert "No**: more than 99% of the sample lacks a value" in outside_sentence(0.997)
    assert "less than 1% are predicted" in warning(Counts(1, 1_000_000, 66, 80, 4000, 1_000_000), None)
    assert "Not to be trusted" in warning(Counts(30, 100, 80, 100, 10, 100), fit)
    assert not warning(Counts(30, 100, 80, 100, 10, 100), None)
    for taken in (0, 2000):
        assert "No prevalence explains these counts" in warning(Counts(taken, 2000, 66, 80, 18, 120), None)


def test_the_time_that_is_said_beforehand_is_that_of_the_work():
    data, settings = DatasetReference("bundled", "waveform"), ScoringSettings("0", "SVM-Q2")
    whole = load_dataset("waveform")
    assert pipeline._training_seconds(data, settings) == scoring_seconds(whole, "SVM-Q2")
    learning = computations._forest_seconds(data, settings, 0.5)
    assert learning == pytest.approx(computations._FOREST_SECONDS + scoring_seconds(whole, "SVM-Q2"))


def test_the_verdict_says_which_estimate_to_take_and_why():
    rows = [("AC", 0.15, 0.10, 0.20), ("MS", 0.17, 0.12, 0.22), ("EMQ", 0.45, 0.39, 0.51)]
    table = pd.DataFrame(rows, columns=["method", "estimate", "low", "high"])
    main = table.iloc[0]
    assert verdict(table[:2], main, (), 0.0) == "Take AC, the safest interval; the others agree."
    assert verdict(table, main, (), 0.0) == "Take AC, with care: EMQ (39.0% to 51.0%) disagrees by more than chance explains."
    assert (
        verdict(table, main, ("EMQ",), 0.2) == "Take AC. EMQ (grey) needs calibrated scores; the scores here are off by 0.20."
    )
    assert verdict(table[:1], main, (), 0.0) == ""
    wide = table.assign(low=[0.02, 0.1, 0.39], high=[0.9, 0.2, 0.51])
    for some in (wide, wide[:1]):
        said = verdict(some, wide.iloc[0], (), 0.0)
        assert said.startswith("Take none yet: the interval of AC, 2.0% to 90.0%, is too wide;")
        assert any(section in said for section in SECTIONS), "the section that says what makes it narrower"
    beside_cc = verdict(table.assign(method=["AC", "MS", "CC"]), main, (), 0.0)
    assert beside_cc == "Take AC, the safest interval; the other corrections agree; CC is not corrected."
    overlapping = pd.concat([table[:2], table[1:2].assign(method="CC", estimate=0.195)])
    agreeing = "Take AC, the safest interval; the other corrections agree."
    assert verdict(overlapping, main, (), 0.0) == agreeing, "a count does not agree with a correction"
    assert verdict(table.assign(method=["AC", "PCC", "CC"]), main, (), 0.0) == ""
    assert verdict(table[2:], table.iloc[2], ("EMQ",), 0.2).startswith("Take none: EMQ (grey) needs calibrated scores")


def test_where_scores_are_no_probabilities_the_picture_says_so():
    app = fine(run(PAGE, classifier="Gaussian naive Bayes"))
    assert any(
        text.startswith("Take AC. EMQ (grey) needs calibrated scores") for text in [element.value for element in app.markdown]
    )
    (figure, *_) = figures(app)
    colours = {trace["name"]: (trace["line"]["color"], trace["line"]["width"]) for trace in figure["data"] if "line" in trace}
    assert colours["EMQ"] == (NEUTRAL, 4)
    assert colours["AC"][1] > colours["PACC"][1]
    assert NEUTRAL not in {colours[name][0] for name in ("AC", "PACC", "CC")}
    labels = figure["layout"]["yaxis"]["ticktext"]
    assert [label.startswith("<b>AC  38.1% [25.2, 51.4]</b>") for label in labels] == [False, True, False, False]
    low, high = figure["layout"]["xaxis"]["range"]
    assert 0.1 < low < high < 0.8, "the axis fits the intervals"
    assert {"Estimates as CSV", "Estimates as JSON"} <= {
        button.proto.label for button in open_share_menu(app).get("download_button")
    }
    titles = [column["title"] for table in components(app, "small_table") for column in table["columns"]]
    assert titles == ["Measure", "On the labelled data", "In truth"], "no numbers from scores that tell nothing"
    app.session_state["classifier_section"] = "Costs"
    next(button for button in app.button if button.label == "Calibration of this classifier").click().run()
    assert app.session_state["classifier_section"] == "Calibration"
    calm = fine(run(PAGE, way=DRAWN))
    assert "Take AC, the safest interval; the other corrections agree." in [element.value for element in calm.markdown]
    (for_a_report,) = components(calm, "copied_text")
    assert for_a_report["text"].startswith("The share of class 0 among 100 instances")


def test_a_report_on_one_instance_and_one_label_is_not_in_the_plural():
    row = pd.Series({"method": "AC", "interval": "AC", "estimate": 1.0, "low": 0.0, "high": 1.0})
    said = report_sentence(row, Counts(1, 1, 1, 1, 0, 1), "positive", 0.95)
    assert "among 1 instance is estimated" in said
    assert "measured on 1 labelled positive and 1 negative." in said
    row = row.replace({1.0: 0.00083, 0.0: 0.00071})
    assert "at 0.083% (95% interval 0.071% to 0.083%)" in report_sentence(row, Counts(1, 1, 1, 1, 0, 1), "positive", 0.95)


def test_where_no_estimate_can_be_taken_none_is():
    app = fine(run(PAGE, classifier="Gaussian naive Bayes", q_counting="", q_adjustment=""))
    assert any(text.startswith("Take none: EMQ (grey) needs calibrated scores") for text in headlines(app))
    labels = figures(app)[0]["layout"]["yaxis"]["ticktext"]
    assert not [label for label in labels if "<b>" in label], "nothing is marked as the one to take"
    assert not components(app, "copied_text"), "no sentence for a report"
    assert "are class 0 (95% interval" in words(app), "its number is among the checks"


def headlines(app):
    return [element.value.strip("*") for element in app.markdown]


def test_json_names_what_is_not_to_be_taken():
    data = load_dataset("waveform")
    labelled = data.subset(np.arange(0, len(data.labels), 4))
    scored = score_sample(labelled, data.features[1:400:4], "0", "Gaussian naive Bayes")
    result = estimate_sample(*scored, ["AC", "EMQ"])
    assert result.unreliable == ("EMQ",)
    choice = SidebarChoice(DatasetReference.parse("waveform"), "0", "Gaussian naive Bayes", ("AC", "EMQ"), 0)
    request = EstimateRequest(OWN, 0.95, ScoringSettings("0"), own=OwnSample("s.csv", "0", "me", data.features[1:400:4]))
    shown = EstimateView(choice, request, replace(result, fit=None), None, scored)
    found = json.loads(as_json(shown, {}))
    assert found["unreliable"] == ["EMQ"]
    assert any("EMQ needs calibrated scores" in text for text in found["cautions"])


def test_the_interactive_file_below_the_picture_holds_the_whole_estimate():
    app = fine(run(PAGE, classifier="Gaussian naive Bayes"))
    app.button(key="interactive_file below the picture").click().run()
    (data,) = components(fine(app), "interactive_file")
    assert data["name"] == "quantification-lab-estimate.html"
    text = data["file"]
    assert "EMQ (grey) needs calibrated scores" in text, "the caveat"
    assert "Does a mixture of the two classes explain the sample?" in text
    assert "classifier: Gaussian naive Bayes" in text, "the settings"
    assert "<summary>What was done</summary>" in text
    assert f"scikit-learn {version('scikit-learn')}" in text
    calm = fine(run(PAGE, way=DRAWN))
    calm.button(key="interactive_file below the picture").click().run()
    (data,) = components(calm, "interactive_file")
    assert "<p>The share of class 0 among 100 instances is estimated at" in data["file"], "the sentence for a report"


def test_of_a_sample_that_is_too_small_to_compare_no_verdict_is_given():
    app = fine(run(PAGE, size="15"))
    assert "corrections agree" not in words(app)


def test_the_axis_fits_every_share_and_is_a_tenth_wide_at_least():
    for estimate, low, high in ((0.5, 0.49, 0.51), (0.005, 0.0, 0.01), (1.0, 0.98, 1.0), (0.7, 0.2, 0.6), (0.4, 0.0, 1.0)):
        table = pd.DataFrame([("AC", estimate, low, high, "x")], columns=["method", "estimate", "low", "high", "interval"])
        left, right = intervals_figure(table, None, "x").layout.xaxis.range
        assert -0.01 <= left < min(estimate, low) < max(estimate, high) < right <= 1.01
        assert right - left >= 0.1 - 1e-9


def test_a_class_that_was_hardly_labelled_is_said():
    app = fine(run(PAGE, way=COUNTS, count_x="30", count_m="300", count_tp="100", count_pos="100", count_fp="0", count_neg="2"))
    assert "Only 2 labelled negatives: fpr is hardly known. Default intervals are widened; others may be too short." in words(
        app
    )
    assert "hardly known" not in words(fine(run(PAGE, way=COUNTS)))


def test_where_the_mixture_cannot_be_relied_on_is_said():
    apart, alike = (np.array([0.9, 0.1]), np.array([0.1, 0.9])), (np.array([0.5, 0.5]), np.array([0.4, 0.6]))
    edges = np.array([0.5])
    assert not GoodnessOfFit(0.4, 0.0, 0.5, edges, apart[0], *apart).caution
    assert "6 to 9% of valid samples" in mixture_sentence(GoodnessOfFit(0.0, 0.0, 0.5, edges, apart[0], *apart))
    assert "hardly differ" in mixture_sentence(GoodnessOfFit(0.4, 0.0, 0.5, edges, alike[0], *alike))


def test_what_is_not_to_be_trusted_says_so_first_and_offers_no_report():
    app = fine(run(PAGE, way=COUNTS, count_x="0"))
    assert "**No prevalence explains these counts: 0% are predicted" in words(app)
    assert not components(app, "copied_text")
    nothing = fine(run(PAGE, way=COUNTS, count_tp="5", count_x="1000"))
    assert "Nothing is known" in words(nothing)
    assert not [code for code in open_share_menu(nothing).code if code.language != "python"]


class TestTheClassifierOnTheSample:
    """How good the classifier is expected to be, in the answer and in the section "Can it be trusted"."""

    def test_the_answer_and_the_table_say_it_beside_the_truth(self):
        app = fine(run(PAGE, data="wdbc"))
        assert "**How good is the classifier here?** About" in words(app)
        (table,) = tables(app)
        assert list(table.measure) == ["accuracy", "F1", "AUC"]
        scores = score_dataset(load_dataset("wdbc"), ScoringSettings(positive=load_dataset("wdbc").default_positive))
        right = ((scores.training_scores >= 0.5) == scores.training_labels).mean()
        assert table.labelled[0] == pytest.approx(right)
        assert (table.adjusted - table.truth).abs().max() < 0.1

    def test_a_sample_without_labels_has_no_truth(self):
        data = load_dataset("wdbc")
        sample = data.features.iloc[np.r_[0:60, 400:440]]
        app = fine(sample_file(run(PAGE, data="wdbc", way=OWN), sample))
        assert "truth" not in tables(app)[0]

    def test_scores_that_are_no_probabilities_say_nothing(self):
        table = pd.DataFrame({"measure": ["accuracy", "F1", "AUC"], "labelled": 0.9, "as_they_are": 0.8, "adjusted": 0.8})
        refused = CalibrationCheck(0.2, 0.02, 0.05, 0.03)
        assert refused.rejects
        assert "Unknown**: its scores are not probabilities" in classifier_sentence(table, None, refused)

    def test_counts_say_nothing_of_it(self):
        assert "How good is the classifier" not in words(fine(run(PAGE, way=COUNTS)))


class TestRulesInUse:
    def test_rules_that_forget_something_are_named(self):
        app = fine(run(PAGE, estimate_section="Rules in use", way=COUNTS, simulated_share="0.05"))
        (table,) = tables(app)
        by_rule = table.set_index("rule")
        assert by_rule.coverage["double sampling"] > 0.94
        assert by_rule.coverage["sample alone, bootstrap"] < 0.8
        assert by_rule.width["double sampling"] < by_rule.width["Lang-Reiczigel"]
        assert "With labels of the sample, **double sampling** is the shortest rule that holds the truth often enough" in words(
            app
        )
        assert "Too short:" in words(app)
        before = chart(app, "rules-width")["figure"]
        app.slider(key="simulated_labels").set_value(300).run()
        assert chart(fine(app), "rules-width")["figure"] != before

    def test_more_labels_than_instances_are_one_sentence(self):
        app = run(PAGE, estimate_section="Rules in use", way=COUNTS, simulated_labels="500", simulated_size="500")
        assert "have no more labels than instances" in app.warning[0].value
        assert not app.exception


class TestPreciseQuantifier:
    def test_its_intervals_stand_beside_those_of_the_adjusted_count(self):
        app = fine(run(PAGE, size="400", estimate_section="Intervals compared"))
        every, precise = tables(app)
        assert list(precise.of) == ["its population", "the sample itself"]
        shorter = precise.high - precise.low
        default = every.set_index("method").loc["Lang-Reiczigel"]
        assert shorter[1] < shorter[0] < default.high - default.low, "classes overlap"
        assert ((precise.low < 0.4) & (precise.high > 0.4)).all()
        assert len(tables(fine(run(PAGE, way=COUNTS, estimate_section="Intervals compared")))) == 1


class TestWhichShift:
    """The section "Which shift": one table of tests, a verdict above it."""

    def test_labels_of_the_sample_allow_three_tests_more(self):
        app = fine(run(PAGE, estimate_section="Which shift", data="wdbc"))
        assert len(tables(app)[0]) == 6
        app.slider(key="shown_labels").set_value(0).run()
        (table,) = tables(fine(app))
        assert len(table) == 3
        assert set(table.answer) <= {"yes", "no"}
        assert (table.would_see.str.len() > 0).all()

    def test_counts_are_told_what_they_cannot_say(self):
        app = fine(run(PAGE, estimate_section="Which shift", way=COUNTS))
        assert any("These tests need" in info.value and f"choose “{LABELLED_PART}”" in info.value for info in app.info)
        assert not tables(app)

    def test_a_share_that_moved_is_seen_in_a_sample_of_ones_own(self):
        data = load_dataset("wdbc")
        positive = data.labels == data.default_positive
        sample = data.features[positive].iloc[:120]
        app = fine(sample_file(run(PAGE, data="wdbc", way=OWN, estimate_section="Which shift"), sample))
        (table,) = tables(app)
        assert len(table) == 3
        features = table[table.question.str.contains("features")].iloc[0]
        assert features.answer == "yes"
        assert any("Labels of the sample allow three more tests" in caption.value for caption in app.caption)


def test_the_printed_sheet_names_the_settings_of_the_shown_way_alone():
    (sheet,) = [text.value for text in fine(run(PAGE, way="counts")).markdown if "predicted positives: 760" in text.value]
    assert "What there is to count: Counts of a test" in sheet
    assert "size of a batch" not in sheet
    assert "tpr in the simulation" not in sheet


def test_another_way_does_not_move_the_page():
    """What stands at another place is drawn inside what stood there before, until the run ends: a picture inside the header."""
    places = {way: [place_of(run(PAGE, way=way), key) for key in ("header", "hero")] for way in WAYS}
    assert all(place == places[WAYS[0]] for place in places.values()), places


def test_so_few_instances_that_nothing_is_known_have_no_interval():
    app = fine(run(PAGE, size="10", sample_share="0.4"))
    drawn = chart(app, "intervals")["figure"]
    ticks = dict(zip(drawn["layout"]["yaxis"]["tickvals"], drawn["layout"]["yaxis"]["ticktext"], strict=True))
    assert "no interval" in ticks["EMQ"]
    assert "no interval" not in ticks["AC"]
    lines_of = {trace["name"]: trace["x"] for trace in drawn["data"]}
    assert lines_of["EMQ"] == [None, None]
    assert "only the formula of AC" in " ".join(one.value for one in app.markdown)


def test_a_section_without_anything_to_show_says_why():
    app = fine(run(PAGE, way=COUNTS, estimate_section="Which shift"))
    assert "counts have none" in words(app)


class TestWhatDoYouHave:
    def test_the_page_opens_on_the_question_and_each_answer_is_a_click_away(self):
        app = fine(run(PAGE))
        assert "**What do you have?**" in words(app)
        assert not names(app)
        for way in WAYS:
            chosen = fine(run(PAGE).button(key=f"take {way}").click().run())
            assert chosen.button_group(key="way").value == way
            assert ("data" in keys_of(chosen)) == (way == DRAWN), "a sidebar where data are classified alone"

    def test_reset_leads_back_to_it(self):
        app = fine(run(PAGE, way=COUNTS))
        assert "**What do you have?**" in words(fine(app.button(key="reset").click().run()))

    @pytest.mark.parametrize(
        ("older", "way"), [({"way": "my sample"}, OWN), ({"way": "counts"}, COUNTS), ({"sample_share": "0.3"}, DRAWN)]
    )
    def test_older_links_lead_to_the_same_view(self, older, way):
        app = fine(run(PAGE, **older))
        assert app.button_group(key="way").value == way
        assert not app.warning

    def test_sections_that_do_not_apply_are_not_shown(self):
        app = fine(run(PAGE, way=COUNTS))
        (bar,) = components(app, "section_bar")
        assert [title for title, _ in bar["titles"]] == [
            "Can it be trusted",
            "How many do I need",
            "Intervals",
            "How it works",
        ]


def keys_of(app):
    return {element.key for element in [*app.selectbox, *app.multiselect]}


class TestCountsOfATest:
    def test_each_form_gives_the_same_estimate(self):
        forms = [
            {},
            {"rates_as": CELLS},
            {"rates_as": RATES},
            {"rates_as": RATES, "sensitivity": "0.825/80", "specificity": "85% of 120"},
        ]
        shown = [words(fine(run(PAGE, way=COUNTS, **form))) for form in forms]
        assert all("34.1% are positive (95% interval: 25.5% to 42.2%), by AC." in one for one in shown)

    def test_a_rate_alone_is_taken_for_known(self):
        app = fine(run(PAGE, way=COUNTS, rates_as=RATES, sensitivity="0.825", specificity="0.85"))
        assert "tpr 0.825 ± 0.000 known exactly" in words(app)

    def test_what_is_no_rate_leaves_the_last_numbers(self):
        app = fine(run(PAGE, way=COUNTS, rates_as=RATES))
        app = app.text_input(key="sensitivity").set_value("good").run()
        assert "Sensitivity must be a rate, got 'good'" in app.warning[0].value
        assert "34.1% are positive" in words(app)

    def test_two_samples_of_one_test_are_compared(self):
        app = fine(run(PAGE, way=COUNTS, second_sample="true"))
        assert "**Example: The share rose by 5.9 points (1.5 to 10.9) from the first sample to the second.**" in words(app)
        assert names(app) == ["groups", "differences"]
        exec(script(app), {"__name__": "shown"})

    def test_what_they_need_to_differ_is_what_the_command_plans(self, capsys):
        app = fine(run(PAGE, way=COUNTS, second_sample="true", estimate_section="How many do I need"))
        samples = ["first=760/2000", "second=840/2000", "--confusion", "66", "14", "18", "102"]
        assert main(["estimate", "--counts", *samples, "--plan", "3"]) == 0
        said = capsys.readouterr().out.splitlines()[-2:]
        assert said[0].startswith("To see a change of 3 points from 34.1% (80% power")
        assert all(f"- {line}" in words(app) for line in said)
        assert "needed" in names(app)

    def test_while_counts_contradict_each_other_nothing_of_two_samples_is_offered(self):
        app = fine(run(PAGE, way=COUNTS, second_sample="true"))
        assert "Groups as CSV" in str(app.get("download_button"))
        app = fine(app.number_input(key="second_x").set_value(2001).run())
        assert "The share rose by 5.9 points" in words(app)
        assert "Groups as CSV" not in str(app.get("download_button"))


@pytest.mark.parametrize(("name", "fairly"), [("balance", True), ("wdbc", False)])
def test_a_sample_of_features_of_few_values_is_compared_as_training_is_scored(name, fairly):
    """Else a quarter of the samples of balance, monks and tic-tac-toe would be no mixture of the classes: of ties."""

    def draw(name):
        import streamlit as st

        from pages import pipeline
        from pages.estimate.computations import drawn_scores, sample_estimate
        from qcore import DatasetReference, PrevalencePath, ScoringSettings, load_dataset

        settings = ScoringSettings(load_dataset(name).default_positive)
        scores = pipeline.scores(DatasetReference.parse(name), settings)
        scored = drawn_scores(scores, PrevalencePath((0.5,), 60), 0)
        st.session_state.drawn = scored, sample_estimate(scored, ("AC",), 0.95, 0)

    app = fine(AppTest.from_function(draw, args=(name,), default_timeout=240).run())
    scored, result = app.session_state.drawn
    assert (scored.as_training is not None) == fairly
    assert np.corrcoef(scored.to_compare, scored.sample)[0, 1] > 0.99
    rng = random_stream(0, RandomStream.GOODNESS_OF_FIT)
    assert result.fit.p_value == mixture_fit(scored.to_compare, *list(scored)[1:], rng=rng).p_value


def test_counts_the_wrong_way_round_are_said_first_and_once():
    app = fine(run(PAGE, way=COUNTS, count_tp="18", count_pos="80", count_fp="66", count_neg="120"))
    said = "tpr (0.23) is below fpr (0.55), the wrong way round"
    assert any(text.startswith(said) for text in headlines(app))
    assert words(app).count(said) == 1
    assert "are close" not in words(app)
    assert not components(app, "copied_text"), "no sentence for a report"


def test_an_estimate_reads_alike_in_the_sentence_the_picture_and_the_tables():
    rows = [("AC", 0.0149, 0.002, 0.046, "x"), ("EMQ", 0.0021, 0.0015, 0.0029, "x")]
    table = pd.DataFrame(rows, columns=["method", "estimate", "low", "high", "interval"])
    assert estimate_headline(table.iloc[0], "spam", 0.95) == "1.5% are spam (95% interval: 0.2% to 4.6%), by AC."
    labels = intervals_figure(table, None, "spam").layout.yaxis.ticktext
    assert "AC  1.5% [0.2, 4.6]" in labels[0]
    assert "EMQ  0.21% [0.15, 0.29]" in labels[1]


def test_no_estimate_is_marked_where_none_is_to_be_taken():
    app = fine(run(PAGE, size="20", share="0.02", sample_share="0.5"))
    assert any(text.startswith("Take none yet") for text in headlines(app))
    assert not [label for label in figures(app)[0]["layout"]["yaxis"]["ticktext"] if "<b>" in label]


@pytest.mark.parametrize(
    ("taken", "best", "said"),
    [
        ("AC", "AC", "**AC is recommended above**, and errs least on such samples, too."),
        ("AC", "EMQ", "If you need many estimates and no intervals, you err less with EMQ."),
        ("AC", "CC", "CC corrects nothing, and errs least only because its bias is small near this share."),
        ("", "EMQ", "**Above, no estimate is recommended.**"),
    ],
)
def test_the_section_on_methods_refers_to_the_one_recommendation(taken, best, said):
    candidates = [best, *({"AC", "EMQ", "CC"} - {best})]
    table = pd.DataFrame({"candidate": candidates, "votes": [0.5, 0.3, 0.2], "error": [0.02, 0.05, 0.06], "estimate": 0.3})
    text = " ".join(comparison_sentences(SampleRecommendation(table, 60, 200, 0.3), taken))
    assert said in text
    assert not re.search(r"\b[Tt]ake\b", text)


class TestHowMany:
    def test_to_see_a_change_of_points(self):
        counts = {
            "count_x": "345",
            "count_m": "1000",
            "count_tp": "80",
            "count_pos": "100",
            "count_fp": "10",
            "count_neg": "100",
        }
        section = {"estimate_section": "How many do I need"}
        app = fine(run(PAGE, way=COUNTS, **counts, **section))
        assert "To see a change of 3 points from 35.0% (80% power, level 95%): 8,152 instances a sample" in words(app)
        app = fine(app.number_input(key="planned_points").set_value(5.0).run())
        assert "2,958 instances a sample" in words(app)

    def test_by_labels_inside_both_samples(self):
        app = fine(run(PAGE, way=LABELLED_PART, estimate_section="How many do I need"))
        assert re.search(r"Or \d+ labels in each sample of 1,000, drawn at random", words(app))

    def test_a_change_that_cannot_be_seen_is_one_sentence(self):
        app = run(
            PAGE, way=LABELLED_PART, estimate_section="How many do I need", planned_points="0.5", share_of="its population"
        )
        assert "Labels of its own, even of all instances, do not show it in a sample of 1,000." in words(app)


def test_a_report_states_published_rates_as_they_were_typed():
    rates = {"rates_as": RATES, "sensitivity": "0.84 (0.76-0.90)", "specificity": "0.95 (0.93-0.97)"}
    app = fine(run(PAGE, way=COUNTS, count_x="77", count_m="1200", **rates))
    (report,) = components(app, "copied_text")
    assert "Rates: a sensitivity of 0.84 (0.76-0.90) and a specificity of 0.95 (0.93-0.97)" in report["text"]
    assert "measured on" not in report["text"]
    assert "rests on two things" in words(app)
