"""Losses between a true and an estimated prevalence, binary and multiclass, and the registry LOSSES.

Every function takes `true` and `estimated` of shape (..., n_classes) and returns shape (...). Binary problems may
instead pass positive prevalences of any shape to `Loss.binary`. No global setting holds the sample size.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Literal

import numpy as np
from numpy.typing import ArrayLike

from qcore.validation import FloatArray, InvalidInput, check_choice, check_distributions, check_integer, check_prevalences

Smoothing = Literal["additive", "half_count"]
SMOOTHINGS: Final = ("additive", "half_count")

_LEAST: Final = float(np.finfo(float).tiny)
"""A prevalence up to here counts as 0: its reciprocal would overflow."""

PROPERTIES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "MAX": "its worst value is the same whatever the true prevalence, so that a value can be judged by itself",
        "IMP": "impartial: an overestimate costs as much as an underestimate of the same size",
        "REL": "relative: an error of a given size costs more where the true prevalence is smaller",
        "ABS": "absolute: an error of a given size costs the same whatever the true prevalence",
    }
)


def bias(true: FloatArray, estimated: FloatArray) -> FloatArray:
    """p_hat - p of the positive class (the last of two). Source: B eq. 2.3, M eq. 4.2.

    Raises InvalidInput with more than two classes: the bias is one class's, and those of all classes add up to 0.
    """
    if true.shape[-1] != 2:
        raise InvalidInput(
            "true", "have 2 classes for the bias", f"{true.shape[-1]}", "Pass one class against the rest to .binary."
        )
    return estimated[..., 1] - true[..., 1]


def absolute_error(true: FloatArray, estimated: FloatArray) -> FloatArray:
    """mean_c |p_hat - p|. Source: B eq. 2.4, M eq. 4.3."""
    return np.abs(estimated - true).mean(axis=-1)


def normalised_absolute_error(true: FloatArray, estimated: FloatArray) -> FloatArray:
    """AE / z with z = 2 (1 - min_c p) / n_classes, its largest value at this true prevalence. Source: M eq. 4.4-4.5."""
    worst = 2.0 * (1.0 - true.min(axis=-1)) / true.shape[-1]
    return absolute_error(true, estimated) / worst


def squared_error(true: FloatArray, estimated: FloatArray) -> FloatArray:
    """mean_c (p_hat - p)^2. Source: B eq. 2.5, M eq. 4.6."""
    return np.square(estimated - true).mean(axis=-1)


def relative_absolute_error(true: FloatArray, estimated: FloatArray) -> FloatArray:
    """mean_c |p_hat - p| / p on smoothed prevalences; a class with p = 0 counts 0. Source: M eq. 4.7."""
    zeros = np.zeros(np.broadcast_shapes(true.shape, estimated.shape))
    relative = np.divide(np.abs(estimated - true), true, out=zeros, where=true > _LEAST)
    return relative.mean(axis=-1)


def normalised_relative_absolute_error(true: FloatArray, estimated: FloatArray) -> FloatArray:
    """RAE / z, z its largest value at this true prevalence. Source: M eq. 4.8-4.9.

    z = (n_classes - 1 + (1 - m) / m) / n_classes with m the least prevalence. Where a p stays 0 (half-count
    smoothing), which the source leaves open, z counts the classes with p > 0 only, as the numerator does.
    """
    present = true > _LEAST
    n_present = present.sum(axis=-1)
    least = np.where(present, true, 1.0).min(axis=-1)
    worst = np.maximum(n_present - 1 + (1.0 - least) / least, 1.0) / true.shape[-1]
    return relative_absolute_error(true, estimated) / worst


def kullback_leibler_divergence(true: FloatArray, estimated: FloatArray) -> FloatArray:
    """sum_c p ln(p / p_hat) on smoothed prevalences; a class with p = 0 counts 0. Source: B eq. 2.6, M eq. 4.12."""
    logarithms = [np.log(np.maximum(prevalences, _LEAST)) for prevalences in (true, estimated)]
    # Equal prevalences leave rounding of either sign; the divergence itself is never negative.
    return np.maximum((true * (logarithms[0] - logarithms[1])).sum(axis=-1), 0.0)


def normalised_kullback_leibler_divergence(true: FloatArray, estimated: FloatArray) -> FloatArray:
    """2 e^KLD / (1 + e^KLD) - 1, computed as tanh(KLD / 2), which does not overflow. Source: M eq. 4.13."""
    return np.tanh(kullback_leibler_divergence(true, estimated) / 2.0)


def normalised_absolute_score(true: FloatArray, estimated: FloatArray) -> FloatArray:
    """1 - |p_hat - p| / max(p, n), a score (1 is best). Source: B eq. 6.4; multiclass: 1 - NAE, its equal with 2 classes."""
    return 1.0 - normalised_absolute_error(true, estimated)


def normalised_squared_score(true: FloatArray, estimated: FloatArray) -> FloatArray:
    """1 - (|p_hat - p| / max(p, n))^2, a score (1 is best). Source: B eq. 6.5; multiclass: 1 - NAE^2, likewise."""
    return 1.0 - np.square(normalised_absolute_error(true, estimated))


def smooth(
    true: FloatArray, estimated: FloatArray, sample_size: int, smoothing: Smoothing = "additive"
) -> tuple[FloatArray, FloatArray]:
    """Keep prevalences off 0 before a ratio or a logarithm.

    Parameters
    ----------
    true, estimated : (..., n_classes) prevalences.
    sample_size : S, the number of instances in the sample.
    smoothing : "additive": (p + eps) / (1 + eps n_classes) with eps = 1/(2S), on both (M eq. 4.10). "half_count":
        Forman's rule, p_hat in {0, 1} becomes |p_hat - 0.5/S| (B Algorithm 1); with more than two classes the
        corrected estimate is scaled to sum to 1 again, which changes nothing in the binary case.
    """
    if smoothing == "additive":
        eps = 0.5 / sample_size
        scale = 1.0 + eps * true.shape[-1]
        return (true + eps) / scale, (estimated + eps) / scale
    at_border = (estimated <= 0.0) | (estimated >= 1.0)
    corrected = np.where(at_border, np.abs(estimated - 0.5 / sample_size), estimated)
    return true, corrected / corrected.sum(axis=-1, keepdims=True)


@dataclass(frozen=True)
class Loss:
    """A loss with what a page needs to explain it.

    `properties` holds those of MAX, IMP, REL, ABS (M 4.1) that the loss has; a signed one has none, as it orders no
    errors. `best` is its value for a perfect estimate;
    `axis` is the range that a chart of it shows until the reader frees the axes.
    """

    key: str
    name: str
    function: Callable[[FloatArray, FloatArray], FloatArray]
    formula: str
    idea: str
    source: str
    properties: frozenset[str]
    axis: tuple[float, float]
    smoothed: bool = False
    signed: bool = False
    best: float = 0.0

    def __call__(
        self,
        true: ArrayLike,
        estimated: ArrayLike,
        *,
        sample_size: int | None = None,
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
        return self._evaluate(p, p_hat, sample_size, smoothing)

    def binary(
        self,
        true: ArrayLike,
        estimated: ArrayLike,
        *,
        sample_size: int | None = None,
        smoothing: Smoothing = "additive",
    ) -> FloatArray:
        """Loss for positive prevalences of any (broadcastable) shape; returns that shape. Raises as calling does."""
        p, p_hat = np.broadcast_arrays(check_prevalences("true", true), check_prevalences("estimated", estimated))
        return self._evaluate(np.stack([1.0 - p, p], axis=-1), np.stack([1.0 - p_hat, p_hat], axis=-1), sample_size, smoothing)

    def _evaluate(self, true: FloatArray, estimated: FloatArray, sample_size: int | None, smoothing: Smoothing) -> FloatArray:
        check_choice("smoothing", smoothing, SMOOTHINGS)
        if self.smoothed:
            if sample_size is None:
                raise InvalidInput(
                    "sample_size",
                    f"be given for {self.key}, which smooths prevalences of 0",
                    "None",
                    "Pass sample_size=, the number of instances in a sample.",
                )
            size = check_integer("sample_size", sample_size, low=1)
            true, estimated = smooth(true, estimated, size, smoothing)
        return self.function(true, estimated)


def _losses(*entries: Loss) -> Mapping[str, Loss]:
    return MappingProxyType({entry.key: entry for entry in entries})


def _properties(*names: str) -> frozenset[str]:
    return frozenset(names)


LOSSES: Final = _losses(
    Loss(
        "AE",
        "Absolute error",
        absolute_error,
        r"\mathrm{AE} = \frac{1}{|C|}\sum_{c \in C} |\hat p_c - p_c|",
        "How far the estimate is from the truth, in units of prevalence.",
        "Barranquero 2013, eq. 2.4; Marufo 2023, eq. 4.3",
        _properties("IMP", "ABS"),
        (0.0, 0.2),
    ),
    Loss(
        "KLD",
        "Kullback-Leibler divergence",
        kullback_leibler_divergence,
        r"\begin{gathered} \mathrm{KLD} = \sum_{c \in C} p_c \ln\frac{p_c}{\hat p_c} \\ "
        r"\text{on smoothed } p, \hat p \end{gathered}",
        "The information lost by taking the estimate for the truth; harsh where a class that exists is estimated near 0.",
        "Barranquero 2013, eq. 2.6; Marufo 2023, eq. 4.12",
        _properties(),
        (0.0, 0.2),
        smoothed=True,
    ),
    Loss(
        "bias",
        "Bias",
        bias,
        r"\mathrm{bias} = \hat p - p\quad\text{(positive class)}",
        "Which way the estimate errs: above 0 it overestimates, below 0 it underestimates. Means of it cancel out.",
        "Barranquero 2013, eq. 2.3; Marufo 2023, eq. 4.2",
        _properties(),
        (-0.2, 0.2),
        signed=True,
    ),
    Loss(
        "SE",
        "Squared error",
        squared_error,
        r"\mathrm{SE} = \frac{1}{|C|}\sum_{c \in C} (\hat p_c - p_c)^2",
        "As the absolute error, but large errors weigh more.",
        "Barranquero 2013, eq. 2.5; Marufo 2023, eq. 4.6",
        _properties("IMP", "ABS"),
        (0.0, 0.06),
    ),
    Loss(
        "RAE",
        "Relative absolute error",
        relative_absolute_error,
        r"\begin{gathered} \mathrm{RAE} = \frac{1}{|C|}\sum_{c \in C} \frac{|\hat p_c - p_c|}{p_c} \\ "
        r"\text{on smoothed } p, \hat p \end{gathered}",
        "The error as a share of the true prevalence, so that errors on a rare class weigh more.",
        "Marufo 2023, eq. 4.7",
        _properties("IMP", "REL"),
        (0.0, 5.0),
        smoothed=True,
    ),
    Loss(
        "NAE",
        "Normalised absolute error",
        normalised_absolute_error,
        r"\mathrm{NAE} = \frac{\mathrm{AE}}{z},\; z = \frac{2(1 - \min_c p_c)}{|C|}",
        "The absolute error over the largest one that is possible at this true prevalence.",
        "Marufo 2023, eq. 4.4-4.5",
        _properties("MAX", "IMP"),
        (0.0, 0.4),
    ),
    Loss(
        "NRAE",
        "Normalised relative absolute error",
        normalised_relative_absolute_error,
        r"\mathrm{NRAE} = \frac{\mathrm{RAE}}{z},\; z = \frac{|C| - 1 + (1 - \min_c p_c) / \min_c p_c}{|C|}",
        "The relative absolute error over the largest one that is possible at this true prevalence.",
        "Marufo 2023, eq. 4.8-4.9",
        _properties("MAX", "IMP"),
        (0.0, 0.4),
        smoothed=True,
    ),
    Loss(
        "NKLD",
        "Normalised Kullback-Leibler divergence",
        normalised_kullback_leibler_divergence,
        r"\mathrm{NKLD} = 2\,\frac{e^{\mathrm{KLD}}}{1 + e^{\mathrm{KLD}}} - 1",
        "The Kullback-Leibler divergence squeezed into [0, 1) by the logistic function.",
        "Marufo 2023, eq. 4.13",
        _properties("MAX"),
        (0.0, 0.15),
        smoothed=True,
    ),
)

SCORES: Final = _losses(
    Loss(
        "NAS",
        "Normalised absolute score",
        normalised_absolute_score,
        r"\mathrm{NAS} = 1 - \frac{|\hat p - p|}{\max(p, n)}",
        "1 minus the normalised absolute error: 1 is best, 0 is worst.",
        "Barranquero 2013, eq. 6.4",
        _properties("MAX", "IMP"),
        (0.0, 1.0),
        best=1.0,
    ),
    Loss(
        "NSS",
        "Normalised squared score",
        normalised_squared_score,
        r"\mathrm{NSS} = 1 - \left(\frac{|\hat p - p|}{\max(p, n)}\right)^2",
        "1 minus the square of the normalised absolute error: 1 is best, 0 is worst.",
        "Barranquero 2013, eq. 6.5",
        _properties("MAX", "IMP"),
        (0.0, 1.0),
        best=1.0,
    ),
)
