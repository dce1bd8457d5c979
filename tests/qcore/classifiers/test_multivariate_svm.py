"""The multivariate SVM: its argmax beside all tables, its objective beside the hinge-loss SVM's, its gap, its limits."""

import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning, NotFittedError
from sklearn.svm import LinearSVC
from sklearn.utils import get_tags

from qcore._base.validation import InvalidInput
from qcore.classifiers import QuantificationForest, QuantificationTree, WeightedNeighbours, most_violated_constraint
from qcore.classifiers.most_violated_constraint import MostViolatedTable
from qcore.classifiers.multivariate_svm import SVM_LOSSES, MultivariateSVM, score_on_counts
from qcore.measures.catalog import ParametricMeasure


def problem(n=80, prevalence=0.4, seed=0, n_features=4):
    rng = np.random.default_rng(seed)
    labels = (np.arange(n) < prevalence * n).astype(int)
    features = rng.normal(size=(n, n_features))
    features[:, 0] += 1.5 * labels
    return features, labels


def brute_force(score, positives_part, negatives_part):
    fp, fn = np.meshgrid(np.arange(len(negatives_part)), np.arange(len(positives_part)), indexing="ij")
    return (1 - score.at(fp, fn) + positives_part[fn] + negatives_part[fp]).max()


def running(values):
    return np.concatenate([[0.0], np.cumsum(values)])


def parts(positive_values, negative_values):
    return running(-np.sort(positive_values)), running(-np.sort(-negative_values))


@pytest.mark.parametrize("loss", SVM_LOSSES)
@settings(max_examples=60)
@given(st.data())
def test_the_argmax_is_that_over_all_tables(loss, data):
    positives, negatives = data.draw(st.integers(1, 40)), data.draw(st.integers(1, 40))
    rng = np.random.default_rng(data.draw(st.integers(0, 10**6)))
    scale = data.draw(st.sampled_from([0.0, 1e-3, 0.02, 0.2, 5.0]))
    values = parts(*(scale * (rng.normal(size=n) + side) for n, side in ((positives, 0.5), (negatives, -0.5))))
    score = score_on_counts(loss, data.draw(st.sampled_from([0.0, 0.5, 1.0, 2.0, 1e6])), positives, negatives)
    result = MostViolatedTable(score, positives, negatives)(*values)
    assert result.value == pytest.approx(brute_force(score, *values), abs=1e-10)
    fp, fn = np.array([result.fp]), np.array([result.fn])
    assert result.loss == pytest.approx(1 - score.at(fp, fn)[0])
    assert result.value == pytest.approx(result.loss + values[0][result.fn] + values[1][result.fp])


@pytest.mark.parametrize("loss", SVM_LOSSES)
def test_the_argmax_looks_at_few_of_many_tables(loss):
    rng = np.random.default_rng(1)
    n = 1500
    score = score_on_counts(loss, 2.0, n, n)

    class Counting:
        looked_at = 0

        def at(self, fp, fn):
            Counting.looked_at += np.broadcast(fp, fn).size
            return score.at(fp, fn)

        def lower_bound(self, fp, fn):
            return score.lower_bound(fp, fn)

    values = parts(rng.normal(size=n) / n + 0.8 / n, rng.normal(size=n) / n - 0.8 / n)
    result = MostViolatedTable(Counting(), n, n)(*values)
    assert result.value == pytest.approx(brute_force(score, *values), abs=1e-10)
    assert Counting.looked_at < n * n / 10


@pytest.mark.parametrize("loss", ["Q_beta", "NAS", "error"])
@pytest.mark.parametrize("most_tables", [1, 50, 2000])
def test_the_argmax_is_the_same_however_many_tables_are_looked_through(loss, most_tables, monkeypatch):
    rng = np.random.default_rng(2)
    positives, negatives = 300, 170
    values = parts(rng.normal(size=positives) / 470 + 0.8 / 470, rng.normal(size=negatives) / 470 - 0.8 / 470)
    search = MostViolatedTable(score_on_counts(loss, 2.0, positives, negatives), positives, negatives)
    result = search(*values)
    monkeypatch.setattr(most_violated_constraint, "_MOST_TABLES", most_tables)
    assert search(*values) == result


@pytest.mark.parametrize("weight", [0.1, 1.0, 10.0])
@pytest.mark.parametrize("prevalence", [0.5, 0.15])
def test_with_the_error_as_loss_it_is_the_hinge_loss_svm(weight, prevalence):
    features, labels = problem(prevalence=prevalence)
    result = MultivariateSVM("error", C=weight, tolerance=1e-6).fit(features, labels)
    # The constant feature is penalised here; scikit-learn's own intercept would not be.
    whole = np.hstack([features, np.ones((len(features), 1))])
    hinge = LinearSVC(loss="hinge", C=weight, fit_intercept=False, tol=1e-8, max_iter=1_000_000, random_state=0).fit(
        whole, labels
    )

    def objective(weights):
        return 0.5 * weights @ weights + weight * np.maximum(0, 1 - (2 * labels - 1) * (whole @ weights)).sum()

    assert result.objective_ == pytest.approx(objective(hinge.coef_[0]), rel=1e-3)
    assert objective(np.append(result.coef_, result.intercept_)) == pytest.approx(result.objective_, rel=1e-6)


@pytest.mark.parametrize("loss", SVM_LOSSES)
@pytest.mark.parametrize("prevalence", [0.5, 0.1])
def test_it_ends_within_tolerance_of_a_bound_that_nothing_beats(loss, prevalence):
    features, labels = problem(prevalence=prevalence, seed=3)
    rough = MultivariateSVM(loss).fit(features, labels)
    assert rough.converged_
    assert 0 <= rough.duality_gap_ <= 1e-3
    assert rough.n_iter_ >= 1
    fine = MultivariateSVM(loss, tolerance=1e-6).fit(features, labels)
    weight = len(labels)
    assert fine.objective_ >= rough.objective_ - rough.duality_gap_ * weight - 1e-6 * weight
    assert fine.objective_ <= rough.objective_ + 1e-6 * weight

    # The objective is that of the definition, over all tables. Where w = 0 is as good, other weights are taken.
    if rough.trivial_:
        assert rough.objective_ == pytest.approx(weight * 1.0, rel=2e-3)
        return
    whole = np.hstack([features, np.ones((weight, 1))])
    weights = np.append(rough.coef_, rough.intercept_)
    score = score_on_counts(loss, 2.0, int(labels.sum()), int(weight - labels.sum()))
    values = (part / weight for part in parts(whole[labels == 1] @ weights, whole[labels == 0] @ weights))
    assert rough.objective_ == pytest.approx(0.5 * weights @ weights + weight * max(brute_force(score, *values), 0))


def hidden(n=400, n_positives=20):
    """Rare positives in the midst of negatives: no margin is worth its norm."""
    rng = np.random.default_rng(0)
    labels = (np.arange(n) < n_positives).astype(int)
    features = rng.normal(size=(n, 4))
    features[:, 0] += labels
    return features, labels


@pytest.mark.parametrize("loss", ["Q_beta", "F_beta", "GM"])
def test_where_no_hyperplane_beats_none_the_one_that_predicts_best_is_taken(loss):
    features, labels = hidden()
    model = MultivariateSVM(loss).fit(features, labels)
    assert model.trivial_
    assert model.converged_
    assert "no hyperplane has a lower objective than all weights 0" in model.remark_
    score = score_on_counts(loss, 2.0, 20, 380)

    def lost(predicted):
        table = np.array([(predicted & (labels == 0)).sum()]), np.array([(~predicted & (labels == 1)).sum()])
        return 1 - score.at(*table)[0]

    selected = model.predict(features) == 1
    assert lost(selected) < min(lost(np.ones(400, bool)), lost(np.zeros(400, bool)), 0.95)
    # Not rounding: what it takes has a direction, with another C too.
    assert np.abs(model.coef_).max() > 1e-3
    assert lost(MultivariateSVM(loss, C=2.0).fit(features, labels).predict(features) == 1) < 0.95
    assert not MultivariateSVM("NAS").fit(*problem()).trivial_
    # Nor is it the unit of the features that decides what is rounding.
    assert lost(MultivariateSVM(loss).fit(1e6 * features, labels).predict(1e6 * features) == 1) < 0.95


def test_with_nothing_to_see_all_are_taken_for_one_class():
    features, labels = np.ones((30, 2)), (np.arange(30) < 10).astype(int)
    assert MultivariateSVM("recall").fit(features, labels).predict(features).all(), "0 is positive"
    assert len(set(MultivariateSVM("Q_beta").fit(features, labels).predict(features))) == 1


def test_more_features_than_planes():
    features, labels = problem(n=60)
    wide = np.hstack([features, np.random.default_rng(1).normal(size=(60, 300))])
    # The programme in the span of the planes is the programme: the hinge loss tells.
    result = MultivariateSVM("error", tolerance=1e-6).fit(wide, labels)
    assert result.n_iter_ < 300
    whole = np.hstack([wide, np.ones((60, 1))])
    hinge = LinearSVC(loss="hinge", fit_intercept=False, tol=1e-8, max_iter=1_000_000, random_state=0).fit(whole, labels)
    weights = hinge.coef_[0]
    other = 0.5 * weights @ weights + np.maximum(0, 1 - (2 * labels - 1) * (whole @ weights)).sum()
    assert result.objective_ == pytest.approx(other, rel=1e-3)


@pytest.mark.parametrize(("beta", "limit"), [(0.0, "recall"), (np.inf, "NAS")])
def test_q_0_and_q_inf_are_recall_and_nas(beta, limit):
    features, labels = problem(seed=5)
    q, other = (MultivariateSVM(loss, beta=beta, tolerance=1e-6).fit(features, labels) for loss in ("Q_beta", limit))
    assert q.objective_ == pytest.approx(other.objective_, rel=1e-9)
    assert np.append(q.coef_, q.intercept_) == pytest.approx(np.append(other.coef_, other.intercept_), abs=1e-6)


def test_any_q_measure_can_be_learnt():
    features, labels = problem(seed=5)
    selected = MultivariateSVM(ParametricMeasure("Q_beta", 2.0, "GM", "NSS")).fit(features, labels)
    named = MultivariateSVM(ParametricMeasure("Q_beta", 2.0, "recall", "NAS")).fit(features, labels)
    assert selected.converged_
    assert named.objective_ == MultivariateSVM("Q_beta", beta=2.0).fit(features, labels).objective_
    assert selected.objective_ != named.objective_


def test_recall_costs_weight_and_balance_pays_in_the_count():
    features, labels = problem(n=400, prevalence=0.3, seed=7)
    counted = {loss: MultivariateSVM(*loss).fit(features, labels).predict(features) for loss in [("NAS",), ("Q_beta", 0.5)]}
    nas, recalling = counted["NAS",], counted["Q_beta", 0.5]
    assert recalling[labels == 1].mean() > nas[labels == 1].mean()
    assert abs(nas.mean() - 0.3) < abs(recalling.mean() - 0.3)


def test_it_warns_when_it_may_not_go_on():
    features, labels = problem()
    with pytest.warns(ConvergenceWarning, match="stopped after 3 planes with a duality gap of"):
        model = MultivariateSVM(most_planes=3).fit(features, labels)
    assert model.n_iter_ == 3
    assert not model.converged_
    assert model.duality_gap_ > 1e-3


def test_it_can_be_stopped_and_tells_how_far_it_is():
    features, labels = problem()
    gaps = []
    with pytest.warns(ConvergenceWarning):
        model = MultivariateSVM(on_plane=lambda planes, gap: gaps.append((planes, gap)) or planes == 5).fit(features, labels)
    assert [planes for planes, _ in gaps] == [0, 1, 2, 3, 4, 5]
    assert model.n_iter_ == 5
    assert model.duality_gap_ == pytest.approx(gaps[-1][1])
    assert (np.diff([gap for _, gap in gaps]) <= 1e-12).all(), "the gap of the best so far can't grow"

    def refuse(planes, gap):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        MultivariateSVM(on_plane=refuse).fit(features, labels)


def test_it_is_a_scikit_learn_estimator():
    features, labels = problem()
    words = np.where(labels == 1, "yes", "no")
    model = clone(MultivariateSVM("F_beta", beta=0.5)).fit(features, words)
    assert list(model.classes_) == ["no", "yes"]
    assert (model.predict(features) == np.where(model.decision_function(features) >= 0, "yes", "no")).all()
    assert model.score(features, words) > 0.7
    with pytest.raises(ValueError, match="features"):
        model.predict(features[:, :2])


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"beta": -1.0}, "beta must be at least 0"),
        ({"C": 0.0}, "C must be a number above 0"),
        ({"tolerance": -1e-3}, "tolerance must be a number above 0"),
        ({"most_planes": 0}, "most_planes must be a whole number of at least 1"),
        ({"loss": "bias"}, "Unknown loss"),
        ({"beta": "two"}, "beta must be at least 0, got 'two'"),
    ],
)
def test_bad_parameters_are_refused(parameters, message):
    with pytest.raises(InvalidInput, match=message):
        MultivariateSVM(**parameters).fit(*problem())


@pytest.mark.parametrize(
    "model",
    [
        MultivariateSVM(ParametricMeasure("Q_beta", 2.0, "GM", "NSS")),
        WeightedNeighbours(k=3),
        QuantificationTree(),
        QuantificationForest(3, random_state=0),
    ],
    ids=lambda model: type(model).__name__,
)
def test_all_learners_keep_scikit_learn_s_rules(model):
    features, labels = problem()
    with pytest.raises(NotFittedError):
        clone(model).predict(features)
    fitted = pickle.loads(pickle.dumps(clone(model).fit(features, labels)))
    assert (fitted.predict(features) == clone(model).fit(features, labels).predict(features)).all()
    assert not get_tags(model).classifier_tags.multi_class
    for bad in (np.nan, np.inf):
        spoilt = features.copy()
        spoilt[0, 0] = bad
        with pytest.raises(ValueError, match=r"NaN|infinity"):
            clone(model).fit(spoilt, labels)
    with pytest.raises(ValueError, match="continuous"):
        clone(model).fit(features, labels + np.linspace(0, 0.5, len(labels)))


def test_one_class_alone_is_refused():
    features, labels = problem()
    with pytest.raises(InvalidInput, match=r"the labels must be of two classes, got 1 \(1\)"):
        MultivariateSVM().fit(features[labels == 1], labels[labels == 1])
    with pytest.raises(InvalidInput, match="got 3"):
        MultivariateSVM().fit(features, np.arange(len(labels)) % 3)
