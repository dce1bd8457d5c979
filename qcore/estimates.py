"""Quantifiers x samples -> estimates -> losses, and the report that puts them into a tidy table."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from qcore.losses import LOSSES, SCORES, Smoothing
from qcore.protocols import SamplingProtocol
from qcore.quantifiers import Quantifier, make_quantifiers
from qcore.quantifiers.batch import Batch, RankedPool
from qcore.sampling import Samples
from qcore.scores import Scores
from qcore.validation import FloatArray, InvalidInput, check_choice, check_several


@dataclass(frozen=True)
class Estimates:
    """Estimates of several methods on the same samples.

    `by_method[method]` has shape (n_samples,), or (n_samples, n_classes) with more than two classes.
    """

    samples: Samples
    by_method: Mapping[str, FloatArray]

    def table(self) -> pd.DataFrame:
        """Tidy: one row for each method and sample, columns method, size, repeat, target, true, estimate.

        With more than two classes the last three are a column for each class: target_0, target_1, ...
        """
        samples, n_methods = self.samples, len(self.by_method)
        values = {
            "target": _stacked([samples.targets] * n_methods),
            "true": _stacked([samples.prevalences] * n_methods),
            "estimate": _stacked([*self.by_method.values()]),
        }
        return pd.DataFrame(
            {
                "method": np.repeat(list(self.by_method), len(samples)),
                "size": samples.sample_size,
                "repeat": np.tile(samples.repeats, n_methods),
                **{name + part: column for name, parts in values.items() for part, column in parts.items()},
            }
        )

    def losses(self, loss: str, smoothing: Smoothing = "additive") -> Losses:
        """`loss` of every estimate. Raises InvalidInput for an unknown loss."""
        check_losses([loss])
        measure = LOSSES[loss] if loss in LOSSES else SCORES[loss]
        evaluate = measure.binary if self.samples.n_classes == 2 else measure
        size, true = self.samples.sample_size, self.samples.prevalences
        values = {
            method: evaluate(true, estimate, sample_size=size, smoothing=smoothing)
            for method, estimate in self.by_method.items()
        }
        return Losses(loss, self, values)


def _stacked(values: Sequence[FloatArray]) -> dict[str, FloatArray]:
    """One column below the other: {"": column}, or a column for each class."""
    whole = np.concatenate(values)
    return {"": whole} if whole.ndim == 1 else {f"_{label}": column for label, column in enumerate(whole.T)}


@dataclass(frozen=True)
class Losses:
    """One loss of several methods on the same samples: `by_method[method]` has shape (n_samples,)."""

    loss: str
    estimates: Estimates
    by_method: Mapping[str, FloatArray]

    def table(self) -> pd.DataFrame:
        """The estimates' table with the columns loss and value."""
        return self.estimates.table().assign(loss=self.loss, value=np.concatenate([*self.by_method.values()]))


def estimate(
    quantifiers: Mapping[str, Quantifier],
    pool_scores: FloatArray,
    samples: Samples,
    on_progress: Callable[[float], None] | None = None,
) -> Estimates:
    """Every fitted quantifier's estimate of every sample; `pool_scores` is (n_pool,).

    Samples are answered block by block, and what several quantifiers need of a block is made once. `on_progress` is called
    after each block with the share that is done. Raises InvalidInput when the samples are of another pool.
    """
    check_pool(pool_scores, samples)
    check_classes(samples, 2)
    pool = RankedPool(pool_scores)
    values = {method: np.empty(len(samples)) for method in quantifiers}
    for block, index in samples.blocks():
        batch = Batch.of_pool(pool, index)
        for method, quantifier in quantifiers.items():
            values[method][block] = quantifier.predict(batch)
        if on_progress:
            on_progress(block.stop / len(samples))
    return Estimates(samples, values)


def check_pool(pool_scores: FloatArray, samples: Samples) -> None:
    """Raise InvalidInput unless there is a score for each instance of the pool that the samples were drawn from."""
    if len(pool_scores) != len(samples.pool_labels):
        raise InvalidInput(
            "pool_scores", f"have {len(samples.pool_labels)} scores", str(len(pool_scores)), "Draw from the same pool."
        )


def check_classes(samples: Samples, n_classes: int) -> None:
    """Raise InvalidInput unless the samples are of so many classes."""
    if samples.n_classes != n_classes:
        way_out = "Draw from the labels that belong to these scores; more than two classes need class scores."
        raise InvalidInput("samples", f"have {n_classes} classes, as the scores", str(samples.n_classes), way_out)


def check_losses(losses: Iterable[str]) -> list[str]:
    """The losses as a list, or InvalidInput for an unknown one."""
    wanted = check_several("losses", losses)
    for loss in wanted:
        check_choice("loss", loss, [*LOSSES, *SCORES])
    return wanted


def report(estimates: Estimates, losses: Iterable[str], smoothing: Smoothing) -> pd.DataFrame:
    """The estimates' table with a column for each loss. Raises InvalidInput for no methods or an unknown loss."""
    if not estimates.by_method:
        raise InvalidInput("methods", "name at least one quantifier", "none", "Choose for example 'CC' and 'AC'.")
    columns = {loss: np.concatenate([*estimates.losses(loss, smoothing).by_method.values()]) for loss in losses}
    return estimates.table().assign(**columns)


def evaluation_report(
    scores: Scores,
    methods: Sequence[str],
    protocol: SamplingProtocol,
    *,
    losses: Iterable[str] = ("AE", "KLD"),
    seed: int = 0,
    smoothing: Smoothing = "additive",
) -> pd.DataFrame:
    """A tidy report of methods on samples: true and estimated prevalence, and a column for each loss.

    Parameters
    ----------
    scores : of one data set and classifier, as `score_dataset` gives.
    methods : keys of QUANTIFIERS.
    protocol : which samples to draw from the pool.
    losses : keys of LOSSES or SCORES.
    seed : of the draws; the same seed gives the same samples to every method.

    Returns
    -------
    DataFrame with a row for each method and sample. `report.groupby("method")[["AE", "KLD"]].mean()` averages it.

    Raises
    ------
    InvalidInput
        An unknown method or loss; a pool too small for the sample size.
    """
    wanted = check_losses(losses)
    quantifiers = make_quantifiers(methods, scores.training_scores, scores.training_labels)
    samples = protocol.draw(scores.pool_labels, np.random.default_rng(seed))
    return report(estimate(quantifiers, scores.pool_scores, samples), wanted, smoothing)
