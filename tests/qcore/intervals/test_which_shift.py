"""Which shift it is: rejections of section 16 by simulation, verdicts, tables, what cannot be."""

import json
import sys
from dataclasses import replace
from functools import partial

import numpy as np
import pandas as pd
import pytest
from scipy.stats import mannwhitneyu, norm

from qcore import InvalidInput, ScoringPlan, ScoringSettings, load_dataset, score_dataset
from qcore.__main__ import main
from qcore.intervals import mixture_fit, which_shift
from qcore.intervals.shift_tests import (
    WOULD_SEE,
    labels_at_scores_differ,
    thinned,
    visible_difference,
    visible_labels,
    visible_pairs,
    visible_part,
)
from qcore.intervals.which_shift import _ONLY_WITHOUT_LABELS, NEXT, QUESTIONS, shift_of_pool
from tests.thorough import mostly_thorough

REPETITIONS = 40


def score(x):
    return 1.0 / (1.0 + np.exp(-2.0 * x))


def drawn(rng, size, share=0.5, tilt=0.0, boundary=0.0):
    """Two normals 2 standard deviations apart: x and y; by a tilt e^ax of P(x), or with a boundary that has moved."""
    if not tilt and not boundary:
        y = (rng.random(size) < share).astype(int)
        return rng.normal(2.0 * y - 1.0), y
    pool = rng.normal(2.0 * (rng.random(40 * size) < 0.5) - 1.0)
    weights = np.exp(tilt * pool)
    x = rng.choice(pool, size, p=weights / weights.sum())
    return x, (rng.random(size) < score(x - boundary)).astype(int)


@pytest.fixture
def quick(monkeypatch):
    """Fewer simulations of the mixture's test, and none of what would be seen: that takes half of the time."""
    module = sys.modules["qcore.intervals.which_shift"]
    monkeypatch.setattr(module, "mixture_fit", partial(mixture_fit, simulations=200))
    monkeypatch.setattr(module, "visible_part", lambda *_, **__: 0.1)
    monkeypatch.setattr(module, "visible_labels", lambda *_: 0.6)


def shares(setting):
    """Test -> how often it sees something, and how often each verdict is given, with 60 labels."""
    rng = np.random.default_rng(0)
    seen, verdicts = {name: [] for name in QUESTIONS}, []
    for _ in range(REPETITIONS):
        x, y = drawn(rng, 500)
        z, truth = drawn(rng, 300, **setting)
        labels = np.full(300, np.nan)
        labels[:60] = truth[:60]
        result = which_shift((score(x), y), score(z), features=(x[:, None], z[:, None]), labels=labels, rng=rng)
        for row in result.table.itertuples():
            seen[row.test].append(row.seen)
        verdicts.append(result.verdict)
    return {name: float(np.mean(values)) for name, values in seen.items()}, verdicts


@pytest.mark.parametrize(
    ("setting", "expected", "named", "right"),
    mostly_thorough(
        [
            ({}, (0.06, 0.07, 0.05, 0.06, 0.05, 0.05), "nothing seen", 0.82),
            ({"share": 0.2}, (0.05, 1.0, 0.03, 0.81, 0.04, 0.06), "prior shift", 0.90),
            ({"tilt": 0.6}, (0.96, 1.0, 0.86, 0.06, 0.96, 0.91), "covariate shift", 0.93),
            ({"boundary": 1.0}, (0.05, 0.07, 0.03, 0.99, 0.67, 0.93), "concept shift", 0.96),
        ],
        2,
    ),
    ids=["none", "prior", "covariate", "concept"],
)
def test_tests_see_what_they_should_as_often_as_derived(setting, expected, named, right, quick):
    seen, verdicts = shares(setting)
    assert list(seen.values()) == pytest.approx(expected, abs=0.16)
    assert verdicts.count(named) / REPETITIONS == pytest.approx(right, abs=0.14)


def test_without_labels_nothing_is_said_of_them():
    rng = np.random.default_rng(1)
    x, y = drawn(rng, 500)
    verdicts = {}
    for name, setting in {"calm": {}, "prior": {"share": 0.2}, "covariate": {"tilt": 0.8}}.items():
        z, _ = drawn(rng, 300, **setting)
        result = which_shift((score(x), y), score(z), features=(x[:, None], z[:, None]), rng=rng)
        verdicts[name] = result.verdict
        assert result.next_step.startswith(NEXT[result.verdict][:20])
        assert len(result.table) == 3
    assert verdicts == {"calm": "nothing seen", "prior": "prior shift suffices", "covariate": "not prior shift alone"}
    assert which_shift((score(x), y), score(z), rng=rng).table.test.tolist() == ["mixture"]


def test_a_mixture_that_hardly_explains_the_sample_is_no_proof():
    """As the estimate says "Hardly" of such a sample, not "No"."""
    said = {}
    for seed in range(12):
        rng = np.random.default_rng(seed)
        (x, y), (z, _) = drawn(rng, 300), drawn(rng, 300, tilt=0.5)
        result = which_shift((score(x), y), score(z), rng=rng)
        p_value = float(result.table.p_value.iloc[0])
        said.setdefault("explains" if p_value > 0.05 else "hardly" if p_value >= 0.01 else "no", set()).add(result.next_step)
    (hardly,) = said.pop("hardly")
    assert hardly.startswith("More than the shares may have moved")
    assert said == {"explains": {NEXT["nothing seen"]}, "no": {NEXT["not prior shift alone"].format(n=60)}}


def test_a_test_that_needs_no_labels_is_not_passed_over(quick, monkeypatch):
    """With labels the verdict is theirs; that another test says yes stands beside it, as it does in the table."""
    rng = np.random.default_rng(3)
    (x, y), (z, truth) = drawn(rng, 400), drawn(rng, 200)
    labels = np.where(np.arange(200) < 60, truth, np.nan)
    calm = which_shift((score(x), y), score(z), labels=labels, rng=rng)
    assert (calm.verdict, calm.next_step) == ("nothing seen", NEXT["nothing seen"])
    fit = mixture_fit(score(z), score(x), y, rng=rng, simulations=200)
    monkeypatch.setattr(sys.modules["qcore.intervals.which_shift"], "mixture_fit", lambda *_, **__: replace(fit, p_value=0.001))
    result = which_shift((score(x), y), score(z), labels=labels, rng=rng)
    assert result.verdict == "nothing seen"
    assert result.next_step == f"{_ONLY_WITHOUT_LABELS} {NEXT['nothing seen']}"


def test_as_many_instances_are_kept_as_the_share_allows():
    labels = np.repeat([0, 1], [60, 40])
    rows = thinned(labels, 0.25, rng=np.random.default_rng(0))
    assert np.bincount(labels[rows]).tolist() == [60, 20]
    assert len(np.unique(rows)) == len(rows)
    assert np.bincount(labels[thinned(labels, 1.0, rng=np.random.default_rng(0))]).tolist() == [0, 40]


def test_many_features_are_answered():
    rng = np.random.default_rng(2)
    y = np.repeat([0, 1], 200)
    for n_features in (20, 64):
        here, there = rng.normal(size=(400, n_features)), rng.normal(size=(200, n_features))
        scores, other = score(here[:, 0] + y - 0.5), score(there[:, 0])
        result = which_shift((scores, y), other, features=(here, there), rng=rng)
        assert result.table.p_value.between(0, 1).all()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"sample": np.full(5, 0.5)}, "have 20 instances or more"),
        ({"labels": np.full(30, np.nan)}, "0 labels"),
        ({"labels": np.full(30, 2.0)}, "be 0, 1 or NaN, got 2"),
        ({"labels": np.zeros(3)}, "be 30 values"),
        ({"features": (np.zeros((3, 1)), np.zeros((30, 1)))}, "be a table of 40 rows"),
        ({"features": (np.full((40, 1), np.nan), np.zeros((30, 1)))}, "without gaps"),
        ({"level": 2.0}, "level must be"),
    ],
)
def test_what_cannot_be_is_refused(change, message):
    rng = np.random.default_rng(0)
    given = {"training": (rng.random(40), np.repeat([0, 1], 20)), "sample": rng.random(30), "rng": rng}
    with pytest.raises(InvalidInput, match=message):
        which_shift(**given | change)


def test_the_command_says_which_shift_it_is(tmp_path, capsys):
    rng = np.random.default_rng(3)
    x, y = drawn(rng, 400)
    z, truth = drawn(rng, 300, tilt=1.0)
    pd.DataFrame({"x": x, "y": np.where(y, "yes", "no")}).to_csv(tmp_path / "train.csv", index=False)
    answers = np.where(np.arange(300) < 80, np.where(truth, "yes", "no"), None)
    pd.DataFrame({"x": z}).to_csv(tmp_path / "sample.csv", index=False)
    pd.DataFrame({"x": z, "y": answers}).to_csv(tmp_path / "labelled.csv", index=False)
    files = [str(tmp_path / name) for name in ("train.csv", "sample.csv")]
    words = ["estimate", *files, "--label", "y", "--shift", "--positive", "yes"]
    assert main(words) == 0
    assert "Which shift: not prior shift alone. More than the shares" in capsys.readouterr().out
    assert main([*words[:2], str(tmp_path / "labelled.csv"), *words[3:], "--json"]) == 0
    shift = json.loads(capsys.readouterr().out)["shift"]
    assert shift["verdict"] == "covariate shift"
    assert [test["test"] for test in shift["tests"]] == list(QUESTIONS)


def logit(share):
    return np.log(share / (1.0 - share))


class TestWhatWouldBeSeen:
    """What is called visible is seen in about four of five simulations."""

    def test_labels_at_a_score(self):
        rng = np.random.default_rng(5)
        x, _ = drawn(rng, 60)
        moved = logit(visible_labels(score(x), 2000, 0.05))
        seen = []
        for _ in range(150):
            z, truth = drawn(rng, 2000)
            mine, _ = drawn(rng, 60)
            labels = (rng.random(60) < score(mine + moved / 2.0)).astype(int)
            seen.append(labels_at_scores_differ((score(z), score(mine)), (truth, labels)) <= 0.05)
        assert np.mean(seen) == pytest.approx(0.8, abs=0.13)

    def test_pairs(self):
        rng = np.random.default_rng(6)
        pairs = visible_pairs((200, 60), 0.05)
        seen = [
            mannwhitneyu(rng.normal(size=200), rng.normal(np.sqrt(2.0) * norm.ppf(pairs), size=60)).pvalue <= 0.05
            for _ in range(400)
        ]
        assert np.mean(seen) == pytest.approx(0.8, abs=0.07)

    def test_a_part_that_is_of_neither_class(self):
        rng = np.random.default_rng(7)
        x, y = drawn(rng, 500)
        sizes = (300, int(y.sum()), int((1 - y).sum()))
        fit = mixture_fit(score(drawn(rng, 300)[0]), score(x), y, rng=rng)
        part = visible_part(fit, sizes, 0.05, rng=rng)
        assert 0.05 < part < 0.3
        middle = float(np.median(score(x)))
        n_new, seen = round(300 * part), []
        for _ in range(100):
            x, y = drawn(rng, 500)
            z = np.append(score(drawn(rng, 300 - n_new)[0]), np.full(n_new, middle))
            seen.append(mixture_fit(z, score(x), y, rng=rng, simulations=200).p_value <= 0.05)
        assert np.mean(seen) == pytest.approx(0.8, abs=0.15)

    def test_a_difference(self):
        rng = np.random.default_rng(8)
        size = visible_difference(0.03, 0.05)
        z = rng.normal(size, 0.03, 2000) / 0.03
        assert np.mean(2.0 * norm.sf(np.abs(z)) <= 0.05) == pytest.approx(0.8, abs=0.04)

    def test_more_instances_see_more_and_few_say_so(self):
        assert visible_pairs((100, 1000), 0.05) < visible_pairs((100, 30), 0.05) < visible_pairs((2, 2), 0.05) == 1.0
        assert visible_difference(3.0, 0.05) == 1.0
        scores = np.full(20, 0.5)
        assert visible_labels(np.tile(scores, 20), 1000, 0.05) < visible_labels(scores, 1000, 0.05) < 1.0

    def test_every_test_says_it_in_words(self):
        assert set(WOULD_SEE) == set(QUESTIONS)
        for name in WOULD_SEE:
            assert "%" in WOULD_SEE[name](0.6) or "points" in WOULD_SEE[name](0.6)


def test_a_sample_of_a_pool_is_tested_with_its_features_and_some_labels():
    settings = ScoringSettings("versicolor", "logistic regression", 0)
    data = load_dataset("iris")
    plan, scores = ScoringPlan(data, settings), score_dataset(data, settings)
    rows = np.arange(len(scores.pool_labels))
    instances = (plan.training_rows, plan.pool_rows)
    for n_labels, n_tests in ((0, 3), (30, 6)):
        result = shift_of_pool(data, scores, rows, instances, n_labels=n_labels, rng=np.random.default_rng(0))
        assert len(result.table) == n_tests
    columns = data.numeric_features()
    direct = which_shift(
        (scores.training_scores, scores.training_labels),
        scores.pool_scores,
        features=(columns[plan.training_rows], columns[plan.pool_rows]),
        rng=np.random.default_rng(0),
    )
    # A generator that has drawn nothing yet, as without labels.
    assert direct.table.p_value.tolist() == pytest.approx(
        shift_of_pool(data, scores, rows, instances, n_labels=0, rng=np.random.default_rng(0)).table.p_value.tolist()
    )


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"labels": ["yes"] * 40}, "labels must be numbers"),
        ({"features": (np.zeros((40, 2)), np.zeros((40, 3)))}, "have the same columns in both"),
        ({"features": (np.zeros((40, 0)), np.zeros((40, 0)))}, "a table of 40 rows"),
    ],
)
def test_labels_and_features_that_cannot_be_are_refused_in_one_sentence(more, words):
    rng = np.random.default_rng(0)
    scores, labels = rng.random(40), np.repeat([0, 1], 20)
    with pytest.raises(InvalidInput, match=words):
        which_shift((scores, labels), scores, rng=rng, **more)
