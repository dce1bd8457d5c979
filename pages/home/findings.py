"""Sentences of the page "Home"."""

from collections.abc import Mapping, Sequence

from pages.settings.number_text import percentage


def today_headlines(shares: Sequence[float], means: Sequence[Mapping[str, float]]) -> list[str]:
    """For each true share: what counting and correcting say; `means` of `means_at`."""
    return [
        f"Truly {percentage(share)} are 3s. Counted: {percentage(mean['CC'])}. Corrected: {percentage(mean['AC'])}."
        for share, mean in zip(shares, means, strict=True)
    ]


def explanation(rates: tuple[float, float], count_at_zero: float) -> str:
    """Why counting errs, and what the correction does; `rates` are tpr and fpr, out of fold."""
    tpr, fpr = rates
    return (
        "Quantification estimates the share of each class in a sample that nobody has labelled. In training the classifier "
        f"found {percentage(tpr)} of the 3s (its *tpr*) and took {percentage(fpr)} of the other digits for a 3 (its *fpr*). "
        f"So counting should say {percentage(fpr)} even where there is no 3; for today's digits, on which the classifier was "
        f"not trained, it says {percentage(count_at_zero)}. The correction undoes this: it subtracts the fpr and divides by "
        "tpr - fpr. Where these rates are off, the correction is off, too."
    )
