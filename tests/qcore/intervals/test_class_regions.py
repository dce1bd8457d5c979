"""Regions of more than two classes: they hold what they say, stay on the simplex, and know what they do not know."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qcore import InvalidInput, ScoringSettings, estimate_sample, load_dataset, score_dataset, score_sample
from qcore.intervals.all_classes_estimate import ClassRegion, level_of_each
from qcore.intervals.bootstrap import double_bootstrap
from qcore.studies.more_than_two_classes import draw_multiclass_sample


def problem(rng, shares, n=100, m=200):
    """Training scores of n instances of each of three classes that overlap, and of a sample with given shares."""
    labels = np.repeat([0, 1, 2], n)
    of_sample = np.repeat([0, 1, 2], rng.multinomial(m, shares))
    made = [np.exp(2.0 * np.eye(3)[truth] + rng.normal(size=(len(truth), 3))) for truth in (labels, of_sample)]
    training, sample = (values / values.sum(axis=1, keepdims=True) for values in made)
    return sample, training, labels


def test_a_region_holds_the_truth_about_as_often_as_it_says():
    held = []
    for seed in range(50):
        rng = np.random.default_rng(seed)
        shares = (1 / 3, 1 / 3, 1 / 3) if seed % 2 else (0.2, 0.3, 0.5)
        drawn = double_bootstrap(["AC"], *problem(rng, shares), rng=rng, replicates=200)["AC"]
        held.append(bool(ClassRegion(drawn, 0.9).holds(shares)))
    assert 0.8 <= np.mean(held) <= 0.98


def test_a_region_that_ignores_the_training_scores_would_hold_it_less_often():
    shares, held = (0.2, 0.3, 0.5), []
    for seed in range(12):
        rng = np.random.default_rng(seed)
        sample, training, labels = problem(rng, shares, n=15, m=1000)
        both = double_bootstrap(["AC"], sample, training, labels, rng=rng, replicates=200)["AC"]
        # A training part a hundred times as large has the same rates, and they hardly scatter.
        alone = double_bootstrap(["AC"], sample, np.tile(training, (30, 1)), np.tile(labels, 30), rng=rng, replicates=200)["AC"]
        held.append([bool(ClassRegion(drawn, 0.9).holds(shares)) for drawn in (both, alone)])
    of_both, of_sample = np.mean(held, axis=0)
    assert of_both > of_sample + 0.3


@given(st.integers(0, 2**32 - 1), st.floats(0.5, 0.99))
def test_the_outline_is_the_edge_of_the_region_and_on_the_simplex(seed, level):
    rng = np.random.default_rng(seed)
    region = ClassRegion(rng.dirichlet(rng.uniform(0.3, 30.0, 3), 100), level)
    outline = region.outline()
    assert outline.shape == (121, 3)
    assert np.allclose(outline.sum(axis=1), 1.0)
    assert outline.min() >= 0.0
    inner = outline.min(axis=1) > 1e-9
    assert np.all(region.holds(region.middle + 0.999 * (outline[inner] - region.middle)))
    assert not np.any(region.holds(region.middle + 1.001 * (outline[inner] - region.middle)))
    assert np.mean(region.holds(region.redrawn)) >= level - 0.011


def test_estimates_that_are_all_alike_have_a_tiny_region():
    region = ClassRegion(np.tile([0.2, 0.3, 0.5], (100, 1)), 0.95)
    assert region.holds([0.2, 0.3, 0.5])
    assert not region.holds([0.21, 0.3, 0.49])


def test_it_says_what_the_quantifiers_say_and_each_interval_holds_its_estimate():
    sample, training, labels = problem(np.random.default_rng(1), (0.1, 0.2, 0.7))
    result = estimate_sample(sample, training, labels, ["CC", "EMQ", "MS"], classes=("a", "b", "c"), level=0.9)
    assert result.table["class"].tolist() == ["a", "b", "c"] * 3
    assert result.table.groupby("method").estimate.sum().tolist() == pytest.approx([1.0] * 3)
    assert np.all((result.table.low <= result.table.estimate + 0.02) & (result.table.estimate - 0.02 <= result.table.high))
    again = estimate_sample(sample, training, labels, ["CC", "EMQ", "MS"], classes=("a", "b", "c"), level=0.9)
    assert result.table.equals(again.table)


def test_joint_intervals_hold_all_shares_at_once():
    draws = np.random.default_rng(0).dirichlet([4, 9, 20, 30, 1], 4000)
    of_each = level_of_each(draws, 0.9)
    low, high = np.quantile(draws, [(1 - of_each) / 2, (1 + of_each) / 2], axis=0)
    assert np.mean(((low <= draws) & (draws <= high)).all(axis=1)) == pytest.approx(0.9, abs=5e-3)
    assert 0.9 < of_each < 1 - 0.1 / 5
    weights = np.random.default_rng(1).random(4000)
    assert level_of_each(draws, 0.9, weights / weights.sum()) == pytest.approx(of_each, abs=0.01)
    assert level_of_each(np.tile([0.2, 0.8], (50, 1)), 0.9) == 0.9


def test_of_a_few_instances_nothing_is_known():
    sample, training, labels = problem(np.random.default_rng(1), (0.1, 0.2, 0.7))
    result = estimate_sample(sample[:10], training, labels, classes=("a", "b", "c"))
    assert not result.regions
    assert result.table[["joint_low", "joint_high"]].drop_duplicates().to_numpy().tolist() == [[0.0, 1.0]]
    assert result.table[["low", "high"]].drop_duplicates().to_numpy().tolist() == [[0.0, 1.0]]


def test_only_three_classes_have_an_outline():
    with pytest.raises(InvalidInput, match="be three"):
        ClassRegion(np.random.default_rng(0).dirichlet(np.ones(4), 50), 0.95).outline()


def test_a_sample_is_scored_by_a_model_of_all_labels():
    data = load_dataset("wine")
    scored = score_sample(data, data.features.iloc[::3][data.features.columns[::-1]], None, "Gaussian naive Bayes")
    truth = np.array([data.classes.index(name) for name in data.labels])
    assert scored.training_scores.shape == (len(truth), 3)
    assert np.mean(scored.sample.argmax(axis=1) == truth[::3]) > 0.95
    assert np.mean(scored.training_scores.argmax(axis=1) == truth) > 0.9
    with pytest.raises(InvalidInput, match="have a row"):
        score_sample(data, data.features[:0], None)


@given(st.integers(0, 2), st.floats(0.0, 1.0), st.integers(1, 300), st.integers(0, 1000))
def test_a_drawn_sample_has_the_share_that_was_asked_for(label, share, size, seed):
    labels = np.repeat([0, 1, 2], [30, 60, 90])
    rows, shares = draw_multiclass_sample(labels, label, share, size, np.random.default_rng(seed))
    assert 1 <= len(rows) <= size
    assert len(set(rows.tolist())) == len(rows)
    assert np.allclose(np.bincount(labels[rows], minlength=3) / len(rows), shares)
    assert abs(shares[label] - share) <= 1.0 / len(rows)


def test_scores_of_all_classes_serve_the_sample(tmp_path):
    scores = score_dataset(load_dataset("iris"), ScoringSettings(None, "Gaussian naive Bayes"))
    labelled = scores.training_scores, scores.training_labels
    result = estimate_sample(scores.pool_scores, *labelled, ["EMQ"], classes=scores.classes)
    assert result.table.estimate.tolist() == pytest.approx([1 / 3] * 3, abs=0.05)
    assert result.regions["EMQ"].holds([1 / 3] * 3)


def test_the_classes_are_named_by_the_caller():
    labels = np.repeat([0, 1, 2], 20)
    for classes in (None, ("a", "b")):
        with pytest.raises(InvalidInput, match="name the 3 classes"):
            estimate_sample(np.eye(3), np.eye(3)[labels], labels, ["AC"], classes=classes)


def test_a_class_with_few_labels_is_named():
    rng = np.random.default_rng(0)
    labels = np.repeat([0, 1, 2], [60, 3, 60])
    scores = rng.dirichlet(np.ones(3), len(labels)) * 0.4 + 0.6 * np.eye(3)[labels]
    result = estimate_sample(scores[30:], scores, labels, ["AC"], classes=("a", "b", "c"))
    assert result.cautions == ("Only 3 labelled instances of b: intervals are widened, but regions may be far too small.",)


def test_predicted_classes_that_no_shares_explain_are_named():
    labels = np.repeat([0, 1, 2], 60)
    scores = np.eye(3)[labels] * 0.7 + 0.1
    scores[labels == 2] = [0.8, 0.1, 0.1]
    said = estimate_sample(np.tile([0.1, 0.1, 0.8], (50, 1)), scores, labels, ["AC"], classes=("a", "b", "c")).cautions
    assert any("No shares explain the predicted classes" in one for one in said)
