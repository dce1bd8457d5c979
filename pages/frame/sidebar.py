"""The sidebar, the same on every page that works on data: data set, positive class, classifier, quantifiers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import streamlit as st

from pages import pipeline
from pages.frame.view import ARRIVED
from pages.own_data import uploads
from pages.own_data.data_box import ask_for_what_is_missing, data_box
from pages.settings import control
from pages.settings.address import current, mark_address_incomplete
from pages.settings.number_text import percentage
from pages.settings.shared import DATA, QUANTIFIERS_OF_FAMILIES, SEED, quantifiers_key
from pages.settings.terms import term
from pages.work.refusals import show_invalid_input
from qcore import NAMED_QUANTIFIERS, QUANTIFIERS, Dataset, DatasetReference, InvalidInput
from qcore.datasets.user_tables import TEXT_CLASSIFIER
from qcore.quantifiers import names_with

_CHOSEN_CLASS = "class that the user has chosen"
_DEFAULT_CLASS = "default class of the data set"


@dataclass(frozen=True)
class SidebarChoice:
    """The choices of the sidebar, and the seed; the URL holds all of them.

    `scores_given`: whether no classifier of the app can be chosen, since there are scores, or texts with their own.
    """

    data: DatasetReference
    positive: str
    classifier: str
    methods: tuple[str, ...]
    scores_given: bool = False

    @property
    def seed(self) -> int:
        """The seed as it is now: its box is on the page, where a fragment may draw it again without the sidebar."""
        return int(str(current(SEED["seed"])))

    @property
    def data_name(self) -> str:
        """What the data set is called in sentences and in names of files: of an upload, the name of its file."""
        return uploads.shown_name(str(self.data))


def sidebar(*, quantifiers: bool = True, positive_class: bool = True) -> SidebarChoice:
    """Draw the sidebar and return its choices; a page that quantifiers or the positive class do not change leaves them out."""
    with st.sidebar:
        data = data_box()
    ask_for_what_is_missing(data)
    dataset = _loaded(data)
    with st.sidebar:
        positive = _positive_class(dataset) if positive_class else dataset.default_positive
        classifier = _classifier(dataset)
        methods = chosen_quantifiers() if quantifiers else ()
        if dataset.trains_any_classifier:
            for sentence in named_pairs(classifier, methods):
                st.caption(sentence)
            _named_method()
    return SidebarChoice(data, positive, classifier, methods, not dataset.trains_any_classifier)


def undrawn_choice() -> SidebarChoice:
    """The choices of the sidebar as they are, for a page, or a way of using one, that none of them changes."""
    data, positive, classifier = (str(current(DATA[key])) for key in ("data", "positive", "classifier"))
    return SidebarChoice(uploads.reference(data), positive, classifier, ())


def _loaded(data: DatasetReference) -> Dataset:
    """The data set. If it can't be loaded, a sentence says why and the page ends, and another one can be chosen."""
    try:
        return pipeline.dataset(data)
    except InvalidInput as error:
        show_invalid_input(error)
        st.stop()


def _classifier(dataset: Dataset) -> str:
    """Draw the choice of the classifier, or for scores and texts a line on theirs; returns the chosen classifier."""
    if not dataset.trains_any_classifier:
        st.caption(f"Classifier: {TEXT_CLASSIFIER if dataset.text else 'your own; these are its scores'}.")
        return str(current(DATA["classifier"]))
    chosen: str = control.choice(DATA["classifier"])
    return chosen


def _named_method() -> None:
    """Draw a box of methods that combine a classifier and a correction: choosing one sets both and empties the box again."""

    def on_chosen() -> None:
        pair = NAMED_QUANTIFIERS[st.session_state["named"]]
        family = quantifiers_key(QUANTIFIERS[pair.quantifier].family)
        st.session_state["classifier"] = pair.classifier
        chosen = st.session_state.get(family, QUANTIFIERS_OF_FAMILIES[family].default)
        st.session_state[family] = [*chosen, *({pair.quantifier} - set(chosen))]
        st.session_state["named"] = None

    known = "; ".join(f"{pair.key}: {pair.classifier} + {pair.quantifier}" for pair in NAMED_QUANTIFIERS.values())
    st.selectbox(
        "Method by name",
        list(NAMED_QUANTIFIERS),
        index=None,
        key="named",
        on_change=on_chosen,
        placeholder=f"such as {next(iter(NAMED_QUANTIFIERS))}",
        help=f"A classifier with the correction that it is known with. Choosing one sets both: {known}. Any other correction "
        "works as well.",
    )


def named_pairs(classifier: str, methods: Sequence[str]) -> list[str]:
    """What the papers call the chosen quantifiers together with the classifier, a sentence for each that they name."""
    return [
        f"{method} on {classifier} is what {NAMED_QUANTIFIERS[name].source} calls {name}: {NAMED_QUANTIFIERS[name].idea}."
        for method, name in names_with(classifier).items()
        if method in methods
    ]


def chosen_quantifiers() -> tuple[str, ...]:
    """Draw a popover with all quantifiers by family, named after the number of chosen ones; returns them in registry order.

    A page on which only some sections need them draws it there, and not in the sidebar.
    """
    known = [current(setting) for setting in QUANTIFIERS_OF_FAMILIES.values()]
    n_chosen = sum(len(chosen) for chosen in known if isinstance(chosen, list))
    with st.popover(f"Quantifiers: {n_chosen} of {len(QUANTIFIERS)}", width="stretch", key="quantifiers"):
        st.caption(term("quantifier"))
        with st.container(horizontal=True, gap="small"):
            for name, wanted in _AT_ONCE.items():
                st.button(name, on_click=_choose_at_once, args=(wanted,), key=f"quantifiers {name}")
        chosen = {method for setting in QUANTIFIERS_OF_FAMILIES.values() for method in control.several(setting)}
    return tuple(method for method in QUANTIFIERS if method in chosen)


_AT_ONCE: Mapping[str, Sequence[str] | None] = {"All": tuple(QUANTIFIERS), "None": (), "As at first": None}
"""Quantifiers that one button chooses; None: the default ones."""


def _choose_at_once(wanted: Sequence[str] | None) -> None:
    """Choose these quantifiers and no others."""
    for family, setting in QUANTIFIERS_OF_FAMILIES.items():
        default = setting.default if isinstance(setting.default, list | tuple) else ()
        st.session_state[family] = [one for one in setting.options if one in (default if wanted is None else wanted)]


def _positive_class(dataset: Dataset) -> str:
    requested = st.query_params.get("positive", st.session_state.get("positive"))
    current = st.session_state.get("positive")
    default_before = st.session_state.get(_DEFAULT_CLASS, dataset.default_positive)
    st.session_state[_DEFAULT_CLASS] = dataset.default_positive
    if default_before != dataset.default_positive:
        # The same class may no longer be the default, or be it again: Streamlit writes only changed values into the address.
        mark_address_incomplete()
        is_named = st.session_state.get(ARRIVED) or "positive" in st.query_params
        if current == default_before and current != st.session_state.get(_CHOSEN_CLASS) and not is_named:
            # Nobody chose this class: it is the default of the former data set.
            st.session_state["positive"] = dataset.default_positive
    st.session_state.pop(ARRIVED, None)
    if current is not None and current not in dataset.classes:
        # It is a class of the former data set. Deleting the value would leave its name in the browser's box.
        st.session_state["positive"] = dataset.default_positive
    if current is None and requested is not None and requested not in dataset.classes:
        control.note(
            f"The link's positive class, {control.quoted([requested])}, is not a class of {control.escaped(dataset.key)}; "
            f"the default ({control.escaped(dataset.default_positive)}) is used instead."
        )
    positive: str = control.choice(DATA["positive"], dataset.classes, dataset.default_positive)
    if positive != dataset.default_positive:
        st.session_state[_CHOSEN_CLASS] = positive
    count, total = dataset.class_counts[positive], len(dataset.labels)
    st.caption(f"{count:,} of {total:,} instances: {percentage(count / total)}")
    return positive


def nothing_to_train(sidebar_choice: SidebarChoice) -> bool:
    """Whether scores or texts are given, so that a section that trains has nothing to show; a line then says so."""
    if sidebar_choice.scores_given:
        given = "texts" if pipeline.dataset(sidebar_choice.data).text else "the scores of a classifier of your own"
        st.info(f"These are {given}: this section trains other classifiers, on features that are not here.")
    return sidebar_choice.scores_given


def no_method(methods: Sequence[str]) -> bool:
    """Whether no quantifier is chosen; a warning then says so."""
    if not methods:
        st.warning("No quantifier is chosen. Choose at least one under Quantifiers.")
    return not methods
