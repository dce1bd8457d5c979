"""Comparisons over data sets: published tables and critical values, other libraries on random tables, a hand-worked ranking."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import friedmanchisquare, rankdata, wilcoxon

from qcore import (
    ArtificialPrevalence,
    InvalidInput,
    ScoringSettings,
    SimplexPrevalence,
    evaluation_report,
    load_dataset,
    score_dataset,
)
from qcore.evaluation.signed_ranks import wilcoxon_p
from qcore.evaluation.significance import (
    Comparison,
    against_pivot,
    bonferroni_dunn_distance,
    compare,
    friedman_statistic,
    hochberg,
    holm,
    hommel,
    nemenyi_distance,
)

DEMSAR = {
    "C4.5": [0.763, 0.599, 0.954, 0.628, 0.882, 0.936, 0.661, 0.583, 0.775, 1.0, 0.940, 0.619, 0.972, 0.957],
    "C4.5+m": [0.768, 0.591, 0.971, 0.661, 0.888, 0.931, 0.668, 0.583, 0.838, 1.0, 0.962, 0.666, 0.981, 0.978],
    "C4.5+cf": [0.771, 0.590, 0.968, 0.654, 0.886, 0.916, 0.609, 0.563, 0.866, 1.0, 0.965, 0.614, 0.9751, 0.946],
    "C4.5+m+cf": [0.798, 0.569, 0.967, 0.657, 0.898, 0.931, 0.685, 0.625, 0.875, 1.0, 0.962, 0.669, 0.975, 0.970],
}
"""Demšar 2006, Table 6: AUC on 14 data sets; two that it prints as 0.975 have the ranks 2 and 3 there."""


def of_table(table):
    """A comparison of a table with a column for each method, low is best."""
    frame = pd.DataFrame(table).reset_index(names="data").melt("data", var_name="method", value_name="loss")
    return compare(frame.assign(prevalence=0.5))


def test_the_published_table_of_demsar_comes_out_with_its_groups():
    result = of_table({name: [1.0 - auc for auc in column] for name, column in DEMSAR.items()})
    assert result.mean_ranks.round(3).to_dict() == {"C4.5+m+cf": 1.964, "C4.5+m": 2.0, "C4.5+cf": 2.893, "C4.5": 3.143}
    # The paper has 9.28 and 3.69, without the correction for ties.
    raw = 12 * 14 / 20 * ((result.ranks.mean(axis=0) ** 2).sum() - 25)
    assert raw == pytest.approx(9.28, abs=0.01)
    assert 13 * raw / (14 * 3 - raw) == pytest.approx(3.69, abs=0.01)
    assert result.friedman.statistic == pytest.approx(10.23, abs=0.005)
    assert result.iman_davenport.statistic == pytest.approx(4.19, abs=0.005)
    assert result.nemenyi_distance(0.05) == pytest.approx(1.25, abs=0.005)
    assert result.nemenyi_distance(0.10) == pytest.approx(1.12, abs=0.005)
    assert result.groups(0.10) == [("C4.5+m+cf", "C4.5+m", "C4.5+cf"), ("C4.5+cf", "C4.5")]
    assert result.groups(0.05) == [("C4.5+m+cf", "C4.5+m", "C4.5+cf", "C4.5")]


NEMENYI = {
    0.05: [1.960, 2.343, 2.569, 2.728, 2.850, 2.949, 3.031, 3.102, 3.164],
    0.10: [1.645, 2.052, 2.291, 2.459, 2.589, 2.693, 2.780, 2.855, 2.920],
}
BONFERRONI_DUNN = {
    0.05: [1.960, 2.241, 2.394, 2.498, 2.576, 2.638, 2.690, 2.724, 2.773],
    0.10: [1.645, 1.960, 2.128, 2.241, 2.326, 2.394, 2.450, 2.498, 2.539],
}


@pytest.mark.parametrize("alpha", NEMENYI)
def test_the_critical_values_are_those_of_table_4_2(alpha):
    for k, nemenyi, dunn in zip(range(2, 11), NEMENYI[alpha], BONFERRONI_DUNN[alpha], strict=True):
        scale = np.sqrt(k * (k + 1) / 6.0)
        assert nemenyi_distance(k, 1, alpha) / scale == pytest.approx(nemenyi, abs=0.0015)
        # The thesis rounds some of Bonferroni and Dunn's coarsely: 2.724 is 2.7344.
        assert bonferroni_dunn_distance(k, 1, alpha) / scale == pytest.approx(dunn, abs=0.011)


def test_the_critical_differences_of_the_thesis():
    assert nemenyi_distance(10, 24) == pytest.approx(2.7654, abs=5e-4)
    assert nemenyi_distance(10, 22) == pytest.approx(2.8883, abs=5e-4)


tables = st.integers(3, 6).flatmap(
    lambda k: st.lists(st.lists(st.integers(0, 4), min_size=k, max_size=k), min_size=3, max_size=12)
)


@given(tables)
def test_friedman_is_scipys_with_ties(rows):
    table = np.array(rows, dtype=float)
    result = friedman_statistic(rankdata(table, axis=1))
    if np.all(table == table[:, :1]):
        assert result == 0.0
    else:
        expected = friedmanchisquare(*table.T)
        assert result == pytest.approx(expected.statistic, abs=1e-9)
        methods = tuple(map(str, range(table.shape[1])))
        comparison = Comparison(methods, rankdata(table, axis=1), table)
        assert comparison.friedman.p_value == pytest.approx(expected.pvalue, abs=1e-9)


def test_nemenyi_and_holm_are_those_of_other_libraries():
    import scikit_posthocs
    from statsmodels.stats.multitest import multipletests

    rng = np.random.default_rng(0)
    for k, n in ((3, 10), (5, 14), (10, 24)):
        table = rng.integers(0, 6, (n, k)) + rng.normal(size=k)
        names = tuple(f"m{i}" for i in range(k))
        result = Comparison(names, rankdata(table, axis=1), table)
        expected = scikit_posthocs.posthoc_nemenyi_friedman(table).to_numpy()
        for row in result.pairs().itertuples():
            other = expected[names.index(row.first), names.index(row.second)]
            # Its table of the studentized range ends at 0.001 and is interpolated.
            assert row.nemenyi == pytest.approx(other, abs=0.005)
        p = result.against(names[0]).p.to_numpy()
        for ours, theirs in ((holm, "holm"), (hochberg, "simes-hochberg"), (hommel, "hommel")):
            assert ours(p) == pytest.approx(multipletests(p, method=theirs)[1])


def test_the_double_ranking_by_hand():
    # Data set a: at 0 the ranks are 1, 2, 3; at 1 they are 3, 1.5, 1.5; mean ranks 2, 1.75, 2.25; ranked 2, 1, 3.
    # Data set b: all tie at 0; at 1 they are 1, 2, 3; mean ranks 1.5, 2, 2.5; ranked 1, 2, 3.
    rows = {("a", 0): (0.1, 0.2, 9.0), ("a", 1): (0.9, 0.3, 0.3), ("b", 0): (0.5, 0.5, 0.5), ("b", 1): (0.0, 0.1, 0.2)}
    table = [(d, p, m, v) for (d, p), values in rows.items() for m, v in zip("xyz", values, strict=True)]
    # Two folds of one cell are averaged first.
    table += [("b", 1, "x", 0.02), ("b", 1, "y", 0.08), ("b", 1, "z", 0.3)]
    result = compare(pd.DataFrame(table, columns=["data", "prevalence", "method", "loss"]))
    assert result.ranks.tolist() == [[2, 1, 3], [1, 2, 3]]
    assert result.mean_ranks.to_dict() == {"x": 1.5, "y": 1.5, "z": 3.0}
    assert result.n_sets == 2


def test_the_p_values_beside_a_control_are_normal_tails():
    # Three methods, six data sets: mean ranks 1.5, 1.5 and 3 are 1.5 / sqrt(3 * 4 / 36) = 2.598 standard errors apart.
    result = of_table({"a": [1.0, 2.0] * 3, "b": [2.0, 1.0] * 3, "c": [3.0] * 6}).against("a").set_index("method")
    assert result.difference.to_dict() == {"b": 0.0, "c": 1.5}
    assert result.p.to_dict() == {"b": 1.0, "c": pytest.approx(0.009375, abs=1e-6)}
    assert result.bonferroni_dunn.to_dict() == {"b": 1.0, "c": pytest.approx(0.01875, abs=2e-6)}
    assert result.holm["c"] == pytest.approx(0.01875, abs=2e-6)


def test_a_control_and_a_pivot():
    rng = np.random.default_rng(0)
    rows = [
        (d, p, m, rng.normal() + shift) for d in range(20) for p in (0.1, 0.9) for m, shift in (("a", 0), ("b", 0.1), ("c", 9))
    ]
    frame = pd.DataFrame(rows, columns=["data", "prevalence", "method", "loss"])
    beside = compare(frame).against("a").set_index("method")
    assert beside.holm["c"] < 0.001 < beside.holm["b"]
    corrected = beside[["bonferroni_dunn", "holm", "hochberg", "hommel", "p"]].to_numpy()
    assert (np.diff(corrected, axis=1) <= 1e-12).all(), "each finds what the one before it does"
    pivot = against_pivot(frame, "a").set_index("method")
    assert pivot.loc["c", ["wins", "losses", "ties", "dwl"]].tolist() == [40, 0, 0, 40]
    assert pivot.mdae["c"] == pytest.approx(9, abs=1)
    split = against_pivot(frame, "a", by=["prevalence"])
    assert split.groupby("method").wins.sum()["c"] == 40
    assert len(split) == 4


def test_perfect_agreement_has_its_exact_p_value():
    result = of_table({"a": [1.0, 1.0], "b": [2.0, 2.0]})
    assert result.iman_davenport == (np.inf, 0.5)
    assert of_table({"a": [1.0] * 4, "b": [2.0] * 4, "c": [3.0] * 4}).iman_davenport.p_value == pytest.approx(6.0**-3)
    # Ranks 1, 2.5, 2.5 can be dealt in three ways, not six.
    assert of_table({"a": [1.0] * 3, "b": [2.0] * 3, "c": [2.0] * 3}).iman_davenport == (np.inf, pytest.approx(1 / 9))


def test_tied_losses_of_few_cases_have_the_p_value_of_all_signs():
    rng = np.random.default_rng(3)
    for n in (2, 5, 8, 11):
        first, second = rng.integers(0, 5, size=(2, n)) / 8.0
        first[0] = second[0] + 0.25
        assert wilcoxon_p(first, second) == wilcoxon(first - second).pvalue


def test_equal_methods_are_one_group_and_p_is_one():
    result = of_table({"a": [1.0, 2.0, 3.0], "b": [1.0, 2.0, 3.0]})
    assert result.friedman == (0.0, 1.0)
    assert result.groups() == [("a", "b")]
    assert result.pairs().wilcoxon[0] == wilcoxon_p([1, 2], [1, 2]) == 1.0


@pytest.mark.parametrize(
    ("rows", "sentence"),
    [
        ([("a", 0.5, "x", 1.0), ("b", 0.5, "x", 1.0)], "methods must be at least two"),
        ([("a", 0.5, "x", 1.0), ("a", 0.5, "y", 1.0)], "data sets must be at least two"),
        ([("a", 0.5, "x", 1.0), ("a", 0.5, "y", 1.0), ("b", 0.5, "x", 1.0)], "none of y on b"),
    ],
)
def test_what_cannot_be_tested_is_one_sentence(rows, sentence):
    with pytest.raises(InvalidInput, match=sentence):
        compare(pd.DataFrame(rows, columns=["data", "prevalence", "method", "loss"]))


def test_methods_are_ranked_at_each_sample_size():
    """One size with large errors does not decide over two with small ones."""
    errors = {10: {"a": 0.9, "b": 0.5}, 100: {"a": 0.1, "b": 0.2}, 500: {"a": 0.01, "b": 0.02}}
    rows = [(data, size, 0.5, method, loss) for data in "xyz" for size, of in errors.items() for method, loss in of.items()]
    losses = pd.DataFrame(rows, columns=["data", "size", "prevalence", "method", "loss"])
    assert compare(losses).mean_ranks.to_dict() == {"a": 1.0, "b": 2.0}
    assert compare(losses.drop(columns="size")).mean_ranks.to_dict() == {"b": 1.0, "a": 2.0}


@pytest.mark.parametrize("call", [compare, lambda losses: against_pivot(losses, "a")])
def test_a_method_that_lacks_a_cell_is_refused_and_so_is_a_table_without_a_column(call):
    rows = [(data, p, method, 0.1) for data in "uv" for p in (0.2, 0.8) for method in "ab"]
    losses = pd.DataFrame(rows, columns=["data", "prevalence", "method", "loss"])
    with pytest.raises(InvalidInput, match="have every method in every cell, got none of b on v"):
        call(losses.iloc[:-1])
    for rows in (losses.method == "b", losses.data == "v"):
        with pytest.raises(InvalidInput, match="have every method in every cell"):
            call(losses.assign(loss=losses.loss.mask(rows)))
    for column in losses:
        with pytest.raises(InvalidInput, match=f"have a column '{column}'"):
            call(losses.drop(columns=column))
    folds = pd.concat([losses, losses], ignore_index=True)
    folds.loc[3, "loss"] = np.nan
    with pytest.raises(InvalidInput, match="be numbers, got NaN of b on u"):
        call(folds)


@pytest.mark.parametrize("loss", ["NAS", "NSS", "bias"])
def test_what_is_best_elsewhere_than_at_its_lowest_is_not_ranked(loss):
    rows = [(data, 0.5, method, 0.1) for data in "uv" for method in "ab"]
    with pytest.raises(InvalidInput, match="be lowest where an estimate is best"):
        compare(pd.DataFrame(rows, columns=["data", "prevalence", "method", loss]), loss)


def test_reports_of_several_data_sets_are_compared_as_they_are():
    protocol = ArtificialPrevalence(grid=3, sample_size=20, repeats=2)
    reports = pd.concat(
        evaluation_report(score_dataset(load_dataset(name)), ["CC", "AC"], protocol).assign(data=name)
        for name in ("wdbc", "wine")
    )
    assert compare(reports, "AE").n_sets == 2
    with pytest.raises(InvalidInput, match="be a DataFrame"):
        compare({"data": ["a"]})
    with pytest.raises(InvalidInput, match=r"scores must be Scores.*score_dataset"):
        evaluation_report(load_dataset("wdbc"), ["CC"], protocol)


def test_reports_of_any_number_of_classes_are_compared():
    tables = []
    for name, protocol in (("wine", SimplexPrevalence(3, 10, 3)), ("iris", SimplexPrevalence(3, 10, 3))):
        scores = score_dataset(load_dataset(name), ScoringSettings(None, "Gaussian naive Bayes"))
        tables.append(evaluation_report(scores, ["CC", "AC", "EMQ"], protocol, losses=["AE"]).assign(data=name))
    four = tables[0].assign(data="of four", target_3=0.0)
    two = evaluation_report(
        score_dataset(load_dataset("wdbc"), ScoringSettings("malignant", "Gaussian naive Bayes")), ["CC", "AC", "EMQ"],
        ArtificialPrevalence(3, 10, 3), losses=["AE"],
    ).assign(data="of two", target_group="none of its business")  # fmt: skip
    alone = compare(pd.concat([two, two.assign(data="again")]), "AE")
    assert compare(pd.concat([tables[0], two]), "AE").ranks[1].tolist() == alone.ranks[0].tolist()
    result = compare(pd.concat([*tables, four]), "AE")
    # One data set: its rank at each prevalence vector, averaged over these.
    means = tables[0].pivot_table("AE", ["target_0", "target_1", "target_2"], "method")
    inner = means.round(10).rank(axis=1).mean().round(10).rank()
    assert dict(zip(result.methods, result.ranks[0], strict=True)) == inner[list(result.methods)].to_dict()
    assert result.ranks[0].tolist() == result.ranks[2].tolist()
    with pytest.raises(InvalidInput, match="Rename one of them to 'method'"):
        compare(tables[0].rename(columns={"method": "name"}), "AE")
