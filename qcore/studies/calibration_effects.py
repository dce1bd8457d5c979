"""The effect of calibrating scores on the quantifiers that use them as probabilities."""

from typing import Final

import numpy as np
import pandas as pd

from qcore.evaluation.estimates import estimate
from qcore.protocols import ArtificialPrevalence
from qcore.quantifiers import QUANTIFIERS
from qcore.scoring.plan import Scores

PROBABILISTIC_QUANTIFIERS: Final = tuple(key for key, entry in QUANTIFIERS.items() if entry.reads_posteriors)
"""Keys of the quantifiers that take scores for posteriors."""


def mean_errors(scores: Scores, protocol: ArtificialPrevalence, seed: int) -> pd.DataFrame:
    """Mean AE of these quantifiers over the protocol's samples: method, AE. Raises InvalidInput if the pool is too small."""
    samples = protocol.draw(scores.pool_labels, np.random.default_rng(seed))
    losses = estimate(PROBABILISTIC_QUANTIFIERS, scores, samples).losses("AE").by_method
    return pd.DataFrame({"method": list(losses), "AE": [float(values.mean()) for values in losses.values()]})
