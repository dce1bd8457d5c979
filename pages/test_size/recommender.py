"""Choosing the quantifier for each sample: a recommender beside its candidates, and what there is to win by choosing."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import pandas as pd
import streamlit as st

from pages import pipeline
from pages.charts.chart import chart
from pages.charts.figure import NEUTRAL, Figure, distinct_colours, figure
from pages.charts.panels import family_panels
from pages.charts.recommender_errors import errors_figure
from pages.charts.sample_overlap_findings import overlap_warning
from pages.charts.small_table import Column, small_table
from pages.charts.traces import axis, bars
from pages.frame.downloads import SETUP, csv_button, loading
from pages.frame.layout import wide_row
from pages.frame.texts import draw_sentences, texts_of
from pages.settings import control
from pages.settings.address import current
from pages.settings.number_text import counted, digits, digits_apart, listed, percentage
from pages.test_size import computations
from pages.test_size.computations import TestSizeView
from pages.test_size.settings import SETTINGS
from pages.work.refusals import show_invalid_input
from qcore import QUANTIFIERS, InvalidInput
from qcore.base import TIE
from qcore.evaluation.significance import is_clear
from qcore.recommender.evaluation import choices_by_size, comparison_with_candidates, errors_by_size
from qcore.recommender.metatable import check_candidates
from qcore.recommender.mlq import RecommenderResult

_PATTERNS = ("", "/", ".", "x", "-", "+", "|", "\\")
"""Patterns that tell bars apart, in addition to their colour."""


def choices_figure(choices: pd.DataFrame) -> Figure:
    """How often each candidate is chosen at each size, stacked; the table of `choices_by_size`."""
    tables = choices.groupby("candidate", sort=False)
    colours = distinct_colours([str(name) for name, _ in tables])
    chosen = [
        bars(
            str(name),
            [str(size) for size in table["size"]],
            table.chosen,
            colour=colours[i],
            hover="chosen %{y:.0%}, best %{customdata[0]:.0%}",
            customdata=table[["best"]].to_numpy().tolist(),
            marker={"color": colours[i], "pattern": _pattern(i)},
        )
        for i, (name, table) in enumerate(tables)
    ]
    return figure(
        chosen,
        title="What does it choose?",
        height=400,
        barmode="stack",
        hovermode="x unified",
        xaxis=axis("sample size", type="category"),
        yaxis=axis("share of the samples", (0, 1.0)),
    )


def _pattern(i: int) -> dict[str, Any]:
    return {"shape": _PATTERNS[i % len(_PATTERNS)], "fgcolor": "#FFFFFF", "size": 6, "fillmode": "overlay"}


def importance_figure(importance: pd.DataFrame) -> Figure:
    """The share of recommendations that change with each metafeature; the table of `metafeature_importance`."""
    table = importance.iloc[::-1]
    changed = bars(
        "changed",
        table.changed,
        table.metafeature,
        colour=NEUTRAL,
        hover="%{x:.0%} of the recommendations change; MLQ's mean AE %{customdata[0]:+.5f} (standard error "
        "%{customdata[1]:.5f})<extra></extra>",
        orientation="h",
        customdata=table[["cost", "standard_error"]].to_numpy().tolist(),
        showlegend=False,
    )
    return figure(
        [changed],
        title="What decides?",
        height=400,
        hovermode="closest",
        xaxis=axis("recommendations that change", rangemode="tozero", tickformat=".0%"),
        yaxis={"type": "category"},
    )


_ORDINALS = ("first", "second", "third", "fourth", "fifth", "last")


def benefit_sentences(result: RecommenderResult, against: pd.DataFrame) -> list[str]:
    """Whether MLQ beats the best single candidate, and where not; `against` of `comparison_with_candidates`."""
    means = _means(result)
    if _is_nothing_to_choose(means):
        alike = f"all candidates err alike on every sample (mean AE {digits(means['TOP'])})"
        return [f"**There is nothing to choose here:** {alike}."]

    best = min(result.table.candidates, key=lambda name: means[name])
    known = result.recommender.best_single_
    sentences = [_verdict(_overall(against, best), best)]
    if len(set(result.chosen.tolist())) == 1:
        sentences[0] += f" It always chooses **{result.table.candidates[int(result.chosen[0])]}**."
    sentences.append(_by_size(against))
    if known != best:
        row = _overall(against, known)
        sentences.append(
            f"That {best} is best here is known only afterwards; on the training half **{known}** was. Over all samples "
            f"{_beside(row)} {known}: mean AE {' against '.join(digits_apart(row.mlq, row.single))}."
        )
    sentences.append(_bounds(means))
    return sentences


def benefit_headline(result: RecommenderResult, against: pd.DataFrame) -> str:
    """Whether choosing pays, in one short sentence; as `benefit_sentences`."""
    means = _means(result)
    if _is_nothing_to_choose(means):
        return "There is nothing to choose here: all candidates err alike on every sample."
    best = min(result.table.candidates, key=lambda name: means[name])
    row = _overall(against, best)
    mlq, single = digits_apart(row.mlq, row.single)
    if not _is_significant(row):
        return f"Choosing makes no clear difference here: mean AE {mlq}, the best single candidate, {best}, has {single}."
    verb = "pays" if row.difference < 0 else "does not pay"
    return f"Choosing {verb} here: mean AE {mlq}, the best single candidate, {best}, has {single}."


def _means(result: RecommenderResult) -> dict[str, float]:
    return {name: float(errors.mean()) for name, errors in result.errors.items()}


def _is_nothing_to_choose(means: dict[str, float]) -> bool:
    return abs(means["TOP"] - means["RND"]) < TIE


def _overall(against: pd.DataFrame, candidate: str) -> pd.Series:
    return against[(against["size"] == 0) & (against.candidate == candidate)].iloc[0]


def _is_significant(row: pd.Series) -> bool:
    return bool(is_clear(row.difference, row.standard_error))


def _beside(row: pd.Series) -> str:
    if not _is_significant(row):
        return "MLQ is not clearly different from"
    return "MLQ is better than" if row.difference < 0 else "MLQ is worse than"


def _verdict(row: pd.Series, best: str) -> str:
    numbers = f"mean AE {' against '.join(digits_apart(row.mlq, row.single))}"
    if not _is_significant(row):
        return (
            "**Choosing makes no clear difference here.** Over all samples MLQ is within two standard errors of the "
            f"best single candidate, **{best}**. {numbers[0].upper()}{numbers[1:]}, standard error of the difference "
            f"{digits(row.standard_error)}."
        )
    if row.difference < 0:
        return f"**Choosing pays here.** Over all samples MLQ is better than the best single candidate, **{best}**: {numbers}."
    return f"**Choosing does not pay here.** Over all samples MLQ is worse than **{best}** alone: {numbers}."


def _by_size(against: pd.DataFrame) -> str:
    """At which sizes MLQ beats the best of the candidates at that size, ties with it or loses to it."""
    by_size = against[against["size"] > 0]
    rows = by_size.loc[by_size.groupby("size").single.idxmin()]
    sure = is_clear(rows.difference, rows.standard_error)
    better = rows["size"][sure & (rows.difference < 0)].tolist()
    worse = rows["size"][sure & (rows.difference > 0)].tolist()
    parts = [
        f"{how} at {counted(len(sizes), 'size')} ({listed([str(size) for size in sizes], most=6, first=5)})"
        for how, sizes in (("better", better), ("worse", worse))
        if sizes
    ]
    summary = " and ".join(parts) or "neither better nor worse at any size"
    return f"Beside the best candidate at each size, by two standard errors, MLQ is {summary}."


def _bounds(means: dict[str, float]) -> str:
    room = means["RND"] - means["TOP"]
    won = (means["RND"] - means["MLQ"]) / room
    how = f"closes {percentage(won)} of that gap" if won > 0.005 else "closes none of that gap"
    return (
        f"A random choice (**RND**) has a mean AE of {digits(means['RND'])}, the best for each sample (**TOP**) "
        f"{digits(means['TOP'])}. MLQ {how}."
    )


def choices_sentence(choices: pd.DataFrame) -> str:
    """What MLQ chooses most often at the smallest and the largest size; `choices` from `choices_by_size`."""
    sizes = choices["size"].unique()
    tops = []
    for size in (sizes[0], sizes[-1]):
        at_size = choices[choices["size"] == size]
        row = at_size.iloc[int(at_size.chosen.to_numpy().argmax())]
        tops.append((int(size), row.candidate, row.chosen, row.best))
    (low, first, share, best), (high, last, high_share, high_best) = tops
    if low == high:
        return (
            f"With samples of {low} MLQ chooses **{first}** for {percentage(share)} of them; **{first}** is the best for "
            f"{percentage(best)}."
        )
    return (
        f"With samples of {low} MLQ chooses **{first}** most, for {percentage(share)} (it is the best for "
        f"{percentage(best)}). With samples of {high} it is **{last}**, for {percentage(high_share)} (the best for "
        f"{percentage(high_best)})."
    )


def importance_sentence(importance: pd.DataFrame, n_sizes: int) -> str:
    """Which metafeature matters most, and how much that is worth; the table of `metafeature_importance`."""
    first = importance.iloc[0]
    if first.changed <= TIE:
        return "Shuffling any single metafeature changes no recommendation."
    rank = importance.metafeature.tolist().index("size") + 1
    size = f"; the size itself comes {_ORDINALS[rank - 1]}" if n_sizes > 1 and rank > 1 else ""
    sentence = (
        f"Shuffling the **{first.metafeature}** over the samples changes most, {percentage(first.changed)} of the "
        f"recommendations{size}."
    )
    costs = importance.iloc[int(importance.cost.to_numpy().argmax())]
    if costs.cost <= 0.0 or not is_clear(costs.cost, costs.standard_error):
        return f"{sentence} No shuffling raises MLQ's mean AE by more than two standard errors."
    return (
        f"{sentence} Shuffling the **{costs.metafeature}** costs most: MLQ's mean AE rises by {digits(costs.cost)} (standard "
        f"error {digits(costs.standard_error)})."
    )


def extrapolation_sentence(result: RecommenderResult) -> str:
    """Which sizes the recommender did not learn from; empty if it learnt from all."""
    largest = int(result.recommender.sizes_.max())
    beyond = sorted({int(size) for size in result.table.sizes if size > largest})
    if not beyond:
        return ""
    named = listed([f"{size}" for size in beyond], most=8, first=6)
    return (
        f"The recommender learns from a part of the training half, which can give samples of up to {result.learnable}. It has "
        f"seen no samples of {named}, and chooses for them as for samples of {largest}."
    )


_MAX_CANDIDATES = 5
"""Largest number of lines of candidates: with MLQ, TOP and RND they are the eight lines that fit into a chart."""
_AGAINST = (
    Column("candidate", "Candidate"),
    Column("size", "Size"),
    Column("mlq", "MLQ", ".4f", "Mean AE of MLQ."),
    Column("single", "Candidate alone", ".4f", "Mean AE of the candidate."),
    Column("difference", "MLQ less candidate", ".4f", "Below 0: MLQ is better."),
    Column("standard_error", "Standard error", ".4f", "Of that difference on the same samples."),
)


class _Answer(NamedTuple):
    """What is computed: the recommender's result, the importance of metafeatures, and MLQ beside each candidate."""

    candidates: tuple[str, ...]
    result: RecommenderResult
    importance: pd.DataFrame
    against: pd.DataFrame


def recommender_section(view: TestSizeView) -> None:
    """Draw the choice of candidates and the errors by size with the verdict, or a sentence that says why there are none."""
    answer = _answer(view)
    if answer is None:
        return
    errors = errors_by_size(answer.result)
    with st.container(key="section-headline"):
        st.markdown(f"**{benefit_headline(answer.result, answer.against)}**")
    chart(
        errors_figure(errors, family_panels(answer.candidates, max_lines=_MAX_CANDIDATES)),
        key="errors_by_size",
        alt="Mean AE by sample size of each candidate, of the recommender MLQ, and of its bounds TOP and RND.",
    )
    with st.container(key="section-notes"):
        _notes(view, answer.result, answer.against, int(errors.n.max()))
    with st.expander("How the recommender works"):
        st.markdown(texts_of("test_size")["recommender"])
    with st.expander("Python"):
        st.code(python_source(view, answer.candidates), language="python")


def recommender_choices_section(view: TestSizeView) -> None:
    """Draw what the recommender chooses, which metafeatures matter, and its error beside that of each candidate."""
    answer = _answer(view)
    if answer is not None:
        _choices(view, answer.result, answer.importance)
        _beside_candidates(view, answer.result, answer.against)


def _answer(view: TestSizeView) -> _Answer | None:
    """Draw the choice of candidates and compute; None if that is impossible, and a sentence then says why."""
    candidates = _candidates()
    with st.container():
        try:
            check_candidates(candidates)
            result, importance = computations.recommendation(view.scores, view.grid, candidates)
        except InvalidInput as error:
            show_invalid_input(error)
            return None
    return _Answer(candidates, result, importance, comparison_with_candidates(result))


def _candidates() -> tuple[str, ...]:
    """Draw the candidates in a popover named after them; returns them in the order of the registry."""
    known = current(SETTINGS["candidates"])
    count = len(known) if isinstance(known, list) else 0
    with st.popover(f"Candidates: {', '.join(known[:3]) if isinstance(known, list) else ''}{' ...' if count > 3 else ''}"):
        chosen = control.several(SETTINGS["candidates"])
    return tuple(method for method in QUANTIFIERS if method in chosen)


def _notes(view: TestSizeView, result: RecommenderResult, against: pd.DataFrame, n: int) -> None:
    st.caption(
        "**MLQ**: the candidate that the recommender chooses for a sample. **TOP**: the best for each, which nobody can know. "
        f"**RND**: one at random. {n:,} samples of each size. Standard errors take samples as independent; those of a small "
        "pool share instances."
    )
    warning = overlap_warning(pipeline.sample_overlap(view.scores, view.grid).overlap)
    if warning:
        st.warning(warning)
    notes = [extrapolation_sentence(result), *view.scores.notes, *_inner_notes(result)]
    draw_sentences([*benefit_sentences(result, against), *dict.fromkeys(notes)])


def _choices(view: TestSizeView, result: RecommenderResult, importance: pd.DataFrame) -> None:
    choices = choices_by_size(result)
    left, right = wide_row("recommended", [1, 1], align="top")
    with left:
        st.markdown(choices_sentence(choices))
        chart(choices_figure(choices), key="choices", alt="Share of the samples for which each candidate is chosen, by size.")
    with right:
        st.markdown(importance_sentence(importance, len(view.grid.sizes)))
        figure = importance_figure(importance)
        chart(figure, key="importance", alt="Share of recommendations that change with each metafeature.")


def _beside_candidates(view: TestSizeView, result: RecommenderResult, against: pd.DataFrame) -> None:
    shown = against.assign(size=against["size"].map(lambda size: str(size) if size else "all"))
    small_table(shown, _AGAINST, label="MLQ beside each candidate")
    data = view.sidebar_choice.data_name
    with st.container(horizontal=True):
        csv_button("Errors by size as CSV", lambda: errors_by_size(result), f"{data}-recommender-errors")
        csv_button("Choices by size as CSV", lambda: choices_by_size(result), f"{data}-recommender-choices")
        csv_button("All samples as CSV", result.frame, f"{data}-recommender-samples")


def _inner_notes(result: RecommenderResult) -> list[str]:
    part = "In the half of the training half that it learns from"
    return [f"{part}: {note[0].lower()}{note[1:]}" for note in result.notes]


def python_source(view: TestSizeView, candidates: Sequence[str]) -> str:
    """A script that gives the errors by size with qcore alone."""
    return (
        f"{SETUP}"
        "from qcore import ScoringSettings, SizeGrid, load_dataset, read_dataset, read_scores, read_texts, recommend\n"
        "from qcore.recommender.evaluation import errors_by_size\n\n"
        f"settings = {view.settings!r}\n"
        f"grid = {view.grid!r}\n"
        f"result = recommend({loading(view.sidebar_choice.data)}, settings, grid, candidates={tuple(candidates)!r})\n"
        "errors = errors_by_size(result)\n"
        'print(errors.pivot_table("mean", "size", "name"))\n'
        'px.line(errors, x="size", y="mean", color="name", markers=True).show()\n'
    )
