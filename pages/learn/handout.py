"""A lesson as one HTML file without a network: `python -m pages.learn.handout NAME [--language es] [--into FILE]`."""

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import replace
from html import escape
from pathlib import Path
from typing import Any, Final

import numpy as np

from pages.frame.computed import COMPUTED
from pages.frame.view import values_of
from pages.handout.command import check_can_be_written, recorded_view
from pages.handout.document import Section, document, with_plotly
from pages.handout.drawn import Drawn
from pages.handout.plain_markdown import as_html, inline
from pages.learn.checks import CHECKS
from pages.learn.computed_numbers import number_asked
from pages.learn.curves import BENDS, CURVES, N_POINTS, NEARLY_NOTHING, fractions_below, reals_in_frame
from pages.learn.drawing import LABELS_OF_DRAWING, axes_of
from pages.learn.hidden import CHART
from pages.learn.judging import UNIT
from pages.learn.labels import LABELS
from pages.learn.lesson import RIGHT, Lesson, Question, Step
from pages.learn.library import lessons, mistakes_of
from pages.learn.settings import ENGLISH, LANGUAGES
from pages.learn.verdict import NotComputed, Situation, filled
from pages.settings.setting import section_key
from qcore import InvalidInput

_WORDS: Final = ("right", "not_yet", "shown", "nothing_chosen", "no_number", "no_percentage")


def file_of_lesson(lesson: Lesson) -> str:
    """The text of the file: a section for each step, with its question. Raises InvalidInput if a view can't be drawn."""
    labels, sections, questions = LABELS[lesson.language], list[Section](), list[dict[str, Any]]()
    for number, step in enumerate(lesson.steps, 1):
        drawn, app = recorded_view(step.view, {"lesson": lesson.name, "step": str(number), "language": lesson.language})
        _charts([f"{CHART}{step.look}"] if step.look else [], step, drawn.page)
        asked = ""
        if step.question is not None:
            # Pages whose results no question needs record none.
            results = app.session_state[COMPUTED].results if COMPUTED in app.session_state else {}
            now = Situation(results, values_of(step.view), step.question.argument)
            asked = _question_html(step.question, len(questions), lesson.language)
            try:
                questions.append(_question(step.question, now, lesson.language))
            except NotComputed as error:
                hint = "Open the tab that shows it, and write its link as View."
                rule = "be one that computes what its question asks for"
                raise InvalidInput(f"the view of the step {step.title!r}", rule, f"none with {error}", hint) from error
        sections.append(
            replace(
                drawn,
                title=lesson.title if number == 1 else step.title,
                lead=lesson.aim if number == 1 else "",
                text=(f"<h2>{escape(step.title)}</h2>" if number == 1 else "") + as_html(step.text),
                question=asked,
                hidden=step.hidden,
                hidden_why=labels["hidden"],
                hidden_charts=_charts(step.hidden, step, drawn.page),
                left_out=(*step.without, *_charts(step.without, step, drawn.page)),
                tab=str(step.view.settings.get(section_key(step.view.page), "")),
                tables={},
            )
        )
    words = {name: labels[name] for name in _WORDS}
    return with_plotly(document(lesson.title, sections, language=lesson.language, questions=questions, labels=words))


def _charts(parts: Sequence[str], step: Step, page: Drawn) -> list[str]:
    """The names of the charts among parts that a step names. Raises InvalidInput for one that its view does not have."""
    names = {one.data["name"].replace("-", "_"): one.data["name"] for one in page.all() if one.kind == "kept_chart"}
    asked = [part.removeprefix(CHART) for part in parts if part.startswith(CHART)]
    unknown = next((name for name in asked if name not in names), None)
    if unknown is not None:
        hint = f"Choose one of: {', '.join(names)}."
        raise InvalidInput(f"a chart of the step {step.title!r}", "be one of its view", repr(unknown), hint)
    return [names[name] for name in asked]


def _question(question: Question, now: Situation, language: str) -> dict[str, Any]:
    """What the script needs to judge an answer, and to show what is right. Raises NotComputed."""
    base: dict[str, Any] = {"kind": question.kind, "replies": dict(question.replies)}
    if question.kind == "choice":
        right = next(option for option in question.options if option.is_right)
        options = [{"right": option.is_right, "why": option.why} for option in question.options]
        return base | {"options": options, "shown": f"{right.text} {right.why}"}
    if question.kind == "number":
        value = number_asked(question, now)
        shown = f"{question.replies[RIGHT]} {LABELS[language]['answer_is'].format(answer=question.told(value))}"
        return base | {
            "answer": value, "tolerance": question.tolerance, "share": question.is_share, "shown": shown,
            "nearly_nothing": NEARLY_NOTHING, "unit": UNIT.pattern,
        }  # fmt: skip
    if question.kind == "find":
        check = CHECKS[question.subject]
        found = check.judge_at(now, check.answer(now)).values
        return base | {"shown": filled(question.replies[RIGHT], {name: found.get(name, "") for name in check.names})}
    curve = CURVES[question.subject]
    x, y = curve.values(now)
    end = curve.y_end(y)
    data = {"n": N_POINTS, **axes_of(curve, x, y, language), "post": None}
    data["labels"] = {name: LABELS[language][name] for name in LABELS_OF_DRAWING}
    real = json.dumps({"x": x.tolist(), "y": np.clip(y, 0.0, 3.0 * end).tolist()})
    # What `compare` needs, in shares of the frame's height.
    reals = [(one / end).round(5).tolist() for one in reals_in_frame(curve, x, y)]
    drawn = {
        "data": data, "real": real, "close": curve.close, "bend": curve.bend, "reals": reals, "bends": BENDS.round(5).tolist(),
        "fractions": fractions_below(curve, y),
    }  # fmt: skip
    return base | {"curve": drawn, "shown": LABELS[language]["shown_draw"]}


def _question_html(question: Question, number: int, language: str) -> str:
    labels = LABELS[language]
    inside = ""
    if question.kind == "choice":
        boxes = (
            f'<label><input type="radio" name="question-{number}" value="{i}"> {inline(option.text)}</label>'
            for i, option in enumerate(question.options)
        )
        inside = f"<form>{''.join(boxes)}<button>{escape(labels['check'])}</button></form>"
    elif question.kind == "number":
        label = escape(labels["percentage" if question.is_share else "number"])
        inside = (
            f'<form><label>{label} <input type="text" inputmode="decimal" maxlength="24"></label>'
            f"<button>{escape(labels['check'])}</button></form>"
        )
    elif question.kind == "draw":
        inside = '<div class="curve"><div class="drawing"></div></div>'
    show = f'<button type="button" class="show">{escape(labels["show_me"])}</button>'
    prompt = as_html(question.prompt if "\n" in question.prompt else f"**{question.prompt}**")
    return f'<div class="question" data-question="{number}">{prompt}{inside}{show}<p role="status"></p></div>'


def main(words: list[str] | None = None) -> None:
    """Write the lesson of that name as one HTML file; exits with a message for invalid input."""
    parser = argparse.ArgumentParser(prog="python -m pages.learn.handout", description=__doc__)
    parser.add_argument("name", help="of the lesson")
    parser.add_argument("--language", choices=list(LANGUAGES.values()), default=ENGLISH)
    parser.add_argument("--into", type=Path, help="the file to write; by default NAME.html in this folder")
    parsed = parser.parse_args(words)
    known = lessons(parsed.language)
    if parsed.name not in known:
        if wrong := mistakes_of(parsed.name):
            sys.exit("\n".join(wrong))
        parser.error(f"there is no lesson {parsed.name!r}; there are {', '.join(known)}")
    path = parsed.into or Path(f"{parsed.name}.html")
    try:
        check_can_be_written(path)
        text = file_of_lesson(known[parsed.name])
    except InvalidInput as error:
        sys.exit(str(error))
    path.write_text(text, encoding="utf-8")
    print(f"{path}: {path.stat().st_size / 1e6:.2f} MB")


if __name__ == "__main__":
    main()
