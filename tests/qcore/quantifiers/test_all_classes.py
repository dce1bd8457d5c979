"""Quantifiers for any number of classes: the contract over the registry, the binary ones as a special case, slow optima."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize

from qcore import (
    QUANTIFIERS,
    ArtificialPrevalence,
    Scores,
    ScoringSettings,
    SimplexPrevalence,
    UniformPrevalence,
    estimate,
    evaluation_report,
    load_dataset,
    make_quantifiers,
    score_dataset,
)
from qcore._base.validation import InvalidInput
from qcore.quantifiers.adjustment import AdjustedCount
from qcore.quantifiers.batch import Batch, ClassBatch
from qcore.quantifiers.expectation_maximisation import EMQ
from qcore.quantifiers.fitting import make_for_all_classes
from qcore.quantifiers.simplex_adjustment import minimise_on_simplex, solve_on_simplex

TAKING_ALL = tuple(key for key, entry in QUANTIFIERS.items() if entry.takes_all_classes)


@st.composite
def problems(draw, n_classes=None, n_samples=3, size=14):
    """Class scores and labels of a more or less good classifier, classes of unequal size, and samples."""
    rng = np.random.default_rng(draw(st.integers(0, 10**6)))
    k = n_classes or draw(st.integers(2, 5))
    labels = np.repeat(np.arange(k), rng.integers(2, 20, k))
    sharpness = draw(st.sampled_from([0.0, 1.0, 3.0]))
    scores = rng.dirichlet(np.ones(k), len(labels)) + sharpness * np.eye(k)[labels] * rng.random((len(labels), 1))
    return scores / scores.sum(axis=1, keepdims=True), labels, rng.dirichlet(np.ones(k), (n_samples, size))


def test_a_tie_goes_to_the_last_class_as_a_score_of_one_half_is_positive():
    quantifier = make_for_all_classes(QUANTIFIERS["CC"]).fit(np.eye(3), np.arange(3))
    assert quantifier.predict(np.array([[0.4, 0.4, 0.2], [0.5, 0.0, 0.5]])).tolist() == [0, 0.5, 0.5]


@pytest.mark.parametrize("key", TAKING_ALL)
@settings(max_examples=40)
@given(problem=problems(n_classes=2))
def test_two_classes_are_the_binary_problem(key, problem):
    scores, labels, samples = problem
    binary = make_quantifiers([key], scores[:, 1], labels)[key].predict(samples[:, :, 1])
    result = make_for_all_classes(QUANTIFIERS[key]).fit(scores, labels).predict(samples)
    # Nearly equal rates leave the prevalence nearly open.
    close = {"AC": 1e-5, "o-ACC": 1e-5, "PACC": 1e-5, "EMQ": 1e-5, "KDEy-ML": 1e-6}.get(key, 1e-9)
    assert result[:, 1] == pytest.approx(binary, abs=close)


@pytest.mark.parametrize("key", QUANTIFIERS)
class TestContract:
    @settings(max_examples=15)
    @given(problem=problems())
    def test_estimates_are_prevalence_vectors(self, key, problem):
        scores, labels, samples = problem
        estimates = make_for_all_classes(QUANTIFIERS[key]).fit(scores, labels).predict(samples)
        assert estimates.shape == (3, scores.shape[1])
        assert (estimates >= 0).all()
        assert estimates.sum(axis=1) == pytest.approx(1)

    @settings(max_examples=10)
    @given(problem=problems(n_samples=4))
    def test_a_batch_gives_what_its_samples_give_in_any_order(self, key, problem):
        scores, labels, samples = problem
        quantifier = make_for_all_classes(QUANTIFIERS[key]).fit(scores, labels)
        batch = quantifier.predict(samples.reshape(2, 2, *samples.shape[1:]))
        single = [quantifier.predict(sample[::-1]) for sample in samples]
        assert batch.reshape(4, -1) == pytest.approx(np.array(single), abs=1e-6)

    def test_perfect_scores_give_the_exact_prevalences(self, key):
        labels = np.repeat([0, 1, 2], [5, 20, 40])
        sample = np.eye(3)[np.repeat([0, 1, 2], [10, 6, 4])]
        result = make_for_all_classes(QUANTIFIERS[key]).fit(np.eye(3)[labels], labels).predict(sample)
        # o-ACC evens shares out: nothing but its penalty moves it away from the exact ones.
        penalty = np.outer([-1, 2, -1], [-1, 2, -1])
        evened = np.linalg.solve(np.eye(3) + 0.01 / 2 * penalty, [0.5, 0.3, 0.2])
        expected = {"BL": [5 / 65, 20 / 65, 40 / 65], "o-ACC": evened}.get(key, [0.5, 0.3, 0.2])
        assert result == pytest.approx(expected, abs=1e-6)

    def test_constant_scores_give_a_defined_answer(self, key):
        labels = np.repeat([0, 1, 2], [5, 20, 40])
        scores = np.full((65, 3), 1 / 3)
        result = make_for_all_classes(QUANTIFIERS[key]).fit(scores, labels).predict(scores[:7])
        # PCC and PACC leave the mean; CC and AC count the last class of the tie, o-ACC takes the even shares nearest to it;
        # nothing tells EMQ that anything has moved.
        prior, last = [5 / 65, 20 / 65, 40 / 65], [0, 0, 1]
        thirds, by_key = [1 / 3] * 3, {"BL": prior, "EMQ": prior, "EMQ-5": prior, "CC": last, "AC": last}
        by_key["o-ACC"] = [0, 1 / 3, 2 / 3]
        flat = key.startswith(("DyS", "HDy", "SORD", "MM", "EDy", "KDEy-ML"))
        if key in TAKING_ALL or flat:
            expected = prior if flat else by_key.get(key, thirds)
            if key.startswith("EMQ"):
                # The likelihood is highest where the scores are most above the training prevalences.
                assert result[0] > prior[0]
            else:
                assert result == pytest.approx(expected, abs=1e-5)
        assert result.sum() == pytest.approx(1)


def test_those_that_take_all_classes_are_these():
    assert set(TAKING_ALL) == {"BL", "CC", "AC", "PCC", "PACC", "EMQ", "EMQ-5", "EDy", "KDEy-ML", "o-ACC"}


@pytest.mark.parametrize("key", QUANTIFIERS)
def test_the_others_refuse_the_scores_of_all_classes_by_themselves(key):
    quantifier = QUANTIFIERS[key].make()
    if key in TAKING_ALL:
        assert quantifier.fit(np.eye(3), np.arange(3)).predict(np.eye(3)).shape == (3,)
    else:
        with pytest.raises(InvalidInput, match="only those of the positive class"):
            quantifier.fit(np.eye(3), np.arange(3))


def test_rates_from_elsewhere_are_of_two_classes():
    with pytest.raises(InvalidInput, match="None for the scores of all classes"):
        AdjustedCount((0.9, 0.1)).fit(np.eye(3), np.arange(3))


def slow_least(function, k):
    bounds, total = [(0, 1)] * k, {"type": "eq", "fun": lambda p: p.sum() - 1}
    options = {"maxiter": 500, "ftol": 1e-14}
    return minimize(function, np.full(k, 1 / k), bounds=bounds, constraints=total, method="SLSQP", options=options).fun


@settings(max_examples=40)
@given(problems())
def test_corrections_are_least_squares_on_the_simplex(problem):
    scores, labels, samples = problem
    k = scores.shape[1]
    given_to = k - 1 - scores[:, ::-1].argmax(axis=1)
    rates = {
        "AC": np.array([[(given_to[labels == j] == i).mean() for j in range(k)] for i in range(k)]),
        "PACC": np.array([scores[labels == j].mean(axis=0) for j in range(k)]).T,
    }
    count = np.array([np.bincount(k - 1 - s[:, ::-1].argmax(axis=1), minlength=k) / len(s) for s in samples])
    observed = {"AC": count, "PACC": samples.mean(axis=1)}
    for key, quantifier in make_quantifiers(["AC", "PACC"], scores, labels).items():
        assert quantifier.rates_ == pytest.approx(rates[key])
        for seen, result in zip(observed[key], quantifier.predict(samples), strict=True):

            def squares(p, key=key, seen=seen):
                return ((rates[key] @ p - seen) ** 2).sum()

            assert squares(result) <= slow_least(squares, k) + 1e-8


def test_classes_that_are_hard_to_tell_apart_are_told_apart():
    for gap in (1e-2, 1e-3, 1e-4):
        rates = np.array([[0.5 + gap, 0.5, 0], [0.5 - gap, 0.5, 0], [0, 0, 1]])
        truth = np.array([[0.6, 0.1, 0.3]])
        assert solve_on_simplex(rates, truth @ rates.T) == pytest.approx(truth, abs=1e-6)


def test_where_the_system_is_open_the_answer_is_nearest_to_what_was_seen():
    # The last two classes are treated alike: nothing tells how to share 0.6 between them.
    rates = np.array([[0.8, 0.1, 0.1], [0.1, 0.45, 0.45], [0.1, 0.45, 0.45]])
    result = solve_on_simplex(rates, np.array([[0.4, 0.4, 0.2]]))[0]
    assert result[0] == pytest.approx(3 / 7, abs=1e-6)
    assert result[1] - result[2] == pytest.approx(0.2, abs=1e-5)


@given(st.integers(0, 10**6), st.integers(2, 12))
def test_quadratic_programmes_meet_their_optimality_conditions(seed, k):
    rng = np.random.default_rng(seed)
    root = rng.normal(size=(20, k, k))
    curvature, linear = np.swapaxes(root, 1, 2) @ root + 0.01 * np.eye(k), rng.normal(size=(20, k)) * 5
    result = minimise_on_simplex(curvature, linear)
    assert (result >= 0).all()
    assert result.sum(axis=1) == pytest.approx(1)
    gradient = np.einsum("nij,nj->ni", curvature, result) - linear
    level = np.where(result > 1e-9, gradient, -np.inf).max(axis=1)[:, np.newaxis]
    assert (gradient >= level - 1e-6).all()


class TestEMQ:
    @given(problem=problems())
    def test_no_prevalences_are_more_likely(self, problem):
        scores, labels, samples = problem
        quantifier = EMQ().fit(scores, labels)
        for sample, result in zip(samples, quantifier.predict(samples), strict=True):
            pull = (sample / quantifier.prevalence_) / (sample / quantifier.prevalence_ @ result)[:, np.newaxis]
            assert pull.mean(axis=0).max() <= 1 + 1e-8

    @settings(max_examples=30)
    @given(problem=problems())
    def test_it_is_where_the_iteration_goes(self, problem):
        scores, labels, samples = problem
        result, far = EMQ().fit(scores, labels), EMQ(3000).fit(scores, labels)
        likelihood = [
            np.log((samples / result.prevalence_) @ p[:, :, np.newaxis]).mean(axis=(1, 2))
            for p in (result.predict(samples), far.predict(samples))
        ]
        assert (likelihood[0] >= likelihood[1] - 1e-9).all()
        assert likelihood[0] == pytest.approx(likelihood[1], abs=1e-3)

    def test_posteriors_where_they_are_0_over_0(self):
        quantifier = EMQ(1).fit(np.eye(3), np.arange(3))
        quantifier.predict = lambda scores: np.array([1.0, 0.0, 0.0])
        assert quantifier.posteriors(np.array([[0.0, 0.5, 0.5], [0.5, 0.5, 0.0]])).tolist() == [[0, 0.5, 0.5], [1, 0, 0]]

    def test_posteriors_average_to_the_estimate(self):
        rng = np.random.default_rng(0)
        labels = np.repeat([0, 1, 2], [10, 20, 30])
        scores = rng.dirichlet(np.ones(3), 60) * 0.5 + 0.5 * np.eye(3)[labels]
        quantifier = EMQ().fit(scores, labels)
        sample = rng.dirichlet(np.ones(3), 25)
        assert quantifier.posteriors(sample).sum(axis=1) == pytest.approx(1)
        assert quantifier.posteriors(sample).mean(axis=0) == pytest.approx(quantifier.predict(sample), abs=1e-6)


class TestPipeline:
    def test_scores_are_of_every_class_and_out_of_fold(self):
        for classifier in ("logistic regression", "linear SVM"):
            scores = score_dataset(load_dataset("wine"), ScoringSettings(None, classifier))
            assert scores.classes == load_dataset("wine").classes
            assert len(scores.training_labels) + len(scores.pool_labels) == 178
            for part, labels in (
                (scores.training_scores, scores.training_labels),
                (scores.pool_scores, scores.pool_labels),
            ):
                assert part.sum(axis=1) == pytest.approx(1)
                assert (part.argmax(axis=1) == labels).mean() > 0.9

    @pytest.mark.parametrize("share", [0.04, 0.06, 0.1])
    def test_folds_follow_the_smallest_training_class(self, share):
        scores = score_dataset(load_dataset("iris"), ScoringSettings(None, training_share=share))
        assert len(scores.training_labels) == int(share * 150)
        assert np.bincount(scores.training_labels).min() < 10
        assert scores.training_scores.sum(axis=1) == pytest.approx(1)

    def test_corrections_repair_what_counting_gets_wrong(self):
        scores = score_dataset(load_dataset("balance"), ScoringSettings(None, "Gaussian naive Bayes"))
        report = evaluation_report(scores, ["BL", "CC", "AC", "PACC", "EMQ"], UniformPrevalence(300, 20))
        mean = report.groupby("method").AE.mean()
        assert mean["PACC"] < mean["CC"] < mean["BL"]
        assert list(report.filter(like="true_")) == ["true_0", "true_1", "true_2"]
        assert report.filter(like="estimate_").sum(axis=1).to_numpy() == pytest.approx(1)
        assert report.AE.to_numpy() == pytest.approx(
            np.abs(report.filter(like="true_").to_numpy() - report.filter(like="estimate_").to_numpy()).mean(axis=1)
        )

    def test_small_blocks_change_nothing(self, monkeypatch):
        scores = score_dataset(load_dataset("iris"), ScoringSettings(None))
        quantifiers = make_quantifiers(["PACC", "MS"], scores.training_scores, scores.training_labels)
        samples = SimplexPrevalence(6, 10).draw(scores.pool_labels, np.random.default_rng(0))
        whole = estimate(quantifiers, scores, samples).by_method
        monkeypatch.setattr("qcore.protocols.samples.SCORES_PER_BLOCK", 100)
        for key, values in estimate(quantifiers, scores, samples).by_method.items():
            assert values == pytest.approx(whole[key], abs=1e-12)

    def test_two_classes_give_positive_prevalences(self):
        scores = score_dataset(load_dataset("wdbc"), ScoringSettings(None))
        report = evaluation_report(scores, ["CC", "SORD"], UniformPrevalence(20, 50), losses=["AE", "bias"])
        assert {"true", "estimate", "AE", "bias"} <= set(report.columns)


class TestErrors:
    def test_scores_and_labels(self):
        labels = np.array([0, 1, 2])
        with pytest.raises(InvalidInput, match="sum to 1"):
            make_for_all_classes(QUANTIFIERS["CC"]).fit(np.full((3, 3), 0.5), labels)
        with pytest.raises(InvalidInput, match=r"shape \(3, 3\), got shape \(3, 2\)"):
            make_for_all_classes(QUANTIFIERS["CC"]).fit(np.full((3, 2), 0.5), labels)
        with pytest.raises(InvalidInput, match="3 classes of training, got 2"):
            make_for_all_classes(QUANTIFIERS["CC"]).fit(np.eye(3), labels).predict(np.full((4, 2), 0.5))
        with pytest.raises(InvalidInput, match="whole numbers from 0"):
            make_for_all_classes(QUANTIFIERS["CC"]).fit(np.eye(3), labels + 1)

    def test_what_a_report_refuses(self):
        scores = score_dataset(load_dataset("iris"), ScoringSettings(None))
        with pytest.raises(InvalidInput, match="2 classes for the bias"):
            evaluation_report(scores, ["CC"], UniformPrevalence(5, 5), losses=["bias"])
        with pytest.raises(InvalidInput, match="at least one quantifier"):
            evaluation_report(scores, [], UniformPrevalence(5, 5))
        with pytest.raises(InvalidInput, match="'ACC'"):
            evaluation_report(scores, ["ACC"], UniformPrevalence(5, 5))

    def test_samples_of_other_classes(self):
        scores = score_dataset(load_dataset("iris"), ScoringSettings(None))
        quantifiers = make_quantifiers(["CC"], scores.training_scores, scores.training_labels)
        samples = UniformPrevalence(5, 5).draw(scores.pool_labels, np.random.default_rng(0))
        with pytest.raises(InvalidInput, match="75 scores"):
            estimate(quantifiers, replace(scores, pool_scores=scores.pool_scores[:-1]), samples)
        with pytest.raises(InvalidInput, match="have 2 classes, as the scores, got 3"):
            estimate(quantifiers, replace(scores, pool_scores=np.full((75, 2), 0.5)), samples)
        with pytest.raises(InvalidInput, match="have 2 classes, as the scores, got 3"):
            estimate(["CC"], Scores(np.full(75, 0.5), np.arange(75) % 2, scores.pool_scores[:, 0], scores.pool_labels), samples)
        with pytest.raises(InvalidInput, match="3 classes of training, got 2"):
            quantifiers["CC"].predict(ClassBatch(np.full((1, 4, 2), 0.5)))
        with pytest.raises(InvalidInput, match="be of 3 classes, as in training, got a Batch"):
            quantifiers["CC"].predict(Batch(np.full((1, 4), 0.5)))
        of_one = make_quantifiers(["BL"], [0.1, 0.9], [0, 1])["BL"]
        with pytest.raises(InvalidInput, match="be of one class against the rest, as in training, got a ClassBatch"):
            of_one.predict(ClassBatch(np.full((1, 4, 2), 0.5)))
        assert of_one.predict(np.empty((0, 4))).shape == (0,)
        with pytest.raises(InvalidInput, match="SimplexPrevalence"):
            evaluation_report(scores, ["CC"], ArtificialPrevalence(5, 5, 1))

    def test_a_training_part_that_is_too_small(self):
        with pytest.raises(InvalidInput, match="every class of"):
            score_dataset(load_dataset("iris"), ScoringSettings(None, training_share=0.02))
        with pytest.raises(InvalidInput, match="every class of"):
            score_dataset(load_dataset("iris"), ScoringSettings(None, training_share=0.99))
        with pytest.raises(InvalidInput, match="training share"):
            score_dataset(load_dataset("iris"), ScoringSettings(None, training_share=1.5))


def test_bbse_is_the_adjusted_count():
    """Weights w = C^-1 q, C_ij the training instances predicted i of class j, times training shares: Lipton et al. 2018."""
    rng = np.random.default_rng(0)
    labels = np.repeat([0, 1, 2], [120, 60, 40])
    scores = rng.dirichlet(np.ones(3), 220) + 0.8 * np.eye(3)[labels]
    scores /= scores.sum(axis=1, keepdims=True)
    sample = scores[rng.choice(220, 500, p=np.array([0.2, 0.5, 0.3])[labels] / np.bincount(labels)[labels])]
    predicted = scores.argmax(axis=1)
    joint = np.array([[np.mean((predicted == i) & (labels == j)) for j in range(3)] for i in range(3)])
    weights = np.linalg.solve(joint, np.bincount(sample.argmax(axis=1), minlength=3) / len(sample))
    shares = np.bincount(labels) / len(labels) * weights
    assert shares.min() > 0, "within the simplex no solution is clipped"
    adjusted = make_for_all_classes(QUANTIFIERS["AC"]).fit(scores, labels).predict(sample[np.newaxis])[0]
    assert adjusted == pytest.approx(shares, abs=1e-9)
