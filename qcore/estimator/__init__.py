"""scikit-learn estimators for the whole way from features to prevalences: fit(X, y), predict(X)."""

from qcore.estimator.quantification_scorer import QuantificationScorer, make_quantification_scorer
from qcore.estimator.quantifier_cv import QuantifierCV

__all__ = ["QuantificationScorer", "QuantifierCV", "make_quantification_scorer"]
