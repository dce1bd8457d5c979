"""
Choose a model for counting
===========================

The classifier with the best accuracy need not be the best to count with.
`make_quantification_scorer` scores an estimator by its loss on samples whose prevalence moves, so
that scikit-learn's searches choose a classifier, its parameters and the quantifier together.
"""
# sphinx_gallery_thumbnail_path = '_static/thumbnails/choose_a_model_for_counting.svg'

import pandas as pd
from sklearn.datasets import load_digits
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, cross_validate
from sklearn.tree import DecisionTreeClassifier

from qcore import ArtificialPrevalence, QuantifierCV, make_quantification_scorer

# %%
# Which handwritten digits are nines? In training one in ten is.

X, y = load_digits(return_X_y=True)
is_nine = y == 9
counting = make_quantification_scorer("AE", ArtificialPrevalence(grid=11, sample_size=50, repeats=20))

# %%
# A grid over the classifier's parameter and the quantifier.

grid = {"classifier__max_depth": [2, 5, 10], "quantifier": ["CC", "AC", "PACC", "MS"]}
tree = QuantifierCV(DecisionTreeClassifier(random_state=0), cv=5)
search = GridSearchCV(tree, grid, scoring=counting, cv=3).fit(X, is_nine)

results = pd.DataFrame(search.cv_results_)
table = results.assign(AE=-results["mean_test_score"]).pivot_table(
    "AE", "param_classifier__max_depth", "param_quantifier", sort=False
)
print(table.round(3))
print(search.best_params_)

# %%
# Several losses at once, for several quantifiers around one classifier.

scorers = {loss: make_quantification_scorer(loss) for loss in ("AE", "KLD")}
for name in ("CC", "AC", "EMQ"):
    quantifier = QuantifierCV(LogisticRegression(max_iter=2000), name, cv=5)
    scores = cross_validate(quantifier, X / 16, is_nine, scoring=scorers, cv=3)
    print(name, {loss: float(-scores[f"test_{loss}"].mean().round(4)) for loss in scorers})
