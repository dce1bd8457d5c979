"""Covariate and concept shift: what changes, what does not, and what it does to methods."""

import numpy as np
import pytest
from scipy.special import expit

from qcore import ArtificialPrevalence, InvalidInput, NaturalPrevalence, ScoringSettings, load_dataset, score_dataset
from qcore._base.random_streams import RandomStream, random_stream
from qcore.measures.roc import rate_curve
from qcore.quantifiers import make_quantifiers
from qcore.scoring.scores import Scores
from qcore.studies.dataset_shift import (
    DatasetShift,
    apply_shift,
    class_definition_change,
    concept_shift,
    covariate_shift,
    errors_under_shift,
    rates_before_and_after,
    samples_under_shift,
)


@pytest.fixture(scope="module")
def scored():
    """Probabilities that are calibrated, in training and in the pool."""
    rng = np.random.default_rng(0)
    training, pool = (expit(2.0 * rng.normal(size=n)) for n in (4000, 20_000))
    labels = [(rng.uniform(size=len(part)) < part).astype(int) for part in (training, pool)]
    return Scores(training, labels[0], pool, labels[1])


class TestCovariateShift:
    def test_half_of_the_pool_stays_and_its_values_move(self, scored):
        means = []
        for strength in (-1.0, -0.5, 0.0, 0.5, 1.0):
            result = covariate_shift(scored, scored.pool_scores, strength, np.random.default_rng(1))
            assert len(result.pool_scores) == len(result.pool_labels) == 10_000
            means.append(result.pool_scores.mean())
        assert (np.diff(means) > 0.03).all()
        assert means[2] == pytest.approx(scored.pool_scores.mean(), abs=0.01)

    def test_what_a_score_means_stays(self, scored):
        result = covariate_shift(scored, scored.pool_scores, 1.0, np.random.default_rng(1))
        for low in (0.1, 0.3, 0.5, 0.7):
            inside = (result.pool_scores >= low) & (result.pool_scores < low + 0.2)
            assert result.pool_labels[inside].mean() == pytest.approx(result.pool_scores[inside].mean(), abs=0.04)

    def test_training_is_not_touched(self, scored):
        result = covariate_shift(scored, scored.pool_scores, 0.7, np.random.default_rng(1))
        assert result.training_scores is scored.training_scores

    def test_along_a_nominal_feature(self):
        dataset = load_dataset("tictactoe")
        scores = score_dataset(dataset, ScoringSettings(dataset.default_positive))
        values = np.array(["b", "o", "x"], dtype=object)[np.arange(len(scores.pool_labels)) % 3]
        result = covariate_shift(scores, values, 1.0, np.random.default_rng(0))
        again = covariate_shift(scores, np.searchsorted(["b", "o", "x"], values.astype(str)), 1.0, np.random.default_rng(0))
        assert np.array_equal(result.pool_scores, again.pool_scores)

    def test_a_constant_feature_keeps_a_random_half(self, scored):
        result = covariate_shift(scored, np.ones(20_000), 1.0, np.random.default_rng(1))
        assert result.pool_scores.mean() == pytest.approx(scored.pool_scores.mean(), abs=0.01)

    def test_counting_probabilities_holds_and_the_correction_breaks(self, scored):
        """Pr(y | x) is what PCC reads; Pr(x | y), on which PACC relies, has changed."""
        quantifiers = make_quantifiers(["PCC", "PACC"], scored.training_scores, scored.training_labels)
        pools = {s: covariate_shift(scored, scored.pool_scores, s, np.random.default_rng(1)) for s in (0.0, 1.0)}
        table = errors_under_shift(quantifiers, pools, NaturalPrevalence(300, 200), 0).set_index(["method", "strength"])
        assert abs(table.bias["PCC", 1.0]) < 0.02
        assert table.bias["PACC", 1.0] > 0.1
        assert abs(table.bias["PACC", 0.0]) < 0.03


class TestClassDefinitionChange:
    @pytest.mark.parametrize("strength", [-1.0, -0.4, 0.0, 0.6, 1.0])
    def test_the_prevalence_stays_and_only_the_positives_move(self, scored, strength):
        result = class_definition_change(scored, strength, np.random.default_rng(2))
        assert result.pool_labels.mean() == pytest.approx(scored.pool_labels.mean(), abs=1e-3)
        assert len(result.pool_labels) == pytest.approx(10_000, abs=2)
        means = [[part.pool_scores[part.pool_labels == label].mean() for label in (0, 1)] for part in (scored, result)]
        assert means[1][0] == pytest.approx(means[0][0], abs=0.01)
        assert np.sign(round(means[1][1] - means[0][1], 2)) == np.sign(strength)

    def test_tpr_moves_and_fpr_does_not(self, scored):
        pools = [class_definition_change(scored, strength, np.random.default_rng(2)) for strength in (-1.0, 1.0)]
        (low, low_fpr), (high, high_fpr) = (
            [np.mean(pool.pool_scores[pool.pool_labels == label] >= 0.5) for label in (1, 0)] for pool in pools
        )
        assert high > low + 0.2
        assert high_fpr == pytest.approx(low_fpr, abs=0.02)

    def test_neither_counting_nor_a_correction_holds(self, scored):
        quantifiers = make_quantifiers(["PCC", "AC"], scored.training_scores, scored.training_labels)
        pools = {s: class_definition_change(scored, s, np.random.default_rng(1)) for s in (0.0, 1.0)}
        table = errors_under_shift(quantifiers, pools, NaturalPrevalence(300, 200), 0).set_index(["method", "strength"])
        assert table.bias["PCC", 1.0] > 0.02
        assert table.bias["AC", 1.0] > 0.05


class TestConceptShift:
    @pytest.mark.parametrize("strength", [-1.0, -0.3, 0.0, 0.4, 1.0])
    def test_x_stays_and_labels_change_by_score(self, scored, strength):
        result = concept_shift(scored, strength)
        assert result.pool_scores is scored.pool_scores
        changed = result.pool_labels != scored.pool_labels
        loser = 0 if strength > 0 else 1
        members = scored.pool_labels == loser
        assert changed.sum() == round(abs(strength) / 2 * members.sum())
        assert not changed[~members].any()
        if changed.any():
            scores = scored.pool_scores
            stays = members & ~changed
            if strength > 0:
                assert scores[changed].min() >= scores[stays].max()
            else:
                assert scores[changed].max() <= scores[stays].min()

    def test_no_score_tells_of_it(self, scored):
        quantifiers = make_quantifiers(["CC", "MS", "EMQ"], scored.training_scores, scored.training_labels)
        pools = {s: concept_shift(scored, s) for s in (0.0, 0.5)}
        table = errors_under_shift(quantifiers, pools, NaturalPrevalence(200, 100), 0).set_index(["method", "strength"])
        moved = table.true["CC", 0.5] - table.true["CC", 0.0]
        assert moved > 0.1
        for method in quantifiers:
            assert table.bias[method, 0.5] - table.bias[method, 0.0] == pytest.approx(-moved, abs=0.03)


def test_rates_are_those_of_each_part(scored):
    pool = concept_shift(scored, 0.5)
    table = rates_before_and_after(scored, pool, 5)
    for part, scores, labels in (
        ("training", scored.training_scores, scored.training_labels), ("pool", pool.pool_scores, pool.pool_labels),
    ):  # fmt: skip
        curve = rate_curve(scores, labels, np.linspace(0, 1, 5))
        assert table[table.part == part].tpr.tolist() == curve.tpr.tolist()
        assert table[table.part == part].fpr.tolist() == curve.fpr.tolist()


def test_degradation_is_the_mean_over_the_protocols_samples(scored):
    quantifiers = make_quantifiers(["AC"], scored.training_scores, scored.training_labels)
    protocol = ArtificialPrevalence(5, 40, 10)
    table = errors_under_shift(quantifiers, {0.0: scored}, protocol, 4)
    samples = protocol.draw(scored.pool_labels, random_stream(4, RandomStream.SAMPLES_UNDER_SHIFT))
    (_, index), *_ = samples.blocks()
    errors = quantifiers["AC"].predict(scored.pool_scores[index]) - samples.prevalences
    assert table.AE[0] == pytest.approx(np.abs(errors).mean())
    assert table.bias[0] == pytest.approx(errors.mean())
    assert (table.lower[0], table.upper[0]) == pytest.approx(tuple(np.quantile(errors, (0.1, 0.9))))


def test_samples_are_as_large_as_the_shifted_pool_allows(scored):
    rng = np.random.default_rng(0)
    few = Scores(scored.training_scores, scored.training_labels, rng.uniform(size=60), np.repeat([0, 1], [50, 10]))
    fewer = Scores(scored.training_scores, scored.training_labels, rng.uniform(size=40), np.repeat([0, 1], [35, 5]))
    assert samples_under_shift({0.0: scored, 1.0: scored}, 1.0, natural=True) == (NaturalPrevalence(300, 50), [0.0, 1.0])
    protocol, strengths = samples_under_shift({-1.0: fewer, 0.0: few, 0.5: few}, 0.5, natural=False)
    assert (protocol, strengths) == (ArtificialPrevalence(11, 10, 30), [0.0, 0.5]), "what is too small is left out"
    assert samples_under_shift({-1.0: fewer, 0.0: few}, -1.0, natural=False)[0].sample_size == 5
    assert samples_under_shift({0.0: fewer}, 0.0, natural=True)[0].sample_size == 20


def test_bad_input_is_refused(scored):
    rng = np.random.default_rng(0)
    with pytest.raises(InvalidInput, match="strength"):
        DatasetShift("covariate shift", 1.5)
    with pytest.raises(InvalidInput, match="kind of shift"):
        DatasetShift("bad luck", 0.5)
    with pytest.raises(InvalidInput, match="covariate must have shape"):
        covariate_shift(scored, [1.0, 2.0], 0.5, rng)
    few = Scores(scored.training_scores, scored.training_labels, np.linspace(0, 1, 10), np.repeat([0, 1], [9, 1]))
    with pytest.raises(InvalidInput, match="positives of the pool must not all vanish"):
        apply_shift(few, DatasetShift("covariate shift", -1.0), few.pool_scores, rng)
