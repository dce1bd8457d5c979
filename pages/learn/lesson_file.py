"""Reads a lesson from its Markdown file; docs/lessons.md describes the format for teachers."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Final
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from pages.frame.view import View, view_of_link
from pages.learn.hidden import CHART, hidden_parts
from pages.learn.lesson import Lesson, Step
from pages.learn.lesson_lines import (
    OF_LESSONS,
    OF_STEPS,
    Fault,
    Faults,
    Line,
    check_keys,
    check_places,
    is_key,
    joined,
    keys_of,
)
from pages.learn.question_lines import read_question
from pages.learn.settings import CLASSROOM, LANGUAGES, MOST_STEPS, NAME, SETTINGS
from qcore import InvalidInput

_STEP: Final = re.compile(r"##\s+\S")
_OF_A_PLACE: Final = (*SETTINGS, CLASSROOM.key)
"""Parameters of an address that say where a person is, not what they see."""


class LessonMistake(ValueError):
    """Mistakes in the file of a lesson; each sentence names the file, the line and the rule."""

    def __init__(self, path: Path, faults: Iterable[Fault]) -> None:
        # Files of one name lie in the folders of several languages.
        name = f"{path.parent.name}/{path.name}" if path.parent.name in LANGUAGES.values() else path.name
        self.sentences = [f"{name}, line {fault.line}: {fault}" for fault in faults]
        super().__init__("\n".join(self.sentences))


def read_lesson(path: Path, language: str, *, own: bool = False) -> Lesson:
    """The lesson of a file in a language. Raises LessonMistake, with the first mistake of its head and of each step."""
    try:
        if not NAME.fullmatch(path.stem):
            raise Fault(1, "the name of the file has small letters without accents, digits and hyphens, and no blanks.")
        return _lesson(path.stem, language, _lines(path.read_text(encoding="utf-8-sig")), own)
    except Fault as fault:
        raise LessonMistake(path, [fault]) from fault
    except Faults as found:
        raise LessonMistake(path, found.faults) from found
    except UnicodeDecodeError as error:
        raise LessonMistake(path, [Fault(1, "a lesson is a text file in UTF-8.")]) from error
    except OSError as error:
        raise LessonMistake(path, [Fault(1, "the file cannot be read.")]) from error


def lesson_of_text(name: str, language: str, text: str) -> Lesson:
    """The lesson in a text that is not stored in a file. Raises ValueError with the first mistake."""
    try:
        return _lesson(name, language, _lines(text), own=True)
    except (Fault, Faults) as fault:
        raise ValueError(str(fault)) from fault


def _lines(text: str) -> list[Line]:
    return [Line(i, one.rstrip()) for i, one in enumerate(text.splitlines(), 1)]


def _lesson(name: str, language: str, lines: Sequence[Line], own: bool) -> Lesson:
    starts = [i for i, line in enumerate(lines) if _STEP.match(line.text)]
    faults, steps, lesson = list[Fault](), list[Step](), None
    try:
        lesson = _head(name, language, lines[: starts[0]] if starts else lines)
    except Fault as fault:
        faults.append(fault)
    if not starts or len(starts) > MOST_STEPS:
        rule = f'a lesson has 1 to {MOST_STEPS} steps, each under a heading, "## Title of the step".'
        raise Faults([*faults, Fault(max(1, len(lines)), rule)])
    for start, end in pairwise([*starts, len(lines)]):
        try:
            steps.append(_step(lines[start:end]))
        except Fault as fault:
            faults.append(fault)
    if lesson is None or faults:
        raise Faults(faults)
    return replace(lesson, steps=tuple(steps), own=own)


def _head(name: str, language: str, head: Sequence[Line]) -> Lesson:
    """The lesson without its steps."""
    titles = [line.text[2:].strip() for line in head if line.text.startswith("# ")]
    if not titles:
        raise Fault(1, 'a lesson begins with its title, "# Title".')
    known = keys_of(head, OF_LESSONS)
    check_keys([line for line in head if not line.text.startswith("# ")], OF_LESSONS, lacks="Aim" not in known)
    if "Aim" not in known:
        raise Fault(1, 'a lesson says what one can do after it: "Aim: ...", below its title.')
    minutes, order = (_whole(known, key, default) for key, default in (("Minutes", 10), ("Order", 100)))
    return Lesson(name, language, titles[0], known["Aim"].text, minutes, order, ())


def _whole(known: Mapping[str, Line], key: str, default: int) -> int:
    if key not in known:
        return default
    if not known[key].text.isdigit():
        raise Fault(known[key].number, f'"{key}:" is a whole number, not {known[key].text!r}.')
    return int(known[key].text)


def _step(lines: Sequence[Line]) -> Step:
    asked = next((i for i, line in enumerate(lines) if is_key(line, ("Question",))), len(lines))
    check_places(lines, asked)
    known = keys_of(lines[1:asked], OF_STEPS)
    if "View" not in known:
        raise Fault(lines[0].number, 'a step opens a view: "View: " and a link, as "Copy link" in the menu Share gives it.')
    view = _view(known["View"])
    text = [line for line in lines[1:asked] if not is_key(line, OF_STEPS)]
    question = read_question(lines[asked:], view) if asked < len(lines) else None
    hidden = _hidden(known.get("Hide"), view)
    if hidden and question is None:
        raise Fault(known["Hide"].number, "only a step with a question hides something: the answer shows it.")
    title, without = lines[0].text[2:].strip(), _hidden(known.get("Without"), view)
    return Step(title, view, hidden, joined(text), question, without, _look(known.get("Look"), view))


def _view(line: Line) -> View:
    try:
        view = view_of_link(_without_place(line.text))
    except InvalidInput as error:
        raise Fault(line.number, str(error)) from error
    if view.page == "learn":
        raise Fault(line.number, "the page Learn shows no step: a step opens another page.")
    return view


def _without_place(link: str) -> str:
    """A link without the lesson that a person was taking when they copied it from the browser's address."""
    parts = urlsplit(link.strip())
    words = [(key, value) for key, value in parse_qsl(parts.query, keep_blank_values=True) if key not in _OF_A_PLACE]
    return urlunsplit(parts._replace(query=urlencode(words)))


def _hidden(line: Line | None, view: View) -> tuple[str, ...]:
    if line is None:
        return ()
    try:
        return hidden_parts(line.text, view.page)
    except ValueError as error:
        raise Fault(line.number, str(error)) from error


def _look(line: Line | None, view: View) -> str:
    """The name of the chart that a step is about; empty if it names none."""
    if line is None:
        return ""
    parts = _hidden(line, view)
    if len(parts) != 1 or not parts[0].startswith(CHART):
        raise Fault(line.number, 'a step looks at one chart, by its name: "Look: chart cost".')
    return parts[0].removeprefix(CHART)
