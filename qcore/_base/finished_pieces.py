"""A place to keep the finished pieces of long work, so that work that was stopped goes on where it ended."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Any, TypeVar

_Piece = TypeVar("_Piece")


class FinishedPieces:
    """Keeps the pieces used last, up to a number of them.

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
        """The piece of that key; made, and kept, if it is not there."""
        if key not in self._pieces:
            self._pieces[key] = make()
        self._pieces.move_to_end(key)
        piece: _Piece = self._pieces[key]
        while len(self._pieces) > self._max_pieces:
            self._pieces.popitem(last=False)
        return piece
