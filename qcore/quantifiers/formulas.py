"""Formulas, as LaTeX, that several entries of the registry share."""


def adjusted_at(threshold: str) -> str:
    """The count adjusted at a threshold, which is given as LaTeX."""
    return r"\begin{gathered} \hat p = \frac{\hat p_{CC}(t) - fpr(t)}{tpr(t) - fpr(t)} \\ t = " + threshold + r" \end{gathered}"


def matched(distance: str) -> str:
    """The median over bin counts of the nearest mixtures, by a distance that is given as LaTeX."""
    return (
        r"\begin{gathered} \hat p = \operatorname{median}_b\; \hat a_b \\ "
        r"\hat a_b = \arg\min_a d(a P_b + (1 - a) N_b,\; Q_b) \\ " + distance + r" \end{gathered}"
    )


def likelihood(estimate: str) -> str:
    """An estimate, given as LaTeX, made of the two classes' likelihood ratios."""
    ratios = r" \\ u_i = \frac{s_i}{p_{train}}, \quad v_i = \frac{1 - s_i}{1 - p_{train}}"
    return r"\begin{gathered} " + estimate + ratios + r" \end{gathered}"
