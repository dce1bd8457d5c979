"""Search spaces and the learners that land on them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import streamlit as st

from pages.parts.cached.keys import SETTINGS_KEYS
from pages.parts.cached.scoring import finished, scores
from qcore import ArtificialPrevalence, Estimates, Scores, ScoringSettings, learners
from qcore import conflict as conflicts
from qcore.landings import Landings
from qcore.landings import landings as land
from qcore.search_space import Optima
from qcore.search_space import optima as find_optima
from qcore.table_measures import Measured


@st.cache_resource(show_spinner=False, max_entries=200, hash_funcs=SETTINGS_KEYS)
def optima(measured: Measured, positives: int, negatives: int) -> Optima:
    """What a measure holds for best. Raises InvalidInput."""
    return find_optima(measured, positives, negatives)


@st.cache_resource(show_spinner=False)
def conflict() -> conflicts.Conflict:
    """Figure 6.1's two hypotheses."""
    return conflicts.conflict()


def landed_so_far(data: str, settings: ScoringSettings, classifiers: Sequence[str]) -> Landings:
    """Where those of the classifiers land that are trained already; the sidebar's own is swept."""
    found = {}
    for key in classifiers:
        own = finished(data, replace(settings, classifier=key))
        if own is not None:
            found[key] = own
    return land(found, settings.classifier if settings.classifier in found else "")


def train(data: str, settings: ScoringSettings, classifiers: Sequence[str]) -> dict[str, Scores]:
    """The scores of all classifiers, one after the other, with progress. Raises InvalidInput."""
    return {key: scores(data, replace(settings, classifier=key)) for key in classifiers}


@st.cache_resource(show_spinner=False, max_entries=30, hash_funcs=SETTINGS_KEYS)
def learner_estimates(
    data: str,
    settings: ScoringSettings,
    protocol: ArtificialPrevalence,
    classifiers: tuple[str, ...],
    correction: str,
    _scores: Mapping[str, Scores],
) -> Estimates:
    """Estimates of each classifier with its correction; `_scores` of `train`. Raises InvalidInput."""
    return learners.learner_estimates(_scores, correction, protocol, settings.seed)
