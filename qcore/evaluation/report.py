"""The evaluation report: methods on the samples of a protocol, with a column for each loss."""

from collections.abc import Iterable

import numpy as np
import pandas as pd

from qcore._base.validation import check_kind, check_seed
from qcore.evaluation.estimates import Estimates, check_losses, estimate
from qcore.losses import Smoothing
from qcore.protocols import SamplingProtocol
from qcore.protocols.pool import draw_samples
from qcore.quantifiers.fitting import Methods
from qcore.scoring.scores import Scores


def report(estimates: Estimates, losses: Iterable[str], smoothing: Smoothing) -> pd.DataFrame:
    """The estimates' table with a column for each loss. Raises InvalidInput for an unknown loss."""
    columns = {loss: np.concatenate([*estimates.losses(loss, smoothing).by_method.values()]) for loss in losses}
    return estimates.table().assign(**columns)


def evaluation_report(
    scores: Scores,
    methods: Methods,
    protocol: SamplingProtocol,
    *,
    losses: Iterable[str] = ("AE", "KLD"),
    seed: int = 0,
    smoothing: Smoothing = "additive",
) -> pd.DataFrame:
    """A tidy report of methods on samples: true and estimated prevalence, and a column for each loss.

    Parameters
    ----------
    scores : scores of one data set and classifier, as from `score_dataset`: of one class against the rest, or of all classes.
    methods : keys of QUANTIFIERS; or a mapping from a name to a key or to a quantifier, such as your own, fitted or not.
    protocol : which samples to draw from the pool.
    losses : keys of LOSSES or ORDERED_LOSSES, or NAS and NSS of MEASURES. Those of ordered classes go by the order of
        `scores.classes`; `scores.in_order` changes it.
    seed : seed of the draws; all methods get the same samples.
    smoothing : of the prevalences before losses that need it, as in LOSSES: "additive" or "half_count".

    Returns
    -------
    DataFrame with a row for each method and sample; of more than two classes with the columns true_0, ..., estimate_0, ...
    `report.groupby("method")[["AE", "KLD"]].mean()` averages it.

    Raises
    ------
    InvalidInput
        An unknown method or loss; an invalid seed; a loss of two classes alone (bias) for more; a pool too small for the sample
        size; an object that is not a protocol.

    Examples
    --------
    >>> from qcore import ArtificialPrevalence, load_dataset, score_dataset
    >>> scores = score_dataset(load_dataset("wdbc"))
    >>> report = evaluation_report(scores, ["CC", "AC"], ArtificialPrevalence(grid=11, sample_size=50, repeats=20))
    >>> report.groupby("method", sort=False)["AE"].mean().round(3).to_dict()
    {'CC': 0.03, 'AC': 0.018}
    """
    check_kind("scores", scores, Scores, "For a data set pass score_dataset(dataset).")
    checked = check_losses(losses)
    check_seed(seed)
    samples = draw_samples(protocol, scores.pool_labels, np.random.default_rng(seed))
    return report(estimate(methods, scores, samples), checked, smoothing)
