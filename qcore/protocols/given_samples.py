"""Samples that are given, of any sizes, as a protocol: those of a folder in the format of the LeQua challenges."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
import pandas as pd

from qcore._base.validation import (
    FloatArray,
    IntArray,
    InvalidInput,
    check_choice,
    check_class_scores,
    check_scores,
    check_seed,
)
from qcore.classifiers import CLASSIFIERS
from qcore.datasets import Dataset
from qcore.datasets.sample_folder import SampleFolder
from qcore.protocols.samples import Samples, samples_per_block
from qcore.scoring.plan import labels_of
from qcore.scoring.rate_estimation import RATE_ESTIMATIONS
from qcore.scoring.sample_scores import aligned
from qcore.scoring.scores import NO_POSTERIORS, Scores, ScoringSettings
from qcore.scoring.training_part import RowLevels, TrainingPart, row_keys, take_few_values

UNKNOWN = -1
"""The label of an instance whose class is not known."""


@dataclass(frozen=True)
class GivenSamples(Samples):
    """Samples that lie one after the other in a pool, each of its own size; classes of single instances are not known.

    Attributes
    ----------
    sizes : (n_samples,) number of instances in each sample; `sample_size` is the largest.
    targets : their true prevalences, (n_samples,) of the positives, or (n_samples, n_classes); `counts` are these times the
        sizes, rounded.

    Examples
    --------
    >>> samples = GivenSamples.of(np.array([[0.8, 0.2], [0.5, 0.5]]), np.array([50, 20]))
    >>> samples.sizes.tolist(), samples.targets.tolist()
    ([50, 20], [0.2, 0.5])
    """

    given_sizes: IntArray

    @classmethod
    def of(cls, prevalences: FloatArray, sizes: IntArray) -> "GivenSamples":
        """The samples of these true prevalences, (n_samples, n_classes), and sizes, (n_samples,)."""
        n, is_binary = len(sizes), prevalences.shape[1] == 2
        return cls(
            pool_labels=np.full(int(sizes.sum()), UNKNOWN),
            targets=prevalences[:, 1] if is_binary else prevalences,
            repeats=np.arange(n),
            counts=np.rint(prevalences * sizes[:, np.newaxis]).astype(np.intp),
            sample_size=int(sizes.max()),
            seed=0,
            given_sizes=sizes,
        )

    @property
    def sizes(self) -> IntArray:
        """Number of instances in each sample, (n_samples,)."""
        return self.given_sizes

    @property
    def prevalences(self) -> FloatArray:
        """True prevalence of each sample, as it is given: (n_samples,) of the positives, or (n_samples, n_classes)."""
        return self.targets

    def blocks(self) -> Iterator[tuple[slice, IntArray]]:
        """(which samples, their indices into the pool, (n_block, size)): samples that follow each other, of one size."""
        starts = np.concatenate([[0], np.cumsum(self.sizes)])
        ends = [*np.flatnonzero(np.diff(self.sizes)) + 1, len(self)]
        first = 0
        for end in ends:
            size = int(self.sizes[first])
            step = samples_per_block(size)
            for start in range(first, end, step):
                block = slice(start, min(start + step, end))
                yield block, starts[block][:, np.newaxis] + np.arange(size)
            first = end


@dataclass(frozen=True)
class SamplesFromFolder:
    r"""A protocol whose samples lie in a folder: a training table, a file for each sample, the true prevalences.

    Parameters
    ----------
    path : the folder; docs/experiments.md shows its format, that of LeQua.
    part : "dev", "test" or "" (samples, prevalences); None for the first of test, dev and "" that is there.
    are_scores : whether tables hold your own classifier's scores in [0, 1], not features: of two classes one column, of the
        second class; else a column for each class, by its name. Training scores should be held out.

    Raises InvalidInput for a folder without these files; `score` and `draw`, too, for files that do not go together.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> _ = (folder / "training_data.txt").write_text("label,score\n" + "0,.1\n0,.2\n0,.6\n1,.9\n1,.8\n1,.4\n")
    >>> (folder / "dev_samples").mkdir()
    >>> _ = (folder / "dev_samples" / "0.txt").write_text("score\n.7\n.2\n.1\n.3\n")
    >>> _ = (folder / "dev_prevalences.txt").write_text("id,0,1\n0,.75,.25\n")
    >>> protocol = SamplesFromFolder(folder, are_scores=True)
    >>> from qcore import evaluation_report
    >>> evaluation_report(protocol.score(), ["CC"], protocol)[["size", "true", "estimate"]].values.tolist()
    [[4.0, 0.25, 0.25]]

    Source: Esuli et al. 2022, whose files QuaPy reads with SamplesFromDir.
    """

    path: str | Path
    part: str | None = None
    are_scores: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "part", self.folder.part)

    @cached_property
    def folder(self) -> SampleFolder:
        """The folder's files."""
        return SampleFolder(Path(self.path), self.part)

    def draw(self, pool_labels: IntArray, rng: np.random.Generator | None = None) -> GivenSamples:  # noqa: ARG002
        """The samples, in the order of their table; nothing is drawn. Raises InvalidInput for another pool."""
        samples = GivenSamples.of(self.folder.prevalences, self.folder.sizes)
        if len(pool_labels) != len(samples.pool_labels):
            rule, hint = f"be of the {len(samples.pool_labels):,} instances of the samples", "Pass protocol.score(...)."
            raise InvalidInput("scores", rule, f"{len(pool_labels):,}", hint)
        return samples

    def score(
        self,
        classifier: str = "logistic regression",
        *,
        seed: int = 0,
        on_progress: Callable[[float], None] | None = None,
    ) -> Scores:
        """Train on the training table, score it out of fold, and score the instances of all samples, which become the pool.

        Of two classes the second is the positive one; of more, all are scored. Pool labels are -1: they are not known.
        `on_progress` is called after each training with the share of the trainings that is done. Raises InvalidInput.
        """
        check_choice("classifier", classifier, CLASSIFIERS)
        data = self.folder.training
        positive = data.classes[1] if len(data.classes) == 2 else None
        labels, settings = labels_of(data, positive), ScoringSettings(positive, classifier, check_seed(seed))
        if self.are_scores:
            training, pool = scores_in_tables(self.folder, data)
            notes: tuple[str, ...] = ("The scores are as given: no classifier is trained.",)
            posteriors = True
        else:
            folds = RATE_ESTIMATIONS["out of fold"].held_out(labels, seed)
            rows = np.arange(len(labels))
            part = TrainingPart.of(data, labels, rows, folds, classifier, state=seed, multiclass=positive is None)
            training = part.out_of_fold(on_progress)
            training, pool = scored_samples(self.folder, data, part, training)
            posteriors = CLASSIFIERS[classifier].gives_posteriors
            notes = () if posteriors else (NO_POSTERIORS,)
        classes = () if positive else data.classes
        unknown = np.full(len(pool), UNKNOWN)
        return Scores(training, labels, pool, unknown, notes, classes=classes, settings=settings, posteriors=posteriors)


def scores_in_tables(folder: SampleFolder, data: Dataset) -> tuple[FloatArray, FloatArray]:
    """(training scores, scores of the instances of all samples) as tables hold them: of the second of two classes, or of all.

    Raises InvalidInput for tables without these scores.
    """
    columns = [str(data.features.columns[0])] if len(data.classes) == 2 else list(data.classes)
    return _given(data.features, columns), np.concatenate([_given(table, columns) for table in folder.tables()])


def scored_samples(
    folder: SampleFolder, data: Dataset, part: TrainingPart, out_of_fold: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """(training scores, scores of the instances of all samples) by the model of a whole training part.

    Where features take few values, equal rows get one score, as in `ScoringPlan.assemble`.
    """
    keys, model = row_keys(data.features), part.model(len(part.folds))
    known = keys[part.rows]
    levels = RowLevels.of(known, out_of_fold) if take_few_values(known) else None
    parts = []
    for table in folder.tables():
        features = aligned(table, data)
        scores = part.scores(model, features)
        parts.append(scores if levels is None else levels.of_rows(row_keys(features), scores))
    return out_of_fold if levels is None else levels.of_rows(known, out_of_fold), np.concatenate(parts)


def _given(table: pd.DataFrame, columns: list[str]) -> FloatArray:
    """The scores in a table, (n,) or (n, n_classes). Raises InvalidInput."""
    named = table.rename(columns=str)
    if missing := [name for name in columns if name not in named]:
        rule, hint = f"have the scores {', '.join(columns)}", "Name its columns as in the training table."
        raise InvalidInput("each table of scores", rule, f"none called {missing[0]}", hint)
    values = named[columns].to_numpy(dtype=np.float64)
    return check_scores("scores", values[:, 0]) if len(columns) == 1 else check_class_scores("scores", values)
