"""MLQ, meta-learning quantification: a random forest recommends the quantifier for each sample.

The training half is halved once more: classifier and candidates are trained on one part, samples of many sizes and prevalences
are drawn from the other. The metatable, from which the forest learns, holds their metafeatures and which candidate erred least.
Source: Maletzke et al. 2020, section 5 and Figure 2.
"""

from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Self

import numpy as np
import pandas as pd
from sklearn.ensemble import RandomForestClassifier

from qcore._base.random_streams import RandomStream, random_stream
from qcore._base.stored_pieces import FinishedPieces
from qcore._base.validation import FloatArray, IntArray, InvalidInput, check_kind
from qcore.datasets.dataset import Dataset, check_dataset
from qcore.protocols import PoolTooSmall, SizeGrid
from qcore.protocols.artificial_prevalence import SMALLEST_SIZE
from qcore.recommender.metatable import CANDIDATES, METAFEATURES, MetaTable, build_metatable, check_candidates, stack_metatables
from qcore.scoring import Scores, ScoringPlan, ScoringSettings

N_TREES = 200
_TREES_AT_ONCE = 20

OnProgress = Callable[[float, str], None]
"""Called with the share of the work that is done and what is being done; an exception it raises stops the work."""


def _ignore_progress(_share: float, _doing: str) -> None:
    pass


def inner_plan(dataset: Dataset, settings: ScoringSettings) -> tuple[Dataset, ScoringPlan]:
    """(the training half, its split into a part to train on and a part to draw from, of equal size).

    Raises InvalidInput if the training half is too small to be halved.
    """
    half = dataset.subset(ScoringPlan(dataset, settings).training_rows)
    try:
        return half, ScoringPlan(half, replace(settings, training_share=0.5, training_prevalence=None))
    except InvalidInput as error:
        raise InvalidInput(
            "the training part",
            "be large enough for the recommender to halve it once more, with both classes in each half",
            f"{len(half.labels)} instances",
            "Give the training part a larger share.",
        ) from error


def largest_learnable(grid: SizeGrid, plan: ScoringPlan) -> int:
    """The largest size at which the pool of `plan`, made by `inner_plan`, can give samples of all the grid's prevalences."""
    return grid.at(grid.sizes[0]).largest_sample_size(*plan.pool_counts)


def learning_grid(grid: SizeGrid, plan: ScoringPlan) -> SizeGrid:
    """The sizes of the grid that the pool of `plan`, made by `inner_plan`, can give.

    Raises InvalidInput if it can give none.
    """
    n_positives, n_negatives = plan.pool_counts
    try:
        return grid.of(grid.fitting_sizes(n_positives, n_negatives).kept)
    except PoolTooSmall as error:
        smaller = "Add a smaller size, or give" if error.largest >= SMALLEST_SIZE else "Give"
        raise InvalidInput(
            "one of the sample sizes",
            f"be at most {error.largest}: the recommender learns from a half of the training half, which has {n_positives} "
            f"positives and {n_negatives} negatives",
            f"{grid.sizes[0]} and more" if len(grid.sizes) > 1 else f"{grid.sizes[0]}",
            f"{smaller} the training part a larger share.",
        ) from error


@dataclass
class Recommender:
    """A random forest that learns from metafeatures which candidate errs least.

    Parameters
    ----------
    seed : seed of the forest.
    n_trees : 200, as in the paper; its other settings are scikit-learn's defaults, as the paper names none.
    max_samples : from a larger table, this many random rows are learnt, since unpruned trees grow with every row.

    Source: Maletzke et al. 2020, section 5.

    Examples
    --------
    >>> Recommender(seed=1, n_trees=50)
    Recommender(seed=1, n_trees=50, max_samples=15000)
    """

    seed: int = 0
    n_trees: int = N_TREES
    max_samples: int = 15_000

    def fit(self, table: MetaTable, on_progress: Callable[[float], None] | None = None) -> Self:
        """Learn from a metatable; `on_progress` is called with the share of the trees that is grown."""
        rng = random_stream(self.seed, RandomStream.RECOMMENDER_FOREST)
        state = int(rng.integers(2**31 - 1))
        kept = np.sort(rng.permutation(len(table))[: self.max_samples])
        self.table_ = table
        self.candidates_ = table.candidates
        self.best_single_ = table.best_single
        self.sizes_ = np.unique(table.sizes)
        self.n_learnt_ = len(kept)
        # Growing the forest in steps gives the same trees as growing it at once.
        self.forest_ = RandomForestClassifier(0, n_jobs=-1, random_state=state, warm_start=True)
        for grown in range(min(_TREES_AT_ONCE, self.n_trees), self.n_trees + _TREES_AT_ONCE, _TREES_AT_ONCE):
            self.forest_.set_params(n_estimators=min(grown, self.n_trees))
            self.forest_.fit(table.metafeatures[kept], table.best[kept])
            if on_progress:
                on_progress(min(grown, self.n_trees) / self.n_trees)
        return self

    def recommend(self, metafeatures: FloatArray) -> IntArray:
        """Index of the recommended candidate in `candidates_` for each row of metafeatures: (n_samples, 6) -> (n_samples,)."""
        return np.asarray(self.forest_.predict(metafeatures), dtype=np.intp)


@dataclass(frozen=True)
class RecommenderResult:
    """A recommender applied to samples that it has not seen: what it chose, and its errors.

    Attributes
    ----------
    recommender : fitted on the training half.
    table : metatable of the samples from the test half.
    chosen : (n_samples,) indices of the recommended candidates.
    learnable : the largest sample size that the recommender could learn from.
    notes : sentences about deviations from the request in the part that the recommender learnt from.

    Examples
    --------
    >>> from qcore import SizeGrid, load_dataset
    >>> result = recommend(load_dataset("iris"), grid=SizeGrid((5, 8), grid=3, repeats=2), candidates=["CC", "AC"])
    >>> result.estimates.shape == result.errors["MLQ"].shape
    True
    """

    recommender: Recommender
    table: MetaTable
    chosen: IntArray
    learnable: int
    notes: tuple[str, ...] = ()

    def without_forest(self) -> "RecommenderResult":
        """The same result without the trees, which can take a hundred megabytes."""
        recommender = copy(self.recommender)
        del recommender.forest_
        return replace(self, recommender=recommender)

    @property
    def estimates(self) -> FloatArray:
        """(n_samples,) the estimates of MLQ: those of the recommended candidates."""
        return np.take_along_axis(self.table.estimates, self.chosen[:, np.newaxis], axis=1)[:, 0]

    @cached_property
    def errors(self) -> dict[str, FloatArray]:
        """Name -> AE, (n_samples,): each candidate, then MLQ, TOP (the best for each sample) and RND.

        RND chooses at random; its AE here is the expected one, the mean over the candidates.
        """
        errors = self.table.errors
        return {
            **{name: errors[:, column] for column, name in enumerate(self.table.candidates)},
            "MLQ": np.take_along_axis(errors, self.chosen[:, np.newaxis], axis=1)[:, 0],
            "TOP": errors.min(axis=1),
            "RND": errors.mean(axis=1),
        }

    def frame(self) -> pd.DataFrame:
        """A row for each sample: metafeatures, true prevalence, each candidate's estimate, the recommended and best one."""
        names = np.array(self.table.candidates)
        columns = {name: self.table.metafeatures[:, column] for column, name in enumerate(METAFEATURES)}
        estimates = {f"estimate_{name}": self.table.estimates[:, column] for column, name in enumerate(names)}
        chosen = {"recommended": names[self.chosen], "best": names[self.table.best]}
        return pd.DataFrame({**columns, "true": self.table.true, **estimates, **chosen}).astype({"size": int})


def apply_recommender(recommender: Recommender, table: MetaTable, learnable: int | None = None) -> RecommenderResult:
    """Apply a recommender to the samples of a metatable. Raises InvalidInput for candidates that it does not know.

    `learnable`: the largest sample size that it could learn from, by default the largest that it has learnt.
    """
    if table.candidates != recommender.candidates_:
        known = ", ".join(recommender.candidates_)
        raise InvalidInput("table", f"have the candidates {known}", ", ".join(table.candidates), "Make it with those.")
    largest = int(recommender.sizes_.max()) if learnable is None else learnable
    return RecommenderResult(recommender, table, recommender.recommend(table.metafeatures), largest)


def recommend(
    dataset: Dataset,
    settings: ScoringSettings | None = None,
    grid: SizeGrid | None = None,
    candidates: Sequence[str] = CANDIDATES,
    *,
    scores: Scores | None = None,
    on_progress: OnProgress | None = None,
    finished: FinishedPieces | None = None,
) -> RecommenderResult:
    """Learn a recommender on the training half of a data set, and apply it to samples from the test half.

    Parameters
    ----------
    dataset : a labelled data set; its training half is halved again, to learn which quantifier to choose.
    settings : the split, the classifier, the seed; by default as `score_dataset`.
    grid : sizes, prevalences and repeats of the samples, of both halves; sizes that a half can't give are left out there.
    candidates : at least two keys of QUANTIFIERS.
    scores : scores of the data set with these settings, if they are already known.
    on_progress : called with the share of the work that is done and what is being done.
    finished : where pieces are kept, so that a second call with the same data set continues where the first was stopped. It may
        serve different settings, grids and candidates, but only one data set.

    Raises
    ------
    InvalidInput
        A training half too small to be halved, a grid of which no size fits, unknown candidates; scores of another data set
        or of other settings; an argument of a wrong class.

    Examples
    --------
    >>> from qcore import SizeGrid, load_dataset
    >>> result = recommend(load_dataset("iris"), grid=SizeGrid((5, 10), grid=5, repeats=3), candidates=["CC", "AC"])
    >>> sorted(result.errors)
    ['AC', 'CC', 'MLQ', 'RND', 'TOP']

    Source: Maletzke et al. 2020, section 5, Figure 2.
    """
    check_dataset(dataset)
    settings = ScoringSettings(dataset.default_positive) if settings is None else settings
    pieces = FinishedPieces() if finished is None else finished
    work = _Work(settings, check_candidates(candidates), pieces, on_progress or _ignore_progress)
    grid = SizeGrid() if grid is None else grid
    check_kind("grid", grid, SizeGrid, "Write for example SizeGrid((10, 50, 100)).")
    half, inner = inner_plan(dataset, settings)
    outer = ScoringPlan(dataset, settings)
    if scores is not None:
        check_kind("scores", scores, Scores, "For a data set pass score_dataset(dataset).")
        outer.check_scores(scores)
    inner_grid, outer_grid = learning_grid(grid, inner), grid.of(grid.fitting_sizes(*outer.pool_counts).kept)
    inner_scores = work.score(inner, "half of the training half", 0.0, 0.2)
    outer_scores = scores or work.score(outer, "training half", 0.2, 0.3)
    learning = work.describe(_Pool(half, inner, inner_scores, "training half", RandomStream.METATABLE), inner_grid, 0.3)
    testing = work.describe(_Pool(dataset, outer, outer_scores, "test half", None), outer_grid, 0.45)

    def on_trees(share: float) -> None:
        work.on_progress(
            0.6 + 0.3 * share, f"Learning which of {len(candidates)} quantifiers to choose: {share:.0%} of the trees"
        )

    recommender = Recommender(settings.seed).fit(learning, on_trees)
    work.on_progress(0.9, f"Choosing for {len(testing):,} samples")
    result = apply_recommender(recommender, testing, largest_learnable(grid, inner))
    return replace(result, notes=inner_scores.notes)


@dataclass(frozen=True)
class _Pool:
    """The pool of a plan, with its scores; samples are drawn by `stream`, or, if it is None, only by the user's seed."""

    dataset: Dataset
    plan: ScoringPlan
    scores: Scores
    half: str
    stream: RandomStream | None


@dataclass(frozen=True)
class _Work:
    """What every step of `recommend` needs: settings, candidates, the store of pieces, the progress callback."""

    settings: ScoringSettings
    candidates: tuple[str, ...]
    finished: FinishedPieces
    on_progress: OnProgress

    def score(self, plan: ScoringPlan, part: str, start: float, end: float) -> Scores:
        """The scores of a plan, fold by fold, in the stretch of the progress from start to end."""

        def tell(share: float, text: str) -> None:
            self.on_progress(start + (end - start) * share, text)

        return plan.scores(on_progress=tell, finished=self.finished, of=f"the {part}", within=self.settings)

    def describe(self, pool: _Pool, grid: SizeGrid, start: float) -> MetaTable:
        """The metatable of a grid of samples from a pool, size by size: 0.15 of the progress, from `start` on."""
        settings, half = self.settings, pool.half
        features = self.finished.get((settings, half, "features"), lambda: pool.dataset.numeric_features()[pool.plan.pool_rows])
        tables: list[MetaTable] = []
        for size in grid.sizes:
            self.on_progress(start + 0.15 * len(tables) / len(grid.sizes), f"Describing samples of {size} from the {half}")

            def table(size: int = size) -> MetaTable:
                seed, stream = settings.seed, pool.stream
                rng = np.random.default_rng(seed) if stream is None else random_stream(seed, stream)
                samples = grid.draw_at(size, pool.scores.pool_labels, rng)
                return build_metatable(pool.scores, features, samples, self.candidates)

            tables.append(self.finished.get((settings, half, grid.only(size), self.candidates), table))
        return stack_metatables(tables)
