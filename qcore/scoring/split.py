"""The labels of the requested class or classes, and the split of a data set into training part and pool."""

import numpy as np
from sklearn.model_selection import train_test_split

from qcore._base.validation import IntArray, InvalidInput
from qcore.datasets import Dataset
from qcore.scoring.scores import ScoringSettings


def labels_of(dataset: Dataset, positive: str | None) -> IntArray:
    """Labels, (n,): 1 for the positive class and 0 for all others; if `positive` is None, all classes from 0 in their order.

    Raises InvalidInput for an unknown class, or if all classes are requested from a data set of given scores.
    """
    if positive is not None:
        return dataset.binary_labels(positive)
    if dataset.are_scores:
        raise InvalidInput("data set", "have features", "scores of one class", "Choose a table with features.")
    return np.array([dataset.classes.index(name) for name in dataset.labels])


def split(
    dataset: Dataset, settings: ScoringSettings, labels: IntArray, state: int, rng: np.random.Generator
) -> tuple[IntArray, IntArray]:
    """Rows of the training part, under-sampled to its prevalence if the settings name one, and of the pool.

    Raises InvalidInput if a class or one of the two parts is too small.
    """
    of_all_classes, n = settings.positive is None, len(labels)
    _check_prevalence(dataset, settings)
    n_training = int(settings.training_share * n)
    if of_all_classes:
        _check_all_classes(dataset, labels, n_training)
    else:
        _check_sizes(dataset, settings, labels, n_training)
    if dataset.in_training is not None:
        training, pool = np.flatnonzero(dataset.in_training), np.flatnonzero(~dataset.in_training)
    else:
        training, pool = train_test_split(np.arange(n), train_size=n_training, random_state=state, stratify=labels)
    if of_all_classes:
        _check_rarest(dataset, int(np.bincount(labels[training]).min()))
        # Folds of all classes are drawn in the order of the split, those of one class against the rest in order of the rows.
        return training, np.sort(pool)
    training = _undersampled(np.sort(training), labels, settings.training_prevalence, rng)
    _check_both_classes(labels, training, np.sort(pool))
    return training, np.sort(pool)


def _undersampled(training: IntArray, labels: IntArray, prevalence: float | None, rng: np.random.Generator) -> IntArray:
    """Drop instances of one class until the requested prevalence is met; keep as many as possible."""
    if prevalence is None:
        return training
    positives, negatives = training[labels[training] == 1], training[labels[training] == 0]
    total = min(len(positives) / prevalence, len(negatives) / (1.0 - prevalence))
    kept = [
        rng.choice(members, size=min(len(members), int(np.rint(total * share))), replace=False)
        for members, share in ((positives, prevalence), (negatives, 1.0 - prevalence))
    ]
    return np.sort(np.concatenate(kept))


def _check_prevalence(dataset: Dataset, settings: ScoringSettings) -> None:
    if settings.training_prevalence is None:
        return
    value = f"{settings.training_prevalence:g}"
    if dataset.are_scores:
        way_out = "Leave it out: trained at another prevalence, the classifier would give other scores."
        raise InvalidInput("training prevalence", "be as found", value, way_out)
    if settings.positive is None:
        raise InvalidInput("training prevalence", "be as found for all classes", value, "Name a positive class.")


def _check_sizes(dataset: Dataset, settings: ScoringSettings, labels: IntArray, n_training: int) -> None:
    fewest, n = int(np.bincount(labels, minlength=2).min()), len(labels)
    if fewest < 3:
        rule, value = "have at least 3 instances (2 for training, 1 for the pool)", f"{fewest} with {settings.positive!r}"
        way_out = "Choose another positive class." if len(dataset.classes) > 2 else f"Label more of {settings.positive!r}."
        raise InvalidInput(f"each class of {dataset.name}", rule, f"{value} as positive class", way_out)
    if dataset.in_training is None and not 4 <= n_training <= n - 2:
        rule = f"leave at least 4 of the {n} instances for training and 2 for the pool"
        value = f"{settings.training_share:g}, which trains on {n_training}"
        raise InvalidInput("training share", rule, value, "Choose for example 0.5.")


def _check_all_classes(dataset: Dataset, labels: IntArray, n_training: int) -> None:
    fewest, n_classes = int(np.bincount(labels).min()), len(dataset.classes)
    if fewest < 3 or min(n_training // 2, len(labels) - n_training) < n_classes:
        rule = "have at least 3 instances, and the training share at least 2 of each for training and 1 for the pool"
        value = f"{fewest} in the smallest of {n_classes} classes, {n_training} of {len(labels)} for training"
        raise InvalidInput(f"every class of {dataset.name}", rule, value, "Choose another training share or data set.")


def _check_rarest(dataset: Dataset, n_training: int) -> None:
    if n_training < 2:
        rule, way_out = "have at least 2 training instances", "Choose a larger training share."
        raise InvalidInput(f"every class of {dataset.name}", rule, f"{n_training}", way_out)


def _check_both_classes(labels: IntArray, training: IntArray, pool: IntArray) -> None:
    more = "Give the training part a larger share, or a training prevalence that keeps more of that class."
    for part, members, minimum, way_out in (
        ("training", training, 2, more), ("pool", pool, 1, "Give the training part a smaller share."),
    ):  # fmt: skip
        counts = np.bincount(labels[members], minlength=2)
        for count, side in zip(counts, ("negative", "positive"), strict=True):
            if count < minimum:
                raise InvalidInput(f"the {side} class", f"have at least {minimum} {part} instances", str(int(count)), way_out)
