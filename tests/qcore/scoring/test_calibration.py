"""Calibration: the Brier score's parts, log loss, reliability, and calibrators that learn from other folds only."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import expit, logit
from sklearn.metrics import brier_score_loss
from sklearn.metrics import log_loss as sklearn_log_loss
from sklearn.model_selection import StratifiedKFold

from qcore import ArtificialPrevalence, InvalidInput, ScoringSettings, load_dataset, score_dataset
from qcore.measures.probability import (
    brier_split,
    isotonic_probabilities,
    log_loss,
    probability_table,
    reliability,
)
from qcore.measures.roc import auc
from qcore.scoring.calibration import CALIBRATIONS, calibrate
from qcore.scoring.scores import Scores
from qcore.studies.classifier_evaluation import PROBABILISTIC_QUANTIFIERS, mean_errors

SCORES = st.integers(2, 40).flatmap(
    lambda n: st.tuples(
        st.lists(st.sampled_from([0.0, 0.1, 0.25, 0.5, 0.6, 0.9, 1.0]), min_size=n, max_size=n),
        st.lists(st.integers(0, 1), min_size=n, max_size=n).filter(lambda labels: len(set(labels)) == 2),
    )
)


def sloppy(rng, n, steepness=3.0):
    """Scores whose log odds are `steepness` times too large, with labels drawn from what they should be."""
    truth = rng.uniform(0.02, 0.98, n)
    return expit(steepness * logit(truth)), (rng.uniform(size=n) < truth).astype(int)


@pytest.fixture(scope="module")
def overconfident():
    rng = np.random.default_rng(0)
    (training, labels), (pool, pool_labels) = sloppy(rng, 3000), sloppy(rng, 5000)
    return Scores(training, labels, pool, pool_labels)


class TestBrier:
    @given(SCORES)
    def test_the_parts_sum_to_the_whole_and_none_is_negative(self, data):
        split = brier_split(*data)
        assert split.calibration + split.refinement == pytest.approx(split.score)
        assert split.score == pytest.approx(brier_score_loss(data[1], data[0]))
        assert split.calibration >= -1e-12
        assert split.refinement >= 0

    @settings(max_examples=40)
    @given(SCORES)
    def test_refinement_is_the_least_that_any_rising_map_reaches(self, data):
        """PAV: no other rising assignment to the distinct scores does better, tried on all of a coarse grid."""
        scores, labels = map(np.array, data)
        distinct = np.unique(scores)[:3]
        kept = np.isin(scores, distinct)
        if len(set(labels[kept])) < 2:
            return
        scores, labels = scores[kept], labels[kept]
        grid = np.linspace(0, 1, 11)
        best = min(
            np.mean((labels - np.array([a, b, c])[np.searchsorted(distinct, scores)]) ** 2)
            for a in grid for b in grid[grid >= a] for c in grid[grid >= b]
        )  # fmt: skip
        assert brier_split(scores, labels).refinement <= best + 1e-12

    def test_scores_that_are_shares_have_nothing_to_calibrate(self):
        split = brier_split([0.25] * 4 + [0.75] * 4, [0, 0, 0, 1, 1, 1, 1, 0])
        assert split.calibration == pytest.approx(0.0)
        assert split.refinement == pytest.approx(0.25 * 0.75)

    def test_scores_that_differ_in_the_last_digits(self):
        scores = np.nextafter(0.0, 1.0) * np.arange(6) + [0, 0, 0, 1.0, 1.0, 1.0]
        split = brier_split(scores, [0, 1, 0, 1, 1, 0])
        assert np.isfinite([split.score, split.calibration, split.refinement]).all()

    def test_perfect_scores(self):
        assert brier_split([0.0, 1.0], [0, 1]).score == 0.0

    @settings(max_examples=40)
    @given(SCORES)
    def test_recalibrated_scores_rise_and_keep_the_mean(self, data):
        result = isotonic_probabilities(*data)
        order = np.argsort(data[0], kind="stable")
        assert (np.diff(result[order]) >= -1e-12).all()
        assert result.mean() == pytest.approx(np.mean(data[1]))


class TestLogLoss:
    def test_it_is_in_bits(self):
        assert log_loss([0.5, 0.5], [0, 1]) == pytest.approx(1.0)
        assert log_loss([0.25, 0.5], [1, 0]) == pytest.approx(1.5)
        scores, labels = np.array([0.1, 0.7, 0.4]), np.array([0, 1, 1])
        assert log_loss(scores, labels) == pytest.approx(sklearn_log_loss(labels, scores) / np.log(2))

    def test_certain_and_wrong_is_infinite(self):
        assert log_loss([0.0, 0.3], [1, 0]) == np.inf


class TestReliability:
    def test_bins(self):
        table = reliability([0.0, 0.1, 0.5, 0.55, 1.0], [0, 1, 1, 0, 1], n_bins=2)
        assert table.n.tolist() == [2, 3]
        assert table.score.tolist() == pytest.approx([0.05, 2.05 / 3])
        assert table.share.tolist() == pytest.approx([0.5, 2 / 3])
        assert table.lower.tolist() == [0.0, 0.5]

    def test_empty_bins_are_left_out(self):
        assert len(reliability([0.05, 0.95], [0, 1])) == 2

    def test_bad_bins(self):
        with pytest.raises(InvalidInput, match="n_bins"):
            reliability([0.1, 0.9], [0, 1], n_bins=0)


class TestCalibrate:
    @pytest.mark.parametrize("method", [key for key in CALIBRATIONS if key != "none"])
    def test_it_undoes_overconfidence(self, overconfident, method):
        result = calibrate(overconfident, method)
        before = brier_split(overconfident.pool_scores, overconfident.pool_labels)
        after = brier_split(result.pool_scores, result.pool_labels)
        assert after.calibration < 0.25 * before.calibration
        assert result.training_scores.shape == overconfident.training_scores.shape
        assert brier_split(result.training_scores, result.training_labels).score < before.score

    def test_temperature_finds_the_factor(self, overconfident):
        result = calibrate(overconfident, "temperature")
        middle = (overconfident.pool_scores > 0.05) & (overconfident.pool_scores < 0.95)
        factor = logit(overconfident.pool_scores[middle]) / logit(result.pool_scores[middle])
        assert factor == pytest.approx(np.full(middle.sum(), 3.0), rel=0.1)

    @pytest.mark.parametrize("method", ["sigmoid", "temperature"])
    def test_it_keeps_the_order(self, overconfident, method):
        result = calibrate(overconfident, method)
        assert auc(result.pool_scores, result.pool_labels) == pytest.approx(
            auc(overconfident.pool_scores, overconfident.pool_labels), abs=1e-3
        )

    @pytest.mark.parametrize("method", [key for key in CALIBRATIONS if key != "none"])
    def test_no_training_score_depends_on_its_own_label(self, method):
        # In pairs of a negative and a positive, so that swapping the labels of a pair leaves the folds as they are.
        scores, labels = np.random.default_rng(1).uniform(size=60), np.tile([0, 1], 30)
        swapped = labels.copy()
        swapped[[0, 1]] = [1, 0]
        folds, same = ([held.tolist() for _, held in StratifiedKFold(10).split(scores, y)] for y in (labels, swapped))
        assert folds == same
        one = calibrate(Scores(scores, labels, scores, labels), method).training_scores
        again = calibrate(Scores(scores, swapped, scores, labels), method).training_scores
        assert again[folds[0]] == pytest.approx(one[folds[0]], abs=1e-12)
        assert not np.allclose(again, one), "but on those of the others"

    @pytest.mark.parametrize("method", [key for key in CALIBRATIONS if key != "none"])
    def test_scores_that_crowd_near_0_keep_their_order(self, method):
        """Naive Bayes says 1e-30 and 1e-10, both below half an instance, and ranks well with them."""
        rng = np.random.default_rng(2)
        labels = np.tile([0, 1], 200)
        scores = 10.0 ** (-30.0 + 20.0 * labels + rng.normal(0.0, 3.0, 400))
        result = calibrate(Scores(scores, labels, scores, labels), method)
        assert auc(result.pool_scores, labels) > auc(scores, labels) - 0.01

    def test_none_changes_nothing(self, overconfident):
        assert calibrate(overconfident, "none") is overconfident

    def test_unknown(self, overconfident):
        with pytest.raises(InvalidInput, match="Unknown calibration"):
            calibrate(overconfident, "magic")

    @pytest.mark.parametrize("method", CALIBRATIONS)
    @pytest.mark.parametrize(
        ("scores", "labels"),
        [
            ([0.5] * 6, [0, 1] * 3),
            ([0.0, 1.0] * 3, [0, 1] * 3),
            ([1.0, 0.0, 0.2] * 4, [0, 1, 0] * 4),
            ([0.1, 0.2, 0.3, 0.4], [0, 0, 1, 1]),
        ],
    )
    def test_strange_scores_give_scores(self, method, scores, labels):
        result = calibrate(Scores(np.array(scores), np.array(labels), np.array(scores), np.array(labels)), method)
        for part in (result.training_scores, result.pool_scores):
            assert ((part >= 0) & (part <= 1)).all()


def test_table_has_a_row_for_each(overconfident):
    parts = {key: calibrate(overconfident, key) for key in CALIBRATIONS}
    table = probability_table({key: (part.pool_scores, part.pool_labels) for key, part in parts.items()})
    assert table.calibration_method.tolist() == list(CALIBRATIONS)
    assert (table.calibration + table.refinement).to_numpy() == pytest.approx(table.brier.to_numpy())


def test_effects_are_what_the_quantifiers_say():
    scores = score_dataset(load_dataset("wdbc"), ScoringSettings("malignant", "Gaussian naive Bayes"))
    protocol = ArtificialPrevalence(11, 50, 20)
    table = mean_errors(calibrate(scores, "sigmoid"), protocol, seed=3)
    assert table.method.tolist() == list(PROBABILISTIC_QUANTIFIERS)
    from qcore import evaluation_report

    report = evaluation_report(calibrate(scores, "sigmoid"), PROBABILISTIC_QUANTIFIERS, protocol, losses=["AE"], seed=3)
    expected = report.groupby("method", sort=False).AE.mean()
    assert table.AE.tolist() == pytest.approx(expected[table.method].tolist())
