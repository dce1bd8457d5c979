"""How rates are estimated: each way against its definition in plain loops, and what is held out by each."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import clone

from qcore import CLASSIFIERS, InvalidInput, ScoringPlan, ScoringSettings, load_dataset, score_dataset
from qcore.classifiers import make_classifier, positive_scores
from qcore.quantifiers.adjustment import AdjustedCount
from qcore.scoring.rate_estimation import N_BOOTSTRAPS, RATE_ESTIMATIONS

ELSEWHERE = [key for key in RATE_ESTIMATIONS if key not in ("resubstitution", "leave-one-out")]
LEAVING_OUT = [key for key, entry in CLASSIFIERS.items() if entry.leave_one_out]


def plan(key, classifier="PWK", data="iris", positive="virginica", **more):
    return ScoringPlan(load_dataset(data), ScoringSettings(positive, classifier, rate_estimation=key, **more))


labelled = st.integers(2, 30).flatmap(
    lambda n: st.integers(2, 30).map(lambda m: np.array([1] * n + [0] * m)[np.random.default_rng(n + m).permutation(n + m)])
)


@pytest.mark.parametrize("key", ELSEWHERE)
@given(labels=labelled, state=st.integers(0, 2**31 - 1))
def test_no_model_scores_what_it_has_learnt(key, labels, state):
    for inside, outside in RATE_ESTIMATIONS[key].held_out(labels, state):
        assert not set(inside.tolist()) & set(outside.tolist())
        assert set(labels[inside]) == set(labels[outside]) == {0, 1}


@pytest.mark.parametrize("key", ["out of fold", "averaged over folds", "parameters chosen anew"])
@given(labels=labelled)
def test_folds_score_each_instance_once(key, labels):
    scored = np.concatenate([outside for _, outside in RATE_ESTIMATIONS[key].held_out(labels, 0)])
    assert sorted(scored) == list(range(len(labels)))


def test_a_half_and_bootstraps_are_what_they_are_called():
    labels = np.array([1] * 21 + [0] * 40)
    ((inside, outside),) = RATE_ESTIMATIONS["hold-out half"].held_out(labels, 1)
    assert (labels[inside].sum(), labels[outside].sum(), len(inside), len(outside)) == (11, 10, 31, 30)
    draws = RATE_ESTIMATIONS["bootstrap"].held_out(labels, 1)
    assert len(draws) == N_BOOTSTRAPS
    for inside, outside in draws:
        assert len(inside) == len(labels)
        assert labels[inside].sum() == 21
        assert set(outside) == set(range(len(labels))) - set(inside)


@pytest.mark.parametrize("classifier", LEAVING_OUT)
def test_leave_one_out_is_that_of_a_loop(classifier):
    data = load_dataset("iris")
    work = plan("leave-one-out", classifier, training_share=0.3)
    rows, deployed = work.training_rows, work.model(work.n_folds)
    # The encoder of all instances, as in the model that is used; only the neighbours lack the one that is scored.
    features, labels = deployed[0].transform(data.features.iloc[rows]), data.binary_labels("virginica")[rows]
    fixed = CLASSIFIERS[classifier].fixed
    alone = fixed(deployed[-1]) if fixed else clone(deployed[-1])
    expected = []
    for i in range(len(rows)):
        others = np.arange(len(rows)) != i
        fitted = clone(alone).fit(features[others], labels[others])
        if fixed:
            # Weights are those of the training part.
            fitted.weights_ = deployed[-1].weights_
        expected.append(fitted.predict_proba(features[[i]])[0, 1])
    scores = work.scores()
    # A sum of distances may round otherwise, which can swap neighbours at the same distance.
    assert np.mean(np.abs(scores.training_scores - expected) < 1e-9) > 0.95
    assert np.abs(scores.training_scores - expected).mean() < 0.01


def test_leave_one_out_is_refused_where_it_would_train():
    with pytest.raises(InvalidInput, match="must not be leave-one-out, got logistic regression") as caught:
        plan("leave-one-out", "logistic regression")
    assert "k nearest neighbours" in str(caught.value)
    assert LEAVING_OUT == ["k nearest neighbours", "KNN", "PWK", "PWK-alpha"]


def test_an_unknown_way_is_refused():
    with pytest.raises(InvalidInput, match="rate estimation"):
        ScoringSettings("virginica", rate_estimation="by eye")
    with pytest.raises(InvalidInput, match="rate estimation"):
        plan("out of fold").with_rate_estimation("by eye")


def test_resubstitution_scores_what_was_learnt():
    data = load_dataset("tictactoe")
    work = plan("resubstitution", "quantification tree", "tictactoe", "x wins")
    scores = work.scores()
    fitted = work.model(work.n_folds)
    assert (scores.training_scores == positive_scores(fitted, data.features.iloc[work.training_rows])).all()
    assert scores.rates == (1.0, 0.0)


def test_rates_averaged_over_folds_are_the_mean_of_each_fold():
    pooled, averaged = (plan(key, "Gaussian naive Bayes") for key in ("out of fold", "averaged over folds"))
    scores = averaged.scores()
    assert (scores.training_scores == pooled.scores().training_scores).all()
    labels, rates = load_dataset("iris").binary_labels("virginica")[averaged.training_rows], []
    for _, outside in averaged._folds:
        counted, truth = scores.training_scores[outside] >= 0.5, labels[outside]
        rates.append((counted[truth == 1].mean(), counted[truth == 0].mean()))
    assert scores.rates == pytest.approx(tuple(np.mean(rates, axis=0)))
    given = AdjustedCount(scores.rates).fit(scores.training_scores, scores.training_labels)
    assert (given.tpr_, given.fpr_) == pytest.approx(scores.rates)


def test_given_rates_are_checked():
    with pytest.raises(InvalidInput, match=r"fpr must be a number from 0 to 1, got 1\.5"):
        AdjustedCount((0.8, 1.5)).fit([0.9, 0.1], [1, 0])


def test_parameters_chosen_anew_are_those_of_each_fold():
    fixed, anew = plan("out of fold"), plan("parameters chosen anew")
    assert len({fixed.model(i)[-1].k_ for i in range(fixed.n_parts)}) == 1
    assert len({anew.model(i)[-1].k_ for i in range(anew.n_parts)}) > 1
    assert anew.model(anew.n_folds)[-1].k_ == fixed.model(fixed.n_folds)[-1].k_
    data = load_dataset("iris")
    state = [int(s) for s in np.random.default_rng(0).integers(2**31 - 1, size=3)][2]
    inside, outside = (anew.training_rows[part] for part in anew._folds[3])
    model = make_classifier("PWK", data.nominal, min(len(part) for part, _ in anew._folds), state)
    model.fit(data.features.iloc[inside], data.binary_labels("virginica")[inside])
    assert anew.part(3) == pytest.approx(positive_scores(model, data.features.iloc[outside]))


@pytest.mark.parametrize("key", RATE_ESTIMATIONS)
def test_every_way_scores_with_its_labels(key):
    settings = ScoringSettings("virginica", "KNN", 2, rate_estimation=key)
    scores = score_dataset(load_dataset("iris"), settings)
    assert scores.training_scores.shape == scores.training_labels.shape
    assert set(scores.training_labels) == {0, 1}
    # The classes of iris lie far apart: a score that came with another instance's label would show.
    tpr, fpr = scores.rates
    assert tpr > 0.7
    assert fpr < 0.3
    default = score_dataset(load_dataset("iris"), ScoringSettings("virginica", "KNN", 2))
    assert (scores.pool_labels == default.pool_labels).all()


def test_repeats_draw_other_folds_of_the_same_split():
    work = plan("bootstrap", "Gaussian naive Bayes")
    again, other = work.with_rate_estimation("bootstrap"), work.with_rate_estimation("bootstrap", repeat=1)
    assert (work.scores().training_scores == again.scores().training_scores).all()
    assert not np.array_equal(work.part(0), other.part(0))
    assert (work.part(work.n_folds) == other.part(other.n_folds)).all()
    assert (work.pool_rows == other.pool_rows).all()
