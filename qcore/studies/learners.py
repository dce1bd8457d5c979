"""Classifiers compared as quantifiers: each with a correction, on the same samples of the same pool."""

from collections.abc import Callable, Mapping
from typing import Final

import numpy as np

from qcore._base.validation import InvalidInput, check_choice
from qcore.evaluation.estimates import Estimates, estimate
from qcore.protocols import ArtificialPrevalence
from qcore.quantifiers import QUANTIFIERS
from qcore.quantifiers.named_quantifiers import named_correction
from qcore.scoring.plan import Scores

NAMED_CORRECTION: Final = "as named"
"""Each classifier with the correction of its named method: AC for neighbours, CC for those that learn to count."""


def correction_for(classifier: str, correction: str) -> str:
    """The key of the quantifier for a classifier. Raises InvalidInput for an unknown correction."""
    check_choice("correction", correction, [NAMED_CORRECTION, *QUANTIFIERS])
    return named_correction(classifier) if correction == NAMED_CORRECTION else correction


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
    correction : key of QUANTIFIERS, or NAMED_CORRECTION.
    on_progress : called with the share of the classifiers that are done.

    Raises
    ------
    InvalidInput
        There is no classifier, pools differ, or the pool is too small for the protocol.
    """
    if not scores:
        raise InvalidInput("learners", "be at least one", "none", "Choose a learner.")
    pools = [one.pool_labels for one in scores.values()]
    if any(not np.array_equal(pool, pools[0]) for pool in pools):
        raise InvalidInput("scores", "come from one pool", "pools that differ", "Score all classifiers with the same settings.")
    samples = protocol.draw(pools[0], np.random.default_rng(seed))
    estimates = {}
    for number, (classifier, classifier_scores) in enumerate(scores.items(), start=1):
        method = correction_for(classifier, correction)
        estimates[classifier] = estimate([method], classifier_scores, samples).by_method[method]
        if on_progress:
            on_progress(number / len(scores))
    return Estimates(samples, estimates)
