"""Losses over the estimate: properties as numbers agree with those that are proved, and preferences with the losses."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pages.losses.hero import preference_headlines, property_marks
from qcore import LOSSES, InvalidInput
from qcore.studies.loss_shapes import magnitudes, preferences, properties_at

UNSIGNED = [key for key, loss in LOSSES.items() if not loss.signed]


@pytest.mark.parametrize("loss", UNSIGNED)
@pytest.mark.parametrize("true", [0.1, 0.2, 0.35])
def test_what_is_proved_can_be_read_off_the_numbers(loss, true):
    # So many instances that smoothing moves nothing.
    (row,) = properties_at([loss], true, 0.05, 10**6).to_dict("records")
    marks = property_marks(row)
    for name in LOSSES[loss].properties:
        assert marks[name], (name, row)


def test_what_does_not_hold_is_seen_somewhere():
    for loss in UNSIGNED:
        rows = properties_at([loss], 0.1, 0.05, 10**6).to_dict("records")
        held = {name for name, mark in property_marks(rows[0]).items() if mark}
        # NAE and NRAE cost more at an even prevalence: neither ABS nor REL. NKLD has its largest value at the ends only.
        assert held <= LOSSES[loss].properties | ({"MAX"} if loss == "NKLD" else set()), loss


@given(st.floats(0.0, 1.0), st.floats(0.0, 1.0), st.floats(0.0, 1.0), st.integers(2, 500))
def test_preferences_are_those_of_the_losses(true, first, second, size):
    for row in preferences(list(LOSSES), true, (first, second), size).itertuples():
        loss = LOSSES[row.loss]
        values = [abs(float(loss.binary(true, one, sample_size=size))) for one in (first, second)]
        assert [row.first, row.second] == pytest.approx(values)
        if row.prefers == "first":
            assert values[0] < values[1]
        if row.prefers == "second":
            assert values[0] > values[1]


def test_preferences_at_several_prevalences_are_those_at_each():
    truths = [0.0, 0.2, 0.5]
    table = preferences(list(LOSSES), truths, (0.3, 0.11), 100)
    each = pd.concat([preferences(list(LOSSES), truth, (0.3, 0.11), 100) for truth in truths], ignore_index=True)
    pd.testing.assert_frame_equal(table, each)


def test_the_order_flips_from_loss_to_loss():
    table = preferences(["AE", "KLD"], 0.2, (0.3, 0.11), 100).set_index("loss").prefers
    assert table.to_dict() == {"AE": "second", "KLD": "first"}


def test_a_sign_is_no_magnitude():
    assert magnitudes("bias", 0.5, np.array([0.4, 0.6]), 10).tolist() == pytest.approx([0.1, 0.1])


@pytest.mark.parametrize(
    ("bad", "named"), [((0.7, 0.05), "true prevalence"), ((0.2, 0.3), "the error"), ((0.0, 0.0), "the error")]
)
def test_unusable_values_are_refused(bad, named):
    with pytest.raises(InvalidInput, match=named):
        properties_at(["AE"], *bad, 100)
    with pytest.raises(InvalidInput, match="loss"):
        magnitudes("beauty", 0.5, 0.4, 10)


@pytest.mark.parametrize(
    ("pair", "text"),
    [
        ((0.3, 0.11), "If the truth is 20%, KLD prefers A (30%); AE, SE prefer B (11%)."),
        ((0.3, 0.3), "If the truth is 20%, all these losses find A (30%) and B (30%) equally good."),
        ((0.3, 0.1), "If the truth is 20%, KLD prefers A (30%); AE, SE find both equally good."),
        ((0.25, 0.9), "If the truth is 20%, all these losses prefer A (25%)."),
    ],
)
def test_the_headline(pair, text):
    table = preferences(["AE", "SE", "KLD"], [0.2, 0.7], pair, 100)
    assert preference_headlines(table, pair)[0] == text
