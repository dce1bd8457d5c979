"""What the menu "Share" offers for a lecture: the stage, and the views of a talk."""

import streamlit as st

from pages.frame import talk
from pages.frame.stage import PRESENT, TALK, VIEW, present
from pages.frame.words import said
from pages.settings.address import copy_address, query_part
from pages.settings.page_declaration import PAGES


def stage_choices(page: str) -> None:
    """Draw the buttons that put this view on the stage and into the talk, and the talk's views.

    Each button reruns the whole page: the menu may lie in a fragment, which a click would otherwise rerun alone.
    """
    views = talk.talk()
    with st.container(horizontal=True, gap="small"):
        if st.button(said("Present (P)"), key="present", help="Without menus, with text for the last row. Escape leads back."):
            present(True)
            st.rerun()
        full = len(views) >= talk.MOST_VIEWS
        if st.button(
            said("Add to my talk"), key="add_to_talk", disabled=full, help="Views to step through with arrows or a clicker."
        ):
            talk.take([*views, talk.link_of(page)])
            st.rerun()
        if views and st.button(f"{said('Present my talk')} ({len(views)})", key="present_talk"):
            present(True, 1)
            st.rerun()
    if not views:
        return
    with st.expander(f"{said('My talk')}: {len(views)} {said('views' if len(views) > 1 else 'view')}"):
        for number, link in enumerate(views, 1):
            with st.container(horizontal=True, vertical_alignment="center", gap="small"):
                st.markdown(f"{number}. {talk.title(link)}", width="stretch")
                if st.button(said("Earlier"), key=f"talk earlier {number}", disabled=number == 1, type="tertiary"):
                    talk.take([*views[: number - 2], link, views[number - 2], *views[number:]])
                    st.rerun()
                if st.button(said("Remove"), key=f"talk remove {number}", type="tertiary"):
                    talk.take([*views[: number - 1], *views[number:]])
                    st.rerun()
        first = PAGES[talk.page_of(views[0])].path
        words = {PRESENT: ["1"], TALK: [talk.spelt(views)], VIEW: ["1"]}
        query = talk.query_of(views[0]) | words
        st.caption(said("This browser keeps the list; the link brings it to another one."))
        copy_address("talk", f"/{first}{query_part(query)}", said("Copy the link to my talk"))
