"""Differences within panels, and of samples with labels of their own: coverage, p-values, edges."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qcore import InvalidInput, LabelledSample
from qcore.datasets.time_order import groups_in_time
from qcore.evaluation.significance import holm
from qcore.intervals import group_differences, labelled_difference, labelled_sample_differences, panel_differences
from qcore.intervals.labelled_sample import read_labelled_columns


def scored(rng, n, share):
    truth = rng.random(n) < share
    return np.clip(rng.normal(0.35 + 0.3 * truth, 0.15), 0, 1), truth.astype(int)


class TestPanels:
    @pytest.fixture
    def table(self):
        rng = np.random.default_rng(5)
        shares = {("north", "May"): 0.3, ("north", "June"): 0.3, ("south", "May"): 0.3, ("south", "June"): 0.6}
        parts = [
            pd.DataFrame({"score": scored(rng, 800, share)[0], "team": team, "month": month})
            for (team, month), share in shares.items()
        ]
        return pd.concat(parts, ignore_index=True), scored(rng, 400, 0.4)

    def test_each_panel_is_compared_within_itself_and_p_values_are_adjusted_together(self, table):
        rows, training = table
        months = groups_in_time(rows.month, "month")
        found = panel_differences(rows.score, months, rows.team, *training, against="May")
        alone = {
            team: group_differences(part.score, groups_in_time(part.month, "month"), *training, against="May")
            for team, part in rows.groupby("team")
        }
        for team, one in found.items():
            assert one.table.difference.tolist() == alone[team].table.difference.tolist()
        adjusted = holm([one.table.p_value[0] for one in alone.values()])
        assert [one.table.p_adjusted[0] for one in found.values()] == pytest.approx(adjusted)
        assert [bool(one.table.differs[0]) for one in found.values()] == [False, True]

    def test_a_panel_without_the_group_of_comparison_is_left_out(self, table):
        rows, training = table
        rows = rows[~((rows.team == "north") & (rows.month == "May"))]
        found = panel_differences(rows.score, rows.month, rows.team, *training, against="May")
        assert list(found) == ["south"]
        with pytest.raises(InvalidInput, match="hold April and another group"):
            panel_differences(rows.score, rows.month, rows.team, *training, against="April")


class TestLabelsInside:
    def test_intervals_are_those_of_two_samples_and_the_p_value_is_where_they_touch_0(self):
        v1, v2 = LabelledSample(310, 1000, 31, 24, 69, 6), LabelledSample(400, 1000, 40, 32, 60, 6)
        result = labelled_sample_differences({"v1": v1, "v2": v2})
        (row,) = result.table.to_dict("records")
        moved = labelled_difference(v1, v2)
        assert (row["difference"], row["low"], row["high"]) == pytest.approx(tuple(map(float, moved)))
        at = labelled_difference(v1, v2, 1.0 - row["p_value"])
        assert min(abs(float(at.low)), abs(float(at.high))) < 1e-5

    @given(st.integers(0, 100), st.integers(0, 100), st.integers(0, 20), st.integers(0, 20))
    def test_a_sample_does_not_differ_from_itself(self, taken, right, checked, found):
        taken, checked = max(taken, checked), max(checked, 1)
        sample = LabelledSample(taken, 200, min(checked, taken), min(found, checked, taken), 20, min(right, 20))
        (row,) = labelled_sample_differences({"a": sample, "b": sample}).table.to_dict("records")
        assert row["difference"] == 0.0
        assert not row["differs"]

    @pytest.mark.thorough
    def test_without_a_difference_it_is_seen_in_one_of_twenty(self):
        """Of populations: 400 pairs of samples, seeded; .05 within three standard errors."""
        rng = np.random.default_rng(8)

        def sample():
            truth = rng.random(500) < 0.4
            taken = np.where(truth, rng.random(500) < 0.8, rng.random(500) < 0.2)
            labels = np.where(np.arange(500) < 80, truth, np.nan)
            return LabelledSample.from_labels(taken, labels)

        seen = [labelled_sample_differences({"a": sample(), "b": sample()}, own=False).table.differs[0] for _ in range(400)]
        assert 0.02 <= np.mean(seen) <= 0.085

    def test_a_table_is_read_group_by_group(self):
        rng = np.random.default_rng(1)
        table = pd.DataFrame({"model": ["v1", "v2", "v3"] * 60, "verdict": rng.choice(["pass", "fail"], 180)})
        table["human"] = np.where(rng.random(180) < 0.4, table.verdict, "")
        table.loc[table.model == "v3", "human"] = ""
        read = read_labelled_columns(table, "verdict", "human", "pass")
        samples = read.of_groups(read.table.model)
        assert list(samples) == ["v1", "v2"], "a group without a label is left out"
        assert sum(int(one.n_labels) for one in samples.values()) == int(read.sample.n_labels)

    @pytest.mark.parametrize(
        ("samples", "more", "said"),
        [
            ({"a": LabelledSample(3, 10, 2, 1, 2, 1)}, {}, "at least two"),
            (dict.fromkeys("ab", LabelledSample(3, 10, 2, 1, 2, 1)), {"against": "c"}, "against"),
        ],
    )
    def test_what_cannot_be_compared_is_said(self, samples, more, said):
        with pytest.raises(InvalidInput, match=said):
            labelled_sample_differences(samples, **more)


@pytest.mark.parametrize(
    ("written", "in_time"),
    [
        (["01.05.2026", "01.06.2026", "15.04.2026"], ["15.04.2026", "01.05.2026", "01.06.2026"]),
        (["May 2026", "June 2026", "April 2026"], ["April 2026", "May 2026", "June 2026"]),
        (["2026-05", "2026-06", "2025-12"], ["2025-12", "2026-05", "2026-06"]),
        (["2026-05-01 12:00", "2026-05-01 13:00", "2026-04-01 12:00"], ["2026-04-01", "2026-05-01"]),
        (["W1", "W10", "W2"], ["W1", "W2", "W10"]),
    ],
)
def test_groups_are_called_as_they_are_written_and_stand_in_time(written, in_time):
    groups = groups_in_time(pd.Series(written), "when")
    assert [str(name) for name in groups.groupby(groups, observed=True).groups] == in_time
