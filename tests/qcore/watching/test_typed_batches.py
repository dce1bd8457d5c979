"""Batches as text: both ways to write them, there and back, and what is none."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qcore import InvalidInput
from qcore.watching import Batches, as_typed, typed_batches

PAIRS = st.lists(st.tuples(st.integers(0, 50), st.integers(50, 200)), min_size=2, max_size=20)


@given(PAIRS)
def test_there_and_back(pairs):
    positives, sizes = np.array(pairs).T
    read = typed_batches(as_typed(Batches(np.arange(1, len(pairs) + 1), positives, sizes)))
    assert read.positives.tolist() == positives.tolist()
    assert read.sizes.tolist() == sizes.tolist()
    assert read.names.tolist() == list(range(1, len(pairs) + 1))


@pytest.mark.parametrize("text", ["", "31/100", "31/100 28", "31/100 28/0x9", "31 28", "-1/5 2/5", "1/2/3 1/2", "3 4 of many"])
def test_what_is_none(text):
    with pytest.raises(InvalidInput, match="Write for example: 31/100 28/100"):
        typed_batches(text)
