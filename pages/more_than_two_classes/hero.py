"""The main view of "More than two classes": where on the simplex a method is good, and which method errs least."""

from dataclasses import dataclass

import pandas as pd
import streamlit as st

from pages import pipeline
from pages.charts.chart import chart
from pages.charts.live_slider import live_slider
from pages.frame.downloads import SETUP, loading
from pages.frame.layout import wide_row
from pages.frame.page_frame import PageParts, headline
from pages.frame.sidebar import SidebarChoice
from pages.frame.training_controls import training_popover
from pages.more_than_two_classes.computations import ClassesSampling, class_errors, in_order
from pages.more_than_two_classes.figure import class_errors_figure, methods_figure, simplex_figure
from pages.more_than_two_classes.findings import corners_sentence, methods_headline
from pages.settings import control
from pages.settings.current import current
from pages.settings.number_text import counted
from pages.settings.pages import SETTINGS
from pages.settings.shared import SMOOTHING_NAMES
from pages.work.refusals import show_invalid_input
from qcore import InvalidInput, ScoringSettings
from qcore.datasets.dataset import NO_ORDER, typed_order
from qcore.evaluation.estimates import prevalence_losses
from qcore.losses import ORDERED_LOSSES, UNSIGNED_LOSSES, Smoothing
from qcore.scoring import Scores
from qcore.studies.more_than_two_classes import MulticlassErrors


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
        sentences = []
        if len(classes) == 3:
            sentences.append(control.escaped(corners_sentence(cells, classes, request.mapped, request.loss)))
        samples = errors.estimates.samples
        drawn = f"{counted(len(samples), 'sample')} of {counted(samples.sample_size, 'instance')}."
        if samples.sample_size < request.size:
            drawn += f" The smallest class of the pool has no more: {request.size} do not fit."
        st.markdown("\n".join(f"- {sentence}" for sentence in [*sentences, drawn]))
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
