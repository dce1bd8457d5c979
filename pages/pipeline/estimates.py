"""Scores -> samples -> estimates, and how far samples overlap: steps that several pages share."""

from collections.abc import Hashable, Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd

from pages.pipeline.scores import fitted, pieces_about
from pages.pipeline.scores import scores as trained_scores
from pages.work.answers import cache_key_of, keep, known, named_key, shared, with_cache_key
from pages.work.engines import Work
from pages.work.heavy import no_bar, work
from qcore import ArtificialPrevalence, Estimates, Scores, SizeGrid
from qcore.base import FloatArray, IntArray
from qcore.evaluation.estimates import estimates_in_turn, estimation_seconds
from qcore.protocols import Samples
from qcore.studies import sample_size as overlaps

_Missing = Sequence[tuple[Samples, tuple[str, ...]]]
"""Samples, and the methods whose estimates of them are not there yet."""


@shared
def samples(scores: Scores, protocol: ArtificialPrevalence) -> Samples:
    """The samples that a protocol draws from the pool, by the seed of the scores. Raises InvalidInput."""
    return protocol.draw(scores.pool_labels, np.random.default_rng(scores.seed))


def estimates(scores: Scores, protocol: ArtificialPrevalence, methods: Sequence[str]) -> Estimates:
    """Estimates of the methods on the protocol's samples, with progress; one more method computes only that one.

    Raises InvalidInput.
    """
    (result,) = estimates_of(scores, [samples(scores, protocol)], methods)
    return result


def estimates_of(scores: Scores, drawn: Sequence[Samples], methods: Sequence[str]) -> list[Estimates]:
    """Estimates of the methods on several samplings of the pool, each kept by itself; those missing are computed together.

    Raises InvalidInput.
    """
    arrays = {(i, method): known(_key(one, method)) for i, one in enumerate(drawn) for method in methods}
    missing = {i: tuple(method for method in methods if arrays[i, method] is None) for i in range(len(drawn))}
    lacking = {i: names for i, names in missing.items() if names}
    if not lacking:
        no_bar()
    else:
        answers = _missing_estimates(scores, [(drawn[i], names) for i, names in lacking.items()])
        for i, by_method in zip(lacking, answers, strict=True):
            for method, values in by_method.items():
                arrays[i, method] = keep(_key(drawn[i], method), values)
    results = [Estimates(one, {method: arrays[i, method] for method in methods}) for i, one in enumerate(drawn)]
    return [with_cache_key(one, named_key("estimates", one.samples, tuple(methods))) for one in results]


def _key(drawn: Samples, method: str) -> Hashable:
    return named_key("estimates", drawn, method)


def _seconds(_scores: Scores, missing: _Missing) -> float:
    return sum(estimation_seconds(len(methods), len(drawn), drawn.sample_size) for drawn, methods in missing)


@work("Estimating", _seconds)
def _missing_estimates(scores: Scores, missing: _Missing) -> Work[list[dict[str, FloatArray]]]:
    return Work(
        estimates_in_turn,
        (scores, [(drawn, fitted(scores, methods)) for drawn, methods in missing]),
        pieces=_pieces(scores, _seconds(scores, missing)),
    )


def _pieces(scores: Scores, seconds: float) -> str | None:
    """The name of these estimates on disk; None for changed scores, such as calibrated ones, of which none are kept."""
    if (
        scores.data is None
        or scores.settings is None
        or cache_key_of(scores) != trained_scores.key(scores.data, scores.settings)
    ):
        return None
    about = pieces_about(scores.data, seconds)
    return None if about is None else f"estimates {about} {scores.settings!r}"


def samples_of_sizes(scores: Scores, grid: SizeGrid) -> list[Samples]:
    """The samples of each size of a grid, by the seed of the scores: drawn again when they are needed, not kept.

    Raises PoolTooSmall for a size that does not fit.
    """
    return [
        with_cache_key(
            grid.draw_at(size, scores.pool_labels, np.random.default_rng(scores.seed)),
            named_key("samples of a size", scores, grid.only(size)),
        )
        for size in grid.sizes
    ]


class SampleOverlap(NamedTuple):
    """How often each instance of the pool is drawn, (n_pool,), as a histogram too, and what samples of each size share."""

    counts: IntArray
    histogram: pd.DataFrame
    overlap: pd.DataFrame


@shared
def sample_overlap(scores: Scores, grid: SizeGrid) -> SampleOverlap:
    """How often instances are drawn for a grid, and how many of them samples have in common."""
    samples = samples_of_sizes(scores, grid)
    counts = overlaps.draw_counts(samples)
    return SampleOverlap(counts, overlaps.draw_histogram(counts, scores.pool_labels), overlaps.sample_overlap(samples))
