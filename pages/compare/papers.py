"""The tab "The papers": their claims with a verdict, whether their test can be trusted, training and protocols."""

import re
from functools import cache

import pandas as pd
import streamlit as st

from pages.charts.chart import chart
from pages.charts.figure import NEUTRAL, SEQUENTIAL, Figure, figure, numbered_style, run_style
from pages.charts.recommender_errors import errors_figure
from pages.charts.small_table import Column, small_table
from pages.charts.traces import axis, heatmap, styled_line
from pages.compare import computations
from pages.compare.critical_difference import critical_difference_figure, for_narrow_screens
from pages.compare.findings import (
    averaged_ranks_sentence,
    protocols_sentence,
    recommender_sentence,
    training_sentence,
    trust_sentence,
    verdict,
)
from pages.compare.hero import ComparisonRequest
from pages.compare.settings import (
    ALL,
    ALL_VERDICTS,
    BOUNDS,
    PROTOCOL_RUNS,
    RECOMMENDER_RUN,
    SETTINGS,
    STORED_RUNS,
    TRAINING_RUN,
)
from pages.frame.downloads import csv_button
from pages.frame.layout import narrow_row, wide_row
from pages.frame.texts import document, document_popover, draw_sentences, texts_of
from pages.settings import control
from pages.settings.number_text import enumerated
from pages.work.refusals import show_invalid_input
from pages.work.turns import fragment
from qcore import InvalidInput
from qcore.losses import Smoothing
from qcore.recommender.evaluation import FROM_OTHERS
from qcore.recommender.metatable import CANDIDATES
from qcore.studies.significance_trust import ADVANTAGES

TEXTS = texts_of("compare")
_SAID = {"holds": "hold", "in part": "hold in part", "does not hold": "do not hold"}
_DOCUMENTS = {
    "findings": "All runs and variants",
    "benchmarks": "Beside QuaPy and mlquantify",
    "references": "References in full",
}
_COLUMNS = (
    Column("claim", "Claim"),
    Column("paper", "Paper"),
    Column("place", "Place"),
    Column("verdict", "Verdict"),
    Column("figures", "Figures of our run"),
    Column("why", "Why"),
)
_VERDICT = re.compile(r"\*\*(.+?)\*\*(?: \([^)]*\))?: (.*)")


def claims_section() -> None:
    """Draw the table of claims with the chosen verdict, and the documents on the runs behind it."""
    st.markdown(TEXTS["claims"])
    verdict = str(control.segments(SETTINGS["verdict"]))
    table = claims()
    counts = ", ".join(f"{(table.verdict == one).sum()} {said}" for one, said in _SAID.items())
    papers = enumerated([f"{paper} ({(table.paper == paper).sum()})" for paper in table.paper.unique()])
    st.markdown(f"- {len(table)} claims of {papers}. {counts}.")
    shown = table if verdict == ALL_VERDICTS else table[table.verdict == verdict]
    small_table(shown, _COLUMNS, label="Claims of the papers", searches="Find a claim or a quantifier", height=520)
    *parts, last = narrow_row("documents", len(_DOCUMENTS) + 1)
    for part, (name, title) in zip(parts, _DOCUMENTS.items(), strict=True):
        with part:
            document_popover(name, title)
    with last, st.popover("Weights of PWK-alpha", key="weights"):
        st.markdown(TEXTS["weights"])
        st.markdown(computations.weights_table())


@cache
def claims() -> pd.DataFrame:
    """A row for each claim: claim, paper, place, verdict and figures of the first of the protocols, why."""
    rows: list[dict[str, str]] = []
    paper = ""
    names: list[str] = []
    for line in document("findings").splitlines():
        if line.startswith("## "):
            paper = line.removeprefix("## ").split(",")[0]
        cells = [cell.strip() for cell in line.strip().strip("|").split(" | ")] if line.startswith("|") else []
        if cells[:2] == ["claim", "place"]:
            names = cells
        elif not cells:
            names = []
        elif names and not cells[0].startswith("---"):
            rows.append(_claim(paper, cells + [""] * (len(names) - len(cells))))
    return pd.DataFrame(rows)


def _claim(paper: str, cells: list[str]) -> dict[str, str]:
    found = _VERDICT.fullmatch(cells[2])
    verdict, figures = found.groups() if found else ("", cells[2])
    return {
        "claim": cells[0],
        "paper": paper,
        "place": cells[1],
        "verdict": verdict,
        "figures": figures,
        "why": cells[-1].replace("**", ""),
    }


def training_size_figure(table: pd.DataFrame, loss: str) -> Figure:
    """A line for each method: columns method, training_size, loss."""
    lines = [
        styled_line(str(method), run_style(str(method)), rows.training_size, rows.loss, hover="%{y:.3f}")
        for method, rows in table.groupby("method", sort=False)
    ]
    return figure(
        lines,
        title=f"Mean {loss} by number of training instances",
        height=400,
        xaxis=axis("training instances"),
        yaxis=axis(f"mean {loss}", rangemode="tozero"),
    )


def training_prevalence_figure(table: pd.DataFrame, method: str, loss: str) -> Figure:
    """A cell for each training and test prevalence: columns training_prevalence, prevalence, loss."""
    cells = table.pivot_table("loss", "training_prevalence", "prevalence")
    cell = heatmap(
        method,
        cells.columns,
        cells.index,
        cells.to_numpy().round(4).tolist(),
        colorscale=SEQUENTIAL,
        zmin=0,
        hover=f"trained at %{{y:.0%}}, tested at %{{x:.0%}}<br>mean {loss} %{{z:.3f}}<extra></extra>",
        colorbar={"title": {"text": f"mean {loss}"}, "thickness": 12},
    )
    return figure(
        [cell],
        title=f"{method}: training by test prevalence",
        height=400,
        hovermode="closest",
        xaxis=axis("test prevalence", tickformat=".0%"),
        yaxis=axis("training prevalence", tickformat=".0%"),
    )


def protocol_ranks_figure(table: pd.DataFrame) -> Figure:
    """The mean rank of each method under each protocol: columns protocol, method, rank."""
    lines = [
        styled_line(str(method), run_style(str(method)), rows.protocol, rows["rank"], hover="%{y:.2f}", size=9)
        for method, rows in table.groupby("method", sort=False)
    ]
    most = table["rank"].max()
    return figure(
        lines,
        title="Mean rank under each protocol: 1 is best",
        height=400,
        xaxis=axis("", type="category"),
        yaxis=axis("mean rank", (most + 0.4, 0.6)),
    )


def trust_figure(table: pd.DataFrame) -> Figure:
    """How often a test finds a difference, by the advantage of one method: columns advantage, counts, share."""
    lines = [
        styled_line(
            f"N is the number of {counts}", numbered_style(number), rows.advantage, rows.share, hover="%{y:.0%}", size=8
        )
        for number, (counts, rows) in enumerate(table.groupby("counts", sort=False))
    ]
    level = {
        "type": "line",
        "x0": 0,
        "x1": 1,
        "xref": "paper",
        "y0": 0.05,
        "y1": 0.05,
        "line": {"dash": "dot", "width": 1.5, "color": NEUTRAL},
    }
    return figure(
        lines,
        title="How often the test says that methods differ",
        height=380,
        xaxis=axis("by how much one method is truly better,<br>in standard deviations of a test case"),
        yaxis=axis("share of studies", (-0.02, 1.02), tickformat=".0%"),
        shapes=[level],
    )


def _loss(request: ComparisonRequest | None) -> tuple[str, Smoothing]:
    return ("AE", "additive") if request is None else (request.loss, request.smoothing)


def training_section(request: ComparisonRequest | None) -> None:
    """Draw the section on the loss by training size, and by training and test prevalence."""
    st.markdown(TEXTS["training"])
    loss, smoothing = _loss(request)
    try:
        losses = computations.experiment_losses(TRAINING_RUN, loss, smoothing, ("training_size", "training_prevalence"))
    except InvalidInput as error:
        show_invalid_input(error)
        return
    sizes = losses.groupby(["method", "training_size"], sort=False)["loss"].mean().reset_index()
    st.markdown(f"- {training_sentence(sizes)}")
    methods = list(dict.fromkeys(losses.method))
    left, right = wide_row("training", [1, 1], align="bottom")
    with left:
        chart(training_size_figure(sizes, loss), key="training_size", alt=f"Mean {loss} by number of training instances.")
    with right:
        method = control.choice_among(SETTINGS["trained_method"], methods, "AC")
        rows = losses[losses.method == method].assign(
            training_prevalence=lambda table: (20 * table.training_prevalence).round() / 20
        )
        cells = rows.groupby(["training_prevalence", "prevalence"])["loss"].mean().reset_index()
        chart(
            training_prevalence_figure(cells, method, loss),
            key="training_prevalence",
            alt=f"Mean {loss} of {method} by training and test prevalence.",
        )
    csv_button("Losses by training as CSV", lambda: losses, "losses-by-training")


def protocols_section(request: ComparisonRequest | None) -> None:
    """Draw the section on the ranks of the methods under each protocol."""
    st.markdown(TEXTS["protocols"])
    loss, smoothing = _loss(request)
    try:
        table = computations.protocol_ranks(tuple(STORED_RUNS / name for name in PROTOCOL_RUNS), loss, smoothing)
    except InvalidInput as error:
        show_invalid_input(error)
        return
    st.markdown(f"- {protocols_sentence(table)}")
    chart(protocol_ranks_figure(table), key="protocol_ranks", alt="Mean rank of each method under each protocol.")
    csv_button("Ranks by protocol as CSV", lambda: table, "ranks-by-protocol")


@fragment
def trust_section() -> None:
    """Draw how often the test finds a difference in simulated studies, as one method's advantage grows."""
    st.markdown(TEXTS["trust"])
    first, second, third, fourth = narrow_row("trust", 4)
    with first:
        methods = int(control.slider(SETTINGS["simulated_methods"]))
    with second:
        sets = int(control.slider(SETTINGS["simulated_sets"]))
    with third:
        cases = int(control.slider(SETTINGS["simulated_cases"]))
    with fourth:
        spread = float(control.slider(SETTINGS["simulated_spread"]))
    try:
        result = computations.simulated_trust(methods, sets, cases, spread, 0)
    except InvalidInput as error:
        show_invalid_input(error)
        return
    st.markdown(f"- {trust_sentence(result[0], sets, cases)}")
    table = pd.DataFrame(
        [
            {"advantage": advantage, "counts": counts, "share": share}
            for counts, name in (("data sets", "of_data_sets"), ("test cases (the mistake)", "of_test_cases"))
            for advantage, one in zip(ADVANTAGES, result, strict=True)
            for share in [getattr(one, name)]
        ]
    )
    chart(trust_figure(table), key="trust", alt="How often the test finds a difference, by the advantage of one method.")


_LEVEL = 0.05
_BOUNDED = ("TOP", *CANDIDATES, "MLQ", FROM_OTHERS, "RND")
_BY_DATA_SET = (Column("data", "Data set"), *(Column(name, name, ".4f") for name in _BOUNDED))


@fragment
def recommender_section() -> None:
    """Draw MLQ over the data sets of Maletzke et al. 2020: its ranks, and its errors by size beside its bounds."""
    st.markdown(TEXTS["recommender"])
    every = computations.recommender_errors(RECOMMENDER_RUN)
    first, second = narrow_row("recommender", 2)
    with first:
        beside = control.segments(SETTINGS["recommender_beside"])
    with second:
        sizes = [ALL, *map(str, sorted(every["size"].unique()))]
        size = control.choice_among(SETTINGS["recommender_size"], sizes, ALL)
    rows = every if size == ALL else every[every["size"] == int(size)]
    left_out = {*_BOUNDED} - {*CANDIDATES, "MLQ"}
    ranked = _BOUNDED if beside == BOUNDS else tuple(name for name in every.method.unique() if name not in left_out)
    result = computations.recommender_comparison(RECOMMENDER_RUN, ranked, 0 if size == ALL else int(size))
    sentences = [recommender_sentence(rows), verdict(result, _LEVEL)]
    if size == ALL:
        sentences.append(averaged_ranks_sentence(rows[rows.method.isin(ranked)]))
    draw_sentences(sentences, shown=len(sentences))
    at = "" if size == ALL else f", samples of {size}"
    diagram = critical_difference_figure(
        result.mean_ranks,
        result.groups(_LEVEL),
        result.nemenyi_distance(_LEVEL),
        title=f"Mean ranks by AE over {result.n_sets} data sets{at}: 1 is best",
    )
    chart(for_narrow_screens(diagram), key="recommender_ranks", alt="Mean rank of MLQ beside its bounds or the quantifiers.")
    over_sets = computations.recommender_errors_by_size(RECOMMENDER_RUN)
    lines = errors_figure(over_sets[over_sets.name.isin(_BOUNDED)], title="Mean AE by sample size over all data sets")
    chart(lines, key="recommender_errors", alt="Mean AE by sample size of MLQ, of its candidates and of its bounds.")
    means = rows.pivot_table("loss", "data", "method").reset_index()
    small_table(means, _BY_DATA_SET, label="Mean AE on each data set")
    st.markdown(TEXTS["recommender_data"])
    csv_button("Errors as CSV", lambda: every.drop(columns="prevalence"), "recommender-over-data-sets")
