"""The registry of losses for ordered classes, such as one to five stars; of two classes each is the absolute error."""

from typing import Final

from qcore._base.registry import registry
from qcore.losses.formulas import normalised_match_distance, root_normalised_order_aware_divergence
from qcore.losses.loss import Loss

ORDERED_LOSSES: Final = registry(
    Loss(
        key="NMD",
        name="Normalised match distance",
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
