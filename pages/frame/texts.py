"""Prose of pages and documents, explanations that several pages offer, and how sentences are drawn."""

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from types import MappingProxyType

import streamlit as st

from pages.settings import control
from pages.settings.shared import LOSS, SMOOTHING_NAMES
from pages.settings.terms import headed_texts
from qcore.losses import LOSSES, PROPERTIES, Loss, Smoothing
from qcore.quantifiers import QUANTIFIERS

_FOLDERS = Path(__file__).parents[1]


@cache
def texts_of(page: str) -> Mapping[str, str]:
    """The texts of a page by heading."""
    return MappingProxyType(headed_texts((_FOLDERS / page / "texts.md").read_text(encoding="utf-8")))


_FOLDER = Path(__file__).parents[2] / "docs"
_LINK = re.compile(r"\[([^\]]+)\]\((?!https?://)[^)]*\)")


@cache
def document(name: str) -> str:
    """The text of docs/NAME.md; links to other files become their words, since the app has no such address."""
    return _LINK.sub(r"\1", (_FOLDER / f"{name}.md").read_text(encoding="utf-8"))


def document_popover(name: str, label: str) -> None:
    """Draw a button that opens the document docs/NAME.md."""
    with st.popover(label, key=f"document {name}"):
        st.markdown(document(name))


def draw_sentences(sentences: Iterable[str], *, shown: int = 2) -> None:
    """Draw sentences in Markdown as a list: the first ones, and the others behind a click; empty ones are left out."""
    said = [f"- {sentence}" for sentence in sentences if sentence]
    if said:
        st.markdown("\n".join(said[:shown]))
    if said[shown:]:
        with st.expander("More"):
            st.markdown("\n".join(said[shown:]))


_SYMBOLS = r"""
A classifier gives each instance a score $s_i$ in [0, 1]; a sample has $m$ of them. $tpr(t)$ and $fpr(t)$ are the shares of
the training positives and negatives with a score of at least $t$, out of fold; without $t$, at 0.5. $\hat p_{CC}(t)$ is that
share of the sample; $\bar s$, $\bar s_{+}$ and $\bar s_{-}$ are the mean scores of the sample, the training positives and the
training negatives. $P_b$, $N_b$ and $Q_b$ are the shares of training positives, training negatives and sample in each of $b$
equal bins of the scores; $F_{+}$, $F_{-}$ and $F$ are their distribution functions, and $a$ is the weight of the positives in
a mixture. All estimates are clipped to [0, 1].
"""


_SMOOTHING = r"""
It needs prevalences above 0. *Additive* smoothing: $p_c$ becomes $\frac{p_c + \varepsilon}{1 + \varepsilon |C|}$, and
$\hat p_c$ alike; $\varepsilon = \frac{1}{2m}$ for samples of $m$ instances (Marufo 2023, eq. 4.10). *Half a count*: only an
estimate of 0 or 1 is moved, by $\frac{1}{2m}$ (Forman 2008; Barranquero 2013, algorithm 1).

"""


def loss_popover(loss: Loss) -> Smoothing:
    """Draw a popover with the choice of smoothing, the formula, properties and source of the loss, then the other losses.

    Returns the chosen smoothing.
    """
    others = [other for other in LOSSES.values() if other != loss]
    with st.popover(f"What is {loss.key}?"):
        # The choice is drawn for every loss, so that it is kept when the loss changes.
        smoothing = control.segments(
            LOSS["smoothing"],
            disabled=not loss.smoothed,
            help=f"Of {', '.join(other.key for other in LOSSES.values() if other.smoothed)}, which need prevalences above 0.",
        )
        st.markdown("\n\n".join([loss_text(loss), "---", *(loss_text(other) for other in others)]))
    return SMOOTHING_NAMES[smoothing]


def loss_text(loss: Loss) -> str:
    """A loss in Markdown: idea, formula, properties, source."""
    held = [f"- {name}: {PROPERTIES[name]}" for name in PROPERTIES if name in loss.properties]
    properties = "\n".join(held) or "- none of the properties MAX, IMP, REL and ABS"
    smoothing = _SMOOTHING if loss.smoothed else ""
    slip = f" A slip of a source: {loss.slip}." if loss.slip else ""
    return (
        f"**{loss.name} ({loss.key}).** {loss.idea}\n\n$$\n{loss.formula}\n$$\n\n{smoothing}{properties}\n\n"
        f":small[Source: {loss.source}. Properties: {loss.properties_source}.{slip}]"
    )


def quantifiers_explained(methods: Sequence[str]) -> None:
    """Draw the idea of each chosen quantifier, and behind a click its formula, weakness and source, and what symbols mean."""
    for method in methods:
        with st.expander(f"**{method}**: {QUANTIFIERS[method].idea}"):
            st.markdown(quantifier_text(method))
    with st.expander("What the symbols mean"):
        st.markdown(_SYMBOLS)


def quantifier_text(method: str) -> str:
    """A quantifier in Markdown: idea, formula, when it fails, source."""
    entry = QUANTIFIERS[method]
    title = entry.name if entry.name == method else f"{method} ({entry.name})"
    weakness = f"When it fails: {entry.weakness}."
    elsewhere = f" Also called {', '.join(entry.also_called)}." if entry.also_called else ""
    return f"**{title}:** {entry.idea}.{elsewhere}\n\n$$\n{entry.formula}\n$$\n\n{weakness}\n\n:small[Source: {entry.source}.]"
