"""Every step of every lesson: its view opens, what it hides is there, the right answer is accepted and a wrong one refused."""

import re
from collections import Counter
from dataclasses import replace
from itertools import cycle

import numpy as np
import pytest
from streamlit.util import calc_hash

from pages.frame.recording import POLICY_MARKS, RIGHT_COUNT, WITHHELD
from pages.frame.view import values_of
from pages.learn.check import Situation
from pages.learn.checks import CHECKS
from pages.learn.computed_numbers import COMPUTED_NUMBERS
from pages.learn.drawing import CURVES, N_POINTS, compare
from pages.learn.hidden import CHART, PARTS
from pages.learn.lesson import CLOSE
from pages.learn.library import LESSONS, lessons, mistakes
from pages.learn.settings import LANGUAGES
from pages.listed import PAGES
from pages.settings.page_declaration import settings_of
from qcore.quantifiers.operating_points import POLICIES
from tests.pages.app import components, drawn, fine, names, run

STEPS = [(name, number) for name, lesson in lessons().items() for number in range(1, len(lesson.steps) + 1)]
IDS = [f"{name}-{number}" for name, number in STEPS]


def steps_that_ask(*kinds):
    """The steps with a question of one of these kinds."""
    asked = {(name, number): lessons()[name].steps[number - 1].question for name, number in STEPS}
    return [step for step, question in asked.items() if question and question.kind in kinds]


DRAWN = steps_that_ask("draw")
OF_SEEDS = [
    (name, number)
    for name, number in steps_that_ask("find", "draw")
    if "seed" in settings_of(lessons()[name].steps[number - 1].view.page)
]
STUDENTS = [1, 7, 4321]
MOST_WORDS = 80
WITH_POLICIES = {"rates", "cost", "roc"}
"""Charts that mark the thresholds of policies."""


def at(name, number, **more):
    """The app at a step, and the step."""
    step = lessons()[name].steps[number - 1]
    return fine(run(step.view.page, lesson=name, step=str(number), **more)), step


def markdown(app):
    return " ".join(one.value for one in [*app.markdown, *app.success, *app.warning, *app.info])


def pressed(app, label):
    (button,) = [one for one in app.button if one.label == label]
    return fine(button.click().run())


def styles(app):
    return " ".join(one.proto.body for one in app.get("html"))


def is_hidden(app, part):
    if part == RIGHT_COUNT:
        return RIGHT_COUNT not in {trace["name"] for trace in drawn(app, "home")["data"]}
    if part == POLICY_MARKS:
        (bar,) = [one for one in components(app, "dragged") if one["name"] == "threshold"]
        shown = {trace["name"] for name in WITH_POLICIES & set(names(app)) for trace in drawn(app, name)["data"]}
        return not bar["buttons"] and not shown.intersection(POLICIES)
    place = PARTS.get(part) or f".st-key-{part.removeprefix(CHART)}"
    return f"{place} *" in styles(app)


def assert_hides_only(app, parts):
    assert all(is_hidden(app, part) for part in parts)
    assert bool(set(parts) - set(WITHHELD)) == ("visibility: hidden !important" in styles(app))
    if WITH_POLICIES & set(names(app)):
        assert is_hidden(app, POLICY_MARKS) == (POLICY_MARKS in parts)
    if "home" in names(app):
        assert is_hidden(app, RIGHT_COUNT) == (RIGHT_COUNT in parts)


def answered(app, step, right):
    """The app after an answer, a right or a wrong one."""
    question = step.question
    if question.kind == "choice":
        index = next(i for i, option in enumerate(question.options) if option.is_right == right)
        (radio,) = [one for one in app.radio if one.label == question.prompt]
        radio.set_value(index)
        return pressed(app, "Check")
    page, results = app.session_state["computed by the page"][:2]
    now = Situation(results, values_of(step.view), question.argument)
    if question.kind == "number":
        value = question.answer if question.answer is not None else COMPUTED_NUMBERS[question.subject].value(now)
        times = 100.0 if question.is_share else 1.0
        (box,) = [one for one in app.text_input if str(one.key).startswith("lesson-number")]
        box.set_value(f"{times * (value if right else value - 2.1 * question.tolerance - 0.01)}")
        return pressed(app, "Check")
    check = CHECKS[question.subject]
    assert page == check.page
    if right:
        ((key, value),) = check.answer(now).items()
        app.session_state[key] = value
        fine(app.run())
    return pressed(app, "Check")


def assert_shows(app, view):
    """The controls have the values of a view."""
    there = set(app.session_state._state.filtered_state)
    for key, value in values_of(view).items():
        if key in there:
            assert app.session_state[key] == value, (view.page, key)


@pytest.mark.parametrize(("name", "number"), STEPS, ids=IDS)
def test_a_step_opens_its_view_hides_what_it_asks_for_accepts_a_right_answer_and_refuses_a_wrong_one(name, number):
    app, step = at(name, number)
    assert_shows(app, step.view)
    assert step.title in markdown(app)
    assert len(f"{step.text} {step.question.prompt if step.question else ''}".split()) <= MOST_WORDS
    for part in (*step.hidden, *step.without):
        assert is_hidden(app, part), part
        if part.startswith(CHART):
            assert part.removeprefix(CHART) in names(app)
    if step.question is None or step.question.kind == "draw":
        return
    app = answered(app, step, right=False)
    assert "**Not yet.**" in markdown(app)
    assert all(is_hidden(app, part) for part in step.hidden), "what is asked for stays hidden"
    app = answered(app, step, right=True)
    assert "**Right.**" in markdown(app)
    assert_hides_only(app, step.without)
    assert not step.look or step.look in names(app)


@pytest.mark.parametrize(("name", "number"), DRAWN)
def test_a_drawn_curve_is_judged_by_the_one_that_the_page_computes(name, number):
    app, step = at(name, number)
    _, results = app.session_state["computed by the page"][:2]
    curve = CURVES[step.question.subject]
    x, y = curve.values(Situation(results, values_of(step.view), step.question.argument))
    end = curve.y_end(y)
    assert 0.5 * end < curve.headroom * curve.highest(y) / 1.1 <= end, "it fills as much of its frame as it is meant to"
    real = np.interp(np.linspace(x[0], x[-1], N_POINTS), x, np.clip(y, 0.0, end))
    assert compare(curve, x, y, real).reason == CLOSE
    assert compare(curve, x, y, end - real if np.ptp(real) > 0.3 * end else np.zeros(N_POINTS)).reason != CLOSE


@pytest.mark.parametrize("language", LANGUAGES.values())
def test_each_wrong_answer_is_told_why_in_words_of_its_own(language):
    for name, lesson in lessons(language).items():
        for number, step in enumerate(lesson.steps, 1):
            asked = step.question
            told = [option.why for option in asked.options] + list(asked.replies.values()) if asked else []
            assert len(set(told)) == len(told), (name, number)


def test_the_longest_answer_is_not_the_right_one_in_most_questions():
    asked = [lessons()[name].steps[number - 1].question.options for name, number in steps_that_ask("choice")]
    longest = [max(options, key=lambda option: len(option.text)).is_right for options in asked]
    assert sum(longest) <= 0.45 * len(longest)


def test_all_files_are_fine():
    assert mistakes() == []
    assert len(lessons()) == 9


@pytest.mark.parametrize("language", LANGUAGES.values())
def test_lessons_are_the_same_in_all_languages(language):
    assert {path.name for path in (LESSONS / language).glob("*.md")} == {f"{name}.md" for name in lessons()}

    def plan(step):
        question = step.question and replace(step.question, prompt="", options=(), replies={})
        rights = [option.is_right for option in step.question.options] if step.question else []
        return step.view, step.hidden, step.without, step.look, question, rights

    for name, lesson in lessons(language).items():
        english = lessons()[name]
        assert lesson.language == language
        assert [plan(step) for step in lesson.steps] == [plan(step) for step in english.steps], name
        assert (lesson.minutes, lesson.order) == (english.minutes, english.order)


@pytest.mark.parametrize("lesson", lessons().values(), ids=list(lessons()))
def test_a_lesson_has_questions_and_one_to_find_or_draw(lesson):
    kinds = [step.question.kind for step in lesson.steps if step.question]
    assert len(kinds) >= 3
    assert {"find", "draw"} & set(kinds)
    assert 8 <= lesson.minutes <= 15


def test_the_place_of_an_option_does_not_tell_which_is_right():
    asked = [lessons()[name].steps[number - 1].question.options for name, number in steps_that_ask("choice")]
    places = Counter(next(i for i, option in enumerate(options) if option.is_right) for options in asked)
    assert all(n <= 0.4 * len(asked) for n in places.values()), places


@pytest.mark.parametrize(("step", "student"), list(zip(OF_SEEDS, cycle(STUDENTS), strict=False)))
def test_what_students_have_to_find_and_draw_follows_their_own_seeds(step, student):
    """Each step with one of the seeds: where the answer lies is looked up in the results of the page, whatever they are."""
    app, step = at(*step, student=str(student))
    assert app.session_state["seed"] == student
    if step.question.kind == "find" and step.question.subject != "interval-within":
        assert "**Right.**" in markdown(answered(app, step, right=True))


def test_a_shown_size_has_an_interval_as_asked_for():
    """The width is computed at the present size alone; at the shown size it is computed when the page has been drawn anew."""
    app, _ = at("own-sample", 2)
    app = pressed(app, "Show me")
    assert re.search(r"\*\*Shown\.\*\* .*instances", markdown(app))
    assert "**Right.**" in markdown(pressed(app, "Check"))


def shown(app, step):
    """The app after Show me, if the step asks."""
    if step.question is None:
        return app
    app = pressed(app, "Show me")
    assert "**Shown.**" in markdown(app), step.title
    assert_hides_only(app, step.without)
    if step.question.kind == "find" and step.question.subject != "interval-within":
        app = pressed(app, "Check")
        assert "**Right.**" in markdown(app), step.title
    return app


@pytest.mark.thorough
@pytest.mark.parametrize("name", lessons())
def test_a_lesson_can_be_walked_through_by_show_me_and_next(name):
    """Each step is opened from the one before, whose controls hold parameters of the address."""
    steps = lessons()[name].steps
    app, step = at(name, 1)
    app = shown(app, step)
    for number, step in enumerate(steps[1:], 2):
        app = pressed(app, "Next →")
        assert f" · Step {number} of {len(steps)} · {step.title}" in markdown(app)
        assert_shows(app, step.view)
        # An AppTest stays on the page that it began with; a browser says which one it is on.
        app._page_hash = calc_hash(PAGES[step.view.page].path)
        app = shown(app, step)


def test_a_page_does_not_speak_of_policies_that_a_step_withholds():
    asked = "Try: choose X."
    assert asked in " ".join(one.value for one in fine(run("corrections")).markdown)
    assert asked not in " ".join(one.value for one in fine(run("corrections", lesson="threshold", step="3")).markdown)
