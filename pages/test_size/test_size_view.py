"""The data that the page "Test size" shows, and the losses computed from it."""

from collections.abc import Iterable
from dataclasses import dataclass

from pages.frame.downloads import SETUP, scoring
from pages.frame.sidebar import SidebarChoice
from pages.test_size import computations
from qcore import QUANTIFIERS, Scores, ScoringSettings
from qcore.evaluation.loss_grid import LossGrid
from qcore.losses import Smoothing
from qcore.protocols import SizeGrid


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
        return computations.loss_grid(computations.size_estimates(self.scores, self.grid, methods), self.loss, self.smoothing)

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
