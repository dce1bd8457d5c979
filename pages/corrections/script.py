"""The Python behind the picture of "Corrections"."""

from pages.corrections.sample import SampleRequest
from pages.frame.downloads import SETUP, scoring
from pages.frame.sidebar import SidebarChoice
from qcore import ScoringSettings


def python_source(sidebar_choice: SidebarChoice, settings: ScoringSettings, request: SampleRequest, threshold: float) -> str:
    """A script that corrects the drawn sample at every threshold with qcore alone."""
    return (
        f"{SETUP}"
        "from qcore import PrevalencePath, ScoringSettings, load_dataset, read_dataset, read_scores, score_dataset\n"
        "from qcore.studies.threshold_adjustment import adjust_at_thresholds\n\n"
        f"{scoring(sidebar_choice.data, settings)}"
        f"path = PrevalencePath(({request.prevalence!r},), {request.size!r})\n"
        f"result = adjust_at_thresholds(scores, path, {threshold!r}, seed=settings.seed, draw={request.draw!r})\n"
        f"corrections = result.corrections\n"
        f"print(corrections[corrections.threshold.sub({threshold!r}).abs() < 1e-9])\n"
        'px.line(corrections, x="threshold", y=["tpr", "fpr", "count", "estimate"]).show()\n'
        'px.line(result.deviations, x="threshold", y=["measured", "sampling", "total"]).show()\n'
    )
