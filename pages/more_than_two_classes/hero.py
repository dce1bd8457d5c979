"""The main view of "More than two classes": the map of errors on the simplex, the methods beside each other, the findings."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
import streamlit as st

from pages import pipeline
from pages.charts.chart import chart
from pages.charts.dragged_slider import live_slider
from pages.charts.figure import NEUTRAL, SEQUENTIAL, SERIES, Figure, distinct_colours, figure, method_style
from pages.charts.panels import Panels, wide_and_narrow
from pages.charts.ternary import on_triangle, triangle
from pages.charts.traces import axis, bars, diagonal, heatmap, markers
from pages.frame.downloads import SETUP, loading
from pages.frame.layout import wide_row
from pages.frame.page_frame import PageParts, headline
from pages.frame.sampling_controls import training_popover
from pages.frame.sidebar import SidebarChoice
from pages.frame.texts import draw_sentences
from pages.more_than_two_classes.computations import ClassesSampling, class_errors, in_order
from pages.settings import control
from pages.settings.address import current
from pages.settings.number_text import counted, digits, digits_apart, enumerated, listed, percentage
from pages.settings.page_declaration import SETTINGS
from pages.settings.shared import SMOOTHING_NAMES
from pages.work.refusals import show_invalid_input
from qcore import QUANTIFIERS, InvalidInput, Scores, ScoringSettings
from qcore.base import TIE, FloatArray
from qcore.datasets.dataset import NO_ORDER, typed_order
from qcore.evaluation.estimates import prevalence_losses
from qcore.evaluation.significance import is_clear
from qcore.losses import ORDERED_LOSSES, UNSIGNED_LOSSES, Smoothing
from qcore.studies.more_than_two_classes import AdjustmentMatrix, MulticlassErrors


def simplex_figure(table: pd.DataFrame, classes: Sequence[str], method: str, loss: str, most: float) -> Figure:
    """A mark for each prevalence vector of three classes, coloured by the mean loss, dark is good; up to `most`."""
    traces, arrangement = triangle(classes)
    points = on_triangle(table[list(classes)].to_numpy()).round(4)
    texts = [
        ", ".join(f"{name} {row[name]:.0%}" for name in classes) + f"<br>mean {loss} {row['loss']:.3f}"
        for row in table.to_dict("records")
    ]
    marks = markers(
        f"{loss} of {method}", points[:, 0], points[:, 1], size=15, text=texts, hover="%{text}<extra></extra>", showlegend=False
    )
    marks["marker"] |= {
        "color": table.loss.tolist(),
        "colorscale": SEQUENTIAL,
        "cmin": 0,
        "cmax": most,
        "symbol": "hexagon",
        "colorbar": {"title": {"text": f"mean {loss}"}, "thickness": 12, "len": 0.8},
    }
    arrangement["margin"] = {**arrangement["margin"], "r": 96}
    return figure([*traces, marks], title=f"Where is {method} good? Dark: low {loss}", height=430, **arrangement)


def methods_figure(table: pd.DataFrame, loss: str) -> Figure:
    """The mean loss of each method, best on top: columns method, mean, standard_error."""
    rows = table.iloc[::-1]
    known = [method for method in table.method if method in QUANTIFIERS]
    colour_of = dict(zip(known, distinct_colours(known), strict=True))
    colours = [colour_of.get(method, NEUTRAL) for method in rows.method]
    bar = bars(
        "mean",
        rows["mean"],
        rows.method,
        colour="",
        hover="%{y}: %{x:.4f}",
        orientation="h",
        showlegend=False,
        error_x={"type": "data", "array": (2.0 * rows.standard_error).tolist(), "thickness": 1.5, "width": 3, "color": NEUTRAL},
    )
    bar["marker"] = {"color": colours}
    return figure(
        [bar],
        title=f"Mean {loss} over all samples (± 2 standard errors)",
        height=max(430, 112 + 16 * len(rows)),
        hovermode="closest",
        margin={"l": 90, "r": 16, "t": 48, "b": 64},
        xaxis=axis(f"mean {loss}", rangemode="tozero"),
        yaxis=axis("", type="category", dtick=1),
    )


def class_errors_figure(table: pd.DataFrame) -> Figure:
    """The mean absolute error of each method on each class: columns method, class, error."""
    cells = table.pivot_table("error", "method", "class", sort=False)
    hover = "%{y}, class %{x}: mean error %{z:.3f}<extra></extra>"
    colorbar = {"title": {"text": "error"}, "thickness": 12}
    return figure(
        [
            heatmap(
                "error",
                cells.columns.astype(str),
                cells.index.astype(str),
                cells.to_numpy().round(4).tolist(),
                hover=hover,
                colorscale=SEQUENTIAL,
                zmin=0,
                colorbar=colorbar,
                texttemplate="%{z:.3f}" if cells.shape[1] <= 12 else "",
            )
        ],
        title="Mean absolute error of each class",
        height=430,
        hovermode="closest",
        xaxis=axis("class", type="category"),
        yaxis=axis("", type="category", autorange="reversed"),
    )


def truth_figure(table: pd.DataFrame, method: str) -> Panels:
    """Estimates by true prevalence, a panel for each class: columns class, true, estimate."""
    colour = method_style(method).colour
    panels = {
        f"class {name}": [
            diagonal(f"truth {name}", showlegend=False),
            markers(
                f"{method} {name}",
                rows.true.round(4),
                rows.estimate.round(4),
                colour=colour,
                size=4,
                opacity=0.6,
                showlegend=False,
                hover="true %{x:.0%}, estimated %{y:.0%}<extra></extra>",
            ),
        ]
        for name, rows in table.groupby("class", sort=False)
    }
    share = {"tickformat": ".0%", "fixedrange": True}
    return wide_and_narrow(
        panels,
        title=f"What {method} says of each class",
        xaxis=axis("true share", (-0.03, 1.03), **share),
        yaxis=axis("estimated share", (-0.03, 1.03), **share),
        margin={"l": 60, "r": 24, "t": 62, "b": 64},
    )


def matrix_figure(rates: FloatArray, classes: Sequence[str], title: str) -> Figure:
    """The matrix that AC or PACC inverts; a column for each actual class, which sums to 1."""
    texts = {"texttemplate": "%{z:.2f}"} if len(classes) <= 12 else {}
    hover = "of class %{x}, counted as %{y}: %{z:.3f}<extra></extra>"
    return figure(
        [
            heatmap(
                "rate",
                list(classes),
                list(classes),
                rates.round(4).tolist(),
                hover=hover,
                colorscale=SEQUENTIAL,
                zmin=0,
                zmax=1,
                xgap=2,
                ygap=2,
                **texts,
            )
        ],
        title=title,
        height=420,
        hovermode="closest",
        xaxis=axis("actual class", type="category"),
        yaxis=axis("counted as", type="category", autorange="reversed"),
    )


def native_figure(table: pd.DataFrame, loss: str) -> Figure:
    """The mean loss of methods on all classes at once and as one against all: columns method, native, one_vs_all."""
    return figure(
        [
            bars("all classes at once", table.method, table.native, colour=SERIES[0], hover="%{y:.4f}"),
            bars("one class against all", table.method, table.one_vs_all, colour=SERIES[1], hover="%{y:.4f}"),
        ],
        title=f"Mean {loss}: all classes at once, or one against all?",
        height=380,
        barmode="group",
        xaxis=axis("", type="category"),
        yaxis=axis(f"mean {loss}", rangemode="tozero"),
    )


def methods_headline(table: pd.DataFrame, n_classes: int, loss: str) -> str:
    """Which method errs least on all classes together, and which are level with it."""
    best = table.iloc[0]
    if len(table) < 2:
        return f"On {n_classes} classes {best.method} has a mean {loss} of {digits(best['mean'])}."
    last = table.iloc[-1]
    texts = digits_apart(float(best["mean"]), float(last["mean"]))
    level = table.method[1:][table.level.to_numpy(dtype=bool)[1:]].tolist()
    if table.level.all():
        between = texts[0] if texts[0] == texts[1] else f"{texts[0]} to {texts[1]}"
        return f"On {n_classes} classes {listed(table.method.tolist(), most=3, first=3)} are level: mean {loss} {between}."
    beside = f", level with {listed(level, most=3, first=3)}" if level else ""
    return f"On {n_classes} classes {best.method} errs least{beside}: mean {loss} {texts[0]}; {last.method} most, {texts[1]}."


def corners_sentences(table: pd.DataFrame, classes: Sequence[str], method: str, loss: str) -> list[str]:
    """Where on the simplex a method is worst and best."""
    worst, best = table.iloc[int(table.loss.argmax())], table.iloc[int(table.loss.argmin())]
    if worst.loss - best.loss <= TIE:
        return [f"{method} errs alike everywhere: mean {loss} {digits(float(best.loss))}."]

    def place(row: pd.Series) -> str:
        there = [name for name in classes if row[name] >= 0.005]
        if len(there) == 1:
            return f"where all are class {there[0]}"
        shares = [f"{percentage(row[name])} class {name}" for name in there]
        return f"at {enumerated(shares)}{'' if len(there) == len(classes) else ' and none of another'}"

    def others(row: pd.Series) -> str:
        alike = int((np.abs(table.loss - row.loss) <= TIE).sum()) - 1
        return f"; {alike} more place{'' if alike == 1 else 's'}" if alike else ""

    return [
        f"{method} is {how} {place(row)} (mean {loss} {digits(float(row.loss))}{others(row)})."
        for how, row in (("worst", worst), ("best", best))
    ]


def matrix_sentence(matrix: AdjustmentMatrix, classes: Sequence[str], method: str) -> str:
    """How well the matrix can be inverted, and which classes are taken for which."""
    rates: FloatArray = matrix.rates.copy()
    np.fill_diagonal(rates, -1.0)
    i, j = divmod(int(rates.argmax()), len(classes))
    well = "well" if matrix.condition < 3 else "roughly" if matrix.condition < 10 else "badly"
    confused = f"Most confused: {percentage(rates[i, j])} of class {classes[j]} count as {classes[i]}."
    if rates[i, j] <= TIE:
        confused = "No class is taken for another."
    return f"The condition number of {method}'s matrix is {digits(matrix.condition)}: it can be inverted {well}. {confused}"


def native_sentence(table: pd.DataFrame) -> str:
    """Whether methods on all classes at once err less than one against all."""
    if not len(table):
        return "None of the chosen quantifiers can estimate more than two classes at once."
    clear = table[is_clear(table.difference, table.standard_error)]
    better, worse = clear[clear.difference > 0].method.tolist(), clear[clear.difference < 0].method.tolist()
    parts = [f"all classes at once are better for {', '.join(better)}"] if better else []
    parts += [f"one against all is better for {', '.join(worse)}"] if worse else []
    text = "; ".join(parts) if parts else "no method gains or loses by more than two standard errors"
    return f"{text[0].upper()}{text[1:]}."


@dataclass(frozen=True)
class ClassesRequest:
    """The choices of the controls."""

    protocol: str
    size: int
    loss: str
    smoothing: Smoothing
    share: float
    mapped: str
    order: tuple[str, ...] = ()

    @property
    def sampling(self) -> ClassesSampling:
        """Which samples are drawn, and how errors are measured."""
        return ClassesSampling(self.protocol, self.size, self.loss, self.smoothing)


@dataclass(frozen=True)
class ClassesView:
    """What is shown: the request, scores of all classes, errors."""

    sidebar_choice: SidebarChoice
    request: ClassesRequest
    scores: Scores
    errors: MulticlassErrors


def controls(sidebar_choice: SidebarChoice) -> ClassesRequest:
    """Draw the controls and return their choices."""
    order, said = class_order(sidebar_choice, str(current(SETTINGS["class_order"])))
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        with st.container(width=170):
            protocol = str(control.choice(SETTINGS["class_protocol"]))
        size_part = st.container(width=200)
        with st.container(width=100):
            loss = control.choice_among(SETTINGS["class_loss"], losses_for(order), "AE")
        if prevalence_losses()[loss].smoothed:
            with st.popover("Smoothing", key="class_smoothing"):
                control.segments(SETTINGS["smoothing"])
        methods = list(sidebar_choice.methods)
        with st.container(width=120):
            default = "CC" if "CC" in methods else methods[0]
            mapped = control.choice_among(SETTINGS["mapped"], methods, default)
        with st.container(width=185):
            guessed = " < ".join(pipeline.dataset(sidebar_choice.data).class_order) or NO_ORDER
            control.typed_text(SETTINGS["class_order"], placeholder=guessed)
        share = training_popover(sidebar_choice, SETTINGS["size"], one_class=False).training_share
    size = int(live_slider(size_part, SETTINGS["size"]))
    if said is not None:
        show_invalid_input(said)
    smoothing = SMOOTHING_NAMES[str(current(SETTINGS["smoothing"]))]
    return ClassesRequest(protocol, size, loss, smoothing, share, mapped, order)


def class_order(sidebar_choice: SidebarChoice, text: str) -> tuple[tuple[str, ...], InvalidInput | None]:
    """The order of the classes, () without one, and what is wrong with the typed one if the data set's is taken instead."""
    data = pipeline.dataset(sidebar_choice.data)
    if not text.strip():
        return data.class_order, None
    try:
        return typed_order(text, data.classes), None
    except InvalidInput as error:
        return data.class_order, error


def losses_for(order: tuple[str, ...]) -> tuple[str, ...]:
    """The losses to choose from: those of ordered classes only where there is an order."""
    return (*UNSIGNED_LOSSES, *(ORDERED_LOSSES if order else ()))


def view(sidebar_choice: SidebarChoice, request: ClassesRequest) -> ClassesView:
    """Compute what the page shows. Raises InvalidInput."""
    settings = ScoringSettings(None, sidebar_choice.classifier, sidebar_choice.seed, request.share)
    scores = in_order(pipeline.scores(sidebar_choice.data, settings), request.order)
    errors = class_errors(scores, sidebar_choice.methods, request.sampling)
    return ClassesView(sidebar_choice, request, scores, errors)


def hero(shown: ClassesView, parts: PageParts) -> None:
    """Draw the pictures, the finding above them and notes below."""
    errors, request = shown.errors, shown.request
    table, classes = errors.by_method(), errors.classes
    with parts.hero:
        left, right = wide_row("classes", [1, 1], align="top")
        with left:
            if len(classes) == 3:
                cells = errors.on_simplex(request.mapped)
                figure = simplex_figure(cells, classes, request.mapped, request.loss, errors.largest_on_simplex)
                chart(figure, key="simplex", alt=f"Mean {request.loss} of {request.mapped} over the shares of three classes.")
            else:
                chart(class_errors_figure(errors.class_errors()), key="class_errors", alt="Mean error of each class by method.")
        with right:
            chart(methods_figure(table, request.loss), key="methods", alt=f"Mean {request.loss} of each method.")
    with parts.headline:
        headline(methods_headline(table, len(classes), request.loss))
    with parts.notes:
        sentences: list[str] = []
        if len(classes) == 3:
            sentences += map(control.escaped, corners_sentences(cells, classes, request.mapped, request.loss))
        samples = errors.estimates.samples
        drawn = f"{counted(len(samples), 'sample')} of {counted(samples.sample_size, 'instance')}."
        if samples.sample_size < request.size:
            drawn += f" The smallest class of the pool has no more: {request.size} do not fit."
        draw_sentences([*sentences[:1], drawn, *sentences[1:]])
    parts.downloads.csv("Losses as CSV", lambda: table, f"{shown.sidebar_choice.data_name}-classes")
    parts.downloads.csv(
        "Estimates as CSV", lambda: estimates_table(errors), f"{shown.sidebar_choice.data_name}-class-estimates"
    )
    parts.downloads.source = python_source(shown)


def estimates_table(errors: MulticlassErrors) -> pd.DataFrame:
    """A table of all samples with their estimates and losses."""
    return errors.estimates.table().assign(**{errors.loss: [value for one in errors.losses.values() for value in one]})


def python_source(shown: ClassesView) -> str:
    """A script that gives the mean losses with qcore alone."""
    choice, request = shown.sidebar_choice, shown.request
    ordered = f".in_order({request.order!r})" if request.order else ""
    return (
        f"{SETUP}"
        "from qcore import ScoringSettings, load_dataset, read_dataset, score_dataset\n"
        "from qcore.studies.more_than_two_classes import multiclass_errors, simplex_protocol\n\n"
        f"settings = {ScoringSettings(None, choice.classifier, choice.seed, request.share)!r}\n"
        f"scores = score_dataset({loading(choice.data)}, settings){ordered}\n"
        f"protocol = simplex_protocol({request.protocol!r}, scores.pool_labels, {request.size})\n"
        f"errors = multiclass_errors(scores, {list(choice.methods)!r}, protocol, loss={request.loss!r}, "
        f"seed={choice.seed}, smoothing={request.smoothing!r})\n"
        "table = errors.by_method()\n"
        "print(table)\n"
        'px.bar(table, x="mean", y="method", error_x="standard_error", orientation="h").show()\n'
    )
