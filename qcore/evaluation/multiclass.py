"""Evaluation with any number of classes: estimates of all classes, and the report."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import pandas as pd

from qcore._base.validation import check_class_scores
from qcore.evaluation.estimates import Estimates, check_classes, check_estimates, check_losses, check_pool
from qcore.evaluation.report import report
from qcore.losses import Smoothing
from qcore.protocols import SamplingProtocol
from qcore.protocols.samples import Samples
from qcore.quantifiers.multiclass.base import ClassBatch, class_samples_per_block
from qcore.quantifiers.multiclass.catalog import BATCHED, make_multiclass_quantifiers
from qcore.scoring.class_scores import MulticlassScores


def estimate_classes(methods: Iterable[str] | Mapping[str, Any], scores: MulticlassScores, samples: Samples) -> Estimates:
    """The estimate of every quantifier for every sample, as `estimate` for any number of classes.

    Prevalence vectors, (n_samples, n_classes); for two classes the prevalences of class 1, (n_samples,).
    Raises InvalidInput if the samples are of another pool, or scores and quantifiers of other classes.
    """
    quantifiers = make_multiclass_quantifiers(methods, scores.training_scores, scores.training_labels)
    pool_scores = scores.pool_scores
    check_pool(pool_scores, samples)
    checked = check_class_scores("pool_scores", pool_scores)
    n_classes = checked.shape[1]
    check_classes(samples, n_classes)
    values = {method: np.empty((len(samples), n_classes)) for method in quantifiers}
    step = class_samples_per_block(samples.sample_size, n_classes)
    for block, index in samples.blocks():
        for start in range(0, len(index), step):
            batch = ClassBatch(checked[index[start : start + step]])
            rows = slice(block.start + start, block.start + start + len(batch))
            for method, quantifier in quantifiers.items():
                estimates = quantifier.predict(batch if type(quantifier) in BATCHED else batch.scores)
                values[method][rows] = check_estimates(method, estimates, (len(batch), n_classes))
    return Estimates(samples, {method: value[:, 1] for method, value in values.items()} if n_classes == 2 else values)


def multiclass_report(
    scores: MulticlassScores,
    methods: Iterable[str] | Mapping[str, Any],
    protocol: SamplingProtocol,
    *,
    losses: Iterable[str] = ("AE", "KLD"),
    seed: int = 0,
    smoothing: Smoothing = "additive",
) -> pd.DataFrame:
    """As `evaluation_report`, for any number of classes: columns true_0, ..., estimate_0, ... and one for each loss.

    Parameters
    ----------
    scores : of one data set and classifier, as `score_classes` gives.
    methods : keys of MULTICLASS; or a mapping from a name to a key or to a quantifier of one's own, fitted or not.
    protocol, losses, seed, smoothing : as in `evaluation_report`.

    Raises
    ------
    InvalidInput
        An unknown method or loss, a loss of two classes alone (bias), or a pool too small for the sample size.

    Examples
    --------
    >>> from qcore import UniformPrevalence, load_dataset, score_classes
    >>> scores = score_classes(load_dataset("wine"), "Gaussian naive Bayes")
    >>> report = multiclass_report(scores, ["BL", "CC"], UniformPrevalence(n_samples=100, sample_size=20))
    >>> report.groupby("method", sort=False)["AE"].mean().round(2).to_dict()
    {'BL': 0.19, 'CC': 0.02}
    """
    checked = check_losses(losses)
    samples = protocol.draw(scores.pool_labels, np.random.default_rng(seed))
    return report(estimate_classes(methods, scores, samples), checked, smoothing)
