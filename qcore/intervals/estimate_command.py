"""The command python -m qcore estimate: its options, and which of its ways to estimate they choose."""

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from qcore._base.validation import InvalidInput, check_choice
from qcore.classifiers import CLASSIFIERS
from qcore.datasets.table_limits import add_limits
from qcore.datasets.table_reader import FORMATS
from qcore.intervals.counts_command import estimate_counts
from qcore.intervals.difference import OTHERS
from qcore.intervals.labelled_sample_command import estimate_labelled_file
from qcore.intervals.tables_command import estimate_tables
from qcore.quantifiers import QUANTIFIERS

_TABLES, _LABELLED, _COUNTS = "two tables", "--labelled-sample FILE", "--counts FOUND/SIZE"
_ALSO_OF_TABLES = ("label", "leave_out", "positive", "by", "against")
_OF_TABLES = ("score", "text", "method", "classifier", "keep", "seed", "shift", "weights", "all_classes")
_OF_LABELLED = ("prediction", "population")
_OF_COUNTS = ("confusion", "sensitivity", "specificity")
_OPTIONS: Mapping[str, tuple[str, ...]] = {
    _TABLES: (*_ALSO_OF_TABLES, *_OF_TABLES),
    _LABELLED: (*_ALSO_OF_TABLES, *_OF_LABELLED),
    _COUNTS: (*_OF_COUNTS, "against"),
}
"""The options of each way to estimate; the others belong to all."""


def add_estimate(commands: Any) -> None:
    """Add the command to those of `python -m qcore`."""
    estimate = commands.add_parser("estimate", help="the share of a class, with its interval: in tables, or by counts")
    estimate.add_argument("train", nargs="?", help=f"labelled table: {FORMATS}; - reads standard input")
    estimate.add_argument(
        "sample",
        nargs="*",
        help="unlabelled table with the same columns; several are compared, each a group of its own; none: the rows of TRAIN "
        "without a class are counted",
    )
    _add_of_tables(estimate)
    _add_of_labelled(estimate)
    _add_of_counts(estimate)
    estimate.add_argument("--level", type=float, default=0.95, help="level of the intervals (default: 0.95)")
    estimate.add_argument(
        "--plan",
        type=float,
        metavar="POINTS",
        help="also say how many instances show a change of the share by this many percentage points, such as 3",
    )
    estimate.add_argument("--power", type=float, default=0.8, help="of --plan: the power to see the change (default: 0.8)")
    estimate.add_argument("--json", action="store_true", help="print the result as JSON: docs/command.md has its keys")
    add_limits(estimate)
    estimate.set_defaults(run=run_command, unset=vars(estimate.parse_args([])))


def _add_of_tables(estimate: argparse.ArgumentParser) -> None:
    add = estimate.add_argument_group("with two tables or more").add_argument
    add("--label", default="", help="column of the classes (default: class, label, target, y or outcome)")
    add(
        "--positive",
        default="",
        metavar="CLASS",
        help="class whose share is wanted (default: the rarest; with --score that of the higher scores; of a labelled sample "
        "one called 1, yes or true, if there is one)",
    )
    add("--score", default="", metavar="COLUMN", help="your own classifier's scores or decisions: nothing is trained")
    add("--text", default="", metavar="COLUMN", help="learn from the words of this column: TF-IDF with logistic regression")
    add(
        "--method",
        action="append",
        metavar="METHOD",
        help=f"repeat it for several (default: AC, PACC, EMQ): {', '.join(QUANTIFIERS)}",
    )
    add(
        "--classifier",
        default="logistic regression",
        metavar="CLASSIFIER",
        help=f"(default: logistic regression): {', '.join(CLASSIFIERS)}",
    )
    add(
        "--leave-out",
        "--drop",
        nargs="*",
        default=[],
        metavar="NAME",
        help="columns that are not features; of a column of verdicts those whose rows are left out, such as unsure",
    )
    add("--keep", nargs="*", default=[], metavar="COLUMN", help="columns that are features, though they do not look like it")
    add("--weights", default="", metavar="COLUMN", help="of the sample: how many each row stands for, as in a survey")
    add(
        "--by",
        default="",
        metavar="COLUMN",
        help="of the sample: an estimate for each of its values, and by how much they differ, by the first --method",
    )
    add(
        "--against",
        default="",
        metavar="VALUE",
        help="the group, or file, that all others are compared with (default: the first; "
        f"{OTHERS!r}: each with all others together)",
    )
    add("--seed", type=int, default=0, help="seed of all random draws (default: 0)")
    add("--all-classes", action="store_true", help="the shares of all classes at once, instead of one")
    add("--shift", action="store_true", help="also say which shift it is; the sample may have labels, empty where unknown")


def _add_of_labelled(estimate: argparse.ArgumentParser) -> None:
    add = estimate.add_argument_group("with one table that is labelled in part").add_argument
    add(
        "--labelled-sample",
        default="",
        metavar="FILE",
        help="a prediction in every row, and a label in some, drawn at random; --label, --positive, --leave-out, --by and "
        "--against as above",
    )
    add("--prediction", default="", metavar="COLUMN", help="(default: one with the labels' names)")
    add("--population", action="store_true", help="the share of the population that the sample was drawn from")


def _add_of_counts(estimate: argparse.ArgumentParser) -> None:
    add = estimate.add_argument_group("with counts").add_argument
    add(
        "--counts",
        nargs="+",
        default=[],
        metavar="FOUND/SIZE",
        help="positives of the sample, true positives and false positives of a test, such as 400/1000 180/200 60/200; "
        "or, with the options below, samples alone, such as May=345/1000 June=400/1000",
    )
    add("--confusion", nargs=4, type=int, metavar=("TP", "FN", "FP", "TN"), help="the four cells of a test")
    for rate in ("sensitivity", "specificity"):
        add(
            f"--{rate}",
            default="",
            metavar="RATE",
            help='180/200, 0.9/200, "0.9 (0.85-0.94)" as published, or 0.9 if it is known',
        )


def run_command(chosen: argparse.Namespace) -> int:
    """Print the estimates. Returns 0. Raises InvalidInput."""
    way = _COUNTS if chosen.counts else _LABELLED if chosen.labelled_sample else _TABLES
    if way != _TABLES and chosen.train:
        got = chosen.train
        raise InvalidInput(way.split()[0], "be given without other tables", got, "Leave out the others, or the option.")
    _check_left_out(chosen, way)
    if chosen.against and not (chosen.by or len(chosen.sample) > 1 or way == _COUNTS):
        hint = "Name the column of the groups, or several files to be counted."
        raise InvalidInput("--against", "be given with --by COLUMN", repr(chosen.against), hint)
    if way == _TABLES:
        _check_tables(chosen)
    run = {_COUNTS: estimate_counts, _LABELLED: estimate_labelled_file, _TABLES: estimate_tables}[way]
    run(chosen)
    return 0


def _check_tables(chosen: argparse.Namespace) -> None:
    """Raise InvalidInput unless there are two tables, and options that go together."""
    read_as_columns = [word for word in chosen.leave_out if Path(word).is_file()]
    if not chosen.train or (not chosen.sample and read_as_columns):
        hint = "Name a labelled and an unlabelled table, --labelled-sample FILE, or --counts."
        if read_as_columns:
            hint += f" The words after --leave-out, {', '.join(chosen.leave_out)}, are read as columns: put it last."
        raise InvalidInput("tables", "be two", chosen.train or "none", hint)
    for method in chosen.method or ():
        check_choice("quantifier", method, QUANTIFIERS)
    check_choice("classifier", chosen.classifier, CLASSIFIERS)
    if chosen.all_classes:
        _refuse(chosen, ("positive", "by", "against", "weights", "shift", "plan"), "one class, without --all-classes")
        if chosen.score:
            raise InvalidInput("--score", "be given for one class", chosen.score, "Columns such as p0, p1, p2 are found.")
    if chosen.weights and chosen.shift:
        raise InvalidInput.sentence(
            "--shift cannot be given with --weights: its tests compare the rows as they are, each counted once, and would not "
            "see the weights. Leave out --weights to test whether the rows have shifted, or --shift to estimate with weights."
        )
    if chosen.text:
        _refuse(chosen, ("score", "classifier", "keep"), "tables of features, without --text")
    if chosen.score:
        _refuse(chosen, ("classifier", "keep"), "tables of features, without --score")


def _check_left_out(chosen: argparse.Namespace, way: str) -> None:
    """Raise InvalidInput for an option of another way to estimate, which would do nothing."""
    for other, options in _OPTIONS.items():
        _refuse(chosen, [name for name in options if name not in _OPTIONS[way]], other)


def _refuse(chosen: argparse.Namespace, options: Sequence[str], belongs_to: str) -> None:
    for name in options:
        value = getattr(chosen, name)
        if value != chosen.unset[name]:
            raise InvalidInput(f"--{name.replace('_', '-')}", f"be given with {belongs_to}", repr(value), "Leave it out.")
