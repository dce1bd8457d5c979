"""The page "Classifier" through app.py: each part, each control, each bad input; never a traceback."""

import numpy as np
import pandas as pd
import pytest

from pages.classifier.posteriors import decisions_sentences
from pages.classifier.settings import COSTS, DECISION_MEASURES, OUT_OF_FOLD, POOL, SLIDES, SLIDES_EXAMPLE
from pages.listed import PAGES
from pages.settings.shared import TRAINING
from qcore import CLASSIFIERS, DATASETS, ScoringSettings, load_dataset, score_dataset
from qcore.measures.classification import pairwise_auc
from qcore.measures.probability import brier_split
from qcore.scoring.calibration import CALIBRATIONS, calibrate
from qcore.studies.classifier_evaluation import COMPLEXITIES, evaluate_classifier
from tests.pages.app import (
    FEW_INSTANCES,
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
    sentence,
    tables,
    warnings,
)
from tests.thorough import mostly_thorough

PAGE = "classifier"
HERO = {"roc", "confusion", "accuracy"}
DRAWN = HERO | {"measures"}
"""What is drawn while the first section is open."""


def names(app):
    return {data["name"] for data in components(app, "kept_chart")}


def opened(title, **query):
    """The page with that section open."""
    return run(PAGE, classifier_section=title, **query)


def text(app):
    return " ".join(element.value for element in app.markdown)


class TestThreshold:
    def test_the_charts_show_what_qcore_computes(self):
        app = fine(run(PAGE, data="digits", classifier="Gaussian naive Bayes", threshold="0.4"))
        scores = score_dataset(load_dataset("digits"), ScoringSettings("8", "Gaussian naive Bayes"))
        result = evaluate_classifier(scores, "training", 0.4)
        drawn = lines(chart(app, "roc")["figure"])
        assert drawn["ROC curve"]["x"] == result.curve.fpr.tolist()
        assert drawn["convex hull"]["y"] == result.hull.tpr.tolist()
        assert f"AUC **{result.auc:.3f}**" in sentence(app, "roc")
        for key, point in result.points.items():
            assert drawn[key]["x"] == [point.fpr]
        index = result.rates.nearest(0.4)
        assert f": {int(result.table.fn[index]):,} missed positive" in sentence(app, "confusion")

    def test_charts_follow_the_threshold(self):
        app = fine(run(PAGE))
        (bar,) = components(app, "dragged")
        for name in DRAWN:
            (follow,) = chart(app, name)["follows"]
            assert follow["values"] == bar["values"]

    def test_hover_shows_thresholds(self):
        curve = lines(chart(run(PAGE), "roc")["figure"])["ROC curve"]
        assert curve["customdata"][-1] == "above all"
        assert "threshold" in curve["hovertemplate"]

    def test_the_pool_gives_other_numbers(self):
        training, pool = (fine(run(PAGE, on=on)) for on in (OUT_OF_FOLD, POOL))
        assert chart(training, "roc")["figure"] != chart(pool, "roc")["figure"]

    @pytest.mark.parametrize("data", DATASETS)
    def test_every_data_set(self, data):
        app = fine(run(PAGE, data=data))
        assert names(app) == DRAWN

    @pytest.mark.parametrize("classifier", mostly_thorough(CLASSIFIERS))
    def test_every_classifier(self, classifier):
        assert names(fine(run(PAGE, classifier=classifier, **FEW_INSTANCES))) >= DRAWN


class TestCosts:
    def test_the_slides_preset_gives_their_costs(self):
        app = run(PAGE)
        app.button(key="preset The nuclear plant").click().run()
        table = tables(fine(app))[0]
        assert table.cost.tolist() == pytest.approx([4.5, 10.0, 7.4])
        assert table.m.tolist() == pytest.approx([0.45, 1.0, 0.74])
        assert table.auc.tolist() == pytest.approx([0.7975, 0.5, 0.873], abs=5e-4)
        assert "= **9.95**" in text(app)
        assert {"classifier 1", "classifier 2", "classifier 3", "cheapest"} <= set(lines(chart(app, "slides")["figure"]))

    def test_the_slides_two_contexts_have_slopes_of_2_and_one_half(self):
        slides = {"classifier_evaluation": "three of the slides", "classifier_section": "From the slides", "ratio": "20%"}
        for missed, slope in (("2", "2"), ("8", "0.5")):
            app = fine(run(PAGE, from_the_slides="Costs", fn_cost=missed, fp_cost="1", **slides))
            assert f"1 / {missed} · 4 = **{slope}**" in text(app)

    def test_dear_false_positives_move_the_star_down(self):
        def star(**query):
            return lines(chart(fine(run(PAGE, **query)), "roc")["figure"])["cheapest threshold"]

        equal, dear, cheap = star(), star(fp_cost="20"), star(fn_cost="20")
        assert dear["x"][0] <= equal["x"][0] <= cheap["x"][0]
        assert dear["x"][0] < cheap["x"][0]

    @pytest.mark.parametrize(
        ("query", "sentence"),
        [
            ({"fp_cost": "0", "fn_cost": "0"}, "The costs of the two errors must not both be 0"),
            ({"fp_cost": "-5"}, "The cost of a false positive must be a number of at least 0, got -5."),
            ({"fn_cost": "-1"}, "The cost of a false negative must be a number of at least 0, got -1."),
        ],
    )
    def test_costs_that_cannot_be_give_one_sentence(self, query, sentence):
        app = fine(opened("Costs", **query))
        assert sentence in warnings(app)
        assert names(app) >= HERO
        for key, value in query.items():
            assert app.number_input(key=key).value == float(value), "the setting is the person's"

    @pytest.mark.parametrize("query", [{"ratio": "0"}, {"ratio": "1"}, {"fn_cost": "0"}, {"fp_cost": "1e9"}, {"fp_cost": "0"}])
    def test_extremes_have_a_picture(self, query):
        app = fine(opened("Costs", **query))
        assert not app.warning
        assert "nan" not in text(app).replace("malignant", "")


class TestCalibration:
    def test_the_table_holds_what_qcore_computes(self):
        app = fine(opened("Calibration", classifier="Gaussian naive Bayes"))
        scores = score_dataset(load_dataset("waveform"), ScoringSettings("0", "Gaussian naive Bayes"))
        table = tables(app)[0].set_index("calibration_method")
        assert list(table.index) == list(CALIBRATIONS)
        for key in CALIBRATIONS:
            result = calibrate(scores, key)
            assert table.brier[key] == pytest.approx(brier_split(result.pool_scores, result.pool_labels).score)

    def test_calibrations_can_be_left_out(self):
        app = opened("Calibration", calibrations="isotonic")
        assert list(tables(fine(app))[0].calibration_method) == ["none", "isotonic"]
        assert set(lines(chart(app, "reliability")["figure"])) == {"a probability", "uncalibrated", "isotonic"}
        alone = fine(opened("Calibration", calibrations=""))
        assert list(tables(alone)[0].calibration_method) == ["none"]

    @pytest.mark.parametrize("share", ["0.02", "0.9"])
    def test_small_and_large_training_parts(self, share):
        assert names(fine(opened("Calibration", share=share))) == HERO | {"reliability", "effects"}


class TestClasses:
    def test_hand_till(self):
        app = fine(opened("More than two classes", data="wine"))
        result = score_dataset(load_dataset("wine"), ScoringSettings(None, "logistic regression", training_share=0.5))
        assert f"AUC is **{np.nanmean(pairwise_auc(result.pool_scores, result.pool_labels)):.3f}** on average" in text(app)


class TestSettings:
    def test_every_control_changes_something_visible(self):
        app = run(PAGE, data="digits", classifier="Gaussian naive Bayes")
        moves = {
            "At the threshold": {
                "on": lambda: app.button_group(key="on").set_value("pool"),
                "threshold": lambda: app.number_input(key="threshold").set_value(0.9),
                "share": lambda: app.slider(key="share").set_value(0.3),
                "prior": lambda: app.selectbox(key="prior").set_value("30%"),
            },
            "Costs": {
                "fp_cost": lambda: app.number_input(key="fp_cost").set_value(30.0),
                "fn_cost": lambda: app.number_input(key="fn_cost").set_value(90.0),
                "ratio": lambda: app.slider(key="ratio").set_value(0.9),
                "classifier_evaluation": lambda: app.button_group(key="classifier_evaluation").set_value(SLIDES),
            },
            "Calibration": {"calibrations": lambda: app.button_group(key="calibrations").set_value(["sigmoid"])},
            "Measures of numbers": {"alpha": lambda: app.slider(key="alpha").set_value(0.8)},
        }
        moved = {key for of_section in moves.values() for key in of_section}
        assert moved >= {*COSTS, "calibrations", *TRAINING}

        def seen():
            return components(fine(app), "kept_chart"), [frame.to_csv() for frame in tables(app)], text(app)

        for title, of_section in moves.items():
            open_section(app, "classifier", title)
            assert not long_sentences(app)
            before = seen()
            for key, move in of_section.items():
                move().run()
                now = seen()
                assert now != before, key
                before = now

    @pytest.mark.parametrize("key", ["fp_cost", "fn_cost", "ratio"])
    def test_costs_move_the_star_whether_their_section_is_open_or_not(self, key):
        drawn = [chart(run(PAGE, data="digits", **query), "roc")["figure"] for query in ({}, {key: "0.9"})]
        assert drawn[0] != drawn[1]

    @pytest.mark.parametrize("preset", PAGES["classifier"].presets, ids=lambda preset: preset.name)
    def test_each_preset_shows_a_picture_and_says_why(self, preset):
        app = run(PAGE, data="iris", fp_cost="7", threshold="0.9")
        app.button(key=f"preset {preset.name}").click().run()
        assert names(fine(app)) >= HERO
        assert preset.why in captions(app)
        assert not app.warning

    def test_what_the_calibration_preset_says_is_so(self):
        app = run(PAGE)
        app.button(key="preset Scores that are not probabilities").click().run()
        errors = {
            name: dict(zip(line["x"], line["y"], strict=True)) for name, line in lines(chart(app, "effects")["figure"]).items()
        }
        assert max(errors["EMQ"]["sigmoid"], errors["EMQ"]["isotonic"]) < errors["EMQ"]["uncalibrated"] / 2
        assert errors["EMQ"]["temperature"] >= errors["EMQ"]["uncalibrated"]
        assert min(errors["PCC"]["sigmoid"], errors["PCC"]["isotonic"]) > errors["PCC"]["uncalibrated"]

    def test_equal_costs_are_cheapest_where_the_gap_is_largest(self):
        table = tables(opened("Costs"))[0].set_index("name")
        assert table.cheapest["Max"]

    def test_reset_puts_every_setting_back(self):
        app = run(PAGE, data="iris", fp_cost="11", threshold="0.9", on="pool", calibrations="isotonic")
        app.button(key="reset").click().run()
        assert link(fine(app)) == link(run(PAGE))

    @pytest.mark.parametrize("query", addresses(
        [("fp_cost", "nan"), ("fp_cost", "dear"), ("fn_cost", "1e99"), ("ratio", "2"), ("on", "moon"),
         ("classifier_evaluation", "me"),
         ("calibrations", "magic"), ("threshold", "-1")],
    ))  # fmt: skip
    def test_nonsense_in_the_url_gives_the_default_and_says_so(self, query):
        app = fine(run(PAGE, **query))
        assert [value for value in query.values() if f"`{value}`" not in warnings(app)] == []
        assert names(app) >= HERO


class TestValidation:
    def test_nothing_is_trained_before_it_is_opened(self):
        assert "overfitting" not in names(fine(run(PAGE)))

    @pytest.mark.parametrize("complexity", COMPLEXITIES)
    def test_overfitting_and_the_estimates_of_the_error(self, complexity):
        app = fine(opened("Validation", data="iris", classifier="Gaussian naive Bayes", complexity=complexity))
        assert "overfitting" not in names(app), "only when somebody asks for it"
        fine(app.button(key="validate").click().run())
        assert {"overfitting", "error-estimates"} <= names(app)
        assert len(chart(app, "overfitting")["figure"]["data"]) == 3
        assert "out of fold it is" in text(app).lower()
        assert link(app)["complexity"] == [complexity]


class TestAllClasses:
    @pytest.mark.parametrize("data", DATASETS)
    def test_every_data_set(self, data):
        app = fine(opened("More than two classes", data=data))
        many = len(load_dataset(data).classes) > 2
        assert names(app) == HERO | ({"pairs", "class-counts"} if many else set())
        assert many or "has only two classes" in app.info[-1].value

    def test_the_slides_example_costs_what_the_slides_say(self):
        app = fine(opened("More than two classes", of_classes=SLIDES_EXAMPLE))
        assert "gain **29,787** (their total cost is -29,787)" in text(app)
        averages = tables(app)[-1].set_index("measure")
        assert averages.one_vs_all["recall"] == pytest.approx((20 / 29 + 15 / 22 + 60 / 77) / 3)

    def test_typed_costs(self):
        app = fine(opened("More than two classes", data="iris", class_costs="0 1 2 / 3 0 4 / 5 6 0"))
        assert "predictions cost **" in text(app)
        assert link(app)["class_costs"] == ["0 1 2 / 3 0 4 / 5 6 0"]

    @pytest.mark.parametrize("typed", ["1 2", "0 1 / 1 0", "0 1 2 / 3 0 4 / 5 6 x", "0 1 2 / 3 0 4 / 5 6 1e99", "a" * 190])
    def test_unusable_costs_are_explained(self, typed):
        app = fine(opened("More than two classes", data="iris", class_costs=typed))
        assert "cost" in warnings(app)
        assert names(app) == HERO


class TestRegression:
    def test_the_slides_example(self):
        app = fine(opened("Measures of numbers"))
        table = tables(app)[-1].set_index("name").value
        assert table["Mean squared error"] == pytest.approx(74.4)
        assert table["Root mean squared error"] == pytest.approx(8.63, abs=0.005)
        assert "the mean loss is the MAE, **7.00**" in text(app)
        drawn = {trace["name"]: trace for trace in chart(app, "shift-curve")["figure"]["data"]}
        assert {"by shift", "as it is", "best for alpha 0.50"} <= set(drawn)
        assert (drawn["as it is"]["x"], drawn["as it is"]["y"]) == ([50.0], [-20.0]), "of the absolute errors' sum, 70"
        assert "No shift of all predictions makes the mean loss smaller than 7.00." in text(app)
        app.slider(key="alpha").set_value(0.8).run()
        assert "Every prediction shifted by +3, the mean loss falls from 5.20 to 3.80." in text(fine(app))

    @pytest.mark.parametrize(
        ("alpha", "said"), [("0.75", "an underprediction costs 3.00 times"), ("0.0", "only overpredictions")]
    )
    def test_alpha_makes_one_direction_dear(self, alpha, said):
        app = fine(opened("Measures of numbers", alpha=alpha))
        assert said in text(app)


class TestPosteriors:
    @pytest.mark.parametrize("measure", DECISION_MEASURES)
    def test_before_and_after(self, measure):
        app = fine(opened("Posteriors", data="waveform", decision=measure))
        drawn = lines(chart(app, "decisions")["figure"])
        assert set(drawn) == {"scores as they are", "adjusted to the estimate", "adjusted to the truth"}
        assert "Adjusting the scores to what **EMQ** estimates helps most" in text(app)
        assert link(app)["decision"] == [measure]

    def test_three_pictures_follow_the_prevalence(self):
        app = fine(opened("Posteriors", data="waveform"))
        keys = ("posterior-share", "posterior-reliability", "posterior-measures")
        before = [chart(app, key)["figure"] for key in keys]
        assert "By the scores as they are, 48% are positive" in text(app)
        app.slider(key="posterior_prevalence").set_value(0.9).run()
        assert all(chart(fine(app), key)["figure"] != figure for key, figure in zip(keys, before, strict=True))
        assert "In truth, 90% are positive" in text(app)
        assert set(lines(chart(app, "posterior-share")["figure"])) >= {"scores as they are", "adjusted"}

    def test_a_small_pool_has_another_grid(self):
        app = fine(opened("Posteriors", data="iris", posterior_prevalence="0.05"))
        assert "In truth, 4% are positive" in text(app)

    def test_another_quantifier_adjusts_otherwise(self):
        emq, cc = (fine(opened("Posteriors", data="digits", decide_with=method)) for method in ("EMQ", "CC"))
        assert chart(emq, "decisions")["figure"] != chart(cc, "decisions")["figure"]


@pytest.mark.parametrize(
    ("after", "said"),
    [
        (0.70, "Adjusting hurts most at 90%: from 80% to 70%."),
        (0.798, "helps most at a prevalence of 10%. There accuracy goes from 60% to **75%**"),
    ],
)
def test_where_adjusting_hurts_is_said_if_it_can_be_seen(after, said):
    values = {"as they are": (0.6, 0.8), "to the estimate": (0.75, after), "to the truth": (0.77, 0.9)}
    rows = [(name, true, value) for name, pair in values.items() for true, value in zip((0.1, 0.9), pair, strict=True)]
    sentences = " ".join(decisions_sentences(pd.DataFrame(rows, columns=["adjusted", "true", "accuracy"]), "accuracy", "EMQ"))
    assert said in sentences
    assert ("hurts" in sentences) == (after == 0.70)


def test_a_gain_that_cannot_be_seen_is_none():
    rows = [("as they are", 0.5, 0.918), ("to the estimate", 0.5, 0.921), ("to the truth", 0.5, 0.93)]
    (sentence,) = decisions_sentences(pd.DataFrame(rows, columns=["adjusted", "true", "accuracy"]), "accuracy", "EMQ")
    assert sentence.endswith("helps nowhere here.")
