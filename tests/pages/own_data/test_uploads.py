"""Tables and files that open pages keep: up to a sum for each page, each address and all; what is dropped is free again."""

import gc

import pytest
from streamlit.testing.v1 import AppTest

from pages.own_data import uploads
from pages.work.by_address import Held

MEGABYTE = 2**20


def keep_and_drop():
    """A page of somebody who keeps two tables and two files, as far as there is room."""
    import pandas as pd
    import streamlit as st

    from pages.own_data import uploads
    from pages.own_data.uploaded_tables import UploadedFile, keep_file, kept_file
    from qcore import InvalidInput

    def frame(n):
        return pd.DataFrame({"x": range(n), "label": [0, 1] * (n // 2)})

    for name in st.session_state.get("tables", ()):
        try:
            uploads.add(frame(80_000), uploads.UploadedTable(name, name, "label"))
        except InvalidInput as error:
            st.error(str(error))
    for place in st.session_state.get("files", ()):
        keep_file(place, UploadedFile("x.csv", bytes(10**6), uploads.owner()))
        kept_file(place)
    if st.session_state.get("forget"):
        uploads.forget()


@pytest.fixture
def held(monkeypatch):
    gc.collect()
    result = Held(10 * MEGABYTE, 3 * MEGABYTE)
    monkeypatch.setattr(uploads, "_HELD", result)
    return result


def page(**state):
    app = AppTest.from_function(keep_and_drop)
    for key, value in state.items():
        app.session_state[key] = value
    app.run()
    assert not app.exception
    return app


def test_the_tables_of_a_page_have_a_sum(held):
    app = page(tables=["one", "two", "three", "four"])
    assert len(app.error) == 2
    assert "must take at most 400 MB on this server" in app.error[0].value
    before = held.n()
    assert MEGABYTE < before <= 3 * MEGABYTE
    app.session_state["tables"] = ["one", "two"]
    assert not app.run().error, "a table that comes again takes the place of the former one"
    assert held.n() == before
    app.session_state["forget"] = True
    app.run()
    assert held.n() == 0


def test_a_file_for_which_there_is_no_room_is_not_kept_and_it_is_said(held):
    app = page(files=["one", "two", "three", "four"])
    assert len(app.warning) == 1
    assert held.n() == 3 * 10**6


def test_what_a_closed_page_kept_is_free_again(held):
    app = page(files=["one", "two"])
    assert held.n() == 2 * 10**6
    del app
    gc.collect()
    assert held.n() == 0


def test_all_pages_together_have_a_sum(held):
    pages = [page(files=["one", "two", "three"]) for _ in range(4)]
    assert [len(app.warning) for app in pages] == [0, 0, 0, 2]
    assert held.n() == 10 * 10**6
