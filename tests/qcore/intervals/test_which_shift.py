"""Which shift it is: rejections of section 16 by simulation, verdicts, tables, what cannot be."""

import json

import numpy as np
import pandas as pd
import pytest

from qcore import InvalidInput
from qcore.__main__ import main
from qcore.intervals import which_shift
from qcore.intervals.shift_tests import thinned
from qcore.intervals.which_shift import NEXT, QUESTIONS

REPETITIONS = 60


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
    [
        ({}, (0.06, 0.07, 0.05, 0.06, 0.05, 0.05), "nothing seen", 0.82),
        ({"share": 0.2}, (0.05, 1.0, 0.03, 0.81, 0.04, 0.06), "prior shift", 0.90),
        ({"tilt": 0.6}, (0.96, 1.0, 0.86, 0.06, 0.96, 0.91), "covariate shift", 0.93),
        ({"boundary": 1.0}, (0.05, 0.07, 0.03, 0.99, 0.67, 0.93), "concept shift", 0.96),
    ],
    ids=["none", "prior", "covariate", "concept"],
)
def test_tests_see_what_they_should_as_often_as_derived(setting, expected, named, right):
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
        ({"labels": np.full(30, 2.0)}, "be 0 or 1"),
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
    assert "Which shift: not prior shift alone. More than shares" in capsys.readouterr().out
    assert main([*words[:2], str(tmp_path / "labelled.csv"), *words[3:], "--json"]) == 0
    shift = json.loads(capsys.readouterr().out)["shift"]
    assert shift["verdict"] == "covariate shift"
    assert [test["test"] for test in shift["tests"]] == list(QUESTIONS)
