"""The surface with the classifiers' points on it, the bar of beta, and the row of surfaces from NAS to recall."""

from dataclasses import dataclass
from typing import Final

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.charts.chart import DraggedValue, chart
from pages.charts.drag_bar import drag_bar
from pages.charts.dragged_text import dragged_text
from pages.charts.small_table import Column, small_table
from pages.frame.downloads import SETUP, csv_button
from pages.frame.page_frame import PageParts, headline
from pages.frame.texts import texts_of
from pages.search_space import computations
from pages.search_space.findings import classifier_point_sentences, optima_sentence, reference_sentence, space_headline
from pages.search_space.measure_controls import MeasureRequest, measure_popover
from pages.search_space.settings import SETTINGS
from pages.search_space.surface_figure import narrow_surface, slider_position, surface_figure, surface_row
from pages.settings import control
from pages.settings.number_text import counted
from qcore import ParametricMeasure
from qcore.studies.iris_example import IrisExample
from qcore.studies.search_space import (
    ClassifierPoints,
    SearchSpace,
    classifier_point_table,
    points_on_spaces,
    search_space_grid,
)

TEXTS: Final = texts_of("search_space")

_PERFECT = (
    "w1 and w2, two lines between irises, stand at their tpr and fpr (Barranquero 2013, Figure 6.1). Both count right among "
    "{positives} positives and {negatives} negatives."
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
    marked = control.toggle(SETTINGS["iris_example"])
    if marked:
        said = _PERFECT.format(positives=example.positives, negatives=example.negatives)
        same_share = request.positives * example.negatives == request.negatives * example.positives
        st.caption(said if same_share else f"{said} {_OTHER_PREVALENCE}")
    return request, example if marked else None


def hero(view: SurfaceView, example: IrisExample | None, parts: PageParts, bar_part: DeltaGenerator) -> None:
    """Draw the surface with the flat projection beside it, the bar of beta under them, and the finding above."""
    positions, follows = [slider_position(beta) for beta in view.betas], []
    dragged = surface_figure(view.spaces, view.index, points_on_spaces(view.spaces, view.points, example))
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
    parts.downloads.source = python_source(view.request, view.request.measure())
    parts.downloads.csv("Grid as CSV", view.space.table, "search-space")
    with parts.hero:
        request = view.request
        of = f"{counted(request.positives, 'positive')} and {counted(request.negatives, 'negative')}"
        alt = f"{request.measure().name} of every table of {of}."
        chart(narrow_surface(dragged), key="search_space", alt=alt, follows=follows, sentence_height=0)
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
    st.markdown("\n".join(f"- {sentence}" for sentence in sentences))
    _points_table(view.space, view.points)


def surface_row_section(view: SurfaceView) -> None:
    """Draw five surfaces, from NAS to recall."""
    request = view.request
    st.markdown(TEXTS["row"])
    spaces = [search_space_grid(measure, request.positives, request.negatives) for measure in _ROW]
    alt = "Five surfaces over FP and FN: NAS, Q_2, Q_1, Q_0.5 and recall."
    chart(surface_row(spaces), key="row_of_surfaces", alt=alt, one_camera=True, waits=True)


def _points_table(space: SearchSpace, points: ClassifierPoints) -> None:
    measure = space.measure
    values = classifier_point_table(points, measure, space.positives, space.negatives)
    columns = (
        Column("classifier", "Classifier"), Column("tpr", "tpr", ".3f"), Column("fpr", "fpr", ".3f"),
        Column("FP", "FP", ".1f"), Column("FN", "FN", ".1f"), Column("value", measure.name, ".4f"),
    )  # fmt: skip
    small_table(values, columns, label=f"{measure.name} of each classifier")
    with st.container(horizontal=True):
        csv_button("Classifiers as CSV", lambda: values, "search-space-classifiers")
        csv_button("Drawn grid as CSV", space.table, "search-space-grid")


def python_source(request: MeasureRequest, measure: ParametricMeasure) -> str:
    """A script that gives the measure on all tables with qcore alone."""
    parts = f", {measure.cperf!r}, {measure.qperf!r}" if request.key == "Q_beta" else ""
    beta = "float('inf')" if measure.beta == float("inf") else repr(measure.beta)
    counts = f"positives={request.positives}, negatives={request.negatives}"
    return (
        f"{SETUP}"
        "from qcore import ParametricMeasure\n"
        "from qcore.studies.search_space import optima, values_on_all_tables\n\n"
        f"measure = ParametricMeasure({measure.key!r}, {beta}{parts})\n"
        f"values = values_on_all_tables(measure, {counts})  # rows FP, columns FN\n"
        "print(values.shape, values.max())\n"
        f"print(optima(measure, {counts}))\n"
        "steps = [slice(None, None, max(1, size // 200)) for size in values.shape]\n"
        'px.imshow(values[steps[0], steps[1]], origin="lower", labels={"x": "FN", "y": "FP"}).show()\n'
    )
