"""Markdown as HTML: formulas as browsers draw them, and as their text where they are none."""

import pytest

from pages.handout.drawn import as_html, inline


@pytest.mark.parametrize("odd", ["$ $", "$x^$", "$a_$", r"$\left($", r"$\sqrt$", r"$\unknown{x}$"])
def test_what_is_no_formula_stays_as_its_text(odd):
    assert inline(f"It costs {odd} or 5.") == f"It costs <code>{odd[1:-1]}</code> or 5."


def test_what_is_escaped_or_code_is_no_formula():
    assert inline(r"from \$5 to \$6") == "from $5 to $6"
    assert inline("`$HOME and $PATH`") == "<code>$HOME and $PATH</code>"
    assert "\x00" not in inline(r"$x \| y$ and $a\_b$")


def test_a_name_of_several_letters_is_one_symbol():
    html = inline(r"$\frac{tpr}{fpr} \cdot \hat p$")
    assert "<mtext>tpr</mtext>" in html
    assert "<mtext>fpr</mtext>" in html
    assert "<mfrac>" in html
    assert "<mtext>two words</mtext>" in inline(r"$\text{two words}$").replace("\N{NO-BREAK SPACE}", " ").replace(
        "&#x000A0;", " "
    )


def test_paragraphs_and_lists_hold_formulas():
    assert as_html("- $p$\n- b").count("<li>") == 2
