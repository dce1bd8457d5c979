"""What a person asked to see of the grid of sizes, and the cells that it takes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from pages.parts import cached
from pages.parts.workbench import Workbench
from qcore import QUANTIFIERS, Scores, ScoringSettings
from qcore.protocols import SizeGrid
from qcore.size_effects import Cells


@dataclass(frozen=True)
class SizeView:
    """Data set and quantifiers, the classifier's settings and scores, the grid that fits, the loss."""

    bench: Workbench
    settings: ScoringSettings
    scores: Scores
    grid: SizeGrid
    loss: str

    def cells(self, more: Iterable[str] = ()) -> Cells:
        """The losses of the chosen quantifiers, and of `more` of them, in registry order."""
        wanted = {*self.bench.methods, *more}
        methods = tuple(method for method in QUANTIFIERS if method in wanted)
        data, settings, grid = self.bench.data, self.settings, self.grid
        estimates = cached.size_estimates(data, settings, grid, methods, self.scores)
        return cached.cells(data, settings, grid, methods, self.loss, estimates)

    def python_source(self) -> str:
        """A script that gives the mean of every cell with qcore alone."""
        bench = self.bench
        return (
            "# In the app's folder, once: pip install -e .\n"
            "import numpy as np\n"
            "from qcore import ScoringSettings, SizeGrid, estimate, load_dataset, make_quantifiers, score_dataset\n"
            "from qcore.size_effects import cells\n\n"
            f"settings = {self.settings!r}\n"
            f"scores = score_dataset(load_dataset({bench.data!r}), settings)\n"
            f"grid = {self.grid!r}\n"
            f"methods = {list(bench.methods)!r}\n"
            "fitted = make_quantifiers(methods, scores.training_scores, scores.training_labels)\n"
            f"samples = grid.draw(scores.pool_labels, np.random.default_rng({bench.seed!r}))\n"
            "found = [estimate(fitted, scores.pool_scores, drawn) for drawn in samples]\n"
            f'print(cells(found, {self.loss!r}).table().pivot_table("mean", ["method", "size"], "target"))\n'
        )
