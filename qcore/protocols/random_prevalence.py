"""Protocols that draw each sample's prevalence at random: uniform (UPP), natural (NPP), and by a Beta density."""

from dataclasses import dataclass

import numpy as np

from qcore._base.validation import IntArray, InvalidInput, check_generator, check_integer, check_positive
from qcore.protocols.pool import check_n_samples, check_sample_size, counts_of_prevalences, pool_classes, samples_with
from qcore.protocols.samples import Samples


def _check(n_samples: int, sample_size: int) -> None:
    check_integer("n_samples", n_samples, low=1, hint="Choose for example 1000.")
    check_integer("sample_size", sample_size, low=1, hint="Choose for example 100.")
    check_n_samples(n_samples)


@dataclass(frozen=True)
class UniformPrevalence:
    """UPP: prevalence vectors uniform on the simplex (each class alike), a sample of `sample_size` for each.

    Drawn without replacement; counts are rounded to sum to the sample size, by largest remainder. Raises InvalidInput for a
    value out of range. Source: Esuli et al. 2023; QuaPy, evaluation page.

    Examples
    --------
    >>> import numpy as np
    >>> labels = np.repeat([0, 1, 2], 50)
    >>> samples = UniformPrevalence(n_samples=500, sample_size=20).draw(labels, np.random.default_rng(0))
    >>> samples.prevalences.mean(axis=0).round(1).tolist()
    [0.3, 0.4, 0.3]
    """

    n_samples: int = 1000
    sample_size: int = 100

    def __post_init__(self) -> None:
        _check(self.n_samples, self.sample_size)

    def draw(self, pool_labels: IntArray, rng: np.random.Generator) -> Samples:
        """Samples from a pool of any number of classes; PoolTooSmall when its smallest class is smaller than a sample."""
        check_generator(rng)
        labels, sizes = pool_classes(pool_labels)
        check_sample_size(self.sample_size, int(sizes.min()), "the smallest class of the pool")
        check_n_samples(self.n_samples, len(sizes))
        targets = rng.dirichlet(np.ones(len(sizes)), size=self.n_samples)
        return samples_with(counts_of_prevalences(targets, self.sample_size), targets, labels, rng)


@dataclass(frozen=True)
class NaturalPrevalence:
    """NPP: uniform random samples of the pool, so that prevalences stay near the pool's own.

    Raises InvalidInput for a value out of range. Source: QuaPy, evaluation page.

    Examples
    --------
    >>> import numpy as np
    >>> labels = np.repeat([1, 0], [30, 70])
    >>> samples = NaturalPrevalence(n_samples=500, sample_size=20).draw(labels, np.random.default_rng(0))
    >>> round(float(samples.prevalences.mean()), 1)
    0.3
    """

    n_samples: int = 1000
    sample_size: int = 100

    def __post_init__(self) -> None:
        _check(self.n_samples, self.sample_size)

    def draw(self, pool_labels: IntArray, rng: np.random.Generator) -> Samples:
        """Samples from a pool of any number of classes; PoolTooSmall when the pool is smaller than a sample."""
        check_generator(rng)
        labels, sizes = pool_classes(pool_labels)
        check_sample_size(self.sample_size, int(sizes.sum()), "the pool")
        check_n_samples(self.n_samples, len(sizes))
        # First how many instances of each class a uniform sample holds, then which ones.
        counts = rng.multivariate_hypergeometric(sizes, self.sample_size, size=self.n_samples)
        targets = np.broadcast_to(sizes / sizes.sum(), counts.shape)
        return samples_with(counts, targets, labels, rng)


@dataclass(frozen=True)
class BetaPrevalence:
    """A binary protocol that draws the positive prevalence from a Beta density, to give more weight to some prevalences.

    Parameters
    ----------
    a, b : parameters of the density, above 0: its mean is a / (a + b). The default puts the weight on rare positives.
    n_samples, sample_size : as in UPP, which is a = b = 1.

    Raises InvalidInput for a value out of range. Source: Barranquero 2013, 4.3.

    Examples
    --------
    >>> import numpy as np
    >>> labels = np.repeat([1, 0], 50)
    >>> samples = BetaPrevalence(a=1, b=9, n_samples=500, sample_size=20).draw(labels, np.random.default_rng(0))
    >>> round(float(samples.prevalences.mean()), 2)
    0.1
    """

    a: float = 1.0
    b: float = 5.0
    n_samples: int = 1000
    sample_size: int = 100

    def __post_init__(self) -> None:
        check_positive("a", self.a)
        check_positive("b", self.b)
        _check(self.n_samples, self.sample_size)

    def draw(self, pool_labels: IntArray, rng: np.random.Generator) -> Samples:
        """Samples from a pool of two classes; InvalidInput for more, PoolTooSmall when a class is smaller than a sample."""
        check_generator(rng)
        labels, sizes = pool_classes(pool_labels)
        if len(sizes) != 2:
            raise InvalidInput("the pool", "have 2 classes", f"{len(sizes)}", "For more classes use UniformPrevalence.")
        check_sample_size(self.sample_size, int(sizes.min()), "the smaller class of the pool")
        positive = rng.beta(self.a, self.b, size=self.n_samples)
        targets = np.stack([1.0 - positive, positive], axis=1)
        return samples_with(counts_of_prevalences(targets, self.sample_size), targets, labels, rng)
