"""The choices of the user's own run: data, methods, samples, losses; or a file of settings, or of a run, in their place."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import streamlit as st

from pages.compare.settings import AS_GIVEN, SETTINGS
from pages.frame.layout import narrow_row
from pages.own_data import uploads
from pages.pipeline import dataset
from pages.settings import control
from pages.settings.address import current
from pages.settings.number_text import counted, enumerated, typed_sizes
from pages.work.heavy import duration
from qcore import Dataset, DatasetReference, InvalidInput
from qcore.datasets.user_tables import as_given_scores
from qcore.evaluation.experiment import ExperimentSettings, Pair, Problem, Sampling, experiment_seconds
from qcore.evaluation.experiment.cell import cells, check_split
from qcore.evaluation.experiment.settings import FOLDS, GIVEN, GIVEN_SCORES

LARGEST_SIZE = 5000
_MOST_SAMPLES = 200_000
"""Samples of one fold or draw, beyond which an experiment is for the command."""


@dataclass(frozen=True)
class OwnExperiment:
    """The settings of an experiment, the session's tables that it uses, by name, and its seconds; or the ZIP of a run."""

    settings: ExperimentSettings | None = None
    tables: Mapping[str, Dataset] = field(default_factory=dict)
    seconds: float = 0.0
    archive: bytes = b""


def own_experiment(*, disabled: bool) -> OwnExperiment:
    """Draw the controls and the place of a file; returns what they say. Raises InvalidInput, which says what cannot be."""
    left, right = narrow_row("own run", 2)
    with left:
        data = control.several_among(SETTINGS["own_data"], _words(), disabled=disabled)
    are_scores = bool(current(SETTINGS["own_scores"])) or any(word in uploads.words_of_scores() for word in data)
    with right:
        classifiers = control.several_of(SETTINGS["own_classifiers"], disabled=disabled or are_scores)
    methods = control.several_of(SETTINGS["own_quantifiers"], disabled=disabled)
    with st.container(horizontal=True, gap="small"):
        sampling, draws, calibrations, losses, all_classes = _samples_and_losses(disabled=disabled)
        with st.popover("From a file", key="own_experiment_from_file"):
            st.caption("Settings as TOML, run in place of those above; or a saved run (ZIP), which is shown, or gone on with.")
            file = st.file_uploader(
                "Settings or a run", key="own experiment file", label_visibility="collapsed", disabled=disabled
            )
    if file is not None:
        content = file.getvalue()
        if content.startswith(b"PK"):
            return OwnExperiment(archive=content)
        return _of_file(content)
    classifiers = [GIVEN_SCORES] if are_scores else classifiers
    if not (data and classifiers and methods):
        return OwnExperiment()
    names, tables = own_problems(data)
    problems = tuple(
        replace(_problem(name, word, all_classes=all_classes), are_scores=_hold_scores(word))
        for name, word in zip(names, data, strict=True)
    )
    pairs = tuple(
        Pair(classifier, method, calibration="" if calibration == AS_GIVEN else calibration)
        for calibration in calibrations
        for classifier in classifiers
        for method in methods
    )
    return _planned(
        ExperimentSettings("own", problems, pairs, sampling, draws=draws, losses=tuple(losses)), data, names, tables
    )


def _words() -> list[str]:
    """The words of all data sets here, with features or scores."""
    return [*uploads.words_with_features(), *uploads.words_of_scores()]


def _hold_scores(word: str) -> bool:
    """Whether a data set holds scores: an upload says so itself; of others the switch does."""
    if DatasetReference.parse(word).source == uploads.SOURCE:
        return word in uploads.words_of_scores()
    return bool(current(SETTINGS["own_scores"]))


def _planned(
    settings: ExperimentSettings, words: Sequence[str], names: Sequence[str], tables: Mapping[str, Dataset]
) -> OwnExperiment:
    """The experiment with about the time that it takes; `names` are what its problems call the data sets of these words.

    Raises InvalidInput for too many samples, and for a data set that cannot be loaded.
    """
    _check_samples(settings)
    used = {problem.data for problem in settings.problems}
    known = {name: dataset(uploads.reference(word)) for word, name in zip(words, names, strict=True) if name in used}
    if settings.sampling.protocol != GIVEN:
        scored = {problem.data for problem in settings.problems if problem.are_scores}
        known = {name: as_given_scores(one) if name in scored else one for name, one in known.items()}
    _check_sizes(settings, known)
    of_session = {name: table for name, table in tables.items() if name in used}
    return OwnExperiment(settings, of_session, experiment_seconds(settings, known))


def _samples_and_losses(*, disabled: bool) -> tuple[Sampling, int, list[str], list[str], bool]:
    """(sampling, draws, calibrations, losses, whether all classes are estimated). Raises InvalidInput for unreadable sizes."""
    protocol = str(current(SETTINGS["own_protocol"]))
    with st.popover(f"Samples and losses: {protocol}", key="own_more", disabled=disabled):
        control.choice(SETTINGS["own_protocol"])
        folds, draws = int(str(SETTINGS["own_folds"].default)), 1
        sampling = Sampling()
        if protocol == FOLDS:
            folds = int(control.slider(SETTINGS["own_folds"]))
            sampling = Sampling(folds=folds)
        elif protocol == GIVEN:
            st.caption(
                "Data sets are then folders of samples in LeQua's format, inside the folder that the app was started with."
            )
            sampling = Sampling(GIVEN)
        else:
            sizes = typed_sizes(control.typed_text(SETTINGS["own_sizes"]), LARGEST_SIZE)
            grid = int(control.number(SETTINGS["own_grid"])) if protocol == "APP" else Sampling().grid
            repeats = int(control.number(SETTINGS["own_repeats"]))
            if protocol != "APP":
                st.caption(f"{100 * repeats:,} samples of each size.")
            draws = int(control.number(SETTINGS["own_draws"]))
            sampling = Sampling(protocol, sizes, grid=grid, repeats=repeats)
        calibrations = control.several(SETTINGS["own_calibrations"]) or [AS_GIVEN]
        losses = control.several_of(SETTINGS["own_losses"]) or ["AE"]
        all_classes = control.toggle(SETTINGS["own_all_classes"])
        control.toggle(SETTINGS["own_scores"])
    return sampling, draws, calibrations, losses, all_classes


def _problem(name: str, word: str, *, all_classes: bool) -> Problem:
    """One class against the rest, or all classes where there are more than two."""
    if not all_classes:
        return Problem(name)
    data = dataset(uploads.reference(word))
    return Problem(name, all_classes=True, order=data.class_order) if len(data.classes) > 2 else Problem(name)


def own_problems(words: Sequence[str]) -> tuple[list[str], dict[str, Dataset]]:
    """(names of the problems, uploaded tables by their name): a table is called by its file's name, a second one numbered."""
    names: list[str] = []
    tables: dict[str, Dataset] = {}
    seen: Counter[str] = Counter()
    for word in words:
        file = uploads.shown_name(word)
        seen[file] += 1
        name = file if seen[file] == 1 else f"{file} ({seen[file]})"
        names.append(name)
        data = uploads.reference(word)
        if data.source == uploads.SOURCE:
            tables[name] = uploads.load(data)
    return names, tables


def _of_file(content: bytes) -> OwnExperiment:
    """The experiment of a TOML file. Raises InvalidInput for one that this server does not run."""
    try:
        settings = ExperimentSettings.from_toml(content.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise InvalidInput("the file", "be text in UTF-8, or a ZIP file", str(error)[:60], "Save it as UTF-8.") from error
    settings.check_no_user_class()
    words = _words()
    names, tables = own_problems(words)
    for problem in settings.problems:
        if problem.data not in names:
            hint = "Fetch or upload it on the page Data sets."
            raise InvalidInput("each data set of the file", "be here", control.quoted([problem.data]), hint)
    return _planned(settings, words, names, tables)


def _check_samples(settings: ExperimentSettings) -> None:
    sampling = settings.sampling
    if sampling.protocol in (FOLDS, GIVEN):
        return
    number = (sampling.grid if sampling.protocol == "APP" else 100) * sampling.repeats * len(sampling.sizes)
    if number > _MOST_SAMPLES:
        hint = "Choose fewer repeats, or run it with python -m qcore experiment."
        raise InvalidInput("samples of a draw", f"be at most {_MOST_SAMPLES:,} on this page", f"{number:,}", hint)


def _check_sizes(settings: ExperimentSettings, known: Mapping[str, Dataset]) -> None:
    """Raise InvalidInput where the half of a data set that samples are drawn from is too small for all sample sizes.

    It is raised, too, for folds of a table that is split already.
    """
    sampling = settings.sampling
    for data in known.values():
        check_split(settings, data)
    if sampling.protocol in (FOLDS, GIVEN):
        return
    for problem in settings.problems:
        data, share = known[problem.data], 1.0 - settings.training_share
        if data.in_training is not None:
            data, share = data.subset(np.flatnonzero(~data.in_training)), 1.0
        counts = data.class_counts
        if not problem.all_classes:
            positive = counts[problem.positive or data.default_positive]
            counts = {"": positive, "others": len(data.labels) - positive}
        fewest = len(data.labels) if sampling.protocol == "NPP" else min(counts.values())
        largest = int(fewest * share)
        if min(sampling.sizes) > largest:
            rule, hint = f"fit into the half of {problem.name} that is not trained on", f"Choose {largest} or less."
            raise InvalidInput("one of the sample sizes", rule, str(min(sampling.sizes)), hint)


def plan_sentence(settings: ExperimentSettings, seconds: float) -> str:
    """What an experiment is made of, and about how long it takes."""
    sampling, n = settings.sampling, len(cells(settings))
    several = len(settings.several_classes)
    of_scores = " of given scores" if settings.pairs[0].classifier == GIVEN_SCORES else ""
    parts = [counted(len(settings.problems), "data set") + of_scores, counted(len(settings.pairs), "method"), sampling.protocol]
    if several:
        parts.insert(1, f"{several} of them with all classes")
    if sampling.protocol not in (FOLDS, GIVEN):
        parts.append(f"samples of {enumerated(list(map(str, sampling.sizes)))}")
    return f"{', '.join(parts)}: {counted(n, 'cell')}, about {duration(seconds)} of one processor."
