"""Quantifiers that take scores for posteriors, on scores of classifiers that give none."""

from dataclasses import replace

import numpy as np
import pytest
from sklearn.linear_model import RidgeClassifier
from sklearn.svm import SVC, LinearSVC

from qcore import ArtificialPrevalence, QuantifierCV, ScoringSettings, estimate, evaluation_report, load_dataset, score_dataset
from qcore.classifiers import CLASSIFIERS
from qcore.evaluation.experiment.cell import _gives_posteriors
from qcore.intervals import estimate_sample
from qcore.quantifiers import QUANTIFIERS, make_quantifiers
from qcore.quantifiers.fitting import Calibrated
from qcore.scoring import calibrate, score_sample

READERS = [key for key, entry in QUANTIFIERS.items() if entry.reads_posteriors]


@pytest.fixture(scope="module")
def svm_scores():
    return score_dataset(load_dataset("waveform"), ScoringSettings("0", "linear SVM", training_share=0.1))


def test_those_that_read_posteriors_are_these():
    assert set(READERS) == {"PCC", "PACC", "EMQ", "EMQ-5"}
    assert all(entry.reads_posteriors for entry in QUANTIFIERS.values() if entry.needs_probabilities)


@pytest.mark.parametrize("key", CLASSIFIERS)
def test_a_classifier_says_whether_it_gives_posteriors(key):
    assert CLASSIFIERS[key].gives_posteriors == _gives_posteriors(key) == ("SVM" not in key)


def test_scores_of_a_linear_svm_are_calibrated_for_those_that_read_posteriors(svm_scores):
    samples = ArtificialPrevalence(5, 500, 20).draw(svm_scores.pool_labels, np.random.default_rng(0))
    assert not svm_scores.posteriors
    calibrated = estimate(["AC", "EMQ", "PCC"], svm_scores, samples).by_method
    as_they_are = estimate(["AC", "EMQ", "PCC"], replace(svm_scores, posteriors=True), samples).by_method
    assert calibrated["AC"].tolist() == as_they_are["AC"].tolist()
    error, before = (np.abs(one["EMQ"] - samples.prevalences).mean() for one in (calibrated, as_they_are))
    assert error < 0.03 < before
    assert any("no probabilities" in note for note in svm_scores.notes)


def test_a_calibration_of_its_own_is_not_calibrated_again(svm_scores):
    assert calibrate(svm_scores, "none").posteriors
    assert calibrate(svm_scores, "isotonic").posteriors


def test_samples_of_a_pool_and_arrays_have_the_same_estimates(svm_scores):
    samples = ArtificialPrevalence(3, 100, 4).draw(svm_scores.pool_labels, np.random.default_rng(0))
    by_pool = estimate(READERS, svm_scores, samples).by_method
    training = svm_scores.training_scores, svm_scores.training_labels
    indices = np.concatenate([block for _, block in samples.blocks()])
    for key, quantifier in make_quantifiers(READERS, *training, posteriors=False).items():
        assert isinstance(quantifier, Calibrated)
        assert quantifier.predict(svm_scores.pool_scores[indices]) == pytest.approx(by_pool[key], abs=1e-9)


@pytest.mark.parametrize("classifier", [LinearSVC(), RidgeClassifier(), SVC()], ids=lambda one: type(one).__name__)
def test_an_estimator_calibrates_a_classifier_without_probabilities(classifier):
    rng = np.random.default_rng(0)
    y = np.repeat([1, 0], [200, 200])
    features = rng.normal(size=(400, 3)) + 0.7 * y[:, np.newaxis]
    truth = np.repeat([1, 0], [122, 278])
    sample = rng.normal(size=(400, 3)) + 0.7 * truth[:, np.newaxis]
    estimator = QuantifierCV(classifier, "EMQ").fit(features, y)
    (_, (low, high)) = estimator.predict_interval(sample)
    assert low < 0.305 < high < 0.6
    assert abs(estimator.predict(sample)[1] - 0.305) < 0.1
    as_they_are = QuantifierCV(classifier, "EMQ", calibration="none").fit(features, y)
    assert as_they_are.predict(sample)[1] != pytest.approx(estimator.predict(sample)[1], abs=1e-3)
    pool = estimator.to_scores(sample, truth)
    report = evaluation_report(pool, ["EMQ"], ArtificialPrevalence(3, 100, 10))
    assert report.AE.mean() < 0.06


def test_a_quantifier_of_ones_own_gets_arrays_of_posteriors():
    class MeanScore:
        def fit(self, scores, labels):
            self.mean_ = scores.mean()

        def predict(self, scores):
            assert isinstance(scores, np.ndarray)
            return scores.mean(axis=-1)

    rng = np.random.default_rng(0)
    y = np.repeat([1, 0], [60, 60])
    features = rng.normal(size=(120, 2)) + y[:, np.newaxis]
    estimator = QuantifierCV(LinearSVC(), MeanScore(), calibration="sigmoid").fit(features, y)
    assert estimator.predict(features)[1] == pytest.approx(0.5, abs=0.03)


def test_an_unknown_calibration_is_refused():
    with pytest.raises(Exception, match="calibration"):
        QuantifierCV(LinearSVC(), calibration="platt").fit([[0.0], [1.0], [0.1], [0.9]], [0, 1, 0, 1])


def test_all_classes_of_a_classifier_without_probabilities():
    data = load_dataset("waveform")
    scores = score_dataset(data, ScoringSettings(None, "linear SVM", training_share=0.1))
    rng = np.random.default_rng(0)
    of_classes = [np.flatnonzero(scores.pool_labels == c) for c in range(3)]
    rows = []
    for share in rng.dirichlet(np.ones(3), 30):
        drawn = zip(of_classes, rng.multinomial(300, share), strict=True)
        rows.append(np.concatenate([rng.choice(members, n) for members, n in drawn]))
    training = scores.training_scores, scores.training_labels
    errors = {}
    for posteriors in (True, False):
        quantifier = make_quantifiers(["EMQ"], *training, posteriors=posteriors)["EMQ"]
        estimates = np.array([quantifier.predict(scores.pool_scores[index]) for index in rows])
        true = np.array([np.bincount(scores.pool_labels[index], minlength=3) / len(index) for index in rows])
        errors[posteriors] = np.abs(estimates - true).mean()
    assert errors[False] < 0.03
    assert errors[False] < errors[True]


def test_an_estimate_of_a_sample_says_that_scores_were_calibrated():
    data = load_dataset("waveform")
    scored = score_sample(data.subset(np.arange(0, 600)), data.features.iloc[600:1000], "0", "linear SVM")
    assert scored.on_calibration
    result = estimate_sample(*scored, ["EMQ"], posteriors=scored.posteriors)
    truth = float((np.asarray(data.labels[600:1000]) == "0").mean())
    row = result.table.iloc[0]
    assert row.low < truth < row.high
    assert not result.unreliable
