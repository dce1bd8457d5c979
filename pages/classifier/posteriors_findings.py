"""Sentences on posteriors and on decisions, with scores as they are and adjusted to the estimated prevalence."""

import pandas as pd

from pages.settings.number_text import digits, percentage
from qcore.studies.posterior_tasks import POSTERIORS, TRUTH

_NOTICEABLE = 0.001


def decisions_sentences(table: pd.DataFrame, measure: str, method: str) -> list[str]:
    """Where adjusting helps most and whether it ever hurts; the table of `decisions_by_prevalence`."""
    values = table.pivot_table(index="true", columns="adjusted", values=measure)
    before, after, best = (values[name] for name in ("as they are", "to the estimate", "to the truth"))
    gains = before - after if measure == "cost" else after - before

    def text(value: float) -> str:
        return digits(value) if measure == "cost" else percentage(value)

    most, least = int(gains.argmax()), int(gains.argmin())
    prevalences = [float(value) for value in values.index]
    sentences = []
    if gains.iloc[most] <= _NOTICEABLE or text(before.iloc[most]) == text(after.iloc[most]):
        sentences.append(f"Adjusting the scores to what **{method}** estimates helps nowhere here.")
    else:
        sentences.append(
            f"Adjusting the scores to what **{method}** estimates helps most at a prevalence of {prevalences[most]:.0%}: "
            f"{measure} goes from {text(before.iloc[most])} to **{text(after.iloc[most])}**; with the true prevalence it would "
            f"be {text(best.iloc[most])}."
        )
    if gains.iloc[least] < -_NOTICEABLE and text(before.iloc[least]) != text(after.iloc[least]):
        sentences.append(
            f"Adjusting hurts most at {prevalences[least]:.0%}: from {text(before.iloc[least])} to {text(after.iloc[least])}. "
            "There the scores are not probabilities, or the estimate is off."
        )
    return sentences


def tasks_sentence(table: pd.DataFrame, true: float, method: str) -> str:
    """What posteriors say at a prevalence, as they are and adjusted, beside the truth; the table of `posterior_tasks`."""
    shown = table[table.true == true].set_index("by")

    def said(name: str) -> str:
        return (
            f"{percentage(shown.prevalence[name])} are positive and {percentage(shown.accuracy[name])} are classified correctly"
        )

    return (
        f"By the scores as they are, {said(POSTERIORS[0])}; adjusted to what **{method}** estimates, "
        f"**{said(POSTERIORS[1])}**; in truth, {said(TRUTH)}."
    )
