"""What a loss is, and how prevalences are kept off 0 before a ratio.

Two ways to keep prevalences off 0 before a ratio or a logarithm. The sample size is an argument, not a global variable.
"""

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
    InvalidInput,
    check_choice,
    check_distributions,
    check_integer,
    check_one_shape,
    check_prevalences,
)

Smoothing = Literal["additive", "half_count"]
SMOOTHINGS = ("additive", "half_count")


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
        check_one_shape("estimated", p, p_hat, rule=_OF_ONE_SHAPE)
        return self._evaluate(p, p_hat, sample_size, smoothing)

    def binary(
        self,
        true: ArrayLike,
        estimated: ArrayLike,
        *,
        sample_size: int | None = None,
        smoothing: Smoothing = "additive",
    ) -> FloatArray:
        """Loss for positive prevalences of any (broadcastable) shape; returns that shape. Raises as `__call__`."""
        p, p_hat = check_prevalences("true", true), check_prevalences("estimated", estimated)
        check_one_shape("estimated", p, p_hat, rule=_OF_ONE_SHAPE)
        p, p_hat = np.broadcast_arrays(p, p_hat)
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
