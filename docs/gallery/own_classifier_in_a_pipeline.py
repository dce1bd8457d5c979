"""
Your own classifier, in a pipeline
==================================

You can count with any classifier that has scikit-learn's methods: a pipeline that prepares a table,
a class of your own, or a model that is trained already. Labels stay as they are in your table.
"""
# sphinx_gallery_thumbnail_path = '_static/thumbnails/own_classifier_in_a_pipeline.svg'

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.compose import make_column_transformer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from qcore import QuantifierCV, UniformPrevalence, evaluation_report

# %%
# A table as it comes: numbers and words, and three classes.

rng = np.random.default_rng(0)


def orders(shares, n):
    """Orders of a shop; the share of each outcome is what we want to know."""
    outcome = rng.choice(["kept", "returned", "exchanged"], n, p=shares)
    mean = pd.Series(outcome).map({"kept": 30.0, "returned": 80.0, "exchanged": 55.0})
    by_phone = rng.random(n) < np.where(outcome == "exchanged", 0.7, 0.2)
    return pd.DataFrame({"price": rng.normal(mean, 15.0), "by": np.where(by_phone, "phone", "web"), "outcome": outcome})


labelled = orders([0.8, 0.12, 0.08], 3000)
this_week = orders([0.5, 0.35, 0.15], 500)

# %%
# The pipeline is the classifier. Each fold learns the preparation anew, so nothing leaks.

prepare = make_column_transformer((StandardScaler(), ["price"]), (OneHotEncoder(), ["by"]))
quantifier = QuantifierCV(make_pipeline(prepare, LogisticRegression()), "EMQ")
quantifier.fit(labelled[["price", "by"]], labelled["outcome"])

shares = pd.DataFrame(quantifier.predict_interval(this_week[["price", "by"]]), quantifier.classes_, ["low", "high"])
shares.insert(0, "estimate", quantifier.predict(this_week[["price", "by"]]))
shares["truth"] = this_week["outcome"].value_counts(normalize=True)
print(shares.round(2))

# %%
# A classifier of your own needs `fit` and `predict_proba` (or `decision_function`), and the
# attribute `classes_`.


class NearestMean(ClassifierMixin, BaseEstimator):
    """The nearer the mean price of a class, the more probable the class."""

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        self.means_ = np.array([X["price"][y == one].mean() for one in self.classes_])
        return self

    def predict_proba(self, X):
        nearness = np.exp(-np.abs(X["price"].to_numpy()[:, np.newaxis] - self.means_) / 10)
        return nearness / nearness.sum(axis=1, keepdims=True)

    def predict(self, X):
        return self.classes_[self.predict_proba(X).argmax(axis=1)]


own = QuantifierCV(NearestMean(), "AC").fit(labelled[["price", "by"]], labelled["outcome"])
print(dict(zip(own.classes_, own.predict(this_week[["price", "by"]]).round(2).tolist(), strict=True)))

# %%
# With `cv="prefit"`, a trained classifier is not trained again. Give `fit` labelled instances that the
# classifier has not seen.

classifier = NearestMean().fit(labelled[:1500], labelled["outcome"][:1500])
prefit = QuantifierCV(classifier, "AC", cv="prefit").fit(labelled[1500:], labelled["outcome"][1500:])
print(prefit.predict(this_week).round(2))

# %%
# Which method is best for this classifier? `to_scores` gives what a report needs: the held-out
# scores of training, and the scores of labelled instances that the classifier has not seen.

test = orders([0.6, 0.2, 0.2], 1500)
scores = quantifier.to_scores(test[["price", "by"]], test["outcome"])
report = evaluation_report(scores, ["CC", "AC", "PACC", "EMQ"], UniformPrevalence(200, 100), losses=["AE"])
print(report.groupby("method")["AE"].mean().sort_values().round(3))
