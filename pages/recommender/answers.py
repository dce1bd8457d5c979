"""The cache of the page "Recommender": a recommender applied to the test half, and which metafeatures matter."""

from __future__ import annotations

from pages.pipeline.data_sets import dataset, pieces_about
from pages.pipeline.scores import scores
from pages.work.answers import known
from pages.work.heavy import computed
from pages.work.job import Work
from qcore import DatasetReference, ScoringSettings, SizeGrid
from qcore.recommender.evaluation import ExplainedRecommendations, recommend_and_explain
from qcore.recommender.mlq import inner_plan, learning_grid
from qcore.scoring.duration import scoring_seconds


def recommendation(
    data: DatasetReference, settings: ScoringSettings, grid: SizeGrid, candidates: tuple[str, ...]
) -> ExplainedRecommendations:
    """A recommender, learnt on the training half and applied to the test half, with progress.

    `grid` holds sizes that the test half can give. A control that moves stops the work between two steps; scores and samples
    that are finished are kept. Raises InvalidInput.
    """
    key = ("recommendation", data, settings, grid, candidates)
    if known(key) is None:
        # Before anything is trained: raises for a grid that the part to learn from can't give.
        learning_grid(grid, inner_plan(dataset(data), settings)[1])
    test_scores = scores(data, settings)
    about = pieces_about(data)
    answer: ExplainedRecommendations = computed(
        key,
        lambda: Work(
            recommend_and_explain,
            (dataset(data), settings, grid, candidates),
            {"scores": test_scores},
            pieces=None if about is None else f"recommender {about}",
        ),
        "Learning which quantifier to take",
        1.0 + 6e-4 * len(grid) + scoring_seconds(dataset(data), settings.classifier, settings.training_share),
    )
    return answer
