"""The registries of losses: of classes without an order, and of ordered ones.

The registry of losses for ordered classes, such as one to five stars; of two classes each is the absolute error.
"""

from qcore._base.registry import registry
from qcore.losses.loss import (
    Loss,
    absolute_error,
    bias,
    kullback_leibler_divergence,
    normalised_absolute_error,
    normalised_kullback_leibler_divergence,
    normalised_match_distance,
    normalised_relative_absolute_error,
    relative_absolute_error,
    root_normalised_order_aware_divergence,
    squared_error,
)

_IMPARTIAL = "Marufo 2023, section 4.1; that it is impartial, Sebastiani 2020"

LOSSES = registry(
    Loss(
        key="AE",
        name="Absolute error",
        also_called=("MAE",),
        function=absolute_error,
        formula=r"\mathrm{AE} = \frac{1}{|C|}\sum_{c \in C} |\hat p_c - p_c|",
        idea="How far the estimate is from the truth, in units of prevalence.",
        source="Barranquero 2013, eq. 2.4; Marufo 2023, eq. 4.3",
        properties=frozenset({"IMP", "ABS"}),
        axis=(0.0, 0.25),
    ),
    Loss(
        key="KLD",
        name="Kullback-Leibler divergence",
        also_called=("MKLD",),
        function=kullback_leibler_divergence,
        formula=r"\begin{gathered} \mathrm{KLD} = \sum_{c \in C} p_c \ln\frac{p_c}{\hat p_c} \\ "
        r"\text{on smoothed } p, \hat p \end{gathered}",
        idea="The information lost by taking the estimate for the truth; large where an existing class is estimated near 0.",
        source="Barranquero 2013, eq. 2.6; Marufo 2023, eq. 4.12",
        properties=frozenset(),
        axis=(0.0, 0.2),
        smoothed=True,
    ),
    Loss(
        key="bias",
        name="Bias",
        function=bias,
        formula=r"\mathrm{bias} = \hat p - p\quad\text{(positive class)}",
        idea="Which way the estimate errs: above 0 it overestimates, below 0 it underestimates. In a mean, the two cancel out.",
        source="Barranquero 2013, eq. 2.3; Marufo 2023, eq. 4.2",
        properties=frozenset(),
        axis=(-0.25, 0.25),
        signed=True,
    ),
    Loss(
        key="SE",
        name="Squared error",
        also_called=("MSE",),
        function=squared_error,
        formula=r"\mathrm{SE} = \frac{1}{|C|}\sum_{c \in C} (\hat p_c - p_c)^2",
        idea="As the absolute error, but large errors weigh more.",
        source="Barranquero 2013, eq. 2.5; Marufo 2023, eq. 4.6",
        properties=frozenset({"IMP", "ABS"}),
        axis=(0.0, 0.06),
    ),
    Loss(
        key="RAE",
        name="Relative absolute error",
        also_called=("MRAE",),
        function=relative_absolute_error,
        formula=r"\begin{gathered} \mathrm{RAE} = \frac{1}{|C|}\sum_{c \in C} \frac{|\hat p_c - p_c|}{p_c} \\ "
        r"\text{on smoothed } p, \hat p \end{gathered}",
        idea="The error as a share of the true prevalence, so that errors on a rare class weigh more.",
        source="Marufo 2023, eq. 4.7",
        properties=frozenset({"IMP", "REL"}),
        axis=(0.0, 5.0),
        smoothed=True,
        slip="Marufo 2023, 4.3, exchanges AE and RAE",
    ),
    Loss(
        key="NAE",
        name="Normalised absolute error",
        also_called=("MNAE",),
        function=normalised_absolute_error,
        formula=r"\mathrm{NAE} = \frac{\mathrm{AE}}{z},\; z = \frac{2(1 - \min_c p_c)}{|C|}",
        idea="The absolute error divided by the largest one that is possible at this true prevalence.",
        source="Marufo 2023, eq. 4.4-4.5",
        properties=frozenset({"MAX", "IMP"}),
        properties_source=_IMPARTIAL,
        axis=(0.0, 0.4),
    ),
    Loss(
        key="NRAE",
        name="Normalised relative absolute error",
        also_called=("MNRAE",),
        function=normalised_relative_absolute_error,
        formula=r"\mathrm{NRAE} = \frac{\mathrm{RAE}}{z},\; z = \frac{|C| - 1 + (1 - \min_c p_c) / \min_c p_c}{|C|}",
        idea="The relative absolute error divided by the largest one that is possible at this true prevalence.",
        source="Marufo 2023, eq. 4.8-4.9",
        properties=frozenset({"MAX", "IMP"}),
        properties_source=_IMPARTIAL,
        axis=(0.0, 0.4),
        smoothed=True,
    ),
    Loss(
        key="NKLD",
        name="Normalised Kullback-Leibler divergence",
        also_called=("MNKLD",),
        function=normalised_kullback_leibler_divergence,
        formula=r"\mathrm{NKLD} = 2\,\frac{e^{\mathrm{KLD}}}{1 + e^{\mathrm{KLD}}} - 1",
        idea="The Kullback-Leibler divergence squeezed into [0, 1) by the logistic function.",
        source="Marufo 2023, eq. 4.13",
        properties=frozenset({"MAX"}),
        axis=(0.0, 0.15),
        smoothed=True,
        slip="Marufo 2023, 4.2.8, gives it the range to infinity; it stays below 1",
    ),
)

UNSIGNED_LOSSES = tuple(key for key, loss in LOSSES.items() if not loss.signed)
"""Losses that are lowest where an estimate is right: those by which methods can be ranked."""


ORDERED_LOSSES = registry(
    Loss(
        key="NMD",
        name="Normalised match distance",
        also_called=("MNMD", "match_distance"),
        function=normalised_match_distance,
        formula=r"\mathrm{NMD} = \frac{1}{|C| - 1}\sum_{j=1}^{|C|-1} \Bigl|\sum_{i \le j} (\hat p_i - p_i)\Bigr|",
        idea="How far shares have to be moved along the order to turn the estimate into the truth.",
        source="Sakai 2021; the match distance, Werman et al. 1985",
        properties=frozenset({"IMP", "ABS"}),
        axis=(0.0, 0.25),
        properties_source="of two classes, where it is the absolute error",
    ),
    Loss(
        key="RNOD",
        name="Root normalised order-aware divergence",
        also_called=("MRNOD",),
        function=root_normalised_order_aware_divergence,
        formula=r"\mathrm{RNOD} = \sqrt{\frac{\sum_{i:\, p_i > 0} \sum_j |i - j|\, (\hat p_j - p_j)^2}"
        r"{|\{i: p_i > 0\}|\,(|C| - 1)}}",
        idea="Squared errors of the shares, each weighted by the distance of its class from the classes that the sample has.",
        source="Sakai 2021",
        properties=frozenset({"IMP", "ABS"}),
        axis=(0.0, 0.25),
        properties_source="of two classes, where it is the absolute error",
    ),
)
