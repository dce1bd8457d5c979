"""A sample that is labelled in part: the tab and its sentences."""

from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from pages.charts.chart import chart
from pages.charts.small_table import SHARE, Column, small_table
from pages.estimate.computations import differences_of_labelled, labelled_columns, labelled_groups, labelled_part_estimate
from pages.estimate.downloads import as_json_of, labelled_groups_source, labelled_part_source, offer_differences, versions_today
from pages.estimate.findings import left_out_line
from pages.estimate.groups import GroupsRequest, columns_of_groups, group_controls, groups_answer, in_order, notes_on_groups
from pages.estimate.intervals_figure import ends_that_say_something, intervals_figure
from pages.estimate.labels_needed import Start
from pages.estimate.own_files import learn_from_labelled
from pages.estimate.settings import OF_SAMPLE, SETTINGS
from pages.estimate.typed_counts import counts_that_fit, examples_part, larger_than_allowed, say_of_examples_part, typed_numbers
from pages.frame.page_frame import PageParts, headline
from pages.frame.presets import shows_own_data
from pages.frame.recording import record
from pages.frame.share import copied_text, download_buttons, interactive_file_button
from pages.frame.texts import draw_sentences, texts_of
from pages.own_data.table_choices import say_how_it_was_read
from pages.own_data.uploaded_tables import UploadedFile, file_place, kept_file, uploaded_frame
from pages.settings import control
from pages.settings.control import escaped
from pages.settings.number_text import (
    counted,
    enumerated,
    listed,
    named_class,
    percentage,
    percentage_beyond,
    percentages,
    width_text,
)
from pages.work.refusals import shown_in_menu
from qcore import InvalidInput
from qcore.base import TIE
from qcore.datasets.headers import sentences_on_reading
from qcore.intervals import Differences, LabelledSample, LabelledSampleEstimate
from qcore.intervals.analytic import NO_INTERVAL
from qcore.intervals.labelled_sample import LabelledColumns, likely_columns
from qcore.intervals.labelled_sample_intervals import DEFAULT_LABELLED_SAMPLE_INTERVAL

_ELSEWHERE = "as many labels elsewhere"
_GAIN = 0.98
"""An interval is called narrower than another if it is shorter than this part of it."""


def elsewhere_row(result: LabelledSampleEstimate) -> pd.DataFrame:
    """How wide the interval would be with as many labels from another sample: a row for the picture."""
    estimate, half = float(result.table.estimate.iloc[0]), result.width_elsewhere / 2.0
    kind = _ELSEWHERE if half < 0.5 else f"{NO_INTERVAL}rates from so few labels, or these predictions, would say nothing"
    ends = {"low": max(estimate - half, 0.0), "high": min(estimate + half, 1.0)} if half < 0.5 else {"low": 0.0, "high": 1.0}
    return pd.DataFrame([{"method": _ELSEWHERE, "estimate": estimate, **ends, "interval": kind, "too_short": ""}])


def labelled_part_headline(result: LabelledSampleEstimate, positive: str) -> str:
    """The share with its interval: of the sample itself, or of the population that it was drawn from."""
    row, size = result.table.iloc[0], f"{int(result.sample.sample_size):,}"
    of = f"of these {size}" if result.own else f"of all from which these {size} were drawn"
    share, low, high = percentages(row.estimate, row.low, row.high)
    labels = counted(int(result.sample.n_labels), "label")
    return f"{share} {of} are {positive} ({result.level:.0%} interval: {low} to {high}), with {labels}."


def worth_sentence(result: LabelledSampleEstimate) -> str:
    """How wide the interval would be if the labels were used or drawn otherwise, and how many more labels would halve it."""
    table = result.table.set_index("method")
    width, alone = (float(table.high[name] - table.low[name]) for name in (DEFAULT_LABELLED_SAMPLE_INTERVAL, "labels alone"))
    here, without = width_text(width), width_text(alone)
    gain = "no narrower than" if width > _GAIN * alone or here == without else "instead of"
    text = [f"The interval is {here} wide, {gain} the {without} of these labels without the predictions."]
    if result.width_elsewhere < 1.0:
        wide = width_text(result.width_elsewhere)
        text.append(f"The same number of labels from elsewhere would give {wide}, and only if the classes are the same there.")
    if result.labels_to_halve is None:
        text.append("Only a larger sample makes it half as wide.")
    elif result.labels_to_halve:
        more = counted(result.labels_to_halve, "label")
        text.append(f"**{more} more** {'makes' if result.labels_to_halve == 1 else 'make'} it half as wide.")
    return " ".join(text)


def labelled_part_notes(result: LabelledSampleEstimate, positive: str) -> list[str]:
    """How good the predictions are on this sample, why their count is off, and two traps."""
    sample = result.sample
    count, agreement = float(sample.weights[1]), float(sample.agreement)
    tpr, fpr = (float(rate) for rate in sample.rates)
    notes = [
        f"**The count is not the share**: {count:.0%} are predicted {positive}, and predictions agree with labels in "
        f"{agreement:.0%} of cases. Agreement does not say how far the count is off: errors of both kinds may cancel out."
    ]
    if not np.isnan(tpr) and not np.isnan(fpr):
        notes.append(
            f"**Rates from elsewhere are a trap**: here tpr is {tpr:.2f} and fpr {fpr:.2f}; on other instances both may "
            "differ. A correction with such rates is wrong, and its interval does not show it. "
            f"{_beyond(count, tpr, fpr)}"
        )
    if result.next_split is not None:
        positives, negatives = result.next_split
        notes.append(
            f"**Of the next {positives + negatives} labels**, draw {positives} at random from the predicted positives and "
            f"{negatives} from the predicted negatives. Then only the interval of double sampling is valid."
        )
    for name, labels, weight in zip(("negatives", "positives"), sample.checked, sample.weights, strict=True):
        if 0 < int(labels) < 10:
            are = f"{name[:-1]} is" if int(labels) == 1 else f"{name} are"
            notes.append(f"Only {int(labels)} predicted {are} labelled: little is known of this group.")
        if not int(labels) and weight > 0.0:
            notes.append(f"No predicted {name} are labelled: nothing is known of this group, so the interval is wide.")
    if 0 < int(sample.n_labels) < int(sample.sample_size):
        if agreement == 1.0:
            said = "**No label contradicts its prediction**"
            short = _narrower_ppi(result)
            too_short = f": {enumerated(short)} {'takes' if len(short) == 1 else 'take'} that for certainty, and "
            notes.append(f"{said}{too_short}{'is' if len(short) == 1 else 'are'} too short." if short else f"{said}.")
        elif result.own:
            notes.append(
                "**PPI and PPI++** give an interval for the population's share, not for this sample's. It is a normal "
                "approximation, and too short with few labels of one kind."
            )
    return notes


def _narrower_ppi(result: LabelledSampleEstimate) -> list[str]:
    """Which of PPI and PPI++ have an interval that is shorter than that of double sampling."""
    table = result.table.set_index("method")
    widths = table.high - table.low
    return [name for name in ("PPI", "PPI++") if name in widths and widths[name] < widths[DEFAULT_LABELLED_SAMPLE_INTERVAL]]


def _beyond(count: float, tpr: float, fpr: float) -> str:
    """What a correction with another fpr says; a share beyond 0% or 100% is no share."""
    if tpr < fpr:
        return (
            "The tpr is below the fpr, which is the wrong way round: predictions and labels may name the classes the other "
            "way, or counts may be swapped."
        )
    other = min(fpr + 0.1, tpr - 0.05)
    if tpr - fpr < 0.15:
        return "These predictions hardly tell the classes apart: the estimate rests on the labels."
    corrected = (count - other) / (tpr - other)
    clipped = min(max(corrected, 0.0), 1.0)
    if abs(corrected - clipped) <= TIE:
        return f"With an fpr of {other:.2f}, for example, the correction gives {percentage(clipped)}."
    return (
        f"With an fpr of {other:.2f}, for example, the correction gives {percentage_beyond(corrected)}. That is not a "
        "possible share: the rates are wrong, and clipping hides it."
    )


def labelled_part_report(result: LabelledSampleEstimate, positive: str) -> str:
    """The estimate with its method, interval and assumption as a sentence for a report."""
    row, size = result.table.iloc[0], counted(int(result.sample.sample_size), "instance")
    share_of = "positives" if positive == "positive" else positive
    of = "among" if result.own else "in the population of"
    estimate, low, high = percentages(row.estimate, row.low, row.high)
    return (
        f"The share of {share_of} {of} {size} is estimated at {estimate} ({result.level:.0%} interval {low} to {high}). "
        f"Method: double sampling (Tenenbein 1970; Wilson's intervals combined by MOVER). {int(result.sample.n_labels):,} of "
        "them were labelled. It assumes that these were drawn at random, but nothing of how shares or classes have changed."
    )


TEXTS = texts_of("estimate")

PLACE = "labelled in part"
"""The name under which the session keeps the file."""

_LAST = "labelled sample that fits"
"""Where a session keeps the last counts without a contradiction."""

_ROWS = (("sample_taken", "sample_total"), ("taken_right", "taken_labels"), ("left_wrong", "left_labels"))
_TABLE = (
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


def labelled_part(level: float, parts: PageParts) -> Start | None:
    """Draw the controls and the answer. Returns from what a change is planned, None without an answer. Raises InvalidInput."""
    file = kept_file(PLACE)
    with parts.bar, st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        own = control.segments(SETTINGS["share_of"]) == OF_SAMPLE
        with (
            st.popover("Choose a file" if file is None else escaped(file.name), key="labelled table"),
            shown_in_menu(),
        ):
            columns = _table(file)
    if file is not None:
        shows_own_data()
    if columns is not None and file is not None:
        if (groups := _groups(columns, parts)) is not None:
            compared = _groups_answer(columns, groups, (level, own), file.name, parts)
            return Start.of_labels(columns.sample, level, compared.planned_from, own=own)
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
    record("estimate", labelled=shown)
    counts = shown.result.sample
    return Start.of_labels(counts, level, (float(counts.estimate), int(counts.sample_size)), own=own)


def _groups(columns: LabelledColumns, parts: PageParts) -> GroupsRequest | None:
    """Draw the choice of groups, such as versions of a model; returns it, None for one share of all."""
    with parts.bar, st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        offered = columns_of_groups(columns.table.drop(columns=list(columns.read_from)))
        return group_controls(columns.table, offered, partial(labelled_groups, columns), panels=False)


def _groups_answer(
    columns: LabelledColumns, groups: GroupsRequest, how: tuple[float, bool], name: str, parts: PageParts
) -> Differences:
    """Draw the share of each group by its own labels, and which groups differ; `how`: the level, and whether of this sample."""
    level, own = how
    found = in_order(differences_of_labelled(columns, groups, level, own), groups)
    (result,) = found.values()
    notes = [*map(escaped, columns.notes), *notes_on_groups(groups.column, columns.table[groups.column], ())]
    if missing := [escaped(group) for group in groups.names if group not in set(result.groups.group)]:
        notes.append(f"Left out, since no row of them is labelled: {listed(missing, most=10, first=9)}.")
    said: dict[str, Any] = {
        "share": f"The share of {named_class(columns.positive)}",
        "of": f"{name}; double sampling, {level:.0%} intervals",
    }
    facts = {"data": name, "assumption": "labels were drawn at random within each group", "versions": versions_today()}
    results = {groups.column: result.to_dict(columns.positive)}
    offer_differences(parts.downloads, results, facts, labelled_groups_source(columns, groups, name, how))
    groups_answer(found, groups, parts, **said, notes=notes, about=TEXTS["groups by labels"])
    return result


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
        st.caption(
            "No column of predictions? A classifier can learn from the labelled rows, by features or by texts such as "
            "comments, and count the others."
        )
        st.button("Learn from the labelled rows", on_click=learn_from_labelled, args=(file,))
        return None
    prediction, label = map(str, chosen)
    whole = labelled_columns(file, prediction, label, "")
    left_out = tuple(_left_out(whole.never_labels, f"{file.digest} {prediction} {label}"))
    first = labelled_columns(file, prediction, label, "", left_out)
    positive = st.selectbox(
        "Class whose share is estimated",
        first.classes,
        index=first.classes.index(first.positive),
        key=f"share of {file.digest} {label}",
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
        "Leave out rows predicted as",
        never_labels,
        key=f"predictions left out {of}",
        placeholder="none: each is a class of its own",
        help="No label is called so. The share is then that of the other rows.",
    )


def _answer(shown: LabelledPartView, parts: PageParts) -> None:
    result, named = shown.result, named_class(shown.positive)
    positive = escaped(named)
    table = pd.concat([result.table, elsewhere_row(result)], ignore_index=True)
    with parts.hero:
        grey = [table.method.iloc[-1]]
        of = f"{f'{shown.name}, ' if shown.name else ''}{counted(int(result.sample.sample_size), 'instance')}, "
        of += f"{counted(int(result.sample.n_labels), 'label')}; {result.level:.0%} intervals"
        figure = intervals_figure(table, None, named, take=table.method.iloc[0], grey=grey, of=of)
        chart(figure, key="intervals", alt="Estimate and interval of each method, and the width with labels from elsewhere.")
    with parts.headline:
        headline(shown.example + labelled_part_headline(result, positive))
        st.markdown(worth_sentence(result))
        if line := left_out_line(shown.notes):
            st.caption(escaped(line))
    with parts.notes:
        draw_sentences([*map(escaped, shown.notes), *labelled_part_notes(result, positive)], shown=2 + len(shown.notes))
        small_table(ends_that_say_something(result.table), _TABLE, label="Estimates of a sample labelled in part")
        copied_text("For a report", labelled_part_report(result, named), key="for a report")
        downloads = st.container(horizontal=True, gap="small")
    data = shown.name or "counts that were typed"
    facts = {"data": data, "assumption": "labels were drawn at random", "versions": versions_today()}
    parts.downloads.source = labelled_part_source(result)
    parts.downloads.csv("Estimates as CSV", lambda: result.table, "estimates")
    as_json = partial(as_json_of, result.to_dict(shown.positive), facts)
    parts.downloads.file("Estimates as JSON", as_json, "estimates.json", "application/json")
    parts.downloads.facts = facts
    with downloads:
        download_buttons(parts.downloads, "below the picture")
        interactive_file_button("below the picture")
