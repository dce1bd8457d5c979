"""The claims of the papers: their rules on small made results, and docs/findings.md beside the runs that come with the app."""

import numpy as np
import pandas as pd
import pytest

from benchmarks import barranquero_2013, maletzke_2020_claims
from benchmarks.barranquero_2013_claims import CHAPTER_6, CLAIMS, ThesisResults
from benchmarks.claims import FAILS, HOLDS, IN_PART
from benchmarks.maletzke_2020_claims import METHODS, mean_ranks
from pages.compare.findings import ranking_sentence
from pages.compare.papers import claims
from pages.compare.settings import RECOMMENDER_RUN, STORED_RUNS
from qcore import NAMED_QUANTIFIERS
from qcore.evaluation.experiment import mean_losses, read_experiment
from qcore.evaluation.significance import compare
from qcore.recommender.evaluation import FROM_OTHERS
from qcore.recommender.metatable import CANDIDATES

BY_TEXT = {claim.text: claim for claim in (*CLAIMS, *maletzke_2020_claims.CLAIMS)}


def judged(text, results):
    return BY_TEXT[text].judge(results)


@pytest.fixture(scope="module")
def thesis():
    """Seed 0 of the thesis's own protocol, as it comes with the app."""
    tables = {name: {} for name in barranquero_2013.PROBLEMS}
    for chapter in (5, 6):
        settings, estimates = read_experiment(STORED_RUNS / f"barranquero-2013-chapter-{chapter}")
        for loss in ("AE", "KLD"):
            losses = mean_losses(estimates, settings, loss, "half_count")
            for name, problem in barranquero_2013.PROBLEMS.items():
                for method, part in losses[losses["data"] == problem].groupby("method", sort=False):
                    column = method if method in NAMED_QUANTIFIERS else f"{method} {chapter}"
                    tables[name][loss, column] = part.set_index("prevalence")["loss"].sort_index()
    return ThesisResults({name: pd.DataFrame(columns) for name, columns in tables.items()}, {})


def test_the_document_says_what_the_run_gives(thesis):
    """Its figures are those of the first seed with its verdict: those of seed 0 wherever seed 0 has that verdict."""
    said = {(row.claim, row.place): (row.verdict, row.figures) for row in claims().itertuples()}
    of_seed_0 = {(one.text, one.place): one.judge(thesis) for one in CLAIMS if "training prevalence" not in one.text}
    alike = {claim: given for claim, given in of_seed_0.items() if given[0] == said[claim][0]}
    assert alike == {claim: said[claim] for claim in alike}
    assert len(alike) > 20


def test_the_document_has_the_claims_and_the_reasons_of_the_rules():
    rules = [*CLAIMS, *maletzke_2020_claims.CLAIMS, *maletzke_2020_claims.MLQ_CLAIMS]
    assert [(row.claim, row.place) for row in claims().itertuples()] == [(rule.text, rule.place) for rule in rules]
    for row, rule in zip(claims().itertuples(), rules, strict=True):
        assert row.why.endswith(rule.why) or (row.verdict, row.why) == (HOLDS, ""), rule.text


def test_better_than_t50_alone_is_false_by_kld(thesis):
    """Thesis, 6.5.2: but for T50, Q2 is not significantly better than other models. AC, MS and X are as far behind."""
    verdict, figures = judged("By KLD, Q2 is significantly better than no other method.", thesis)
    assert verdict == FAILS
    assert [name for name in CHAPTER_6 if f"{name} +" in figures] == ["AC", "X", "MS"]


def errors_with(ranks):
    """Ten data sets, on which the mean AE of the methods at sizes 10 and 500 is in the order of `ranks`."""
    return {f"set {number}": pd.DataFrame(ranks, index=[10, 500]) for number in range(10)}


def test_a_method_in_the_middle_is_not_a_poor_one():
    """It has half of the methods before it: its mean rank says whether it is behind them on most data sets."""
    text = "At 500, HDy-LP performs poorly."
    others = {name: float(place) for place, name in enumerate(name for name in METHODS if name != "HDy")}
    first, ninth, last = (errors_with(others | {"HDy": value}) for value in (-1.0, 7.5, 99.0))
    assert judged(text, last)[0] == HOLDS
    assert judged(text, first)[0] == FAILS
    ranks = mean_ranks(mixed := ninth | {"set 0": first["set 0"]}, METHODS, [500])
    assert (ranks.index[8], ranks["HDy"]) == ("HDy", pytest.approx(8.2))
    assert judged(text, mixed)[0] == IN_PART
    (row,) = claims()[claims().claim == text].to_dict("records")
    assert row["verdict"] == FAILS
    assert "mean rank 7.38, where 8.5 is the middle" in row["figures"]


def test_the_two_rules_of_ranking_are_named_and_differ():
    """A is better at nine of ten prevalences, B by the mean error: Compare takes the first rule, the size paper the second."""
    prevalences = np.arange(10) / 10
    losses = {"A": np.where(prevalences < 0.9, 0.1, 2.0), "B": np.full(10, 0.2)}
    rows = [
        (data, prevalence, method, loss)
        for data in "abc"
        for method, values in losses.items()
        for prevalence, loss in zip(prevalences, values, strict=True)
    ]
    table = pd.DataFrame(rows, columns=["data", "prevalence", "method", "loss"])
    assert compare(table).mean_ranks.index[0] == "A"
    errors = {data: part.groupby("method").loss.mean().to_frame(10).T for data, part in table.groupby("data")}
    assert mean_ranks(errors, ["A", "B"]).index[0] == "B"
    assert "at each prevalence; these ranks are averaged" in ranking_sentence(table, "AE")
    assert "as Maletzke et al. 2020 do, is another rule" in ranking_sentence(table, "AE")
    assert ranking_sentence(table.assign(prevalence=0.1), "AE") == "**How are they ranked?** On each data set by their mean AE."


@pytest.fixture(scope="module")
def recommended():
    """Mean AE of MLQ, its bounds and all quantifiers on each data set at each size, as it comes with the app."""
    return pd.read_csv(RECOMMENDER_RUN, index_col=["data", "size"])


def test_the_claims_on_mlq_are_those_of_the_stored_run(recommended):
    errors = {str(name): rows.droplevel("data") for name, rows in recommended.groupby(level="data", sort=False)}
    for claim in maletzke_2020_claims.MLQ_CLAIMS:
        (row,) = claims()[claims().claim == claim.text].to_dict("records")
        assert (row["verdict"], row["figures"]) == claim.judge(errors)


def test_the_stored_run_has_the_papers_data_sets_and_its_bounds_bound(recommended):
    assert recommended.groupby(level="data").size().tolist() == [14] * 13
    candidates, rounded = recommended[list(CANDIDATES)], 2e-6
    assert recommended.RND.to_numpy() == pytest.approx(candidates.mean(axis=1).to_numpy(), abs=rounded)
    assert (candidates.min(axis=1) + rounded >= recommended.TOP).all()
    for name in ("MLQ", FROM_OTHERS):
        assert (recommended[name] >= recommended.TOP - rounded).all()
        assert not np.isclose(recommended[name], candidates.min(axis=1), atol=1e-9).all(), "chosen by sample, not by size"
