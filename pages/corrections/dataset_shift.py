"""Dataset shift that breaks the corrections' assumption: the tab, its figures, its sentences."""

import math
from dataclasses import replace
from typing import Any

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages import pipeline
from pages.charts.chart import chart
from pages.charts.figure import NEGATIVES, NEUTRAL, POSITIVES, Figure, figure, method_style, tinted
from pages.charts.mixture import shift_verdict
from pages.charts.traces import UNIT, Trace, axis, line, markers, method_line, vertical_mark
from pages.corrections import computations
from pages.corrections.settings import AS_THEY_COME, SCORE, SETTINGS
from pages.frame.downloads import csv_button
from pages.frame.layout import narrow_row, wide_row
from pages.frame.recording import record_too
from pages.frame.sidebar import SidebarChoice, chosen_quantifiers, no_method
from pages.frame.texts import draw_sentences, texts_of
from pages.settings import control
from pages.settings.number_text import digits, listed, threshold_text
from pages.work.refusals import show_invalid_input
from pages.work.turns import fragment
from qcore import InvalidInput, Scores, ScoringSettings
from qcore.studies.dataset_shift import SHIFT_KINDS, DatasetShift, rates_before_and_after, samples_under_shift

_HEIGHT = 340
_X_RANGES = (0.1, 0.25, 0.5, 1.0)
"""The x axis ends at one of these, so that it seldom changes."""


def shifted_rates_figure(rates: pd.DataFrame) -> Figure:
    """The fpr and 1 - tpr by threshold, in training and in the shifted pool; the table of `rates_before_and_after`."""
    lines = []
    for part, dash, width in (("training", "solid", 2.0), ("pool", "dash", 2.5)):
        table = rates[rates.part == part]
        for name, values, colour in (("fpr", table.fpr, NEGATIVES), ("1 - tpr", 1.0 - table.tpr, POSITIVES)):
            style: dict[str, Any] = {"colour": colour, "dash": dash, "width": width, "shape": "vh"}
            lines.append(line(f"{name}, {part}", table.threshold, values, hover="%{y:.3f}", **style))
    return figure(
        lines,
        title="Are tpr and fpr what they were?",
        height=_HEIGHT,
        xaxis=axis("threshold", (-0.02, 1.02)),
        yaxis=axis("rate", UNIT),
    )


def errors_figure(table: pd.DataFrame, strength: float) -> Figure:
    """Mean error of each method without shift and at `strength`, with the 10th to 90th percentile; of `errors_under_shift`."""
    methods = list(dict.fromkeys(table.method))[::-1]
    traces = [_errors(table, methods, 0.0)]
    if strength:
        traces.append(_errors(table, methods, strength))
    largest = float(table[table.strength.isin([0.0, strength])][["lower", "upper", "bias"]].abs().to_numpy().max())
    end = 1.05 * next((limit for limit in _X_RANGES if limit >= largest), 1.0)
    zero = vertical_mark(0, line={"color": NEUTRAL, "width": 1.5})
    return figure(
        traces,
        title="Which methods err, and in which direction?",
        height=max(_HEIGHT, 150 + 26 * len(methods)),
        hovermode="closest",
        xaxis=axis("mean error of the estimate (estimate - truth)", (-end, end)),
        yaxis={"type": "category", "categoryorder": "array", "categoryarray": methods},
        shapes=[zero],
    )


def _errors(table: pd.DataFrame, methods: list[str], strength: float) -> Trace:
    """The mean errors at a strength as markers; under shift they are filled and show their spread."""
    name = f"strength {strength:g}" if strength else "no shift"
    rows = table[table.strength == strength].set_index("method").loc[methods]
    spread = {
        "type": "data",
        "symmetric": False,
        "thickness": 1.5 if strength else 0.0,
        "width": 3 if strength else 0,
        "array": (rows.upper - rows.bias).tolist(),
        "arrayminus": (rows.bias - rows.lower).tolist(),
        "color": tinted(NEUTRAL, 0.7),
    }
    trace = markers(
        name,
        rows.bias,
        methods,
        colour=[method_style(method).colour for method in methods],
        symbol="circle" if strength else "circle-open",
        size=9 if strength else 7,
        hover=f"%{{y}}, {name}: %{{x:+.3f}}<extra></extra>",
        error_x=spread,
    )
    return trace | {"marker": {**trace["marker"], "opacity": 1.0 if strength else 0.9}}


def degradation_figure(table: pd.DataFrame, strength: float) -> Figure:
    """Mean AE of each method by strength of the shift, the chosen strength marked; of `errors_under_shift`."""
    lines = []
    for method, rows in table.groupby("method", sort=False):
        by_strength = rows.sort_values("strength")
        lines.append(method_line(str(method), by_strength.strength, by_strength.AE, size=6, hover="%{y:.3f}"))
    return figure(
        lines,
        title="How fast does each one degrade?",
        height=max(_HEIGHT, 150 + 26 * len(lines)),
        shapes=[vertical_mark(strength)],
        xaxis=axis("strength of the shift", (-1.03, 1.03)),
        yaxis=axis("AE (mean)", rangemode="tozero"),
    )


_WORSE = 1.5
_NOTICEABLE = 0.01


def rates_sentence(rates: pd.DataFrame, threshold: float) -> str:
    """The tpr and fpr at a threshold in training and in the pool; the table of `rates_before_and_after`."""
    near = rates.iloc[(rates.threshold - threshold).abs().groupby(rates.part).idxmin()].set_index("part")
    training, pool = near.loc["training"].to_dict(), near.loc["pool"].to_dict()
    tpr, fpr = ((training[rate], pool[rate]) for rate in ("tpr", "fpr"))
    by_chance = all(
        abs(before - after) <= 2.0 * _standard_error(before, training[n], after, pool[n])
        for (before, after), n in ((tpr, "n_positives"), (fpr, "n_negatives"))
    )
    same = max(abs(tpr[0] - tpr[1]), abs(fpr[0] - fpr[1])) < _NOTICEABLE
    if same or by_chance:
        end = "They still hold." if same else "With so few instances, chance alone can make such a difference."
    else:
        end = "A correction with the training rates subtracts and divides by the wrong numbers."
    return (
        f"At the threshold {threshold_text(threshold)} the tpr was {tpr[0]:.2f} and is {tpr[1]:.2f}; the fpr was {fpr[0]:.2f} "
        f"and is {fpr[1]:.2f}. {end}"
    )


def _standard_error(first: float, n_first: float, second: float, n_second: float) -> float:
    """Standard error of the difference of two shares that estimate the same share."""
    pooled = (first * n_first + second * n_second) / (n_first + n_second)
    return math.sqrt(pooled * (1.0 - pooled) * (1.0 / n_first + 1.0 / n_second))


def degradation_sentences(table: pd.DataFrame, strength: float) -> list[str]:
    """Which methods get worse under shift, and which do not; `errors_under_shift` with strength 0 and this one."""
    before = table[table.strength == 0.0].set_index("method").AE
    after = table[table.strength == strength].set_index("method").AE
    if not strength:
        return ["At strength 0 there is no shift: compare the errors at other strengths with these."]
    growth = {m: float(after[m] - before[m]) for m in after.index}
    much = [growth[m] for m in growth if after[m] > _WORSE * before[m] and growth[m] > _NOTICEABLE]
    # Every method whose AE grows at least as much as that of one of these degrades too, however large its error was before.
    worse = [m for m in growth if much and growth[m] >= min(much)]
    sentences = []
    if worse:
        worst = max(worse, key=lambda method: growth[method])
        change = f"from {digits(before[worst])} to {digits(after[worst])}"
        if len(worse) == 1:
            sentences.append(f"{listed(worse)} degrades: its mean AE grows {change}.")
        else:
            sentences.append(f"{listed(worse)} degrade; most of all **{worst}**, whose mean AE grows {change}.")
    else:
        sentences.append("No method degrades much under this shift.")
    rest = {m: growth[m] for m in growth if m not in worse}
    groups = {
        "less than before": [m for m in rest if rest[m] < -_NOTICEABLE],
        "about as much as before": [m for m in rest if abs(rest[m]) <= _NOTICEABLE],
        "somewhat more than before": [m for m in rest if rest[m] > _NOTICEABLE],
    }
    sentences += [_so_much(methods, how, before, after) for how, methods in groups.items() if methods]
    if len(after) < 2:
        return sentences
    best = str(after.idxmin())
    return [*sentences, f"**{best}** is now nearest to the truth: mean AE {digits(after[best])}."]


def _so_much(methods: list[str], how: str, before: pd.Series, after: pd.Series) -> str:
    """A sentence on methods that err alike under shift, in comparison with before."""
    if len(methods) == 1:
        return f"{listed(methods)} errs {how}: mean AE {digits(after[methods[0]])}, before {digits(before[methods[0]])}."
    errors = sorted(float(after[method]) for method in methods)
    return f"{listed(methods)} err {how}: mean AE {digits(errors[0])} to {digits(errors[-1])}."


TEXTS = texts_of("corrections")

_STRENGTHS = tuple(step / 5 for step in range(-5, 6))


@fragment
def dataset_shift_section(sidebar_choice: SidebarChoice, settings: ScoringSettings) -> None:
    """Draw the controls of the shift, and the charts or a sentence that says why there are none."""
    st.markdown(TEXTS["dataset_shift"])
    kind = control.segments(SETTINGS["kind"])
    st.caption(SHIFT_KINDS[kind].idea)
    left, right = narrow_row("dataset shift", 2)
    with left:
        strength = float(control.slider(SETTINGS["strength"]))
        along = _along(sidebar_choice) if SHIFT_KINDS[kind].goes_along else None
    with right:
        drawn = control.segments(SETTINGS["drawn"])
        sidebar_choice = replace(sidebar_choice, methods=chosen_quantifiers())
    answer = st.container()
    by_strength, tests = wide_row("dataset shift by strength", [1, 1], align="top")
    with tests:
        st.markdown(TEXTS["which shift"])
        with st.container(width=320):
            n_labels = int(control.slider(SETTINGS["shown_labels"]))
    if no_method(sidebar_choice.methods):
        return
    try:
        shift = DatasetShift(kind, strength, along)
        scores = pipeline.scores(sidebar_choice.data, settings)
        with answer:
            _answer(sidebar_choice, scores, shift, drawn, by_strength)
        with tests:
            shift_verdict(computations.shift_of_shifted(scores, shift, n_labels), folded=True)
    except InvalidInput as error:
        with answer:
            show_invalid_input(error)


def _along(sidebar_choice: SidebarChoice) -> str | None:
    """Draw the choice of the feature along which covariate shift acts; returns it, or None for the scores."""
    options = [SCORE]
    if not sidebar_choice.scores_given:
        options += map(str, pipeline.dataset(sidebar_choice.data).features.columns)
    requested = st.query_params.get("along", st.session_state.get("along"))
    if st.session_state.get("along") not in (None, *options):
        # The state may hold a feature of the previous data set.
        st.session_state["along"] = SCORE
    if requested is not None and requested not in options and "along" not in st.session_state:
        control.note(
            f"The link's shift goes along {control.quoted([requested])}, which {control.escaped(sidebar_choice.data_name)} "
            "does not have: the score is used instead."
        )
    chosen = control.choice(SETTINGS["along"], options)
    return None if chosen == SCORE else str(chosen)


def _answer(
    sidebar_choice: SidebarChoice, scores: Scores, shift: DatasetShift, drawn: str, by_strength: DeltaGenerator
) -> None:
    pools = computations.shifted_pools(scores, shift, _STRENGTHS)
    protocol, strengths = samples_under_shift(pools, shift.strength, natural=drawn == AS_THEY_COME)
    table = computations.errors_under_shift(
        scores, {strength: pools[strength] for strength in strengths}, protocol, sidebar_choice.methods
    )
    record_too("corrections", errors_under_shift=table)
    shifted = pools[shift.strength]
    rates = rates_before_and_after(scores, shifted)
    draw_sentences([rates_sentence(rates, 0.5), *degradation_sentences(table, shift.strength)])
    left, right = wide_row("dataset shift charts", [1, 1], align="top")
    with left:
        chart(shifted_rates_figure(rates), key="shifted_rates", alt="tpr and fpr by threshold in training and in the pool.")
    with right:
        chart(
            errors_figure(table, shift.strength),
            key="errors_under_shift",
            alt="Mean error of each quantifier.",
        )
    with by_strength:
        chart(
            degradation_figure(table, shift.strength), key="degradation", alt="Mean AE of each quantifier by strength of shift."
        )
        now = table[table.strength == shift.strength].iloc[0]
        st.caption(
            f"{now.n_samples} samples of {protocol.sample_size} at each of {len(strengths)} strengths, here with a mean true "
            f"prevalence of {now.true:.2f}. Bars: 10th to 90th percentile. AE is |estimate - truth|."
        )
        csv_button("Errors as CSV", lambda: table, f"{sidebar_choice.data_name}-shift")
