"""The table of losses for a paper: means, what is best, and what is not significantly worse."""

import numpy as np
import pandas as pd
import pytest

from qcore import InvalidInput
from qcore.evaluation.latex_table import losses_as_latex

NAMES = ["data", "prevalence", "method", "loss"]


def made():
    """Two data sets of eight cases: b errs more than a by a little everywhere, c by chance alone, d in half of the cases."""
    rows = []
    for data, level in (("one_set", 0.1), ("two", 0.2)):
        for case in range(8):
            wave = 0.01 * (-1) ** case * (case // 2 + 1)
            of_case = {"a": level, "b": level + 0.01 + case / 1e4, "c": level + 0.0011 + wave, "d&e": level}
            rows += [(data, case / 10, method, loss) for method, loss in of_case.items()]
    return pd.DataFrame(rows, columns=NAMES)


def test_the_best_are_bold_and_what_may_be_chance_is_marked():
    lines = losses_as_latex(made()).splitlines()
    assert lines[1:4] == [r"\begin{tabular}{lrrrr}", r"\toprule", r" & a & b & c & d\&e \\"]
    assert lines[5] == r"one\_set & \textbf{0.100} & 0.110 & 0.101$^\dagger$ & \textbf{0.100} \\"
    assert lines[6] == r"two & \textbf{0.200} & 0.210 & 0.201$^\dagger$ & \textbf{0.200} \\"
    # Two data sets cannot tell any two methods apart.
    assert lines[8] == r"mean & \textbf{0.150} & 0.160$^\dagger$ & 0.151$^\dagger$ & \textbf{0.150} \\"
    assert lines[9].startswith("mean rank & ")
    assert lines[10:] == [r"\bottomrule", r"\end{tabular}"]


def test_deviations_stand_beside_the_means():
    table = made()
    line = losses_as_latex(table, deviations=True).splitlines()[5]
    rows = table[(table["data"] == "one_set") & (table.method == "c")]
    assert rf"0.101$^\dagger$ $\pm$ {rows.loss.std():.3f} &" in line


def test_one_data_set_has_no_mean_and_one_case_no_mark():
    table = made()
    text = losses_as_latex(table[(table["data"] == "two") & (table.prevalence == 0)])
    assert "mean" not in text.split("\n", 1)[1]
    assert "dagger" not in text.split("\n", 1)[1]


def test_rows_of_one_case_are_averaged():
    rows = [("w", 0.0, "a", 0.05), ("w", 0.0, "b", 0.25), ("w", 0.0, "a", 0.15)]
    assert r"w & \textbf{0.100} & 0.250 \\" in losses_as_latex(pd.DataFrame(rows, columns=NAMES))


def test_small_losses_have_more_decimals():
    rows = [("x", 0.0, "a", 0.00012), ("x", 0.0, "b", 0.5)]
    assert r"\textbf{0.00012} & 0.500" in losses_as_latex(pd.DataFrame(rows, columns=NAMES))


@pytest.mark.parametrize(
    ("table", "named"),
    [
        (made().drop(columns="loss"), "must have a column 'loss'"),
        (made()[lambda table: table.method == "a"], "two methods or more, each in every case, got only a"),
        (made().iloc[1:], "two methods or more, each in every case, got a"),
        (np.zeros(3), "losses must be a DataFrame"),
    ],
)
def test_what_is_lacking_is_named(table, named):
    with pytest.raises(InvalidInput, match=named):
        losses_as_latex(table)
