"""What the contract tests know of a quantifier: its slow definition, how close it comes, what constant scores give."""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Definition:
    """How a quantifier is checked.

    Attributes
    ----------
    estimate : scores and labels of the training part, and a sample, as lists -> its estimate, in plain loops.
    constant : a score that all instances have, of which a quarter are positive in training -> its estimate.
    tolerance : how far the estimate may be from that of the definition.
    """

    estimate: Callable[[list[float], list[int], list[float]], float]
    constant: Callable[[float], float]
    tolerance: float = 1e-9
