"""Quantification Lab: page configuration, navigation, and what the server adds to Streamlit's.

`streamlit run app.py` runs this file for two purposes: once to get the server, and in each session to draw the app.
"""

import streamlit as st

from pages import listed, server
from pages.frame import layout, navigation
from pages.frame.citation import about
from pages.frame.stage import keep_address, stage
from pages.frame.words import choose_words
from pages.handout.save_run import recorded
from pages.learn.classroom.routes import classroom_routes
from pages.learn.classroom.store import classrooms
from pages.learn.place import follow
from pages.learn.strip import strip
from pages.settings import control
from pages.settings.address import complete_address
from pages.work import turns

if st.runtime.exists():
    with turns.turn():
        layout.style()
        shown, page = navigation.chosen(listed.PAGES)
        st.set_page_config(
            page_title=navigation.window_title(shown.title), page_icon="⚖️", layout="wide", menu_items={"About": about()}
        )
        control.carry_settings(shown.name)
        navigation.draw_again_when_connected_again()
        stage()
        where = follow(shown.name)
        choose_words("" if where.step is None else where.step.lesson.language)
        keep_address()
        with strip(where, shown.name), recorded(shown):
            page.run()
            complete_address(shown.name)
else:
    server.prepare()
    app = st.App(
        __file__,
        routes=[*server.routes(), *classroom_routes()],
        middleware=server.middleware(),
        lifespan=server.warm(classrooms().delete_old),
    )
