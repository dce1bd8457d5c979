"""How to cite the app, as BibTeX: what `CITATION.cff` and the README say, too."""

import streamlit as st

from qcore import __version__

BIBTEX = f"""@software{{quantification_lab,
  author  = {{{{The Quantification Lab founders}}}},
  title   = {{Quantification Lab: see class prevalence estimation at work}},
  version = {{{__version__}}},
  year    = {{2026}},
}}
"""


def citation() -> None:
    """Draw the entry below a heading that opens it."""
    with st.expander("Cite Quantification Lab"):
        st.code(BIBTEX, language="bibtex")
