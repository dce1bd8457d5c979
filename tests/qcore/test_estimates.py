"""Estimates, losses and the report: shapes, tidy tables, the same numbers block by block."""

import numpy as np
import pytest

from qcore import LOSSES, QUANTIFIERS, SCORES, ArtificialPrevalence, estimate, evaluation_report, make_quantifiers, sampling
from qcore.summaries import curves, overview
from qcore.validation import InvalidInput

PROTOCOL = ArtificialPrevalence(11, 50, 7)


@pytest.fixture(scope="module")
def found(wdbc_scores):
    quantifiers = make_quantifiers(QUANTIFIERS, wdbc_scores.training_scores, wdbc_scores.training_labels)
    return estimate(quantifiers, wdbc_scores.pool_scores, PROTOCOL.draw(wdbc_scores.pool_labels, np.random.default_rng(0)))


def test_the_table_is_tidy(found):
    table = found.table()
    assert list(table.columns) == ["method", "size", "repeat", "target", "true", "estimate"]
    assert len(table) == len(QUANTIFIERS) * 77
    row = table[(table.method == "AC") & (table["repeat"] == 3)].iloc[5]
    assert row.target == 0.5
    assert row.estimate == found.by_method["AC"][5 * 7 + 3]


def test_blocks_change_nothing(found, wdbc_scores, monkeypatch):
    monkeypatch.setattr(sampling, "_INDICES_TO_KEEP", 0)
    samples = PROTOCOL.draw(wdbc_scores.pool_labels, np.random.default_rng(0))
    quantifiers = make_quantifiers(QUANTIFIERS, wdbc_scores.training_scores, wdbc_scores.training_labels)
    again = estimate(quantifiers, wdbc_scores.pool_scores, samples)
    for method, values in found.by_method.items():
        assert (again.by_method[method] == values).all()


def test_progress_is_told_block_by_block(wdbc_scores, monkeypatch):
    monkeypatch.setattr(sampling, "SAMPLES_PER_BLOCK", 20)
    samples = PROTOCOL.draw(wdbc_scores.pool_labels, np.random.default_rng(0))
    told: list[float] = []
    estimate({}, wdbc_scores.pool_scores, samples, told.append)
    assert told == pytest.approx([20 / 77, 40 / 77, 60 / 77, 1.0])


def test_the_report_has_a_column_for_each_loss(wdbc_scores, found):
    report = evaluation_report(wdbc_scores, list(QUANTIFIERS), PROTOCOL, losses=[*LOSSES, *SCORES], seed=0)
    assert len(report) == len(QUANTIFIERS) * 77
    for key, loss in {**LOSSES, **SCORES}.items():
        expected = loss.binary(report.true, report.estimate, sample_size=50)
        assert report[key].to_numpy() == pytest.approx(expected)
    assert (report.estimate.to_numpy() == found.table().estimate.to_numpy()).all()


def test_corrections_beat_counting_and_counting_beats_the_baseline(wdbc_scores):
    report = evaluation_report(wdbc_scores, ["BL", "CC", "AC", "PACC"], ArtificialPrevalence(21, 100, 50))
    mean = report.groupby("method").AE.mean()
    assert mean["AC"] < mean["CC"] < mean["BL"]
    assert mean["PACC"] < mean["CC"]


def test_report_errors(wdbc_scores):
    with pytest.raises(InvalidInput, match="'MAE'"):
        evaluation_report(wdbc_scores, ["CC"], PROTOCOL, losses=["MAE"])
    with pytest.raises(InvalidInput, match="at least one quantifier"):
        evaluation_report(wdbc_scores, [], PROTOCOL)
    samples = PROTOCOL.draw(wdbc_scores.pool_labels, np.random.default_rng(0))
    with pytest.raises(InvalidInput, match="285 scores"):
        estimate({}, wdbc_scores.pool_scores[:-1], samples)


class TestSummaries:
    def test_curves(self, found):
        table = curves(found.by_method, found.samples)
        assert len(table) == len(QUANTIFIERS) * 11
        row = table[(table.method == "CC") & (table.true == 0.5)].iloc[0]
        values = found.by_method["CC"][35:42]
        assert row["mean"] == pytest.approx(values.mean())
        assert (row.lower, row.upper) == pytest.approx(tuple(np.quantile(values, [0.1, 0.9])))

    def test_targets_that_round_to_one_prevalence_are_one_point(self, wdbc_scores):
        samples = ArtificialPrevalence(21, 10, 4).draw(wdbc_scores.pool_labels, np.random.default_rng(0))
        quantifiers = make_quantifiers(["CC"], wdbc_scores.training_scores, wdbc_scores.training_labels)
        values = estimate(quantifiers, wdbc_scores.pool_scores, samples).by_method
        table = curves(values, samples)
        assert table.true.tolist() == [k / 10 for k in range(11)]
        for row in table.itertuples():
            members = values["CC"][samples.prevalences == row.true]
            assert row.mean == pytest.approx(members.mean())
            assert (row.lower, row.upper) == pytest.approx(tuple(np.quantile(members, [0.1, 0.9])))

    def test_overview(self, found):
        losses = found.losses("AE")
        table = overview(losses).set_index("method")
        values = losses.by_method["T50"]
        assert table.loc["T50", "mean"] == pytest.approx(values.mean())
        assert table.loc["T50", "median"] == pytest.approx(np.median(values))
        assert table.loc["T50", "p90"] == pytest.approx(np.quantile(values, 0.9))
        by_prevalence = values.reshape(11, 7).mean(axis=1)
        assert table.loc["T50", "worst_prevalence"] == pytest.approx(by_prevalence.argmax() / 10)
        assert table.loc["T50", "worst_mean"] == pytest.approx(by_prevalence.max())
        assert table.mean_rank.mean() == pytest.approx((len(QUANTIFIERS) + 1) / 2)

    def test_the_worst_prevalence_is_the_samples_own(self, wdbc_scores):
        samples = ArtificialPrevalence(21, 10, 5).draw(wdbc_scores.pool_labels, np.random.default_rng(0))
        quantifiers = make_quantifiers(["BL"], wdbc_scores.training_scores, wdbc_scores.training_labels)
        table = overview(estimate(quantifiers, wdbc_scores.pool_scores, samples).losses("AE"))
        assert table.worst_prevalence[0] in {k / 10 for k in range(11)}

    def test_equal_methods_share_a_rank_and_a_signed_loss_ranks_by_magnitude(self, found):
        twins = found.losses("bias")
        values = {"CC": twins.by_method["CC"], "AC": -twins.by_method["CC"]}
        table = overview(type(twins)("bias", twins.estimates, values), signed=True)
        assert table.mean_rank.tolist() == [1.5, 1.5]
        assert table.worst_mean[0] == pytest.approx(-table.worst_mean[1])
