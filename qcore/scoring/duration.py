"""About how long scoring takes, so that a page can say so before it begins."""

from qcore.classifiers import CLASSIFIERS
from qcore.datasets import Dataset
from qcore.scoring.rate_estimation import N_FOLDS


def scoring_seconds(
    dataset: Dataset, classifier: str, training_share: float = 0.5, *, n_models: int = N_FOLDS + 1, n_classes: int = 2
) -> float:
    """Rough seconds on one core for training `n_models` models on that share of a data set, by the classifier's `seconds`.

    On a machine of 2025 mostly right within a factor of three, and more often too long than too short; 0 for given scores, for
    which no model is trained. With more than two `n_classes`, a classifier for two learns each class against all others.
    Measured by `python -m benchmarks.durations`.

    Examples
    --------
    >>> from qcore import load_dataset
    >>> wdbc = load_dataset("wdbc")
    >>> scoring_seconds(wdbc, "logistic regression") < 0.1 < scoring_seconds(wdbc, "random forest") < 5
    True
    """
    if dataset.are_scores:
        return 0.0
    entry = CLASSIFIERS[classifier]
    each = n_classes if entry.binary and n_classes > 2 else 1
    return n_models * each * entry.seconds(training_share * len(dataset.labels), dataset.n_columns)
