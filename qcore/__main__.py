"""The commands of qcore: python -m qcore estimate TRAIN SAMPLE --label Y; python -m qcore experiment SETTINGS."""

import argparse
import json
import sys
from collections.abc import Sequence

from qcore._base.validation import InvalidInput
from qcore.classifiers import CLASSIFIERS
from qcore.datasets import Dataset, read_dataset, read_scores
from qcore.datasets.folder import read_file
from qcore.datasets.table_columns import likely_identifiers
from qcore.evaluation.experiment.command import add_experiment
from qcore.intervals import SampleEstimate, estimate_sample
from qcore.intervals.sample_estimate import DEFAULT_METHODS
from qcore.quantifiers import QUANTIFIERS
from qcore.scoring import score_sample
from qcore.scoring.sample_scores import unusable_sentence, unusable_values


def main(words: Sequence[str] | None = None) -> int:
    """Run a command. Returns 0 if it succeeded, 1 if a part failed, 2 for invalid input (and a sentence says why)."""
    chosen = _parser().parse_args(words)
    try:
        code: int = chosen.run(chosen)
    except InvalidInput as error:
        print(error, file=sys.stderr)
        return 2
    return code


def _estimate(chosen: argparse.Namespace) -> int:
    data = _labelled(chosen)
    positive = chosen.positive or data.default_positive
    sample = read_file(chosen.sample, labelled=False)
    scored = score_sample(data, sample, positive, chosen.classifier, seed=chosen.seed)
    if not data.are_scores and (unusable := unusable_values(sample, data)):
        print(unusable_sentence(unusable), file=sys.stderr)
    training = scored.training_scores, scored.training_labels
    methods = chosen.method or DEFAULT_METHODS
    result = estimate_sample(scored.sample, *training, methods, level=chosen.level, seed=chosen.seed)
    print(json.dumps(result.to_dict(positive), indent=2) if chosen.json else _as_text(result, positive, chosen.sample))
    return 0


def _labelled(chosen: argparse.Namespace) -> Dataset:
    if chosen.score:
        return read_scores(chosen.train, chosen.label, chosen.score)
    data = read_dataset(chosen.train, chosen.label, leave_out=chosen.leave_out)
    for name in likely_identifiers(data.features.convert_dtypes()):
        print(f"{name} seems to number the rows: --leave-out {name} leaves it out.", file=sys.stderr)
    return data


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m qcore")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    estimate = commands.add_parser("estimate", help="the share of a class in an unlabelled table, with its interval")
    estimate.add_argument("train", help="labelled table: CSV, TSV, ARFF, Parquet or Excel")
    estimate.add_argument("sample", help="unlabelled table with the same columns")
    estimate.add_argument("--label", default="", help="column of the classes (default: class, label, target or y)")
    estimate.add_argument("--positive", default="", help="class whose share is wanted (default: the rarest)")
    estimate.add_argument("--score", default="", help="column of your own classifier's scores: nothing is trained")
    estimate.add_argument("--method", action="append", choices=list(QUANTIFIERS), metavar="METHOD", help="quantifier; several")
    estimate.add_argument("--classifier", default="logistic regression", choices=list(CLASSIFIERS), metavar="CLASSIFIER")
    estimate.add_argument("--leave-out", nargs="*", default=[], metavar="COLUMN", help="columns that are no features")
    estimate.add_argument("--level", type=float, default=0.95)
    estimate.add_argument("--seed", type=int, default=0)
    estimate.add_argument("--json", action="store_true", help="for programs")
    estimate.set_defaults(run=_estimate)
    add_experiment(commands)
    return parser


def _as_text(result: SampleEstimate, positive: str, sample: str) -> str:
    size = int(result.counts.sample_size)
    lines = [f"Share of {positive!r} in {sample}, {size:,} instances, with {result.level:.0%} intervals:"]
    lines += [
        f"  {row.method:9s} {row.estimate:6.1%}   {row.low:.1%} to {row.high:.1%}   ({row.interval})"
        for row in result.table.itertuples()
    ]
    lines += result.cautions
    counts = result.counts
    lines.append(f"tpr {float(counts.tpr):.3f}, fpr {float(counts.fpr):.3f}, out of fold.")
    if result.fit is not None:
        verdict = "explains" if result.fit.explains else "does not explain"
        lines.append(
            f"A mixture of the two classes {verdict} the sample's scores (p = {result.fit.p_value:.3f}). {result.fit.caution}"
        )
    return "\n".join(line.rstrip() for line in lines)


if __name__ == "__main__":
    sys.exit(main())
