"""A loss between a true and an estimated prevalence: its formulas, and what an entry of the registry says of it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Literal

import numpy as np
from numpy.typing import ArrayLike

from qcore._base.registry import Entry
from qcore._base.validation import (
    TIE,
    FloatArray,
    IntArray,
    InvalidInput,
    check_choice,
    check_distributions,
    check_integer,
    check_one_shape,
    check_prevalences,
    whole_numbers,
)

_LEAST = float(np.finfo(float).tiny)
"""A prevalence up to here counts as 0: its reciprocal would overflow."""


def bias(true: FloatArray, estimated: FloatArray) -> FloatArray:
    """p_hat - p of the positive class (the last of two). Source: Barranquero 2013, eq. 2.3; Marufo 2023, eq. 4.2.

    Raises InvalidInput with more than two classes: a bias belongs to one class, and the biases of all classes sum to 0.
    """
    if true.shape[-1] != 2:
        raise InvalidInput(
            "true", "have 2 classes for the bias", f"{true.shape[-1]}", "Pass one class against the rest to .binary."
        )
    return estimated[..., 1] - true[..., 1]


def absolute_error(true: FloatArray, estimated: FloatArray) -> FloatArray:
    """mean_c |p_hat - p|. Source: Barranquero 2013, eq. 2.4; Marufo 2023, eq. 4.3.

    Marufo 2023, 4.3, exchanges AE and RAE where it says which one to take.
    """
    return np.abs(estimated - true).mean(axis=-1)


def normalised_absolute_error(true: FloatArray, estimated: FloatArray) -> FloatArray:
    """AE / z with z = 2 (1 - min_c p) / n_classes, its largest value at this true prevalence.

    Source: Marufo 2023, eq. 4.4-4.5.
    """
    worst = 2.0 * (1.0 - true.min(axis=-1)) / true.shape[-1]
    return absolute_error(true, estimated) / worst


def squared_error(true: FloatArray, estimated: FloatArray) -> FloatArray:
    """mean_c (p_hat - p)^2. Source: Barranquero 2013, eq. 2.5; Marufo 2023, eq. 4.6."""
    return np.square(estimated - true).mean(axis=-1)


def relative_absolute_error(true: FloatArray, estimated: FloatArray) -> FloatArray:
    """mean_c |p_hat - p| / p on smoothed prevalences; a class with p = 0 counts 0. Source: Marufo 2023, eq. 4.7.

    Marufo 2023, 4.3, exchanges AE and RAE where it says which one to take.
    """
    zeros = np.zeros(np.broadcast_shapes(true.shape, estimated.shape))
    relative = np.divide(np.abs(estimated - true), true, out=zeros, where=true > _LEAST)
    return relative.mean(axis=-1)


def normalised_relative_absolute_error(true: FloatArray, estimated: FloatArray) -> FloatArray:
    """RAE / z, where z is the largest value of RAE at this true prevalence. Source: Marufo 2023, eq. 4.8-4.9.

    z = (n_classes - 1 + (1 - m) / m) / n_classes with m the lowest prevalence. If a p stays 0 (half-count smoothing), which
    the source leaves open, z counts only the classes with p > 0, as the numerator does.
    """
    present = true > _LEAST
    n_present = present.sum(axis=-1)
    least = np.where(present, true, 1.0).min(axis=-1)
    worst = np.maximum(n_present - 1 + (1.0 - least) / least, 1.0) / true.shape[-1]
    return relative_absolute_error(true, estimated) / worst


def kullback_leibler_divergence(true: FloatArray, estimated: FloatArray) -> FloatArray:
    """sum_c p ln(p / p_hat) on smoothed prevalences; a class with p = 0 counts 0, and so does a negative sum.

    After half-count smoothing prevalences of more than two classes may not sum to 1, so that 0 does not prove that they agree.
    Source: Barranquero 2013, eq. 2.6; Marufo 2023, eq. 4.12.
    """
    logarithms = [np.log(np.maximum(prevalences, _LEAST)) for prevalences in (true, estimated)]
    # Rounding, or estimates that do not sum to 1 after half-count smoothing, could make the divergence negative.
    return np.maximum((true * (logarithms[0] - logarithms[1])).sum(axis=-1), 0.0)


def normalised_kullback_leibler_divergence(true: FloatArray, estimated: FloatArray) -> FloatArray:
    """2 e^KLD / (1 + e^KLD) - 1, computed as tanh(KLD / 2), which does not overflow. Source: Marufo 2023, eq. 4.13.

    It stays below 1; Marufo 2023, 4.2.8, gives it the range from 0 to infinity.
    """
    return np.tanh(kullback_leibler_divergence(true, estimated) / 2.0)


def normalised_absolute_score(true: FloatArray, estimated: FloatArray) -> FloatArray:
    """1 - |p_hat - p| / max(p, n), a score (1 is best).

    Source: Barranquero 2013, eq. 6.4; of more than two classes: 1 - NAE, which equals it for 2 classes.
    """
    return 1.0 - normalised_absolute_error(true, estimated)


def normalised_squared_score(true: FloatArray, estimated: FloatArray) -> FloatArray:
    """1 - (|p_hat - p| / max(p, n))^2, a score (1 is best).

    Source: Barranquero 2013, eq. 6.5; of more than two classes: 1 - NAE^2, likewise.
    """
    return 1.0 - np.square(normalised_absolute_error(true, estimated))


def normalised_match_distance(true: FloatArray, estimated: FloatArray) -> FloatArray:
    """NMD: sum over j < k of |cumulated (p_hat - p)_j|, over k - 1: what it takes to move the shares along the order.

    Source: Sakai 2021; the match distance, Werman et al. 1985.
    """
    steps = np.abs(np.cumsum(estimated - true, axis=-1)[..., :-1])
    return steps.mean(axis=-1)


def root_normalised_order_aware_divergence(true: FloatArray, estimated: FloatArray) -> FloatArray:
    """RNOD: sqrt(mean over the classes i with p_i > 0 of sum_j |i - j| (p_hat_j - p_j)^2, over k - 1). Source: Sakai 2021."""
    places = np.arange(true.shape[-1])
    apart = np.abs(places[:, np.newaxis] - places)
    of_class = np.square(estimated - true) @ apart
    present = true > _LEAST
    mean = np.where(present, of_class, 0.0).sum(axis=-1) / present.sum(axis=-1)
    return np.sqrt(mean / (true.shape[-1] - 1))


Smoothing = Literal["additive", "half_count"]
SMOOTHINGS = ("additive", "half_count")


def smooth(
    true: FloatArray, estimated: FloatArray, sample_size: int | IntArray, smoothing: Smoothing = "additive"
) -> tuple[FloatArray, FloatArray]:
    """Keep prevalences off 0 before a ratio or a logarithm.

    Parameters
    ----------
    true, estimated : (..., n_classes) prevalences.
    sample_size : S, the number of instances in the sample; or that of each sample, (...).
    smoothing : "additive": (p + eps) / (1 + eps n_classes) with eps = 1/(2S), on both (Marufo 2023, eq. 4.10). "half_count":
        Forman's rule, p_hat in {0, 1} becomes `|p_hat - 0.5/S|` (Barranquero 2013, algorithm 1). With more than two classes,
        which the source does not treat, the corrected estimate need not sum to 1.

    Examples
    --------
    >>> true, estimated = smooth(np.array([0.0, 1.0]), np.array([0.5, 0.5]), sample_size=100)
    >>> true.round(4).tolist()
    [0.005, 0.995]
    """
    eps = 0.5 / np.asarray(sample_size)[..., np.newaxis]
    if smoothing == "additive":
        scale = 1.0 + eps * true.shape[-1]
        return (true + eps) / scale, (estimated + eps) / scale
    at_border = (estimated <= TIE) | (estimated >= 1.0 - TIE)
    return true, np.where(at_border, np.abs(estimated - eps), estimated)


def _checked_size(sample_size: int | IntArray, shape: tuple[int, ...]) -> int | IntArray:
    """The size of all samples, or that of each of them, (...). Raises InvalidInput."""
    if np.ndim(sample_size) == 0:
        return check_integer("sample_size", sample_size, low=1)
    sizes = whole_numbers("sample_size", sample_size)
    if sizes.shape != shape or sizes.min(initial=1) < 1:
        got = f"shape {sizes.shape}, the least {sizes.min(initial=1)}"
        raise InvalidInput("sample_size", f"be 1 or more for each sample, shape {shape}", got, "Check the lengths.")
    return sizes


_OF_ONE_SHAPE = "have the shape of true, or one that broadcasts with it"
PROPERTIES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "MAX": "its worst value is the same whatever the true prevalence, so that a value can be judged by itself",
        "IMP": "impartial: an overestimate costs as much as an underestimate of the same size",
        "REL": "relative: an error of a given size costs more where the true prevalence is smaller",
        "ABS": "absolute: an error of a given size costs the same whatever the true prevalence",
    }
)


@dataclass(frozen=True)
class Loss(Entry):
    """A loss with what a page needs to explain it.

    `properties` lists those of MAX, IMP, REL, ABS (Marufo 2023, 4.1) that the loss has; a signed loss has none, since it does
    not order errors; `properties_source` names the proof. `best` is the value for a perfect estimate; `axis` is the range that
    a chart of the loss shows until the reader frees the axes. `also_called` has its names in other libraries. `slip` says where
    a source is mistaken about the loss, which is not repeated here.

    Examples
    --------
    >>> from qcore import LOSSES
    >>> LOSSES["AE"]([[0.7, 0.2, 0.1]], [[0.5, 0.2, 0.3]]).round(3).tolist(), LOSSES["AE"].binary(0.3, 0.5).round(3).item()
    ([0.133], 0.2)
    """

    function: Callable[[FloatArray, FloatArray], FloatArray]
    formula: str
    properties: frozenset[str]
    axis: tuple[float, float]
    smoothed: bool = False
    signed: bool = False
    best: float = 0.0
    properties_source: str = "Marufo 2023, section 4.1"
    slip: str = ""

    def __call__(
        self,
        true: ArrayLike,
        estimated: ArrayLike,
        *,
        sample_size: int | IntArray | None = None,
        smoothing: Smoothing = "additive",
    ) -> FloatArray:
        """Loss for prevalences of shape (..., n_classes); returns shape (...).

        Raises
        ------
        InvalidInput
            A prevalence vector does not sum to 1; the loss smooths and `sample_size` is missing.
        """
        p = check_distributions("true", true)
        p_hat = check_distributions("estimated", estimated)
        if p.shape[-1] != p_hat.shape[-1]:
            raise InvalidInput(
                "estimated", f"have the {p.shape[-1]} classes of true", f"{p_hat.shape[-1]}", "Check the last axes."
            )
        check_one_shape("estimated", p, p_hat, rule=_OF_ONE_SHAPE)
        return self._evaluate(p, p_hat, sample_size, smoothing)

    def binary(
        self,
        true: ArrayLike,
        estimated: ArrayLike,
        *,
        sample_size: int | IntArray | None = None,
        smoothing: Smoothing = "additive",
    ) -> FloatArray:
        """Loss for positive prevalences of any (broadcastable) shape; keeps it. Raises the same errors as `__call__`."""
        p, p_hat = check_prevalences("true", true), check_prevalences("estimated", estimated)
        check_one_shape("estimated", p, p_hat, rule=_OF_ONE_SHAPE)
        p, p_hat = np.broadcast_arrays(p, p_hat)
        return self._evaluate(np.stack([1.0 - p, p], axis=-1), np.stack([1.0 - p_hat, p_hat], axis=-1), sample_size, smoothing)

    def _evaluate(
        self, true: FloatArray, estimated: FloatArray, sample_size: int | IntArray | None, smoothing: Smoothing
    ) -> FloatArray:
        check_choice("smoothing", smoothing, SMOOTHINGS)
        if self.smoothed:
            if sample_size is None:
                raise InvalidInput(
                    "sample_size",
                    f"be given for {self.key}, which smooths prevalences of 0",
                    "None",
                    "Pass sample_size=, the number of instances in a sample.",
                )
            size = _checked_size(sample_size, true.shape[:-1])
            true, estimated = smooth(true, estimated, size, smoothing)
        return self.function(true, estimated)
