"""What lessons can ask to find, to draw and to compute: each on a page, with its answer, whatever the seed."""

import json
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from pages.learn.check import Situation
from pages.learn.checks import CHECKS
from pages.learn.computed_numbers import COMPUTED_NUMBERS
from pages.learn.drawing import CURVES, N_POINTS, are_fractions, compare
from pages.learn.lesson import CLOSE, OTHER_SHAPE, TOO_HIGH, TOO_LOW
from pages.settings.address import url_words
from pages.settings.page_declaration import settings_of
from tests.browser.server import ROOT
from tests.pages.app import fine, run

ARGUMENTS = {
    "errors-multiplied": "2",
    "first-size-that-pays": "AC",
    "losses-disagree": "AE KLD",
    "losses-agree": "AE KLD SE",
    "correction-errs-more": "AC",
    "interval-within": "0.2",
    "move-seen-within": "8",
    "mean-estimate-at-home": "AC",
    "estimate-by-prevalence": "CC",
    "loss-by-prevalence": "CC",
    "loss-by-size": "AC",
    "loss-by-estimate": "KLD",
    "mean-count-at": "0.5",
    "mean-correction-at": "0.5",
    "mean-loss": "AC",
}
SETTINGS = {
    "correction-errs-more": {"corrections_section": "When it breaks", "drawn": "at every prevalence"},
    "losses-disagree": {"first_estimate": "0.5", "second_estimate": "0.02"},
    "interval-within": {"size": "200"},
    "move-seen-within": {"way": "a share over time"},
}
DATA = [{}, {"data": "digits", "positive": "3", "classifier": "Gaussian naive Bayes", "seed": "3"}]


@cache
def computed(page, address):
    """What a page has computed at an address, as JSON, and its settings: many subjects are looked up on the same page."""
    app = fine(run(page, lesson="counting", step="1", **json.loads(address)))
    drawn, results, settings = app.session_state["computed by the page"]
    assert drawn == page
    return results, settings


def situation(subject, **more):
    """What the subject's page has computed."""
    key = subject.key
    known = settings_of(subject.page)
    chosen = {name: word for name, word in (more | SETTINGS.get(key, {})).items() if name in known}
    # What a page computes is kept only in a lesson; an address with settings shows those, not the lesson's.
    some = next(name for name, setting in known.items() if setting.default is not None)
    address = {some: url_words({some: known[some].default})[some]} | chosen
    results, settings = computed(subject.page, json.dumps(address))
    assert {name: settings[name] for name in chosen} == {name: known[name].parse([word]) for name, word in chosen.items()}
    return Situation(results, settings, ARGUMENTS.get(key, ""))


@pytest.mark.parametrize("check", CHECKS.values(), ids=list(CHECKS))
@pytest.mark.parametrize("data", DATA, ids=["default", "digits"])
def test_a_check_knows_its_answer(check, data):
    now = situation(check, **data)
    target = check.target(now)
    assert set(target.told) == set(check.names)
    assert check.setting in settings_of(check.page)
    if check.key == "interval-within":
        return  # known at the present size alone: below
    if (check.key, data) == ("correction-errs-more", DATA[1]):
        assert not target.right.any(), "on these data counting is worse at every strength"
        return
    assert target.right.any()
    answer = check.answer(now)
    settings_of(check.page)[check.setting].parse([str(answer[check.setting])])
    assert check.judge(replace(now, settings=now.settings | answer)).is_right
    verdicts = {
        float(value): check.judge(replace(now, settings={**now.settings, check.setting: float(value)}))
        for value in target.values
    }
    assert {verdict.reason for verdict in verdicts.values() if not verdict.is_right} <= set(check.reasons)
    if TOO_LOW in check.reasons:
        lows = [value for value, verdict in verdicts.items() if verdict.reason == TOO_LOW]
        highs = [value for value, verdict in verdicts.items() if verdict.reason == TOO_HIGH]
        assert max(lows, default=0.0) < answer[check.setting] < min(highs, default=np.inf)


def test_the_policies_stand_where_their_checks_look():
    for key, policy in (("equal-errors", "X"), ("largest-difference", "Max"), ("half-of-the-positives", "T50")):
        now = situation(CHECKS[key])
        threshold = now.results["adjustment"].points[policy].threshold
        assert CHECKS[key].judge(replace(now, settings={**now.settings, "threshold": threshold})).is_right, policy


def test_the_width_of_an_interval_is_judged_at_the_present_size():
    verdicts = {
        size: CHECKS["interval-within"]
        .judge(replace(situation(CHECKS["interval-within"]), argument=width, settings={"size": 200}))
        .reason
        for size, width in (("narrower", "0.1"), ("fits", "0.21"), ("wider", "0.5"))
    }
    assert verdicts == {"narrower": TOO_LOW, "fits": "Right", "wider": TOO_HIGH}


@pytest.mark.parametrize("curve", CURVES.values(), ids=list(CURVES))
@pytest.mark.parametrize("data", DATA, ids=["default", "digits"])
def test_a_curve_can_be_drawn(curve, data):
    x, y = curve.values(situation(curve, **data))
    end = curve.y_end(y)
    assert np.all(np.diff(x) > 0.0)
    assert np.nanmin(y) >= 0.0
    assert curve.highest(y) <= end
    real = np.interp(np.linspace(x[0], x[-1], N_POINTS), x, np.clip(y, 0.0, end))
    assert compare(curve, x, y, real).reason == CLOSE


def test_a_drawn_curve_is_compared():
    curve, x = CURVES["mean-estimate-at-home"], np.linspace(0.0, 1.0, 11)
    y = 0.3 + 0.4 * x
    real = np.interp(np.linspace(0.0, 1.0, N_POINTS), x, y)
    assert compare(curve, x, y, real + 0.05).values == {"distance": "5.0"}
    assert compare(curve, x, y, real - 0.2).values == {"distance": "20"}
    assert compare(curve, x, y, real + 0.04).reason == CLOSE
    assert compare(curve, x, y, real + 0.2).reason == TOO_HIGH
    assert compare(curve, x, y, real - 0.2).reason == TOO_LOW
    assert compare(curve, x, y, real[::-1]).reason == OTHER_SHAPE


def test_the_truth_is_no_drawing_of_what_counting_says():
    curve, truth = CURVES["mean-estimate-at-home"], np.linspace(0.0, 1.0, N_POINTS)
    x, y = curve.values(replace(situation(curve), argument="CC"))
    assert compare(curve, x, y, truth).reason == OTHER_SHAPE


def test_a_curve_of_shares_that_is_typed_as_fractions_is_known():
    share, loss = CURVES["mean-estimate-at-home"], CURVES["loss-by-prevalence"]
    y = np.linspace(0.3, 0.9, 11)
    fractions = np.interp(np.linspace(0.0, 1.0, N_POINTS), np.linspace(0.0, 1.0, 11), y) / 100.0
    assert are_fractions(share, y, fractions)
    assert not are_fractions(share, y, 100.0 * fractions)
    assert not are_fractions(share, y, np.zeros(N_POINTS)), "nothing at all is drawn"
    assert not are_fractions(share, y / 100.0, fractions), "a curve of such shares"
    assert not are_fractions(share, y, np.full(N_POINTS, 0.01)), "1, typed everywhere"
    assert not are_fractions(loss, y, fractions)


@pytest.mark.parametrize("number", COMPUTED_NUMBERS.values(), ids=list(COMPUTED_NUMBERS))
def test_a_number_is_that_of_the_page(number):
    value = number.value(situation(number))
    assert np.isfinite(value)
    assert 0.0 <= value <= 1.0


@pytest.mark.parametrize(("key", "curve"), [("mean-count-at", "CC"), ("mean-correction-at", "AC")])
def test_a_mean_at_a_share_is_that_of_the_curve(key, curve):
    now = situation(COMPUTED_NUMBERS[key])
    x, y = CURVES["mean-estimate-at-home"].values(replace(now, argument=curve))
    assert len(x) > 5
    assert x[[0, -1]].tolist() == [0.0, 1.0]
    values = [COMPUTED_NUMBERS[key].value(replace(now, argument=str(share))) for share in x]
    assert values == pytest.approx(y.tolist())


def test_the_documentation_lists_all_of_them():
    text = (ROOT / "docs" / "lessons.md").read_text(encoding="utf-8")
    for known in (CHECKS, CURVES, COMPUTED_NUMBERS):
        for key, one in known.items():
            (row,) = [line for line in text.splitlines() if line.startswith(f"| `{key}` |")]
            assert f"| {one.what} |" in row
            assert f"| {one.argument.what if one.argument else ''} |" in row
            for name in getattr(one, "names", ()):
                assert f"`{{{name}}}`" in row
