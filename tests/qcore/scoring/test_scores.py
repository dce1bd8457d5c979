"""Scores of one's own: which labels they take."""

import numpy as np
import pandas as pd
import pytest

from qcore import ArtificialPrevalence, InvalidInput, Scores, evaluation_report

P = np.array([0.9, 0.8, 0.3, 0.1])
Y = np.array([1, 1, 0, 0])


@pytest.mark.parametrize(
    "labels", [Y, Y.tolist(), Y.astype(bool), Y.astype(object), pd.Series(Y, dtype="Int64"), Y.astype(float)]
)
def test_labels_are_numbers_in_any_container(labels):
    report = evaluation_report(Scores(P, labels, P, labels), ["CC"], ArtificialPrevalence(3, 2, 1), losses=["AE"])
    assert report.AE.tolist() == [0.0, 0.0, 0.0]


@pytest.mark.parametrize("field", ["training_labels", "pool_labels"])
@pytest.mark.parametrize("kind", [str, object])
def test_names_are_refused_with_the_way_out(field, kind):
    labels = {"training_labels": Y, "pool_labels": Y} | {field: np.where(Y == 1, "yes", "no").astype(kind)}
    with pytest.raises(InvalidInput, match=f"{field} must be numbers of classes, got .*'yes'.* Pass 1 for the positive class"):
        Scores(P, labels["training_labels"], P, labels["pool_labels"])
