"""Which shift lies between a labelled data set and a table whose label's column is missing, or filled in some rows."""

import numpy as np
import pandas as pd

from qcore._base.random_streams import RandomStream, random_stream
from qcore._base.validation import FloatArray
from qcore.datasets import Dataset
from qcore.intervals.which_shift import ShiftVerdict, which_shift
from qcore.scoring import SampleScores
from qcore.scoring.sample_scores import aligned


def shift_of(
    data: Dataset, sample: pd.DataFrame, scored: SampleScores, positive: str, label: str = "", *, seed: int = 0
) -> ShiftVerdict:
    """The tests of `which_shift`; of a table of scores alone, features are not compared.

    `label` is the sample's column of labels, taken as those of instances drawn at random. Raises InvalidInput.
    """
    features = None
    if not data.are_scores:
        features = data.numeric_features(), data.numeric_features(aligned(sample, data))
    return which_shift(
        (scored.training_scores, scored.training_labels), scored.sample, features=features,
        labels=_labels(sample, label, positive), rng=random_stream(seed, RandomStream.SHIFT_TESTS),
    )  # fmt: skip


def _labels(sample: pd.DataFrame, label: str, positive: str) -> FloatArray | None:
    if label not in sample.columns or sample[label].isna().all():
        return None
    column = sample[label]
    return np.where(column.isna(), np.nan, (column.astype(str).str.strip() == positive).astype(np.float64))
