"""Learners side by side as quantifiers: each classifier with a correction, on the same samples of the same pool."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

import numpy as np

from qcore.estimates import Estimates, estimate
from qcore.named_quantifiers import paired_with
from qcore.protocols import ArtificialPrevalence
from qcore.quantifiers import QUANTIFIERS, make_quantifiers
from qcore.scores import Scores
from qcore.validation import InvalidInput, check_choice

AS_NAMED: Final = "as named"
"""Each learner with the correction that its name goes with: AC for neighbours, CC for those that learn to count."""


def correction_of(classifier: str, correction: str) -> str:
    """The key of the quantifier that a classifier takes. Raises InvalidInput for an unknown correction."""
    check_choice("correction", correction, [AS_NAMED, *QUANTIFIERS])
    return paired_with(classifier) if correction == AS_NAMED else correction


def learner_estimates(
    scores: Mapping[str, Scores],
    correction: str,
    protocol: ArtificialPrevalence,
    seed: int,
    on_progress: Callable[[float], None] | None = None,
) -> Estimates:
    """Estimates of each classifier with its correction, `by_method` by classifier.

    Parameters
    ----------
    scores : classifier -> its scores, all of one split: same pool, same order.
    correction : key of QUANTIFIERS, or AS_NAMED.
    on_progress : told the share of the classifiers that are done.

    Raises
    ------
    InvalidInput
        There is no classifier, pools differ, or the pool is too small for the protocol.
    """
    if not scores:
        raise InvalidInput("learners", "be one at least", "none", "Choose a learner.")
    pools = [found.pool_labels for found in scores.values()]
    if any(not np.array_equal(pool, pools[0]) for pool in pools):
        raise InvalidInput("scores", "be of one pool", "pools that differ", "Score all classifiers with the same settings.")
    samples = protocol.draw(pools[0], np.random.default_rng(seed))
    found = {}
    for place, (classifier, own) in enumerate(scores.items(), start=1):
        method = correction_of(classifier, correction)
        fitted = make_quantifiers([method], own.training_scores, own.training_labels)
        found[classifier] = estimate(fitted, own.pool_scores, samples).by_method[method]
        if on_progress:
            on_progress(place / len(scores))
    return Estimates(samples, found)
