"""What the experiments of the papers are made of: facts that the papers and the definitions give."""

import numpy as np
import pytest

from benchmarks import barranquero_2013
from benchmarks.claims import FAILS, HOLDS, IN_PART, Claim, claim_rows
from qcore.evaluation.significance import nemenyi_distance
from qcore.protocols.pool import largest_samples


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


def test_the_samples_of_no_and_of_all_positives_are_pure_and_whole():
    """4.1.1: all negatives and all positives of a fold are used there; of 334 instances one positive would be within 0.005."""
    labels = np.repeat([1, 0], [84, 250])
    (none, negatives), (every, positives) = largest_samples(labels, np.array([0.0, 1.0]), np.random.default_rng(0))
    assert (none, sorted(negatives)) == (0.0, list(range(84, 334)))
    assert (every, sorted(positives)) == (1.0, list(range(84)))
    # A pool without negatives has nothing better for 0.
    ((share, rows),) = largest_samples([1, 1], np.array([0.0]), np.random.default_rng(0))
    assert (share, len(rows)) == (1.0, 2)


def test_the_verdict_of_several_seeds_is_that_of_most_and_of_equals_the_worse():
    claim = Claim("x", "1", lambda result: (result, f"measured {result}"), "why")
    (row,) = claim_rows([claim], {"a": [HOLDS, FAILS, HOLDS], "b": [HOLDS, IN_PART], "c": [HOLDS]})
    assert row["a"] == "**holds** (2/3): measured holds"
    assert row["elsewhere, and why"] == "b: **in part** (1/2). why", "c holds as a does, and is not named"


def test_critical_differences_of_the_thesis():
    # The thesis takes q from a table with three decimals, 3.164 for ten methods; exact is 3.1636.
    assert nemenyi_distance(10, 24) == pytest.approx(2.7654, abs=4e-4)
    assert nemenyi_distance(10, 22) == pytest.approx(2.8883, abs=4e-4)
    assert nemenyi_distance(10, 24) * 3.164 / 2.7654 == pytest.approx(3.1636, abs=5e-5)


def test_a_file_that_is_not_in_the_folder_is_named(tmp_path, monkeypatch):
    monkeypatch.setenv("QUANTIFICATION_LAB_DATA", "")
    with pytest.raises(SystemExit, match=r"got 'acute_a\.csv'\. .* The folder is the one that --data names\."):
        barranquero_2013.measure_all(tmp_path, ["acute.a"])
