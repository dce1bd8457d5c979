"""Evaluation of a recommender: errors by size with their bounds, its choices, and which metafeatures matter."""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd

from qcore._base.random_streams import RandomStream, random_stream
from qcore._base.stored_pieces import FinishedPieces
from qcore._base.validation import TIE, FloatArray, InvalidInput, check_integer
from qcore.datasets import Dataset
from qcore.evaluation.significance import standard_error
from qcore.protocols import SizeGrid
from qcore.recommender.metatable import CANDIDATES, METAFEATURES, stack_metatables
from qcore.recommender.mlq import Recommender, RecommenderResult, apply_recommender, recommend
from qcore.scoring import Scores, ScoringSettings

_MAX_SHUFFLED = 2000


def errors_by_size(result: RecommenderResult) -> pd.DataFrame:
    """Mean AE at each size: name (each candidate, MLQ, TOP, RND), size, mean, standard_error, n."""
    sizes = result.table.sizes
    rows = []
    for name, errors in result.errors.items():
        for size in np.unique(sizes):
            at_size = errors[sizes == size]
            rows.append((name, int(size), at_size.mean(), float(standard_error(at_size)), len(at_size)))
    return pd.DataFrame(rows, columns=["name", "size", "mean", "standard_error", "n"])


def choices_by_size(result: RecommenderResult) -> pd.DataFrame:
    """How often each candidate is chosen at each size, and how often it is best: candidate, size, chosen, best.

    If several are best, each counts an equal part.
    """
    table = result.table
    ties = table.errors <= table.errors.min(axis=1, keepdims=True) + TIE
    shares = ties / ties.sum(axis=1, keepdims=True)
    rows = []
    for column, name in enumerate(table.candidates):
        for size in np.unique(table.sizes):
            at_size = table.sizes == size
            rows.append((name, int(size), (result.chosen[at_size] == column).mean(), shares[at_size, column].mean()))
    return pd.DataFrame(rows, columns=["candidate", "size", "chosen", "best"])


def metafeature_importance(result: RecommenderResult, seed: int = 0, repeats: int = 3) -> pd.DataFrame:
    """How much each metafeature matters: metafeature, changed, cost, standard_error; the most important first.

    One metafeature at a time is shuffled over (up to 2,000 of) the test samples: `changed` is the share of recommendations that
    then differ, `cost` the rise of MLQ's mean AE, both averaged over the `repeats`; `standard_error` is that of the cost over
    the samples. A metafeature that others can replace costs little; the cost is not that of learning without it.
    """
    check_integer("repeats", repeats, low=1)
    rng = random_stream(seed, RandomStream.METAFEATURE_SHUFFLES)
    table = result.table
    rows = rng.permutation(len(table))[:_MAX_SHUFFLED]
    described, errors, chosen = table.metafeatures[rows], table.errors[rows], result.chosen[rows]
    before = np.take_along_axis(errors, chosen[:, np.newaxis], axis=1)[:, 0]
    importance = []
    for column, name in enumerate(METAFEATURES):
        shuffled = np.concatenate([_shuffled(described, column, rng) for _ in range(repeats)])
        others = result.recommender.recommend(shuffled).reshape(repeats, -1)
        after = np.take_along_axis(errors[np.newaxis], others[:, :, np.newaxis], axis=2)[:, :, 0].mean(axis=0)
        importance.append((name, (others != chosen).mean(), (after - before).mean(), float(standard_error(after - before))))
    rows_by_name = pd.DataFrame(importance, columns=["metafeature", "changed", "cost", "standard_error"])
    return rows_by_name.sort_values("changed", ascending=False, kind="stable", ignore_index=True)


def _shuffled(described: FloatArray, column: int, rng: np.random.Generator) -> FloatArray:
    copy = described.copy()
    copy[:, column] = rng.permutation(copy[:, column])
    return copy


def comparison_with_candidates(result: RecommenderResult) -> pd.DataFrame:
    """MLQ compared with each single candidate, a row for each candidate and size, and for all sizes (size 0).

    Columns: candidate, size, mlq, single (mean AE of either), difference (MLQ less the candidate) and standard_error (of that
    difference on the same samples; samples of one pool share instances, so it is slightly too small).
    """
    sizes = result.table.sizes
    rows = []
    for name in result.table.candidates:
        difference = result.errors["MLQ"] - result.errors[name]
        for size in [*np.unique(sizes), 0]:
            at_size = sizes == size if size else np.ones(len(sizes), dtype=bool)
            means = (result.errors["MLQ"][at_size].mean(), result.errors[name][at_size].mean())
            rows.append((name, int(size), *means, difference[at_size].mean(), float(standard_error(difference[at_size]))))
    return pd.DataFrame(rows, columns=["candidate", "size", "mlq", "single", "difference", "standard_error"])


FROM_OTHERS = "MLQ from others"
"""The name of the recommender that has learnt from all data sets but the one on which it chooses."""


def errors_over_data_sets(
    results: Mapping[str, RecommenderResult], seed: int = 0, on_progress: Callable[[float], None] | None = None
) -> pd.DataFrame:
    """`errors_by_size` on each of several data sets, with a recommender that leaves out the data set on which it chooses.

    Parameters
    ----------
    results : name of a data set -> its result of `recommend`, all with the same candidates.
    seed : of the recommenders that learn from the others.
    on_progress : called with the share of the data sets that is done.

    Returns
    -------
    table : columns data, name, size, mean, standard_error, n. The name FROM_OTHERS stands for a recommender that has learnt
        from the training halves of all other data sets: it shows whether what is learnt on one data set holds on another.

    Raises InvalidInput for fewer than two data sets, and for other candidates.

    Examples
    --------
    >>> from qcore.recommender.metatable import MetaTable
    >>> rng = np.random.default_rng(0)
    >>> table = MetaTable(("AC", "CC"), 9 + rng.random((40, 6)), estimates=rng.random((40, 2)), true=rng.random(40))
    >>> result = apply_recommender(Recommender(n_trees=20).fit(table), table)
    >>> errors_over_data_sets({"one": result, "other": result}).name.unique().tolist()
    ['AC', 'CC', 'MLQ', 'TOP', 'RND', 'MLQ from others']

    Source: Maletzke et al. 2020, section 7, Figures 7 and 8, which leave open on which data sets their recommender learns.
    """
    candidates = {", ".join(result.table.candidates) for result in results.values()}
    if len(results) < 2 or len(candidates) > 1:
        rule, value = "be of two data sets or more, with the same candidates", f"{len(results)} with {'; '.join(candidates)}"
        raise InvalidInput("results", rule, value[:100], "Give recommend the same candidates on each.")
    tables = []
    for number, (name, result) in enumerate(results.items()):
        others = [one.recommender.table_ for key, one in results.items() if key != name]
        elsewhere = apply_recommender(Recommender(seed).fit(stack_metatables(others)), result.table)
        added = errors_by_size(elsewhere).query("name == 'MLQ'").assign(name=FROM_OTHERS)
        tables.append(pd.concat([errors_by_size(result), added]).assign(data=name))
        if on_progress:
            on_progress((number + 1) / len(results))
    columns = ["data", "name", "size", "mean", "standard_error", "n"]
    return pd.concat(tables, ignore_index=True)[columns]


class ExplainedRecommendations(NamedTuple):
    """A recommender applied to the test half, without its forest, and which metafeatures matter to it."""

    result: RecommenderResult
    importance: pd.DataFrame


def recommend_and_explain(
    dataset: Dataset,
    settings: ScoringSettings,
    grid: SizeGrid | None = None,
    candidates: Sequence[str] = CANDIDATES,
    *,
    scores: Scores | None = None,
    on_progress: Callable[[float, str], None] | None = None,
    finished: FinishedPieces | None = None,
) -> ExplainedRecommendations:
    """`recommend`, with the same parameters, then `metafeature_importance`. Raises InvalidInput."""
    result = recommend(dataset, settings, grid, candidates, scores=scores, on_progress=on_progress, finished=finished)
    if on_progress:
        on_progress(0.95, "Asking which metafeatures decide")
    return ExplainedRecommendations(result.without_forest(), metafeature_importance(result, settings.seed))
