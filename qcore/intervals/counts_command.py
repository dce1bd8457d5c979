"""python -m qcore estimate --counts: samples that a test has counted, and what is known of the test."""

import argparse
import re
from typing import Any

import numpy as np
import pandas as pd

from qcore._base.command_output import counted, percentages, print_answer
from qcore._base.validation import InvalidInput
from qcore.intervals.catalog import DEFAULT_INTERVAL, all_intervals
from qcore.intervals.counts import KINDS_OF_RATES, Counts, MeasuredRate, rate_from_text
from qcore.intervals.difference import BY_FORMULA, Differences, count_differences
from qcore.intervals.few_labels import cautions
from qcore.intervals.labels_needed import DifferencePlan, plan_difference

_SAMPLE = re.compile(r"(?:(?P<name>.+)=)?(?P<found>\d{1,15})/(?P<size>\d{1,15})")
_POSITIVE = "positive"
"""What the class is called whose instances a test counts."""


def estimate_counts(chosen: argparse.Namespace) -> None:
    """Print the share of positives in samples that were counted, and by how much they differ. Raises InvalidInput."""
    given, rates = _given(chosen)
    samples = _samples(given)
    if chosen.against and len(samples) < 2:
        raise InvalidInput("--against", "be given with two samples or more", repr(chosen.against), "Add another FOUND/SIZE.")
    se, sp = rates
    found, sizes = (np.array(numbers) for numbers in zip(*samples.values(), strict=True))
    counts = Counts.from_rates(found, sizes, se, sp)
    each = [Counts.from_rates(*sample, se, sp) for sample in samples.values()]
    answer, lines = _of_one(each[0], rates, chosen.level)
    start = float(each[0].estimate), int(sizes[0])
    if len(samples) > 1:
        compared = count_differences(counts, list(samples), against=chosen.against or None, level=chosen.level)
        answer = {key: value for key, value in answer.items() if key in ("positive", "level", "rates", "cautions")}
        answer["by_group"] = compared.to_dict(_POSITIVE)
        lines = [*group_lines(compared), *lines[2:]]
        start = compared.planned_from
    if chosen.plan is not None:
        plan = planned(chosen, start, (float(each[0].tpr), float(each[0].fpr)))
        answer, lines = answer | {"plan": plan.to_dict()}, [*lines, *plan.sentences()]
    print_answer(answer, "\n".join(lines), as_json=chosen.json)


def _given(chosen: argparse.Namespace) -> tuple[list[str], tuple[MeasuredRate, MeasuredRate]]:
    """(the samples as they were typed, sensitivity and specificity). Raises InvalidInput."""
    words = list(chosen.counts)
    if chosen.confusion is not None:
        if chosen.sensitivity or chosen.specificity:
            raise InvalidInput("--confusion", "be given without --sensitivity", "both", "Leave out one of them.")
        tp, fn, fp, tn = chosen.confusion
        known = Counts.from_confusion(0, 1, tp=tp, fn=fn, fp=fp, tn=tn)
        return words, (MeasuredRate(tp, int(known.positives)), MeasuredRate(tn, int(known.negatives)))
    if chosen.sensitivity or chosen.specificity:
        for name in ("sensitivity", "specificity"):
            if not getattr(chosen, name):
                raise InvalidInput(f"--{name}", "be given, too", "none", f"Add for example --{name} 0.9/200.")
        return words, (rate_from_text(chosen.sensitivity, "sensitivity"), rate_from_text(chosen.specificity, "specificity"))
    if len(words) != 3:
        hint = "Write 400/1000 180/200 60/200, or name the test by --confusion, or by --sensitivity and --specificity."
        raise InvalidInput("--counts", "be a sample, true positives and false positives", " ".join(words), hint)
    (tp, positives), (fp, negatives) = (_pair(word) for word in words[1:])
    Counts(0, 1, tp, positives, fp, negatives)
    return words[:1], (MeasuredRate(tp, positives), MeasuredRate(negatives - fp, negatives))


def _samples(words: list[str]) -> dict[str, tuple[int, int]]:
    """Name -> positives and size of each sample, such as May=345/1000."""
    samples: dict[str, tuple[int, int]] = {}
    for number, word in enumerate(words, start=1):
        name = word.rpartition("=")[0] or f"sample {number}"
        if name in samples:
            raise InvalidInput("samples", "have names of their own", f"{name} twice", "Write May=345/1000 June=400/1000.")
        samples[name] = _pair(word)
    return samples


def _pair(word: str) -> tuple[int, int]:
    if not (found := _SAMPLE.fullmatch(word.strip())):
        raise InvalidInput("counts", "be a part and its total", repr(word), "Write for example 400/1000.")
    return int(found["found"]), int(found["size"])


def _of_one(counts: Counts, rates: tuple[MeasuredRate, MeasuredRate], level: float) -> tuple[dict[str, Any], list[str]]:
    """The estimate of one sample as JSON and as lines: the estimate, then what is known of the test."""
    intervals = all_intervals(counts, level).drop(columns=["idea", "includes"])
    estimate = float(counts.estimate)
    low, high = (float(end) for end in intervals.loc[intervals.method == DEFAULT_INTERVAL, ["low", "high"]].iloc[0])
    row = {"method": BY_FORMULA, "estimate": estimate, "low": low, "high": high, "interval": DEFAULT_INTERVAL}
    said = cautions(counts)
    answer = {
        "positive": _POSITIVE,
        "level": level,
        "estimates": [row],
        "intervals": intervals.to_dict("records"),
        "counts": {name: int(getattr(counts, name)) for name in Counts.__dataclass_fields__},
        "rates": {name: _as_json(rate) for name, rate in zip(("sensitivity", "specificity"), rates, strict=True)},
        "cautions": said,
    }
    share, lowest, highest = percentages(estimate, low, high)
    size, found = int(counts.sample_size), int(counts.predicted_positives)
    lines = [
        f"Share of positives in {counted(size, 'instance')}, {found:,} of them counted, with its {level:.0%} interval:",
        f"  {BY_FORMULA:9s} {share:>6s}   {lowest} to {highest}   ({DEFAULT_INTERVAL})",
        *said,
        *(_in_words(name, rate) for name, rate in zip(("sensitivity", "specificity"), rates, strict=True)),
    ]
    return answer, lines


def _as_json(rate: MeasuredRate) -> dict[str, Any]:
    labels = None if rate.kind == "known" else rate.total
    return {"rate": rate.rate, "labels": labels, "known_as": rate.kind}


def _in_words(name: str, rate: MeasuredRate) -> str:
    if rate.kind == "known":
        return f"{name} {rate.rate:.3g}: {KINDS_OF_RATES[rate.kind]}."
    return f"{name} {rate.rate:.3f}: {rate.found:,} of {rate.total:,} ({KINDS_OF_RATES[rate.kind]})."


def group_lines(result: Differences, by: str = "sample", positive: str = "positives") -> list[str]:
    """A line for each group, and the sentences on how they differ."""
    lines = [f"Share of {positive} by {by} ({result.method}), with {result.level:.0%} intervals:"]
    table: pd.DataFrame = result.groups
    width = max(map(len, table.group))
    for name, size, *shares in table[["group", "size", "share", "share_low", "share_high"]].to_numpy().tolist():
        share, low, high = percentages(*shares)
        lines.append(f"  {name:{width}s} {share:>6s}   {low} to {high}   ({counted(size, 'instance')})")
    return [*lines, *result.sentences(f"The share of {positive}")]


def planned(
    chosen: argparse.Namespace, start: tuple[float, int], rates: tuple[float, float], *, own: bool = False
) -> DifferencePlan:
    """What shows a change by --plan points, given the share and the size that it starts from, and (tpr, fpr).

    `own`: whether labels are to show it of the samples' own shares. Raises InvalidInput.
    """
    share, size = start
    if not 0.0 < abs(chosen.plan) <= 100.0:
        raise InvalidInput("--plan", "be percentage points above 0, at most 100", f"{chosen.plan:g}", "Write for example 3.")
    how: dict[str, Any] = {"power": chosen.power, "level": chosen.level, "sample_size": size, "own": own}
    return plan_difference(share, abs(chosen.plan) / 100.0, rates, **how)
