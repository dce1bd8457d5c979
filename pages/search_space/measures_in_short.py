"""The measures of "Search space" in words: each in a sentence, and with formula and source."""

from qcore import MEASURES
from qcore.measures.catalog import Q_BETA, SCORE_KEYS


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
