"""The Python behind the picture of Home."""

from collections.abc import Sequence

from pages.frame.downloads import SETUP, scoring
from qcore import ArtificialPrevalence, DatasetReference, ScoringSettings


def python_source(
    data: DatasetReference, settings: ScoringSettings, protocol: ArtificialPrevalence, methods: Sequence[str]
) -> str:
    """A script that gives the mean estimate by true prevalence with qcore alone."""
    return (
        f"{SETUP}"
        "from qcore import ArtificialPrevalence, ScoringSettings, evaluation_report\n"
        "from qcore import load_dataset, read_dataset, score_dataset\n\n"
        f"{scoring(data, settings)}"
        f"report = evaluation_report(scores, {list(methods)!r}, {protocol!r}, seed={settings.seed!r})\n"
        'means = report.groupby(["method", "true"], sort=False).estimate.mean().reset_index()\n'
        "print(means)\n"
        'px.line(means, x="true", y="estimate", color="method", markers=True).show()\n'
    )
