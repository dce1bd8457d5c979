"""Reads a lesson from a text file: its lines, its questions, and what is wrong with them."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from difflib import get_close_matches
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from pages.frame.view import View, view_of_link
from pages.learn.check import Check
from pages.learn.checks import CHECKS
from pages.learn.computed_numbers import COMPUTED_NUMBERS, ComputedNumber
from pages.learn.drawing import CURVES, Curve
from pages.learn.hidden import CHART, hidden_parts, names_parts
from pages.learn.lesson import CLOSE, OTHER_SHAPE, RIGHT, TOO_HIGH, TOO_LOW, Lesson, Option, Question, Step
from pages.learn.settings import CLASSROOM, LANGUAGES, MOST_STEPS, NAME, SETTINGS
from qcore import InvalidInput

_KEY = re.compile(r"([A-Z][a-z]+(?: [a-z]+)?)\s*:\s*(.*)")
_LIKE_A_KEY = re.compile(r"\s*([^\W\d]+)\s*:(?:\s|$)")
OF_LESSONS = ("Aim", "Minutes", "Order")
"""The keys of a lesson."""
OF_STEPS = ("View", "Look", "Hide", "Without")
"""The keys of a step."""
_ALIKE = 0.8
"""How alike a word must be to a key to count as a misspelt one, from 0 to 1."""


class Line(NamedTuple):
    """A line and its number in the file."""

    number: int
    text: str


class Fault(Exception):
    """A mistake in a line; the message is the rule."""

    def __init__(self, line: int, rule: str) -> None:
        super().__init__(rule)
        self.line = line


class Faults(Exception):
    """The mistakes in a file, the first one of each of its parts."""

    def __init__(self, faults: Sequence[Fault]) -> None:
        super().__init__(str(faults[0]))
        self.faults = tuple(faults)


def _split(line: Line) -> tuple[str, str]:
    """(key, value) of a line "Key: value"; an empty key if it is not such a line."""
    match = _KEY.fullmatch(line.text)
    return (match[1], match[2].strip()) if match else ("", "")


def is_key(line: Line, allowed: Sequence[str]) -> bool:
    """Whether a line begins with one of these keys."""
    return _split(line)[0] in allowed


def keys_of(lines: Sequence[Line], allowed: Sequence[str]) -> dict[str, Line]:
    """The lines "Key: value", by key."""
    found: dict[str, Line] = {}
    for line in lines:
        key, value = _split(line)
        if key in allowed:
            if key in found:
                raise Fault(line.number, f'"{key}:" is written twice.')
            found[key] = Line(line.number, value)
    return found


def check_keys(lines: Sequence[Line], allowed: Sequence[str], *, lacks: bool) -> None:
    """Raise Fault for a line that is meant to begin with one of these keys, but does not.

    `lacks` says whether a necessary key is missing: then any other word in its place counts as a misspelt key.
    """
    for line in lines:
        match = _LIKE_A_KEY.match(line.text)
        if match is None or is_key(line, allowed):
            continue
        meant = get_close_matches(match[1].capitalize(), allowed, 1, _ALIKE)
        if meant or lacks or names_parts(line.text[match.end() :].strip()):
            known = f"is {meant[0]!r} meant?" if meant else f"there are {', '.join(allowed)}."
            raise Fault(line.number, f"{match[0].strip().removesuffix(':').strip()!r} is not known: {known}")


def joined(lines: Sequence[Line]) -> str:
    """The text in lines."""
    return "\n".join(line.text for line in lines).strip()


def check_places(lines: Sequence[Line], asked: int) -> None:
    """Raise Fault for a line of a step that would be shown as text by mistake; the question begins at `lines[asked]`."""
    for line in lines[1:]:
        if re.match(r"##[^#\s]", line.text):
            raise Fault(line.number, 'a heading has a space after its # signs, "## Title of the step".')
    for line in lines[asked + 1 :]:
        if is_key(line, ("Question",)) or _sets_the_step(line):
            rule = 'a step has one question, and what it opens and hides stands above that; another step begins with "## ".'
            raise Fault(line.number, rule)
    # What stands right below the heading, without an empty line, is no text yet.
    above = next((i for i, line in enumerate(lines[:asked]) if i and not line.text), asked)
    check_keys(lines[1:above], OF_STEPS, lacks=not any(is_key(line, ("View",)) for line in lines[:asked]))
    for line in lines[above:asked]:
        known = (*OF_STEPS, "Question")
        meant = get_close_matches(_split(line)[0], OF_STEPS, 1, _ALIKE)
        key, value = _split(Line(line.number, line.text.strip().capitalize()))
        if _means(value):
            meant = get_close_matches(key, known, 1, _ALIKE)
        if meant and not is_key(line, known):
            raise Fault(line.number, f"{line.text.partition(':')[0].strip()!r} is not known: is {meant[0]!r} meant?")


def _sets_the_step(line: Line) -> bool:
    """Whether a line opens a view or hides parts of it, and is not a sentence that begins with the same word."""
    key, value = _split(line)
    return key in OF_STEPS and (value.startswith(("/", "http")) if key == "View" else names_parts(value))


def _means(value: str) -> bool:
    """Whether the words behind a key are a link, parts of a page, or a kind of question, not the rest of a sentence."""
    return value.startswith(("/", "http")) or names_parts(value) or value in ("choice", "number", "find", "draw")


_OPTION = re.compile(r"[-*] \[([ xX])\]\s*(.+)")
NUMBER = re.compile(r"(-?\d+(?:\.\d+)?)\s*(%?)")
"""A number, and whether it is a percentage."""
EITHER_SIGN = re.compile(r"\s*(?:±|\+/?-)\s*")
"""The sign between an answer and its tolerance."""
_GROUPED = re.compile(r"[1-9]\d{0,2},\d{3}(?!\d)")
"""A number such as 1,500."""
_Known = Mapping[str, Check] | Mapping[str, Curve] | Mapping[str, ComputedNumber]
_NUMBER_REASONS = (RIGHT, TOO_LOW, TOO_HIGH)
_SLIP = re.compile(r"(If (-?\d+(?:\.\d+)?)\s*(%?))\s*:\s*(.+)")
"""The reply to a number that a known mistake leads to."""
_CURVE_REASONS = (CLOSE, TOO_LOW, TOO_HIGH, OTHER_SHAPE)


class _Block(NamedTuple):
    """A question's lines after the first, the number of that one, and the step's view."""

    lines: Sequence[Line]
    first: int
    view: View


def read_question(lines: Sequence[Line], view: View) -> Question:
    """The question in these lines, of which the first names its kind. Raises Fault."""
    kind = lines[0].text.partition(":")[2].strip()
    readers: dict[str, Callable[[_Block], Question]] = {"choice": _choice, "number": _number, "find": _find, "draw": _draw}
    if kind not in readers:
        raise Fault(lines[0].number, f'a question is of the kind {", ".join(readers)}, not {kind!r}: "Question: choice".')
    question = readers[kind](_Block(lines[1:], lines[0].number, view))
    if not question.prompt:
        raise Fault(lines[0].number, "a question has a text that asks.")
    return question


def _choice(block: _Block) -> Question:
    lines = block.lines
    starts = [i for i, line in enumerate(lines) if _OPTION.fullmatch(line.text)]
    if len(starts) < 2:
        raise Fault(block.first, 'a choice has two answers or more: "- [ ] wrong", "- [x] right".')
    options = []
    for start, end in pairwise([*starts, len(lines)]):
        match = _OPTION.fullmatch(lines[start].text)
        why = " ".join(line.text.strip() for line in lines[start + 1 : end]).strip()
        if match is None or not why:
            rule = "below each answer, indented, stands a sentence that says why it is right or wrong."
            raise Fault(lines[start].number, rule)
        options.append(Option(match[2], match[1] in "xX", why))
    if sum(option.is_right for option in options) != 1:
        raise Fault(block.first, "of a choice's answers exactly one is right: it is marked [x].")
    return Question("choice", joined(lines[: starts[0]]), tuple(options))


def _number(block: _Block) -> Question:
    found = [(line, match) for line in block.lines if (match := _SLIP.fullmatch(line.text))]
    slipped = [line for line, _ in found]
    question = _plain_number(block._replace(lines=[line for line in block.lines if line not in slipped]))
    slips = {match[1]: float(match[2]) / (100.0 if match[3] else 1.0) for _, match in found}
    for line, match in found:
        if question.is_share != bool(match[3]):
            raise Fault(line.number, f"{match[1]} is written as the answer is, with % or without.")
        if question.answer is not None and abs(slips[match[1]] - question.answer) <= question.tolerance:
            raise Fault(line.number, f"{match[1]} is right already: the answer may be off by so much.")
    return replace(question, slips=slips, replies={**question.replies, **{match[1]: match[4] for _, match in found}})


def _plain_number(block: _Block) -> Question:
    """The question without its slips."""
    question = _with_replies("number", block, "Answer", _NUMBER_REASONS, ())
    subject, _, tolerance = EITHER_SIGN.sub(" ± ", question.subject).rpartition("±")
    line = keys_of(block.lines, ("Answer",))["Answer"].number
    within, answer = (NUMBER.fullmatch(part.strip().replace(",", ".").replace("\u2212", "-")) for part in (tolerance, subject))
    if grouped := _GROUPED.search(question.subject):
        raise Fault(line, f"{grouped[0]} may be a large number or one with decimals: write it without the comma.")
    if within is None or not subject.strip():
        raise Fault(line, 'an answer is a number and how far one may be off: "Answer: 30% ± 5%".')
    if answer:
        _check_both_shares(line, bool(answer[2]), within)
    size = float(within[1]) / (100.0 if within[2] else 1.0)
    if size < 0.0:
        raise Fault(line, f"the margin must be at least 0, not {tolerance.strip()}.")
    if answer:
        value = float(answer[1]) / (100.0 if answer[2] else 1.0)
        return replace(question, answer=value, tolerance=size, subject="", is_share=bool(answer[2]))
    key, argument = _subject(Line(line, subject.strip()), COMPUTED_NUMBERS, block.view)
    _check_both_shares(line, COMPUTED_NUMBERS[key].is_share, within)
    return replace(question, subject=key, argument=argument, tolerance=size, is_share=COMPUTED_NUMBERS[key].is_share)


def _check_both_shares(line: int, is_share: bool, within: re.Match[str]) -> None:
    """Raise for an answer in % that may be off by a number, or the other way round."""
    if is_share != bool(within[2]):
        sign, kind = ("with", "share") if is_share else ("without", "number")
        rule = f"{within[0]} is written {sign} %, as the answer is a {kind}."
        raise Fault(line, rule)


def _find(block: _Block) -> Question:
    named = _named("find", block, "Check", CHECKS)
    key, argument = _subject(named, CHECKS, block.view)
    question = _with_replies("find", block, "Check", (RIGHT, *CHECKS[key].reasons), CHECKS[key].names)
    return replace(question, subject=key, argument=argument)


def _draw(block: _Block) -> Question:
    named = _named("draw", block, "Curve", CURVES)
    key, argument = _subject(named, CURVES, block.view)
    return replace(_with_replies("draw", block, "Curve", _CURVE_REASONS, ("distance",)), subject=key, argument=argument)


def _named(kind: str, block: _Block, word: str, known: Iterable[str]) -> Line:
    """The line that names what the question is about."""
    named = keys_of(block.lines, (word,))
    if word not in named:
        rule = f'a question of the kind {kind} names what it is about: "{word}: ...", one of {", ".join(known)}.'
        raise Fault(block.first, rule)
    return named[word]


def _subject(line: Line, known: _Known, view: View) -> tuple[str, str]:
    """(key, argument) of what a question is about."""
    key, _, argument = line.text.partition(" ")
    if key not in known:
        raise Fault(line.number, f"{key!r} is not known; there are {', '.join(known)}.")
    subject = known[key]
    if subject.page != view.page:
        raise Fault(line.number, f"{key!r} belongs to the page {subject.page}, and the step's view is {view.page}.")
    if subject.argument is None:
        if argument:
            raise Fault(line.number, f"{key!r} stands alone.")
        return key, ""
    if not subject.argument.fits(argument.strip(), view):
        rule = (
            f"{key!r} needs {subject.argument.what}, and {f'{argument!r} is none' if argument else 'none is named'}: "
            "write it after the name, or add it to the view."
        )
        raise Fault(line.number, rule)
    return key, argument.strip()


def _with_replies(kind: str, block: _Block, word: str, reasons: Sequence[str], names: Sequence[str]) -> Question:
    """The question with its prompt and a sentence for each reason; what follows `word` is its subject."""
    allowed = (word, *reasons)
    known = keys_of(block.lines, allowed)
    for needed in allowed:
        if needed not in known:
            raise Fault(block.first, f'a question of the kind {kind} has a line "{needed}: ...".')
    replies = {reason: known[reason].text for reason in reasons}
    for reason, sentence in replies.items():
        unknown = set(re.findall(r"\{([a-z_]+)\}", sentence)) - set(names)
        if unknown:
            what = f"there are {', '.join(names)}" if names else "there are none here"
            raise Fault(known[reason].number, f"the page knows no {{{unknown.pop()}}}; {what}.")
    first = next(i for i, line in enumerate(block.lines) if is_key(line, allowed))
    stray = next((line for line in block.lines[first:] if line.text and not is_key(line, allowed)), None)
    if stray is not None:
        raise Fault(stray.number, "each reply is one line, and what is asked stands above the answer.")
    prompt = joined(block.lines[:first])
    return Question(kind, prompt, subject=known[word].text, replies=replies)


_STEP = re.compile(r"##\s+\S")
_OF_A_PLACE = (*SETTINGS, CLASSROOM.key)
"""Parameters of an address that say where the user is, not what they see."""


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
    """A link without the lesson that the user was taking when they copied it from the browser's address."""
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
