"""Formulas as MathML, which browsers draw themselves: no script, and no network."""

import re
from typing import Any

from docutils import nodes
from latex2mathml.converter import convert

_SPELT = {
    r"\arg\min": r"\operatorname{arg\,min}",
    r"\arg\max": r"\operatorname{arg\,max}",
    r"\begin{gathered}": r"\begin{matrix}",
    r"\end{gathered}": r"\end{matrix}",
}
"""What the converter does not know -> what it does."""


def mathml(formula: str, *, display: str) -> str:
    """LaTeX as MathML. Raises ValueError for a command that the converter does not know."""
    for unknown, known in _SPELT.items():
        formula = formula.replace(unknown, known)
    result = str(convert(formula, display=display))
    if left := re.findall(r"\\[a-zA-Z]+", result):
        raise ValueError(f"the formula {formula} has {left[0]}, which the converter to MathML does not know")
    return result


def _inline(translator: Any, node: nodes.math) -> None:
    translator.body.append(mathml(node.astext(), display="inline"))
    raise nodes.SkipNode


def _block(translator: Any, node: nodes.math_block) -> None:
    translator.body.append(f'<div class="math">{mathml(node.astext(), display="block")}</div>')
    raise nodes.SkipNode


def setup(app: Any) -> None:
    """Make it a renderer that `html_math_renderer` can name."""
    app.add_html_math_renderer("mathml", (_inline, None), (_block, None))
