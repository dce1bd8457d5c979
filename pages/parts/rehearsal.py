"""The whole way from data set to figure once, small, before the first visitor comes."""

from __future__ import annotations

import numpy as np

from qcore import LOSSES, QUANTIFIERS, ArtificialPrevalence, estimate, load_dataset, make_quantifiers, score_dataset
from qcore.figures.prevalence import estimate_figure, loss_figure
from qcore.findings import findings
from qcore.summaries import curves, overview


def rehearse() -> None:
    """Do everything that a page does, so that every import it takes has been made."""
    scores = score_dataset(load_dataset("iris"))
    samples = ArtificialPrevalence(11, 10, 2).draw(scores.pool_labels, np.random.default_rng(0))
    quantifiers = make_quantifiers(QUANTIFIERS, scores.training_scores, scores.training_labels)
    estimates = estimate(quantifiers, scores.pool_scores, samples)
    losses = estimates.losses("AE")
    said = curves(estimates.by_method, samples)
    findings(overview(losses), "AE", said, scores.rates, scores.training_prevalence)
    loss_figure(curves(losses.by_method, samples), LOSSES["AE"], scores.training_prevalence).to_json()
    estimate_figure(said, scores.training_prevalence).to_json()
