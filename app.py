"""Quantification Lab: page configuration and navigation, nothing else.

`streamlit run app.py` reads this file twice over: once to find the server, and in each session to draw the app.
"""

import streamlit as st

from pages.parts import controls, layout, navigation, server, turns

if st.runtime.exists():
    layout.style()
    page = navigation.chosen()
    st.set_page_config(page_title=navigation.window_title(page.title), page_icon="⚖️", layout="wide")
    controls.carry_settings(navigation.page_name(page.title))
    with turns.turn():
        page.run()
else:
    server.prepare()
    app = st.App(__file__, routes=server.routes(), middleware=server.middleware(), lifespan=server.warm)
