"""Every question of every lesson is judged over its whole range, in both languages: by what a person reads, computed anew here.

A control is moved to each of its values, a box gets each number that can be read off, each option is chosen, and families of
curves are drawn. What looks the same is judged the same.
"""

import re
from dataclasses import dataclass, replace
from functools import cache
from types import SimpleNamespace

import numpy as np
import pytest

from pages import pipeline
from pages.corrections.computations import errors_under_shift, shifted_pools
from pages.estimate.computations import drawn_scores
from pages.learn import judging
from pages.learn.answers import NO_SHARE
from pages.learn.check import Situation, filled
from pages.learn.checks import CHECKS
from pages.learn.computed_numbers import COMPUTED_NUMBERS
from pages.learn.drawing import CURVES, N_POINTS, compare
from pages.learn.lesson import CLOSE, OTHER_SHAPE, RIGHT, TOO_HIGH, TOO_LOW
from pages.learn.library import lessons
from pages.learn.settings import LANGUAGES
from qcore import Counts, DatasetReference, PrevalencePath, Scores, ScoringSettings
from qcore.intervals import DEFAULT_INTERVAL, INTERVALS
from qcore.losses import LOSSES
from qcore.studies.classifier_evaluation import evaluate_classifier
from qcore.studies.dataset_shift import DatasetShift, samples_under_shift
from qcore.studies.loss_shapes import preferences
from qcore.studies.threshold_adjustment import adjust_at_thresholds
from tests.pages.app import fine, run

STEPS = [(name, number) for name, lesson in lessons().items() for number in range(1, len(lesson.steps) + 1)]


def question_of(name, number, language="en"):
    return lessons(language)[name].steps[number - 1].question


def asked(kind):
    """The steps with questions of a kind."""
    return [step for step in STEPS if (question := question_of(*step)) and question.kind == kind]


@cache
def opened(name, number):
    """What the page of a step computes for its view."""
    step = lessons()[name].steps[number - 1]
    app = fine(run(step.view.page, lesson=name, step=str(number)))
    _, results, settings = app.session_state["computed by the page"]
    return Situation(results, settings, step.question.argument)


@dataclass(frozen=True)
class State:
    """A value of a control: what the page has computed there, what a person reads there, and whether that answers it."""

    now: Situation
    read: object
    is_right: bool


def moved(now, key, value, **results):
    return replace(now, settings={**now.settings, key: value}, results={**now.results, **results})


def percent(value):
    return f"{100 * value:.0f}%"


def best(readings, least=min):
    """(reading, whether no reading is better) of each."""
    return [(reading, reading == least(one for one in readings if not np.isnan(one))) for reading in readings]


def counting_is_right(now):
    rows = now.results["table"].query("method == 'CC'")
    for share in range(101):
        read = percent(np.interp(share / 100, rows.true, rows["mean"]))
        yield State(moved(now, "today", share / 100), (share, read), read == f"{share}%")


def with_thresholds(now, readings):
    """States at each threshold of the bar, from (reading, whether it is right) of each."""
    found = now.results["adjustment" if "adjustment" in now.results else "evaluation"]
    for threshold, (read, is_right) in zip(found.rates.thresholds, readings, strict=True):
        yield State(moved(now, "threshold", float(threshold)), read, is_right)


def factor(gap):
    """As the reply writes it."""
    return np.inf if abs(gap) < 1e-12 else round(1 / abs(gap), 2 if abs(gap) > 0.1 else 1)


def errors_multiplied(now):
    rates = now.results["adjustment"].rates
    factors = [factor(gap) for gap in rates.tpr - rates.fpr]
    return with_thresholds(now, [(one, one >= float(now.argument)) for one in factors])


def most_accurate(now):
    table, labels = now.results["evaluation"].table, now.results["evaluation"].labels
    return with_thresholds(now, best([float(f"{one:.3f}") for one in (table.tp + table.tn) / len(labels)], max))


def least_scatter(now):
    deviations = now.results["adjustment"].deviations
    columns = ([float(f"{one:.3f}") for one in deviations[name]] for name in ("measured", "total"))
    pairs = [best(column) for column in columns]
    return with_thresholds(now, [((one, two), a or b) for (one, a), (two, b) in zip(*pairs, strict=True)])


def largest_difference(now):
    rates = now.results["adjustment"].rates
    return with_thresholds(now, best([float(f"{one:.2f}") for one in rates.tpr - rates.fpr], max))


def read_as_well_as_the_policy(now, policy, readings):
    """The lowest reading is right, and where the policy itself stands so is what reads as low as there."""
    adjustment = now.results["adjustment"]
    own = readings[list(adjustment.rates.thresholds).index(adjustment.points[policy].threshold)]
    return with_thresholds(now, [(one, one <= own) for one in readings])


def equal_errors(now):
    rates = now.results["adjustment"].rates
    apart = [abs(round(100 * (1 - tpr)) - round(100 * fpr)) for tpr, fpr in zip(rates.tpr, rates.fpr, strict=True)]
    return read_as_well_as_the_policy(now, "X", apart)


def half_of_the_positives(now):
    apart = [abs(round(100 * tpr) - 50) for tpr in now.results["adjustment"].rates.tpr]
    return read_as_well_as_the_policy(now, "T50", apart)


def first_size_that_pays(now):
    grid = now.results["grid"]
    means = {method: grid.magnitudes[grid.methods.index(method)].mean(axis=1) for method in (now.argument, "CC")}
    better = [f"{one:.5f}" < f"{other:.5f}" for one, other in zip(means[now.argument], means["CC"], strict=True)]
    for i, size in enumerate(grid.sizes):
        yield State(moved(now, "at_size", int(size)), size, better[i] and not any(better[:i]))


def losses_disagree(now):
    names = now.argument.split()
    pair = tuple(float(now.settings[key]) for key in ("first_estimate", "second_estimate"))
    size, losses = int(now.settings["size"]), list(now.results["shares"])
    for truth in sorted({*now.results["truths"], *np.round(np.arange(0.0, 1.0, 0.01), 2), 0.165, 0.175, 0.255, 0.265}):
        values = [LOSSES[loss].binary(truth, np.array(pair), sample_size=size, smoothing="additive") for loss in names]
        signs = [0 if np.isclose(a, b, rtol=1e-9, atol=0) else int(np.sign(a - b)) for a, b in np.abs(values)]
        truths = sorted({0.0, float(truth), 1.0})
        table = preferences(losses, truths, pair, size)
        yield State(moved(now, "true_p", float(truth), preferences=table, truths=truths), tuple(signs), set(signs) == {-1, 1})


def waveform():
    data = DatasetReference("bundled", "waveform")
    return pipeline.scores(data, ScoringSettings(pipeline.dataset(data).default_positive))


def correction_errs_more(now):
    scores = waveform()
    strengths = [step / 20 for step in range(-20, 21)]
    pools = shifted_pools(scores, DatasetShift("covariate shift", 0.0), strengths)
    protocol, kept = samples_under_shift(pools, 0.0, natural=False)
    assert kept == strengths
    table = errors_under_shift(scores, pools, protocol, ("CC", "AC", "EMQ"))
    shown = set(now.results["errors_under_shift"].strength)
    for strength in strengths:
        at = table[table.strength == strength].set_index("method").AE
        read = f"{at['AC']:.3f}", f"{at['CC']:.3f}"
        there = table[table.strength.isin({*shown, strength})]
        yield State(moved(now, "strength", strength, errors_under_shift=there), read, read[0] > read[1])


def interval_within(now):
    scores = waveform()
    for size in range(1, 501):
        scored = drawn_scores(scores, PrevalencePath((0.4,), size), 0)
        parts = (scored.sample, scored.training_scores, scored.training_labels)
        low, high = INTERVALS[DEFAULT_INTERVAL].interval(Counts.from_scores(*parts), 0.95)
        main = SimpleNamespace(low=float(low), high=float(high))
        if size == now.settings["size"]:
            assert (main.low, main.high) == (now.results["view"].main.low, now.results["view"].main.high)
        ends = [float(f"{100 * end:.1f}") for end in (main.low, main.high)]
        read = round(ends[1] - ends[0], 1)
        yield State(moved(now, "size", size, view=SimpleNamespace(main=main)), read, 11.25 <= read <= 15.0)


def move_seen_within(now):
    for share in [*range(101), 36.5, 30.4, 44.9]:
        needed = now.results["batches_until_seen"](share / 100)
        is_right = needed <= float(now.argument) and share != 30
        yield State(moved(now, "later_share", share / 100), needed, is_right)


STATES = {
    "counting-is-right": counting_is_right,
    "errors-multiplied": errors_multiplied,
    "most-accurate-threshold": most_accurate,
    "least-scatter": least_scatter,
    "largest-difference": largest_difference,
    "equal-errors": equal_errors,
    "half-of-the-positives": half_of_the_positives,
    "first-size-that-pays": first_size_that_pays,
    "losses-disagree": losses_disagree,
    "correction-errs-more": correction_errs_more,
    "interval-within": interval_within,
    "move-seen-within": move_seen_within,
}

FOUND = [(*step, language) for step in asked("find") for language in LANGUAGES.values()]


def assert_judged_by_what_is_read(check, states):
    """The verdict is right where it has to be, and a reply that names a direction names one in which something is right."""
    seen = {}
    rights = [state.now.number(check.setting) for state, _ in states if state.is_right]
    for state, verdict in states:
        value = state.now.number(check.setting)
        assert verdict.is_right == state.is_right, (value, state.read, verdict)
        assert seen.setdefault(state.read, verdict.is_right) == verdict.is_right, "what reads the same is judged the same"
        if verdict.reason == TOO_LOW:
            assert max(rights) > value
        if verdict.reason == TOO_HIGH:
            assert min(rights) < value


def judged(check, now):
    """(state, verdict) of each value of the control."""
    return [(state, check.judge(state.now)) for state in STATES[check.key](now)]


@cache
def judged_in(name, number):
    return judged(CHECKS[question_of(name, number).subject], opened(name, number))


@pytest.mark.parametrize(("name", "number"), asked("find"))
def test_a_control_is_judged_at_each_of_its_values(name, number):
    states = judged_in(name, number)
    assert {state.is_right for state, _ in states} == {True, False}
    assert_judged_by_what_is_read(CHECKS[question_of(name, number).subject], states)


@pytest.mark.parametrize(("name", "number", "language"), FOUND)
def test_what_is_replied_is_complete_in_each_language(name, number, language):
    question, english = question_of(name, number, language), question_of(name, number)
    assert (question.subject, question.argument) == (english.subject, english.argument)
    for _, verdict in judged_in(name, number):
        assert not re.search(r"\{[a-z_]+\}", filled(question.replies[verdict.reason], verdict.values))


def test_another_policy_is_not_taken_for_the_one_that_is_asked_for():
    now = opened("threshold", 4)
    points = now.results["adjustment"].points
    for subject, own, other in (("largest-difference", "Max", "X"), ("equal-errors", "X", "Max"), ("equal-errors", "X", "FM")):
        at = [CHECKS[subject].judge(moved(now, "threshold", points[policy].threshold)).reason for policy in (own, other)]
        assert at[0] == RIGHT
        assert at[1] != RIGHT


BY_THRESHOLD = ("errors-multiplied", "least-scatter", "largest-difference", "equal-errors", "half-of-the-positives")


@pytest.mark.parametrize("seed", range(4))
def test_thresholds_are_judged_so_on_any_scores(seed):
    """Few instances, tied scores, a classifier that is hardly better than chance: other rates, the same rule."""
    rng = np.random.default_rng(seed)
    sizes, apart = (30, 60, 300)[seed % 3], (0.05, 0.3)[seed % 2]
    labels = rng.permutation(np.repeat([0, 1], [sizes, sizes // 2]))
    scores = np.round(np.clip(rng.normal(0.4 + apart * labels, 0.2), 0.01, 0.99), 1 if seed < 2 else 4)
    drawn = Scores(scores, labels, scores, labels)
    adjustment = adjust_at_thresholds(drawn, PrevalencePath((0.5,), 10), 0.123, seed=seed, n_samples=50)
    for subject in BY_THRESHOLD:
        now = Situation({"adjustment": adjustment}, {"threshold": 0.5}, "3" if subject == "errors-multiplied" else "")
        assert_judged_by_what_is_read(CHECKS[subject], judged(CHECKS[subject], now))
    now = Situation({"evaluation": evaluate_classifier(drawn, threshold=0.123)}, {"threshold": 0.5})
    assert_judged_by_what_is_read(CHECKS["most-accurate-threshold"], judged(CHECKS["most-accurate-threshold"], now))


def test_an_interval_that_no_sample_makes_narrow_is_not_accepted_at_the_largest_size():
    view = SimpleNamespace(main=SimpleNamespace(low=0.2, high=0.6))
    assert not CHECKS["interval-within"].judge(Situation({"view": view}, {"size": 500}, "0.15")).is_right


NUMBERS = [(*step, language) for step in asked("number") for language in LANGUAGES.values()]
BY_HAND = {
    ("counting", 5): 100 * 11 / (11 + 22),
    ("correction", 1): 100 * (54 - 11.4) / (78 - 11.4),
    ("correction", 5): 1 / (0.50 - 0.21),
    ("beyond-thresholds", 2): 100 * (50 - 20) / (80 - 20),
    ("beyond-thresholds", 4): 100 * (4 * 0.25) / (1 + 4 * 0.25),
    ("small-samples", 1): 5 * np.sqrt(100 / 25),
    ("losses", 1): 30 - 20,
    ("own-sample", 3): 100 * (38 - 15) / (82.5 - 15),
    ("judge", 1): 48 * 44 / 53 + 52 * 9 / 47,
    ("judge", 3): 100 * (48 - 26) / (80 - 26),
    ("dataset-shift", 5): 100 * (40 - 20) / (80 - 20),
}
"""What follows from the numbers in the text, as it is typed: a share in percent."""


@pytest.mark.parametrize(("name", "number", "language"), NUMBERS)
def test_a_typed_number_is_judged_at_each_value_that_can_be_read_off(name, number, language, monkeypatch):
    question = question_of(name, number, language)
    now = None if question.answer is not None else opened(name, number)
    monkeypatch.setattr(judging, "situation", lambda *_: now)
    times, unit = (100.0, "%") if question.is_share else (1.0, "")
    answer = question.answer if now is None else COMPUTED_NUMBERS[question.subject].value(now)
    by_hand = BY_HAND.get((name, number), times * answer)

    def reason(text):
        return judging.typed(None, question, text).verdict.reason

    tolerance = times * question.tolerance
    step = 0.1 if question.is_share else 0.01
    for value in np.round(np.arange(-5.0, 105.0 if question.is_share else 15.0, step), 2):
        apart = value - times * answer
        expected = RIGHT if abs(apart) <= tolerance + 1e-7 else TOO_LOW if apart < 0 else TOO_HIGH
        if expected != RIGHT:
            slips = [slip for slip, wrong in question.slips.items() if abs(value - times * wrong) <= tolerance + 1e-7]
            expected = slips[0] if slips else NO_SHARE if question.is_share and value > 100.0 else expected
        assert reason(f"{value:g} {unit}") == expected, value
        assert reason(f"{value:g}".replace(".", ",")) in (expected, judging.NO_PERCENTAGE if 0 < value < 1 else expected)
    for text in (f"{by_hand:.2f}", f"{by_hand:.1f}", f"{by_hand:.0f}" if question.is_share else f"{by_hand:.1f}"):
        assert reason(text) == RIGHT, text
    assert reason(question.told(answer)) == RIGHT, "the answer that is shown"


@pytest.mark.parametrize(("name", "number"), asked("choice"))
def test_one_option_is_right_in_each_language(name, number):
    rights = []
    for language in LANGUAGES.values():
        question = question_of(name, number, language)
        reasons = [judging.chosen(question, i).verdict.is_right for i in range(len(question.options))]
        assert reasons == [option.is_right for option in question.options]
        rights.append(reasons)
    assert all(one == rights[0] and sum(one) == 1 for one in rights)


T = np.linspace(0.0, 1.0, N_POINTS)


def scaled(shape, low, high):
    """A curve from `low` to `high` of the shape of an increasing one."""
    return low + (high - low) * (shape - shape[0]) / (shape[-1] - shape[0])


def typed_at(values):
    """The curve that goes in straight lines through five typed values."""
    return np.interp(T, np.linspace(0.0, 1.0, 5), values)


def vee(left, tip, right, low=0.0, power=1.0):
    """A V with its tip at `tip`; of a power above 1 a U."""
    sides = np.where(tip > T, left - low, right - low) * (np.abs(T - tip) / np.where(tip > T, tip, 1.0 - tip)) ** power
    return low + sides


def wobbling(real, seed):
    """What a hand makes of a curve: up to some 4% of the frame off, in waves."""
    noise = np.convolve(np.random.default_rng(seed).normal(size=N_POINTS + 4), np.ones(5) / np.sqrt(5), "valid")
    return np.clip(real + 0.016 * noise, 0.0, 1.0)


def s_curves(low, high):
    logistic = {f"S {steep}": scaled(1.0 / (1.0 + np.exp(-steep * (T - 0.5))), low, high) for steep in (6, 10, 20, 60)}
    smooth = {"S of a cubic": scaled(3 * T**2 - 2 * T**3, low, high)}
    typed = [low + (high - low) * share for share in (0.0, 0.25, 0.5, 0.75, 1.0)]
    bent = {f"S typed {by}": typed_at([typed[0], typed[1] - by, typed[2], typed[3] + by, typed[4]]) for by in (0.07, 0.12)}
    return {**logistic, **smooth, **bent}


def wrong_curves(key, real):
    """Curves of another shape or level than the real one, all as shares of the frame."""
    low, high = float(real[0]), float(real[-1])
    step = {"step": np.where(T < 0.5, low, high)}
    shifted = {f"shifted {by}": real + by for by in (0.15, 0.3)}
    straight = {
        **s_curves(low, high), **step, **shifted, "lower": real - 0.15, "inverted": 1.0 - real, "falling": real[::-1],
        "flat": np.full(N_POINTS, real.mean()), "V": vee(low, 0.4, high), "U": vee(low, 0.4, high, power=2.0),
        "with a dip": real - 0.15 * np.exp(-(((T - 0.5) / 0.12) ** 2)), "bow": real + 0.12 * 4 * T * (1 - T),
    }  # fmt: skip
    if key in (("counting", 3), ("correction", 2)):
        return straight
    others = {
        ("threshold", 2): {
            **s_curves(0.2, 1.0), **step, **shifted, "line": scaled(T, 0.2, 1.0), "flat": np.full(N_POINTS, 0.3),
            "inverted": 1.0 - real, "lowest at 0.5": vee(1.0, 0.5, 1.0, 0.2, 2.0), "V": vee(0.5, 0.5, 1.0, 0.2),
        },
        ("losses", 3): {
            **s_curves(0.0, 1.0), **step, **shifted, "line": T, "flat": np.full(N_POINTS, 0.2), "inverted": 1.0 - real,
            "AE, a V": vee(0.25, 0.2, 1.0), "low V": vee(0.16, 0.2, 0.4), "SE, a U": vee(0.06, 0.2, 1.0, power=2.0),
        },
        ("beyond-thresholds", 3): {
            **s_curves(0.1, 0.9), "counting's V": vee(0.47, 0.33, 0.87, 0.1), "small V": vee(0.4, 0.5, 0.4),
            "high": np.full(N_POINTS, 0.4), "inverted": 1.0 - real, "shifted": real + 0.12, "rising": scaled(T, 0.0, 0.5),
        },
        ("small-samples", 2): {
            **s_curves(low, 0.0), "chance alone": low / np.sqrt(1.0 + 9.0 * T), "to nothing": scaled(T, low, 0.0),
            "rising": scaled(T, 0.5, 1.0), "V": vee(0.6, 0.5, 0.6), "higher": real + 0.15, "lower": real - 0.15,
        },
    }  # fmt: skip
    return others[key]


DRAWN = [(*step, language) for step in asked("draw") for language in LANGUAGES.values()]


@pytest.mark.parametrize(("name", "number", "language"), DRAWN)
def test_a_drawn_curve_is_told_from_those_of_other_shapes(name, number, language, monkeypatch):
    now, question = opened(name, number), question_of(name, number, language)
    monkeypatch.setattr(judging, "situation", lambda *_: now)
    curve = CURVES[question.subject]
    x, y = curve.values(now)
    end = curve.y_end(y)
    real = np.interp(T, (x - x[0]) / (x[-1] - x[0]), np.clip(y, 0.0, end)) / end

    def reason(drawn):
        points = tuple((end * np.clip(drawn, 0.0, 1.0)).tolist())
        verdict = judging.drawn(None, question, points, now).verdict
        assert "{" not in filled(question.replies[verdict.reason], verdict.values)
        return verdict.reason

    level = 0.6 * curve.close
    right = {
        "the real one": real, "five values": typed_at(real[:: (N_POINTS - 1) // 4]), "higher": real + level,
        "lower": real - level, "tilted": real + 2.0 * level * (T - 0.5), "bowed": real + 0.04 * 4 * T * (1 - T),
        **{f"by hand {seed}": wobbling(real, seed) for seed in range(40)},
    }  # fmt: skip
    assert {what: reason(drawn) for what, drawn in right.items()} == dict.fromkeys(right, CLOSE)
    wrong = {what: reason(drawn) for what, drawn in wrong_curves((name, number), real).items()}
    assert CLOSE not in wrong.values(), wrong
    if "S of a cubic" in wrong and name in ("counting", "correction"):
        assert {reason for what, reason in wrong.items() if what.startswith("S ")} == {OTHER_SHAPE}


def test_a_v_is_told_from_a_u():
    """Counting's loss, which lessons of one's own may ask for."""
    now = replace(opened("beyond-thresholds", 3), argument="CC")
    curve = CURVES["loss-by-prevalence"]
    x, y = curve.values(now)
    end = curve.y_end(y)
    real = np.interp(T, x, y) / end
    u = np.polyval(np.polyfit(T, real, 2), T)
    pointed = [vee(real[0], tip, real[-1], low) for tip in (0.3, 0.35) for low in (0.0, 0.1)]
    verdicts = [compare(curve, x, y, end * drawn).reason for drawn in (real, *pointed, *(wobbling(real, i) for i in range(20)))]
    assert set(verdicts) == {CLOSE}
    assert compare(curve, x, y, end * u).reason == OTHER_SHAPE
    assert compare(curve, x, y, np.full(N_POINTS, end * real.mean())).reason != CLOSE
