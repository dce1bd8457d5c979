"""The Python script that reproduces the mean ranks of "Compare"."""

from pages.compare.controls import ComparisonRequest
from pages.compare.run_folders import STORED_RUNS
from pages.compare.settings import ALL
from pages.frame.downloads import SETUP


def python_source(request: ComparisonRequest) -> str:
    """A script that gives the mean ranks with qcore alone."""
    function = "compared_losses" if request.prevalence == ALL else "mean_losses"
    stored = request.folder.parent == STORED_RUNS
    folder = f"pages/compare/runs/{request.run}" if stored else f"YOUR RUNS/{request.run}"
    only = (
        "" if request.prevalence == ALL else f"losses = losses[losses.prevalence.round(6) == {float(request.prevalence)!r}]\n"
    )
    if len(request.methods) < len(request.settings.methods):
        only += f"losses = losses[losses.method.isin({request.methods!r})]\n"
    return (
        f"{SETUP}"
        f"from qcore.evaluation.experiment import {function}, read_experiment\n"
        "from qcore.evaluation.significance import compare\n\n"
        f"settings, estimates = read_experiment({folder!r})\n"
        f"losses = {function}(estimates, settings, {request.loss!r}, {request.smoothing!r})\n"
        f"{only}"
        "found = compare(losses)\n"
        "ranks = found.mean_ranks\n"
        f"print(ranks, found.nemenyi_distance({request.alpha!r}), found.groups({request.alpha!r}))\n"
        'px.scatter(x=ranks, y=ranks.index, labels={"x": "mean rank", "y": ""}).show()\n'
    )
