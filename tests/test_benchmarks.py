"""What the experiments of the papers are made of: facts that the papers and the definitions give."""

import numpy as np
import pytest

from qcore.evaluation.significance import nemenyi_distance
from qcore.protocols.largest_samples import largest_samples


def test_the_largest_sample_of_each_prevalence():
    drawn = largest_samples(np.repeat([1, 0], [5, 12]), np.arange(11) / 10, np.random.default_rng(0))
    samples = dict(zip(range(11), drawn, strict=True))
    sizes = {tenth: (round(prevalence * len(rows)), len(rows)) for tenth, (prevalence, rows) in samples.items()}
    assert sizes[0] == (0, 12)
    assert sizes[1] == (1, 10)
    assert sizes[5] == (5, 10)
    assert sizes[6] == (3, 5)
    assert sizes[10] == (5, 5)
    assert all(len(set(rows)) == len(rows) for _, rows in samples.values())


def test_critical_differences_of_the_thesis():
    # The thesis takes q from a table with three decimals, 3.164 for ten methods; exact is 3.1636.
    assert nemenyi_distance(10, 24) == pytest.approx(2.7654, abs=4e-4)
    assert nemenyi_distance(10, 22) == pytest.approx(2.8883, abs=4e-4)
    assert nemenyi_distance(10, 24) * 3.164 / 2.7654 == pytest.approx(3.1636, abs=5e-5)
