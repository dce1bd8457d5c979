"""The critical-difference diagram and the box plot of an experiment as HTML files.

python -m pages.compare.experiment_figure FOLDER [--loss AE] [--smoothing additive] [--alpha 0.05]
"""

import argparse
import sys
from pathlib import Path

from plotly.io import from_json

from pages.compare.comparison import boxes_figure
from pages.compare.critical_difference import critical_difference_figure
from qcore import InvalidInput
from qcore.evaluation.experiment import compared_losses, mean_losses, read_experiment
from qcore.evaluation.experiment.settings import COMPARED, UNSIGNED
from qcore.evaluation.significance import ALPHAS, compare
from qcore.losses import SMOOTHINGS


def main() -> int:
    """Write both files into the folder; returns the exit code: 2 after a sentence that says why it failed, else 0."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="what python -m qcore experiment has written")
    parser.add_argument("--loss", default="AE", choices=UNSIGNED)
    parser.add_argument("--smoothing", default="additive", choices=SMOOTHINGS)
    parser.add_argument("--alpha", type=float, default=ALPHAS[0], choices=ALPHAS)
    chosen = parser.parse_args()
    try:
        settings, estimates = read_experiment(chosen.folder)
        losses = mean_losses(estimates, settings, chosen.loss, chosen.smoothing)
        result = compare(compared_losses(estimates, settings, chosen.loss, chosen.smoothing))
    except InvalidInput as error:
        print(error, file=sys.stderr)
        return 2
    groups, distance = result.groups(chosen.alpha), result.nemenyi_distance(chosen.alpha)
    title = f"Mean ranks by {chosen.loss}: 1 is best"
    figures = {
        "critical-difference": critical_difference_figure(result.mean_ranks, groups, distance, title=title),
        "box-plot": boxes_figure(losses, list(result.methods), chosen.loss, log=COMPARED[chosen.loss].smoothed),
    }
    for name, made in figures.items():
        path = chosen.folder / f"{name}.html"
        from_json(made.to_json()).write_html(path)
        print(path)
    return 0


if __name__ == "__main__":
    sys.exit(main())
