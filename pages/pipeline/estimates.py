"""The cache of estimates: samples of a protocol, and what each method makes of them."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import TypeVar

import numpy as np

from pages.pipeline.data_sets import pieces_about
from pages.pipeline.scores import fitted
from pages.work.answers import keep, known, shared
from pages.work.heavy import computed, no_bar
from pages.work.job import Work
from qcore import ArtificialPrevalence, DatasetReference, Estimates, Scores, ScoringSettings, SizeGrid
from qcore._base.validation import FloatArray
from qcore.evaluation.estimates import estimates_in_turn, estimation_seconds
from qcore.protocols import Samples

_Protocol = TypeVar("_Protocol", ArtificialPrevalence, SizeGrid)


@shared
def _samples(data: DatasetReference, settings: ScoringSettings, protocol: ArtificialPrevalence, _scores: Scores) -> Samples:
    return protocol.draw(_scores.pool_labels, np.random.default_rng(settings.seed))


def estimates(
    data: DatasetReference, settings: ScoringSettings, protocol: ArtificialPrevalence, methods: Sequence[str], scored: Scores
) -> Estimates:
    """Estimates of the methods on the protocol's samples, with progress; one more method computes only that one.

    `scored` is what `scores(data, settings)` gave: data and settings are its key. Raises InvalidInput.
    """
    samples = _samples(data, settings, protocol, scored)
    (result,) = kept_estimates((data, settings), {protocol: samples}, methods, scored)
    return result


def kept_estimates(
    of: tuple[DatasetReference, ScoringSettings],
    drawn: Mapping[_Protocol, Samples],
    methods: Sequence[str],
    scored: Scores,
) -> list[Estimates]:
    """Estimates of the methods on samples of several protocols, each kept by itself; those missing are computed together.

    `of` and a protocol determine its samples, which are `drawn`; `scored` are the scores of `of`. Raises InvalidInput.
    """
    data, settings = of
    arrays = {(one, method): known(_key(of, one, method)) for one in drawn for method in methods}
    missing = {one: tuple(method for method in methods if arrays[one, method] is None) for one in drawn}
    missing = {one: lacking for one, lacking in missing.items() if lacking}
    if not missing:
        no_bar()
    else:
        seconds = sum(
            estimation_seconds(len(lacking), len(drawn[one]), drawn[one].sample_size) for one, lacking in missing.items()
        )
        about = pieces_about(data, seconds)
        answers: list[dict[str, FloatArray]] = computed(
            ("missing estimates", *of, tuple(missing.items())),
            lambda: Work(
                estimates_in_turn,
                (scored, [(drawn[one], fitted(data, settings, lacking, scored)) for one, lacking in missing.items()]),
                pieces=None if about is None else f"estimates {about} {settings!r}",
            ),
            "Estimating",
            seconds,
        )
        for one, by_method in zip(missing, answers, strict=True):
            for method, values in by_method.items():
                arrays[one, method] = keep(_key(of, one, method), values)
    return [Estimates(samples, {method: arrays[one, method] for method in methods}) for one, samples in drawn.items()]


def _key(
    of: tuple[DatasetReference, ScoringSettings], protocol: ArtificialPrevalence | SizeGrid, method: str
) -> tuple[Hashable, ...]:
    return ("estimates", *of, protocol, method)
