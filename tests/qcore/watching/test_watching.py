"""Intervals that hold at every look, the alert, the table of batches, the command: numbers of section 12, edges."""

import json
import re

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qcore import InvalidInput
from qcore.__main__ import main
from qcore.intervals.analytic import lang_reiczigel
from qcore.intervals.counts import Counts
from qcore.intervals.labelled_sample_intervals import wilson
from qcore.watching import (
    MeasuredRates,
    adjusted_at_every_look,
    exact_adjusted_at_every_look,
    read_batches,
    share_at_every_look,
    watch_share,
)
from qcore.watching.watch_command import MOVED
from qcore.watching.watched_share import critical_value, variance_ratio


def width(ends):
    return np.asarray(ends.high - ends.low)


def test_ends_are_those_of_the_definition():
    assert np.ravel(share_at_every_look(50, 100)) == pytest.approx([0.3446, 0.6554], abs=5e-5)
    low, high = share_at_every_look(0, 100)
    assert (float(low), float(high)) == (0.0, pytest.approx(1 - (0.05 / 101) ** 0.01))
    assert np.ravel(share_at_every_look(0, 0)).tolist() == [0.0, 1.0]


def test_mean_widths_by_size_of_both_mixtures():
    rng = np.random.default_rng(0)
    sizes = np.array([100, 1000, 5000])
    x = rng.binomial(sizes, 0.3, (2000, 3))
    assert width(share_at_every_look(x, sizes)).mean(axis=0) == pytest.approx([0.286, 0.103, 0.049], abs=1e-3)
    assert width(share_at_every_look(x, sizes, tuned=True)).mean(axis=0) == pytest.approx([0.337, 0.088, 0.041], abs=1e-3)
    assert width(wilson(x, sizes, 0.95)).mean(axis=0) == pytest.approx([0.176, 0.057, 0.025], abs=1e-3)


@given(st.integers(0, 400).flatmap(lambda m: st.tuples(st.integers(0, m), st.just(m))), st.sampled_from([0.8, 0.95]))
def test_the_interval_holds_the_share_and_is_that_of_the_other_class(counts, level):
    x, m = counts
    low, high = (float(end) for end in share_at_every_look(x, m, level))
    assert 0.0 <= low <= (x / m if m else 0.5) <= high <= 1.0
    other = share_at_every_look(m - x, m, level)
    assert (1 - float(other.high), 1 - float(other.low)) == pytest.approx((low, high), abs=1e-9)


def looks(rate, repetitions=2000, n_batches=50, size=100):
    rng = np.random.default_rng(0)
    return rng.binomial(size, rate, (repetitions, n_batches)).cumsum(axis=1), np.arange(1, n_batches + 1) * size


def test_at_any_of_fifty_looks_an_ordinary_interval_misses_a_third_and_ours_hardly_ever():
    x, m = looks(0.3)
    missed = {
        name: np.mean(((ends.low > 0.3) | (ends.high < 0.3)).any(axis=1))
        for name, ends in {"once": wilson(x, m, 0.95), "every": share_at_every_look(x, m)}.items()
    }
    assert missed["once"] == pytest.approx(0.32, abs=0.03)
    assert missed["every"] == pytest.approx(0.006, abs=0.006)


@pytest.mark.parametrize(
    ("labels", "once", "every", "widths"),
    [(100, 0.14, 0.033, (0.142, 0.178, 0.233)), (500, 0.21, 0.029, (0.075, 0.109, 0.161))],
)
def test_corrected_shares_hold_at_every_look(labels, once, every, widths):
    rng = np.random.default_rng(1)
    m = np.arange(1, 51) * 100
    missed, wide = [], []
    for _ in range(400):
        tp, fp = int(rng.binomial(labels, 0.8)), int(rng.binomial(labels, 0.1))
        counts = Counts(rng.binomial(100, 0.17, 50).cumsum(), m, tp, labels, fp, labels)
        ends = [method(counts) for method in (lang_reiczigel, adjusted_at_every_look, exact_adjusted_at_every_look)]
        missed.append([bool(((one.low > 0.1) | (one.high < 0.1)).any()) for one in ends])
        wide.append([float(width(one)[-1]) for one in ends])
    assert np.mean(missed, axis=0) == pytest.approx([once, every, 0.0], abs=0.045)
    assert np.mean(missed, axis=0)[1] < np.mean(missed, axis=0)[0] / 2
    assert np.mean(wide, axis=0) == pytest.approx(widths, abs=0.008)


def test_the_critical_value_is_that_of_the_section():
    values = [critical_value(variance_ratio(Counts(np.array([17]), np.array([100]), tp, n, fp, n)))
              for tp, n, fp in ((80, 100, 10), (400, 500, 50))]  # fmt: skip
    assert values == pytest.approx([2.61, 2.85], abs=0.02)
    assert critical_value(1.0) == pytest.approx(1.96, abs=0.001)


def test_rates_that_say_nothing_leave_everything_open():
    counts = Counts(np.array([30, 60]), np.array([100, 200]), 5, 10, 5, 10)
    for method in (adjusted_at_every_look, exact_adjusted_at_every_look):
        assert (method(counts).low.tolist(), method(counts).high.tolist()) == ([0.0, 0.0], [1.0, 1.0])


def test_a_share_that_moves_is_seen_soon_and_one_that_does_not_is_not():
    rng = np.random.default_rng(2)
    seen, delays = [], []
    for _ in range(150):
        x = np.concatenate([rng.binomial(100, 0.3, 25), rng.binomial(100, 0.4, 25)])
        moved = watch_share(x, [100] * 50, baseline=25).moved_at
        seen.append(moved is not None)
        delays += [] if moved is None else [moved - 25]
    assert np.mean(seen) == pytest.approx(0.98, abs=0.03)
    assert np.median(delays) == pytest.approx(8, abs=1)
    calm = [watch_share(rng.binomial(100, 0.3, 50), [100] * 50).moved_at is not None for _ in range(150)]
    assert np.mean(calm) < 0.03


def test_labels_that_limit_the_estimate_are_asked_for_anew():
    calm = watch_share([17] * 60, [100] * 60, rates=MeasuredRates(80, 100, 10, 100))
    assert calm.label_anew
    assert calm.share_of_labels > 0.5
    assert not watch_share([17] * 6, [100] * 6, baseline=3, rates=MeasuredRates(8000, 10000, 1000, 10000)).label_anew
    assert watch_share([5] * 6, [100] * 6, baseline=3, rates=MeasuredRates(8000, 10000, 1000, 10000)).label_anew, (
        "below the fpr"
    )
    assert not watch_share([17] * 60, [100] * 60).label_anew
    assert json.loads(json.dumps(calm.to_dict()))["rates"]["positives"] == 100


@pytest.mark.parametrize(
    ("x", "m", "more", "message"),
    [
        ([1], [2], {}, "batches must be two or more"),
        ([1, 2], [2], {}, "batches must be two or more"),
        ([1, 3], [2, 2], {"baseline": 1}, "got 3 of 2 in batch 2"),
        ([1, 0], [2, 0], {"baseline": 1}, "none in batch 2"),
        ([1, 1], [2, 2], {"baseline": 2}, "Leave a batch"),
        ([1, 1], [2, 2], {"baseline": 1, "level": 2.0}, "level must be"),
        ([1, 1], [2, 2], {"baseline": 1, "batches": ["a"]}, "be 2 names"),
        ([1.5, 1], [2, 2], {"baseline": 1}, "whole numbers"),
    ],
)
def test_batches_that_cannot_be_are_refused(x, m, more, message):
    with pytest.raises(InvalidInput, match=message):
        watch_share(x, m, **more)


def test_tables_of_instances_and_of_batches_say_the_same():
    days = pd.DataFrame(
        {"date": ["2026-01-03 10:00", "2026-01-01 09:00", "2026-01-01 12:00"], "prediction": ["yes", "no", "yes"]}
    )
    batches = read_batches(days)
    assert (batches.names.tolist(), batches.positives.tolist()) == (["2026-01-01", "2026-01-03"], [1, 1])
    assert (batches.sizes.tolist(), batches.positive) == ([2, 1], "yes")
    counts = pd.DataFrame({"Week": ["b", "a"], "Positives": [1, 1], "Size": [1, 2]})
    assert (read_batches(counts).names.tolist(), read_batches(counts).sizes.tolist()) == (["b", "a"], [1, 2])
    assert read_batches(days, positive="no").positives.tolist() == [1, 0]


@pytest.mark.parametrize(
    ("names", "expected", "in_time"),
    [
        (["10.03.2024", "02.03.2024", "05.02.2024"], ["2024-02-05", "2024-03-02", "2024-03-10"], True),
        (["13/02/24", "02/03/24", "05/01/24"], ["2024-01-05", "2024-02-13", "2024-03-02"], True),
        (["02/13/2024", "03/02/2024", "01/05/2024"], ["2024-01-05", "2024-02-13", "2024-03-02"], True),
        (["03/03/2024", "02/02/2024", "01/01/2024"], ["2024-01-01", "2024-02-02", "2024-03-03"], True),
        (["01/03/2024", "01/02/2024", "01/01/2024"], ["01/01/2024", "01/02/2024", "01/03/2024"], True),
        (["Mar 2024", "Dec 2023", "Feb 2024"], ["2023-12-01", "2024-02-01", "2024-03-01"], True),
        (["Mar 1", "Jan 9", "Jan 10"], ["Jan 9", "Jan 10", "Mar 1"], True),
        (["Sept. 2024", "Aug. 2024", "May 2024"], ["2024-05-01", "2024-08-01", "2024-09-01"], True),
        (["3 de marzo de 2024", "1 de abril de 2024", "2 de enero de 2024"], ["2024-01-02", "2024-03-03", "2024-04-01"], True),
        (["Dez 2023", "Okt 2023", "März 2024"], ["2023-10-01", "2023-12-01", "2024-03-01"], True),
        (["marzo", "enero", "febrero"], ["enero", "febrero", "marzo"], True),
        (["3. Mai 2024", "1. März 2024", "2. Juni 2024"], ["2024-03-01", "2024-05-03", "2024-06-02"], True),
        (["set-70", "set-69", "set-68"], ["set-68", "set-69", "set-70"], True),
        (["23-Jan", "23-Dec", "24-Jan"], ["23-Jan", "23-Dec", "24-Jan"], False),
        (["1 (1500)", "3 (1200)", "2 (1800)"], ["1 (1500)", "3 (1200)", "2 (1800)"], False),
        (["Q1 2024", "Q4 2023", "Q3 2023"], ["Q3 2023", "Q4 2023", "Q1 2024"], True),
        (["W10", "W9", "W2"], ["W2", "W9", "W10"], True),
        (["2024-W02", "2023-W51", "2024-W10"], ["2023-W51", "2024-W02", "2024-W10"], True),
        (["late", "early", "late"], ["late", "early"], False),
        (["1 of 2", "9 of 3", "2 of 1"], ["1 of 2", "9 of 3", "2 of 1"], False),
    ],
)
def test_batches_are_in_the_order_of_time_however_it_is_written(names, expected, in_time):
    batches = read_batches(pd.DataFrame({"date": names, "prediction": [1, 0, 1]}))
    assert (batches.names.tolist(), batches.in_time) == (expected, in_time)


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ({"x": [1]}, "have a column of batches"),
        ({"batch": [1, None], "prediction": [1, 0]}, "none in row 2"),
        ({"batch": [1, 2], "prediction": [1, None]}, "none in row 2"),
        ({"week": [1, 2, "Total"], "positives": [1, 2, 3], "size": [4, 4, 8]}, "not their sum, got Total in row 3"),
        ({"batch": [1, 2], "score": [1, 0]}, "have a column of predicted classes"),
        ({"batch": [1, 2], "prediction": [0.7, 0.2]}, "not scores, got 0.7"),
        ({"batch": [1, 2], "positives": [1, 0.5], "size": [3, 3]}, "whole numbers, got 0.5 in row 2"),
        (
            {"date": ["2024-03-09", "2024-03-1o"], "prediction": [1, 0]},
            "dates like 2024-03-10 in all rows, got 2024-03-1o in row 2",
        ),
        (
            {"date": ["02/01/2024", "01/03/2024"], "prediction": [1, 0]},
            "in one way, got 02/01/2024. Write 2024-01-02 or 2024-02-01",
        ),
    ],
)
def test_tables_that_hold_no_batches_are_refused(table, message):
    with pytest.raises(InvalidInput, match=message):
        read_batches(pd.DataFrame(table))


def test_quarters_beside_dates_are_not_the_batches_and_one_batch_of_all_is_one():
    dates = pd.DataFrame({"period": ["2023-10", "2024-01", "2024-05"], "quarter": ["Q4", "Q1", "Q2"], "prediction": [1, 0, 1]})
    assert read_batches(dates).names.tolist() == ["2023-10-01", "2024-01-01", "2024-05-01"]
    assert read_batches(pd.DataFrame({"batch": ["overall"] * 3, "prediction": [1, 0, 1]})).sizes.tolist() == [3]


def test_the_command_says_by_its_status_whether_the_share_has_moved(tmp_path, capsys):
    file = tmp_path / "weeks.csv"
    pd.DataFrame({"week": range(1, 13), "positives": [30] * 6 + [50] * 6, "size": [100] * 12}).to_csv(file, index=False)
    assert main(["watch", str(file), "--baseline", "6"]) == MOVED == 10
    assert "MOVED: the two no longer overlap, since batch" in capsys.readouterr().out
    pd.DataFrame({"week": range(1, 13), "positives": [30] * 12, "size": [100] * 12}).to_csv(file, index=False)
    assert main(["watch", str(file), "--baseline", "6", "--rates", "80", "100", "10", "100"]) == 0
    assert "nothing seen" in capsys.readouterr().out
    main(["watch", str(file), "--baseline", "6", "--rates", "30", "100", "60", "100"])
    assert "tpr (0.30) is below fpr (0.60), the wrong way round" in capsys.readouterr().out
    assert main(["watch", str(file), "--json", "--baseline", "6"]) == 0
    assert json.loads(capsys.readouterr().out)["moved"] is False


class TestTooEarly:
    @pytest.fixture
    def file(self, tmp_path):
        def write(positives, sizes):
            path = tmp_path / "months.csv"
            frame = pd.DataFrame({"month": [f"2026-{i:02d}" for i in range(1, len(sizes) + 1)], "positives": positives})
            frame.assign(size=sizes).to_csv(path, index=False)
            return str(path)

        return write

    def test_fewer_batches_than_the_baseline_are_not_yet_enough(self, file, capsys):
        assert main(["watch", file([30] * 12, [100] * 12)]) == 0
        said = capsys.readouterr().out
        assert "not yet: 12 batches of the 21 that a baseline of 20 and one to compare with it take" in said
        assert "with --baseline 11, the last batch would be seen if it differed by about" in said
        assert "python -m qcore estimate --by" in said
        assert main(["watch", file([30], [100])]) == 0
        assert "not yet: 1 batch of the 21" in capsys.readouterr().out

    def test_a_baseline_that_is_none_is_refused(self, file, capsys):
        assert main(["watch", file([30] * 3, [100] * 3), "--baseline", "0"]) == 2
        assert "baseline must be a whole number of at least 1" in capsys.readouterr().err

    def test_an_empty_batch_waits(self, file, capsys):
        path = file([30, 31, 29, 0], [100, 100, 100, 0])
        assert main(["watch", path, "--baseline", "3", "--json"]) == 0
        said = capsys.readouterr()
        assert "Batch 2026-04-01 is empty so far, and left out." in said.err
        answer = json.loads(said.out)
        assert (answer["too_early"], answer["batches_so_far"], answer["batches_needed"]) == (True, 3, 4)

    def test_batches_of_a_few_instances_show_no_change(self, file, capsys):
        assert main(["watch", file([3, 4], [10, 10]), "--baseline", "1"]) == 0
        assert "With only one batch since the first batch, no change is seen." in capsys.readouterr().out

    def test_what_few_batches_can_show_is_said_and_holds(self, file, capsys):
        assert main(["watch", file([600, 610, 60], [2000, 2000, 200]), "--baseline", "2"]) == 0
        (points,) = re.findall(
            r"With only one batch since .*, a change of less than about (\d+) points is not seen", capsys.readouterr().out
        )
        for sign in (1, -1):
            for by, status in ((int(points) + 2, MOVED), (int(points) - 4, 0)):
                found = round(200 * (0.3025 + sign * by / 100))
                assert main(["watch", file([600, 610, found], [2000, 2000, 200]), "--baseline", "2"]) == status


def test_verdicts_of_a_third_kind_are_said_and_may_be_left_out(tmp_path, capsys):
    path = tmp_path / "judged.csv"
    verdicts = (["pass"] * 6 + ["fail"] * 3 + ["unsure"]) * 12
    pd.DataFrame({"week": np.repeat(range(12), 10), "verdict": verdicts}).to_csv(path, index=False)
    words = ["watch", str(path), "--baseline", "6", "--positive", "pass", "--json"]
    assert main(words) == 0
    said = capsys.readouterr()
    assert "Predictions other than 'pass' count as not 'pass': fail, unsure." in said.err
    assert json.loads(said.out)["batches"][0]["size"] == 10
    assert main([*words, "--leave-out", "unsure"]) == 0
    said = capsys.readouterr()
    assert "12 rows predicted as 'unsure' are left out" in said.err
    assert json.loads(said.out)["batches"][0]["size"] == 9
    assert main([*words, "--leave-out", "unsur"]) == 2


def test_a_class_that_is_named_exactly_is_that_one_and_rates_are_measured_ones():
    table = pd.DataFrame({"week": [1, 1, 1, 2, 2, 2], "prediction": ["Yes", "yes", "no", "Yes", "Yes", "no"]})
    assert list(read_batches(table, positive="Yes").positives) == [1, 2]
    assert list(read_batches(table, positive="NO").positives) == [1, 1]
    with pytest.raises(InvalidInput, match="MeasuredRates"):
        watch_share([1, 2, 3], [10, 10, 10], baseline=1, rates=(80, 100, 10, 100))


@pytest.mark.parametrize(
    ("column", "names"),
    [
        ("quarter", [3, 4, 1]), ("batch", ["Q3", "Q4", "Q1"]),
        ("fecha", ["noviembre", "diciembre", "enero"]), ("month", ["Nov", "Dec", "Jan"]),
        ("date", ["Oct 1", "Dec 28", "Jan 2"]), ("date", ["28 Dec", "2 Jan", "3 Jan"]),
        ("batch", ["week 51", "week 52", "week 1"]),
        ("week", [50, 52, 1]), ("month", ["11", "12", "1"]),
    ],
)  # fmt: skip
def test_what_runs_past_the_end_of_a_year_stays_as_it_stands(column, names):
    batches = read_batches(pd.DataFrame({column: names, "positives": [1, 2, 3], "size": [5, 6, 7]}))
    assert ([str(name) for name in batches.names], batches.in_time) == ([str(name) for name in names], False)
    assert batches.positives.tolist() == [1, 2, 3]


@pytest.mark.parametrize(("column", "names"), [("week", [3, 1, 2]), ("batch", [60, 90, 1]), ("batch", [9, 10, 1])])
def test_other_numbers_are_sorted(column, names):
    batches = read_batches(pd.DataFrame({column: names, "positives": [1, 2, 3], "size": [5, 6, 7]}))
    assert (batches.names.tolist(), batches.in_time) == (sorted(names), True)


@pytest.mark.parametrize(
    ("column", "names", "expected"),
    [
        ("week", [1, 2, 30, 31, 3], [1, 2, 3, 30, 31]),
        ("date", ["Jan 5", "Mar 1", "Nov 20", "Feb 1"], ["Jan 5", "Feb 1", "Mar 1", "Nov 20"]),
        ("date", ["Jan 5", "Mar 1", "Feb 29", "Feb 1"], ["Jan 5", "Feb 1", "Feb 29", "Mar 1"]),
    ],
)  # fmt: skip
def test_a_row_that_is_late_is_no_turn_of_the_year(column, names, expected):
    batches = read_batches(pd.DataFrame({column: names, "positives": 1, "size": 5}))
    assert (batches.names.tolist(), batches.in_time) == (expected, True)


@pytest.mark.parametrize(
    "times",
    [
        ["2024-03-31T10:00:00+02:00", "2024-03-30T23:30:00+01:00", "2024-04-01T10:00:00Z"],
        ["2024-03-31 10:00:00+02", "2024-03-30 23:30:00.5+01", "2024-04-01 10:00:00+02"],
        ["20240331T100000+0200", "20240330T233000+0100", "20240401T100000Z"],
    ],
)
def test_summer_time_begins_between_two_batches(times):
    batches = read_batches(pd.DataFrame({"date": times, "positives": [1, 2, 3], "size": [5, 6, 7]}))
    assert batches.names.tolist() == ["2024-03-30", "2024-03-31", "2024-04-01"]


@pytest.mark.parametrize("positives", [[-5, 15], [15, 0]])
def test_counts_are_checked_before_they_are_added_up(positives):
    with pytest.raises(InvalidInput, match=r"the column positives must lie between 0 and size, got -?1?5 of 10 in row 1"):
        read_batches(pd.DataFrame({"day": [1, 1], "positives": positives, "size": [10, 20]}))


def test_one_class_in_two_spellings_and_one_column_twice_are_refused():
    days = pd.DataFrame({"day": [1, 1, 2, 2], "prediction": ["Yes", "no", "yes", "no"]})
    with pytest.raises(InvalidInput, match="be spelt alike"):
        read_batches(days)
    with pytest.raises(InvalidInput, match="'day' twice"):
        read_batches(days.set_axis(["day", "day"], axis=1))


class TestHowTablesAreRead:
    @pytest.mark.parametrize(
        ("parts", "names"),
        [
            ({"month": [11, 12, 1, 2]}, ["2024-11-01", "2024-12-01", "2025-01-01", "2025-02-01"]),
            ({"week": [51, 52, 1, 2]}, ["2024-W51", "2024-W52", "2025-W01", "2025-W02"]),
            ({"Quarter": [3, 4, 1, 2]}, ["2024-Q3", "2024-Q4", "2025-Q1", "2025-Q2"]),
            ({"week": ["week 51", "KW 52", "W01", "2"]}, ["2024-W51", "2024-W52", "2025-W01", "2025-W02"]),
            ({"month": ["2024-11", "2024-12", "2025-01", "2025-02"]}, ["2024-11-01", "2024-12-01", "2025-01-01", "2025-02-01"]),
            ({"batch": [1, 2, 3, 4], "week": [51, 52, 1, 2]}, [1, 2, 3, 4]),
            (
                {"date": ["2024-11-05", "2024-12-05", "2025-01-05", "2025-02-05"], "month": [11, 12, 1, 2]},
                ["2024-11-05", "2024-12-05", "2025-01-05", "2025-02-05"],
            ),
            ({"month": ["Nov", "Dec", "Jan", "Feb"]}, ["2024-11-01", "2024-12-01", "2025-01-01", "2025-02-01"]),
        ],
    )
    def test_a_year_belongs_to_its_months(self, parts, names):
        table = pd.DataFrame({**parts, "Year": [2024, 2024, 2025, 2025], "positives": [1, 2, 3, 4], "size": 10})
        read = read_batches(table.iloc[[2, 0, 3, 1]])
        assert read.in_time
        assert read.names.tolist() == names
        assert read.positives.tolist() == [1, 2, 3, 4]
        if "month" in parts and len(parts) == 1:
            alone = read_batches(table, batch=next(iter(parts)))
            assert alone.positives.tolist() == [1, 2, 3, 4], "a column that is named stays the batch"

    @pytest.mark.parametrize("way", ["%d.%m.%Y %H:%M", "%m/%d/%Y %I:%M %p", "%d/%m/%Y, %H:%M:%S"])
    def test_times_of_day_make_no_batches_of_their_own(self, way):
        times = pd.date_range("2025-01-13 09:30", periods=60, freq="7h")
        table = pd.DataFrame({"date": times.strftime(way), "prediction": [0, 1] * 30})
        read = read_batches(table[::-1])
        assert read.in_time
        assert read.names.tolist() == sorted(set(times.strftime("%Y-%m-%d")))

    def test_predictions_are_counted_though_other_columns_are_called_like_counts(self):
        table = pd.DataFrame({"week": [1, 1, 2, 2], "prediction": [1, 0, 1, 1], "x": [5, 6, 7, 8], "n": [9, 9, 9, 9]})
        read = read_batches(table)
        assert (read.positives.tolist(), read.sizes.tolist(), read.classes) == ([1, 2], [2, 2], ("0", "1"))
        counts = pd.DataFrame({"week": [1, 2], "positives": [30, 40], "size": [100, 100], "predicted": [0.3, 0.4]})
        assert read_batches(counts).positives.tolist() == [30, 40]

    def test_a_year_with_gaps_is_left_out(self):
        table = pd.DataFrame({"year": [None, 2025.0], "week": [1, 2], "positives": [1, 2], "size": [9, 9]})
        assert read_batches(table).names.tolist() == [1, 2]

    def test_times_without_dates_stay_batches(self):
        table = pd.DataFrame({"batch": ["run 10:00", "run 11:00", "run 12:00"], "positives": [1, 2, 3], "size": 9})
        assert read_batches(table).positives.tolist() == [1, 2, 3]
