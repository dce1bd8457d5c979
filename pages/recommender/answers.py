"""What the page "Recommender" computes: a recommender applied to the test half, and which metafeatures matter."""

from __future__ import annotations

from pages.pipeline.data_sets import dataset, pieces_about
from pages.pipeline.scores import scores
from pages.work.heavy import work
from pages.work.job import Work
from qcore import DatasetReference, ScoringSettings, SizeGrid
from qcore.recommender.evaluation import ExplainedRecommendations, recommend_and_explain
from qcore.recommender.mlq import inner_plan, learning_grid
from qcore.scoring.duration import scoring_seconds


def _seconds(data: DatasetReference, settings: ScoringSettings, grid: SizeGrid, _candidates: tuple[str, ...]) -> float:
    return 1.0 + 6e-4 * len(grid) + scoring_seconds(dataset(data), settings.classifier, settings.training_share)


@work("Learning which quantifier to take", _seconds)
def _recommendation(
    data: DatasetReference, settings: ScoringSettings, grid: SizeGrid, candidates: tuple[str, ...]
) -> Work[ExplainedRecommendations]:
    about = pieces_about(data)
    return Work(
        recommend_and_explain,
        (dataset(data), settings, grid, candidates),
        {"scores": scores(data, settings)},
        pieces=None if about is None else f"recommender {about}",
    )


def recommendation(
    data: DatasetReference, settings: ScoringSettings, grid: SizeGrid, candidates: tuple[str, ...]
) -> ExplainedRecommendations:
    """A recommender, learnt on the training half and applied to the test half, with progress.

    `grid` holds sizes that the test half can give. A control that moves stops the work between two steps; scores and samples
    that are finished are kept. Raises InvalidInput.
    """
    if _recommendation.finished(data, settings, grid, candidates) is None:
        # Before anything is trained: raises for a grid that the part to learn from can't give.
        learning_grid(grid, inner_plan(dataset(data), settings)[1])
    # With its own progress, and before the other.
    scores(data, settings)
    return _recommendation(data, settings, grid, candidates)
