"""How good a classifier is on a sample without labels, beside how good it is on the labelled instances."""

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from qcore._base.validation import FloatArray, IntArray, InvalidInput, check_one_sample, check_training_data
from qcore.measures.estimated import CLASSIFIER_MEASURES, estimated_measures
from qcore.quantifiers import make_quantifiers
from qcore.quantifiers.expectation_maximisation import adjusted_posteriors
from qcore.scoring.sigmoid import Sigmoid


def classifier_on_sample(
    sample: ArrayLike, scores: ArrayLike, labels: ArrayLike, *, truth: ArrayLike | None = None, posteriors: bool = True
) -> pd.DataFrame:
    """Accuracy, F1 and AUC that are expected of a classifier on a sample, predictions at the threshold 0.5.

    Parameters
    ----------
    sample : (m,), the classifier's scores, taken for probabilities at the labelled instances' prevalence.
    scores, labels : (n,) each, of the labelled instances, out of fold; labels 0 and 1.
    truth : (m,), the sample's labels 0 and 1, if they are known.
    posteriors : whether the scores are posteriors; else Platt's sigmoid makes posteriors of them, by the labelled instances.

    Returns
    -------
    DataFrame
        A row for each measure: measure, labelled (on the labelled instances), as_they_are (expected of the sample's scores),
        adjusted (of the posteriors that EMQ ends with, so that their mean is its estimate) and, with labels, truth. NaN for
        the AUC of a single class.

    Raises
    ------
    InvalidInput
        A score outside [0, 1], or labels that are not 0 and 1.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> y = np.repeat([0, 1], [400, 100])
    >>> scores = 1.0 / (1.0 + 4.0 * np.exp(-1.5 * rng.normal(1.5 * y - 0.75)))
    >>> z = np.repeat([0, 1], [200, 300])
    >>> sample = 1.0 / (1.0 + 4.0 * np.exp(-1.5 * rng.normal(1.5 * z - 0.75)))
    >>> table = classifier_on_sample(sample, scores, y, truth=z).set_index("measure")
    >>> table.loc["accuracy"].round(1).tolist()
    [0.9, 0.8, 0.6, 0.6]

    Source: Saerens et al. 2002; Moreo 2025.
    """
    drawn, (training, known) = check_one_sample("sample", sample), check_training_data(scores, labels)
    share = float(make_quantifiers(["EMQ"], training, known, posteriors=posteriors)["EMQ"].predict(drawn))
    read = drawn if posteriors else Sigmoid.fit(training, known)(drawn)
    adjusted = adjusted_posteriors(read, float(known.mean()), share)
    columns = {
        "labelled": _measures(known.astype(np.float64), training),
        "as_they_are": _measures(read, drawn),
        "adjusted": _measures(adjusted, drawn),
    }
    if truth is not None:
        columns["truth"] = _measures(_own(truth, drawn).astype(np.float64), drawn)
    return pd.DataFrame({"measure": list(CLASSIFIER_MEASURES), **columns})


def _own(truth: ArrayLike, drawn: FloatArray) -> IntArray:
    labels = np.asarray(truth)
    if labels.shape != drawn.shape or not np.isin(labels, (0, 1)).all():
        got = f"shape {labels.shape} with {np.unique(labels)[:5].tolist()}"
        raise InvalidInput("truth", f"be {len(drawn):,} labels 0 and 1", got, "Give a label for each score, or none.")
    return labels.astype(np.intp)


def _measures(posteriors: FloatArray, scores: FloatArray) -> list[float]:
    """Expected accuracy, F1 and AUC of the scores under these posteriors; with labels 0 and 1 as posteriors the true ones."""
    return [float(value) for value in estimated_measures(posteriors, scores)[1:]]


def records(table: pd.DataFrame | None) -> list[dict[str, float | str | None]] | None:
    """A table of `classifier_on_sample` as plain values for JSON, None in place of NaN."""
    if table is None:
        return None
    rows = table.astype(object).where(table.notna(), None)
    return [dict(zip(map(str, rows.columns), row, strict=True)) for row in rows.itertuples(index=False)]


def in_words(table: pd.DataFrame, column: str) -> str:
    """A column of the table as a clause: accuracy, F1 and, unless it is NaN, AUC."""
    accuracy, f1, auc = table[column]
    return f"{accuracy:.0%} right, F1 {f1:.2f}" + ("" if np.isnan(auc) else f", AUC {auc:.2f}")
