"""Two ways to keep prevalences off 0 before a ratio or a logarithm. The sample size is an argument, not a global variable."""

from typing import Final, Literal

import numpy as np

from qcore._base.rounding import TIE
from qcore._base.validation import FloatArray

Smoothing = Literal["additive", "half_count"]
SMOOTHINGS: Final = ("additive", "half_count")


def smooth(
    true: FloatArray, estimated: FloatArray, sample_size: int, smoothing: Smoothing = "additive"
) -> tuple[FloatArray, FloatArray]:
    """Keep prevalences off 0 before a ratio or a logarithm.

    Parameters
    ----------
    true, estimated : (..., n_classes) prevalences.
    sample_size : S, the number of instances in the sample.
    smoothing : "additive": (p + eps) / (1 + eps n_classes) with eps = 1/(2S), on both (Marufo 2023, eq. 4.10). "half_count":
        Forman's rule, p_hat in {0, 1} becomes `|p_hat - 0.5/S|` (Barranquero 2013, algorithm 1). With more than two classes,
        which the source does not treat, the corrected estimate need not sum to 1.
    """
    if smoothing == "additive":
        eps = 0.5 / sample_size
        scale = 1.0 + eps * true.shape[-1]
        return (true + eps) / scale, (estimated + eps) / scale
    at_border = (estimated <= TIE) | (estimated >= 1.0 - TIE)
    return true, np.where(at_border, np.abs(estimated - 0.5 / sample_size), estimated)
