"""The Python behind the picture of "Classifier"."""

from pages.frame.downloads import SETUP, scoring
from pages.frame.sidebar import SidebarChoice
from qcore import ScoringSettings


def python_source(sidebar_choice: SidebarChoice, settings: ScoringSettings, part: str, threshold: float) -> str:
    """A script that evaluates the classifier at every threshold with qcore alone; `part` is "training" or "pool"."""
    return (
        f"{SETUP}"
        "from qcore import ScoringSettings, load_dataset, read_dataset, read_scores, score_dataset\n"
        "from qcore.studies.classifier_evaluation import evaluate_classifier\n\n"
        f"{scoring(sidebar_choice.data, settings)}"
        f"evaluation = evaluate_classifier(scores, {part!r}, {threshold!r})\n"
        "print(evaluation.auc)\n"
        "measures = evaluation.measures()\n"
        f"print(measures[measures.threshold.sub({threshold!r}).abs() < 1e-9].T)\n"
        'px.line(x=evaluation.curve.fpr, y=evaluation.curve.tpr, labels={"x": "fpr", "y": "tpr"}).show()\n'
    )
