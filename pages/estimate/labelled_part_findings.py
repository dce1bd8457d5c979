"""Sentences on a sample labelled in part: the share, what its labels are worth, and two traps."""

import numpy as np
import pandas as pd

from pages.settings.number_text import counted, enumerated, percentage, percentage_beyond, percentages, width_text
from qcore._base.rounding import TIE
from qcore.intervals import LabelledSampleEstimate
from qcore.intervals.labelled_sample_intervals import DEFAULT_LABELLED_SAMPLE_INTERVAL
from qcore.intervals.no_interval import NO_INTERVAL

_ELSEWHERE = "as many labels elsewhere"
_GAIN = 0.98
"""An interval is called narrower than another if it is shorter than this part of it."""


def elsewhere_row(result: LabelledSampleEstimate) -> pd.DataFrame:
    """How wide the interval would be with as many labels from another sample: a row for the picture."""
    estimate, half = float(result.table.estimate.iloc[0]), result.width_elsewhere / 2.0
    kind = _ELSEWHERE if half < 0.5 else f"{NO_INTERVAL}rates from so few labels, or these predictions, would say nothing"
    ends = {"low": max(estimate - half, 0.0), "high": min(estimate + half, 1.0)} if half < 0.5 else {"low": 0.0, "high": 1.0}
    return pd.DataFrame([{"method": _ELSEWHERE, "estimate": estimate, **ends, "interval": kind, "too_short": ""}])


def labelled_part_headline(result: LabelledSampleEstimate, positive: str) -> str:
    """The share with its interval: of the sample itself, or of the population that it was drawn from."""
    row, size = result.table.iloc[0], f"{int(result.sample.sample_size):,}"
    of = f"of these {size}" if result.own else f"of all from which these {size} were drawn"
    share, low, high = percentages(row.estimate, row.low, row.high)
    labels = counted(int(result.sample.n_labels), "label")
    return f"{share} {of} are {positive} ({result.level:.0%} interval: {low} to {high}), with {labels}."


def worth_sentence(result: LabelledSampleEstimate) -> str:
    """How wide the interval would be if the labels were used or drawn otherwise, and how many more labels would halve it."""
    table = result.table.set_index("method")
    width, alone = (float(table.high[name] - table.low[name]) for name in (DEFAULT_LABELLED_SAMPLE_INTERVAL, "labels alone"))
    here, without = width_text(width), width_text(alone)
    gain = "no narrower than" if width > _GAIN * alone or here == without else "instead of"
    text = [f"The interval is {here} wide, {gain} the {without} of these labels without the predictions."]
    if result.width_elsewhere < 1.0:
        wide = width_text(result.width_elsewhere)
        text.append(f"The same number of labels from elsewhere would give {wide}, and only if the classes are the same there.")
    if result.labels_to_halve is None:
        text.append("Only a larger sample makes it half as wide.")
    elif result.labels_to_halve:
        more = counted(result.labels_to_halve, "label")
        text.append(f"**{more} more** {'makes' if result.labels_to_halve == 1 else 'make'} it half as wide.")
    return " ".join(text)


def labelled_part_notes(result: LabelledSampleEstimate, positive: str) -> list[str]:
    """How good the predictions are on this sample, why their count is off, and two traps."""
    sample = result.sample
    count, agreement = float(sample.weights[1]), float(sample.agreement)
    tpr, fpr = (float(rate) for rate in sample.rates)
    notes = [
        f"**The count is not the share**: {count:.0%} are predicted {positive}, and predictions agree with labels in "
        f"{agreement:.0%} of cases. Agreement alone does not say how far the count is off: errors of both kinds may cancel "
        "out or not."
    ]
    if not np.isnan(tpr) and not np.isnan(fpr):
        notes.append(
            f"**Rates from elsewhere are a trap**: here tpr is {tpr:.2f} and fpr {fpr:.2f}. Measured on other instances, both "
            "may be different. A correction with such rates is wrong, and its interval does not show it. "
            f"{_beyond(count, tpr, fpr)}"
        )
    if result.next_split is not None:
        positives, negatives = result.next_split
        notes.append(
            f"**Of the next {positives + negatives} labels**, draw {positives} at random from the predicted positives and "
            f"{negatives} from the predicted negatives: that helps most. With labels drawn like this, only the interval of "
            "double sampling is valid."
        )
    for name, labels, weight in zip(("negatives", "positives"), sample.checked, sample.weights, strict=True):
        if 0 < int(labels) < 10:
            are = f"{name[:-1]} is" if int(labels) == 1 else f"{name} are"
            notes.append(f"Only {int(labels)} predicted {are} labelled: little is known of this group.")
        if not int(labels) and weight > 0.0:
            notes.append(f"No predicted {name} are labelled: nothing is known of this group, so the interval is wide.")
    if 0 < int(sample.n_labels) < int(sample.sample_size):
        if agreement == 1.0:
            said = "**No label contradicts its prediction**"
            short = _narrower_ppi(result)
            too_short = f": {enumerated(short)} {'takes' if len(short) == 1 else 'take'} that for certainty, and "
            notes.append(f"{said}{too_short}{'is' if len(short) == 1 else 'are'} too short." if short else f"{said}.")
        elif result.own:
            notes.append(
                "**PPI and PPI++** give an interval for the population's share, not for this sample's, by a normal "
                "approximation: with few labels of one kind it can be too short."
            )
    return notes


def _narrower_ppi(result: LabelledSampleEstimate) -> list[str]:
    """Which of PPI and PPI++ have an interval that is shorter than that of double sampling."""
    table = result.table.set_index("method")
    widths = table.high - table.low
    return [name for name in ("PPI", "PPI++") if name in widths and widths[name] < widths[DEFAULT_LABELLED_SAMPLE_INTERVAL]]


def _beyond(count: float, tpr: float, fpr: float) -> str:
    """What a correction with another fpr says; a share beyond 0% or 100% is no share."""
    if tpr < fpr:
        return (
            "The tpr is below the fpr, which is the wrong way round: predictions and labels may name the classes the other "
            "way, or counts may be swapped."
        )
    other = min(fpr + 0.1, tpr - 0.05)
    if tpr - fpr < 0.15:
        return "These predictions hardly tell the classes apart: the estimate rests on the labels."
    corrected = (count - other) / (tpr - other)
    clipped = min(max(corrected, 0.0), 1.0)
    if abs(corrected - clipped) <= TIE:
        return f"With an fpr of {other:.2f}, for example, the correction gives {percentage(clipped)}."
    return (
        f"With an fpr of {other:.2f}, for example, the correction gives {percentage_beyond(corrected)}. That is not a "
        "possible share: the rates are wrong, and clipping hides it."
    )


def labelled_part_report(result: LabelledSampleEstimate, positive: str) -> str:
    """The estimate with its method, interval and assumption as a sentence for a report."""
    row, size = result.table.iloc[0], counted(int(result.sample.sample_size), "instance")
    share_of = "positives" if positive == "positive" else positive
    of = "among" if result.own else "in the population of"
    estimate, low, high = percentages(row.estimate, row.low, row.high)
    return (
        f"The share of {share_of} {of} {size} is estimated at {estimate} ({result.level:.0%} interval "
        f"{low} to {high}) by double sampling (Tenenbein 1970; Wilson's intervals combined by MOVER), from "
        f"predictions of all and labels of {int(result.sample.n_labels):,} of them that were drawn at random; it assumes "
        "nothing of how shares or classes have changed."
    )
