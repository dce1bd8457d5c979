"""The registries LOSSES (0 is best) and SCORES (1 is best). A new one takes its formula and one entry here."""

from __future__ import annotations

from typing import Final

from qcore.losses.formulas import (
    absolute_error,
    bias,
    kullback_leibler_divergence,
    normalised_absolute_error,
    normalised_absolute_score,
    normalised_kullback_leibler_divergence,
    normalised_relative_absolute_error,
    normalised_squared_score,
    relative_absolute_error,
    squared_error,
)
from qcore.losses.loss import Loss
from qcore.registry import registry

LOSSES: Final = registry(
    Loss(
        "AE",
        "Absolute error",
        absolute_error,
        r"\mathrm{AE} = \frac{1}{|C|}\sum_{c \in C} |\hat p_c - p_c|",
        "How far the estimate is from the truth, in units of prevalence.",
        "Barranquero 2013, eq. 2.4; Marufo 2023, eq. 4.3",
        frozenset({"IMP", "ABS"}),
        (0.0, 0.2),
    ),
    Loss(
        "KLD",
        "Kullback-Leibler divergence",
        kullback_leibler_divergence,
        r"\begin{gathered} \mathrm{KLD} = \sum_{c \in C} p_c \ln\frac{p_c}{\hat p_c} \\ "
        r"\text{on smoothed } p, \hat p \end{gathered}",
        "The information lost by taking the estimate for the truth; harsh where a class that exists is estimated near 0.",
        "Barranquero 2013, eq. 2.6; Marufo 2023, eq. 4.12",
        frozenset(),
        (0.0, 0.2),
        smoothed=True,
    ),
    Loss(
        "bias",
        "Bias",
        bias,
        r"\mathrm{bias} = \hat p - p\quad\text{(positive class)}",
        "Which way the estimate errs: above 0 it overestimates, below 0 it underestimates. Means of it cancel out.",
        "Barranquero 2013, eq. 2.3; Marufo 2023, eq. 4.2",
        frozenset(),
        (-0.2, 0.2),
        signed=True,
    ),
    Loss(
        "SE",
        "Squared error",
        squared_error,
        r"\mathrm{SE} = \frac{1}{|C|}\sum_{c \in C} (\hat p_c - p_c)^2",
        "As the absolute error, but large errors weigh more.",
        "Barranquero 2013, eq. 2.5; Marufo 2023, eq. 4.6",
        frozenset({"IMP", "ABS"}),
        (0.0, 0.06),
    ),
    Loss(
        "RAE",
        "Relative absolute error",
        relative_absolute_error,
        r"\begin{gathered} \mathrm{RAE} = \frac{1}{|C|}\sum_{c \in C} \frac{|\hat p_c - p_c|}{p_c} \\ "
        r"\text{on smoothed } p, \hat p \end{gathered}",
        "The error as a share of the true prevalence, so that errors on a rare class weigh more.",
        "Marufo 2023, eq. 4.7",
        frozenset({"IMP", "REL"}),
        (0.0, 5.0),
        smoothed=True,
    ),
    Loss(
        "NAE",
        "Normalised absolute error",
        normalised_absolute_error,
        r"\mathrm{NAE} = \frac{\mathrm{AE}}{z},\; z = \frac{2(1 - \min_c p_c)}{|C|}",
        "The absolute error over the largest one that is possible at this true prevalence.",
        "Marufo 2023, eq. 4.4-4.5",
        frozenset({"MAX", "IMP"}),
        (0.0, 0.4),
    ),
    Loss(
        "NRAE",
        "Normalised relative absolute error",
        normalised_relative_absolute_error,
        r"\mathrm{NRAE} = \frac{\mathrm{RAE}}{z},\; z = \frac{|C| - 1 + (1 - \min_c p_c) / \min_c p_c}{|C|}",
        "The relative absolute error over the largest one that is possible at this true prevalence.",
        "Marufo 2023, eq. 4.8-4.9",
        frozenset({"MAX", "IMP"}),
        (0.0, 0.4),
        smoothed=True,
    ),
    Loss(
        "NKLD",
        "Normalised Kullback-Leibler divergence",
        normalised_kullback_leibler_divergence,
        r"\mathrm{NKLD} = 2\,\frac{e^{\mathrm{KLD}}}{1 + e^{\mathrm{KLD}}} - 1",
        "The Kullback-Leibler divergence squeezed into [0, 1) by the logistic function.",
        "Marufo 2023, eq. 4.13",
        frozenset({"MAX"}),
        (0.0, 0.15),
        smoothed=True,
    ),
)

SCORES: Final = registry(
    Loss(
        "NAS",
        "Normalised absolute score",
        normalised_absolute_score,
        r"\mathrm{NAS} = 1 - \frac{|\hat p - p|}{\max(p, n)}",
        "1 minus the normalised absolute error: 1 is best, 0 is worst.",
        "Barranquero 2013, eq. 6.4",
        frozenset({"MAX", "IMP"}),
        (0.0, 1.0),
        best=1.0,
    ),
    Loss(
        "NSS",
        "Normalised squared score",
        normalised_squared_score,
        r"\mathrm{NSS} = 1 - \left(\frac{|\hat p - p|}{\max(p, n)}\right)^2",
        "1 minus the square of the normalised absolute error: 1 is best, 0 is worst.",
        "Barranquero 2013, eq. 6.5",
        frozenset({"MAX", "IMP"}),
        (0.0, 1.0),
        best=1.0,
    ),
)
