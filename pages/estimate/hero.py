"""The main view of "Estimate": the share with its interval, the intervals side by side, the mixture, and the checks."""

import numpy as np
import pandas as pd
import streamlit as st

from pages import pipeline
from pages.charts.chart import chart
from pages.estimate import computations
from pages.estimate.computations import OwnSample
from pages.estimate.controls import EstimateRequest
from pages.estimate.downloads import (
    as_json,
    counts_differences_source,
    facts_of,
    groups_source,
    offer_differences,
    python_source,
    versions_today,
)
from pages.estimate.estimate_view import EstimateView
from pages.estimate.findings import (
    checks_in_short,
    classifier_sentence,
    left_out_line,
    mixture_sentence,
    outside_sentence,
    rates_sentence,
)
from pages.estimate.groups import TEXTS, GroupsRequest, groups_answer, in_order, notes_on_groups
from pages.estimate.intervals_figure import intervals_figure, mixture_figure
from pages.estimate.labels_needed import Start
from pages.estimate.own_files import COLUMN
from pages.estimate.settings import DRAWN, ONE_PICTURE, OWN
from pages.estimate.typed_counts import BOTH
from pages.frame.layout import wide_row
from pages.frame.navigation import open_page
from pages.frame.page_frame import PageParts, headline
from pages.frame.sampling_controls import fitting_protocol
from pages.frame.share import copied_text, download_buttons, interactive_file_button
from pages.frame.sidebar import SidebarChoice
from pages.frame.texts import draw_sentences
from pages.own_data import uploads
from pages.own_data.uploaded_tables import COUNTED, LABELLED
from pages.settings.control import escaped
from pages.settings.number_text import counted, exact_percentage
from pages.settings.page_declaration import PAGES
from pages.work.refusals import show_invalid_input
from qcore import Counts, InvalidInput, PrevalencePath
from qcore.intervals import Differences, SampleEstimate, all_intervals, count_differences
from qcore.intervals.difference import BY_FORMULA
from qcore.scoring import SampleScores
from qcore.scoring.sample_scores import known_share
from qcore.studies.threshold_adjustment import score_histograms

_BINS = 20
_COLUMNS = ("method", "estimate", "low", "high", "interval", "too_short")
_MISSING = {
    (LABELLED, COUNTED): "Which share of your sample is positive? Choose two files: one labelled, one to be counted.",
    (LABELLED,): "Now choose the labelled file: it says what the classes look like.",
    (COUNTED,): "Now choose the file to be counted.",
    (COLUMN,): "Which column of the labelled file holds the classes, or the scores?",
}


def view(sidebar_choice: SidebarChoice, request: EstimateRequest) -> EstimateView | None:
    """Compute what the page shows; None while no file is uploaded. Raises InvalidInput."""
    if request.counts is not None:
        table = _by_interval(request.counts, request.level)
        of_counts = SampleEstimate(table, request.counts, fit=None, outside=0.0, level=request.level)
        return EstimateView(sidebar_choice, request, of_counts, remarks=tuple(of_counts.cautions))
    found = _scored(sidebar_choice, request)
    if found is None:
        return None
    scored, truth, outside = found
    methods = sidebar_choice.methods
    result = computations.sample_estimate(scored, methods, request.level, sidebar_choice.seed, request.weighted)
    outside = (result.outside, ()) if outside is None else outside
    histograms = score_histograms(scored.training_scores, scored.training_labels, scored.sample, _BINS)
    notes = _notes_on_files(sidebar_choice, request)
    said = (scored.on_repeated_rows, scored.on_calibration, *result.cautions_on_labels, *notes)
    remarks = tuple(filter(None, said))
    return EstimateView(sidebar_choice, request, result, histograms, scored, outside, truth, remarks, notes)


def _notes_on_files(sidebar_choice: SidebarChoice, request: EstimateRequest) -> tuple[str, ...]:
    """Sentences on how the user's files were read and on what of them is not used, as the command prints them."""
    if request.own is None:
        return ()
    labelled = pipeline.dataset(sidebar_choice.data).notes if uploads.is_own(sidebar_choice.data) else ()
    return (*labelled, *computations.notes_on_own(sidebar_choice.data, request.own))


def _scored(
    sidebar_choice: SidebarChoice, request: EstimateRequest
) -> tuple[SampleScores, float | None, tuple[float, tuple[str, ...]] | None] | None:
    """Returns (scores, truth, share and columns outside the labelled data), or None while there is no sample.

    The last two are None where they are not known here.
    """
    data, settings = sidebar_choice.data, request.settings
    if request.way == OWN:
        if request.own is None:
            return None
        scored = computations.own_scores(data, settings, request.own)
        classes = pipeline.dataset(data).classes
        truth = known_share(request.own.frame, uploads.label_column(data), sidebar_choice.positive, classes)
        return scored, truth, None if sidebar_choice.scores_given else computations.outside(data, request.own)
    path = fitting_protocol(PrevalencePath((request.share,), request.size), pipeline.plan(data, settings).pool_counts)
    scored = computations.drawn_scores(pipeline.scores(data, settings), path, request.draw)
    return scored, float(path.drawn_prevalences[0]), None


def drawn_path(shown: EstimateView) -> PrevalencePath:
    """The path with one prevalence by which the shown sample was drawn, with the size that it really has."""
    if shown.scored is None:
        raise RuntimeError("no sample was drawn")
    return PrevalencePath((shown.request.share,), len(shown.scored.sample))


def _by_interval(counts: Counts, level: float) -> pd.DataFrame:
    """The adjusted count with each interval."""
    table = all_intervals(counts, level)
    return table.assign(estimate=float(counts.estimate))[list(_COLUMNS)]


def groups_hero(
    shown: EstimateView, own: OwnSample, scored: SampleScores, groups: GroupsRequest, parts: PageParts
) -> Differences | None:
    """Draw the share by group, which groups differ, and what can be downloaded. Raises InvalidInput.

    Returns the differences; None of small multiples, which are several.
    """
    choice, level = shown.sidebar_choice, shown.request.level
    how = level, choice.seed
    found = in_order(computations.differences_of_groups(scored, own, groups, how, shown.request.weighted), groups)
    of = f"{own.name}, {counted(len(scored.sample), 'row')}; {groups.method}, {level:.0%} intervals"
    notes = notes_on_groups(groups.column, computations.own_groups(own, groups.column), computations.features_of(choice.data))
    if shown.caveat:
        notes.insert(0, f"**Of the whole sample**: {shown.caveat}")
    facts = {**facts_of(shown), "groups": f"{groups.column}, compared with {groups.against}"}
    results = {panel or groups.column: one.to_dict(choice.positive) for panel, one in found.items()}
    offer_differences(parts.downloads, results, facts, groups_source(choice, shown.request, groups))
    about = TEXTS["groups" if groups.method == BY_FORMULA else "groups redrawn"]
    groups_answer(found, groups, parts, share=f"The share of {shown.positive}", of=of, notes=notes, about=about)
    return next(iter(found.values())) if groups.panels == ONE_PICTURE else None


def hero(shown: EstimateView, parts: PageParts) -> Start:
    """Draw the pictures, the finding above them and the checks below; of groups, if some are chosen. Raises InvalidInput.

    Returns from what a change is planned.
    """
    request, compared = shown.request, None
    if request.groups is not None and request.own is not None and shown.scored is not None:
        compared = groups_hero(shown, request.own, shown.scored, request.groups, parts)
    else:
        share_hero(shown, parts)
    counts = shown.estimate.counts
    size = int(counts.sample_size) if shown.scored is None else len(shown.scored.sample)
    start = (float(counts.estimate), size) if compared is None else compared.planned_from
    return Start.of_counts(counts, request.level, start)


def share_hero(shown: EstimateView, parts: PageParts) -> None:
    """Draw one share with its interval by each method, the finding above them and the checks below."""
    figure = intervals_figure(
        shown.estimate.table,
        shown.truth,
        shown.positive,
        take=shown.take,
        grey=shown.estimate.unreliable,
        of=shown.counted_and_how,
    )
    with parts.hero:
        left, right = (st.container(), None) if shown.estimate.fit is None else wide_row("estimate", [1, 1], align="top")
        with left:
            chart(figure, key="intervals", alt="Estimate and interval of each method.")
        if right is not None and shown.estimate.fit is not None and shown.histograms is not None:
            with right:
                alt = "The sample's scores beside the best mixture of the classes."
                chart(mixture_figure(shown.histograms, shown.estimate.fit), key="mixture", alt=alt)
    with parts.headline:
        truth = "" if shown.truth is None else f" In truth it is {exact_percentage(shown.truth, 3)}."
        headline(shown.caveat or escaped(shown.sentence) + truth)
        if shown.verdict:
            st.markdown(shown.verdict)
        if line := left_out_line(shown.notes_on_files):
            st.caption(escaped(line))
    with parts.notes:
        # What is the headline is not said again.
        remarks = [escaped(remark) for remark in shown.remarks if remark != shown.caveat]
        checks = [*remarks, rates_sentence(shown.estimate.counts)]
        if shown.caveat:
            checks.insert(0, escaped(shown.sentence) + truth)
        if shown.request.counts is None:
            outside, columns = shown.outside
            checks += [mixture_sentence(shown.estimate.fit), outside_sentence(outside, [escaped(name) for name in columns])]
        if shown.estimate.classifier is not None:
            checks.append(classifier_sentence(shown.estimate.classifier, shown.estimate.fit, shown.estimate.calibration))
        at_once, behind = checks_in_short(checks)
        draw_sentences([*at_once, *behind], shown=len(at_once))
        if shown.estimate.unreliable:
            open_page("classifier", "Calibration of this classifier", PAGES["classifier"].opens("Calibration"))
        if shown.for_a_report:
            copied_text("For a report", shown.for_a_report, key="for a report")
        downloads = st.container(horizontal=True, gap="small")
    parts.downloads.source = python_source(shown.sidebar_choice, shown.request)
    if shown.request.contradiction:
        # A download names the page's settings, and those are the typed counts, not the counts that the table shows.
        return
    # Downloads are made outside the session, which alone knows an uploaded table, so its facts are collected here.
    facts = facts_of(shown)
    parts.downloads.csv("Estimates as CSV", lambda: shown.estimate.table, "estimates")
    parts.downloads.file("Estimates as JSON", lambda: as_json(shown, facts), "estimates.json", "application/json")
    parts.downloads.facts = facts
    with downloads:
        download_buttons(parts.downloads, "below the picture")
        interactive_file_button("below the picture")


def two_samples(counts: Counts, request: EstimateRequest, parts: PageParts) -> Start:
    """Draw by how much the shares of two samples differ, and their pictures; returns from what a change is planned."""
    level = request.level
    result = count_differences(counts, BOTH, level=level)
    groups = GroupsRequest("sample", BOTH[0], ONE_PICTURE, BOTH, in_time=True)
    sizes = " and ".join(f"{int(size):,}" for size in np.asarray(counts.sample_size))
    of = f"{sizes} instances; AC, {level:.0%} intervals"
    # A download names the page's settings, and while these contradict each other, other counts are shown.
    offers = not request.contradiction
    if offers:
        facts = {"data": "counts that were typed", "versions": versions_today()}
        source = counts_differences_source(counts, BOTH, level)
        offer_differences(parts.downloads, {"sample": result.to_dict("positive")}, facts, source, "difference")
    groups_answer({"": result}, groups, parts, share="The share", of=of, begins=request.example, offers=offers)
    return Start.of_counts(counts, level, result.planned_from)


def refused(error: InvalidInput, parts: PageParts) -> None:
    """Draw what is wrong in the place of the finding."""
    with parts.headline:
        show_invalid_input(error)


def waiting(parts: PageParts, missing: tuple[str, ...]) -> None:
    """Draw what is missing: one of the two files, or both."""
    with parts.headline:
        headline(_MISSING[missing])
    with parts.hero:
        st.caption(f"Files stay in this session. To try the page without a file, choose “{DRAWN}”.")
