"""The formulas: functions of a true and an estimated prevalence, each (..., n_classes) -> (...)."""

import numpy as np

from qcore._base.validation import FloatArray, InvalidInput

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
