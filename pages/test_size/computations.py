"""What the page "Test size" shows and computes: estimates of samples of many sizes, their losses, and a recommender."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pages.frame.downloads import SETUP, scoring
from pages.frame.sidebar import SidebarChoice
from pages.pipeline import dataset, estimates_of, origin_of, pieces_about, samples_of_sizes
from pages.work.answers import shared
from pages.work.engines import Work
from pages.work.heavy import work
from qcore import QUANTIFIERS, DatasetReference, Estimates, Scores, ScoringSettings, SizeGrid
from qcore.evaluation import loss_grid as grids
from qcore.evaluation.loss_grid import LossGrid
from qcore.losses import Smoothing
from qcore.recommender.evaluation import ExplainedRecommendations, recommend_and_explain
from qcore.recommender.mlq import inner_plan, learning_grid
from qcore.scoring.plan import scoring_seconds


def size_estimates(scores: Scores, grid: SizeGrid, methods: Sequence[str]) -> list[Estimates]:
    """Estimates of the methods on the samples of each size of the grid, with progress; finished sizes are kept.

    Raises PoolTooSmall for a size that does not fit.
    """
    return estimates_of(scores, samples_of_sizes(scores, grid), methods)


@shared
def loss_grid(estimates: Sequence[Estimates], loss: str, smoothing: Smoothing) -> LossGrid:
    """Losses by size and prevalence, of the estimates of each size."""
    return grids.loss_grid(estimates, loss, smoothing)


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


def recommendation(trained: Scores, grid: SizeGrid, candidates: tuple[str, ...]) -> ExplainedRecommendations:
    """A recommender, learnt on the training half and applied to the test half, with progress.

    `grid` holds sizes that the test half can give. A control that moves stops the work between two steps; scores and samples
    that are finished are kept. Raises InvalidInput, for a grid that can't be learnt from before anything is trained.
    """
    return _recommendation(trained, _checked(*origin_of(trained), grid), candidates)


@dataclass(frozen=True)
class TestSizeView:
    """Data set and quantifiers, the classifier's settings and scores, the grid of sizes that fits, the loss."""

    sidebar_choice: SidebarChoice
    settings: ScoringSettings
    scores: Scores
    grid: SizeGrid
    loss: str
    smoothing: Smoothing

    def losses(self, more: Iterable[str] = ()) -> LossGrid:
        """The losses of the chosen quantifiers and of the additional ones in `more`, in the order of the registry."""
        wanted = {*self.sidebar_choice.methods, *more}
        methods = tuple(method for method in QUANTIFIERS if method in wanted)
        return loss_grid(size_estimates(self.scores, self.grid, methods), self.loss, self.smoothing)

    def python_source(self) -> str:
        """A script that gives the mean of every cell with qcore alone."""
        sidebar_choice = self.sidebar_choice
        return (
            f"{SETUP}"
            "import numpy as np\n"
            "from qcore import ScoringSettings, SizeGrid, estimate, load_dataset, make_quantifiers\n"
            "from qcore import read_dataset, read_scores, read_texts, score_dataset\n"
            "from qcore.evaluation.loss_grid import loss_grid\n\n"
            f"{scoring(sidebar_choice.data, self.settings)}"
            f"grid = {self.grid!r}\n"
            f"methods = {list(sidebar_choice.methods)!r}\n"
            "fitted = make_quantifiers(methods, scores.training_scores, scores.training_labels)\n"
            f"samples = grid.draw(scores.pool_labels, np.random.default_rng({sidebar_choice.seed!r}))\n"
            "estimates = [estimate(fitted, scores, of_size) for of_size in samples]\n"
            f"cells = loss_grid(estimates, {self.loss!r}, {self.smoothing!r})\n"
            'print(cells.table().pivot_table("mean", ["method", "size"], "target"))\n'
            "sizes = [str(size) for size in cells.sizes]\n"
            'px.imshow(cells.means, x=cells.targets, y=sizes, facet_col=0, facet_col_wrap=4, aspect="auto").show()\n'
        )
