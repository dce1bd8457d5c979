"""Large samples: numbers of few scores in place of all rows give the same estimates, and the same intervals."""

import numpy as np
import pytest

from qcore import QuantifierCV
from qcore.intervals import bootstrap, group_differences, joint_bootstrap, sample_estimate
from qcore.intervals.bootstrap import ScoreCells, double_bootstrap, few_cells, percentiles, redrawn_counts
from qcore.quantifiers import QUANTIFIERS, make_quantifiers
from qcore.quantifiers.batch import Batch, CountedBatch

COUNTED = [key for key, entry in QUANTIFIERS.items() if entry.takes_counts]
POLICIES = [key for key, entry in QUANTIFIERS.items() if entry.is_threshold_policy]


def problem(n, m, share=0.2, spread=2.6, seed=0):
    """Training scores with labels, half positive, and a sample; `spread` of 2.6 has many scores next to 0 and 1."""
    rng = np.random.default_rng(seed)
    labels, truth = (np.arange(n) < n // 2).astype(int), rng.random(m) < share

    def scores(positive):
        return 1.0 / (1.0 + np.exp(-2.0 * positive + 1.0 - spread * rng.normal(0.0, 1.0, len(positive))))

    return scores(labels), labels, scores(truth)


def counted(cells):
    return CountedBatch(cells.scores, cells.counts[np.newaxis])


def rows_of(cells):
    """The training scores that the cells stand for, and their labels."""
    parts = [np.repeat(cells.training, of_one) for of_one in cells.of_classes]
    return np.concatenate(parts), np.repeat([0, 1], cells.of_classes.sum(axis=1))


def test_methods_that_took_minutes_for_large_samples_take_counts():
    assert {"MS", "KDEy-ML", "SORD", "DyS-HD", "EMQ", "EMQ-5", "HDy", "EDy", "o-ACC", "BL"} <= set(COUNTED)


@pytest.mark.parametrize("key", COUNTED)
@pytest.mark.parametrize("few_values", [False, True])
def test_an_estimate_from_cells_is_that_of_all_rows(key, few_values):
    training, labels, sample = problem(600, 30_000)
    if few_values:
        training, sample = np.round(training, 2), np.round(sample, 2)
    cells = ScoreCells.of(sample, training, labels)
    assert len(cells.scores) <= (101 if few_values else 2500)
    quantifier = make_quantifiers([key], training, labels)[key]
    exact, of_cells = float(quantifier.predict(sample)), quantifier.predict(counted(cells))[0]
    # SORD is a median of the adjusted counts at 600 thresholds: where two weigh alike, it goes from one to the next.
    assert of_cells == pytest.approx(exact, abs=1e-9 if few_values else 1e-3 if key == "SORD" else 1e-4)
    # The training scores are all there.
    assert make_quantifiers([key], *rows_of(cells))[key].predict(sample) == pytest.approx(exact, abs=1e-9)


@pytest.mark.parametrize("key", COUNTED)
def test_with_many_training_scores_an_estimate_from_cells_is_near(key):
    """Thresholds are then scores of cells; that moves an estimate by less than its standard error."""
    training, labels, sample = problem(30_000, 30_000)
    cells = ScoreCells.of(sample, training, labels)
    assert len(cells.training) < 3000
    exact = float(make_quantifiers([key], training, labels)[key].predict(sample))
    of_cells = make_quantifiers([key], *rows_of(cells))[key].predict(counted(cells))[0]
    assert of_cells == pytest.approx(exact, abs=2e-3 if key in (*POLICIES, "MS") else 1e-4)


@pytest.mark.parametrize("n_values", [40, 3000])
def test_no_cell_holds_scores_on_both_sides_of_a_threshold_or_an_edge(n_values):
    rng = np.random.default_rng(1)
    training, labels = rng.random(n_values), rng.permutation(n_values) % 3 // 2
    sample = rng.random(9000)
    cells = ScoreCells.of(sample, training, labels)
    edges = [*training] if n_values == 40 else []
    edges += [0.5, labels.mean(), *np.arange(1, 110) / 110, *np.arange(1, 14) / 14, *np.arange(1, 100) / 100]
    plain = Batch(sample[np.newaxis])
    for edge in edges:
        assert counted(cells).share_from(edge) == pytest.approx(plain.share_from(edge), abs=1e-12)
    assert cells.counts.sum() == len(sample)
    assert cells.of_classes.sum(axis=1).tolist() == np.bincount(labels).tolist()
    assert (np.diff(cells.scores) > 0).all()
    for n_bins in (2, 14, 100, 110):
        assert counted(cells).histogram(n_bins).tolist() == plain.histogram(n_bins).tolist()
    assert counted(cells).mean == pytest.approx(plain.mean, abs=1e-12)


@pytest.mark.parametrize("key", [key for key in COUNTED if key != "BL"])
def test_the_interval_of_counts_is_that_of_rows_within_the_chance_of_draws(key, monkeypatch):
    training, labels, sample = problem(200, 400, share=0.3, spread=1.3)
    by_rows = double_bootstrap([key], sample, training, labels, rng=np.random.default_rng(0))[key]
    monkeypatch.setattr(bootstrap, "_LARGE", 100)
    by_counts = double_bootstrap([key], sample, training, labels, rng=np.random.default_rng(1))[key]
    assert not np.array_equal(by_rows, by_counts)
    rows, counts = percentiles(by_rows, 0.9, 400), percentiles(by_counts, 0.9, 400)
    # A hundred fits tell a standard deviation within a fourteenth, and an end within about a sixth of it, twice.
    assert counts == pytest.approx(rows, abs=0.6 * by_rows.std())
    assert by_counts.std() == pytest.approx(by_rows.std(), rel=0.3)


def test_a_user_defined_quantifier_gets_rows_and_small_samples_keep_their_draws(monkeypatch):
    training, labels, sample = problem(100, 150)
    seen = []

    class Own:
        def fit(self, scores, labels):
            seen.append(np.shape(scores))
            return self

        def predict(self, scores):
            seen.append(np.shape(scores))
            return np.full(len(scores), 0.5)

    before = double_bootstrap(["EMQ"], sample, training, labels, rng=np.random.default_rng(0))["EMQ"]
    monkeypatch.setattr(bootstrap, "_LARGE", 149)
    methods = {"EMQ": "EMQ", "own": Own()}
    drawn = double_bootstrap(methods, sample, training, labels, rng=np.random.default_rng(0), replicates=100)
    assert list(drawn) == ["EMQ", "own"]
    assert set(seen) == {(100,), (1, 150)}
    monkeypatch.setattr(bootstrap, "_LARGE", 150)
    again = double_bootstrap(["EMQ"], sample, training, labels, rng=np.random.default_rng(0))["EMQ"]
    assert np.array_equal(before, again)


@pytest.mark.parametrize("large", [50, 1000])
def test_threads_change_nothing_and_progress_is_told(large, monkeypatch):
    monkeypatch.setattr(bootstrap, "_LARGE", large)
    monkeypatch.setattr(bootstrap, "_ESTIMATED_AT_ONCE", 5000)
    training, labels, sample = problem(60, 150)
    shares = []
    draw = {"sample": sample, "scores": training, "labels": labels, "replicates": 200}
    alone = double_bootstrap(["MS", "EMQ"], **draw, rng=np.random.default_rng(0), on_progress=shares.append)
    together = double_bootstrap(["MS", "EMQ"], **draw, rng=np.random.default_rng(0), n_jobs=2)
    for key, drawn in alone.items():
        assert np.array_equal(drawn, together[key])
    assert shares == sorted(shares)
    assert shares[-1] == 1.0
    assert len(shares) > 2


def test_predict_interval_passes_its_threads_on(monkeypatch):
    seen = {}

    def noted(*args, **how):
        seen.update(how)
        return bootstrap_of(*args, **how)

    bootstrap_of = sample_estimate.double_bootstrap
    monkeypatch.setattr(sample_estimate, "double_bootstrap", noted)
    rng = np.random.default_rng(0)
    labels = np.arange(80) % 2
    features = rng.normal(labels[:, np.newaxis], 1.0, (80, 2))
    fitted = QuantifierCV(quantifier="EMQ", cv=2).fit(features, labels)
    fitted.set_params(n_jobs=2).predict_interval(features)
    assert seen["n_jobs"] == 2


def test_each_redrawn_part_has_its_size():
    training, labels, sample = problem(90, 200)
    cells = ScoreCells.of(sample, training, labels)
    (first, second) = redrawn_counts(cells, np.array([3, 4]), None, np.random.default_rng(0), posteriors=True)
    assert [len(first.samples), len(second.samples), first.samples.size] == [3, 4, 200]
    assert first.training.shape == first.labels.shape == (90,)
    assert [batch.size for batch in first.of_classes] == [45, 45]
    assert not np.array_equal(first.training, second.training)


@pytest.mark.parametrize("key", ["AC", "PACC", "PCC", "EMQ", "EMQ-5"])
@pytest.mark.parametrize("spread", [0.5, 2.6])
def test_some_hundred_cells_say_what_all_rows_say_where_no_histogram_is_made(key, spread):
    training, labels, sample = problem(600, 15_000, spread=spread)
    scores, counts = few_cells(sample, float(labels.mean()))
    assert len(scores) < 400
    quantifier = make_quantifiers([key], training, labels)[key]
    of_cells = quantifier.predict(CountedBatch(scores, counts[np.newaxis]))[0]
    assert of_cells == pytest.approx(float(quantifier.predict(sample)), abs=1e-9 if key in ("AC", "PACC", "PCC") else 1e-4)


def test_large_groups_have_the_intervals_of_their_rows(monkeypatch):
    training, labels, sample = problem(600, 12_000, spread=1.0)
    groups = np.arange(12_000) % 2

    def width():
        (row,) = group_differences(sample, groups, training, labels, method="EMQ").table.to_dict("records")
        return row["high"] - row["low"]

    of_cells = width()
    monkeypatch.setattr(joint_bootstrap, "_LARGE", 10**9)
    assert of_cells == pytest.approx(width(), rel=0.12)
