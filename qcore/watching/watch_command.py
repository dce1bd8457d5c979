"""The command: python -m qcore watch FILE, whose exit status says whether the share has moved."""

import argparse
import json
import sys
from typing import Any

from qcore._base.validation import InvalidInput, percentage_decimals
from qcore.datasets.folder import read_file
from qcore.datasets.headers import sentences_on_reading
from qcore.datasets.table_reader import FORMATS
from qcore.watching.batches import read_batches
from qcore.watching.watched_share import MeasuredRates, WatchedShare, watch_share


def add_watch(commands: Any) -> None:
    """Add the command to those of `python -m qcore`."""
    watch = commands.add_parser(
        "watch",
        help="a share over time; the exit status is 1 if it has moved, 0 if nothing was seen, 2 for bad input, 3 for a fault",
    )
    watch.add_argument("file", help=f"{FORMATS}: a column of dates or batches; counts, or a prediction a row")
    watch.add_argument(
        "--batch",
        default="",
        metavar="COLUMN",
        help="the column of dates or batch numbers (by default batch, date or week)",
    )
    watch.add_argument("--prediction", default="", metavar="COLUMN", help="of predicted classes, one row an instance")
    watch.add_argument("--positive", default="", metavar="CLASS", help="whose share is watched")
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
    watch.add_argument("--json", action="store_true", help="print the result as JSON")
    watch.set_defaults(run=run_command)


def run_command(chosen: argparse.Namespace) -> int:
    """Print what is known of the share. Returns 1 if it has moved, else 0. Raises InvalidInput."""
    table = read_file(chosen.file, labelled=False)
    for sentence in sentences_on_reading(table):
        print(sentence, file=sys.stderr)
    batches = read_batches(table, batch=chosen.batch, prediction=chosen.prediction, positive=chosen.positive)
    if len(batches.names) < 2:
        raise InvalidInput("batches", "be two or more", str(len(batches.names)), "Wait for the next one.")
    rates = None if chosen.rates is None else MeasuredRates(*chosen.rates)
    result = watch_share(
        batches.positives, batches.sizes, batches=batches.names, baseline=chosen.baseline, rates=rates, level=chosen.level
    )
    if not batches.in_time:
        print(f"Batches are taken as they stand in {chosen.file}: their names are neither numbers nor dates.", file=sys.stderr)
    print(json.dumps(result.to_dict(), indent=2) if chosen.json else _as_text(result, batches.positive))
    return 0 if result.moved_at is None else 1


def _as_text(result: WatchedShare, positive: str) -> str:
    last, level, size = result.table.iloc[-1], f"{result.level:.0%}", int(result.table["size"].sum())
    looks, look, before, since = (
        f"{low:.{percentage_decimals(low, high)}%} to {high:.{percentage_decimals(low, high)}%}"
        for low, high in ((last.low, last.high), (last.once_low, last.once_high), result.before, result.now)
    )
    share = f"{last.so_far:.{percentage_decimals(last.low, last.high)}%}"
    kind = "corrected share" if result.rates else "share predicted"
    lines = [
        f"{kind} of {positive!r} in {len(result.table)} batches, {size:,} instances: {share}",
        f"at every look, {level}: {looks} (one look alone: {look})",
        f"predicted in the first {result.baseline}: {before}; since: {since}",
        "nothing seen: the two overlap"
        if result.moved_at is None
        else f"MOVED: the two no longer overlap, since batch {result.moved_at}",
    ]
    if result.swapped:
        lines.append(result.swapped)
    elif result.label_anew:
        lines.append("label anew: the labels limit the estimate more than the batches, or the count is beyond the rates")
    return "\n".join(lines)
