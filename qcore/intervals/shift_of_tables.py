"""Which shift lies between a data set and a table with few labels or none, or a sample of the data set's pool."""

from collections.abc import Collection

import numpy as np
import pandas as pd

from qcore._base.random_streams import RandomStream, random_stream
from qcore._base.validation import FloatArray, IntArray
from qcore.datasets import Dataset
from qcore.datasets.preparation import as_labels, is_labelled
from qcore.intervals.which_shift import ShiftVerdict, which_shift
from qcore.scoring import SampleScores, Scores
from qcore.scoring.sample_scores import aligned


def shift_of(
    data: Dataset, sample: pd.DataFrame, scored: SampleScores, positive: str, label: str = "", *, seed: int = 0
) -> ShiftVerdict:
    """The tests of `which_shift`, with the mixture's p-value of `estimate_sample`; of scores alone, features are not compared.

    `label` is the sample's column of labels, taken as those of instances drawn at random; values that are not classes count
    as missing.
    Raises InvalidInput.
    """
    features = None
    if not data.are_scores:
        features = data.numeric_features(), data.numeric_features(aligned(sample, data))
    return which_shift(
        (scored.training_scores, scored.training_labels), scored.to_compare, features=features,
        labels=_labels(sample, label, positive, data.classes), rng=random_stream(seed, RandomStream.SHIFT_TESTS),
        fit_rng=random_stream(seed, RandomStream.GOODNESS_OF_FIT), posteriors=scored.posteriors,
    )  # fmt: skip


def _labels(sample: pd.DataFrame, label: str, positive: str, classes: Collection[str]) -> FloatArray | None:
    if label not in sample.columns:
        return None
    given = as_labels(sample[label])
    known = np.asarray(is_labelled(sample[label]), dtype=bool) & pd.Series(given).isin(set(classes)).to_numpy()
    return np.where(known, (given == positive).astype(np.float64), np.nan) if known.any() else None


def shift_of_pool(
    data: Dataset,
    scores: Scores,
    rows: IntArray,
    instances: tuple[IntArray, IntArray],
    *,
    n_labels: int,
    rng: np.random.Generator,
    fit_rng: np.random.Generator | None = None,
    as_training: FloatArray | None = None,
) -> ShiftVerdict:
    """The tests of `which_shift` on a sample of a pool, some of whose labels are shown to them.

    Parameters
    ----------
    rows : (m,), the sample's instances in the pool of `scores`.
    instances : rows in `data` of the training part, (n_training,), and of the sample, (m,).
    n_labels : how many labels are shown, drawn at random; 0 for none, else 10 or more.
    fit_rng : as in `which_shift`.
    as_training : the sample's scores as training scores are made, (m,): see `SampleScores`; None for the pool's scores.

    Raises
    ------
    InvalidInput
        As `which_shift`.
    """
    labels = np.full(len(rows), np.nan)
    shown = rng.choice(len(rows), min(n_labels, len(rows)), replace=False)
    labels[shown] = scores.pool_labels[rows][shown]
    features = None
    if not data.are_scores:
        columns = data.numeric_features()
        features = columns[instances[0]], columns[instances[1]]
    return which_shift(
        (scores.training_scores, scores.training_labels),
        scores.pool_scores[rows] if as_training is None else as_training, features=features,
        labels=labels if n_labels else None, rng=rng, fit_rng=fit_rng, posteriors=scores.posteriors,
    )  # fmt: skip
