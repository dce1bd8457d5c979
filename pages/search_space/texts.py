"""What to look at in each part of "Search space", and what to try."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from qcore import MEASURES
from qcore.measures.catalog import SCORE_KEYS
from qcore.measures.parametric import Q_BETA

TEXTS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "surface": (
            "**All tables at once.** So many false positives (FP, negatives that are taken for positives) and false "
            "negatives (FN, positives that are missed): each pair is a table, and its height and colour are what the measure "
            "gives it, 1 at best, dark is good. Along the ridge FP = FN errors cancel out and the count is right. *Try: "
            "drag beta. How much of that ridge stays good?*"
        ),
        "classifier_points": (
            "Points: classifiers, by their out-of-fold rates of error, scaled to P and N; the line: one of them at "
            "every threshold. A learner is trained on the instances that it sees and drawn by those that it has not seen: it "
            "need not be highest, even under its own measure. *Learners as quantifiers* lets you choose others."
        ),
        "row": (
            "**From counting to finding.** NAS looks at the balance of the errors alone, recall at the positives alone. "
            "Q_beta goes from one to the other as beta falls. *Try: turn one; all turn.*"
        ),
        "learners": (
            "**The learners as quantifiers.** What counts is how a learner counts when the prevalence moves. All answer the "
            "same samples of the pool, the instances that trained none of them. *Try: give those that learn to count (SVM-Q2, "
            "SVM-NAS) a correction, which the thesis leaves to others.*"
        ),
        "iris_example": (
            "**Two perfect quantifiers that contradict each other.** Irises; class 3 (virginica) is positive. The line *w1* "
            "takes class 1 for class 3: every positive is missed, and as many negatives are taken for them. *w2* does what one "
            "would want. Both count right, so a measure of counting alone can't tell them apart (Barranquero 2013, Figure 6.1)."
        ),
    }
)


MEASURE_KEYS: Final = (Q_BETA, *SCORE_KEYS)


def in_short(key: str, cperf: str, qperf: str) -> str:
    """A measure explained in a line or two, as Markdown."""
    if key != Q_BETA:
        return f"**{key}**: {MEASURES[key].idea}"
    return (
        f"**Q_beta**: high only where both cperf ({cperf}) and qperf ({qperf}) are; beta weighs the second. **{cperf}**: "
        f"{MEASURES[cperf].idea} **{qperf}**: {MEASURES[qperf].idea}"
    )


def measures_in_short() -> str:
    """All measures explained in Markdown, one line each."""
    return "\n\n".join(f"**{key}** {MEASURES[key].idea}" for key in SCORE_KEYS)


def measures_explained() -> tuple[str, str]:
    """All measures in Markdown, idea, formula, source, for two columns."""
    q = "\n\n".join(
        [
            "**Q_beta** combines a measure of classification and one of quantification: high only where both are. beta weighs "
            "the second: 0 leaves the first alone, inf the second.",
            r"$$ Q_\beta = (1 + \beta^2)\, \frac{cperf \cdot qperf}{\beta^2\, cperf + qperf} $$",
            ":small[Source: Barranquero 2013, eq. 6.2.]",
        ]
    )
    others = [
        f"**{one.key}.** {one.idea}\n\n$$ {one.formula} $$\n\n:small[Source: {one.source}.]"
        for one in (MEASURES[key] for key in SCORE_KEYS)
    ]
    symbols = (
        r"P and N: numbers of positives and negatives; S = P + N. TP = P - FN, TN = N - FP. $p = P/S$ is the true prevalence, "
        r"$\hat p = (TP + FP)/S$ what counting says; $\mathrm{KLD} = \sum_c p_c \ln (p_c / \hat p_c)$, where all or none are "
        r"predicted with half a count less or more."
    )
    half = len(others) // 2
    return "\n\n".join([symbols, q, *others[:half]]), "\n\n".join(others[half:])
