"""The metatable: the metafeatures of samples, with the candidates' estimates of them.

Source: Maletzke et al. 2020, section 5 and Figure 2.

Metafeatures of a sample: its size, simple statistics of its attributes, and the distance of DyS.

Source: Maletzke et al. 2020, section 5.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from qcore._base.threads import one_thread
from qcore._base.validation import TIE, FloatArray, IntArray, InvalidInput, check_choice, check_several
from qcore.evaluation.estimates import estimate
from qcore.protocols.samples import Samples
from qcore.quantifiers import QUANTIFIERS, DyS
from qcore.quantifiers.batch import Batch, RankedPool
from qcore.scoring.plan import Scores

METAFEATURES = (
    "size",
    "coefficient of variation",
    "kurtosis",
    "skewness",
    "correlation",
    "DyS distance",
)
"""Names of the columns of `metafeatures`."""

_VALUES_PER_CHUNK = 2**20
_ZERO = 1e-12
"""A mean this small relative to the scale counts as 0."""


def metafeatures(features: FloatArray, pool_scores: FloatArray, samples: Samples, dys: DyS) -> FloatArray:
    """The metafeatures of each sample, (n_samples, 6), columns as METAFEATURES.

    Parameters
    ----------
    features : (n_pool, n_attributes) numbers.
    pool_scores : (n_pool,).
    samples : drawn from that pool.
    dys : a fitted DyS; the metafeature is its lowest distance, as the median over its numbers of bins.

    The coefficient of variation (standard deviation over magnitude of the mean), the excess kurtosis and the skewness are
    means over the attributes, the correlation the mean magnitude of Pearson's over all pairs of them. The paper names them
    without formulas: the moments are the sample's own; attributes that are constant in the sample are left out, for the
    coefficient of variation also those with a mean of 0; if none is left, a metafeature is 0.

    Source: Maletzke et al. 2020, section 5.
    """
    scaled = _Scaled(features)
    pool = RankedPool(pool_scores)
    table = np.empty((len(samples), len(METAFEATURES)))
    table[:, 0] = samples.sample_size
    for block, index in samples.blocks():
        table[block, 1:5] = scaled.statistics(index)
        table[block, 5] = dys.least_distance(Batch.of_pool(pool, index))
    return table


class _Scaled:
    """A pool's attributes on a common scale, so that rounding affects all alike; constant attributes are left out."""

    def __init__(self, features: FloatArray) -> None:
        used = features[:, features.min(axis=0) < features.max(axis=0)] if len(features) else features
        # By quartiles: with the range, a single huge value would leave the others no digits.
        low, self._middles, high = np.quantile(used, (0.25, 0.5, 0.75), axis=0) if used.size else np.ones((3, 0))
        self._spreads = np.where(high > low, high - low, used.std(axis=0))
        self._values = np.ascontiguousarray((used - self._middles) / self._spreads)

    def statistics(self, index: IntArray) -> FloatArray:
        """Mean CV, kurtosis, skewness and correlation of samples of indices (n_samples, sample_size): (n_samples, 4)."""
        n_samples, size = index.shape
        n_attributes = self._values.shape[1]
        statistics = np.zeros((n_samples, 4))
        if n_attributes == 0:
            return statistics
        step = max(1, _VALUES_PER_CHUNK // (n_attributes * max(size, n_attributes)))
        with one_thread():
            for start in range(0, n_samples, step):
                statistics[start : start + step] = self._chunk(index[start : start + step])
        return statistics

    def _chunk(self, index: IntArray) -> FloatArray:
        values = self._values[index]
        varies = values.min(axis=1) < values.max(axis=1)
        centres = values.mean(axis=1)
        values -= centres[:, np.newaxis, :]
        products = np.matmul(values.transpose(0, 2, 1), values) / index.shape[1]
        variances = np.einsum("ijj->ij", products).copy()
        powers = values**2
        third = np.einsum("ikj,ikj->ij", powers, values) / index.shape[1]
        fourth = np.einsum("ikj,ikj->ij", powers, powers) / index.shape[1]
        spread = np.sqrt(np.where(varies, variances, 1.0))
        means = np.abs(centres * self._spreads + self._middles)
        has_mean = varies & (means > _ZERO * self._spreads)
        variation = spread * self._spreads / np.where(has_mean, means, 1.0)
        return np.stack(
            [
                _mean_of(variation, has_mean),
                _mean_of(fourth / spread**4 - 3.0, varies),
                _mean_of(third / spread**3, varies),
                _mean_correlation(products, spread, varies),
            ],
            axis=1,
        )


def _mean_of(values: FloatArray, counts: np.ndarray) -> FloatArray:
    """Mean over the last axis of the values that count; 0 if none does."""
    return np.where(counts, values, 0.0).sum(axis=-1) / np.maximum(counts.sum(axis=-1), 1)


def _mean_correlation(products: FloatArray, spread: FloatArray, varies: np.ndarray) -> FloatArray:
    """Mean magnitude of the correlation over pairs of attributes that vary, (n_samples,); 0 if there is no pair."""
    weights = varies / spread
    products *= weights[:, :, np.newaxis]
    products *= weights[:, np.newaxis, :]
    # Each attribute with itself counts 1; each pair is there twice.
    n_varying = varies.sum(axis=1)
    pairs = np.abs(products, out=products).sum(axis=(1, 2)) - n_varying
    return np.maximum(pairs, 0.0) / np.maximum(n_varying * (n_varying - 1), 1)


CANDIDATES = ("MS", "DyS-PS", "SORD")
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
