"""Losses: numbers from the papers, properties, both smoothings, and errors that help."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qcore._base.validation import InvalidInput
from qcore.evaluation.estimates import prevalence_losses
from qcore.losses import LOSSES, ORDERED_LOSSES, PROPERTIES, smooth

EVERY = prevalence_losses()
shares = st.floats(0.0, 1.0)
sizes = st.integers(1, 1000)


def distributions(n_classes: int):
    weights = st.lists(st.floats(0.0, 1.0), min_size=n_classes, max_size=n_classes)
    return weights.filter(lambda w: sum(w) > 1e-3).map(lambda w: np.array(w) / sum(w))


def test_quapys_documented_value():
    value = LOSSES["RAE"]([[0.5, 0.3, 0.2]], [[0.1, 0.3, 0.6]], sample_size=100)
    assert value == pytest.approx([0.914], abs=5e-4)


@pytest.mark.parametrize(
    ("true", "estimated", "ae", "rae", "kld"),
    [
        # QuaPy's evaluation page, samples of 500; its estimates are printed to 3 digits, which bounds the agreement.
        (0.1, 0.091, 0.009, 0.048, 4.426e-04),
        (0.2, 0.163, 0.037, 0.114, 4.633e-03),
        (0.8, 0.725, 0.075, 0.235, 1.515e-02),
        (0.9, 0.858, 0.042, 0.229, 7.740e-03),
    ],
)
def test_quapys_documented_report(true, estimated, ae, rae, kld):
    assert LOSSES["AE"].binary(true, estimated) == pytest.approx(ae, abs=6e-4)
    assert LOSSES["RAE"].binary(true, estimated, sample_size=500) == pytest.approx(rae, abs=4e-3)
    assert LOSSES["KLD"].binary(true, estimated, sample_size=500) == pytest.approx(kld, abs=4e-4)


def test_values_by_hand():
    assert LOSSES["bias"].binary(0.3, 0.5) == pytest.approx(0.2)
    assert LOSSES["SE"].binary(0.3, 0.5) == pytest.approx(0.04)
    assert LOSSES["NAE"].binary(0.3, 0.5) == pytest.approx(0.2 / 0.7)
    assert EVERY["NSS"].binary(0.3, 0.5) == pytest.approx(1 - (0.2 / 0.7) ** 2)
    half = LOSSES["KLD"].binary(0.5, 0.25, sample_size=10, smoothing="half_count")
    assert half == pytest.approx(0.5 * np.log(2) + 0.5 * np.log(0.5 / 0.75))
    worst = LOSSES["RAE"]([0.2, 0.8], [1.0, 0.0], sample_size=10**9)
    assert worst == pytest.approx((4 + 1) / 2, rel=1e-6)
    assert LOSSES["NRAE"]([0.2, 0.8], [1.0, 0.0], sample_size=10**9) == pytest.approx(1.0, rel=1e-6)


def test_formans_rule_moves_a_border_estimate_by_half_a_count():
    _, corrected = smooth(np.array([[0.0, 1.0]]), np.array([[0.0, 1.0]]), 100, "half_count")
    assert corrected == pytest.approx(np.array([[0.005, 0.995]]))
    assert LOSSES["KLD"].binary(1.0, 0.0, sample_size=100, smoothing="half_count") == pytest.approx(np.log(1 / 0.005))


def test_additive_smoothing_is_the_papers():
    true, _ = smooth(np.array([0.0, 0.4, 0.6]), np.array([0.0, 0.4, 0.6]), 100, "additive")
    assert true == pytest.approx((np.array([0.0, 0.4, 0.6]) + 0.005) / 1.015)


@pytest.mark.parametrize("key", EVERY)
@pytest.mark.parametrize("smoothing", ["additive", "half_count"])
@settings(max_examples=30)
@given(data=st.data(), n_classes=st.integers(2, 5), size=sizes)
def test_perfect_estimates_and_ranges(key, smoothing, data, n_classes, size):
    loss = EVERY[key]
    n_classes = 2 if loss.signed else n_classes
    true = data.draw(distributions(n_classes))
    estimated = data.draw(distributions(n_classes))
    value = float(loss(true, estimated, sample_size=size, smoothing=smoothing))
    assert np.isfinite(value)
    if smoothing == "additive":  # half-count smoothing moves an estimate of 0 or 1, even a right one
        assert loss(true, true, sample_size=size) == pytest.approx(loss.best, abs=1e-9)
    if not loss.signed:
        assert value >= -1e-12
    if "MAX" in loss.properties and (smoothing == "additive" or n_classes == 2):
        assert value <= 1.0 + 1e-9


@given(p=shares, p_hat=shares, size=sizes)
def test_binary_equals_two_classes(p, p_hat, size):
    for loss in EVERY.values():
        both = loss([1 - p, p], [1 - p_hat, p_hat], sample_size=size)
        assert loss.binary(p, p_hat, sample_size=size) == pytest.approx(both)


@given(p=shares, p_hat=shares)
def test_ae_is_the_same_for_either_class_and_nas_is_one_minus_nae(p, p_hat):
    assert LOSSES["AE"].binary(p, p_hat) == pytest.approx(LOSSES["AE"].binary(1 - p, 1 - p_hat))
    assert EVERY["NAS"].binary(p, p_hat) == pytest.approx(1 - LOSSES["NAE"].binary(p, p_hat))
    assert EVERY["NAS"].binary(p, p_hat) == pytest.approx(1 - abs(p_hat - p) / max(p, 1 - p))


@given(p=shares, p_hat=shares, size=sizes)
def test_kld_is_zero_only_when_equal_and_nkld_below_one(p, p_hat, size):
    kld = float(LOSSES["KLD"].binary(p, p_hat, sample_size=size))
    assert kld >= 0
    if abs(p - p_hat) > 1e-3:
        assert kld > 0
    nkld = float(LOSSES["NKLD"].binary(p, p_hat, sample_size=size))
    assert nkld < 1
    assert nkld == pytest.approx(2 * np.exp(kld) / (1 + np.exp(kld)) - 1, abs=1e-12)


class TestProperties:
    """MAX, IMP, REL and ABS, as each loss claims them, on prevalences where smoothing does nothing."""

    def unsmoothed(self, loss, p, p_hat):
        return float(loss.function(np.array([1 - p, p]), np.array([1 - p_hat, p_hat])))

    @pytest.mark.parametrize("key", EVERY)
    @settings(max_examples=30)
    @given(p=st.floats(0.05, 0.95), error=st.floats(0.01, 0.04))
    def test_impartial(self, key, p, error):
        loss = EVERY[key]
        over, under = self.unsmoothed(loss, p, p + error), self.unsmoothed(loss, p, p - error)
        if "IMP" in loss.properties:
            assert over == pytest.approx(under)

    @pytest.mark.parametrize("key", EVERY)
    def test_a_property_not_claimed_fails_somewhere(self, key):
        loss = EVERY[key]
        if loss.signed:
            assert not loss.properties
            return
        far = self.unsmoothed(loss, 0.2, 0.3), self.unsmoothed(loss, 0.2, 0.1)
        assert ("IMP" in loss.properties) == (far[0] == pytest.approx(far[1]))
        along = [self.unsmoothed(loss, p, p + 0.1) for p in (0.1, 0.2, 0.3, 0.4)]
        assert ("ABS" in loss.properties) == (np.ptp(along) == pytest.approx(0, abs=1e-12))
        if "REL" in loss.properties:
            assert np.all(np.diff(along) < 0)
        worst = [max(self.unsmoothed(loss, p, q) for q in (1e-9, 1 - 1e-9)) for p in (0.1, 0.3, 0.5)]
        best_or_worst = [min(self.unsmoothed(loss, p, q) for q in (1e-9, 1 - 1e-9)) for p in (0.1, 0.3, 0.5)]
        extremes = best_or_worst if loss.best else worst
        same = np.ptp(extremes) == pytest.approx(0, abs=1e-6)
        if key != "NKLD":  # its supremum of 1 is reached only as the estimate goes to 0
            assert ("MAX" in loss.properties) == same

    def test_properties_are_known_ones(self):
        assert all(loss.properties <= set(PROPERTIES) for loss in EVERY.values())


class TestErrors:
    def test_missing_sample_size(self):
        with pytest.raises(InvalidInput, match="sample_size must be given for KLD"):
            LOSSES["KLD"].binary(0.5, 0.4)

    def test_a_plain_binary_batch_is_not_taken_for_classes(self):
        with pytest.raises(InvalidInput, match=r"\.binary"):
            LOSSES["AE"](np.array([0.5, 0.3, 0.9]), np.array([0.5, 0.3, 0.9]))

    def test_other_bad_input(self):
        with pytest.raises(InvalidInput, match="lie in"):
            LOSSES["AE"].binary(37, 0.4)
        with pytest.raises(InvalidInput, match="'lots'"):
            LOSSES["KLD"].binary(0.5, 0.4, sample_size=10, smoothing="lots")
        with pytest.raises(InvalidInput, match="3 classes"):
            LOSSES["AE"]([0.2, 0.3, 0.5], [0.5, 0.5])
        with pytest.raises(InvalidInput, match="2 classes for the bias"):
            LOSSES["bias"]([0.2, 0.3, 0.5], [0.2, 0.3, 0.5])


@given(true=distributions(4), estimated=distributions(4), size=sizes)
def test_losses_do_not_depend_on_the_order_of_classes(true, estimated, size):
    order = [2, 0, 3, 1]
    for key, loss in EVERY.items():
        if not loss.signed and key not in ORDERED_LOSSES:
            there = loss(true[order], estimated[order], sample_size=size)
            assert there == pytest.approx(loss(true, estimated, sample_size=size))


@given(p=st.sampled_from([0.0, 1.0]), p_hat=shares, size=sizes)
def test_half_count_nrae_is_the_error_where_a_class_is_missing(p, p_hat, size):
    value = float(LOSSES["NRAE"].binary(p, p_hat, sample_size=size, smoothing="half_count"))
    corrected = abs(p_hat - 0.5 / size) if min(p_hat, 1 - p_hat) <= 1e-12 else p_hat
    assert value == pytest.approx(abs(corrected - p))


def test_half_count_with_three_classes_is_the_rule_to_the_letter():
    value = LOSSES["KLD"]([2 / 3, 1 / 3, 0], [0, 2 / 3, 1 / 3], sample_size=3, smoothing="half_count")
    assert value == pytest.approx(2 / 3 * np.log((2 / 3) / (1 / 6)) + 1 / 3 * np.log((1 / 3) / (2 / 3)))


@pytest.mark.parametrize("values", [["a", "b"], [[0.5], [0.2, 0.3]]])
def test_what_is_no_number_is_refused_in_one_sentence(values):
    with pytest.raises(InvalidInput, match="must be numbers"):
        LOSSES["AE"](values, [0.5, 0.5])
    with pytest.raises(InvalidInput, match="must be numbers"):
        LOSSES["AE"].binary(values, 0.5)
