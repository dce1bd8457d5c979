"""Paths of the prevalence, typed or named, and what quantifiers say along them."""

import numpy as np
import pytest

from pages.settings.number_text import typed_prevalences
from qcore import InvalidInput, ScoringSettings, load_dataset, make_quantifiers, score_dataset
from qcore._base.random_streams import RandomStream, random_stream
from qcore.protocols import PoolTooSmall, PrevalencePath
from qcore.studies.trend import DAYS, PATHS, path_prevalences, training_share, trend


@pytest.mark.parametrize("path", PATHS)
def test_paths_stay_in_bounds_and_move(path):
    result = path_prevalences(path)
    assert len(result) == DAYS
    assert 0.1 - 1e-6 <= min(result) < max(result) <= 0.9 + 1e-6
    assert result == path_prevalences(path)


def test_paths_are_what_their_names_say():
    assert (np.diff(path_prevalences("rising")) > 0).all()
    assert (np.diff(path_prevalences("falling")) < 0).all()
    assert sorted(set(path_prevalences("step"))) == [0.2, 0.8]
    turns = np.diff(np.sign(np.diff(path_prevalences("wave"))))
    assert np.count_nonzero(turns) == 4


def test_an_unknown_path_is_refused():
    with pytest.raises(InvalidInput, match=r"Unknown path 'up'\. Choose one of: rising"):
        path_prevalences("up")


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("0.2 0.8", [0.2, 0.5, 0.8]), ("0.2;0.4,0.1", [0.2, 0.4, 0.1]), (" 0.3 ", [0.3] * 3), ("1, 0, 1", [1, 0, 1]),
        ("1e-1\n.5", [0.1, 0.3, 0.5]),
    ],
)  # fmt: skip
def test_typed_paths_are_joined_by_straight_lines(text, days):
    assert typed_prevalences(text, 3) == pytest.approx(tuple(days))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "have 1 to 30 prevalences, got 0"), ("abc", "got 'abc'"), ("0.2 2", "got '2'"), ("nan", "got 'nan'"),
        ("-0.1", "got '-0.1'"), ("0.1 " * 31, "got 31"), ("x" * 200, "got 'xxxxxxxxxxxxxxxxxxxx'"), ("inf", "got 'inf'"),
    ],
)  # fmt: skip
def test_nonsense_is_refused_in_a_sentence(text, message):
    with pytest.raises(InvalidInput, match=message):
        typed_prevalences(text)


@pytest.mark.parametrize("n_training", [60, 100, 1000])
def test_training_share_meets_the_number(n_training):
    for n_instances in range(int(n_training / 0.7) + 2, 3000):
        assert int(training_share(n_instances, n_training) * n_instances) == n_training
    assert training_share(n_training, 10_000) == 0.7


@pytest.fixture(scope="module")
def scored():
    return score_dataset(load_dataset("wdbc"), ScoringSettings("malignant"))


def test_a_sample_a_day(scored):
    quantifiers = make_quantifiers(["CC", "AC"], scored.training_scores, scored.training_labels)
    path = PrevalencePath(path_prevalences("falling"), 40)
    table = trend(quantifiers, scored, path, seed=0)
    assert list(dict.fromkeys(table.method)) == ["CC", "AC"]
    assert table[table.method == "AC"].day.tolist() == list(range(1, DAYS + 1))
    samples = path.draw(scored.pool_labels, random_stream(0, RandomStream.TREND))
    assert table[table.method == "AC"].true.tolist() == samples.prevalences.tolist()
    (_, index), *_ = samples.blocks()
    estimates = quantifiers["AC"].predict(scored.pool_scores[index])
    assert table[table.method == "AC"].estimate.tolist() == pytest.approx(estimates.tolist())


class TestPrevalencePath:
    def test_order_counts_and_repeats(self, scored):
        samples = PrevalencePath((0.9, 0.1, 0.45), 10, repeats=2).draw(scored.pool_labels, np.random.default_rng(0))
        assert samples.positives.tolist() == [9, 9, 1, 1, 4, 4], "halves to even"
        assert samples.targets.tolist() == [0.9, 0.9, 0.1, 0.1, 0.45, 0.45]
        assert samples.repeats.tolist() == [0, 1] * 3
        for _, index in samples.blocks():
            assert scored.pool_labels[index].sum(axis=1).tolist() == samples.positives.tolist()
            assert all(len(set(row)) == 10 for row in index.tolist())

    def test_too_large_for_the_pool(self, scored):
        with pytest.raises(PoolTooSmall, match=r"at prevalences from 0\.10 to 0\.90") as rejected:
            PrevalencePath((0.1, 0.9), 400).draw(scored.pool_labels, np.random.default_rng(0))
        largest = rejected.value.largest
        assert len(PrevalencePath((0.1, 0.9), largest).draw(scored.pool_labels, np.random.default_rng(0))) == 2

    @pytest.mark.parametrize("change", [{"prevalences": ()}, {"prevalences": (1.2,)}, {"sample_size": 0}, {"repeats": 0}])
    def test_bad_values(self, change):
        with pytest.raises(InvalidInput):
            PrevalencePath(**({"prevalences": (0.5,)} | change))
