"""What the buttons of a page give to take along: each table under its own name, with the settings in its first line."""

import io

import pandas as pd
import pytest
import streamlit as st

from pages.settings.address import LINK_VERSION
from qcore import __version__
from tests.pages.app import fine, open_section, open_share_menu, run

SMALL = {
    "estimate": {"way": "An example"},
    "error_by_prevalence": {"data": "iris", "size": "20", "grid": "11", "repeats": "5"},
    "test_size": {"data": "wdbc", "sizes": "5 10", "points": "11", "runs": "2"},
    "more_than_two_classes": {"data": "iris"},
}
FOUND = {
    ("error_by_prevalence", "Table"): {
        "Curves as CSV": {"method", "mean", "p10", "p90"},
        "All estimates as CSV": {"true", "estimate", "method"},
    },
    ("test_size", "Mean ranks"): {
        "Losses as CSV": {"method", "size", "target", "mean", "sd"},
        "Ranks as CSV": {"method", "size", "mean_rank"},
    },
    ("test_size", "What it chooses"): {
        "Errors by size as CSV": {"name", "size", "mean"},
        "Choices by size as CSV": {"size"},
        "All samples as CSV": {"size"},
    },
    ("more_than_two_classes", "Class by class"): {"Errors by class as CSV": {"method"}},
    ("losses", "Properties"): {"Properties as CSV": {"loss", "over", "under"}},
    ("classifier", "Costs"): {"Costs as CSV": {"name", "tpr", "fpr", "cost"}},
    ("compare", "Tests"): {"Tests as CSV": {"first", "second", "nemenyi"}},
    ("estimate", "How many do I need"): {"Widths as CSV": {"labels", "size", "width"}},
}


@pytest.fixture
def saved(monkeypatch):
    """Label of a button -> the file that it would save."""
    files, button = {}, st.download_button

    def recorded(label, data, file_name, *rest, **more):
        files[label] = (data() if callable(data) else data, file_name)
        return button(label, data, file_name, *rest, **more)

    monkeypatch.setattr(st, "download_button", recorded)
    return files


@pytest.mark.parametrize(("page", "section"), FOUND)
def test_each_button_saves_its_own_table(saved, page, section):
    app = open_section(run(page, **SMALL.get(page, {})), page, section)
    fine(open_share_menu(app))
    columns = {}
    for label in FOUND[page, section]:
        data, file_name = saved[label]
        assert file_name.endswith(".csv")
        columns[label] = set(pd.read_csv(io.BytesIO(data)).columns)
    if "Settings as text" in saved:
        # Beside the tables of the menu Share; those of sections stand alone.
        settings, file_name = saved["Settings as text"]
        assert settings.splitlines()[-3].startswith(f"{page}?v={LINK_VERSION}&")
        assert settings.splitlines()[-1].startswith(f"Quantification Lab {__version__}")
        assert file_name == f"{page}-settings.txt"
    assert {label: there & FOUND[page, section][label] for label, there in columns.items()} == FOUND[page, section]
    assert len({frozenset(there) for there in columns.values()}) == len(columns), "two buttons save one table"
