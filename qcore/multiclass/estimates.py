"""Multiclass quantifiers x samples -> estimates -> losses, and the report that puts them into a tidy table."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import pandas as pd

from qcore.estimates import Estimates, check_classes, check_losses, check_pool, report
from qcore.losses import Smoothing
from qcore.multiclass.base import ClassBatch, MulticlassQuantifier, class_samples_per_block
from qcore.multiclass.catalog import make_multiclass_quantifiers
from qcore.multiclass.scores import MulticlassScores
from qcore.protocols import SamplingProtocol
from qcore.sampling import Samples
from qcore.validation import FloatArray, check_class_scores


def estimate_classes(quantifiers: Mapping[str, MulticlassQuantifier], pool_scores: FloatArray, samples: Samples) -> Estimates:
    """Every fitted quantifier's estimate of every sample; `pool_scores` is (n_pool, n_classes).

    Prevalence vectors, (n_samples, n_classes); for two classes the prevalences of class 1, (n_samples,), as everywhere.
    Raises InvalidInput when the samples are of another pool, or scores and quantifiers of other classes.
    """
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
                values[method][rows] = quantifier.predict(batch)
    return Estimates(samples, {method: value[:, 1] for method, value in values.items()} if n_classes == 2 else values)


def multiclass_report(
    scores: MulticlassScores,
    methods: Sequence[str],
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
    methods : keys of MULTICLASS.
    protocol, losses, seed, smoothing : as in `evaluation_report`.

    Raises
    ------
    InvalidInput
        An unknown method or loss, a loss of two classes alone (bias), or a pool too small for the sample size.
    """
    wanted = check_losses(losses)
    quantifiers = make_multiclass_quantifiers(methods, scores.training_scores, scores.training_labels)
    samples = protocol.draw(scores.pool_labels, np.random.default_rng(seed))
    return report(estimate_classes(quantifiers, scores.pool_scores, samples), wanted, smoothing)
