"""The work of one cell: the methods of one classifier on one fold or draw of one data set. Cells are independent.

An experiment is cut where its work is: a classifier is trained once for each cell. Sample sizes share that training: on 8,000
rows of `maletzke-2020` it takes 19 s of 22 s, so that a cell for each of 14 sizes would do twelve times the work.
"""

from collections.abc import Iterator, Mapping, MutableMapping, Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from itertools import product
from typing import Any

import numpy as np
import pandas as pd
from sklearn.compose import make_column_transformer
from sklearn.model_selection import train_test_split
from sklearn.multiclass import OneVsRestClassifier
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import OneHotEncoder

from qcore._base.validation import FloatArray, IntArray, InvalidInput, check_choice
from qcore.classifiers import CLASSIFIERS, encoded, make_classifier
from qcore.datasets import SOURCES, Dataset, DatasetReference, load_dataset
from qcore.datasets.dataset import BUNDLED, check_order
from qcore.datasets.sample_folder import SampleFolder, sample_folder
from qcore.datasets.user_tables import as_given_scores
from qcore.evaluation.experiment.settings import FOLDS, GIVEN, GIVEN_SCORES, ExperimentSettings, Pair, Problem, is_user_class
from qcore.protocols.given_samples import UNKNOWN, GivenSamples, scored_samples, scores_in_tables
from qcore.protocols.pool import largest_samples
from qcore.protocols.samples import Samples
from qcore.quantifiers import QUANTIFIERS, make_quantifiers
from qcore.quantifiers.fitting import check_estimates
from qcore.scoring import Scores, calibrate
from qcore.scoring.plan import given_scores
from qcore.scoring.rate_estimation import stratified_folds
from qcore.scoring.training_part import TrainingPart

COLUMNS = (
    "data",
    "draw",
    "training_size",
    "training_prevalence",
    "method",
    "size",
    "repeat",
    "target",
    "prevalence",
    "estimate",
)
"""The columns of estimates. Where all classes are estimated, the last three are empty: each class has its own, target_0, ..."""


@dataclass(frozen=True)
class Cell:
    """A problem, a fold or draw, a training size and a classifier, each by its number in the settings."""

    problem: int
    draw: int
    size: int = 0
    classifier: int = 0

    @property
    def name(self) -> str:
        """The name of the cell's file."""
        return f"{self.problem:03d}-{self.draw:03d}-{self.size:02d}-{self.classifier:02d}"

    def pairs(self, settings: ExperimentSettings) -> list[Pair]:
        """The methods of the cell, which have one classifier with the same parameters."""
        return _by_classifier(settings.pairs)[self.classifier]


def cells(settings: ExperimentSettings) -> list[Cell]:
    """All cells of an experiment."""
    n_draws = {FOLDS: settings.sampling.folds, GIVEN: 1}.get(settings.sampling.protocol, settings.draws)
    n_sizes, n_classifiers = len(settings.training_sizes) or 1, len(_by_classifier(settings.pairs))
    numbers = product(range(len(settings.problems)), range(n_draws), range(n_sizes), range(n_classifiers))
    return [Cell(*each) for each in numbers]


def run_cell(
    settings: ExperimentSettings,
    cell: Cell,
    own: Mapping[str, Any] | None = None,
    data_sets: Mapping[str, Dataset] | None = None,
    failed: MutableMapping[str, Exception] | None = None,
) -> pd.DataFrame:
    """The estimates of all methods in one cell, columns COLUMNS.

    `own` are the user's quantifiers by the name of their pair, `data_sets` the user's data sets by the word of their problem.
    With `failed`, the error of a method is put there under the method's name, and the cell's other methods go on.
    Raises InvalidInput, and any error of the user's classifiers; without `failed`, of the user's quantifiers, too.
    """
    problem = settings.problems[cell.problem]
    dataset = (data_sets or {}).get(problem.data) or load_dataset(problem.data)
    if problem.are_scores and settings.sampling.protocol != GIVEN:
        dataset = as_given_scores(dataset)
    classes = check_order(problem.order, dataset.classes) or dataset.class_order or dataset.classes
    if problem.all_classes:
        labels = np.array([classes.index(name) for name in dataset.labels])
    else:
        positive = problem.positive or dataset.default_positive
        labels, classes = dataset.binary_labels(positive), ("", positive)
    features = _scaled(dataset, problem)
    inside, held = _split(settings, dataset, labels, cell.draw)
    tables, errors = [], dict[str, Exception]()
    for rows, size, prevalence in _training_parts(settings, labels, inside, cell):
        scaled = replace(dataset, features=features)
        data = _CellData(scaled, labels, rows, held, problem.features, settings.seed, classes)
        result = _estimates(settings, data, cell, own or {}, errors)
        tables.append(result.assign(training_size=size, training_prevalence=prevalence))
    if errors and failed is None:
        raise next(iter(errors.values()))
    if failed is not None:
        failed.update(errors)
    # If a class is smaller than the number of folds, there are fewer folds.
    result = pd.concat(tables, ignore_index=True) if tables else pd.DataFrame(columns=list(COLUMNS))
    result = result[~result.method.isin(list(errors))].reset_index(drop=True) if errors else result
    return result.assign(data=problem.name, draw=cell.draw)[ordered_columns(result)] if tables else result


def ordered_columns(result: pd.DataFrame) -> list[str]:
    """The columns of a result in order: COLUMNS, then those of the classes."""
    return [*COLUMNS, *(str(name) for name in result if name not in COLUMNS)]


def _scaled(dataset: Dataset, problem: Problem) -> pd.DataFrame:
    """Features with mean 0 and standard deviation 0.5 where the problem says so (Barranquero 2013, 5.2.1)."""
    if problem.features != "deviation 0.5":
        return dataset.features
    numbers = [name for name in dataset.features.columns if name not in dataset.nominal]
    values = dataset.features[numbers]
    return dataset.features.assign(**(0.5 * (values - values.mean()) / values.std(ddof=0)))


def check_split(settings: ExperimentSettings, dataset: Dataset) -> None:
    """Raise InvalidInput for folds of a data set that says itself which rows are for training."""
    if settings.sampling.protocol == FOLDS and dataset.in_training is not None:
        hint = 'Write for example protocol = "APP".'
        raise InvalidInput("protocol", f"be no folds where {dataset.name} says which rows are for training", FOLDS, hint)


def _split(settings: ExperimentSettings, dataset: Dataset, labels: IntArray, draw: int) -> tuple[IntArray, IntArray]:
    """Rows of the training part, and of the fold or pool. Raises InvalidInput as `check_split`."""
    if dataset.in_training is not None:
        check_split(settings, dataset)
        return np.flatnonzero(dataset.in_training), np.flatnonzero(~dataset.in_training)
    if settings.sampling.protocol == FOLDS:
        parts = stratified_folds(labels, settings.seed, settings.sampling.folds)
        if draw >= len(parts):
            return parts[0][0][:0], parts[0][1][:0]
        return parts[draw]
    if settings.sampling.protocol == GIVEN:
        return np.arange(len(labels)), np.arange(0)
    state = int(np.random.default_rng([settings.seed, draw]).integers(2**31 - 1))
    share = settings.training_share
    inside, held = train_test_split(np.arange(len(labels)), train_size=share, random_state=state, stratify=labels)
    return np.sort(inside), np.sort(held)


def _training_parts(
    settings: ExperimentSettings, labels: IntArray, inside: IntArray, cell: Cell
) -> Iterator[tuple[IntArray, int, float]]:
    """(rows, size, share of positives) for each training prevalence; for the whole training part if nothing is set.

    Of all classes there is one, whose shares are those of the training part.
    """
    if not len(inside):
        return
    size, shares = (settings.training_sizes or (len(inside),))[cell.size], settings.training_prevalences or (None,)
    if settings.problems[cell.problem].all_classes:
        state = int(np.random.default_rng([settings.seed, cell.draw, cell.size]).integers(2**31 - 1))
        drawn = len(inside) if size >= len(inside) else size
        rows = inside if drawn == len(inside) else _stratified(inside, labels, drawn, state)
        yield rows, len(rows), np.nan
        return
    for number, share in enumerate(shares, start=cell.size * len(shares)):
        rng = np.random.default_rng([settings.seed, cell.draw, number])
        members = [rng.permutation(inside[labels[inside] == label]) for label in (1, 0)]
        positive = float(labels[inside].mean()) if share is None else share
        # The requested size, or as large as the smaller class allows.
        total = min(size, int(len(members[0]) / positive), int(len(members[1]) / (1.0 - positive)))
        n_positive = min(max(2, round(total * positive)), len(members[0]))
        rows = np.sort(np.concatenate([members[0][:n_positive], members[1][: max(2, total - n_positive)]]))
        if share is None and size == len(inside):
            rows = inside
        yield rows, len(rows), float(labels[rows].mean())


def _stratified(inside: IntArray, labels: IntArray, size: int, state: int) -> IntArray:
    """That many of these rows, each class with its share."""
    rows, _ = train_test_split(inside, train_size=size, random_state=state, stratify=labels[inside])
    return np.sort(rows)


@dataclass(frozen=True)
class _CellData:
    """A data set with labels from 0, the rows to train on, the rows of the fold or pool to score, the classes of the labels."""

    dataset: Dataset
    labels: IntArray
    inside: IntArray
    held: IntArray
    features: str
    seed: int
    classes: tuple[str, ...]

    @property
    def is_multiclass(self) -> bool:
        """Whether all classes are estimated."""
        return len(self.classes) > 2

    def scores(
        self, classifier: str, parameters: Mapping[str, Any], *, out_of_fold: bool, folder: SampleFolder | None
    ) -> Scores:
        """Out-of-fold scores of the training part (all alike where they are not needed), and of fold, pool or given samples."""
        folds = stratified_folds(self.labels[self.inside], self.seed + 1)
        unfitted = self._unfitted(classifier, parameters, min(len(inner) for inner, _ in folds))
        part = TrainingPart(
            self.dataset.features, self.labels, self.inside, folds, classifier, unfitted, multiclass=self.is_multiclass
        )
        shape = (len(self.inside), len(self.classes)) if self.is_multiclass else (len(self.inside),)
        training = part.out_of_fold() if out_of_fold else np.full(shape, 1.0 / len(self.classes))
        if folder is None:
            pool = part.scores(part.model(len(folds)), self.dataset.features.iloc[self.held])
            labels = self.labels[self.held]
        else:
            training, pool = scored_samples(folder, self.dataset, part, training)
            labels = np.full(len(pool), UNKNOWN)
        classes = self.classes if self.is_multiclass else ()
        posteriors = _gives_posteriors(classifier)
        return Scores(training, self.labels[self.inside], pool, labels, classes=classes, posteriors=posteriors)

    def given_scores(self, folder: SampleFolder | None) -> Scores:
        """The scores that the tables hold: of the training part, and of fold, pool or given samples."""
        known = self.dataset.classes
        if folder is None:
            values = self.dataset.features.to_numpy(dtype=np.float64)
            every = given_scores(self.dataset, values, None if self.is_multiclass else self.classes[1])
            labels = self.labels[self.held]
            training, pool = every[self.inside], every[self.held]
        else:
            training, pool = scores_in_tables(folder, self.dataset)
            labels = np.full(len(pool), UNKNOWN)
            if not self.is_multiclass:
                training, pool = (_of_class(one, known.index(self.classes[1])) for one in (training, pool))
        of_training = self.labels[self.inside]
        if self.is_multiclass:
            columns = [known.index(name) for name in self.classes]
            return Scores(training[:, columns], of_training, pool[:, columns], labels, classes=self.classes)
        return Scores(training, of_training, pool, labels)

    def given(self, folder: SampleFolder) -> GivenSamples:
        """The samples of a folder, with the shares of the classes of the labels."""
        known = list(self.dataset.classes)
        if self.is_multiclass:
            return GivenSamples.of(folder.prevalences[:, [known.index(name) for name in self.classes]], folder.sizes)
        positive = folder.prevalences[:, known.index(self.classes[1])]
        return GivenSamples.of(np.stack([1.0 - positive, positive], axis=1), folder.sizes)

    def _unfitted(self, classifier: str, parameters: Mapping[str, Any], smallest: int) -> Pipeline:
        nominal = self.dataset.nominal
        if is_user_class(classifier):
            return encoded(nominal, named_class(classifier)(**parameters))
        model = make_classifier(classifier, nominal, smallest, self.seed, n_classes=len(self.classes))
        one_against_all = isinstance(model[-1], OneVsRestClassifier)
        model[-1].set_params(**{f"estimator__{name}" if one_against_all else name: one for name, one in parameters.items()})
        if self.features != "standardised":
            one_hot = OneHotEncoder(handle_unknown="ignore", sparse_output=False)
            model = make_pipeline(make_column_transformer((one_hot, list(nominal)), remainder="passthrough"), model[-1])
        return model


def _of_class(scores: FloatArray, number: int) -> FloatArray:
    """Scores of one class, (n,), of those of all, (n, n_classes), or of the second of two, (n,)."""
    if scores.ndim > 1:
        return scores[:, number]
    return scores if number else 1.0 - scores


def check_names(settings: ExperimentSettings, left: Sequence[Cell], *, elsewhere: bool = False) -> None:
    """Raise InvalidInput for a bundled or KEEL data set, a class, a source or a Python class that does not exist.

    A misspelt name is thus reported at once, not after hours of work on other cells. Only names that the cells `left` need are
    looked up; with `elsewhere`, KEEL's data sets and Python classes are not, since the cluster may have others. A missing file
    fails in its own cell.
    """
    for number in sorted({cell.problem for cell in left}):
        problem = settings.problems[number]
        reference = DatasetReference.parse(problem.data)
        check_choice("source of the data set", reference.source, SOURCES)
        if reference.source == BUNDLED and problem.positive:
            load_dataset(reference).binary_labels(problem.positive)
        elif reference.source == BUNDLED or (reference.source == "keel" and not elsewhere):
            names = SOURCES[reference.source].names()
            # Before they are downloaded, none of KEEL's is known.
            check_choice("data set", reference.name, names or [reference.name])
    for pair in settings.pairs if left else ():
        for word in (pair.classifier, pair.quantifier):
            if is_user_class(word) and not elsewhere:
                named_class(word)


def named_class(word: str) -> Any:
    """The Python class that a word such as package.module:Class names. Raises InvalidInput if there is none."""
    module, _, name = word.partition(":")
    # Another distribution may have the name qcore: see distribution/hooks.py.
    first, dot, rest = module.partition(".")
    module = f"{__name__.partition('.')[0]}{dot}{rest}" if first == "qcore" else module
    try:
        return getattr(import_module(module), name)
    except Exception as error:
        # A module of the user's own may fail in any way while it is imported.
        hint = f"{error}. Its module must lie in the folder in which the command runs, or on PYTHONPATH."
        raise InvalidInput("class", "be one that can be imported", repr(word), hint) from error


def _estimates(
    settings: ExperimentSettings, data: _CellData, cell: Cell, own: Mapping[str, Any], failed: MutableMapping[str, Exception]
) -> pd.DataFrame:
    """The cell's methods on all samples, from the scores of their classifier. The errors of methods are put into `failed`."""
    sampling, pairs = settings.sampling, cell.pairs(settings)
    folder = None
    if sampling.protocol == GIVEN:
        folder = sample_folder(DatasetReference.parse(settings.problems[cell.problem].data).name, sampling.part or None)
        samples = list(_of_blocks(data.given(folder)))
    else:
        samples = list(_samples(settings, data.labels[data.held], cell.draw, len(data.classes)))
    posteriors = _gives_posteriors(pairs[0].classifier)
    needed = any(_learns_from_scores(pair, own, posteriors=posteriors) for pair in pairs)
    if pairs[0].classifier == GIVEN_SCORES:
        scores = data.given_scores(folder)
    else:
        scores = data.scores(pairs[0].classifier, pairs[0].classifier_parameters, out_of_fold=needed, folder=folder)
    tables = [pd.DataFrame(columns=["size", "repeat", "target", "prevalence", "estimate", "method"])]
    for calibration in dict.fromkeys(pair.calibration for pair in pairs):
        calibrated = calibrate(scores, calibration) if calibration else scores
        chosen = [pair for pair in pairs if pair.calibration == calibration]
        for method, quantifier in _fitted(chosen, own, calibrated, failed).items():
            try:
                made = []
                for info, rows in samples:
                    estimates = np.atleast_1d(quantifier.predict(calibrated.pool_scores[rows]))
                    checked = check_estimates(method, estimates, (len(rows), *calibrated.pool_scores.shape[1:]))
                    made.append(pd.DataFrame({**info, **_by_class("estimate", checked)}).assign(method=method))
            except Exception as error:
                failed[method] = error
            else:
                tables += made
    return pd.concat(tables[1:] or tables, ignore_index=True)


def _by_class(name: str, values: Any) -> dict[str, Any]:
    """A column of values, (n,); of all classes, (n, n_classes), it is empty, and each class has one of its own."""
    if np.ndim(values) < 2:
        return {name: values}
    return {name: np.nan, **{f"{name}_{label}": column for label, column in enumerate(np.transpose(values))}}


def _fitted(
    pairs: Sequence[Pair], own: Mapping[str, Any], scores: Scores, failed: MutableMapping[str, Exception]
) -> dict[str, Any]:
    """The fitted quantifiers of the methods that can be fitted, all at once unless one fails; the errors of the others."""
    try:
        methods = {pair.label: _quantifier(pair, own) for pair in pairs}
        return dict(make_quantifiers(methods, scores.training_scores, scores.training_labels, posteriors=scores.posteriors))
    except Exception as error:
        if len(pairs) == 1:
            failed[pairs[0].label] = error
            return {}
    fitted = dict[str, Any]()
    for pair in pairs:
        fitted |= _fitted([pair], own, scores, failed)
    return fitted


def _gives_posteriors(classifier: str) -> bool:
    """Whether a classifier, by its key or as the word for a user's class, gives probabilities."""
    if is_user_class(classifier):
        return hasattr(named_class(classifier), "predict_proba")
    return classifier == GIVEN_SCORES or CLASSIFIERS[classifier].gives_posteriors


def _learns_from_scores(pair: Pair, own: Mapping[str, Any], *, posteriors: bool) -> bool:
    """Whether a method is fitted to out-of-fold scores, which take as many trainings as there are folds."""
    is_known = pair.label not in own and pair.quantifier in QUANTIFIERS
    if not is_known or pair.calibration:
        return True
    entry = QUANTIFIERS[pair.quantifier]
    return not entry.learns_from_labels_alone or (entry.reads_posteriors and not posteriors)


def _by_classifier(pairs: Sequence[Pair]) -> list[list[Pair]]:
    """The pairs in groups: each has one classifier with the same parameters."""
    groups: dict[tuple[str, str], list[Pair]] = {}
    for pair in pairs:
        parameters = repr(sorted(pair.classifier_parameters.items()))
        groups.setdefault((pair.classifier, parameters), []).append(pair)
    return list(groups.values())


def _quantifier(pair: Pair, own: Mapping[str, Any]) -> Any:
    if pair.label in own:
        return own[pair.label]
    return named_class(pair.quantifier)(**pair.parameters) if is_user_class(pair.quantifier) else pair.quantifier


Block = tuple[dict[str, Any], IntArray]
"""The columns of a block of samples, and their rows of the pool, (n, m)."""


def _of_blocks(drawn: Samples) -> Iterator[Block]:
    for block, rows in drawn.blocks():
        info = {"size": drawn.sizes[block], "repeat": drawn.repeats[block]}
        yield {**info, **_by_class("target", drawn.targets[block]), **_by_class("prevalence", drawn.prevalences[block])}, rows


def _samples(settings: ExperimentSettings, labels: IntArray, draw: int, n_classes: int) -> Iterator[Block]:
    """The samples of a fold or pool, block by block; with folds, each sample has its own size."""
    sampling = settings.sampling
    rng = np.random.default_rng([settings.seed, draw])
    if sampling.protocol == FOLDS:
        grid = np.linspace(0.0, 1.0, sampling.grid)
        for target, (prevalence, rows) in zip(grid, largest_samples(labels, grid, rng), strict=True):
            yield {"size": len(rows), "repeat": 0, "target": target, "prevalence": prevalence}, rows[np.newaxis]
        return
    fitting = 0
    for size in sampling.sizes:
        try:
            drawn = sampling.protocol_of(size, n_classes).draw(labels, rng)
        except InvalidInput as error:
            if size == sampling.sizes[-1] and not fitting:
                raise error
            continue
        fitting += 1
        yield from _of_blocks(drawn)
