"""What programs on top of qcore use of its foundation: types of arrays, equality of numbers, registries, kept pieces of work.

The rooms of qcore import from `_base`, where these are defined and more; everybody else imports from here.
"""

from qcore._base.interrupted import say_stopped, usual_from_here
from qcore._base.registry import registry
from qcore._base.stored_pieces import FinishedPieces, StoredPieces, check_owner
from qcore._base.validation import TIE, FloatArray, IntArray, percentage_decimals

__all__ = [
    "TIE",
    "FinishedPieces",
    "FloatArray",
    "IntArray",
    "StoredPieces",
    "check_owner",
    "percentage_decimals",
    "registry",
    "say_stopped",
    "usual_from_here",
]
