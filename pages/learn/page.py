"""The page "Learn": lessons that lead over the app's pages, and every term in a sentence."""

import streamlit as st

from pages.frame.navigation import listed_page
from pages.learn.cards import cards
from pages.settings import control

control.check_url()
control.show_notices()
st.title(listed_page("learn").title)
cards()
