"""A store for the finished pieces of a long computation, so that a stopped computation continues where it ended."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Any, TypeVar

_Piece = TypeVar("_Piece")


class FinishedPieces:
    """Finished pieces of a long computation; only the `max_pieces` most recently used ones are kept.

    Examples
    --------
    >>> pieces = FinishedPieces(max_pieces=100)
    >>> pieces.get("answer", lambda: 6 * 7), pieces.get("answer", lambda: 0)
    (42, 42)
    """

    def __init__(self, max_pieces: int = 500) -> None:
        self._pieces: OrderedDict[Hashable, Any] = OrderedDict()
        self._max_pieces = max_pieces

    def __len__(self) -> int:
        return len(self._pieces)

    def get(self, key: Hashable, make: Callable[[], _Piece]) -> _Piece:
        """The piece stored under `key`; if there is none, it is made and stored."""
        if key not in self._pieces:
            self._pieces[key] = make()
        self._pieces.move_to_end(key)
        piece: _Piece = self._pieces[key]
        while len(self._pieces) > self._max_pieces:
            self._pieces.popitem(last=False)
        return piece
