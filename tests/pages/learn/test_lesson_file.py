"""Lessons are read from text; a mistake is named with file, line and rule."""

import pytest

from pages.learn.lesson import RIGHT, TOO_LOW
from pages.learn.lesson_file import LessonMistake, read_lesson
from tests.browser.server import ROOT

GOOD = """# Two steps
Aim: Read a lesson.
Minutes: 5
Order: 3

## Choose
View: /corrections?threshold=0.4&v=2
Hide: headline, chart cost

A **text**.

Question: choice
Which one?
- [ ] This one.
  No.
- [x] That one.
  Yes, over
  two lines.

## Type
View: /?today=0.3

Question: number
How many?
Answer: mean-count-at 0.3 ± 5%
Right: Yes.
Too low: More.
Too high: Less.

## Find
View: /corrections

Question: find
Find it.
Check: errors-multiplied 3
Right: {threshold}.
Not there: {factor}.

## Draw
View: /corrections

Question: draw
Draw it.
Curve: scatter-by-threshold
Close: {distance} off.
Too low: Low.
Too high: High.
Other shape: Other.
"""


def written(folder, text):
    path = folder / "mine.md"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_lesson_is_read(tmp_path):
    lesson = read_lesson(written(tmp_path, GOOD), "en", own=True)
    assert (lesson.name, lesson.title, lesson.aim, lesson.minutes, lesson.order, lesson.own) == (
        "mine", "Two steps", "Read a lesson.", 5, 3, True,
    )  # fmt: skip
    choose, typed, found, drawn = lesson.steps
    assert (choose.title, choose.text, choose.hidden) == ("Choose", "A **text**.", ("headline", "chart cost"))
    assert (choose.view.page, dict(choose.view.settings)) == ("corrections", {"threshold": 0.4})
    assert choose.question.prompt == "Which one?"
    assert [(one.text, one.is_right, one.why) for one in choose.question.options] == [
        ("This one.", False, "No."),
        ("That one.", True, "Yes, over two lines."),
    ]
    assert (typed.view.page, typed.question.subject, typed.question.argument) == ("home", "mean-count-at", "0.3")
    assert (typed.question.tolerance, typed.question.is_share, typed.question.replies[TOO_LOW]) == (0.05, True, "More.")
    assert (found.question.subject, found.question.argument, found.question.replies[RIGHT]) == (
        "errors-multiplied", "3", "{threshold}.",
    )  # fmt: skip
    assert (drawn.question.subject, drawn.question.prompt) == ("scatter-by-threshold", "Draw it.")


@pytest.mark.parametrize(
    ("answer", "value", "tolerance", "is_share"),
    [("30% ± 5%", 0.3, 0.05, True), ("2.5 +- 0.1", 2.5, 0.1, False), ("-1 ± 0", -1.0, 0.0, False)],
)
def test_a_known_number(tmp_path, answer, value, tolerance, is_share):
    text = GOOD.replace("mean-count-at 0.3 ± 5%", answer)
    question = read_lesson(written(tmp_path, text), "en").steps[1].question
    assert (question.answer, question.tolerance, question.is_share, question.subject) == (
        pytest.approx(value), pytest.approx(tolerance), is_share, "",
    )  # fmt: skip


MISTAKES = [
    ("# Two steps\n", "", 1, "begins with its title"),
    ("Aim: Read a lesson.", "", 1, "Aim:"),
    ("Minutes: 5", "Minutes: five", 3, "whole number"),
    ("Minutes: 5", "Minutes: 5\nMinutes: 6", 4, "written twice"),
    ("View: /corrections?threshold=0.4&v=2", "", 6, "opens a view"),
    ("/corrections?threshold=0.4", "/nowhere?threshold=0.4", 7, "'/nowhere'"),
    ("threshold=0.4", "treshold=0.4", 7, "'treshold'"),
    ("threshold=0.4", "threshold=4", 7, "a number from 0 to 1"),
    ("Hide: headline, chart cost", "Hide: the headline", 8, "what is hidden is one of"),
    ("Hide: headline, chart cost", "Hide: chart } body", 8, "what is hidden is one of"),
    ("Hide: headline, chart cost", "Hide: headline, chart roc", 8, '"chart correction", "chart cost"'),
    ("Hide: headline, chart cost", "Look: chart costs", 8, "not 'chart costs'"),
    (
        "View: /?today=0.3\n\nQuestion: number\nHow many?",
        "View: /?today=0.3\nHide: picture\n\nHow many?",
        22,
        "only a step with",
    ),
    ("Question: choice", "Question: guess", 12, "'guess'"),
    ("Which one?\n", "", 12, "a text that asks"),
    ("- [x] That one.", "- [ ] That one.", 12, "exactly one is right"),
    ("- [ ] This one.\n  No.", "- [ ] This one.", 14, "below each answer"),
    ("- [ ] This one.\n  No.\n", "", 12, "two answers or more"),
    ("mean-count-at 0.3 ± 5%", "mean-count-at 0.3", 25, "how far one may be off"),
    ("mean-count-at 0.3 ± 5%", "mean-count-at ± 5%", 25, "needs"),
    ("mean-count-at 0.3 ± 5%", "mean-count-at 0.3 ± 5", 25, "5 is written with %"),
    ("mean-count-at 0.3 ± 5%", "30% ± 5", 25, "5 is written with %"),
    ("Too low: More.", "Too low: More.\nIf 20: A fifth.", 28, "If 20 is written as the answer is"),
    ("mean-count-at 0.3 ± 5%", "30% ± 5%\nIf 33%: A third.", 26, "If 33% is right already"),
    ("mean-count-at 0.3 ± 5%", "10 ± 5%", 25, "5% is written without %"),
    ("mean-count-at 0.3 ± 5%", "30% ± -5%", 25, "at least 0, not -5%"),
    ("Hide: headline, chart cost", "Hid: headline", 8, "'Hid' is not known: is 'Hide' meant?"),
    ("Hide: headline, chart cost", "\nHides: headline", 9, "is 'Hide' meant?"),
    ("Question: choice", "Question : guess", 12, "'guess'"),
    ("Question: choice", "Questoin: choice", 12, "is 'Question' meant?"),
    ("Hide: headline, chart cost", "hide: headline", 8, "'hide' is not known: is 'Hide' meant?"),
    ("Hide: headline, chart cost", " Hide: headline", 8, "'Hide' is not known: is 'Hide' meant?"),
    ("Hide: headline, chart cost", "\n hide: headline", 9, "'hide' is not known: is 'Hide' meant?"),
    ("Hide: headline, chart cost", "Ocultar: headline", 8, "'Ocultar' is not known: there are View, Look, Hide, Without"),
    ("Minutes: 5", "Minuts: 5", 3, "is 'Minutes' meant?"),
    ("mean-count-at 0.3 ± 5%", "1,500 ± 50", 25, "1,500 may be a large number or one with decimals"),
    ("Aim: Read", "Objetivo: Read", 2, "'Objetivo' is not known: there are Aim, Minutes, Order"),
    ("How many?", "How many?\nHide: headline", 25, "stands above that"),
    ("## Find\nView", "### Find\nView", 31, "another step begins with"),
    ("## Find", "##Find", 30, "a space after its # signs"),
    ("Too low: More.", "Too low: More,\nand more.", 28, "each reply is one line"),
    ("mean-count-at 0.3", "tpr", 25, "belongs to the page corrections"),
    ("mean-count-at 0.3", "mean-of-all", 25, "is not known"),
    ("Too low: More.\n", "", 23, "Too low"),
    ("Check: errors-multiplied 3\n", "", 33, "names what it is about"),
    ("{factor}", "{facto}", 37, "{facto}"),
    ("scatter-by-threshold", "scatter-by-threshold AC", 44, "stands alone"),
    ("errors-multiplied 3", "errors-multiplied three", 35, "needs a number above 1"),
    ("errors-multiplied 3", "errors-multiplied 0", 35, "needs a number above 1"),
    ("mean-count-at 0.3", "mean-count-at 3", 25, "needs a share from 0 to 1"),
    ("/?today=0.3", "/learn", 21, "shows no step"),
]


@pytest.mark.parametrize(("old", "new", "line", "rule"), MISTAKES, ids=[f"{number}" for number in range(len(MISTAKES))])
def test_a_mistake_is_named_with_its_line_and_rule(tmp_path, old, new, line, rule):
    assert old in GOOD
    with pytest.raises(LessonMistake) as caught:
        read_lesson(written(tmp_path, GOOD.replace(old, new, 1)), "en")
    assert str(caught.value).startswith(f"mine.md, line {line}: ")
    assert rule in str(caught.value)


@pytest.mark.parametrize(
    ("subject", "view", "fits"),
    [
        ("loss-by-prevalence AC", "/error-by-prevalence", True),
        ("loss-by-prevalence MS", "/error-by-prevalence", False),
        ("loss-by-prevalence MS", "/error-by-prevalence?q_thresholds=MS", True),
        ("loss-by-prevalence AC", "/error-by-prevalence?q_adjustment=", False),
        ("mean-estimate-at-home EMQ", "/", False),
        ("loss-by-estimate KLD", "/losses", True),
        ("loss-by-estimate NKLD", "/losses", False),
        ("loss-by-size CC", "/test-size", True),
    ],
)
def test_a_curve_is_one_that_the_view_shows(tmp_path, subject, view, fits):
    text = GOOD.replace("scatter-by-threshold", subject).replace("## Draw\nView: /corrections", f"## Draw\nView: {view}")
    if fits:
        assert read_lesson(written(tmp_path, text), "en").steps[3].question.subject == subject.split()[0]
    else:
        with pytest.raises(LessonMistake, match=r"line 44: .* needs "):
            read_lesson(written(tmp_path, text), "en")


WRITTEN_OTHERWISE = [
    ("- [x] That one.", "- [X] That one."),
    ("- [ ] This one.", "* [ ] This one."),
    ("## Find", "##\tFind"),
    ("mean-count-at 0.3 ± 5%", "30,5 % +/- 2,5 %"),
    ("mean-count-at 0.3 ± 5%", "\u22123.5 ± 0,5"),
    ("/corrections?threshold=0.4&v=2", "/corrections?lesson=mine&step=2&language=es&threshold=0.4&classroom=ABCDEF"),
]


@pytest.mark.parametrize(("old", "new"), WRITTEN_OTHERWISE)
def test_what_is_meant_is_read_as_people_write_it(tmp_path, old, new):
    assert old in GOOD
    lesson = read_lesson(written(tmp_path, GOOD.replace(old, new, 1)), "en")
    assert [step.title for step in lesson.steps] == ["Choose", "Type", "Find", "Draw"]
    choose, typed, *_ = lesson.steps
    assert [option.is_right for option in choose.question.options] == [False, True]
    assert dict(choose.view.settings) == {"threshold": 0.4}
    if "30,5" in new:
        assert (typed.question.answer, typed.question.tolerance) == (pytest.approx(0.305), pytest.approx(0.025))
    if "3.5" in new:
        assert (typed.question.answer, typed.question.tolerance) == (-3.5, 0.5)


def test_files_of_one_name_are_told_apart_by_their_folders(tmp_path):
    (tmp_path / "es").mkdir()
    with pytest.raises(LessonMistake, match=r"^es/mine\.md, line 1: "):
        read_lesson(written(tmp_path / "es", "nothing"), "es")


def test_a_sentence_that_begins_like_a_key_is_a_sentence(tmp_path):
    beside = GOOD.replace("Minutes: 5", "Minutes: 5\nAuthor: Me").replace("chart cost\n", "chart cost\nNote: look left.\n", 1)
    assert read_lesson(written(tmp_path, beside), "en").steps[0].text.startswith("Note: look left.")
    for sentence in ("Questions: which is it?", "hide: and seek.", "looks: as before."):
        assert read_lesson(written(tmp_path, GOOD.replace("A **text**.", sentence)), "en").steps[0].text == sentence
    text = GOOD.replace("A **text**.", "Here: a text.").replace("Which one?", "Look: which one?")
    choose = read_lesson(written(tmp_path, text), "en").steps[0]
    assert (choose.text, choose.question.prompt) == ("Here: a text.", "Look: which one?")


def test_a_file_that_is_no_text_is_a_mistake(tmp_path):
    path = tmp_path / "mine.md"
    path.write_bytes(b"# \xff\xfe")
    with pytest.raises(LessonMistake, match="UTF-8"):
        read_lesson(path, "en")


def test_the_template_of_the_documentation_is_a_lesson(tmp_path):
    text = (ROOT / "docs" / "lessons.md").read_text(encoding="utf-8")
    template = text.split("````markdown\n")[1].split("````")[0]
    lesson = read_lesson(written(tmp_path, template), "en")
    assert {step.question.kind for step in lesson.steps if step.question} == {"choice", "number", "find", "draw"}


def test_each_step_with_a_mistake_is_named(tmp_path):
    text = (
        GOOD.replace("Aim: ", "Aims: ").replace("/corrections?threshold", "/corections?threshold").replace("Check: ", "Chek: ")
    )
    with pytest.raises(LessonMistake) as caught:
        read_lesson(written(tmp_path, text), "en")
    assert [sentence.partition(":")[0] for sentence in caught.value.sentences] == [
        f"mine.md, line {number}" for number in (2, 7, 33)
    ]
