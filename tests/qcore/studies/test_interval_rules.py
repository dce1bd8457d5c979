"""Rules by which intervals are given: each on simulated samples, beside the formulas that they stand for."""

import numpy as np
import pytest
from scipy.stats import binom

from qcore import InvalidInput
from qcore.intervals.analytic import Interval
from qcore.studies.interval_coverage import REPETITIONS, RULES, CoverageSettings, compare_rules, simulated_samples, wald

SETTINGS = CoverageSettings(0.1, (0.8, 0.1), 50, 1000)


@pytest.fixture(scope="module")
def samples():
    return simulated_samples(SETTINGS, np.random.default_rng(0))


def test_samples_have_as_many_labels_of_both_kinds(samples):
    assert (samples.labelled.n_labels == 100).all()
    assert int(samples.elsewhere.positives) + int(samples.elsewhere.negatives) == 100
    assert (samples.labelled.predicted_positives == samples.elsewhere.predicted_positives).all()
    assert float(np.mean(samples.labelled.estimate)) == pytest.approx(0.1, abs=0.005)


@pytest.mark.parametrize("key", RULES)
def test_each_rule_gives_intervals(samples, key):
    ends = RULES[key].interval(samples, 0.95)
    assert isinstance(ends, Interval)
    assert ends.low.shape == (REPETITIONS,)
    assert ((ends.low >= 0.0) & (ends.low <= ends.high) & (ends.high <= 1.0)).all()
    wider = RULES[key].interval(samples, 0.99)
    assert float(np.mean(wider.high - wider.low)) > float(np.mean(ends.high - ends.low))


def test_wald_and_the_bootstrap_of_labels_are_what_they_are_called(samples):
    assert [float(end) for end in wald(np.array(20), np.array(100), 0.95)] == pytest.approx([0.1216, 0.2784], abs=5e-5)
    found = int(samples.labelled.positives.sum(axis=0)[0])
    drawn = np.random.default_rng(1).binomial(100, found / 100, 200_000) / 100
    ends = RULES["labels alone, bootstrap"].interval(samples, 0.95)
    assert [float(ends.low[0]), float(ends.high[0])] == pytest.approx(np.quantile(drawn, [0.025, 0.975]), abs=0.011)
    assert binom.cdf(round(100 * float(ends.low[0])), 100, found / 100) >= 0.025


def test_what_forgets_something_misses_and_what_does_not_holds():
    table = compare_rules(SETTINGS, seed=0).set_index("rule")
    assert list(table.index) == list(RULES)
    assert table.coverage["double sampling"] == pytest.approx(0.956, abs=0.015)
    assert table.width["double sampling"] == pytest.approx(0.102, abs=0.004)
    assert table.width["PPI"] == pytest.approx(0.130, abs=0.004)
    assert table.coverage["Lang-Reiczigel"] > 0.94
    assert table.coverage["count alone, Wald"] < 0.01
    assert (table.coverage + table.below + table.above).to_numpy() == pytest.approx(1.0)
    assert compare_rules(SETTINGS, seed=0).equals(compare_rules(SETTINGS, seed=0))


def test_more_labels_than_instances():
    with pytest.raises(InvalidInput, match="have no more labels than instances, got 200 labels of 150 instances"):
        compare_rules(CoverageSettings(0.1, (0.8, 0.1), 100, 150), seed=0)
