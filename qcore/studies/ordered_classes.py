"""Ordered classes: losses of estimates that move a share to a near or to a far class, and methods compared by such losses."""

from dataclasses import dataclass
from typing import Final

import numpy as np
import pandas as pd

from qcore._base.validation import FloatArray, check_fraction, check_integer
from qcore.losses import LOSSES, ORDERED_LOSSES, Smoothing
from qcore.studies.more_than_two_classes import AllClassesErrors

COMPARED: Final = {"AE": LOSSES["AE"], **ORDERED_LOSSES}
"""AE, which ignores the order of the classes, and the losses that depend on it."""

_TRUE: Final = np.array([0.5, 0.35, 0.15, 0.0, 0.0])


@dataclass(frozen=True)
class MovedShare:
    """True shares of five ordered classes, an estimate that has moved a part of the first class, and what losses say.

    Attributes
    ----------
    true, estimated : (5,).
    losses : distance (in classes, from 1), loss (of `COMPARED`), value.
    """

    true: FloatArray
    estimated: FloatArray
    losses: pd.DataFrame


def moved_share(distance: int, moved: float = 0.15) -> MovedShare:
    """An estimate that moves a share `moved`, up to 0.5, from the first of five classes to the class `distance` above it.

    Raises InvalidInput for a distance other than 1 to 4.

    Examples
    --------
    >>> table = moved_share(4).losses.pivot(index="distance", columns="loss", values="value")
    >>> table.AE.round(2).tolist(), table.NMD.round(2).tolist()
    ([0.06, 0.06, 0.06, 0.06], [0.04, 0.08, 0.11, 0.15])
    """
    check_integer("distance", distance, low=1, high=len(_TRUE) - 1)
    check_fraction("moved", moved, high=float(_TRUE[0]))
    distances = np.arange(1, len(_TRUE))
    estimates = np.tile(_TRUE, (len(distances), 1))
    estimates[:, 0] -= moved
    estimates[distances - 1, distances] += moved
    true = np.broadcast_to(_TRUE, estimates.shape)
    losses = pd.concat(
        pd.DataFrame({"distance": distances, "loss": key, "value": loss(true, estimates)}) for key, loss in COMPARED.items()
    )
    return MovedShare(_TRUE, estimates[distance - 1], losses.reset_index(drop=True))


def ordered_losses(errors: AllClassesErrors, smoothing: Smoothing = "additive") -> pd.DataFrame:
    """Mean AE, NMD and RNOD of each method on the same samples, best by NMD first: method and a column for each loss.

    The classes are in the order of `errors.classes`.
    """
    means = {
        key: {method: float(values.mean()) for method, values in errors.estimates.losses(key, smoothing).by_method.items()}
        for key in COMPARED
    }
    table = pd.DataFrame(means).rename_axis("method").reset_index()
    return table.sort_values("NMD", kind="stable", ignore_index=True)
