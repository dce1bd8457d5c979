"""Batches as a person types them: "31/100, 28/100", or "31 28 30 of 100" where all are of one size."""

import re
from typing import Final

import numpy as np

from qcore._base.validation import InvalidInput
from qcore.watching.batches import Batches

_WAY_OUT: Final = "Write for example: 31/100 28/100, or 31 28 of 100."
_NUMERAL: Final = re.compile(r"[0-9]{1,9}")


def typed_batches(text: str) -> Batches:
    """The batches in a text, in the order of time, named 1, 2, ...

    Raises InvalidInput for anything but whole numbers, and for fewer than two batches.

    Examples
    --------
    >>> typed_batches("31/100, 28/100").positives.tolist(), typed_batches("31 28 of 90").sizes.tolist()
    ([31, 28], [90, 90])
    """
    listed, separator, size = text.partition("of")
    entries = [word for word in re.split(r"[\s,;]+", listed) if word]
    pairs = [(word, size.strip()) if separator else tuple(word.split("/")) for word in entries]
    for word, pair in zip(entries, pairs, strict=True):
        if len(pair) != 2 or not all(_NUMERAL.fullmatch(one) for one in pair):
            raise InvalidInput("each batch", "be its positives and its size", repr(word[:20]), _WAY_OUT)
    if len(pairs) < 2:
        raise InvalidInput("batches", "be two or more", f"{len(pairs)}", _WAY_OUT)
    positives, sizes = np.array(pairs).T.astype(np.intp)
    return Batches(np.arange(1, len(pairs) + 1), positives, sizes)


def as_typed(batches: Batches) -> str:
    """The shortest text that `typed_batches` reads as these.

    Examples
    --------
    >>> as_typed(typed_batches("31/100, 28/100")), as_typed(typed_batches("31/100, 28/90"))
    ('31 28 of 100', '31/100 28/90')
    """
    pairs = list(zip(batches.positives.tolist(), batches.sizes.tolist(), strict=True))
    if len(set(batches.sizes.tolist())) == 1:
        return f"{' '.join(str(found) for found, _ in pairs)} of {pairs[0][1]}"
    return " ".join(f"{found}/{size}" for found, size in pairs)
