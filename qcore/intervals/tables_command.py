"""python -m qcore estimate TRAIN SAMPLE [SAMPLE ...]: a labelled table, and one or several that are counted."""

import argparse
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from qcore._base.command_output import counted, percentages, print_answer, progress_line, say
from qcore._base.validation import InvalidInput, check_choice
from qcore.datasets import Dataset
from qcore.datasets.folder import file_name, read_file
from qcore.datasets.preparation import as_labels, is_labelled
from qcore.datasets.table_columns import (
    are_exchanged,
    chosen_columns,
    free_texts,
    may_hold_classes,
    rivals_of_label,
    why_no_classes,
)
from qcore.datasets.table_limits import limits_of
from qcore.datasets.time_order import are_in_time, groups_in_time
from qcore.datasets.user_tables import TableReading, dataset_of_table, guessed_reading
from qcore.intervals.analytic import why_no_interval
from qcore.intervals.counts_command import group_lines, planned
from qcore.intervals.difference import BY_FORMULA, Differences, group_differences
from qcore.intervals.sample_estimate import DEFAULT_METHODS, SampleEstimate, estimate_sample, in_words
from qcore.intervals.weights import check_weights
from qcore.intervals.which_shift import shift_of
from qcore.scoring import SampleScores, score_sample
from qcore.scoring.sample_scores import notes_on_sample

COUNTING = ("AC",)
"""The methods of decisions, which have no scores."""
_MOST_NAMED = 3


@dataclass(frozen=True)
class _Samples:
    """The tables to be counted: their names, all rows together, and which file each row is from."""

    names: tuple[str, ...]
    rows: pd.DataFrame
    files: pd.Series

    @property
    def called(self) -> str:
        return self.names[0] if len(self.names) == 1 else f"{len(self.names)} files"


def estimate_tables(chosen: argparse.Namespace) -> None:
    """Print the estimates of one sample, or of several together and each by itself. Raises InvalidInput."""
    train, tables = _tables(chosen)
    labelled = file_name(chosen.train)
    reading = _reading(chosen, train, labelled)
    if not tables:
        train, tables = _divided(train, reading.label, labelled)
    train = _without_verdicts(chosen, train, reading)
    tables = {name: _without_verdicts(chosen, table, reading, of_sample=True) for name, table in tables.items()}
    data = dataset_of_table(train, reading, name=labelled, key=labelled, positive=chosen.positive)
    positive = chosen.positive or data.default_positive
    say(*data.notes)
    for name, table in tables.items():
        _check_columns(table, data, name, alone=len(tables) == 1)
        notes = notes_on_sample(table, data)
        say(*notes if len(tables) == 1 else (f"{name}: {note}" for note in notes))
    samples = _together(tables)
    methods = chosen.method or (COUNTING if data.are_decisions else DEFAULT_METHODS)
    if chosen.all_classes:
        _estimate_all_classes(chosen, samples, data, methods)
        return
    scored = _scored(chosen, samples, data, positive)
    weights = _weights(chosen, samples)
    labels = scored.training_scores, scored.training_labels
    with progress_line(at_once=True) as progress:
        redrawing = partial(progress, "Redrawing sample and labels")
        redrawing(0.0)
        how: Any = {"level": chosen.level, "seed": chosen.seed, "posteriors": scored.posteriors, "weights": weights}
        more: Any = how | {"as_training": scored.as_training, "on_progress": redrawing}
        result = estimate_sample(scored.sample, *labels, methods, **more)
        answer, lines = result.to_dict(positive), [_as_text(result, positive, samples)]
        start = float(result.counts.estimate), len(samples.rows)
        if chosen.shift:
            progress("Testing which shift it is", 0.0)
            shift = shift_of(data, samples.rows, scored, positive, reading.label, seed=chosen.seed)
            answer["shift"] = shift.to_dict()
            lines.append(str(shift))
        if chosen.by or len(samples.names) > 1:
            progress("Comparing groups", 0.0)
            compared = _compared(chosen, samples, scored, methods, how)
            answer["by_group"] = compared.to_dict(positive)
            lines += group_lines(compared, chosen.by or "file", repr(positive))
            start = compared.planned_from
    if chosen.plan is not None:
        plan = planned(chosen, start, (float(result.counts.tpr), float(result.counts.fpr)))
        answer["plan"] = plan.to_dict()
        lines += plan.sentences()
    print_answer(answer, "\n".join(lines), as_json=chosen.json)


def _estimate_all_classes(chosen: argparse.Namespace, samples: _Samples, data: Dataset, methods: Sequence[str]) -> None:
    """Print the shares of all classes at once. Raises InvalidInput."""
    scored = _scored(chosen, samples, data, None)
    with progress_line(at_once=True) as progress:
        redrawing = partial(progress, "Redrawing sample and labels")
        redrawing(0.0)
        how: Any = {"level": chosen.level, "seed": chosen.seed, "posteriors": scored.posteriors, "on_progress": redrawing}
        labels = scored.training_scores, scored.training_labels
        result = estimate_sample(scored.sample, *labels, methods, classes=data.classes, **how)
    lines = [
        f"Shares of {len(data.classes)} classes in {samples.called}, {counted(len(samples.rows), 'instance')}, with "
        f"{result.level:.0%} intervals, each for one class; in brackets those that hold for all classes at once:"
    ]
    width = max(map(len, data.classes))
    columns = ["method", "class", "estimate", "low", "high", "joint_low", "joint_high"]
    for method, name, *shares in result.with_posterior[columns].to_numpy().tolist():
        share, low, high = percentages(*shares[:3])
        joint = " to ".join(percentages(shares[0], *shares[3:])[1:])
        lines.append(f"  {method:9s} {name:{width}s} {share:>6s}   {low} to {high}   [{joint}]")
    print_answer(result.to_dict(), "\n".join([*lines, *result.cautions]), as_json=chosen.json)


def _read(path: str, chosen: argparse.Namespace) -> pd.DataFrame:
    with progress_line(at_once=True) as progress:
        progress(f"Reading {path}", 0.0)
        return read_file(path, labelled=False, limits=limits_of(chosen))


def _tables(chosen: argparse.Namespace) -> tuple[pd.DataFrame, dict[str, pd.DataFrame]]:
    """The labelled table, and the others by name, whichever is named first, as on the page. Raises InvalidInput."""
    paths = [chosen.train, *chosen.sample]
    for number, path in enumerate(paths):
        if path in paths[:number]:
            hint = "The first is the labelled table, the others are counted: name each file once."
            raise InvalidInput.sentence(f"{file_name(path)} is named twice. {hint}")
    train = _read(chosen.train, chosen)
    others = [_read(path, chosen) for path in chosen.sample]
    is_said = chosen.label in train.columns
    exchanged = [number for number, table in enumerate(others) if not is_said and are_exchanged(train, table)]
    if len(exchanged) == 1:
        (at,) = exchanged
        chosen.train, chosen.sample[at], train, others[at] = chosen.sample[at], chosen.train, others[at], train
        column = may_hold_classes(train)
        say(f"{chosen.train} has one more column, {column}: so it is the labelled table, and {chosen.sample[at]} is counted.")
    names = [file_name(path) for path in chosen.sample]
    if len(set(names)) < len(names):
        names = list(chosen.sample)
    for number, (name, table) in enumerate(zip(names, others, strict=True)):
        for other, before in ((file_name(chosen.train), train), *zip(names[:number], others[:number], strict=True)):
            if table.equals(before):
                say(f"{name} and {other} hold the same table: was another file meant?")
    return train, dict(zip(names, others, strict=True))


def _divided(table: pd.DataFrame, label: str, name: str) -> tuple[pd.DataFrame, dict[str, pd.DataFrame]]:
    """The labelled rows of a single table, and those to be counted, as on the page. Raises InvalidInput."""
    known = is_labelled(table[label]) if label in table.columns else np.ones(len(table), dtype=bool)
    if known.all():
        hint = (
            f"Name the table to be counted, too; or leave {label or 'the class'} empty in the rows that are to be counted; or, "
            "with a prediction in every row, use --labelled-sample FILE."
        )
        raise InvalidInput("tables", "be two, or one with rows without a class", name, hint)
    labelled, rest = table[known].reset_index(drop=True), table[~known].reset_index(drop=True)
    # How the file was read is said of its labelled rows.
    rest.attrs.clear()
    say(f"The {counted(len(rest), 'row')} of {name} without a value of {label} are counted; the others are learnt from.")
    return labelled, {name: rest}


def _together(tables: dict[str, pd.DataFrame]) -> _Samples:
    rows = next(iter(tables.values())) if len(tables) == 1 else pd.concat([*tables.values()], ignore_index=True)
    of_rows = np.repeat([*tables], [len(table) for table in tables.values()])
    files = pd.Categorical(of_rows, categories=[*tables], ordered=True)
    return _Samples(tuple(tables), rows, pd.Series(files))


def _reading(chosen: argparse.Namespace, train: pd.DataFrame, name: str) -> TableReading:
    """How the labelled table is read: as is said, and else as the page guesses. Raises InvalidInput."""
    columns = [column for column in chosen.leave_out if column in set(map(str, train.columns))]
    if chosen.score and columns:
        hint = "With scores no column is a feature. Leave it out."
        raise InvalidInput("--leave-out", "be given with tables of features, without --score", repr(columns), hint)
    ours = [chosen.weights] if chosen.weights and chosen.weights in train.columns else []
    chosen_columns(train, [*columns, *chosen.keep, *([chosen.text] if chosen.text else [])], ())
    rest = train.drop(columns=[*dict.fromkeys([*columns, *ours])])
    if not chosen.label and (why := why_no_classes(rest, name)):
        raise InvalidInput.sentence(f"{why} --label COLUMN names the column that says the class of each row.")
    guess = guessed_reading(rest, label=chosen.label, score=chosen.score, keep=chosen.keep)
    if chosen.text:
        guess = replace(guess, score="", class_scores=(), text=chosen.text)
    elif guess.score and not chosen.score and chosen.classifier != chosen.unset["classifier"]:
        # Who names a classifier wants one to be trained.
        guess = guessed_reading(rest, label=guess.label, keep=[*chosen.keep, guess.score])
    if guess.class_scores and not chosen.score:
        guess = guess.for_class(chosen.positive)
    _say_reading(chosen, rest, guess, name)
    return replace(guess, left_out=(*dict.fromkeys([*columns, *ours, *guess.left_out]),))


def _say_reading(chosen: argparse.Namespace, rest: pd.DataFrame, guess: TableReading, name: str) -> None:
    """Say what is guessed, and what of the table is left. Raises InvalidInput where only text is left."""
    if not chosen.label and (rivals := rivals_of_label(rest, guess.label)):
        others = ", ".join(rivals[:_MOST_NAMED])
        say(f"{guess.label} is taken as the column of classes, but {others} could be, too: --label says which it is.")
    if chosen.text:
        return
    if guess.class_scores and not chosen.score:
        columns = ", ".join(column for _, column in guess.class_scores[:_MOST_NAMED])
        used = "" if chosen.all_classes else f", and {guess.score} is used"
        say(f"{columns} are taken as the scores of the classes: nothing is trained{used}.")
    elif guess.score and not chosen.score:
        say(f"{guess.score} is taken as the scores of a classifier: nothing is trained. --keep {guess.score!r} trains on it.")
    if guess.left_out and not guess.score:
        say(f"Columns that do not look like features are left out: --keep {' '.join(map(repr, guess.left_out))} keeps them.")
    texts = [] if guess.score else free_texts(rest.drop(columns=guess.label, errors="ignore"))
    if texts:
        way_out = f"--text {texts[0]} learns from its words, and from nothing else."
        if len(rest.columns) - 1 - len({*texts, *guess.left_out}) <= 0:
            raise InvalidInput.sentence(
                f"The column {texts[0]} of {name} is free text, and no other column is a feature: {way_out}"
            )
        say(f"The column {texts[0]} is free text, which is left out. {way_out}")


def _without_verdicts(
    chosen: argparse.Namespace, table: pd.DataFrame, reading: TableReading, *, of_sample: bool = False
) -> pd.DataFrame:
    """The rows with other verdicts than those of --leave-out that are not columns. Raises InvalidInput for an unknown word."""
    words = [word for word in chosen.leave_out if word not in reading.left_out]
    if not words or (of_sample and reading.score not in table.columns):
        return table
    if not reading.score:
        check_choice("column", words[0], [str(name) for name in table.columns])
    verdicts = as_labels(table[reading.score].astype(object).where(table[reading.score].notna(), ""))
    if not of_sample:
        for word in words:
            check_choice(f"value of {reading.score}", word, sorted(set(verdicts)))
    left = pd.Series(verdicts).isin(words).to_numpy()
    if left.any():
        of = "Of the sample" if of_sample else "Of the labelled rows"
        say(f"{of}, {counted(int(left.sum()), 'row')} with {', '.join(words)} left out: the share is that of the others.")
    return table[~left].reset_index(drop=True)


def _check_columns(sample: pd.DataFrame, data: Dataset, name: str, *, alone: bool) -> None:
    """Raise InvalidInput, with the options that help, if a table lacks features; of several files, if it lacks one."""
    missing = [str(column) for column in data.features.columns if str(column) not in map(str, sample.columns)]
    n_features = data.features.shape[1]
    if data.are_scores and (alone or not missing):
        return
    if missing and (not alone or len(missing) < n_features):
        named = " ".join(map(repr, missing[:_MOST_NAMED]))
        raise InvalidInput(
            "the sample" if alone else name,
            f"have the {counted(n_features, 'feature')} of {data.name}",
            f"none called {named}",
            f"If that is not a feature, such as a second column of labels, leave it out: --leave-out {named}; or name the "
            f"column of the classes: --label {missing[0]!r}.",
        )


def _scored(chosen: argparse.Namespace, samples: _Samples, data: Dataset, positive: str | None) -> SampleScores:
    """The scores of a class, or with None of all classes."""
    doing = f"Training {chosen.classifier}, fold by fold"
    if not data.trains_any_classifier:
        doing = "Reading scores" if data.are_scores else "Learning from texts"
    with progress_line(at_once=True) as progress:
        training = partial(progress, doing)
        training(0.0)
        scored = score_sample(data, samples.rows, positive, chosen.classifier, seed=chosen.seed, on_progress=training)
    say(*filter(None, (scored.on_repeated_rows, scored.on_calibration)))
    return scored


def _weights(chosen: argparse.Namespace, samples: _Samples) -> Any:
    """The weights of all rows, or None. Raises InvalidInput."""
    if not chosen.weights:
        return None
    column = _column(chosen.weights, "--weights", samples)
    return check_weights(pd.to_numeric(column, errors="coerce"), len(column))


def _column(name: str, option: str, samples: _Samples) -> pd.Series:
    check_choice(option, name, [str(column) for column in samples.rows.columns])
    return next(samples.rows[column] for column in samples.rows.columns if str(column) == name)


def _compared(
    chosen: argparse.Namespace, samples: _Samples, scored: SampleScores, methods: Sequence[str], how: dict[str, Any]
) -> Differences:
    """By how much groups differ, those of a column or the files. Raises InvalidInput."""
    groups, in_time = samples.files, True
    if chosen.by:
        values = _column(chosen.by, "--by", samples)
        groups = groups_in_time(values, chosen.by)
        in_time = are_in_time(values, groups)
        if groups.nunique() < 2:
            raise InvalidInput(f"the column {chosen.by}", "hold two groups or more", f"{groups.nunique()}", "Leave --by out.")
    against = file_name(chosen.against) if not chosen.by and chosen.against in chosen.sample else chosen.against
    if against and not chosen.by and against not in samples.names and chosen.against in samples.names:
        against = chosen.against
    method = methods[0] if chosen.method else BY_FORMULA
    labels = scored.training_scores, scored.training_labels
    found = group_differences(scored.sample, groups, *labels, against=against or None, method=method, **how)
    return replace(found, in_time=in_time)


def _as_text(result: SampleEstimate, positive: str, samples: _Samples) -> str:
    size = counted(len(samples.rows), "instance")
    if result.to_dict(positive)["weighted"]:
        size += f" that count as {float(result.counts.sample_size):,.0f}, since their weights differ"
    lines = [f"Share of {positive!r} in {samples.called}, {size}, with {result.level:.0%} intervals:"]
    for method, kind, *shares in result.table[["method", "interval", "estimate", "low", "high"]].to_numpy().tolist():
        estimate, lowest, highest = percentages(*shares)
        why = why_no_interval(kind)
        lines.append(f"  {method:9s} {estimate:>6s}   {'no interval' if why else f'{lowest} to {highest}'}   ({why or kind})")
    lines += result.cautions
    counts = result.counts
    lines.append(f"tpr {float(counts.tpr):.3f}, fpr {float(counts.fpr):.3f}, out of fold.")
    if result.fit is not None:
        verdict = "explains" if result.fit.explains else "does not explain" if result.fit.rejects else "hardly explains"
        trust = "No estimate here is to be trusted. " if result.fit.rejects else ""
        lines.append(
            f"A mixture of the two classes {verdict} the sample's scores (p = {result.fit.p_value:.3f}). "
            f"{trust}{result.fit.caution}"
        )
    if result.precise is not None:
        ends = result.precise.interval(result.level)
        _, low, high = percentages(sum(ends) / 2.0, *ends)
        lines.append(f"By the precise quantifier, from histograms of scores: {low} to {high}.")
    if result.classifier is not None:
        here, labelled = (in_words(result.classifier, column) for column in ("adjusted", "labelled"))
        if result.fit is not None and result.fit.rejects:
            here = "unknown, since no mixture of the classes explains its scores"
        elif result.calibration is not None and result.calibration.rejects:
            here = "unknown, since its scores are not probabilities"
        else:
            here = f"about {here}"
        lines.append(f"The classifier on this sample: {here} (labelled: {labelled}).")
    return "\n".join(line.rstrip() for line in lines)
