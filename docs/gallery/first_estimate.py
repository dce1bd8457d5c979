"""
A first estimate
================

What share of a sample belongs to a class, when nobody has labelled the sample? Counting what a
classifier predicts is biased as soon as that share has moved since training. `QuantifierCV`
corrects the count, and says how sure it is.
"""
# sphinx_gallery_thumbnail_path = '_static/thumbnails/first_estimate.svg'

import numpy as np
from sklearn.datasets import load_breast_cancer
from sklearn.naive_bayes import GaussianNB

from qcore import QuantifierCV
from qcore.displays import PrevalenceErrorDisplay, PrevalenceIntervalDisplay

# %%
# Labelled instances to learn from, of which 36% are malignant, and a sample in which 75% are.

X, y = load_breast_cancer(return_X_y=True, as_frame=True)
names = y.map({0: "malignant", 1: "benign"})
X_train, y_train, X_rest, y_rest = X[::2], names[::2], X[1::2], names[1::2]

rng = np.random.default_rng(0)
malignant, benign = (np.flatnonzero(y_rest == name) for name in ("malignant", "benign"))
chosen = np.concatenate([rng.choice(malignant, 75, replace=False), rng.choice(benign, 25, replace=False)])
X_sample, y_sample = X_rest.iloc[chosen], y_rest.iloc[chosen]

# %%
# A quantifier is an estimator around a classifier. A model that has not seen a labelled instance
# scores it; these scores show how often the classifier is wrong. CC only counts; AC corrects the
# count with tpr and fpr.

counted = QuantifierCV(GaussianNB(), "CC").fit(X_train, y_train)
corrected = QuantifierCV(GaussianNB(), "AC").fit(X_train, y_train)

for name, quantifier in {"counted": counted, "corrected": corrected}.items():
    print(name, dict(zip(quantifier.classes_, quantifier.predict(X_sample).round(2).tolist(), strict=True)))

# %%
# An interval covers both kinds of chance: in the sample, and in the labelled instances.

print(corrected.predict_interval(X_sample).round(2))

display = PrevalenceIntervalDisplay.from_estimator(counted, X_sample, y_sample, name="counted")
PrevalenceIntervalDisplay.from_estimator(corrected, X_sample, name="corrected", figure=display.figure_)

# %%
# One sample is one draw. Many samples of each share show where each of the two errs.

display = PrevalenceErrorDisplay.from_estimator(counted, X_rest, y_rest, name="counted")
PrevalenceErrorDisplay.from_estimator(corrected, X_rest, y_rest, name="corrected", figure=display.figure_)
