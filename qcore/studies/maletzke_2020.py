"""The experiment of Maletzke et al. (2020) on the test set size: its grid of samples, and its quantifiers."""

from typing import Final

from qcore.protocols import SizeGrid

GRID_OF_MALETZKE_2020: Final = SizeGrid((*range(10, 101, 10), 200, 300, 400, 500), 101, 10)
"""14 sizes x 101 prevalences x 10 repeats = 14,140 samples. Source: Maletzke et al. 2020, section 6."""

METHODS_OF_MALETZKE_2020: Final = (
    "CC", "AC", "PCC", "PACC", "T50", "X", "Max", "MS", "EMQ-5", "HDy",
    "DyS-TS", "DyS-JD", "DyS-PS", "DyS-ORD", "SORD",
)  # fmt: skip
"""The experiment's quantifiers on scores, with the variants of DyS. Source: Maletzke et al. 2020, Table 1 and section 6."""
