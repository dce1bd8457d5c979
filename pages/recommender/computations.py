"""What the page "Recommender" computes: a recommender applied to the test half, and which metafeatures matter."""

from pages.pipeline.data_sets import dataset, origin_of, pieces_about
from pages.pipeline.scores import scores
from pages.work.answers import shared
from pages.work.engines import Work
from pages.work.heavy import work
from qcore import DatasetReference, Scores, ScoringSettings, SizeGrid
from qcore.recommender.evaluation import ExplainedRecommendations, recommend_and_explain
from qcore.recommender.mlq import inner_plan, learning_grid
from qcore.scoring.plan import scoring_seconds


def _seconds(trained: Scores, grid: SizeGrid, _candidates: tuple[str, ...]) -> float:
    data, settings = origin_of(trained)
    return 1.0 + 6e-4 * len(grid) + scoring_seconds(dataset(data), settings.classifier, settings.training_share)


@work("Learning which quantifier to take", _seconds)
def _recommendation(trained: Scores, grid: SizeGrid, candidates: tuple[str, ...]) -> Work[ExplainedRecommendations]:
    data, settings = origin_of(trained)
    about = pieces_about(data)
    return Work(
        recommend_and_explain,
        (dataset(data), settings, grid, candidates),
        {"scores": trained},
        pieces=None if about is None else f"recommender {about}",
    )


@shared
def _checked(data: DatasetReference, settings: ScoringSettings, grid: SizeGrid) -> SizeGrid:
    """The grid. Raises InvalidInput for one that the part to learn from can't give."""
    learning_grid(grid, inner_plan(dataset(data), settings)[1])
    return grid


def recommendation(
    data: DatasetReference, settings: ScoringSettings, grid: SizeGrid, candidates: tuple[str, ...]
) -> ExplainedRecommendations:
    """A recommender, learnt on the training half and applied to the test half, with progress.

    `grid` holds sizes that the test half can give. A control that moves stops the work between two steps; scores and samples
    that are finished are kept. Raises InvalidInput, for a grid that can't be learnt from before anything is trained.
    """
    checked = _checked(data, settings, grid)
    return _recommendation(scores(data, settings), checked, candidates)
