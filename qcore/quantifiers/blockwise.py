"""Samples of any number, answered block by block, so that memory stays bounded."""

from collections.abc import Callable
from typing import Any, overload

import numpy as np
from numpy.typing import ArrayLike

from qcore._base.threads import one_thread
from qcore._base.validation import FloatArray, InvalidInput, check_class_scores, check_scores
from qcore.protocols.samples import samples_per_block
from qcore.quantifiers.batch import Batch
from qcore.quantifiers.class_batch import ClassBatch, class_samples_per_block


@overload
def blockwise(scores: ArrayLike | Batch | ClassBatch, estimate: Callable[[Batch], FloatArray]) -> FloatArray: ...
@overload
def blockwise(
    scores: ArrayLike | Batch | ClassBatch, estimate: Callable[[Any], FloatArray], n_classes: int | None
) -> FloatArray: ...
def blockwise(
    scores: ArrayLike | Batch | ClassBatch, estimate: Callable[[Any], FloatArray], n_classes: int | None = None
) -> FloatArray:
    """`estimate` of samples, block by block.

    Parameters
    ----------
    scores : (..., sample_size), in [0, 1]; of `n_classes` classes (..., sample_size, n_classes), with the sum 1. A Batch, or of
        several classes a ClassBatch, is taken as it is.
    estimate : from a block to its estimates, (n_samples,) or (n_samples, n_classes).
    n_classes : None for scores of one class against the rest.

    Returns the estimates, (...) or (..., n_classes).

    Raises
    ------
    InvalidInput
        Scores that are not numbers in [0, 1], or of other classes.
    """
    if isinstance(scores, Batch | ClassBatch):
        if isinstance(scores, Batch) != (n_classes is None):
            learnt = "one class against the rest" if n_classes is None else f"{n_classes} classes"
            way_out = "Pass a Batch of one class's scores, or a ClassBatch of the scores of all classes, as in training."
            raise InvalidInput("scores", f"be of {learnt}, as in training", f"a {type(scores).__name__}", way_out)
        if isinstance(scores, ClassBatch):
            _check_classes(scores.scores, n_classes)
        with one_thread():
            return estimate(scores)
    checked = check_scores("scores", scores) if n_classes is None else check_class_scores("scores", scores)
    sample_axes = 1 if n_classes is None else 2
    rows = checked.reshape(-1, *checked.shape[-sample_axes:])
    if n_classes is None:
        step, estimates = samples_per_block(rows.shape[1]), np.empty(len(rows))
    else:
        _check_classes(checked, n_classes)
        step, estimates = class_samples_per_block(rows.shape[1], n_classes), np.empty((len(rows), n_classes))
    kind = Batch if n_classes is None else ClassBatch
    with one_thread():
        for start in range(0, len(rows), step):
            estimates[start : start + step] = estimate(kind(rows[start : start + step]))
    return estimates.reshape(checked.shape[:-sample_axes] + estimates.shape[1:])


def _check_classes(scores: FloatArray, n_classes: int | None) -> None:
    if scores.shape[-1] != n_classes:
        rule = f"have the {n_classes} classes of training"
        raise InvalidInput("scores", rule, str(scores.shape[-1]), "Check the last axis.")
