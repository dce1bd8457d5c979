"""The page "Recommender" through app.py: each part, each control, each bad input; never a traceback."""

import pytest

from pages.listed import PAGES
from qcore import DATASETS, QUANTIFIERS, SizeGrid, load_dataset, recommend
from qcore.quantifiers import FAMILIES
from qcore.recommender.evaluation import errors_by_size
from tests.pages.app import SOME_CLASSIFIERS, captions, drawn, fine, lines, link, names, run, script, warnings, words

PAGE = "recommender"
CHARTS = ["errors_by_size", "choices", "importance"]
"""While the first section is open."""
SMALL = {"sizes": "5 10", "points": "11", "runs": "2"}
QUICK = {"classifier": "Gaussian naive Bayes"}
"""A classifier that is trained at once, where any will do."""


def test_zero_clicks_teach():
    app = fine(run(PAGE))
    assert names(app) == CHARTS
    assert "Choosing" in words(app)
    assert "MLQ closes" in words(app)
    assert set(lines(drawn(app, "errors_by_size"))) == {"MS", "DyS-PS", "SORD", "MLQ", "TOP", "RND"}


def test_the_charts_show_what_qcore_computes():
    app = run(PAGE, **SMALL)
    result = recommend(load_dataset("waveform"), grid=SizeGrid((5, 10), 11, 2))
    table = errors_by_size(result)
    for name, line in lines(drawn(app, "errors_by_size")).items():
        assert line["y"] == pytest.approx(table[table.name == name]["mean"].tolist())


@pytest.mark.parametrize("data", DATASETS)
def test_every_data_set(data):
    assert names(fine(run(PAGE, data=data, **QUICK, **SMALL))) == CHARTS


@pytest.mark.parametrize("classifier", SOME_CLASSIFIERS)
def test_every_classifier(classifier):
    assert names(fine(run(PAGE, classifier=classifier, data="iris", **SMALL))) == CHARTS


def test_any_candidates():
    app = fine(run(PAGE, candidates=list(QUANTIFIERS), **SMALL))
    shown = lines(drawn(app, "errors_by_size"))
    assert set(QUANTIFIERS) < set(shown)
    assert len({line.get("xaxis", "x") for line in shown.values()}) == len(FAMILIES), "eighteen lines are too many for one"
    assert link(app)["candidates"] == list(QUANTIFIERS)


@pytest.mark.parametrize("few", ["", "MS"])
def test_too_few_candidates(few):
    app = fine(run(PAGE, candidates=few, **SMALL))
    assert "Candidates must be at least two different quantifiers" in warnings(app)
    app.button_group(key="candidates").set_value(["MS", "CC"]).run()
    assert names(fine(app)) == CHARTS


def test_sizes_that_it_has_not_learnt_are_named():
    app = run(PAGE, data="wdbc", sizes="10 50 70", points="11", runs="2")
    assert "can give samples of up to 53. It has seen no samples of **70**" in words(app)
    app = fine(run(PAGE, data="wdbc", sizes="60 70", points="11", runs="2"))
    assert "must be at most 53: the recommender learns from a half of the training half" in warnings(app)


@pytest.mark.parametrize("share", ["0.02", "0.05", "0.9"])
@pytest.mark.parametrize("data", ["iris", "wdbc", "monks-2"])
def test_training_parts_at_the_ends(share, data):
    app = fine(run(PAGE, data=data, share=share, **QUICK | SMALL | {"sizes": "2 3 4"}))
    assert names(app) == CHARTS or app.warning


def test_the_python_behind_the_picture_gives_the_errors(capsys):
    app = run(PAGE, **SMALL)
    exec(compile(script(app), "page", "exec"), {})
    value = lines(drawn(app, "errors_by_size"))["MLQ"]["y"][0]
    assert f"{value:.6f}"[:7] in capsys.readouterr().out


PRESETS = PAGES["recommender"].presets
WHAT_CHOOSING_IS_WORTH = {
    PRESETS[0].name: "makes no clear difference",
    PRESETS[1].name: "**Choosing does not pay here.**",
    PRESETS[2].name: "makes no clear difference",
    PRESETS[3].name: "makes no clear difference",
}


@pytest.mark.parametrize("preset", PRESETS, ids=lambda preset: preset.name)
def test_every_preset_draws_and_what_it_says_is_so(preset):
    app = run(PAGE)
    app.button(key=f"preset {preset.name}").click().run()
    assert preset.why in captions(fine(app))
    assert names(app) == CHARTS
    assert WHAT_CHOOSING_IS_WORTH[preset.name] in words(app)
    app.button(key="reset").click().run()
    assert PRESETS[0].why in captions(fine(app))
