"""UCI data sets that UCI publishes as a generator: drawn here by the same rule, each from its own fixed seed."""

from typing import Final

import numpy as np
import pandas as pd

from qcore.datasets.dataset import Dataset
from qcore.datasets.preparation import as_labels

_POINTS: Final = np.arange(1, 22)
_WAVES: Final = [np.maximum(6 - np.abs(_POINTS - peak), 0) for peak in (7, 15, 11)]
_PAIRS: Final = ((0, 1), (0, 2), (1, 2))
_SEED: Final = 1984


def waveform() -> Dataset:
    """Waveform Database Generator: 5000 instances, 21 features, 3 classes of a third each (Breiman et al. 1984, 2.6.2).

    Each instance mixes two of three triangular waves with a uniform weight, and adds standard normal noise to every point.
    """
    rng = np.random.default_rng(_SEED)
    labels = rng.integers(3, size=5000)
    weight = rng.random(5000)[:, np.newaxis]
    first, second = (np.stack([_WAVES[pair[wave]] for pair in _PAIRS])[labels] for wave in (0, 1))
    values = weight * first + (1.0 - weight) * second + rng.standard_normal((5000, 21))
    return Dataset(
        key="waveform",
        name="Waveform Database Generator (Version 1)",
        features=pd.DataFrame(values.round(2), columns=[f"x{point}" for point in _POINTS]),
        labels=as_labels(labels),
        description="5,000 noisy curves, 21 points each, every one a mixture of two of three waves; which two were mixed?",
        source="UCI Machine Learning Repository, data set 107 (drawn here by its rule, with other random numbers)",
        citation="Breiman, L. & Stone, C. (1984). Waveform Database Generator (Version 1). UCI Machine Learning Repository. "
        "doi:10.24432/C5CS3C",
        default_positive="0",
        order=(),
    )
