"""Orders of random keys that have been drawn before, since samples of another size begin with the same keys."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Final

import numpy as np
from numpy.typing import NDArray

from qcore._base.validation import IntArray

_MOST_BYTES: Final = 2**26
"""Limit for the orders that each process keeps, without the overhead of their entries."""

_MOST_ORDERS: Final = 2**14
"""Limit for their number, since small orders take less memory than their entries."""


class KeptOrders:
    """The orders of keys that a generator draws, by the generator's state before it draws them.

    Parameters
    ----------
    most_bytes : limit for the total size of the most recently used orders, which are kept.

    Attributes
    ----------
    n_bytes : total size of the orders that are kept.
    """

    def __init__(self, most_bytes: int) -> None:
        self._most_bytes, self.n_bytes = most_bytes, 0
        self._orders: OrderedDict[Hashable, NDArray[np.unsignedinteger]] = OrderedDict()
        self._lock = threading.Lock()

    def get(
        self, rng: np.random.Generator, shape: tuple[int, int], n_first: int, ordered: Callable[[int], IntArray]
    ) -> NDArray[np.integer]:
        """The first `n_first` columns of each row, ordered by keys of this shape from `rng`; it is left as if it drew them.

        `ordered(n)` draws the keys, numbers of 64 bits, and gives the first n. If a kept order is too short, twice as many as
        are needed are ordered, since larger samples may follow.
        """
        if not isinstance(rng.bit_generator, np.random.PCG64):
            return ordered(n_first)
        state = rng.bit_generator.state["state"]
        key = (state["state"], state["inc"], *shape)
        with self._lock:
            kept = self._orders.get(key)
            if kept is not None:
                self._orders.move_to_end(key)
        if kept is not None and kept.shape[1] >= n_first:
            _advance(rng.bit_generator, shape[0] * shape[1])
            return kept[:, :n_first]
        columns = ordered(n_first if kept is None else min(2 * n_first, shape[1]))
        self._keep(key, columns.astype(np.min_scalar_type(shape[1])))
        return columns[:, :n_first]

    def _keep(self, key: Hashable, order: NDArray[np.unsignedinteger]) -> None:
        with self._lock:
            before = self._orders.pop(key, None)
            self._orders[key] = order
            self.n_bytes += order.nbytes - (0 if before is None else before.nbytes)
            while self.n_bytes > self._most_bytes or len(self._orders) > _MOST_ORDERS:
                self.n_bytes -= self._orders.popitem(last=False)[1].nbytes


def _advance(generator: np.random.PCG64, n_drawn: int) -> None:
    """Advance by `n_drawn` numbers of 64 bits; an unused half of an earlier one stays, as if the numbers had been drawn."""
    before = generator.state
    generator.advance(n_drawn)
    if before["has_uint32"]:
        after = generator.state
        after["has_uint32"], after["uinteger"] = before["has_uint32"], before["uinteger"]
        generator.state = after


KEPT_ORDERS: Final = KeptOrders(_MOST_BYTES)
