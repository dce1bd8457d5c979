"""Reads the question of a step from the lines of a lesson's file."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Final, NamedTuple

from pages.frame.view import View
from pages.learn.check import Check
from pages.learn.checks import CHECKS
from pages.learn.computed_numbers import COMPUTED_NUMBERS, ComputedNumber
from pages.learn.curves import CURVES, Curve
from pages.learn.lesson import CLOSE, OTHER_SHAPE, RIGHT, TOO_HIGH, TOO_LOW, Option, Question
from pages.learn.lesson_lines import Fault, Line, is_key, joined, keys_of

_OPTION: Final = re.compile(r"[-*] \[([ xX])\]\s*(.+)")
NUMBER: Final = re.compile(r"(-?\d+(?:\.\d+)?)\s*(%?)")
"""A number, and whether it is a percentage."""
EITHER_SIGN: Final = re.compile(r"\s*(?:±|\+/?-)\s*")
"""The sign between an answer and its tolerance."""
_GROUPED: Final = re.compile(r"[1-9]\d{0,2},\d{3}(?!\d)")
"""A number such as 1,500."""
_Known = Mapping[str, Check] | Mapping[str, Curve] | Mapping[str, ComputedNumber]
_NUMBER_REASONS: Final = (RIGHT, TOO_LOW, TOO_HIGH)
_CURVE_REASONS: Final = (CLOSE, TOO_LOW, TOO_HIGH, OTHER_SHAPE)


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
        raise Fault(line, f"how far one may be off is no less than 0, not {tolerance.strip()}.")
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
