"""Which learner counts best, in words."""

import pandas as pd
import pytest

from qcore.findings.search_space import learners_sentences

ALIKE = "they err alike: a mean AE of about 0.10."
MOST = "**KNN + CC** most (0.050; at a prevalence of 0.90 0.10)."


@pytest.mark.parametrize(
    ("means", "said"),
    [
        ({"PWK": 0.1}, None),
        ({"PWK": 0.1, "KNN": 0.1}, ALIKE),
        ({"PWK": 0.1, "KNN": 0.1015}, ALIKE),
        ({"PWK": 0.03, "KNN": 0.05}, f"**PWK + CC** errs least (mean AE 0.030), {MOST}"),
        ({"PWK": 0.03, "KNN": 0.05, "NAS": 0.0301}, f"**PWK + CC** and **NAS + CC** err least (mean AE 0.030), {MOST}"),
    ],
)
def test_learners_in_words(means, said):
    rows = [{"method": key, "mean": mean, "worst_prevalence": 0.9, "worst_mean": 2 * mean} for key, mean in means.items()]
    found = learners_sentences(pd.DataFrame(rows), {key: f"{key} + CC" for key in means})
    assert found == ([] if said is None else [f"Over all prevalences {said}"])
