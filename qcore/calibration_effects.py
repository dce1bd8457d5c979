"""What calibrating the scores does to quantifiers that read them as probabilities."""

from __future__ import annotations

from typing import Final

import numpy as np
import pandas as pd

from qcore.estimates import estimate
from qcore.protocols import ArtificialPrevalence
from qcore.quantifiers import make_quantifiers
from qcore.scores import Scores

READ_AS_PROBABILITIES: Final = ("PCC", "PACC", "EMQ")
"""Keys of the quantifiers whose estimate is made of the scores as probabilities."""


def mean_errors(scores: Scores, protocol: ArtificialPrevalence, seed: int) -> pd.DataFrame:
    """Mean AE of those quantifiers over the protocol's samples: method, AE. Raises InvalidInput when the pool is too small."""
    quantifiers = make_quantifiers(READ_AS_PROBABILITIES, scores.training_scores, scores.training_labels)
    samples = protocol.draw(scores.pool_labels, np.random.default_rng(seed))
    losses = estimate(quantifiers, scores.pool_scores, samples).losses("AE").by_method
    return pd.DataFrame({"method": list(losses), "AE": [float(values.mean()) for values in losses.values()]})
