"""Quantification Lab: page configuration and navigation, nothing else.

`streamlit run app.py` reads this file twice over: once to find the server, and in each session to draw the app.
"""

import streamlit as st

from pages.parts import controls, layout, server

if st.runtime.exists():
    st.set_page_config(page_title="Quantification Lab", page_icon="⚖️", layout="wide")
    layout.style()
    page = st.navigation(
        [
            st.Page("pages/home.py", title="Quantification Lab", default=True),
            st.Page("pages/error_by_prevalence.py", title="Error by prevalence", url_path="error-by-prevalence"),
            st.Page("pages/corrections.py", title="Corrections", url_path="corrections"),
            st.Page("pages/classifier.py", title="Classifier", url_path="classifier"),
            st.Page("pages/test_size.py", title="Test size", url_path="test-size"),
            st.Page("pages/recommender.py", title="Recommender", url_path="recommender"),
            st.Page("pages/search_space.py", title="Search space", url_path="search-space"),
        ]
    )
    controls.carry_settings(page.url_path)
    page.run()
else:
    server.use_navigation_only()
    app = st.App(__file__, routes=server.routes(), middleware=server.middleware(), lifespan=server.warm)
