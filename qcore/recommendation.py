"""MLQ, meta-learning quantification: a random forest recommends the quantifier for each sample (Z 5).

The training half is halved once more: scores and candidates are made on one part, samples of many sizes and prevalences are
drawn from the other. Their metafeatures, and which candidate erred least, make the metatable that the forest learns.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final, Self

import numpy as np
import pandas as pd
from sklearn.ensemble import RandomForestClassifier

from qcore.datasets import Dataset
from qcore.metafeatures import METAFEATURES
from qcore.metatable import CANDIDATES, MetaTable, meta_table, one_table
from qcore.protocols import PoolTooSmall, SizeGrid
from qcore.protocols.sizes import LEAST_SIZE
from qcore.scores import ScoringPlan, ScoringSettings
from qcore.validation import FloatArray, IntArray, InvalidInput

N_TREES: Final = 200
_TREES_AT_ONCE = 20
META_DRAWS, FOREST = 421, 422
"""Beside the seed: random draws for different ends share no generator."""


def meta_plan(dataset: Dataset, settings: ScoringSettings) -> tuple[Dataset, ScoringPlan]:
    """(the training half, its split into a part to train on and a part to draw from, half each).

    Raises InvalidInput when the training half is too small to be halved.
    """
    half = dataset.subset(ScoringPlan(dataset, settings).training_rows)
    try:
        return half, ScoringPlan(half, replace(settings, training_share=0.5, training_prevalence=None))
    except InvalidInput as refused:
        raise InvalidInput(
            "the training part",
            "be large enough for the recommender to halve it once more, with both classes in each half",
            f"{len(half.labels)} instances",
            "Give the training part a larger share.",
        ) from refused


def largest_learnable(grid: SizeGrid, plan: ScoringPlan) -> int:
    """The largest size at which the pool of `plan`, made by `meta_plan`, can give samples of all the grid's prevalences."""
    return grid.at(grid.sizes[0]).largest_sample_size(*plan.pool_counts)


def learning_grid(grid: SizeGrid, plan: ScoringPlan) -> SizeGrid:
    """The sizes of the grid that the pool of `plan`, made by `meta_plan`, can give. Raises InvalidInput for none."""
    n_positives, n_negatives = plan.pool_counts
    try:
        return grid.of(grid.fitting(n_positives, n_negatives).kept)
    except PoolTooSmall as refused:
        smaller = "Add a smaller size, or give" if refused.largest >= LEAST_SIZE else "Give"
        raise InvalidInput(
            "one of the sample sizes",
            f"be at most {refused.largest}: the recommender learns from a half of the training half, which has {n_positives} "
            f"positives and {n_negatives} negatives",
            f"{grid.sizes[0]} and more" if len(grid.sizes) > 1 else f"{grid.sizes[0]}",
            f"{smaller} the training part a larger share.",
        ) from refused


@dataclass
class Recommender:
    """A random forest that learns which candidate errs least, from metafeatures (Z 5).

    Parameters
    ----------
    seed : of the forest.
    n_trees : 200, as in the paper; its other settings are scikit-learn's defaults, as the paper names none.
    most_samples : of a larger table so many are learnt, drawn at random: unpruned trees grow with every sample.
    """

    seed: int = 0
    n_trees: int = N_TREES
    most_samples: int = 15_000

    def fit(self, table: MetaTable, on_progress: Callable[[float], None] | None = None) -> Self:
        """Learn from a metatable; `on_progress` is told after each few trees which share of them has grown."""
        rng = np.random.default_rng([self.seed, FOREST])
        state = int(rng.integers(2**31 - 1))
        kept = np.sort(rng.permutation(len(table))[: self.most_samples])
        self.candidates_ = table.candidates
        self.best_single_ = table.best_single
        self.sizes_ = np.unique(table.sizes)
        self.n_learnt_ = len(kept)
        # Trees that are added are those that one fit would have grown.
        self.forest_ = RandomForestClassifier(0, n_jobs=-1, random_state=state, warm_start=True)
        for grown in range(min(_TREES_AT_ONCE, self.n_trees), self.n_trees + _TREES_AT_ONCE, _TREES_AT_ONCE):
            self.forest_.set_params(n_estimators=min(grown, self.n_trees))
            self.forest_.fit(table.metafeatures[kept], table.best[kept])
            if on_progress:
                on_progress(min(grown, self.n_trees) / self.n_trees)
        return self

    def recommend(self, described: FloatArray) -> IntArray:
        """Place of the recommended candidate in `candidates_` for each row of metafeatures: (n_samples, 6) -> (n_samples,)."""
        return np.asarray(self.forest_.predict(described), dtype=np.int64)


@dataclass(frozen=True)
class Recommended:
    """A recommender at work on samples that it has not seen: what it chose, and how it fared.

    Attributes
    ----------
    recommender : fitted on the training half.
    table : of the samples from the test half.
    chosen : (n_samples,) places of the recommended candidates.
    learnable : the largest size that it could have learnt from.
    """

    recommender: Recommender
    table: MetaTable
    chosen: IntArray
    learnable: int

    def without_forest(self) -> Recommended:
        """The same without the trees, which can take a hundred megabytes."""
        kept = copy(self.recommender)
        del kept.forest_
        return replace(self, recommender=kept)

    @property
    def estimates(self) -> FloatArray:
        """(n_samples,) what MLQ says: the recommended candidate's estimate."""
        return np.take_along_axis(self.table.estimates, self.chosen[:, np.newaxis], axis=1)[:, 0]

    @cached_property
    def errors(self) -> dict[str, FloatArray]:
        """Name -> AE, (n_samples,): each candidate, then MLQ, TOP (the best for each sample) and RND.

        RND chooses at random; its AE here is the expected one, the mean over the candidates.
        """
        errors = self.table.errors
        return {
            **{name: errors[:, place] for place, name in enumerate(self.table.candidates)},
            "MLQ": np.take_along_axis(errors, self.chosen[:, np.newaxis], axis=1)[:, 0],
            "TOP": errors.min(axis=1),
            "RND": errors.mean(axis=1),
        }

    def frame(self) -> pd.DataFrame:
        """A row for each sample: its metafeatures, true prevalence, each candidate's estimate, who is recommended and best."""
        names = np.array(self.table.candidates)
        columns = {name: self.table.metafeatures[:, place] for place, name in enumerate(METAFEATURES)}
        said = {f"estimate_{name}": self.table.estimates[:, place] for place, name in enumerate(names)}
        chosen = {"recommended": names[self.chosen], "best": names[self.table.best]}
        return pd.DataFrame({**columns, "true": self.table.true, **said, **chosen}).astype({"size": int})


def at_work(recommender: Recommender, table: MetaTable, learnable: int | None = None) -> Recommended:
    """The recommender on the samples of a table. Raises InvalidInput for other candidates than it knows.

    `learnable`: the largest size that it could have learnt from, by default the largest that it has.
    """
    if table.candidates != recommender.candidates_:
        known = ", ".join(recommender.candidates_)
        raise InvalidInput("table", f"have the candidates {known}", ", ".join(table.candidates), "Make it with those.")
    largest = int(recommender.sizes_.max()) if learnable is None else learnable
    return Recommended(recommender, table, recommender.recommend(table.metafeatures), largest)


def recommend(
    dataset: Dataset,
    settings: ScoringSettings | None = None,
    grid: SizeGrid | None = None,
    candidates: Sequence[str] = CANDIDATES,
) -> Recommended:
    """Learn a recommender on the training half of a data set, and put it to work on samples from the test half.

    Parameters
    ----------
    settings : the split, the classifier, the seed; by default as `score_dataset`.
    grid : sizes, prevalences and repeats of the samples, of both halves; sizes that a half can't give are left out there.
    candidates : at least two keys of QUANTIFIERS.

    Raises
    ------
    InvalidInput
        A training half too small to be halved, a grid of which no size fits, unknown candidates.

    Source: Z 5, Figure 2; spec section 9.
    """
    settings = settings or ScoringSettings(dataset.default_positive)
    grid = grid or SizeGrid()
    half, inner = meta_plan(dataset, settings)
    learnt = _table(half, inner, learning_grid(grid, inner), candidates, np.random.default_rng([settings.seed, META_DRAWS]))
    recommender = Recommender(settings.seed).fit(learnt)
    outer = ScoringPlan(dataset, settings)
    tested_grid = grid.of(grid.fitting(*outer.pool_counts).kept)
    tested = _table(dataset, outer, tested_grid, candidates, np.random.default_rng(settings.seed))
    return at_work(recommender, tested, largest_learnable(grid, inner))


def _table(
    dataset: Dataset, plan: ScoringPlan, grid: SizeGrid, candidates: Sequence[str], rng: np.random.Generator
) -> MetaTable:
    scores = plan.scores()
    features = dataset.numeric_features()[plan.pool_rows]
    return one_table([meta_table(scores, features, samples, candidates) for samples in grid.draw(scores.pool_labels, rng)])
