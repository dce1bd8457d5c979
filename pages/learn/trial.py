"""Tries a lesson before a class takes it: `python -m pages.learn.trial FILE` reads it and opens each of its steps."""

import argparse
import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from pages.frame.recording import COMPUTED, WITHHELD
from pages.frame.view import values_of
from pages.handout.command import recorded_view
from pages.handout.drawn import Drawn
from pages.learn.check import NotComputed, Situation, filled
from pages.learn.checks import CHECKS
from pages.learn.computed_numbers import number_asked
from pages.learn.drawing import CURVES
from pages.learn.hidden import CHART, PARTS
from pages.learn.lesson import Lesson, Question, Step
from pages.learn.lesson_file import LessonMistake, read_lesson
from pages.learn.library import FOLDER_VARIABLE
from pages.learn.settings import ENGLISH, LANGUAGES
from pages.settings.page_declaration import settings_of
from pages.settings.setting import section_key
from qcore import InvalidInput

MOST_WORDS = 80
"""A step with more words gets the advice to shorten it: people read all of them before they look at the page."""


@dataclass(frozen=True)
class Trial:
    """What became of a step: what is right or said, what would fail before a class, and what might be better."""

    said: tuple[str, ...] = ()
    faults: tuple[str, ...] = ()
    advice: tuple[str, ...] = ()


def try_step(lesson: Lesson, number: int) -> Trial:
    """Open the view of a step without a browser, and answer its question."""
    step = lesson.steps[number - 1]
    try:
        recorded, app = recorded_view(step.view, {"lesson": lesson.name, "step": str(number), "language": lesson.language})
    except InvalidInput as error:
        return Trial(faults=(str(error),))
    faults = tuple(_missing(step, recorded.page))
    length = len(f"{step.text} {step.question.prompt if step.question else ''}".split())
    advice = (f"It has {length} words; {MOST_WORDS} are enough.",) if length > MOST_WORDS else ()
    if step.question is None:
        return Trial((), faults, advice)
    results = app.session_state[COMPUTED].results if COMPUTED in app.session_state else {}
    now = Situation(results, values_of(step.view), step.question.argument)
    try:
        said, warned = _answer(step.question, now)
    except NotComputed:
        hint = "Open the tab that shows it, choose what it is about, and write that link as View."
        return Trial((), (*faults, f"The view does not compute what its question asks for. {hint}"), advice)
    return Trial(said, faults, (*advice, *warned))


def _missing(step: Step, page: Drawn) -> Iterator[str]:
    """What a step hides or looks at that its view does not have."""
    charts = {one.data["name"].replace("-", "_") for one in page.all() if one.kind == "kept_chart"}
    for part in (*step.hidden, *step.without, *([f"{CHART}{step.look}"] if step.look else [])):
        if part.startswith(CHART):
            known = ", ".join(sorted(charts)) or "none"
            if part.removeprefix(CHART) not in charts:
                yield f"The view draws no {part}: it draws {known}. A chart of a tab needs a view with that tab."
        elif part not in WITHHELD and not _has(part, step, page):
            yield f"The view has no part {part!r} that could be hidden."


def _has(part: str, step: Step, page: Drawn) -> bool:
    """Whether the view draws something in a part; an empty container for it is on every page."""
    if part == "section":
        return section_key(step.view.page) in settings_of(step.view.page)
    place = page.find(PARTS[part].removeprefix(".st-key-"))
    return place is not None and any(one.kind != "block" for one in place.all())


def _answer(question: Question, now: Situation) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What is right, in words, and what might be better. Raises NotComputed."""
    if question.kind == "find":
        return _found(question, now)
    if question.kind == "choice":
        right = next(option.text for option in question.options if option.is_right)
    elif question.kind == "number":
        right = f"{question.told(number_asked(question, now))} ± {question.told(question.tolerance)}"
    else:
        x, y = CURVES[question.subject].values(now)
        right = f"a curve from {y[0]:.3g} at {x[0]:.3g} to {y[-1]:.3g} at {x[-1]:.3g}."
    return (f"Right: {right}",), ()


def _found(question: Question, now: Situation) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What answers a question that asks to find something. Raises NotComputed."""
    check = CHECKS[question.subject]
    verdict, answer = check.judge(now), check.answer(now)
    ((key, value),) = answer.items()
    there = check.judge_at(now, answer)
    at_first, at_last = (filled(question.replies[one.reason], one.values) for one in (verdict, there))
    # A page that computes the result only at the present value would have to be drawn anew before its reply is known.
    moved = settings_of(check.page)[key].name
    right = f"Right: {moved} at {value:.6g}. {at_last if there.is_right else ''}".rstrip()
    advice = ("The view answers the question already: nobody has to move anything.",) if verdict.is_right else ()
    return (f"At first: {at_first}", right), advice


def differences(lesson: Lesson, other: Lesson) -> Iterator[str]:
    """The differences between a lesson in two languages in what must be the same, a sentence for each."""
    if len(lesson.steps) != len(other.steps):
        yield f"It has {len(lesson.steps)} steps in {lesson.language}, {len(other.steps)} in {other.language}."
        return
    for number, (one, two) in enumerate(zip(lesson.steps, other.steps, strict=True), 1):
        if _the_same_in_all(one) != _the_same_in_all(two):
            yield f"Step {number} differs in {other.language}: view, what is hidden, question and answer are the same in all."


def _the_same_in_all(step: Step) -> tuple[object, ...]:
    asked = step.question
    right = [option.is_right for option in asked.options] if asked else []
    about = asked and (asked.kind, asked.subject, asked.argument, asked.answer, asked.tolerance, dict(asked.slips), right)
    return step.view, step.hidden, step.without, step.look, about


def try_lesson(path: Path, language: str) -> bool:
    """Print what became of each step of the lesson in a file; returns whether all is well."""
    try:
        lesson = read_lesson(path, language, own=True)
    except LessonMistake as mistake:
        print(mistake)
        return False
    print(f"{lesson.title}: {len(lesson.steps)} step{'s' * (len(lesson.steps) > 1)}, {lesson.minutes} minutes")
    is_well = True
    for number, step in enumerate(lesson.steps, 1):
        trial = try_step(lesson, number)
        is_well &= not trial.faults
        sentences = [*trial.said, *(f"Mistake: {one}" for one in trial.faults), *(f"Advice: {one}" for one in trial.advice)]
        print(f"{number} {step.title}", *(f"  {one}" for one in sentences), sep="\n", flush=True)
    different = list(_beside_other_languages(path, lesson))
    print(*different, sep="\n", end="\n" if different else "")
    return is_well and not different


def _beside_other_languages(path: Path, lesson: Lesson) -> Iterator[str]:
    """How a lesson differs from the files of its name in other languages, or what is wrong with those."""
    if path.parent.name != lesson.language:
        return
    for code in LANGUAGES.values():
        other = path.parent.with_name(code) / path.name
        if code != lesson.language and other.is_file():
            try:
                yield from differences(lesson, read_lesson(other, code, own=True))
            except LessonMistake as mistake:
                yield from mistake.sentences


def main(words: list[str] | None = None) -> int:
    """Try a lesson. Returns the exit status: 1 if something in it would fail."""
    parser = argparse.ArgumentParser(prog="python -m pages.learn.trial", description=__doc__)
    parser.add_argument("file", type=Path, help="of the lesson, NAME.md")
    parser.add_argument("--language", choices=list(LANGUAGES.values()), help="by default that of its folder, or English")
    parsed = parser.parse_args(words)
    path = parsed.file.resolve()
    if not path.is_file():
        print(f"{str(parsed.file)!r} must be the file of a lesson, got no file. Check the path.")
        return 1
    in_folder = path.parent.name if path.parent.name in LANGUAGES.values() else None
    os.environ[FOLDER_VARIABLE] = str(path.parent.parent if in_folder else path.parent)
    return 0 if try_lesson(path, parsed.language or in_folder or ENGLISH) else 1


if __name__ == "__main__":
    import pages.listed  # noqa: F401  a step opens one of the pages

    sys.exit(main())
