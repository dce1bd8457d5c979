"""
QuaPy beside ours
=================

QuaPy's quantifiers in our report, on the same scores and samples; then ours in QuaPy's protocol.
This example needs QuaPy 0.2 (``pip install quapy``). The site is built without QuaPy, so its output
is not shown here; ``make peers`` runs it.
"""
# sphinx_gallery_thumbnail_path = '_static/thumbnails/quapy_beside_ours.svg'

from quapy.data import LabelledCollection
from quapy.evaluation import evaluate
from quapy.method.aggregative import ACC, EMQ
from quapy.protocol import APP
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from qcore import ArtificialPrevalence, QuantifierCV, evaluation_report, load_dataset, score_dataset
from qcore.estimator.other_libraries import GivenProbabilities, OnScores

# %%
# Theirs in our report. A quantifier of QuaPy asks for a classifier; `GivenProbabilities` hands it the
# scores that we have already.

scores = score_dataset(load_dataset("wdbc"))
methods = {
    "AC": "AC",
    "QuaPy's ACC": OnScores(ACC(GivenProbabilities())),
    "EMQ": "EMQ",
    "QuaPy's EMQ": OnScores(EMQ(GivenProbabilities())),
}
report = evaluation_report(scores, methods, ArtificialPrevalence(grid=11, sample_size=100, repeats=5))
print(report.groupby("method", sort=False)[["AE", "KLD"]].mean().round(4))

# %%
# Ours in their protocol: a `QuantifierCV` has the `fit`, `predict` and `classes_` that it asks for.

X, y = load_breast_cancer(return_X_y=True)
quantifier = QuantifierCV(make_pipeline(StandardScaler(), LogisticRegression()), "AC").fit(X[::2], y[::2])
protocol = APP(LabelledCollection(X[1::2], y[1::2]), sample_size=50, n_prevalences=11, repeats=5, random_state=0)
print("mean absolute error:", round(float(evaluate(quantifier, protocol, error_metric="mae")), 4))
