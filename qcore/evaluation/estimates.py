"""Quantifiers x samples -> estimates -> losses, as arrays and as tidy tables."""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from qcore._base.stored_pieces import FinishedPieces
from qcore._base.validation import (
    FloatArray,
    InvalidInput,
    check_choice,
    check_class_scores,
    check_kind,
    check_seed,
    check_several,
)
from qcore.losses import LOSSES, ORDERED_LOSSES, Loss, Smoothing
from qcore.measures import MEASURES
from qcore.protocols import Samples, SamplingProtocol
from qcore.protocols.catalog import draw_samples
from qcore.quantifiers.batch import Batch, ClassBatch, ClassPool, RankedPool, class_samples_per_block
from qcore.quantifiers.fitting import Methods, check_estimates, is_of_qcore, make_quantifiers, only_to_read
from qcore.scoring.scores import Scores


@dataclass(frozen=True)
class Estimates:
    """Estimates of several methods on the same samples.

    `by_method[method]` has shape (n_samples,), or (n_samples, n_classes) with more than two classes.

    Examples
    --------
    >>> import numpy as np
    >>> from qcore import ArtificialPrevalence, estimate, load_dataset, score_dataset
    >>> scores = score_dataset(load_dataset("iris"))
    >>> samples = ArtificialPrevalence(3, 10, 2).draw(scores.pool_labels, np.random.default_rng(0))
    >>> estimates = estimate(["BL"], scores, samples)
    >>> estimates.by_method["BL"].round(2).tolist()
    [0.33, 0.33, 0.33, 0.33, 0.33, 0.33]
    >>> estimates.losses("AE").by_method["BL"].round(2).tolist()
    [0.33, 0.33, 0.17, 0.17, 0.67, 0.67]
    """

    samples: Samples
    by_method: Mapping[str, FloatArray]

    def table(self) -> pd.DataFrame:
        """Tidy: one row for each method and sample, columns method, size, repeat, target, true, estimate.

        With more than two classes, each of the last three is split into a column for each class: target_0, target_1, ...
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
                "size": np.tile(samples.sizes, n_methods),
                "repeat": np.tile(samples.repeats, n_methods),
                **{name + part: column for name, parts in values.items() for part, column in parts.items()},
            }
        )

    def losses(self, loss: str, smoothing: Smoothing = "additive") -> "Losses":
        """`loss` of every estimate. Raises InvalidInput for an unknown loss."""
        check_losses([loss])
        function = prevalence_losses()[loss]
        evaluate = function.binary if self.samples.n_classes == 2 else function
        sizes, true = self.samples.sizes, self.samples.prevalences
        values = {
            method: evaluate(true, estimate, sample_size=sizes, smoothing=smoothing)
            for method, estimate in self.by_method.items()
        }
        return Losses(loss, self, values)


def _stacked(values: Sequence[FloatArray]) -> dict[str, FloatArray]:
    """The values of all methods, one below the other: {"": column}, or a column for each class."""
    stacked = np.concatenate(values)
    return {"": stacked} if stacked.ndim == 1 else {f"_{label}": column for label, column in enumerate(stacked.T)}


@dataclass(frozen=True)
class Losses:
    """One loss of several methods on the same samples: `by_method[method]` has shape (n_samples,).

    Examples
    --------
    >>> from qcore import ArtificialPrevalence
    >>> samples = ArtificialPrevalence(3, 4, 1).draw(np.array([0, 0, 0, 0, 1, 1, 1, 1]), np.random.default_rng(0))
    >>> Estimates(samples, {"half": np.full(3, 0.5)}).losses("AE").by_method["half"].tolist()
    [0.5, 0.0, 0.5]
    """

    loss: str
    estimates: Estimates
    by_method: Mapping[str, FloatArray]

    def table(self) -> pd.DataFrame:
        """The estimates' table with the columns loss and value."""
        return self.estimates.table().assign(loss=self.loss, value=np.concatenate([*self.by_method.values()]))


def estimation_seconds(n_methods: int, n_samples: int, sample_size: int) -> float:
    """Rough seconds that `estimate` takes on one core, for ordinary methods.

    Measured by `python -m benchmarks.durations`.

    Examples
    --------
    >>> round(estimation_seconds(4, 2100, 100), 2)
    0.13
    """
    return n_methods * n_samples * (1e-5 + 6e-8 * sample_size)


def estimates_in_turn(
    scores: Scores,
    wanted: Sequence[tuple[Samples, Methods]],
    *,
    on_progress: Callable[[float, str], None] | None = None,
    finished: FinishedPieces | None = None,
) -> list[dict[str, FloatArray]]:
    """The estimates for several sets of samples from one pool, such as a set for each size, each by its own methods.

    Parameters
    ----------
    scores : as in `estimate`.
    wanted : pairs of samples and methods, each as in `estimate`.
    on_progress : called after each block with the share that is done and what is being done; may raise to stop.
    finished : stores finished work on these scores; a later call continues from there. It knows methods by their names, so that
        with the same store a name must always mean the same quantifier.

    Returns read-only arrays, since `finished` shares them between calls. Raises InvalidInput as `estimate`.
    """
    total, done = sum(len(samples) for samples, _ in wanted), 0
    pieces = FinishedPieces() if finished is None else finished
    answers = []
    for samples, methods in wanted:

        def tell(share: float, before: int = done, samples: Samples = samples) -> None:
            if on_progress:
                overall = (before + share * len(samples)) / total
                now = f", now those of {samples.sample_size}" if len(wanted) > 1 else ""
                on_progress(overall, f"Estimating: {overall:.0%} of {total:,} samples done{now}")

        drawn = hashlib.sha256(samples.counts.tobytes()).hexdigest()
        key = (samples.seed, samples.sample_size, drawn, tuple(methods))
        answers.append(pieces.get(key, partial(_read_only, methods, scores, samples, tell)))
        done += len(samples)
    return answers


def _read_only(
    methods: Methods, scores: Scores, samples: Samples, on_progress: Callable[[float], None]
) -> dict[str, FloatArray]:
    by_method = dict(estimate(methods, scores, samples, on_progress).by_method)
    for values in by_method.values():
        values.setflags(write=False)
    return by_method


def estimate(
    methods: Methods,
    scores: Scores,
    samples: Samples,
    on_progress: Callable[[float], None] | None = None,
) -> Estimates:
    """The estimate of every quantifier for every sample.

    Samples are processed block by block; values of a block that several quantifiers need are computed once.

    Parameters
    ----------
    methods : keys of QUANTIFIERS; or a mapping from a name to a key or to a quantifier, such as your own, fitted or not
        (see `make_quantifiers`).
    scores : of one class against the rest, or of all classes; the training part is used to fit unfitted quantifiers;
        the samples are from the pool.
    samples : drawn from `scores.pool_labels`.
    on_progress : called after each block with the finished share; an exception it raises stops the work.

    Returns
    -------
    Estimates, whose `by_method` has for each name the estimated prevalences: of the positives (of two classes: of class 1),
    (n_samples,), or of more classes vectors, (n_samples, n_classes).

    Raises
    ------
    InvalidInput
        `scores` is not a Scores or `samples` not a Samples; the samples come from another pool, or have other classes than the
        scores; a method is unknown.

    Examples
    --------
    >>> import numpy as np
    >>> from qcore import ArtificialPrevalence, load_dataset, score_dataset
    >>> scores = score_dataset(load_dataset("iris"))
    >>> samples = ArtificialPrevalence(3, 10, 1).draw(scores.pool_labels, np.random.default_rng(0))
    >>> estimate(["CC", "BL"], scores, samples).by_method["BL"].round(2).tolist()
    [0.33, 0.33, 0.33]
    """
    check_kind("scores", scores, Scores, "For a data set pass score_dataset(dataset), for arrays Scores(...).")
    quantifiers: dict[str, Any] = make_quantifiers(
        methods, scores.training_scores, scores.training_labels, posteriors=scores.posteriors
    )
    check_pool(scores.pool_scores, samples)
    values: dict[str, FloatArray] = {}
    for rows, batch in _batches(scores, samples):
        for method, quantifier in quantifiers.items():
            estimates = quantifier.predict(batch if is_of_qcore(quantifier) else only_to_read(batch.scores))
            shape = (len(batch), *batch.scores.shape[2:])
            if method not in values:
                values[method] = np.empty((len(samples), *shape[1:]))
            values[method][rows] = check_estimates(method, estimates, shape)
        if on_progress:
            on_progress(rows.stop / len(samples))
    return Estimates(samples, {method: one[:, 1] if one.shape[1:] == (2,) else one for method, one in values.items()})


def _batches(scores: Scores, samples: Samples) -> Iterator[tuple[slice, Batch | ClassBatch]]:
    """(slice of the samples, their scores), block by block. Raises InvalidInput if the scores are of other classes."""
    if np.ndim(scores.pool_scores) == 1:
        check_classes(samples, 2)
        pool = RankedPool(scores.pool_scores)
        for block, index in samples.blocks():
            yield block, Batch.of_pool(pool, index)
        return
    class_pool = ClassPool(check_class_scores("pool_scores", scores.pool_scores))
    n_classes = class_pool.scores.shape[1]
    check_classes(samples, n_classes)
    step = class_samples_per_block(samples.sample_size, n_classes)
    for block, index in samples.blocks():
        for start in range(0, len(index), step):
            batch = ClassBatch.of_pool(class_pool, index[start : start + step])
            yield slice(block.start + start, block.start + start + len(batch)), batch


def check_pool(pool_scores: FloatArray, samples: Samples) -> None:
    """Raise InvalidInput unless there is a score for each instance of the pool that the samples were drawn from."""
    hint = "Draw them: protocol.draw(scores.pool_labels, np.random.default_rng(0)). evaluation_report takes a protocol."
    check_kind("samples", samples, Samples, hint)
    if len(pool_scores) != len(samples.pool_labels):
        raise InvalidInput(
            "pool_scores", f"have {len(samples.pool_labels)} scores", str(len(pool_scores)), "Draw from the same pool."
        )


def check_classes(samples: Samples, n_classes: int) -> None:
    """Raise InvalidInput unless the samples have `n_classes` classes."""
    if samples.n_classes != n_classes:
        hint = "Draw from the labels that belong to these scores; more than two classes need class scores."
        raise InvalidInput("samples", f"have {n_classes} classes, as the scores", str(samples.n_classes), hint)


def prevalence_losses() -> dict[str, Loss]:
    """All comparisons of a true with an estimated prevalence, by key: LOSSES, ORDERED_LOSSES, and the scores NAS and NSS."""
    scores = {key: measure.of_prevalences for key, measure in MEASURES.items() if measure.of_prevalences}
    return {**LOSSES, **ORDERED_LOSSES, **scores}


def check_losses(losses: Iterable[str]) -> list[str]:
    """Return the losses as a list, or raise InvalidInput for an unknown one."""
    checked = check_several("losses", losses)
    for loss in checked:
        check_choice("loss", loss, prevalence_losses())
    return checked


def report(estimates: Estimates, losses: Iterable[str], smoothing: Smoothing) -> pd.DataFrame:
    """The estimates' table with a column for each loss. Raises InvalidInput for an unknown loss."""
    columns = {loss: np.concatenate([*estimates.losses(loss, smoothing).by_method.values()]) for loss in losses}
    return estimates.table().assign(**columns)


def evaluation_report(
    scores: Scores,
    methods: Methods,
    protocol: SamplingProtocol,
    *,
    losses: Iterable[str] = ("AE", "KLD"),
    seed: int = 0,
    smoothing: Smoothing = "additive",
) -> pd.DataFrame:
    """A tidy report of methods on samples: true and estimated prevalence, and a column for each loss.

    Parameters
    ----------
    scores : scores of one data set and classifier, as from `score_dataset`: of one class against the rest, or of all classes.
    methods : keys of QUANTIFIERS; or a mapping from a name to a key or to a quantifier, such as your own, fitted or not.
    protocol : which samples to draw from the pool.
    losses : keys of LOSSES or ORDERED_LOSSES, or NAS and NSS of MEASURES. Those of ordered classes go by the order of
        `scores.classes`; `scores.in_order` changes it.
    seed : seed of the draws; all methods get the same samples.
    smoothing : of the prevalences before losses that need it, as in LOSSES: "additive" or "half_count".

    Returns
    -------
    DataFrame with a row for each method and sample; of more than two classes with the columns true_0, ..., estimate_0, ...
    `report.groupby("method")[["AE", "KLD"]].mean()` averages it.

    Raises
    ------
    InvalidInput
        An unknown method or loss; an invalid seed; a loss that takes only two classes (bias) for more; a pool too small for the
        sample size; an object that is not a protocol.

    Examples
    --------
    >>> from qcore import ArtificialPrevalence, load_dataset, score_dataset
    >>> scores = score_dataset(load_dataset("wdbc"))
    >>> report = evaluation_report(scores, ["CC", "AC"], ArtificialPrevalence(grid=11, sample_size=50, repeats=20))
    >>> report.groupby("method", sort=False)["AE"].mean().round(3).to_dict()
    {'CC': 0.03, 'AC': 0.018}
    """
    check_kind("scores", scores, Scores, "For a data set pass score_dataset(dataset).")
    checked = check_losses(losses)
    check_seed(seed)
    samples = draw_samples(protocol, scores.pool_labels, np.random.default_rng(seed))
    return report(estimate(methods, scores, samples), checked, smoothing)
