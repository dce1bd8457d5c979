"""The command: python -m qcore watch FILE, whose exit status says whether the share has moved."""

import argparse
from typing import Any

from qcore._base.command_output import counted, percentages, print_answer, say
from qcore._base.validation import check_integer
from qcore.datasets.folder import file_name, read_file
from qcore.datasets.headers import sentences_on_reading
from qcore.datasets.table_limits import add_limits, limits_of
from qcore.datasets.table_reader import FORMATS
from qcore.watching.batches import Batches, read_batches
from qcore.watching.watched_share import MeasuredRates, WatchedShare, seen_with, watch_share

MOVED = 10
"""The exit status of a share that has moved: 1 is also what a Python that does not start ends with."""


def add_watch(commands: Any) -> None:
    """Add the command to those of `python -m qcore`."""
    watch = commands.add_parser(
        "watch",
        help=f"a share over time; the exit status is {MOVED} if it has moved, 0 if nothing was seen or it is too early, "
        "2 for bad input, 3 for a fault",
    )
    watch.add_argument("file", help=f"{FORMATS}: a column of dates or batches; counts, or a prediction a row; - reads a pipe")
    watch.add_argument(
        "--batch",
        default="",
        metavar="COLUMN",
        help="the column of dates or batch numbers (by default batch, date or week)",
    )
    watch.add_argument("--prediction", default="", metavar="COLUMN", help="of predicted classes, one row an instance")
    watch.add_argument("--positive", default="", metavar="CLASS", help="whose share is watched")
    watch.add_argument(
        "--leave-out", nargs="*", default=[], metavar="PREDICTION", help="whose rows are left out, such as unsure"
    )
    watch.add_argument(
        "--baseline",
        type=int,
        default=20,
        metavar="BATCHES",
        help="how many first batches later ones are compared with (default: 20, so 21 are needed); never change it later",
    )
    watch.add_argument(
        "--rates",
        nargs=4,
        type=int,
        metavar=("TP", "POSITIVES", "FP", "NEGATIVES"),
        help="labelled instances by which the share is corrected: predicted positive of the positives, and of the negatives",
    )
    watch.add_argument("--level", type=float, default=0.95, help="level of the intervals (default: 0.95)")
    watch.add_argument("--json", action="store_true", help="print the result as JSON: docs/command.md has its keys")
    add_limits(watch)
    watch.set_defaults(run=run_command)


def run_command(chosen: argparse.Namespace) -> int:
    """Print what is known of the share. Returns MOVED if it has moved, else 0. Raises InvalidInput."""
    table = read_file(chosen.file, labelled=False, limits=limits_of(chosen))
    say(*sentences_on_reading(table))
    how: Any = {"batch": chosen.batch, "prediction": chosen.prediction, "positive": chosen.positive}
    batches = read_batches(table, **how, leave_out=chosen.leave_out)
    say(*batches.notes)
    if not batches.in_time:
        say(f"Batches keep the order of {file_name(chosen.file)}: their names are neither numbers nor dates.")
    hint = "Choose how many first batches later ones are compared with."
    check_integer("baseline", chosen.baseline, low=1, hint=hint)
    rates = None if chosen.rates is None else MeasuredRates(*chosen.rates)
    if len(batches.names) <= chosen.baseline:
        return _too_early(chosen, batches)
    result = watch_share(
        batches.positives, batches.sizes, batches=batches.names, baseline=chosen.baseline, rates=rates, level=chosen.level
    )
    print_answer(
        {"too_early": False, **result.to_dict(), "positive": batches.positive},
        _as_text(result, batches.positive),
        as_json=chosen.json,
    )
    return 0 if result.moved_at is None else MOVED


def _too_early(chosen: argparse.Namespace, batches: Batches) -> int:
    """Print that no batch can be compared yet, what could be seen by now, and what to do. Returns 0."""
    n = len(batches.names)
    needed = chosen.baseline + 1
    lines = [
        f"not yet: {counted(n, 'batch')} of the {needed} that a baseline of {chosen.baseline} and one to compare with it take"
    ]
    if n >= 2:
        found, sizes = batches.positives, batches.sizes
        smallest = seen_with(int(found[:-1].sum()), int(sizes[:-1].sum()), int(sizes[-1]), chosen.level)
        lines.append(
            f"with --baseline {n - 1}, the last batch would be seen if it differed by about {100.0 * smallest:.0f} points"
            if smallest < 1.0
            else f"with --baseline {n - 1}, no share of the last batch would be seen: it is too small"
        )
        lines.append("by how much two batches differ, with an interval: python -m qcore estimate --by, or --counts")
    answer = {"too_early": True, "moved": False, "positive": batches.positive, "batches_so_far": n, "batches_needed": needed}
    print_answer(answer, "\n".join(lines), as_json=chosen.json)
    return 0


def _as_text(result: WatchedShare, positive: str) -> str:
    last, level = result.table.iloc[-1], f"{result.level:.0%}"
    n, size = len(result.table), counted(int(result.table["size"].sum()), "instance")
    looks, look, before, since = (
        " to ".join(percentages(low, low, high)[1:])
        for low, high in ((last.low, last.high), (last.once_low, last.once_high), result.before, result.now)
    )
    share, _, _ = percentages(last.so_far, last.low, last.high)
    kind = "corrected share" if result.rates else "share predicted"
    lines = [
        f"{kind} of {positive!r} in {n} batches, {size}: {share}",
        f"at every look, {level}: {looks} (one look alone: {look})",
        f"predicted in the first {result.baseline}: {before}; since: {since}",
        "nothing seen: the two overlap"
        if result.moved_at is None
        else f"MOVED: the two no longer overlap, since batch {result.moved_at}",
    ]
    if result.on_few_batches:
        lines.append(result.on_few_batches)
        lines.append("by how much two batches differ, with an interval: python -m qcore estimate --by, or --counts")
    if result.swapped:
        lines.append(result.swapped)
    elif result.label_anew:
        lines.append("label anew: the labels limit the estimate more than the batches, or the count is beyond the rates")
    return "\n".join(lines)
