"""Sentences of the page "Classifier" for one calibration and for several."""

import pandas as pd
import pytest

from pages.classifier.findings import calibration_sentences


@pytest.mark.parametrize(
    ("brier", "sentence"),
    [
        (
            {"none": 0.1, "sigmoid": 0.11},
            "Learnt from 50 training instances, sigmoid calibration does not lower the Brier score: 0.1000 without, 0.1100 "
            "with sigmoid.",
        ),
        (
            {"none": 0.1, "sigmoid": 0.12, "isotonic": 0.11},
            "Learnt from 50 training instances, none of these calibrations lowers the Brier score: 0.1000 without, 0.1100 with "
            "isotonic, the best of them.",
        ),
        (
            {"none": 0.1, "isotonic": 0.098},
            "Learnt from 50 training instances, isotonic calibration hardly lowers the Brier score: 0.1000 to 0.0980.",
        ),
        (
            {"none": 0.1, "sigmoid": 0.099, "isotonic": 0.098},
            "Learnt from 50 training instances, none of these calibrations lowers the Brier score by much: 0.1000 to 0.0980 at "
            "best.",
        ),
        ({"none": 0.1, "isotonic": 0.05}, "**Isotonic** calibration brings it down to 0.050."),
        ({"none": 0.1, "sigmoid": 0.07, "isotonic": 0.05}, "**Isotonic** calibration brings it down most, to 0.050."),
    ],
)
def test_what_calibration_does_to_the_brier_score(brier, sentence):
    table = pd.DataFrame({"calibration_method": list(brier), "brier": list(brier.values()), "calibration": 0.01})
    errors = {key: pd.DataFrame({"method": ["AC"], "AE": [0.1]}) for key in brier}
    table = table.assign(refinement=0.09)
    said, by_chance = (calibration_sentences(table, errors, 50, by_chance=one) for one in (False, True))
    assert said[1] == by_chance[1] == sentence
    assert said[0].endswith("10% of it is due to scores that are not probabilities.")
    assert by_chance[0].endswith("may show as much calibration by chance.")
