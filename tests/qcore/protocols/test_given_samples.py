"""Given samples in LeQua's format: read, scored and estimated as a loop over the files does; what is wrong is named."""

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression

from qcore import InvalidInput, SamplesFromFolder, UniformPrevalence, evaluation_report, make_quantifiers
from qcore.datasets.sample_folder import SampleFolder, write_samples
from qcore.evaluation.estimates import estimate
from qcore.evaluation.summaries import curves, overview

METHODS = ["CC", "PACC", "EMQ", "DyS-TS"]


def drawn(rng, counts):
    """Instances of classes 0, 1, ... around a corner each, the labels first."""
    labels = np.repeat(np.arange(len(counts)), counts)
    values = rng.normal(size=(len(labels), 3)) + 1.5 * np.eye(3)[labels % 3]
    return pd.DataFrame(values, columns=["0", "1", "2"]).assign(label=labels)[["label", "0", "1", "2"]]


@pytest.fixture(params=[2, 3])
def folder(request, tmp_path):
    """Eight samples of three sizes, of two classes or three."""
    rng, n_classes = np.random.default_rng(0), request.param
    counts = [rng.multinomial(size, rng.dirichlet(np.ones(n_classes))) for size in (20, 20, 20, 35, 20, 50, 50, 20)]
    tables = [drawn(rng, one) for one in counts]
    names = list(map(str, range(n_classes)))
    shares = pd.DataFrame([one / one.sum() for one in counts], columns=names)
    write_samples(tmp_path, drawn(rng, [60] * n_classes), [one.drop(columns="label") for one in tables], shares)
    return tmp_path


def test_all_at_once_is_what_a_loop_over_the_files_gives(folder):
    protocol = SamplesFromFolder(folder)
    scores = protocol.score("Gaussian naive Bayes")
    report = evaluation_report(scores, METHODS, protocol, losses=["AE", "RAE"])
    quantifiers = make_quantifiers(METHODS, scores.training_scores, scores.training_labels)
    truth = pd.read_csv(folder / "dev_prevalences.txt", index_col=0)
    starts = np.concatenate([[0], protocol.folder.sizes.cumsum()])
    for method, rows in report.groupby("method", sort=False):
        for number, row in enumerate(rows.itertuples(index=False)):
            one = pd.read_csv(folder / "dev_samples" / f"{number}.txt")
            assert row.size == len(one)
            given = quantifiers[method].predict(scores.pool_scores[starts[number] : starts[number + 1]])
            if truth.shape[1] == 2:
                found, true = np.array([1.0 - given, given]), truth.iloc[number]
                assert (row.true, row.estimate) == pytest.approx((true.iloc[1], float(given)), abs=1e-12)
            else:
                found, true = given, truth.iloc[number]
                assert [getattr(row, f"estimate_{c}") for c in range(3)] == pytest.approx(given, abs=1e-12)
            eps, k = 0.5 / len(one), truth.shape[1]
            smoothed = [(values + eps) / (1 + eps * k) for values in (true.to_numpy(), found)]
            assert pytest.approx(np.mean(np.abs(smoothed[1] - smoothed[0]) / smoothed[0])) == row.RAE, "by its own size"
            assert pytest.approx(np.abs(true.to_numpy() - found).mean()) == row.AE


def test_scores_are_those_of_the_model_of_the_whole_training_part(folder):
    scores = SamplesFromFolder(folder).score()
    training = pd.read_csv(folder / "training_data.txt")
    pool = pd.concat([pd.read_csv(folder / "dev_samples" / f"{number}.txt") for number in range(8)])
    x, z = (table[["0", "1", "2"]].to_numpy() for table in (training, pool))
    mean, deviation = x.mean(axis=0), x.std(axis=0)
    model = LogisticRegression(max_iter=2000, random_state=0).fit((x - mean) / deviation, training["label"])
    expected = model.predict_proba((z - mean) / deviation)
    expected = expected[:, 1] if expected.shape[1] == 2 else expected
    np.testing.assert_allclose(scores.pool_scores, expected, atol=1e-9)
    assert set(scores.pool_labels) == {-1}
    with pytest.raises(InvalidInput, match="pool_labels must be"):
        UniformPrevalence(3, 5).draw(scores.pool_labels, np.random.default_rng(0))


def test_files_are_read_together_or_one_by_one(folder, monkeypatch):
    together = pd.concat(SampleFolder(folder).tables(), ignore_index=True)
    monkeypatch.setattr("qcore.datasets.sample_folder._BYTES_AT_ONCE", 1)
    monkeypatch.setattr("qcore.datasets.sample_folder.find_spec", lambda _: None)
    parts = list(SampleFolder(folder).tables())
    assert len(parts) == 8
    pd.testing.assert_frame_equal(pd.concat(parts, ignore_index=True), together)


def test_summaries_take_samples_of_several_sizes(folder):
    protocol = SamplesFromFolder(folder)
    scores = protocol.score("Gaussian naive Bayes")
    if scores.classes:
        return
    samples = protocol.draw(scores.pool_labels)
    losses = estimate(["CC", "AC"], scores, samples).losses("AE")
    table = overview(losses)
    assert table["mean"].tolist() == pytest.approx([one.mean() for one in losses.by_method.values()])
    assert sorted(curves(losses.by_method, samples).true.unique()) == pytest.approx(sorted(set(samples.prevalences)))


def test_scores_of_ones_own_are_taken_as_they_are(tmp_path):
    names = ["a", "b", "c"]
    rng = np.random.default_rng(1)
    training = pd.DataFrame(rng.dirichlet(np.ones(3), 30), columns=names).assign(label=names * 10)
    sample = pd.DataFrame(rng.dirichlet(np.ones(3), 12), columns=names)
    write_samples(tmp_path, training, [sample], pd.DataFrame([[0.25, 0.25, 0.5]], columns=names), "test")
    protocol = SamplesFromFolder(tmp_path, are_scores=True)
    assert protocol.part == "test"
    scores = protocol.score()
    np.testing.assert_array_equal(scores.pool_scores, sample.to_numpy())
    assert scores.classes == tuple(names)
    assert evaluation_report(scores, ["PCC"], protocol).estimate_2[0] == pytest.approx(sample["c"].mean())


def change(name, old, new):
    def changed(folder):
        path = folder / name
        path.write_text(path.read_text().replace(old, new, 1))

    return changed


@pytest.mark.parametrize("folder", [2], indirect=True)
@pytest.mark.parametrize(
    ("spoil", "named"),
    [
        (lambda folder: (folder / "training_data.txt").unlink(), "must hold training_data.txt"),
        (lambda folder: (folder / "dev_samples" / "3.txt").unlink(), "none of sample 3"),
        (lambda folder: (folder / "dev_samples" / "3.txt").write_text("0,1,2\n"), "sample '3.txt' must hold a header and an"),
        (lambda folder: (folder / "dev_samples" / "3.txt").write_text("0,1,2\n1,2,3,4\n1\n"), "sample '3.txt' must be a table"),
        (change("dev_samples/3.txt", "0,1,2", "0,1,x"), "none called 2"),
        (change("dev_prevalences.txt", "id,0,1", "id,0,7"), "must have the classes 0, 1"),
        (lambda folder: (folder / "dev_prevalences.txt").write_text("id,0,1\n0,0.5,0.6\n"), "shares that sum to 1"),
        (lambda folder: (folder / "dev_prevalences.txt").write_text("id,0,1\n0,-0.5,1.5\n"), "shares that sum to 1"),
    ],
)
def test_what_is_wrong_is_named(folder, spoil, named):
    spoil(folder)
    with pytest.raises(InvalidInput, match=named):
        evaluation_report(SamplesFromFolder(folder).score("Gaussian naive Bayes"), ["CC"], SamplesFromFolder(folder))


@pytest.mark.parametrize("folder", [2], indirect=True)
def test_a_part_that_is_not_there_and_another_pool(folder):
    with pytest.raises(InvalidInput, match=r"Unknown part of the samples 'tset'\. .*dev"):
        SamplesFromFolder(folder, "tset")
    with pytest.raises(InvalidInput, match="scores must be of the 235 instances of the samples, got 3"):
        SamplesFromFolder(folder).draw([0, 1, 1])
