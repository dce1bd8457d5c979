"""Losses of ordered classes: the numbers that are known, two classes, a mirrored order, and where they are blind."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qcore import LOSSES, ArtificialPrevalence, InvalidInput, UniformPrevalence, evaluation_report
from qcore.losses import ORDERED_LOSSES
from qcore.scoring import Scores
from qcore.studies.loss_shapes import moved_share

SHARES = st.lists(st.floats(0.001, 1.0), min_size=5, max_size=5).map(lambda parts: np.array(parts) / np.sum(parts))


@pytest.mark.parametrize(
    ("true", "estimated", "nmd", "rnod"),
    [
        ((0.5, 0.3, 0.2), (0.1, 0.3, 0.6), 0.4, 0.4),
        ((0.1, 0.2, 0.4, 0.2, 0.1), (0.2,) * 5, 0.1, 0.1483),
        ((1.0, 0.0, 0.0), (0.0, 0.0, 1.0), 1.0, 1.0),
    ],
)
def test_numbers_that_are_known(true, estimated, nmd, rnod):
    assert float(ORDERED_LOSSES["NMD"](true, estimated)) == pytest.approx(nmd)
    assert float(ORDERED_LOSSES["RNOD"](true, estimated)) == pytest.approx(rnod, abs=5e-5)


@pytest.mark.parametrize("loss", ORDERED_LOSSES.values(), ids=lambda loss: loss.key)
class TestEach:
    @given(p=st.floats(0.0, 1.0), p_hat=st.floats(0.0, 1.0))
    def test_of_two_classes_it_is_the_absolute_error(self, loss, p, p_hat):
        assert float(loss.binary(p, p_hat)) == pytest.approx(float(LOSSES["AE"].binary(p, p_hat)), abs=1e-9)

    @settings(max_examples=50)
    @given(true=SHARES, estimated=SHARES)
    def test_it_is_the_same_from_the_other_end_and_within_its_range(self, loss, true, estimated):
        value = float(loss(true, estimated))
        assert value == pytest.approx(float(loss(true[::-1], estimated[::-1])))
        assert -1e-12 <= value <= 1.0 + 1e-12
        assert float(loss(true, true)) == 0.0

    def test_it_takes_samples_at_once(self, loss):
        rng = np.random.default_rng(0)
        true, estimated = rng.dirichlet(np.ones(4), (2, 30))
        each = [float(loss(one, other)) for one, other in zip(true, estimated, strict=True)]
        assert loss(true, estimated) == pytest.approx(each)


def test_the_match_distance_sees_how_far_a_share_has_moved_and_ae_does_not():
    table = moved_share(2).losses.pivot_table(index="distance", columns="loss", values="value")
    assert np.ptp(table.AE) == pytest.approx(0.0, abs=1e-12)
    assert table.NMD.to_numpy() == pytest.approx(0.15 * np.arange(1, 5) / 4)
    assert (np.diff(table.RNOD) > 0.0).all()
    with pytest.raises(InvalidInput, match="distance"):
        moved_share(5)


def test_a_report_has_them():
    rng = np.random.default_rng(1)
    labels = np.repeat(np.arange(3), 60)
    class_scores = rng.dirichlet(np.ones(3), 180) * 0.5 + 0.5 * np.eye(3)[labels]
    scores = Scores(class_scores, labels, class_scores, labels, classes=("low", "mid", "high"))
    report = evaluation_report(scores, ["AC"], UniformPrevalence(20, 30), losses=["NMD", "RNOD"])
    true, estimated = (report[[f"{name}_{j}" for j in range(3)]].to_numpy() for name in ("true", "estimate"))
    assert report.NMD.to_numpy() == pytest.approx(ORDERED_LOSSES["NMD"](true, estimated))
    binary = Scores(class_scores[:, 0], labels == 0, class_scores[:, 0], labels == 0)
    report = evaluation_report(binary, ["AC"], ArtificialPrevalence(5, 20, 3), losses=["NMD", "AE"])
    assert report.NMD.to_numpy() == pytest.approx(report.AE.to_numpy())
