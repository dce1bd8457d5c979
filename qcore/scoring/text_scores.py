"""Scores of texts: TF-IDF of their words with logistic regression, from scikit-learn, out of fold for the labelled ones."""

from collections.abc import Callable

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import Pipeline, make_pipeline

from qcore._base.validation import FloatArray, IntArray, InvalidInput, check_seed
from qcore.datasets.preparation import as_labels, is_labelled
from qcore.scoring.rate_estimation import RATE_ESTIMATIONS
from qcore.scoring.sample_scores import SampleScores

TEXT_CLASSIFIER = "TF-IDF of words and pairs of words, with logistic regression"
"""What learns from texts, in words."""


def score_texts(
    labelled: pd.DataFrame,
    sample: pd.DataFrame,
    text: str,
    label: str,
    positive: str,
    *,
    seed: int = 0,
    on_progress: Callable[[float], None] | None = None,
) -> SampleScores:
    """Learn from the words of a column, score the labelled texts out of fold, and score those of a sample.

    With thousands of words the regression is held back, so that its scores lie too close together: they do not count as
    posteriors, and quantifiers that read some get calibrated ones.

    Parameters
    ----------
    labelled, sample : tables with the column `text`; the first one also with `label`. Rows without a label are left out; a
        missing text is an empty one.
    positive : the class whose share is wanted.
    seed : of folds and models.
    on_progress : called with the share of the models that are trained.

    Raises
    ------
    InvalidInput
        A missing column, an unknown class, a class with fewer than 2 texts, no word in any text, or an invalid seed.

    Source: Spärck Jones (1972), A statistical interpretation of term specificity and its application in retrieval.

    Examples
    --------
    >>> texts = pd.DataFrame({"said": ["it came late", "late again", "well done", "very well"] * 5, "kind": list("bbgg") * 5})
    >>> scored = score_texts(texts, pd.DataFrame({"said": ["late", "well", "late and late"]}), "said", "kind", "b")
    >>> (scored.sample > 0.5).tolist(), len(scored.training_scores)
    ([True, False, True], 20)
    """
    check_seed(seed)
    for name, table in (("labelled table", labelled), ("sample", sample)):
        for column in (text, label) if table is labelled else (text,):
            if column not in table.columns:
                known = ", ".join(map(str, table.columns[:10]))
                raise InvalidInput(f"the {name}", f"have the column {column!r}", known or "none", "Choose one of these.")
        if pd.api.types.is_numeric_dtype(table[text]):
            hint = "Choose the column with the sentences."
            raise InvalidInput(f"the column {text} of the {name}", "hold text", "numbers", hint)
    known_rows = is_labelled(labelled[label])
    classes = as_labels(labelled[label][known_rows])
    labels = (classes == positive).astype(np.intp)
    if min(labels.sum(), len(labels) - labels.sum()) < 2:
        got = f"{int(labels.sum()):,} of {positive!r} among {len(labels):,}"
        raise InvalidInput("each class", "have at least 2 labelled texts", got, "Label more, or choose another class.")
    words, asked = _words(labelled[text][known_rows]), _words(sample[text])
    folds = RATE_ESTIMATIONS["out of fold"].held_out(labels, seed)
    out_of_fold, of_folds = np.empty(len(labels)), np.empty((len(folds), len(asked)))
    for number, (training, held_out) in enumerate(folds):
        model = _trained(words[training], labels[training], seed)
        out_of_fold[held_out], of_folds[number] = _scores(model, words[held_out]), _scores(model, asked)
        if on_progress:
            on_progress((number + 1) / (len(folds) + 1))
    by = np.random.default_rng(seed).integers(len(folds), size=len(asked))
    whole = _scores(_trained(words, labels, seed), asked)
    return SampleScores(whole, out_of_fold, labels, as_training=of_folds[by, np.arange(len(asked))], posteriors=False)


def _words(column: pd.Series) -> np.ndarray:
    return column.astype(object).where(column.notna(), "").astype(str).to_numpy(dtype=object)


def _trained(texts: np.ndarray, labels: IntArray, seed: int) -> Pipeline:
    model = make_pipeline(
        TfidfVectorizer(sublinear_tf=True, ngram_range=(1, 2)), LogisticRegression(max_iter=1000, random_state=seed)
    )
    try:
        fitted: Pipeline = model.fit(texts, labels)
    except ValueError as error:
        raise InvalidInput("texts", "hold words", "none", "Choose the column with the sentences.") from error
    return fitted


def _scores(model: Pipeline, texts: ArrayLike) -> FloatArray:
    scores: FloatArray = model.predict_proba(texts)[:, 1]
    return scores
