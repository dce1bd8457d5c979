"""The command: python -m qcore estimate TRAIN SAMPLE --label Y, or python -m qcore estimate --labelled-sample FILE."""

import argparse
import json
import sys
from collections.abc import Sequence
from typing import Any, Final

from qcore._base.validation import InvalidInput
from qcore.classifiers import CLASSIFIERS
from qcore.datasets import Dataset, read_dataset, read_scores
from qcore.datasets.folder import read_file
from qcore.datasets.table_columns import likely_dates, likely_identifiers, likely_label
from qcore.intervals.classifier_on_sample import in_words
from qcore.intervals.labelled_sample_estimate import LabelledSampleEstimate, estimate_labelled_sample
from qcore.intervals.labelled_sample_table import likely_columns, read_labelled_columns
from qcore.intervals.no_interval import why_no_interval
from qcore.intervals.sample_estimate import DEFAULT_METHODS, SampleEstimate, estimate_sample
from qcore.intervals.shift_of_tables import shift_of
from qcore.quantifiers import QUANTIFIERS
from qcore.scoring import score_sample
from qcore.scoring.sample_scores import unknown_sentence, unknown_values, unusable_sentence, unusable_values

_OF_TWO_TABLES: Final = ("score", "method", "classifier", "leave_out", "seed", "shift")
_OF_FEATURES: Final = ("classifier", "leave_out")
_OF_A_LABELLED_SAMPLE: Final = ("prediction", "population")
"""Options of each way to estimate."""


def add_estimate(commands: Any) -> None:
    """Add the command to those of `python -m qcore`."""
    estimate = commands.add_parser("estimate", help="the share of a class in a table, with its interval")
    estimate.add_argument("train", nargs="?", help="labelled table: CSV, TSV, ARFF, Parquet or Excel")
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
    estimate.add_argument("--population", action="store_true", help="of the labelled sample: the share of its population")
    estimate.add_argument("--label", default="", help="column of the classes (default: class, label, target, y or outcome)")
    estimate.add_argument(
        "--positive",
        default="",
        help="class whose share is wanted (default: the rarest; "
        "with --score that of the higher scores; of a labelled sample one called 1, yes or true, if there is one)",
    )
    estimate.add_argument("--score", default="", help="column of your own classifier's scores: nothing is trained")
    estimate.add_argument(
        "--method", action="append", choices=list(QUANTIFIERS), metavar="METHOD", help="a quantifier; repeat it for several"
    )
    estimate.add_argument("--classifier", default="logistic regression", choices=list(CLASSIFIERS), metavar="CLASSIFIER")
    estimate.add_argument("--leave-out", nargs="*", default=[], metavar="COLUMN", help="columns that are not features")
    estimate.add_argument("--level", type=float, default=0.95, help="level of the intervals (default: 0.95)")
    estimate.add_argument("--seed", type=int, default=0, help="seed of all random draws (default: 0)")
    estimate.add_argument(
        "--shift",
        action="store_true",
        help="say which shift it is, too; the sample may have the label's column, empty where it is not known",
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
    if not chosen.sample:
        way_out = "Name a labelled and an unlabelled table, or --labelled-sample FILE."
        if chosen.leave_out:
            way_out += f" The words after --leave-out, {', '.join(chosen.leave_out)}, are read as columns: put it last."
        raise InvalidInput("tables", "be two", chosen.train or "none", way_out)
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
    # `read_dataset` finds the label by itself: the file is read once more only where its name is needed.
    label = chosen.label or (_usual_label(chosen) if chosen.score or chosen.shift else "")
    data = _labelled(chosen, label)
    positive = chosen.positive or data.default_positive
    sample = read_file(chosen.sample, labelled=False)
    scored = score_sample(data, sample, positive, chosen.classifier, seed=chosen.seed)
    if not data.are_scores and (unusable := unusable_values(sample, data)):
        print(unusable_sentence(unusable), file=sys.stderr)
    if not data.are_scores and (unknown := unknown_values(sample, data)):
        print(unknown_sentence(unknown), file=sys.stderr)
    training = scored.training_scores, scored.training_labels
    methods = chosen.method or DEFAULT_METHODS
    how = {"level": chosen.level, "seed": chosen.seed}
    result = estimate_sample(scored.sample, *training, methods, as_training=scored.as_training, **how)
    answer, text = result.to_dict(positive), _as_text(result, positive, chosen.sample)
    if chosen.shift:
        shift = shift_of(data, sample, scored, positive, label, seed=chosen.seed)
        answer, text = answer | {"shift": shift.to_dict()}, f"{text}\n{shift}"
    print(json.dumps(answer, indent=2) if chosen.json else text)
    return 0


def _usual_label(chosen: argparse.Namespace) -> str:
    """The column of the labelled table that probably holds the classes."""
    table = read_file(chosen.train)
    return str(likely_label(table.drop(columns=[chosen.score, *chosen.leave_out], errors="ignore")))


def _labelled(chosen: argparse.Namespace, label: str) -> Dataset:
    if chosen.score:
        return read_scores(chosen.train, label, chosen.score)
    data = read_dataset(chosen.train, label, leave_out=chosen.leave_out)
    for name in likely_identifiers(data.features.convert_dtypes()):
        print(f"{name} seems to number the rows: --leave-out {name} leaves it out.", file=sys.stderr)
    for name in likely_dates(data.features):
        print(f"{name} holds dates, which a later sample does not repeat: --leave-out {name} leaves it out.", file=sys.stderr)
    for note in data.notes:
        print(note, file=sys.stderr)
    return data


def _of_labelled_sample(chosen: argparse.Namespace) -> int:
    table = read_file(chosen.labelled_sample, labelled=False)
    prediction, label = likely_columns(table)
    for option, column in (("--prediction", chosen.prediction or prediction), ("--label", chosen.label or label)):
        if not column:
            known = ", ".join(map(str, table.columns[:10]))
            raise InvalidInput(option, "name a column", "none, and no column seems to fit", f"Choose one of: {known}.")
    columns = read_labelled_columns(table, chosen.prediction or prediction, chosen.label or label, chosen.positive)
    for note in columns.notes:
        print(note, file=sys.stderr)
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
    for method, kind, too_short, estimate, low, high in result.table[columns].to_numpy().tolist():
        why = why_no_interval(kind)
        doubt = f"   ({why})" if why else f"   (too short: {too_short})" if too_short else ""
        lines.append(f"  {method:15s} {estimate:6.1%}   {'no interval' if why else f'{low:.1%} to {high:.1%}'}{doubt}")
    lines.append(f"Predictions agree with labels in {float(counts.agreement):.1%} of the sample.")
    if result.labels_to_halve is None:
        lines.append("All labels of this sample would not make the first interval half as wide: draw a larger one.")
    elif result.labels_to_halve:
        lines.append(f"{result.labels_to_halve:,} labels more would make the first interval about half as wide.")
    lines.append(f"As many labels of another sample would give one {width:.1%} wide, if only shares differ between the two.")
    return "\n".join(lines)


def _as_text(result: SampleEstimate, positive: str, sample: str) -> str:
    size = int(result.counts.sample_size)
    lines = [f"Share of {positive!r} in {sample}, {size:,} instances, with {result.level:.0%} intervals:"]
    for method, kind, *shares in result.table[["method", "interval", "estimate", "low", "high"]].to_numpy().tolist():
        estimate, lowest, highest = (f"{share:.1%}" for share in shares)
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
        low, high = result.precise.interval(result.level)
        lines.append(f"By the precise quantifier, from histograms of scores: {low:.1%} to {high:.1%}.")
    if result.classifier is not None:
        here, labelled = (in_words(result.classifier, column) for column in ("adjusted", "labelled"))
        rejected = any(evidence is not None and evidence.rejects for evidence in (result.fit, result.calibration))
        here = "unknown, since scores are no probabilities there" if rejected else f"about {here}"
        lines.append(f"The classifier on this sample: {here} (labelled: {labelled}).")
    return "\n".join(line.rstrip() for line in lines)
