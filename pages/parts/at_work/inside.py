"""What happens inside a method, for the drawn sample."""

from __future__ import annotations

import streamlit as st

from pages.parts import cached, controls
from pages.parts.at_work.words import LOOK
from pages.parts.chart import chart
from pages.parts.explain import quantifier_text
from pages.parts.layout import wide_row
from pages.parts.workbench import Workbench
from qcore import Scores, ScoringSettings
from qcore.corrections import AtWork
from qcore.figures.inside import distribution_figure, mixture_figure, objective_figure, sweep_figure, trajectory_figure
from qcore.findings.inside import objective_sentence, sweep_sentence, trajectory_sentence
from qcore.inside import INSIDES, matched_distribution, matched_histogram
from qcore.quantifiers.likelihood import EMQ
from qcore.quantifiers.matching import DyS, HDy
from qcore.quantifiers.sord import SORD
from qcore.quantifiers.thresholds import MedianSweep

_STEPS = 30


def inside(bench: Workbench, settings: ScoringSettings, scores: Scores, work: AtWork) -> None:
    """A method to choose, and its charts."""
    st.markdown(LOOK["inside"])
    method = controls.choice("inside", "Look into", list(INSIDES))
    fitted = cached.fitted(bench.data, settings, [method], scores)[method]
    said, left, right = st.container(), *wide_row("inside", [1, 1], align="top")
    truth = work.prevalence
    if isinstance(fitted, MedianSweep):
        sweep = fitted.sweep(work.sample)
        said.markdown(sweep_sentence(sweep, truth))
        with left:
            chart(sweep_figure(sweep, truth, method), key="inside_method", alt="The corrected estimate at each threshold.")
    elif isinstance(fitted, EMQ):
        trajectory = fitted.trajectory(work.sample, fitted.steps or _STEPS)
        said.markdown(trajectory_sentence(trajectory, truth, stops=fitted.steps is not None))
        with left:
            chart(
                trajectory_figure(trajectory, truth, method), key="inside_method", alt="The prevalence after each step of EMQ."
            )
    elif isinstance(fitted, HDy | DyS | SORD):
        objective = fitted.objective(work.sample)
        said.markdown(objective_sentence(objective, truth, method))
        with left:
            chart(objective_figure(objective, truth, method), key="inside_method", alt="The distance by mixture weight.")
        with right:
            if isinstance(fitted, SORD):
                figure = distribution_figure(matched_distribution(fitted, work.sample, objective.estimate), method)
            else:
                figure = mixture_figure(matched_histogram(fitted, work.sample, objective.estimate), method)
            chart(figure, key="inside_mixture", alt="The best mixture of the training classes over the sample.")
        right = st.container()
    with right:
        st.markdown(quantifier_text(method))
