"""The way "a sample labelled in part": counts or a table, the share with its interval, and what its labels are worth."""

from dataclasses import dataclass
from functools import partial
from typing import Final

import pandas as pd
import streamlit as st

from pages.charts.chart import chart
from pages.charts.small_table import SHARE, Column, small_table
from pages.estimate.computations import labelled_columns, labelled_part_estimate
from pages.estimate.intervals_figure import ends_that_say_something, intervals_figure
from pages.estimate.labelled_part_findings import (
    elsewhere_row,
    labelled_part_headline,
    labelled_part_notes,
    labelled_part_report,
    worth_sentence,
)
from pages.estimate.left_out_findings import left_out_line
from pages.estimate.report import as_json_of, page_of, versions_today
from pages.estimate.script import labelled_part_source
from pages.estimate.settings import OF_SAMPLE, SETTINGS
from pages.estimate.typed_counts import counts_that_fit, examples_part, larger_than_allowed, say_of_examples_part, typed_numbers
from pages.frame.copied_text import copied_text
from pages.frame.page_frame import PageParts, headline
from pages.frame.presets import shows_own_data
from pages.frame.share import download_buttons
from pages.frame.texts import texts_of
from pages.own_data.file_place import file_place
from pages.own_data.table_choices import say_how_it_was_read
from pages.own_data.uploaded_tables import UploadedFile, kept_file, uploaded_frame
from pages.settings import control
from pages.settings.control import escaped
from pages.settings.number_text import named_class
from pages.work.refusals import shown_in_menu
from qcore import InvalidInput
from qcore.datasets.reading_notes import sentences_on_reading
from qcore.intervals import LabelledSample, LabelledSampleEstimate
from qcore.intervals.labelled_sample_table import LabelledColumns, likely_columns

TEXTS: Final = texts_of("estimate")

PLACE: Final = "labelled in part"
"""The name under which the session keeps the file."""

_LAST: Final = "labelled sample that fits"
"""Where a session keeps the last counts without a contradiction."""

_ROWS: Final = (("sample_taken", "sample_total"), ("taken_right", "taken_labels"), ("left_wrong", "left_labels"))
_TABLE: Final = (
    Column("method", "Method"),
    Column("estimate", "Estimate", SHARE),
    Column("low", "From", SHARE),
    Column("high", "To", SHARE),
    Column("idea", "How"),
)


@dataclass(frozen=True)
class LabelledPartView:
    """What is shown: the estimate, the name of the positive class, the file's name, and what of the file is remarkable.

    The last two are empty for counts that were typed. `example` is what the headline begins with where counts are an example's.
    """

    result: LabelledSampleEstimate
    positive: str
    name: str = ""
    example: str = ""
    notes: tuple[str, ...] = ()


def labelled_part(level: float, parts: PageParts) -> LabelledPartView | None:
    """Draw the controls and the answer. Returns what is shown, None without a file's columns. Raises InvalidInput."""
    file = kept_file(PLACE)
    with parts.bar, st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        own = control.segments(SETTINGS["share_of"]) == OF_SAMPLE
        with (
            st.popover("A table instead of counts" if file is None else escaped(file.name), key="labelled table"),
            shown_in_menu(),
        ):
            columns = _table(file)
    if file is not None:
        shows_own_data()
    if columns is not None and file is not None:
        result = labelled_part_estimate(columns.sample, level, own, columns)
        shown = LabelledPartView(result, columns.positive, file.name, notes=columns.notes)
    elif file is not None:
        with parts.headline:
            headline("Which columns hold the predictions and the labels?")
        return None
    else:
        with parts.bar:
            sample = _typed()
        shown = LabelledPartView(labelled_part_estimate(sample, level, own), "positive", example=_examples_part(sample))
        say_of_examples_part(shown.example)
    _answer(shown, parts)
    return shown


def _typed() -> LabelledSample:
    """Draw the boxes of the counts; returns the counts, or while they contradict each other, the last ones that did not."""
    st.caption("Labels are drawn at random, from all instances or from each predicted class. No data set is needed.")
    taken, total, right, labels, wrong, left_labels = typed_numbers(_ROWS, 500)
    contradiction = _contradiction((taken, total), (right, labels), (wrong, left_labels))
    return counts_that_fit(_LAST, contradiction, lambda: LabelledSample(taken, total, labels, right, left_labels, wrong))


def _examples_part(sample: LabelledSample) -> str:
    pairs = (
        (sample.predicted_positives, sample.sample_size),
        (sample.true_positives, sample.checked_positives),
        (sample.false_negatives, sample.checked_negatives),
    )
    return examples_part(_ROWS, [int(number) for pair in pairs for number in pair])


def _contradiction(all_of: tuple[int, int], taken: tuple[int, int], left: tuple[int, int]) -> InvalidInput | None:
    """The first contradiction among the counts, in the page's words; None if there is none.

    Each argument is a pair: a number of positives, and the number of instances among which they are counted.
    """
    limits = (
        ("predicted positives", all_of[0], all_of[1], "instances of the sample"),
        ("labelled predicted positives", taken[1], all_of[0], "predicted positives"),
        ("labelled predicted negatives", left[1], all_of[1] - all_of[0], "predicted negatives"),
        ("positive by label", taken[0], taken[1], "labelled predicted positives"),
        ("positive by label", left[0], left[1], "labelled predicted negatives"),
    )
    if contradiction := larger_than_allowed(limits):
        return contradiction
    if not taken[1] + left[1]:
        return InvalidInput("labels", "be at least 1", "0", "Label some instances of the sample, drawn at random.")
    return None


def _table(file: UploadedFile | None) -> LabelledColumns | None:
    """Draw the place of a file and the choice of its columns; returns what they hold, None while the columns are not known."""
    st.markdown(TEXTS["labelled part"])
    file_place(PLACE, "own labelled table")
    if file is None:
        return None
    frame = uploaded_frame(file)
    say_how_it_was_read(frame)
    names = [str(name) for name in frame.columns]
    guesses = likely_columns(frame)
    chosen = [
        st.selectbox(title, names, index=names.index(guess) if guess in names else None, key=f"{title} {file.digest}")
        for title, guess in zip(("Column of predictions", "Column of labels"), guesses, strict=True)
    ]
    if None in chosen:
        return None
    prediction, label = map(str, chosen)
    whole = labelled_columns(file, prediction, label, "")
    left_out = tuple(_left_out(whole.never_labels, f"{file.digest} {prediction} {label}"))
    first = labelled_columns(file, prediction, label, "", left_out)
    positive = st.selectbox(
        "Share of", first.classes, index=first.classes.index(first.positive), key=f"share of {file.digest} {label}"
    )
    read = labelled_columns(file, prediction, label, str(positive), left_out)
    for note in read.notes[len(sentences_on_reading(frame)) :]:
        st.caption(escaped(note))
    return read


def _left_out(never_labels: tuple[str, ...], of: str) -> list[str]:
    """Draw the choice of predictions that no label has, such as unsure, whose rows are left out."""
    if not never_labels:
        return []
    return st.multiselect(
        "Leave out rows predicted as", never_labels, key=f"predictions left out {of}",
        placeholder="none: each is a class of its own",
        help="No label is called so. The share is then that of the other rows.",
    )  # fmt: skip


def _answer(shown: LabelledPartView, parts: PageParts) -> None:
    result, named = shown.result, named_class(shown.positive)
    positive = escaped(named)
    table = pd.concat([result.table, elsewhere_row(result)], ignore_index=True)
    with parts.hero:
        grey = [table.method.iloc[-1]]
        figure = intervals_figure(table, None, named, take=table.method.iloc[0], grey=grey)
        chart(figure, key="intervals", alt="Estimate and interval of each method, and the width with labels from elsewhere.")
    with parts.headline:
        headline(shown.example + labelled_part_headline(result, positive))
        st.markdown(worth_sentence(result))
        if line := left_out_line(shown.notes):
            st.caption(escaped(line))
    with parts.notes:
        notes = [*map(escaped, shown.notes), *labelled_part_notes(result, positive)]
        st.markdown("\n".join(f"- {sentence}" for sentence in notes))
        small_table(ends_that_say_something(result.table), _TABLE, label="Estimates of a sample labelled in part")
        st.caption("For a report:")
        copied_text(labelled_part_report(result, named), key="for a report")
        downloads = st.container(horizontal=True, gap="small")
    data = shown.name or "counts that were typed"
    facts = {"data": data, "assumption": "labels were drawn at random", "versions": versions_today()}
    parts.take_away.source = labelled_part_source(result)
    parts.take_away.csv("Estimates as CSV", lambda: result.table, "estimates")
    as_json = partial(as_json_of, result.to_dict(shown.positive), facts)
    parts.take_away.file("Estimates as JSON", as_json, "estimates.json", "application/json")
    report = partial(
        page_of,
        title=f"What share is {named}?",
        heading=shown.example + labelled_part_headline(result, named),
        table=result.table,
        level=result.level,
        checks=[worth_sentence(result), *shown.notes, *labelled_part_notes(result, named)],
        facts=facts,
        sentence=labelled_part_report(result, named),
    )
    parts.take_away.file("Report, one page", report, "report.html", "text/html")
    with downloads:
        download_buttons(parts.take_away, "below the picture")
