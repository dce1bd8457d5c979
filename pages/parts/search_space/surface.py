"""The surface with the classifiers' points on it, the bar of beta, and the row of surfaces from NAS to recall."""

from __future__ import annotations

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.figures.search_space import narrow_surface, slider_position, surface_figure, surface_row
from pages.findings.search_space import classifier_point_sentences, optima_sentence, reference_sentence
from pages.parts import cached
from pages.parts.chart import DraggedValue, chart
from pages.parts.downloads import SETUP, csv_button, python_expander
from pages.parts.drag_bar import drag_bar
from pages.parts.links import update_link
from pages.parts.presets import show_current_preset
from pages.parts.search_space.measure_controls import MeasureRequest, measure_controls
from pages.parts.search_space.texts import TEXTS
from qcore import ParametricMeasure
from qcore.studies.classifier_points import ClassifierPoints, classifier_point_table, points_on_space
from qcore.studies.iris_example import IrisExample
from qcore.studies.search_space import SearchSpace, search_space_grid

_OTHER_PREVALENCE = (
    "w1 and w2 count right among {positives} positives and {negatives} negatives. With another share of positives their errors "
    "no longer cancel out: w1 leaves the ridge by far, w2 hardly."
)
_ROW = (ParametricMeasure("NAS"), *(ParametricMeasure("Q_beta", beta) for beta in (2.0, 1.0, 0.5)), ParametricMeasure("recall"))


@st.fragment
def surface_section(points: ClassifierPoints, example: IrisExample) -> None:
    """The controls, and the charts that follow them."""
    preset_part = st.container()
    st.markdown(TEXTS["surface"])
    control_part, bar_part, answer = st.container(border=True), st.container(), st.container()
    with control_part:
        request = measure_controls()
        marked = st.toggle(
            "Mark the two perfect quantifiers of part 4", key="conflict", bind="query-params",
            help="Where the hypotheses w1 and w2 of Figure 6.1 land, at their rates.",
        )  # fmt: skip
        if marked and request.positives * example.negatives != request.negatives * example.positives:
            st.caption(_OTHER_PREVALENCE.format(positives=example.positives, negatives=example.negatives))
    with answer:
        _picture(request, points, example if marked else None, bar_part)
        st.markdown(TEXTS["row"])
        spaces = [search_space_grid(measure, request.positives, request.negatives) for measure in _ROW]
        alt = "Five surfaces over FP and FN: NAS, Q_2, Q_1, Q_0.5 and recall."
        chart(surface_row(spaces), key="row_of_surfaces", alt=alt, one_camera=True, waits=True)
    with preset_part:
        show_current_preset("search_space")
    update_link("search_space", "surface")


def _picture(request: MeasureRequest, points: ClassifierPoints, example: IrisExample | None, bar_part: DeltaGenerator) -> None:
    measure, betas = request.measure(), request.betas()
    positives, negatives = request.positives, request.negatives
    spaces = [search_space_grid(request.measure(beta), positives, negatives) for beta in betas]
    index = betas.index(measure.beta)
    dragged = surface_figure(spaces, index, [points_on_space(space, points, example) for space in spaces])
    follows = []
    if request.follows_beta:
        positions = [slider_position(beta) for beta in betas]
        with bar_part:
            drag_bar("beta", "beta", positions, positions[index], texts=[f"{beta:.12g}" for beta in betas])
        follows = [DraggedValue("beta", dragged, index, [reference_sentence(space) for space in spaces])]
    else:
        st.markdown(reference_sentence(spaces[index]))
    alt = f"{measure.name} of every table of {positives} positives and {negatives} negatives."
    chart(narrow_surface(dragged), key="search_space", alt=alt, follows=follows, sentence_height=3.0)
    st.caption(TEXTS["classifier_points"])
    sentences = [
        optima_sentence(cached.optima(measure, positives, negatives), measure, positives),
        *classifier_point_sentences(points, measure, positives, negatives),
    ]
    st.markdown("\n".join(f"- {sentence}" for sentence in sentences))
    _downloads(request, spaces[index], points)


def _downloads(request: MeasureRequest, space: SearchSpace, points: ClassifierPoints) -> None:
    measure = space.measure
    table = classifier_point_table(points, measure, space.positives, space.negatives)
    with st.expander("The points as a table"):
        number = st.column_config.NumberColumn
        st.dataframe(
            table, hide_index=True, height="content",
            column_config={
                "classifier": "Classifier", "tpr": number(format="%.3f"), "fpr": number(format="%.3f"),
                "FP": number(format="%.1f"), "FN": number(format="%.1f"), "value": number(measure.name, format="%.4f"),
            },
        )  # fmt: skip
    with st.container(horizontal=True):
        csv_button("Classifiers as CSV", lambda: table, "search-space-classifiers")
        csv_button("Drawn grid as CSV", space.table, "search-space-grid")
    python_expander(python_source(request, measure))


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
    )
