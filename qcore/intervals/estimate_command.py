"""The command: python -m qcore estimate TRAIN SAMPLE --label Y, or python -m qcore estimate --labelled-sample FILE."""

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pandas as pd

from qcore._base.progress_line import progress_line
from qcore._base.validation import InvalidInput, check_choice, percentage_decimals
from qcore.classifiers import CLASSIFIERS
from qcore.datasets import Dataset
from qcore.datasets.folder import read_file
from qcore.datasets.table_columns import are_exchanged, chosen_columns, may_hold_classes, rivals_of_label
from qcore.datasets.table_reader import FORMATS
from qcore.datasets.user_tables import TableReading, dataset_of_table, guessed_reading
from qcore.intervals.analytic import why_no_interval
from qcore.intervals.difference import OTHERS, Differences, group_differences
from qcore.intervals.groups import estimate_groups
from qcore.intervals.labelled_sample import likely_columns, read_labelled_columns
from qcore.intervals.labelled_sample_estimate import LabelledSampleEstimate, estimate_labelled_sample
from qcore.intervals.sample_estimate import DEFAULT_METHODS, SampleEstimate, estimate_sample, in_words
from qcore.intervals.which_shift import shift_of
from qcore.quantifiers import QUANTIFIERS
from qcore.scoring import SampleScores, score_sample
from qcore.scoring.sample_scores import notes_on_sample

COUNTING = ("AC",)
"""The methods of decisions, which have no scores."""
_MOST_NAMED = 3
_OF_TWO_TABLES = ("score", "method", "classifier", "leave_out", "keep", "seed", "shift", "by", "against")
_OF_FEATURES = ("classifier", "leave_out", "keep")
_OF_A_LABELLED_SAMPLE = ("prediction", "population", "drop")
"""Options of each way to estimate."""


def add_estimate(commands: Any) -> None:
    """Add the command to those of `python -m qcore`."""
    estimate = commands.add_parser("estimate", help="the share of a class in a table, with its interval")
    estimate.add_argument("train", nargs="?", help=f"labelled table: {FORMATS}")
    estimate.add_argument("sample", nargs="?", help="unlabelled table with the same columns")
    estimate.add_argument(
        "--labelled-sample",
        default="",
        metavar="FILE",
        help="instead of two tables: one with a prediction in every row, and a label in some, drawn at random",
    )
    estimate.add_argument(
        "--prediction", default="", metavar="COLUMN", help="of the labelled sample (default: one with the labels' names)"
    )
    estimate.add_argument(
        "--drop",
        nargs="*",
        default=[],
        metavar="PREDICTION",
        help="of the labelled sample: predictions whose rows are left out, such as unsure (default: each is its own class)",
    )
    estimate.add_argument("--population", action="store_true", help="of the labelled sample: the share of its population")
    estimate.add_argument("--label", default="", help="column of the classes (default: class, label, target, y or outcome)")
    estimate.add_argument(
        "--positive",
        default="",
        help="class whose share is wanted (default: the rarest; "
        "with --score that of the higher scores; of a labelled sample one called 1, yes or true, if there is one)",
    )
    estimate.add_argument("--score", default="", help="column of your own classifier's scores or decisions: nothing is trained")
    estimate.add_argument(
        "--method", action="append", choices=list(QUANTIFIERS), metavar="METHOD", help="a quantifier; repeat it for several"
    )
    estimate.add_argument("--classifier", default="logistic regression", choices=list(CLASSIFIERS), metavar="CLASSIFIER")
    estimate.add_argument("--leave-out", nargs="*", default=[], metavar="COLUMN", help="columns that are not features")
    estimate.add_argument(
        "--keep", nargs="*", default=[], metavar="COLUMN", help="columns that are features, though they seem to be none"
    )
    estimate.add_argument("--level", type=float, default=0.95, help="level of the intervals (default: 0.95)")
    estimate.add_argument("--seed", type=int, default=0, help="seed of all random draws (default: 0)")
    estimate.add_argument(
        "--shift",
        action="store_true",
        help="say which shift it is, too; the sample may have the label's column, empty where it is not known",
    )
    estimate.add_argument(
        "--by",
        default="",
        metavar="COLUMN",
        help="of the sample: an estimate for each of its values, and by how much they differ",
    )
    estimate.add_argument(
        "--against",
        default="",
        metavar="VALUE",
        help=f"with --by: the value that all others are compared with (default: the first; {OTHERS!r}: each with all others)",
    )
    estimate.add_argument("--json", action="store_true", help="print the result as JSON")
    estimate.set_defaults(run=run_command, unset=vars(estimate.parse_args([])))


def run_command(chosen: argparse.Namespace) -> int:
    """Print the estimates. Returns 0. Raises InvalidInput."""
    if chosen.labelled_sample:
        if chosen.train:
            raise InvalidInput("a labelled sample", "be the only table", chosen.train, "Leave out the others.")
        _check_left_out(chosen, _OF_TWO_TABLES, "two tables")
        return _of_labelled_sample(chosen)
    if chosen.against and not chosen.by:
        raise InvalidInput("--against", "be given with --by COLUMN", repr(chosen.against), "Name the column of the groups.")
    if not chosen.sample:
        hint = "Name a labelled and an unlabelled table, or --labelled-sample FILE."
        if chosen.leave_out:
            hint += f" The words after --leave-out, {', '.join(chosen.leave_out)}, are read as columns: put it last."
        raise InvalidInput("tables", "be two", chosen.train or "none", hint)
    _check_left_out(chosen, _OF_A_LABELLED_SAMPLE, "--labelled-sample FILE")
    if chosen.score:
        _check_left_out(chosen, _OF_FEATURES, "tables of features, without --score")
    return _of_two_tables(chosen)


def _check_left_out(chosen: argparse.Namespace, options: Sequence[str], belongs_to: str) -> None:
    """Raise InvalidInput for an option that would do nothing."""
    for name in options:
        value = getattr(chosen, name)
        if value != chosen.unset[name]:
            raise InvalidInput(f"--{name.replace('_', '-')}", f"be given with {belongs_to}", repr(value), "Leave it out.")


def _of_two_tables(chosen: argparse.Namespace) -> int:
    train, sample = _tables(chosen)
    reading = _reading(chosen, train)
    data = dataset_of_table(train, reading, name=Path(chosen.train).name, key=Path(chosen.train).name)
    positive = chosen.positive or data.default_positive
    _say(*data.notes)
    if not data.are_scores:
        _check_features(sample, data)
    _say(*notes_on_sample(sample, data))
    with progress_line(at_once=True) as say:
        training = partial(say, "Reading scores" if data.are_scores else f"Training {chosen.classifier}, fold by fold")
        training(0.0)
        scored = score_sample(data, sample, positive, chosen.classifier, seed=chosen.seed, on_progress=training)
    _say(*filter(None, (scored.on_repeated_rows, scored.on_calibration)))
    labelled = scored.training_scores, scored.training_labels
    methods = chosen.method or (COUNTING if data.are_decisions else DEFAULT_METHODS)
    with progress_line(at_once=True) as say:
        redrawing = partial(say, "Redrawing sample and labels")
        redrawing(0.0)
        how: Any = {"level": chosen.level, "seed": chosen.seed, "on_progress": redrawing}
        how |= {"as_training": scored.as_training, "posteriors": scored.posteriors}
        result = estimate_sample(scored.sample, *labelled, methods, **how)
        answer, text = result.to_dict(positive), _as_text(result, positive, chosen.sample)
        if chosen.shift:
            say("Testing which shift it is", 0.0)
            shift = shift_of(data, sample, scored, positive, reading.label, seed=chosen.seed)
            answer, text = answer | {"shift": shift.to_dict()}, f"{text}\n{shift}"
    if chosen.by:
        groups, by_group = _groups(chosen, sample, scored)
        shares = {"groups": groups.to_dict("records"), **by_group.to_dict(positive)}
        answer, text = answer | {"by_group": shares}, "\n".join([text, *_group_lines(chosen, groups, by_group, positive)])
    print(json.dumps(answer, indent=2) if chosen.json else text)
    return 0


def _groups(chosen: argparse.Namespace, sample: pd.DataFrame, scored: SampleScores) -> tuple[pd.DataFrame, Differences]:
    """The estimate of each value of a column, and by how much they differ. Raises InvalidInput."""
    check_choice("--by", chosen.by, [str(name) for name in sample.columns])
    column = next(sample[name] for name in sample.columns if str(name) == chosen.by)
    labelled = scored.training_scores, scored.training_labels
    groups = estimate_groups(scored.sample, column, *labelled, level=chosen.level)
    return groups, group_differences(scored.sample, column, *labelled, against=chosen.against or None, level=chosen.level)


def _group_lines(chosen: argparse.Namespace, groups: pd.DataFrame, result: Differences, positive: str) -> list[str]:
    lines = [f"By {chosen.by} (AC):"]
    width = max(map(len, groups.group))
    for name, size, *shares in groups[["group", "size", "estimate", "low", "high"]].to_numpy().tolist():
        estimate, low, high = _percentages(*shares)
        lines.append(f"  {name:{width}s} {estimate:>6s}   {low} to {high}   ({size:,} instances)")
    return [*lines, *result.sentences(f"The share of {positive!r}")]


def _say(*sentences: str) -> None:
    for sentence in sentences:
        print(sentence, file=sys.stderr)


def _read(path: str, *, labelled: bool = True) -> pd.DataFrame:
    with progress_line(at_once=True) as say:
        say(f"Reading {path}", 0.0)
        return read_file(path, labelled=labelled)


def _tables(chosen: argparse.Namespace) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The labelled table and the sample, whichever is named first, as on the page."""
    train, sample = _read(chosen.train), _read(chosen.sample, labelled=False)
    if are_exchanged(train, sample):
        chosen.train, chosen.sample, train, sample = chosen.sample, chosen.train, sample, train
        column = may_hold_classes(train)
        _say(f"{chosen.train} has one more column, {column}: so it is the labelled table, and {chosen.sample} is counted.")
    return train, sample


def _reading(chosen: argparse.Namespace, train: pd.DataFrame) -> TableReading:
    """How the labelled table is read: as is said, and else as the page guesses. Raises InvalidInput."""
    chosen_columns(train, [*chosen.leave_out, *chosen.keep], ())
    rest = train.drop(columns=chosen.leave_out)
    guess = guessed_reading(rest, label=chosen.label, score=chosen.score, keep=chosen.keep)
    if guess.score and not chosen.score and chosen.classifier != chosen.unset["classifier"]:
        # Who names a classifier wants one to be trained.
        guess = guessed_reading(rest, label=guess.label, keep=[*chosen.keep, guess.score])
    if not guess.label:
        known = ", ".join(map(str, train.columns[:10]))
        raise InvalidInput("--label", "name the column of the classes", "none that holds two", f"Choose one of: {known}.")
    if not chosen.label and (rivals := rivals_of_label(rest, guess.label)):
        others = ", ".join(rivals[:_MOST_NAMED])
        _say(f"{guess.label} is taken for the column of the classes, which {others} may be as well: --label says which it is.")
    if guess.score and not chosen.score:
        _say(f"{guess.score} is taken for the scores of a classifier: nothing is trained. --keep {guess.score!r} trains on it.")
    if guess.left_out and not guess.score:
        _say(f"Columns that seem to be no features are left out: --keep {' '.join(map(repr, guess.left_out))} keeps them.")
    return replace(guess, left_out=(*chosen.leave_out, *guess.left_out))


def _check_features(sample: pd.DataFrame, data: Dataset) -> None:
    """Raise InvalidInput, with the options that help, if the sample lacks a feature."""
    missing = [str(name) for name in data.features.columns if str(name) not in map(str, sample.columns)]
    if 0 < len(missing) < data.features.shape[1]:
        named = " ".join(map(repr, missing[:_MOST_NAMED]))
        raise InvalidInput(
            "the sample",
            f"have the {data.features.shape[1]} features of {data.name}",
            f"none called {named}",
            f"If that is no feature, such as a second column of labels, leave it out: --leave-out {named}; or name the column "
            f"of the classes: --label {missing[0]!r}.",
        )


def _of_labelled_sample(chosen: argparse.Namespace) -> int:
    table = _read(chosen.labelled_sample, labelled=False)
    prediction, label = likely_columns(table)
    for option, column in (("--prediction", chosen.prediction or prediction), ("--label", chosen.label or label)):
        if not column:
            known = ", ".join(map(str, table.columns[:10]))
            raise InvalidInput(option, "name a column", "none, and no column seems to fit", f"Choose one of: {known}.")
    named = chosen.prediction or prediction, chosen.label or label
    columns = read_labelled_columns(table, *named, chosen.positive, leave_out=chosen.drop)
    _say(*columns.notes)
    if columns.never_labels:
        _say(f"To leave the rows of such a prediction out: --drop {columns.never_labels[0]!r}.")
    own = not chosen.population
    result = estimate_labelled_sample(columns.sample, chosen.level, own=own, **columns.scores_and_labels)
    text = json.dumps(result.to_dict(columns.positive), indent=2) if chosen.json else _labelled_text(result, columns.positive)
    print(text)
    return 0


def _labelled_text(result: LabelledSampleEstimate, positive: str) -> str:
    counts, of = result.sample, "the sample" if result.own else "its population"
    size, n, width = int(counts.sample_size), int(counts.n_labels), result.width_elsewhere
    lines = [f"Share of {positive!r} in {of}: {size:,} instances, {n:,} of them labelled, {result.level:.0%} intervals:"]
    columns = ["method", "interval", "too_short", "estimate", "low", "high"]
    for method, kind, too_short, *shares in result.table[columns].to_numpy().tolist():
        why, (estimate, lowest, highest) = why_no_interval(kind), _percentages(*shares)
        doubt = f"   ({why})" if why else f"   (too short: {too_short})" if too_short else ""
        lines.append(f"  {method:15s} {estimate:>6s}   {'no interval' if why else f'{lowest} to {highest}'}{doubt}")
    lines.append(f"Predictions agree with labels in {float(counts.agreement):.1%} of the sample.")
    if result.labels_to_halve is None:
        lines.append("All labels of this sample would not make the first interval half as wide: draw a larger one.")
    elif result.labels_to_halve:
        lines.append(f"{result.labels_to_halve:,} labels more would make the first interval about half as wide.")
    lines.append(f"As many labels of another sample would give one {width:.1%} wide, if only shares differ between the two.")
    return "\n".join(lines)


def _percentages(estimate: float, low: float, high: float) -> list[str]:
    return [f"{share:.{percentage_decimals(low, high)}%}" for share in (estimate, low, high)]


def _as_text(result: SampleEstimate, positive: str, sample: str) -> str:
    size = int(result.counts.sample_size)
    lines = [f"Share of {positive!r} in {sample}, {size:,} instances, with {result.level:.0%} intervals:"]
    for method, kind, *shares in result.table[["method", "interval", "estimate", "low", "high"]].to_numpy().tolist():
        estimate, lowest, highest = _percentages(*shares)
        why = why_no_interval(kind)
        lines.append(f"  {method:9s} {estimate:>6s}   {'no interval' if why else f'{lowest} to {highest}'}   ({why or kind})")
    lines += result.cautions
    counts = result.counts
    lines.append(f"tpr {float(counts.tpr):.3f}, fpr {float(counts.fpr):.3f}, out of fold.")
    if result.fit is not None:
        verdict = "explains" if result.fit.explains else "does not explain"
        lines.append(
            f"A mixture of the two classes {verdict} the sample's scores (p = {result.fit.p_value:.3f}). {result.fit.caution}"
        )
    if result.precise is not None:
        ends = result.precise.interval(result.level)
        _, low, high = _percentages(sum(ends) / 2.0, *ends)
        lines.append(f"By the precise quantifier, from histograms of scores: {low} to {high}.")
    if result.classifier is not None:
        here, labelled = (in_words(result.classifier, column) for column in ("adjusted", "labelled"))
        rejected = any(evidence is not None and evidence.rejects for evidence in (result.fit, result.calibration))
        here = "unknown, since scores are no probabilities there" if rejected else f"about {here}"
        lines.append(f"The classifier on this sample: {here} (labelled: {labelled}).")
    return "\n".join(line.rstrip() for line in lines)
