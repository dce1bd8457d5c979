"""What the menu "Share" offers for a lecture: the stage, and the views of a talk."""

import streamlit as st

from pages.frame import talk
from pages.frame.recording import section_shown
from pages.frame.stage import PRESENT, TALK, VIEW, present
from pages.frame.words import said
from pages.settings.address import copy_address, query_part
from pages.settings.control import escaped
from pages.settings.page_declaration import PAGES

_FILE_HELP = (
    "One HTML file that works without a network, and is stepped through like the talk. Each view is shown once and recorded: a "
    "second or two for each, and longer where something has yet to be computed."
)


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
        for section in (False, True) if (opened := section_shown(page)) else (False,):
            label = said("Add “{section}” to my talk").format(section=escaped(opened)) if section else said("Add to my talk")
            why = "The view, and on the stage its section." if section else "Views to step through with arrows or a clicker."
            if st.button(label, key=f"add_{'section_' if section else ''}to_talk", disabled=full, help=why):
                talk.take([*views, talk.link_of(page, at_section=section)])
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
        with st.container(horizontal=True, gap="small"):
            copy_address("talk", f"/{first}{query_part(query)}", said("Copy the link to my talk"))
            if st.button(said("Save my talk as one file"), key="save_talk", help=_FILE_HELP):
                talk.save(page)
                st.rerun()
