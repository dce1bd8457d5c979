"""The metatable: the metafeatures of samples, with the candidates' estimates of them.

Source: Maletzke et al. 2020, section 5 and Figure 2.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np

from qcore._base.rounding import TIE
from qcore._base.validation import FloatArray, IntArray, InvalidInput, check_choice, check_several
from qcore.evaluation.estimates import estimate
from qcore.protocols.samples import Samples
from qcore.quantifiers import QUANTIFIERS
from qcore.quantifiers.histogram_matching import DyS
from qcore.recommender.metafeatures import metafeatures
from qcore.scoring.plan import Scores

CANDIDATES: Final = ("MS", "DyS-PS", "SORD")
"""The candidates of Maletzke et al. (2020): best for small samples, for large ones, and over all sizes."""


def check_candidates(candidates: Iterable[str]) -> tuple[str, ...]:
    """Return the candidates, or raise InvalidInput for fewer than two, repeated or unknown ones."""
    checked = tuple(check_several("candidates", candidates))
    for candidate in checked:
        check_choice("candidate", candidate, QUANTIFIERS)
    if len(checked) < 2 or len(set(checked)) < len(checked):
        value = ", ".join(checked) or "none"
        raise InvalidInput(
            "candidates", "be at least two different quantifiers", value, "Choose for example MS, DyS-PS and SORD."
        )
    return checked


@dataclass(frozen=True)
class MetaTable:
    """The metafeatures of samples, and the candidates' estimates of them.

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
        return self.metafeatures[:, 0].astype(np.intp)

    @cached_property
    def errors(self) -> FloatArray:
        """(n_samples, n_candidates) AE of each candidate."""
        return np.abs(self.estimates - self.true[:, np.newaxis])

    @cached_property
    def best(self) -> IntArray:
        """(n_samples,) index of the candidate with the lowest AE.

        Ties, which are common where several estimate 0 or 1, go to the one with the lower mean AE over the whole table (the
        paper leaves this open).
        """
        order = np.argsort(self.errors.mean(axis=0), kind="stable")
        errors = self.errors[:, order]
        return order[(errors <= errors.min(axis=1, keepdims=True) + TIE).argmax(axis=1)]

    @property
    def best_single(self) -> str:
        """The candidate with the lowest mean AE over the table."""
        return self.candidates[int(self.errors.mean(axis=0).argmin())]


def build_metatable(scores: Scores, features: FloatArray, samples: Samples, candidates: Sequence[str]) -> MetaTable:
    """Metafeatures and the candidates' estimates of samples from the pool of `scores`.

    `features` are the attributes of the pool's instances, (n_pool, n_attributes). Raises InvalidInput for unknown
    candidates, or fewer than two.
    """
    names = check_candidates(candidates)
    estimates = estimate(names, scores, samples).by_method
    dys = DyS("PS").fit(scores.training_scores, scores.training_labels)
    described = metafeatures(features, scores.pool_scores, samples, dys)
    return MetaTable(names, described, np.stack([estimates[name] for name in names], axis=1), samples.prevalences)


def stack_metatables(tables: Sequence[MetaTable]) -> MetaTable:
    """Tables of the same candidates, one below the other."""
    stacked = (np.concatenate([getattr(table, name) for table in tables]) for name in ("metafeatures", "estimates", "true"))
    return MetaTable(tables[0].candidates, *stacked)
