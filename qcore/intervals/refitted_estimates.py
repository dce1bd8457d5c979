"""Estimates of redrawn samples by quantifiers that are fitted anew to redrawn training scores."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from qcore._base.validation import FloatArray, IntArray
from qcore.quantifiers import QUANTIFIERS, make_quantifiers
from qcore.quantifiers.adjustment import adjust
from qcore.quantifiers.batch import Batch
from qcore.quantifiers.blockwise import blockwise
from qcore.quantifiers.checked_estimates import check_estimates, only_to_read
from qcore.quantifiers.fitting import registered_keys
from qcore.scoring.sigmoid import Sigmoid


@dataclass(frozen=True)
class Redrawn:
    """Redrawn training scores, and redrawn samples for each of them; scores of all classes have a last axis of classes.

    Attributes
    ----------
    training : (n_fits, n_training) scores, sorted by class.
    labels : (n_training,) the same for all.
    samples : (n_samples, sample_size) scores.
    fits : (n_samples,) the training scores, by index and in increasing order, with which each sample is estimated.
    centre : the sigmoid of the training scores before they are redrawn; None for scores of all classes.
    posteriors : whether the scores are posteriors: see `make_quantifiers`.
    """

    training: FloatArray
    labels: IntArray
    samples: FloatArray
    fits: IntArray
    centre: Sigmoid | None = None
    posteriors: bool = True

    @cached_property
    def scattered_samples(self) -> FloatArray:
        """The samples, their posteriors moved as the sigmoid of the redrawn training scores differs from that of all.

        Else the interval of a quantifier that takes scores for posteriors would leave out that these are learnt, too.
        """
        if self.centre is None:
            return self.samples
        curves = Sigmoid.fit(self.training, self.labels, self.centre)
        return curves.of(self.fits).scattered(self.samples, self.centre)


def refitted_estimates(name: str, method: Any, redrawn: Redrawn) -> FloatArray:
    """Estimates of the samples by a method, each fitted to its training scores: (n_samples,) or (n_samples, n_classes).

    What labels alone teach is learnt once, and an adjusted share takes the shares of all training scores in one operation.
    Raises InvalidInput for an invalid method, or invalid estimates of a user-defined one.
    """
    entry = QUANTIFIERS.get(registered_keys({name: method})[name] or "")
    if entry is not None and entry.reads_posteriors and not redrawn.posteriors:
        # A sigmoid is learnt from the scores of each draw, whatever else is.
        entry = None
    if entry is not None and entry.learns_from_labels_alone:
        samples = redrawn.scattered_samples if entry.needs_probabilities and entry.corrects else redrawn.samples
        return make_quantifiers({name: method}, redrawn.training[0], redrawn.labels)[name].predict(samples)
    if entry is not None and entry.adjusts is not None and redrawn.samples.ndim == 2:
        return _adjusted(entry.adjusts, redrawn)
    starts = np.searchsorted(redrawn.fits, np.arange(len(redrawn.training) + 1))
    estimates = [
        _estimates(name, method, (scores, redrawn.labels), redrawn.samples[start:end], posteriors=redrawn.posteriors)
        for scores, start, end in zip(redrawn.training, starts, starts[1:], strict=False)
    ]
    return np.concatenate(estimates)


def _adjusted(share: Callable[[Batch], FloatArray], redrawn: Redrawn) -> FloatArray:
    of_classes = [blockwise(redrawn.training[:, redrawn.labels == label], share) for label in (0, 1)]
    of_negatives, of_positives = (shares[redrawn.fits] for shares in of_classes)
    return adjust(blockwise(redrawn.samples, share), of_positives, of_negatives)


def _estimates(
    name: str, method: Any, training: tuple[FloatArray, IntArray], samples: FloatArray, *, posteriors: bool
) -> FloatArray:
    quantifier = make_quantifiers({name: method}, *training, refit=True, posteriors=posteriors)[name]
    return check_estimates(name, quantifier.predict(only_to_read(samples)), (len(samples), *samples.shape[2:]))
