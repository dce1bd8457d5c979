"""The surface with what lands on it, the slider of beta, and the row from NAS to recall."""

from __future__ import annotations

import streamlit as st

from pages.parts import cached
from pages.parts.chart import Followed, chart
from pages.parts.dragged import dragged
from pages.parts.presets import show_current
from pages.parts.settings import SEARCH_SPACE
from pages.parts.share import csv_button, tell_link
from pages.parts.space.measure import Asked, measure_controls
from pages.parts.space.words import LOOK
from qcore.conflict import Conflict
from qcore.figures.search_space import Marked, narrow_surface, row_of_surfaces, slider_position, surface_figure
from qcore.findings.search_space import landing_sentences, optima_sentence, reference_sentence
from qcore.landings import Landings, landing_table
from qcore.search_space import drawn_space, landing
from qcore.table_measures import Measured

_ELSEWHERE = (
    "w1 and w2 count right among {positives} positives and {negatives} negatives. With another share of positives their errors "
    "no longer cancel out: w1 leaves the ridge by far, w2 hardly."
)
_ROW = (Measured("NAS"), *(Measured("Q_beta", beta) for beta in (2.0, 1.0, 0.5)), Measured("recall"))


@st.fragment
def surface(landed: Landings, conflict: Conflict) -> None:
    """The controls, and the charts that follow them."""
    preset_part = st.container()
    st.markdown(LOOK["surface"])
    control_part, bar_part, answer = st.container(border=True), st.container(), st.container()
    with control_part:
        asked = measure_controls()
        both = st.toggle(
            "Mark the two perfect quantifiers of part 4", key="conflict", bind="query-params",
            help="Where the hypotheses w1 and w2 of Figure 6.1 land, at their rates.",
        )  # fmt: skip
        if both and asked.positives * conflict.negatives != asked.negatives * conflict.positives:
            st.caption(_ELSEWHERE.format(positives=conflict.positives, negatives=conflict.negatives))
    with answer:
        _picture(asked, landed, conflict if both else None, bar_part)
        st.markdown(LOOK["row"])
        spaces = [drawn_space(measured, asked.positives, asked.negatives) for measured in _ROW]
        alt = "Five surfaces over FP and FN: NAS, Q_2, Q_1, Q_0.5 and recall."
        chart(row_of_surfaces(spaces), key="row_of_surfaces", alt=alt, one_camera=True, waits=True)
    with preset_part:
        show_current("search_space")
    tell_link(SEARCH_SPACE, "surface")


def _picture(asked: Asked, landed: Landings, conflict: Conflict | None, bar_part: st.delta_generator.DeltaGenerator) -> None:
    measured, betas = asked.measured(), asked.betas()
    spaces = [drawn_space(asked.measured(beta), asked.positives, asked.negatives) for beta in betas]
    place = betas.index(measured.beta)
    marked = [] if conflict is None else _marked(conflict, asked.positives, asked.negatives)
    following = surface_figure(spaces, place, landed, marked)
    positions, follows = [slider_position(beta) for beta in betas], []
    if asked.follows_beta:
        with bar_part:
            texts = [f"{beta:.12g}" for beta in betas]
            dragged("beta", "beta", positions, positions[place], texts=texts)
        follows = [Followed("beta", following, place, [reference_sentence(space) for space in spaces])]
    else:
        st.markdown(reference_sentence(spaces[place]))
    alt = f"{measured.name} of every table of {asked.positives} positives and {asked.negatives} negatives."
    chart(narrow_surface(following), key="search_space", alt=alt, follows=follows, room=3.0)
    st.caption(LOOK["landings"])
    found = cached.optima(measured, asked.positives, asked.negatives)
    sentences = [
        optima_sentence(found, measured, asked.positives),
        *landing_sentences(landed, measured, asked.positives, asked.negatives),
    ]
    st.markdown("\n".join(f"- {sentence}" for sentence in sentences))
    _take_away(asked, measured, landed)


def _marked(conflict: Conflict, positives: int, negatives: int) -> list[Marked]:
    found = []
    for hypothesis in conflict.hypotheses:
        fp, fn = landing(*conflict.rates(hypothesis), positives, negatives)
        found.append(Marked(hypothesis.name, float(fp), float(fn)))
    return found


def _take_away(asked: Asked, measured: Measured, landed: Landings) -> None:
    table = landing_table(landed, measured, asked.positives, asked.negatives)
    with st.expander("Where they land, as a table"):
        number = st.column_config.NumberColumn
        st.dataframe(
            table, hide_index=True, height="content",
            column_config={
                "classifier": "Classifier", "tpr": number(format="%.3f"), "fpr": number(format="%.3f"),
                "FP": number(format="%.1f"), "FN": number(format="%.1f"), "value": number(measured.name, format="%.4f"),
            },
        )  # fmt: skip
    with st.container(horizontal=True):
        csv_button("Landings as CSV", lambda: table, "search-space-landings")
        csv_button("Drawn grid as CSV", drawn_space(measured, asked.positives, asked.negatives).table, "search-space-grid")
    with st.expander("The Python behind this picture"):
        st.code(python_source(asked, measured), language="python", wrap_lines=True)


def python_source(asked: Asked, measured: Measured) -> str:
    """A script that gives the measure on all tables with qcore alone."""
    parts = f", {measured.cperf!r}, {measured.qperf!r}" if asked.key == "Q_beta" else ""
    beta = "float('inf')" if measured.beta == float("inf") else repr(measured.beta)
    return (
        "# In the app's folder, once: pip install -e .\n"
        "from qcore.search_space import every_table, optima\n"
        "from qcore.table_measures import Measured\n\n"
        f"measured = Measured({measured.key!r}, {beta}{parts})\n"
        f"values = every_table(measured, positives={asked.positives}, negatives={asked.negatives})  # rows FP, columns FN\n"
        "print(values.shape, values.max())\n"
        f"print(optima(measured, {asked.positives}, {asked.negatives}))\n"
    )
