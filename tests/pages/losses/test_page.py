"""The page "Losses" through app.py: what is dragged, each control, each section, bad input."""

import pytest

from pages.listed import PAGES
from pages.losses.settings import SHOWN_LOSSES
from qcore import LOSSES
from qcore.studies.loss_shapes import magnitudes, preferences
from tests.pages.app import (
    captions,
    chart,
    components,
    fine,
    lines,
    link,
    long_sentences,
    run,
    script,
    sentence,
    sentences,
    tables,
)

SECTIONS = PAGES["losses"].sections

PAGE = "losses"


def test_the_charts_show_what_qcore_computes():
    app = fine(run(PAGE))
    drawn = lines(chart(app, "shapes")["figure"])
    drawn = {loss: data for name, data in drawn.items() for loss in name.split(", ")}
    for loss in SHOWN_LOSSES:
        values = magnitudes(loss, 0.2, drawn[loss]["x"], 100)
        assert drawn[loss]["y"] == pytest.approx((values / values.max()).tolist(), abs=1e-4)
    table = preferences(list(reversed(SHOWN_LOSSES)), 0.2, (0.3, 0.11), 100)
    (marks,) = chart(app, "preferences")["figure"]["data"]
    assert marks["x"] == pytest.approx((table.second / (table["first"] + table.second)).tolist(), abs=1e-4)


def test_losses_of_one_shape_have_one_line_with_all_their_names():
    drawn = lines(chart(fine(run(PAGE, shown_losses=list(LOSSES))), "shapes")["figure"])
    assert set(drawn) == {"AE, bias, RAE, NAE, NRAE", "KLD", "SE", "NKLD", "estimate A", "estimate B", "truth"}


def test_everything_follows_the_true_prevalence():
    app = fine(run(PAGE, true_p="0.37"))
    (bar,) = components(app, "dragged")
    assert 0.37 in bar["values"]
    for name in ("shapes", "preferences"):
        (follow,) = chart(app, name)["follows"]
        assert follow["values"] == bar["values"]
    assert len(sentences(app, "preferred")) == len(bar["values"])
    assert sentence(app, "preferred").startswith("If the truth is 37%")
    assert all(len(text.split()) <= 25 for text in sentences(app, "preferred"))


@pytest.mark.parametrize("title", SECTIONS)
def test_every_section(title):
    app = fine(run(PAGE, losses_section=title, shown_losses=list(LOSSES)))
    assert not long_sentences(app)
    text = " ".join(element.value for element in app.markdown)
    if title == "Properties":
        assert list(tables(app)[0].loss) == list(LOSSES)
    if title == "The losses":
        assert all(loss.formula in text for loss in LOSSES.values())
    if title == "How to choose":
        assert "Sebastiani 2020" in text


def test_the_python_gives_the_preferences(capsys):
    app = fine(run(PAGE))
    exec(compile(script(app), "page", "exec"), {})
    rows = [line.split() for line in capsys.readouterr().out.splitlines()[1:]]
    # Of 0.3 and 0.11, where 0.2 is true: the second is nearer, and only KLD minds more that it is nearer to 0.
    assert {row[2]: row[-1] for row in rows} == {"KLD": "first"} | dict.fromkeys(("AE", "SE", "RAE", "NAE"), "second")


@pytest.mark.parametrize(
    ("kind", "key", "value"),
    [
        ("number_input", "true_p", 0.4), ("number_input", "first_estimate", 0.9), ("number_input", "second_estimate", 0.5),
        ("button_group", "shown_losses", ["AE", "NKLD"]), ("slider", "size", 5), ("button_group", "smoothing", "half a count"),
    ],
)  # fmt: skip
def test_every_control_changes_something_visible(kind, key, value):
    app = run(PAGE)
    before = [components(app, name) for name in ("kept_chart", "dragged_text")]
    getattr(app, kind)(key=key).set_value(value).run()
    assert [components(fine(app), name) for name in ("kept_chart", "dragged_text")] != before
    assert link(app)[key] == (value if isinstance(value, list) else [str(value)])


@pytest.mark.parametrize("true_p", ["0", "1", "0.005"])
def test_extremes_have_a_picture_or_a_sentence(true_p):
    app = fine(run(PAGE, true_p=true_p))
    assert {data["name"] for data in components(app, "kept_chart")} == {"shapes", "preferences"}


@pytest.mark.parametrize(
    ("key", "value"), [("true_p", "2"), ("first_estimate", "x"), ("shown_losses", "joy"), ("smoothing", "x")]
)
def test_nonsense_in_the_url_gives_the_default_and_says_so(key, value):
    app = fine(run(PAGE, **{key: value}))
    assert f"`{value}`" in " ".join(warning.value for warning in app.warning)


@pytest.mark.parametrize("preset", PAGES["losses"].presets, ids=lambda preset: preset.name)
def test_each_preset_says_why(preset):
    app = run(PAGE, true_p="0.9")
    app.button(key=f"preset {preset.name}").click().run()
    assert preset.why in captions(fine(app))


def test_what_presets_say_is_so():
    def preferred(name):
        app = run(PAGE)
        app.button(key=f"preset {name}").click().run()
        return sentence(fine(app), "preferred")

    assert preferred("The order flips") == "If the truth is 20%, KLD prefers A (30%); AE, SE, RAE, NAE prefer B (11%)."
    assert "KLD prefers A (5%); AE, SE, RAE, NAE prefer B (0%)" in preferred("A rare class")
    assert (
        preferred("As far off on both sides")
        == "If the truth is 20%, KLD, NKLD prefer A (30%); AE, SE, RAE, NAE find both equally good."
    )


def test_too_high_and_too_low_are_of_the_truth_that_is_shown():
    table = tables(fine(run(PAGE, true_p="0.8", losses_section="Properties", shown_losses=list(LOSSES))))[0]
    row = table.set_index("loss").loc["KLD"]
    over, under = (float(magnitudes("KLD", 0.8, [estimate], 100)[0]) for estimate in (0.85, 0.75))
    assert (row.over, row.under) == pytest.approx((over, under))
    assert over > under
