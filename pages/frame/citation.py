"""Which version of the app this is, and how to cite it: what `CITATION.cff` and the README say, too."""

from functools import cache
from pathlib import Path

import streamlit as st

from qcore import __version__

BIBTEX = f"""@software{{quantification_lab,
  author  = {{{{The Quantification Lab founders}}}},
  title   = {{Quantification Lab: see class prevalence estimation at work}},
  version = {{{__version__}}},
  year    = {{2026}},
}}
"""
_REPOSITORY = Path(__file__).parents[2] / ".git"


@cache
def version() -> str:
    """The version, and of a copy of the repository the commit, such as "1.0.0 (commit 1a2b3c4)"."""
    commit = commit_of(_REPOSITORY)
    return f"{__version__} (commit {commit})" if commit else __version__


def commit_of(repository: Path) -> str:
    """The first seven digits of the commit at which a folder `.git` is; empty for anything else."""
    try:
        head = (repository / "HEAD").read_text().strip()
        kind, _, name = head.partition(": ")
        if kind != "ref":
            return head[:7]
        if (repository / name).is_file():
            return (repository / name).read_text()[:7]
        packed = dict(
            line.split(" ")[::-1] for line in (repository / "packed-refs").read_text().splitlines() if line[:1] != "#"
        )
        return packed.get(name, "")[:7]
    except (OSError, ValueError):
        return ""


def about() -> str:
    """What the app's menu says of it, as Markdown."""
    return f"**Quantification Lab** {version()}\n\n```bibtex\n{BIBTEX}```\n\nCite the source of each method that you use, too."


def citation() -> None:
    """Draw the entry below a heading that opens it."""
    with st.expander("Cite Quantification Lab"):
        st.code(BIBTEX, language="bibtex")
