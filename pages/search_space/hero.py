"""The main view of "Search space": the measure and its controls, the surface, and what it rewards in words."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.charts.chart import DraggedValue, chart
from pages.charts.dragged_slider import drag_bar, dragged_text
from pages.charts.small_table import Column, small_table
from pages.frame.downloads import SETUP, csv_button
from pages.frame.page_frame import PageParts, headline
from pages.frame.texts import draw_sentences, texts_of
from pages.search_space import computations
from pages.search_space.settings import CAMERA, COLOUR_MAPS, MEASURE, SETTINGS
from pages.search_space.surface_figure import EYE, narrow_surface, slider_position, surface_figure, surface_row
from pages.settings import control
from pages.settings.address import current
from pages.settings.number_text import counted, digits, digits_apart, listed, percentage, share, threshold_text, typed_beta
from pages.work.refusals import show_invalid_input
from qcore import MEASURES, InvalidInput, ParametricMeasure
from qcore.measures.catalog import Q_BETA, SCORE_KEYS
from qcore.measures.roc import RateCurve
from qcore.quantifiers.batch import THRESHOLD
from qcore.studies.search_space import (
    BETAS,
    ClassifierPoints,
    IrisExample,
    Optima,
    SearchSpace,
    classifier_point_table,
    errors_at_rates,
    points_on_spaces,
    search_space_grid,
    value_at,
)


def in_short(key: str, cperf: str, qperf: str) -> str:
    """A measure explained in a line or two, as Markdown."""
    if key != Q_BETA:
        return f"**{key}**: {MEASURES[key].idea}"
    return (
        f"**Q_beta**: high only where both cperf ({cperf}) and qperf ({qperf}) are; beta weighs the second. **{cperf}**: "
        f"{MEASURES[cperf].idea} **{qperf}**: {MEASURES[qperf].idea}"
    )


def measures_in_short() -> str:
    """All measures explained in Markdown, one line each."""
    return "\n\n".join(f"**{key}** {MEASURES[key].idea}" for key in SCORE_KEYS)


def measures_explained() -> tuple[str, str]:
    """All measures in Markdown, idea, formula, source, for two columns."""
    q = "\n\n".join(
        [
            "**Q_beta** combines a measure of classification and one of quantification: high only where both are. beta weighs "
            "the second: 0 leaves the first alone, inf the second.",
            r"$$ Q_\beta = (1 + \beta^2)\, \frac{cperf \cdot qperf}{\beta^2\, cperf + qperf} $$",
            ":small[Source: Barranquero 2013, eq. 6.2.]",
        ]
    )
    others = [
        f"**{one.key}.** {one.idea}\n\n$$ {one.formula} $$\n\n:small[Source: {one.source}.]"
        for one in (MEASURES[key] for key in SCORE_KEYS)
    ]
    symbols = (
        r"P and N: numbers of positives and negatives; S = P + N. TP = P - FN, TN = N - FP. $p = P/S$ is the true prevalence, "
        r"$\hat p = (TP + FP)/S$ what counting says; $\mathrm{KLD} = \sum_c p_c \ln (p_c / \hat p_c)$, where all or none are "
        r"predicted with half a count less or more."
    )
    half = len(others) // 2
    return "\n\n".join([symbols, q, *others[:half]]), "\n\n".join(others[half:])


_LAST_BETA = "last beta"


@dataclass(frozen=True)
class MeasureRequest:
    """A measure, its beta, and the numbers of positives and negatives."""

    key: str
    beta: float
    cperf: str
    qperf: str
    positives: int
    negatives: int

    @property
    def follows_beta(self) -> bool:
        """Whether the measure depends on beta."""
        return self.key in (Q_BETA, "F_beta")

    def measure(self, beta: float | None = None) -> ParametricMeasure:
        """The measure with the chosen beta, or with `beta` if it is given."""
        if not self.follows_beta:
            return ParametricMeasure(self.key, 1.0)
        return ParametricMeasure(self.key, self.beta if beta is None else beta, self.cperf, self.qperf)

    def betas(self) -> list[float]:
        """The steps of the slider, with the typed beta among them."""
        return sorted({*BETAS, self.beta}) if self.follows_beta else [1.0]


def measure_popover() -> MeasureRequest:
    """Draw the controls in a popover named after their values; an unusable beta is replaced by the last usable one."""
    measure, n_pos, n_neg = (str(current(MEASURE[key])) for key in ("measure", "n_pos", "n_neg"))
    with st.popover(f"{measure}, P = {int(n_pos):,}, N = {int(n_neg):,}", key="measure_controls"):
        return _measure_controls()


def _measure_controls() -> MeasureRequest:
    key = control.choice(SETTINGS["measure"], help=f"What is drawn.\n\n{measures_in_short()}")
    typed = control.typed_text(MEASURE["beta"], max_chars=12, disabled=key not in (Q_BETA, "F_beta"))
    cperf, qperf = (control.choice(MEASURE[part], disabled=key != Q_BETA) for part in ("cperf", "qperf"))
    positives, negatives = control.number(MEASURE["n_pos"]), control.number(MEASURE["n_neg"])
    control.segments(MEASURE["colours"])
    st.caption(in_short(key, cperf, qperf))
    return MeasureRequest(key, _usable_beta(typed), cperf, qperf, positives, negatives)


def _usable_beta(typed: str) -> float:
    """The typed beta; if it is unusable, which a notice says, the last usable one."""
    try:
        st.session_state[_LAST_BETA] = typed_beta(typed)
    except InvalidInput as error:
        show_invalid_input(error)
    return float(st.session_state.get(_LAST_BETA, 2.0))


_SAME = 1e-9
_EQUAL_SHARE = 0.02
"""Means of AE that differ by less than this share count as equal."""


def space_headline(space: SearchSpace) -> str:
    """The measure's values for right counts with few and with many errors, in one short sentence."""
    most = min(space.positives, space.negatives)
    half = most // 2
    some, all_wrong, *_ = _reference_values(space)
    errors = counted(half, "error")
    return (
        f"{space.measure.name} gives {share(some)} to a right count with {errors} on each side, {share(all_wrong)} to one with "
        f"{most:,}."
    )


def _reference_values(space: SearchSpace) -> list[float]:
    """The measure's values for right counts with half and with all of the smaller class wrong, for none, for all positive."""
    most = min(space.positives, space.negatives)
    fp, fn = np.array([most // 2, most, 0.0, space.negatives]), np.array([most // 2, most, space.positives, 0.0])
    values: list[float] = value_at(space.measure, fp, fn, space.positives, space.negatives).tolist()
    return values


def reference_sentence(space: SearchSpace) -> str:
    """The measure's value for counts that are right because errors cancel out, and for predicting none or all positive."""
    most = min(space.positives, space.negatives)
    half = most // 2
    some, all_wrong, none, everything = _reference_values(space)
    return (
        f"**{space.measure.name}** where errors cancel out: **{share(some)}** with {half:,} on each side (FP = FN), "
        f"{share(all_wrong)} with {most:,}. Predicting no instance positive is worth {share(none)}, every instance "
        f"{share(everything)}."
    )


def optima_sentence(optima: Optima, measure: ParametricMeasure, positives: int) -> str:
    """How many contingency tables have the highest value, and how bad a classifier with such a table can be."""
    name = f"**{measure.name}**"
    share_of_good = percentage(optima.good_share)
    good = f"{share_of_good[:1].upper()}{share_of_good[1:]} of {optima.n_tables:,} are worth {optima.good:g} or more"
    if optima.n_best == 1:
        return f"Only one table is best under {name}: the one without errors. {good}."
    positives_found = "no positive" if optima.lowest_tp == 0 else f"{optima.lowest_tp:,} of {counted(positives, 'positive')}"
    worst = f"among them one that finds {positives_found}"
    if optima.lowest_tp == positives:
        worst = "all of which find every positive"
    return f"**{optima.n_best:,}** tables share the largest value under {name} ({share(optima.best)}), {worst}. {good}."


def classifier_point_sentences(
    points: ClassifierPoints, measure: ParametricMeasure, positives: int, negatives: int
) -> list[str]:
    """Which classifier has the highest value, and the value at the best threshold of the traced one."""
    if not points.names:
        return []
    fp, fn = errors_at_rates(points.tpr, points.fpr, positives, negatives)
    values = value_at(measure, fp, fn, positives, negatives)
    best = int(values.argmax())
    ties = [name for name, value in zip(points.names, values, strict=True) if abs(value - values[best]) < _SAME]
    worth = f"{share(float(values[best]), 3)}"
    where = f"FP {fp[best]:.1f}, FN {fn[best]:.1f}"
    if len(points.names) == 1:
        sentences = [f"At the threshold 0.5 {listed(ties)} is worth {worth} ({where})."]
    elif len(ties) == 1:
        sentences = [f"At the threshold 0.5 {listed(ties)} is worth most: {worth} ({where})."]
    else:
        sentences = [f"At the threshold 0.5 {listed(ties)} are worth most, equally: {worth}."]
    if points.curve is not None:
        sentences.append(_best_threshold(points, points.curve, measure, positives, negatives))
    return sentences


def _best_threshold(
    points: ClassifierPoints, curve: RateCurve, measure: ParametricMeasure, positives: int, negatives: int
) -> str:
    along = value_at(measure, *errors_at_rates(curve.tpr, curve.fpr, positives, negatives), positives, negatives)
    best = int(along.argmax())
    default, highest = float(along[list(curve.thresholds).index(THRESHOLD)]), float(along[best])
    if highest <= default + _SAME:
        return f"No other threshold of **{points.traced}** is worth more than this one."
    at = "above all scores" if np.isinf(curve.thresholds[best]) else f"at {threshold_text(float(curve.thresholds[best]))}"
    here, there = share(default, 3), share(highest, 3)
    if here == there:
        here, there = digits_apart(default, highest)
    return f"The best threshold of **{points.traced}** by this measure lies {at}: {there} instead of {here} at 0.5."


def iris_example_sentences(example: IrisExample, measures: Sequence[ParametricMeasure]) -> list[str]:
    """The value of both hypotheses under each measure, and the direction of their counts."""
    first, second = example.hypotheses
    sentences = [
        f"Both take {example.positives} of {example.positives + example.negatives} for class 3, which is right. "
        f"**{first.name}** finds {example.positives - first.fn} of these {example.positives}, **{second.name}** "
        f"{example.positives - second.fn}."
    ]
    values = []
    for measure in measures:
        fp, fn = np.array([first.fp, second.fp], float), np.array([first.fn, second.fn], float)
        first_value, second_value = value_at(measure, fp, fn, example.positives, example.negatives).tolist()
        values.append(f"{measure.name} gives {share(first_value)} and {share(second_value)}")
    sentences.append(f"{'; '.join(values)}.")
    ends = np.array([0.1, 0.9])
    first_counts, second_counts = example.expected_count(first, ends), example.expected_count(second, ends)
    sentences.append(
        f"When class 3 goes from 10% to 90%, {second.name} counts from {second_counts[0]:.0%} to {second_counts[1]:.0%}. "
        f"**{first.name}** goes the wrong way, from {first_counts[0]:.0%} to {first_counts[1]:.0%}: it counts class 1."
    )
    return sentences


def learners_sentences(table: pd.DataFrame, names: Mapping[str, str]) -> list[str]:
    """Which learner errs least over all prevalences; `table` of `summaries.overview` on AE."""
    if len(table) < 2:
        return []
    ordered = table.sort_values("mean", kind="stable")
    least, most = ordered.iloc[0], ordered.iloc[-1]
    equal = ordered[ordered["mean"] <= least["mean"] * (1 + _EQUAL_SHARE)]["method"].tolist()
    if len(equal) == len(table):
        return [f"Over all prevalences the learners err about equally: a mean AE of about {digits(float(least['mean']))}."]
    low, high = digits_apart(float(least["mean"]), float(most["mean"]))
    verb = "errs" if len(equal) == 1 else "err"
    return [
        f"Over all prevalences {listed([names[key] for key in equal])} {verb} least (mean AE {low}), "
        f"**{names[str(most['method'])]}** most ({high}; at {most['worst_prevalence']:.0%} "
        f"{digits(float(most['worst_mean']))})."
    ]


TEXTS = texts_of("search_space")

_PERFECT = (
    "w1 and w2, two lines between irises (Barranquero 2013, Figure 6.1), both count right among {positives} positives and "
    "{negatives} negatives."
)
_OTHER_PREVALENCE = "With another share of positives their errors no longer cancel out: w1 leaves the ridge by far, w2 hardly."
_ROW = (ParametricMeasure("NAS"), *(ParametricMeasure("Q_beta", beta) for beta in (2.0, 1.0, 0.5)), ParametricMeasure("recall"))


@dataclass(frozen=True)
class SurfaceView:
    """The drawn data: the measure, the classifiers' points, and the surface at each step of beta."""

    request: MeasureRequest
    points: ClassifierPoints
    spaces: list[SearchSpace]
    betas: list[float]

    @property
    def index(self) -> int:
        """The index of the chosen beta."""
        return self.betas.index(self.request.measure().beta)

    @property
    def space(self) -> SearchSpace:
        """The surface at the chosen beta."""
        return self.spaces[self.index]


def surface_view(request: MeasureRequest, points: ClassifierPoints) -> SurfaceView:
    """Compute the surface at each step of beta."""
    betas = request.betas()
    spaces = [search_space_grid(request.measure(beta), request.positives, request.negatives) for beta in betas]
    return SurfaceView(request, points, spaces, betas)


def controls() -> tuple[MeasureRequest, IrisExample | None]:
    """Draw the controls of the measure; returns the chosen measure, and the iris example if it is to be marked."""
    example = computations.iris_example()
    request = measure_popover()
    control.hidden_text_box(CAMERA)
    marked = control.toggle(SETTINGS["iris_example"])
    if marked:
        said = _PERFECT.format(positives=example.positives, negatives=example.negatives)
        same_share = request.positives * example.negatives == request.negatives * example.positives
        st.caption(said if same_share else f"{said} {_OTHER_PREVALENCE}")
    return request, example if marked else None


def hero(view: SurfaceView, example: IrisExample | None, parts: PageParts, bar_part: DeltaGenerator) -> None:
    """Draw the surface with the flat projection beside it, the bar of beta under them, and the finding above."""
    positions, follows = [slider_position(beta) for beta in view.betas], []
    points = points_on_spaces(view.spaces, view.points, example)
    dragged = surface_figure(view.spaces, view.index, points, str(current(MEASURE["colours"])))
    headlines = [space_headline(space) for space in view.spaces]
    if view.request.follows_beta:
        with bar_part:
            drag_bar("beta", "beta", positions, positions[view.index], texts=[f"{beta:.12g}" for beta in view.betas])
        follows = [DraggedValue("beta", dragged, view.index, [])]
        with parts.headline:
            dragged_text("reward", "beta", positions, headlines, positions[view.index], headline=True)
    else:
        with parts.headline:
            headline(headlines[view.index])
    parts.downloads.source = python_source(view, str(current(CAMERA)), str(current(MEASURE["colours"])))
    parts.downloads.csv("Grid as CSV", view.space.table, "search-space")
    with parts.hero:
        request = view.request
        of = f"{counted(request.positives, 'positive')} and {counted(request.negatives, 'negative')}"
        alt = f"{request.measure().name} of every table of {of}."
        chart(narrow_surface(dragged), key="search_space", alt=alt, follows=follows, sentence_height=0, camera=CAMERA)
    with parts.notes:
        st.caption(TEXTS["classifier_points"])


def surface_section(view: SurfaceView) -> None:
    """Draw the section with the surface in words, and the points as a table."""
    request, measure = view.request, view.request.measure()
    st.markdown(TEXTS["surface"])
    if request.follows_beta:
        st.markdown(TEXTS["beta_to_try"])
        positions = [slider_position(beta) for beta in view.betas]
        sentences = [reference_sentence(space) for space in view.spaces]
        dragged_text("search_space", "beta", positions, sentences, positions[view.index])
    else:
        st.markdown(reference_sentence(view.space))
    sentences = [
        optima_sentence(computations.optima(measure, request.positives, request.negatives), measure, request.positives),
        *classifier_point_sentences(view.points, measure, request.positives, request.negatives),
    ]
    draw_sentences(sentences)
    _points_table(view.space, view.points)


def surface_row_section(view: SurfaceView) -> None:
    """Draw five surfaces, from NAS to recall."""
    request = view.request
    st.markdown(TEXTS["row"])
    spaces = [search_space_grid(measure, request.positives, request.negatives) for measure in _ROW]
    alt = "Five surfaces over FP and FN: NAS, Q_2, Q_1, Q_0.5 and recall."
    row = surface_row(spaces, str(current(MEASURE["colours"])))
    chart(row, key="row_of_surfaces", alt=alt, one_camera=True, waits=True)


def _points_table(space: SearchSpace, points: ClassifierPoints) -> None:
    measure = space.measure
    values = classifier_point_table(points, measure, space.positives, space.negatives)
    columns = (
        Column("classifier", "Classifier"),
        Column("tpr", "tpr", ".3f"),
        Column("fpr", "fpr", ".3f"),
        Column("FP", "FP", ".1f"),
        Column("FN", "FN", ".1f"),
        Column("value", measure.name, ".4f"),
    )
    small_table(values, columns, label=f"{measure.name} of each classifier")
    with st.container(horizontal=True):
        csv_button("Classifiers as CSV", lambda: values, "search-space-classifiers")
        csv_button("Drawn grid as CSV", space.table, "search-space-grid")


def python_source(view: SurfaceView, camera: str, colours: str) -> str:
    """A script that gives the measure on all tables, with qcore alone, and draws it for print: the surface, its contours."""
    request, measure = view.request, view.request.measure()
    parts = f", {measure.cperf!r}, {measure.qperf!r}" if request.key == "Q_beta" else ""
    beta = "float('inf')" if measure.beta == float("inf") else repr(measure.beta)
    counts = f"positives={request.positives}, negatives={request.negatives}"
    return (
        f"{SETUP}"
        "from qcore import ParametricMeasure\n"
        "from qcore.studies.search_space import optima, search_space_grid, value_at, values_on_all_tables\n\n"
        f"measure = ParametricMeasure({measure.key!r}, {beta}{parts})\n"
        f"values = values_on_all_tables(measure, {counts})  # rows FP, columns FN\n"
        "print(values.shape, values.max())\n"
        f"print(optima(measure, {counts}))\n"
        "steps = [slice(None, None, max(1, size // 200)) for size in values.shape]\n"
        'px.imshow(values[steps[0], steps[1]], origin="lower", labels={"x": "FN", "y": "FP"}).show()\n'
        f"{_for_print(view, camera, COLOUR_MAPS[colours])}"
    )


def _for_print(view: SurfaceView, camera: str, colours: str) -> str:
    """The lines that draw the surface, seen from the camera, and its contours as vectors, with the classifiers on both."""
    counts = f"positives={view.request.positives}, negatives={view.request.negatives}"
    fp, fn = errors_at_rates(view.points.tpr, view.points.fpr, view.request.positives, view.request.negatives)
    learners = {
        name: (round(x, 2), round(y, 2)) for name, x, y in zip(view.points.names, fp.tolist(), fn.tolist(), strict=True)
    }
    x, y, z = (float(one) for one in camera.split(",")[:3]) if camera else (EYE[axis] for axis in "xyz")
    up, around = math.degrees(math.atan2(z, math.hypot(x, y))), math.degrees(math.atan2(y, x))
    return (
        "\n# For print, as vectors: pip install matplotlib. Any of its colour maps will do.\n"
        "import matplotlib.pyplot as plt\n"
        "import numpy as np\n\n"
        f"space = search_space_grid(measure, {counts})\n"
        f"learners = {learners!r}  # FP, FN\n"
        'fp, fn = np.meshgrid(space.fp, space.fn, indexing="ij")\n'
        'figure = plt.figure(figsize=(9, 4), layout="constrained")\n'
        'surface = figure.add_subplot(121, projection="3d", computed_zorder=False, xlabel="FP", ylabel="FN")\n'
        f"colours = dict(cmap={colours!r}, vmin=0, vmax=1)\n"
        "surface.plot_surface(fp, fn, space.values, rstride=2, cstride=2, **colours)\n"
        f"surface.view_init(elev={up:.0f}, azim={around:.0f})\n"
        'flat = figure.add_subplot(122, xlabel="FP", ylabel="FN", aspect="equal")\n'
        "flat.contourf(fp, fn, space.values, levels=20, **colours)\n"
        'flat.clabel(flat.contour(fp, fn, space.values, levels=np.arange(0.1, 1, 0.1), colors="white", linewidths=0.7))\n'
        "along, ridge = space.ridge()  # FP = FN: the count is right\n"
        'surface.plot(along, along, ridge, "k--", zorder=2)\n'
        'flat.plot(along, along, "k--")\n'
        "best = space.best()  # the tables with the largest value\n"
        'surface.plot(*best, space.values[0, 0], "wd", markeredgecolor="k", markersize=3, zorder=3)\n'
        'flat.plot(*best, "wd", markeredgecolor="k", markersize=3, clip_on=False)\n'
        "for name, point in learners.items():\n"
        "    height = value_at(measure, *map(np.array, point), space.positives, space.negatives)\n"
        '    (mark,) = flat.plot(*point, "o", markeredgecolor="k", label=name)\n'
        '    surface.plot(*point, height, "o", color=mark.get_color(), markeredgecolor="k", zorder=4)\n'
        "if learners:\n"
        '    flat.legend(fontsize="small")\n'
        'figure.savefig("search-space.pdf")\n'
    )
