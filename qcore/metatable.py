"""The metatable: samples as a recommender sees them, with what its candidates say of them (Z 5, Figure 2)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np

from qcore.estimates import estimate
from qcore.metafeatures import metafeatures
from qcore.quantifiers import QUANTIFIERS, make_quantifiers
from qcore.quantifiers.matching import DyS
from qcore.rounding import TIE
from qcore.sampling import Samples
from qcore.scores import Scores
from qcore.validation import FloatArray, IntArray, InvalidInput, check_choice, check_several

CANDIDATES: Final = ("MS", "DyS-PS", "SORD")
"""The paper's: best for small samples, for large ones, and over all sizes."""


def check_candidates(candidates: Iterable[str]) -> tuple[str, ...]:
    """The candidates, or InvalidInput for fewer than two, one given twice, or an unknown one."""
    checked = tuple(check_several("candidates", candidates))
    for candidate in checked:
        check_choice("candidate", candidate, QUANTIFIERS)
    if len(checked) < 2 or len(set(checked)) < len(checked):
        said = ", ".join(checked) or "none"
        raise InvalidInput(
            "candidates", "be at least two different quantifiers", said, "Choose for example MS, DyS-PS and SORD."
        )
    return checked


@dataclass(frozen=True)
class MetaTable:
    """What a recommender is told of samples, and what its candidates say of them.

    Attributes
    ----------
    candidates : (n_candidates,) keys of QUANTIFIERS.
    metafeatures : (n_samples, 6), columns as METAFEATURES.
    estimates : (n_samples, n_candidates).
    true : (n_samples,) true prevalences.
    """

    candidates: tuple[str, ...]
    metafeatures: FloatArray
    estimates: FloatArray
    true: FloatArray

    def __len__(self) -> int:
        return len(self.true)

    @property
    def sizes(self) -> IntArray:
        """(n_samples,) sample sizes."""
        return self.metafeatures[:, 0].astype(np.int64)

    @cached_property
    def errors(self) -> FloatArray:
        """(n_samples, n_candidates) AE of each candidate."""
        return np.abs(self.estimates - self.true[:, np.newaxis])

    @cached_property
    def best(self) -> IntArray:
        """(n_samples,) place of the candidate with the least AE.

        Of equal ones, as is common where several say 0 or 1, the one that errs less over the whole table (the paper leaves
        this open).
        """
        order = np.argsort(self.errors.mean(axis=0), kind="stable")
        errors = self.errors[:, order]
        return order[(errors <= errors.min(axis=1, keepdims=True) + TIE).argmax(axis=1)]

    @property
    def best_single(self) -> str:
        """The candidate with the least mean AE over the table."""
        return self.candidates[int(self.errors.mean(axis=0).argmin())]


def meta_table(scores: Scores, features: FloatArray, samples: Samples, candidates: Sequence[str]) -> MetaTable:
    """Metafeatures and the candidates' estimates of samples from the pool of `scores`.

    `features` are the attributes of the pool's instances, (n_pool, n_attributes). Raises InvalidInput for candidates that are
    not at least two quantifiers.
    """
    names = check_candidates(candidates)
    fitted = make_quantifiers(names, scores.training_scores, scores.training_labels)
    found = estimate(fitted, scores.pool_scores, samples).by_method
    dys = DyS("PS").fit(scores.training_scores, scores.training_labels)
    described = metafeatures(features, scores.pool_scores, samples, dys)
    return MetaTable(names, described, np.stack([found[name] for name in names], axis=1), samples.prevalences)


def one_table(tables: Sequence[MetaTable]) -> MetaTable:
    """Tables of the same candidates, one below the other."""
    stacked = (np.concatenate([getattr(table, name) for table in tables]) for name in ("metafeatures", "estimates", "true"))
    return MetaTable(tables[0].candidates, *stacked)
