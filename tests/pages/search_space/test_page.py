"""The page "Search space" through app.py: every measure, every learner, each control, bad input; never a traceback."""

import numpy as np
import pytest

from pages.listed import PAGES
from pages.search_space import computations
from pages.search_space.settings import LEARNERS, SETTINGS
from pages.settings.address import url_words
from qcore import (
    CLASSIFIERS,
    DATASETS,
    NAMED_QUANTIFIERS,
    QUANTIFIERS,
    InvalidInput,
    ScoringSettings,
    load_dataset,
    score_dataset,
)
from qcore.measures.catalog import MEASURES, Q_BETA, SCORE_KEYS, ParametricMeasure
from qcore.measures.classification import fpr, recall
from qcore.measures.measure import ContingencyTable
from qcore.studies.search_space import BETAS, MAX_INSTANCES, NAMED_CORRECTION, search_space_grid
from tests.pages.app import (
    FEW_INSTANCES,
    addresses,
    captions,
    chart,
    components,
    fine,
    link,
    long_sentences,
    open_section,
    run,
    script,
    sentence,
    sentences,
    warnings,
)
from tests.thorough import mostly_thorough

PAGE = "search_space"
RIDGE = ("edge of FP = FN", "FP = FN: the count is right", "best tables")
HERO = "search-space"
SECTION_CHARTS = {
    "In words": [],
    "From counting to finding": ["row-of-surfaces"],
    "Learners as quantifiers": ["learners-chart"],
    "Two perfect quantifiers": ["hypotheses", "expected-count"],
    "How the measures work": [],
}
PARTS = {
    "measure": "measure", "beta": "beta", "n_pos": "number of positives", "n_neg": "number of negatives",
    "cperf": "classification performance", "qperf": "quantification performance", "learners": "learners",
    "with": "correction", "iris_example": "mark",
}  # fmt: skip
"""Setting -> what a sentence about a value that cannot be calls it."""
SMALL = {"data": "iris", "positive": "virginica", "learners": ""}


def opened(title="In words", **query):
    """The page on a small data set, with that section open."""
    return run(PAGE, search_space_section=title, **(SMALL | query))


def names(app):
    return [data["name"] for data in components(app, "kept_chart")]


def drawn(app, name="search-space"):
    return chart(app, name)["figure"]


def traces(app, kind):
    return {trace["name"]: trace for trace in drawn(app)["data"] if trace["type"] == kind}


def words(app):
    return " ".join(element.value for element in [*app.markdown, *app.caption, *app.info])


class TestTheSurface:
    """Part 1, and the row."""

    @pytest.mark.parametrize("title", SECTION_CHARTS)
    def test_only_the_open_section_is_computed(self, title):
        app = fine(opened(title))
        assert names(app) == [HERO, *SECTION_CHARTS[title]]
        assert not long_sentences(app)

    def test_zero_clicks_show_the_surface_and_what_it_says(self):
        app = fine(run(PAGE))
        assert names(app) == [HERO]
        assert list(traces(app, "scatter")) == [
            *RIDGE,
            "logistic regression, every threshold",
            "logistic regression",
            *LEARNERS,
        ]
        assert "**0.83** with 500 on each side" in sentence(app, "search-space")
        assert "Only one table is best under **Q_2**" in words(app)
        assert PAGES["search_space"].presets[0].why in words(app)

    @pytest.mark.parametrize("measure", [*SCORE_KEYS, Q_BETA])
    def test_every_measure_is_drawn_as_it_is(self, measure):
        app = fine(opened(measure=measure, beta="0.5", n_pos="30", n_neg="70"))
        selected = ParametricMeasure(measure, 0.5) if measure in (Q_BETA, "F_beta") else ParametricMeasure(measure, 1.0)
        space = search_space_grid(selected, 30, 70)
        for kind in ("surface", "heatmap"):
            (trace,) = traces(app, kind).values()
            assert (trace["x"], trace["y"]) == (space.fp.tolist(), space.fn.tolist())
            assert np.array(trace["z"]) == pytest.approx(space.values.T, abs=6e-4)
        follows = measure in (Q_BETA, "F_beta")
        assert bool(components(app, "dragged")) == follows
        assert selected.name in (sentence(app, "search-space") if follows else words(app))
        open_section(app, "search_space", "How the measures work")
        assert measure == Q_BETA or MEASURES[measure].formula in words(app)

    @pytest.mark.parametrize("measure", ["F_beta", Q_BETA])
    def test_the_frames_are_the_surfaces_of_each_beta(self, measure):
        app = opened(measure=measure, beta="2.5", n_pos="20", n_neg="20")
        (followed,) = chart(app, "search-space")["follows"]
        betas = sorted({*BETAS, 2.5})
        assert len(followed["values"]) == len(followed["frames"]) == len(sentences(app, "search-space")) == len(betas)
        for beta, frame in zip(betas, followed["frames"], strict=True):
            z = np.array(frame["data"][0]["z"])
            assert z == pytest.approx(search_space_grid(ParametricMeasure(measure, beta), 20, 20).values.T, abs=6e-4)
            assert frame["data"][-2] == 0, "the projection takes the surface's numbers"
        (bar,) = components(app, "dragged")
        assert bar["texts"] == [f"{beta:g}" for beta in betas]
        assert bar["texts"][bar["values"].index(bar["value"])] == "2.5"

    @pytest.mark.parametrize(("cperf", "qperf"), [("GM", "NSS"), ("precision", "1 - KLD"), ("NAS", "recall")])
    def test_q_takes_any_two_measures(self, cperf, qperf):
        app = fine(opened(cperf=cperf, qperf=qperf, n_pos="20", n_neg="30", beta="1"))
        z = traces(app, "surface")["surface"]["z"]
        assert np.array(z) == pytest.approx(
            search_space_grid(ParametricMeasure(Q_BETA, 1.0, cperf, qperf), 20, 30).values.T, abs=6e-4
        )

    def test_classifiers_are_drawn_where_their_rates_are(self):
        app = opened(n_pos="200", n_neg="300", learners=["SVM-NAS"])
        scores = score_dataset(load_dataset("iris"), ScoringSettings("virginica", "SVM-NAS"))
        table = ContingencyTable.from_scores(scores.training_scores, scores.training_labels)
        tpr, false = float(recall(table)), float(fpr(table))
        spot = traces(app, "scatter")["SVM-NAS"]
        assert (spot["x"], spot["y"]) == ([pytest.approx(300 * false)], [pytest.approx(200 * (1 - tpr))])
        path = traces(app, "scatter")["logistic regression, every threshold"]
        assert (path["x"][0], path["y"][0]) == (0, 200), "above all scores nobody is positive"
        assert (path["x"][-1], path["y"][-1]) == (300, 0)
        selected = traces(app, "scatter")["logistic regression"]
        assert (selected["x"][0], selected["y"][0]) in zip(path["x"], path["y"], strict=True), "the path goes through 0.5"

    def test_the_row_goes_from_nas_to_recall(self):
        app = opened("From counting to finding", n_pos="20", n_neg="40")
        row = drawn(app, "row-of-surfaces")
        assert [trace["name"] for trace in row["data"]] == ["NAS", "Q_2", "Q_1", "Q_0.5", "recall"]
        cameras = [row["layout"][key]["camera"] for key in row["layout"] if key.startswith("scene")]
        assert len(cameras) == 5
        assert all(camera == cameras[0] for camera in cameras)
        assert {trace["coloraxis"] for trace in row["data"]} == {"coloraxis"}
        assert chart(app, "row-of-surfaces")["oneCamera"] is True

    @pytest.mark.parametrize(
        ("kind", "key", "value"),
        [
            ("selectbox", "measure", "NAS"), ("text_input", "beta", "0.3"), ("selectbox", "cperf", "GM"),
            ("selectbox", "qperf", "NSS"), ("number_input", "n_pos", 40), ("number_input", "n_neg", 40),
            ("toggle", "iris_example", True), ("selectbox", "classifier", "linear SVM"), ("number_input", "seed", 3),
            ("button_group", "colours", "Greys"),
        ],
    )  # fmt: skip
    def test_every_control_changes_the_picture(self, kind, key, value):
        app = opened(n_pos="20", n_neg="30")
        before = drawn(app)
        getattr(app, kind)(key=key).set_value(value).run()
        assert drawn(fine(app)) != before
        assert link(app)[key] == [str(value).lower() if value is True else str(value)]

    def test_a_larger_space_than_can_be_counted_is_no_setting(self):
        app = opened(n_neg=str(MAX_INSTANCES + 1))
        assert "number of negatives" in warnings(app)
        assert link(app)["n_neg"] == ["1000"]


def test_one_positive_is_not_said_in_the_plural():
    assert chart(opened(n_pos="1", n_neg="1"), HERO)["alt"].endswith("of every table of 1 positive and 1 negative.")


def test_the_box_above_follows_the_controls():
    app = opened(data="waveform", positive="0", learners=list(LEARNERS))
    assert PAGES["search_space"].presets[0].why in captions(app)
    app.selectbox(key="measure").set_value("NAS").run()
    assert "your own settings" in captions(fine(app))


def test_rates_that_cancel_elsewhere_are_said_not_to_cancel_here():
    app = opened(iris_example="true", n_pos="50", n_neg="100")
    assert "no longer cancel out" not in words(app)
    app.number_input(key="n_neg").set_value(90).run()
    assert "no longer cancel out" in words(fine(app))


class TestTheLearners:
    """Part 3."""

    def test_a_learner_without_a_direction_says_so(self):
        app = fine(
            run(PAGE, search_space_section="Learners as quantifiers", data="balance", positive="balanced", learners=["SVM-Q2"])
        )
        assert "SVM-Q2: Under this loss no hyperplane has a lower objective" in words(app)

    @pytest.mark.parametrize("classifier", mostly_thorough(CLASSIFIERS))
    def test_every_learner_is_drawn_and_counts(self, classifier):
        app = fine(opened("Learners as quantifiers", learners=[classifier], **FEW_INSTANCES))
        assert classifier in traces(app, "scatter")
        lines = drawn(app, "learners-chart")["data"]
        assert sum(trace["name"].startswith(f"{classifier} + ") for trace in lines) == 1

    @pytest.mark.parametrize("correction", mostly_thorough([NAMED_CORRECTION, *QUANTIFIERS]))
    def test_every_learner_takes_every_correction(self, correction):
        app = fine(opened("Learners as quantifiers", learners=["SVM-Q2", "PWK"], **{"with": correction}))
        names = [trace["name"] for trace in drawn(app, "learners-chart")["data"]]
        selected = {pair.classifier: pair.quantifier for pair in NAMED_QUANTIFIERS.values()}
        wanted = {key: selected.get(key, "CC") if correction == NAMED_CORRECTION else correction for key in ("PWK", "SVM-Q2")}
        assert names == ["logistic regression + " + (correction if correction != NAMED_CORRECTION else "CC"),
                         f"PWK + {wanted['PWK']}", f"SVM-Q2 + {wanted['SVM-Q2']}"]  # fmt: skip

    @pytest.mark.parametrize("data", DATASETS)
    def test_every_data_set(self, data):
        app = fine(
            run(PAGE, search_space_section="Learners as quantifiers", data=data, learners="", classifier="Gaussian naive Bayes")
        )
        assert names(app) == [HERO, "learners-chart"]

    def test_a_pool_too_small_for_100_draws_smaller_samples(self):
        app = fine(opened("Learners as quantifiers"))
        assert "samples of 25 at each prevalence" in words(app)

    def test_what_cannot_be_trained_is_said_and_the_surface_stays(self):
        app = opened(share="0.02")
        assert "instances" in warnings(app)
        assert not app.exception
        assert traces(app, "surface")


class TestTheIrisExample:
    """Part 4 and its preset."""

    def test_the_preset_marks_both_perfect_quantifiers(self):
        (preset,) = [one for one in PAGES["search_space"].presets if one.name == "Two perfect quantifiers"]
        app = fine(run(PAGE, **url_words(preset.settings)))
        flat = traces(app, "scatter")
        assert (flat["w1"]["x"], flat["w1"]["y"]) == ([50], [50])
        assert flat["w2"]["x"] == pytest.approx(flat["w2"]["y"])
        for name in ("w1", "w2"):
            height = traces(app, "scatter3d")[f"{name} in space"]["z"][0]
            assert height == pytest.approx(1, abs=0.04), "NAS can't tell them apart"
        app.selectbox(key="measure").set_value(Q_BETA).run()
        assert traces(app, "scatter3d")["w1 in space"]["z"][0] == pytest.approx(0, abs=0.04)
        assert traces(app, "scatter3d")["w2 in space"]["z"][0] > 0.9

    def test_it_is_explained_whatever_the_data(self):
        text = words(opened("Two perfect quantifiers", data="wdbc", positive="malignant"))
        assert "**w1** finds 0 of these 50" in text
        assert "NAS gives 1.00 and 1.00; Q_2 gives 0.00 and" in text


class TestBadInput:
    """Links and boxes."""

    @pytest.mark.parametrize("query", addresses([
            ("measure", "beauty"), ("beta", "-1"), ("beta", "nan"), ("beta", "1_0"), ("n_pos", "0"), ("n_neg", "1e9"),
            ("cperf", "bias"), ("qperf", "KLD"), ("learners", "SVM-Q9"), ("with", "magic"), ("iris_example", "perhaps"),
            ("learners", list(CLASSIFIERS)[:8]), ("beta", "1e200"),
    ]))  # fmt: skip
    def test_a_bad_link_gives_the_default_and_says_so(self, query):
        app = fine(opened(**query))
        assert warnings(app).count("The link's") == len(query)
        for key in query:
            assert PARTS[key] in warnings(app)
            default = SETTINGS[key].default if key != "learners" else list(LEARNERS)
            assert link(app)[key] == url_words({key: default})[key]

    def test_a_beta_that_is_none_is_one_sentence(self):
        app = opened()
        for typed in ("-1", "two", "", "nan", "1_0", "<b>"):
            app.text_input(key="beta").set_value(typed).run()
            assert not app.exception
            assert "Beta must be a number from 0 to 1000, or inf" in warnings(app), typed
            assert sentence(app, "search-space").startswith("**Q_2**"), "the last picture stays"
        app.text_input(key="beta").set_value("1,5").run()
        assert "Beta must" not in warnings(fine(app))
        assert sentence(app, "search-space").startswith("**Q_1.5**")
        app.text_input(key="beta").set_value(" ∞ ").run()
        assert sentence(app, "search-space").startswith("**Q_∞**")

    def test_the_python_gives_the_picture_and_one_for_print(self, tmp_path, monkeypatch):
        monkeypatch.chdir(tmp_path)
        app = opened(measure=Q_BETA, beta="inf", n_pos="6", n_neg="9", camera="0,-2,2", colours="Greys")
        code = script(app)
        assert "values_on_all_tables" in code
        result: dict = {}
        exec(code, result)
        assert (result["surface"].elev, result["surface"].azim) == (45, -90)
        pdf = (tmp_path / "search-space.pdf").read_bytes()
        assert pdf[:4] == b"%PDF"
        assert b"/Subtype /Image" not in pdf, "a picture of points"
        assert result["colours"]["cmap"] == "Greys"
        assert list(result["learners"]) == ["logistic regression"]
        assert result["ridge"] == pytest.approx(np.ones(41)), "NAS is 1 all along FP = FN"
        assert result["values"] == pytest.approx(search_space_grid(ParametricMeasure("NAS"), 6, 9).values)


def test_trained_learners_are_drawn_although_another_fails(monkeypatch):
    app = fine(opened("Learners as quantifiers", seed="54321"))

    def refuse(*requested):
        raise InvalidInput("SVM-GM", "be trained", "no luck", "Try another.")

    monkeypatch.setattr(computations, "train", refuse)
    app.multiselect(key="learners").set_value(["SVM-GM"]).run()
    assert "must be trained" in warnings(fine(app))
    assert list(traces(app, "scatter")) == [*RIDGE, "logistic regression, every threshold", "logistic regression"]
    assert names(app) == [HERO]


@pytest.mark.parametrize("camera", ["1,2", "a,b,c", "1,2,99", "1,2,nan"])
def test_a_camera_that_cannot_be_is_said(camera):
    assert "The link's camera" in warnings(fine(run(PAGE, camera=camera)))
