"""Sentences on a sample labelled in part: the share, what its labels are worth, and two traps."""

import numpy as np
import pandas as pd

from qcore.intervals import LabelledSampleEstimate
from qcore.intervals.labelled_sample_intervals import DEFAULT_LABELLED_SAMPLE_INTERVAL

_ELSEWHERE = "as many labels elsewhere"


def elsewhere_row(result: LabelledSampleEstimate) -> pd.DataFrame:
    """How wide the interval would be with as many labels from another sample: a row for the picture."""
    estimate, half = float(result.table.estimate.iloc[0]), result.width_elsewhere / 2.0
    ends = {"low": max(estimate - half, 0.0), "high": min(estimate + half, 1.0)} if half < 0.5 else {"low": 0.0, "high": 1.0}
    return pd.DataFrame([{"method": _ELSEWHERE, "estimate": estimate, **ends, "idea": ""}])


def labelled_part_headline(result: LabelledSampleEstimate, positive: str) -> str:
    """The share with its interval, and of whom."""
    row, size = result.table.iloc[0], f"{int(result.sample.sample_size):,}"
    of = f"of these {size}" if result.own else f"of all from which these {size} were drawn"
    interval = f"{result.level:.0%} interval: {row.low:.0%} to {row.high:.0%}"
    return f"{row.estimate:.0%} {of} are {positive} ({interval}), with {int(result.sample.n_labels):,} labels."


def worth_sentence(result: LabelledSampleEstimate) -> str:
    """What the same number of labels would give otherwise, and how many more are needed."""
    table = result.table.set_index("method")
    width, alone = (float(table.high[name] - table.low[name]) for name in (DEFAULT_LABELLED_SAMPLE_INTERVAL, "labels alone"))
    gain = "no narrower than" if width > alone - 0.005 else "instead of"
    text = [f"The interval is {width:.0%} wide, {gain} the {alone:.0%} of these labels without the predictions."]
    if result.width_elsewhere < 1.0:
        wide = f"{result.width_elsewhere:.0%}"
        text.append(f"As many labels from elsewhere would give {wide}, and only if classes are the same there.")
    if result.labels_to_halve is None:
        text.append("Only a larger sample makes it half as wide.")
    elif result.labels_to_halve:
        text.append(f"**{result.labels_to_halve:,} labels more** make it half as wide.")
    return " ".join(text)


def labelled_part_notes(result: LabelledSampleEstimate, positive: str) -> list[str]:
    """How good the predictions are on this sample, why their count is off, and two traps."""
    sample = result.sample
    count, agreement = float(sample.weights[1]), float(sample.agreement)
    tpr, fpr = (float(rate) for rate in sample.rates)
    notes = [
        f"**The count is not the share**: {count:.0%} are predicted {positive}, and predictions agree with labels in "
        f"{agreement:.0%}. Agreement alone says nothing of the count: errors of both kinds may cancel, or not."
    ]
    if not np.isnan(tpr) and not np.isnan(fpr):
        notes.append(
            f"**Rates from elsewhere are a trap**: here tpr is {tpr:.2f} and fpr {fpr:.2f}. Measured on other instances they "
            f"may be others, and a correction with them is off, with an interval as short as ever. {_beyond(count, tpr, fpr)}"
        )
    if result.next_split is not None:
        positives, negatives = result.next_split
        notes.append(
            f"**Of the next {positives + negatives} labels**, draw {positives} at random from the predicted positives and "
            f"{negatives} from the predicted negatives: so they help most. Of labels drawn so, only double sampling holds."
        )
    for name, labels in zip(("negatives", "positives"), sample.checked, strict=True):
        if 0 < int(labels) < 10:
            are = f"{name[:-1]} is" if int(labels) == 1 else f"{name} are"
            notes.append(f"Only {int(labels)} predicted {are} labelled: what is known of them is little.")
        if not int(labels):
            notes.append(f"No predicted {name} are labelled: nothing is known of them, so that the interval is wide.")
    if 0 < int(sample.n_labels) < int(sample.sample_size):
        if agreement == 1.0:
            notes.append(
                f"**None of the {int(sample.n_labels):,} labels contradicts its prediction**: PPI and PPI++ take that for "
                "certainty, and are too short."
            )
        elif result.own:
            notes.append(
                "**PPI and PPI++** give the interval of the population's share, which is wider than that of these alone."
            )
    return notes


def _beyond(count: float, tpr: float, fpr: float) -> str:
    """What a correction with another fpr says; a share beyond 0% or 100% is no share."""
    other = min(fpr + 0.1, tpr - 0.05)
    if tpr - fpr < 0.15:
        return "These predictions hardly tell the classes apart: the labels carry the estimate."
    corrected = (count - other) / (tpr - other)
    beyond = "" if 0.0 <= corrected <= 1.0 else " That is no share: the rates are wrong, and to clip it hides that."
    return f"With a fpr of {other:.2f}, say, it answers {corrected:.0%}.{beyond}"


def labelled_part_report(result: LabelledSampleEstimate, positive: str) -> str:
    """The estimate with its method, interval and assumption as a sentence for a report."""
    row, size = result.table.iloc[0], int(result.sample.sample_size)
    counted = "positives" if positive == "positive" else positive
    of = "among" if result.own else "in the population of"
    return (
        f"The share of {counted} {of} {size:,} instances is estimated at {row.estimate:.1%} ({result.level:.0%} interval "
        f"{row.low:.1%} to {row.high:.1%}) by double sampling (Tenenbein 1970; Wilson's intervals combined by MOVER), from "
        f"predictions of all and labels of {int(result.sample.n_labels):,} of them that were drawn at random; it assumes "
        "nothing of how shares or classes have changed."
    )
