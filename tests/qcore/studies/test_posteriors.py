"""Decisions by adjusted scores: against a loop, and as they must be."""

import pytest

from qcore import ArtificialPrevalence, InvalidInput, ScoringSettings, load_dataset, make_quantifiers, score_dataset
from qcore._base.random_streams import RandomStream, random_stream
from qcore.measures.roc import Skew
from qcore.studies.posteriors import ADJUSTMENTS, decision_threshold, decisions_by_prevalence

PROTOCOL = ArtificialPrevalence(5, 40, 6)


@pytest.fixture(scope="module")
def scored():
    return score_dataset(load_dataset("tictactoe"), ScoringSettings("x does not win", "Gaussian naive Bayes"))


def table_of(scored, method="EMQ", skew=None):
    quantifier = make_quantifiers([method], scored.training_scores, scored.training_labels)[method]
    return decisions_by_prevalence(quantifier, scored, PROTOCOL, skew or Skew(1.0, 1.0, 0.5), 3)


@pytest.mark.parametrize("method", ["EMQ", "AC"])
def test_decisions_are_those_of_a_loop(scored, method):
    skew = Skew(2.0, 3.0, 0.5)
    quantifier = make_quantifiers([method], scored.training_scores, scored.training_labels)[method]
    samples = PROTOCOL.draw(scored.pool_labels, random_stream(3, RandomStream.DECISIONS))
    before, threshold = scored.training_prevalence, 2.0 / 5.0
    counts = {}
    for part, indices in samples.blocks():
        for sample, true in zip(indices, samples.prevalences[part], strict=True):
            raw, labels = scored.pool_scores[sample], scored.pool_labels[sample]
            targets = (before, float(quantifier.predict(raw)), true)
            for name, target in zip(ADJUSTMENTS, targets, strict=True):
                for s, y in zip(raw, labels, strict=True):
                    up, down = s * target / before, (1 - s) * (1 - target) / (1 - before)
                    positive = (up / (up + down) if up + down > 0 else s) >= threshold
                    key = ("tp" if y else "fp") if positive else ("fn" if y else "tn")
                    counts.setdefault((name, true), dict.fromkeys(("tp", "fp", "fn", "tn"), 0))[key] += 1
    result = table_of(scored, method, skew).set_index(["adjusted", "true"])
    for key, of in counts.items():
        n = sum(of.values())
        assert result.accuracy[key] == pytest.approx((of["tp"] + of["tn"]) / n)
        assert result.cost[key] == pytest.approx((2 * of["fp"] + 3 * of["fn"]) / n)
        both = 2 * of["tp"] + of["fp"] + of["fn"]
        assert result.F1[key] == pytest.approx(2 * of["tp"] / both if of["tp"] else 0.0)


def test_with_the_true_prevalence_the_ends_are_right(scored):
    result = table_of(scored).set_index(["adjusted", "true"])
    assert result.accuracy["to the truth", 0.0] == result.accuracy["to the truth", 1.0] == 1.0


def test_calibrated_scores_gain_from_a_good_estimate():
    scored = score_dataset(load_dataset("waveform"), ScoringSettings("0"))
    quantifier = make_quantifiers(["EMQ"], scored.training_scores, scored.training_labels)["EMQ"]
    protocol = ArtificialPrevalence((0.05, 0.95), 100, 50)
    result = decisions_by_prevalence(quantifier, scored, protocol, Skew(1.0, 1.0, 0.5), 0).set_index(["adjusted", "true"])
    assert result.accuracy["to the estimate", 0.05] > result.accuracy["as they are", 0.05] + 0.03
    assert result.accuracy["to the estimate", 0.95] > result.accuracy["as they are", 0.95] + 0.05


def test_the_threshold_of_the_costs():
    assert decision_threshold(Skew(1.0, 3.0, 0.5)) == 0.25
    assert decision_threshold(Skew(1.0, 1.0, 0.1)) == 0.5


def test_a_pool_that_is_too_small_is_refused(scored):
    quantifier = make_quantifiers(["CC"], scored.training_scores, scored.training_labels)["CC"]
    with pytest.raises(InvalidInput):
        decisions_by_prevalence(quantifier, scored, ArtificialPrevalence(5, 400, 6), Skew(1.0, 1.0, 0.5), 0)
