"""The section "Recommender" of "Test size" through app.py: each control, each bad input; never a traceback."""

import pytest
from streamlit.testing.v1 import AppTest
from streamlit.util import calc_hash

from pages.frame.view import View, view_of_link
from pages.listed import PAGES
from qcore import DATASETS, QUANTIFIERS, SizeGrid, load_dataset, recommend
from qcore.quantifiers import FAMILIES
from qcore.recommender.evaluation import errors_by_size
from tests.browser.server import ROOT
from tests.pages.app import SOME_CLASSIFIERS, captions, drawn, fine, lines, link, names, run, tables, warnings, words
from tests.thorough import mostly_thorough

PAGE = "test_size"
OPEN = {"test_size_section": "Recommender"}
CHARTS = ["errors_by_size"]
"""Those of the section's first part."""
SMALL = {"sizes": "5 10", "points": "11", "runs": "2"}
QUICK = {"classifier": "Gaussian naive Bayes"}
"""A classifier that is trained at once, where any will do."""


def test_zero_clicks_teach():
    app = fine(run(PAGE, **OPEN))
    assert names(app)[-1:] == CHARTS
    assert "Choosing" in words(app)
    assert "MLQ closes" in words(app)
    assert set(lines(drawn(app, "errors_by_size"))) == {"MS", "DyS-PS", "SORD", "MLQ", "TOP", "RND"}


def test_what_it_chooses_and_beside_each_candidate():
    app = fine(run(PAGE, **OPEN, of_the_recommender="What it chooses", **SMALL))
    assert names(app)[-2:] == ["choices", "importance"]
    assert tables(app)[-1].candidate.tolist()[:3] == ["DyS-PS", "DyS-PS", "DyS-PS"] or len(tables(app)[-1]) == 9


def test_the_charts_show_what_qcore_computes():
    app = run(PAGE, **OPEN, **SMALL)
    result = recommend(load_dataset("waveform"), grid=SizeGrid((5, 10), 11, 2))
    table = errors_by_size(result)
    for name, line in lines(drawn(app, "errors_by_size")).items():
        assert line["y"] == pytest.approx(table[table.name == name]["mean"].tolist())


@pytest.mark.parametrize("data", mostly_thorough(DATASETS))
def test_every_data_set(data):
    assert names(fine(run(PAGE, **OPEN, data=data, **QUICK, **SMALL)))[-1:] == CHARTS


@pytest.mark.parametrize("classifier", SOME_CLASSIFIERS)
def test_every_classifier(classifier):
    assert names(fine(run(PAGE, **OPEN, classifier=classifier, data="iris", **SMALL)))[-1:] == CHARTS


def test_any_candidates():
    app = fine(run(PAGE, **OPEN, candidates=list(QUANTIFIERS), **SMALL))
    shown = lines(drawn(app, "errors_by_size"))
    assert set(QUANTIFIERS) < set(shown)
    assert len({line.get("xaxis", "x") for line in shown.values()}) == len(FAMILIES), "eighteen lines are too many for one"
    assert link(app)["candidates"] == list(QUANTIFIERS)


@pytest.mark.parametrize("few", ["", "MS"])
def test_too_few_candidates(few):
    app = fine(run(PAGE, **OPEN, candidates=few, **SMALL))
    assert "Candidates must be at least two different quantifiers" in warnings(app)
    app.button_group(key="candidates").set_value(["MS", "CC"]).run()
    assert names(fine(app))[-1:] == CHARTS


def test_sizes_that_it_has_not_learnt_are_named():
    app = run(PAGE, **OPEN, data="wdbc", sizes="10 50 70", points="11", runs="2")
    assert "can give samples of up to 53. It has seen no samples of **70**" in words(app)
    app = fine(run(PAGE, **OPEN, data="wdbc", sizes="60 70", points="11", runs="2"))
    assert "must be at most 53: the recommender learns from a half of the training half" in warnings(app)


@pytest.mark.parametrize("share", mostly_thorough(["0.02", "0.05", "0.9"], 1))
@pytest.mark.parametrize("data", ["iris", "wdbc", "monks-2"])
def test_training_parts_at_the_ends(share, data):
    app = fine(run(PAGE, **OPEN, data=data, share=share, **QUICK | SMALL | {"sizes": "2 3 4"}))
    assert names(app)[-1:] == CHARTS or app.warning


def test_the_python_behind_the_picture_gives_the_errors(capsys):
    app = run(PAGE, **OPEN, **SMALL)
    (source,) = [block.value for block in app.code if block.language == "python"]
    exec(compile(source, "page", "exec"), {})
    value = lines(drawn(app, "errors_by_size"))["MLQ"]["y"][0]
    assert f"{value:.6f}"[:7] in capsys.readouterr().out


PRESETS = PAGES["test_size"].presets[-2:]


@pytest.mark.parametrize("preset", PRESETS, ids=lambda preset: preset.name)
def test_every_preset_draws_and_what_it_says_is_so(preset):
    app = run(PAGE)
    app.button(key=f"preset {preset.name}").click().run()
    assert preset.why in captions(fine(app))
    assert names(app)[-1:] == CHARTS
    assert "makes no clear difference" in words(app)


def test_a_small_data_set_has_too_little_to_learn_from():
    assert "**Choosing does not pay here.**" in words(fine(run(PAGE, **OPEN, data="wdbc")))


def test_an_older_link_leads_to_the_section_with_all_its_settings():
    view = view_of_link("/recommender?v=2&candidates=CC&candidates=AC&recommender_section=Beside+each+candidate&runs=3")
    assert view == View(PAGE, {"test_size_section": "Recommender", "candidates": ["CC", "AC"], "runs": 3})
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=240)
    app.query_params.update({"candidates": ["CC", "AC"], "recommender_section": "What it chooses", **SMALL})
    app._page_hash = calc_hash("recommender")
    assert names(fine(app.run()))[-1:] == CHARTS
    assert app.session_state["candidates"] == ["CC", "AC"]
    assert not app.warning
