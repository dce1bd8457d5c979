"""The recommender on one sample: it prefers what errs less, says by how much, and refuses what it cannot learn from."""

import numpy as np
import pandas as pd
import pytest

from qcore import Dataset, InvalidInput, ScoringSettings, load_dataset, score_sample
from qcore.recommender import recommend_for_sample
from qcore.scoring.sample_scores import aligned


def of_waveform(candidates, n_positive=60, n_negative=20, seed=0, on_progress=None):
    data = load_dataset("waveform")
    members = [np.flatnonzero((data.labels == "0") == positive) for positive in (True, False)]
    rows = np.concatenate([members[0][:n_positive], members[1][:n_negative]])
    labelled = data.subset(np.setdiff1d(np.arange(len(data.labels)), rows))
    sample, settings = data.features.iloc[rows], ScoringSettings("0", seed=seed)
    scored = score_sample(labelled, sample, "0", seed=seed)
    features = labelled.numeric_features(sample)
    return recommend_for_sample(labelled, settings, scored, features, candidates, on_progress=on_progress)


def test_a_correction_is_preferred_to_the_training_prevalence_and_to_counting():
    result = of_waveform(["BL", "CC", "AC"])
    assert result.table.candidate[0] == "AC"
    assert result.table.votes[0] - result.table.votes[1] > 0.2
    assert result.table.votes.sum() == pytest.approx(1.0)
    errors = result.table.set_index("candidate").error
    assert errors["AC"] < errors["CC"] < errors["BL"]
    assert result.table.set_index("candidate").estimate["AC"] == pytest.approx(0.75, abs=0.15)
    assert result.size == 80


def test_the_same_seed_gives_the_same_answer_and_progress_ends_below_one():
    shown = []
    one, other = of_waveform(["MS", "SORD"], on_progress=shown.append), of_waveform(["MS", "SORD"])
    assert one.table.equals(other.table)
    assert shown == sorted(shown)
    assert 0.0 <= shown[0] < shown[-1] <= 1.0


def test_a_sample_larger_than_the_pool_is_learnt_at_the_largest_size():
    data = load_dataset("iris")
    scored = score_sample(data, data.features, "setosa")
    result = recommend_for_sample(data, ScoringSettings("setosa"), scored, data.numeric_features())
    assert result.size == 25


def test_too_few_labels_to_learn_from_are_one_sentence():
    data = load_dataset("iris")
    few = data.subset(np.r_[0:4, 50:140])
    scored = score_sample(few, data.features, "setosa")
    with pytest.raises(InvalidInput, match="half of the labelled data must give samples of 10"):
        recommend_for_sample(few, ScoringSettings("setosa"), scored, few.numeric_features(data.features))


def test_one_candidate_is_no_choice():
    with pytest.raises(InvalidInput, match="at least two"):
        of_waveform(["AC"])


def test_features_of_a_sample_have_the_columns_of_the_data_set():
    frame = pd.DataFrame({"x": [1.0, 2.0, np.nan, 4.0], "colour": ["r", "g", "r", "b"], "y": list("abab")})
    data = Dataset.from_frame(frame, "y", key="t", name="t")
    sample = pd.DataFrame({"colour": ["b", "violet", None], "x": [np.nan, 7.0, 1.0]})
    result = data.numeric_features(aligned(sample, data))
    assert result.shape == (3, data.numeric_features().shape[1])
    assert result[:, 0].tolist() == [2.0, 7.0, 1.0]
    assert result[1, 1:].tolist() == [0.0, 0.0, 0.0]
    assert result[0, 1:].sum() == 1.0
    assert np.array_equal(data.numeric_features(data.features), data.numeric_features())


def test_too_few_labels_to_halve_are_one_sentence():
    data = load_dataset("iris")
    few = data.subset(np.r_[0:3, 50:140])
    scored = score_sample(few, data.features, "setosa")
    with pytest.raises(InvalidInput, match=r"each class must have at least 4 labelled instances, got 3\. Label more"):
        recommend_for_sample(few, ScoringSettings("setosa"), scored, few.numeric_features(data.features))
