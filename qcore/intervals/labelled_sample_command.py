"""python -m qcore estimate --labelled-sample: one table with a prediction in every row, and a label in some."""

import argparse
from dataclasses import replace
from typing import Any

from qcore._base.command_output import counted, percentages, print_answer, progress_line, say
from qcore._base.validation import InvalidInput, check_choice
from qcore.datasets.folder import read_file
from qcore.datasets.table_limits import limits_of
from qcore.datasets.time_order import are_in_time, groups_in_time
from qcore.intervals.analytic import why_no_interval
from qcore.intervals.counts_command import group_lines, planned
from qcore.intervals.difference import Differences
from qcore.intervals.labelled_sample import LabelledColumns, likely_columns, read_labelled_columns
from qcore.intervals.labelled_sample_difference import labelled_sample_differences
from qcore.intervals.labelled_sample_estimate import LabelledSampleEstimate, estimate_labelled_sample


def estimate_labelled_file(chosen: argparse.Namespace) -> None:
    """Print the share of a class in a table that is labelled in part. Raises InvalidInput."""
    with progress_line(at_once=True) as progress:
        progress(f"Reading {chosen.labelled_sample}", 0.0)
        table = read_file(chosen.labelled_sample, labelled=False, limits=limits_of(chosen))
    prediction, label = likely_columns(table)
    for option, column in (("--prediction", chosen.prediction or prediction), ("--label", chosen.label or label)):
        if not column:
            known = ", ".join(map(str, table.columns[:10]))
            raise InvalidInput(option, "name a column", "none, and no column seems to fit", f"Choose one of: {known}.")
    named = chosen.prediction or prediction, chosen.label or label
    columns = read_labelled_columns(table, *named, chosen.positive, leave_out=chosen.leave_out)
    say(*columns.notes)
    if columns.never_labels:
        say(f"To leave the rows of such a prediction out: --leave-out {columns.never_labels[0]!r}.")
    own = not chosen.population
    result = estimate_labelled_sample(columns.sample, chosen.level, own=own, **columns.scores_and_labels)
    answer, text = result.to_dict(columns.positive), _as_text(result, columns.positive)
    start = float(result.sample.estimate), int(result.sample.sample_size)
    if chosen.by:
        compared = _compared(chosen, columns)
        answer["by_group"] = compared.to_dict(columns.positive)
        text = "\n".join([text, *group_lines(compared, chosen.by, repr(columns.positive))])
        start = compared.planned_from
    if chosen.plan is not None:
        tpr, fpr = (float(rate) for rate in result.sample.rates)
        plan = planned(chosen, start, (tpr, fpr), own=own)
        answer, text = answer | {"plan": plan.to_dict()}, "\n".join([text, *plan.sentences()])
    print_answer(answer, text, as_json=chosen.json)


def _compared(chosen: argparse.Namespace, columns: LabelledColumns) -> Differences:
    """By how much the groups of a column differ, each by its own labels. Raises InvalidInput."""
    check_choice("--by", chosen.by, [str(column) for column in columns.table.columns])
    groups = groups_in_time(columns.table[chosen.by], chosen.by)
    samples = columns.of_groups(groups)
    unlabelled = [name for name in map(str, groups.groupby(groups, observed=True).groups) if name not in samples]
    if len(samples) < 2:
        got, hint = f"none in {', '.join(unlabelled)}" if unlabelled else "one", "Label rows of others, or leave --by out."
        raise InvalidInput(f"the column {chosen.by}", "hold two groups with labels or more", got, hint)
    if unlabelled:
        say(f"Left out, since no row of them is labelled: {', '.join(unlabelled)}.")
    how: Any = {"against": chosen.against or None, "level": chosen.level, "own": not chosen.population}
    found = labelled_sample_differences(samples, **how)
    return replace(found, in_time=are_in_time(columns.table[chosen.by], groups))


def _as_text(result: LabelledSampleEstimate, positive: str) -> str:
    counts, of = result.sample, "the sample" if result.own else "its population"
    size, n, width = int(counts.sample_size), int(counts.n_labels), result.width_elsewhere
    lines = [
        f"Share of {positive!r} in {of}: {counted(size, 'instance')}, {n:,} of them labelled, {result.level:.0%} intervals:"
    ]
    columns = ["method", "interval", "too_short", "estimate", "low", "high"]
    for method, kind, too_short, *shares in result.table[columns].to_numpy().tolist():
        why, (estimate, lowest, highest) = why_no_interval(kind), percentages(*shares)
        doubt = f"   ({why})" if why else f"   (too short: {too_short})" if too_short else ""
        lines.append(f"  {method:15s} {estimate:>6s}   {'no interval' if why else f'{lowest} to {highest}'}{doubt}")
    lines.append(f"Predictions agree with labels in {float(counts.agreement):.1%} of the sample.")
    if result.labels_to_halve is None:
        lines.append("All labels of this sample would not make the first interval half as wide: draw a larger one.")
    elif result.labels_to_halve:
        lines.append(f"{result.labels_to_halve:,} more labels would make the first interval about half as wide.")
    points = f"{100.0 * width:.1f} points"
    lines.append(f"As many labels of another sample would give one of {points}, if only shares differ between the two.")
    return "\n".join(lines)
