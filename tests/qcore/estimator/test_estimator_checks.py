"""scikit-learn's own checks of an estimator, all but those that ask for an answer for each instance."""

import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.utils.estimator_checks import parametrize_with_checks

from qcore import QUANTIFIERS, QuantifierCV

ONE_FOR_ALL = "predict answers once for the whole sample, not once for each instance"
BY_NATURE = {
    "check_classifiers_one_label_sample_weights": ONE_FOR_ALL,
    "check_classifiers_train": ONE_FOR_ALL,
    "check_estimator_sparse_array": ONE_FOR_ALL,
    "check_estimator_sparse_matrix": ONE_FOR_ALL,
    "check_methods_sample_order_invariance": ONE_FOR_ALL,
    "check_methods_subset_invariance": ONE_FOR_ALL,
}
ESTIMATORS = [
    QuantifierCV(),
    QuantifierCV(LogisticRegression(), "EMQ", cv=3),
    QuantifierCV(LogisticRegression(), QUANTIFIERS["SORD"].make()),
]


@parametrize_with_checks(ESTIMATORS, expected_failed_checks=lambda _: BY_NATURE)
@pytest.mark.filterwarnings("ignore")
def test_scikit_learn(estimator, check):
    check(estimator)
