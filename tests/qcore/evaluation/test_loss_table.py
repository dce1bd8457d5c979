"""Losses that were measured elsewhere: both forms of a table, scores, and what is refused."""

import pandas as pd
import pytest

from qcore import InvalidInput
from qcore.evaluation.significance import compare
from qcore.evaluation.summaries import losses_of_table

WIDE = pd.DataFrame({"set": ["a", "b", "c"], "CC": [0.3, 0.2, 0.4], "AC": [0.1, 0.1, 0.5], "EMQ": [0.05, 0.2, 0.3]})


def test_both_forms_of_a_table_compare_alike():
    long = WIDE.melt("set", var_name="method", value_name="loss").rename(columns={"set": "data"})
    ranks = compare(losses_of_table(WIDE)).mean_ranks.to_dict()
    assert ranks == compare(losses_of_table(long)).mean_ranks.to_dict()
    assert ranks == pytest.approx({"EMQ": (1 + 2.5 + 1) / 3, "AC": 2.0, "CC": (3 + 2.5 + 2) / 3})


def test_where_the_highest_is_best_the_order_turns():
    least, most = (compare(losses_of_table(WIDE, highest_is_best=high)).mean_ranks for high in (False, True))
    assert (least + most).tolist() == pytest.approx([4.0] * 3)


def test_prevalences_and_sizes_of_a_long_table_stay():
    rows = [(name, p, 10, method, p) for name in "ab" for p in (0.1, 0.9) for method in ("CC", "AC")]
    long = pd.DataFrame(rows, columns=["data", "prevalence", "size", "method", "loss"])
    pd.testing.assert_frame_equal(losses_of_table(long), long)


@pytest.mark.parametrize(
    ("table", "words"),
    [
        (WIDE[["set", "CC"]], "two methods or more, got the columns set, CC"),
        (WIDE.assign(AC=["0.1", "n/a", "0.2"]), "column AC must hold numbers, one for each data set, got 'n/a'"),
        (pd.DataFrame({"data": ["a"], "method": ["CC"], "loss": ["low"]}), "column loss must hold numbers, got 'low'"),
        ([[1, 2]], "Write pandas.DataFrame"),
    ],
)
def test_what_holds_no_losses_is_refused(table, words):
    with pytest.raises(InvalidInput, match=words):
        losses_of_table(table)


def test_a_loss_that_is_missing_is_named():
    with pytest.raises(InvalidInput, match="AC on b"):
        compare(losses_of_table(WIDE.assign(AC=[0.1, None, 0.5])))
