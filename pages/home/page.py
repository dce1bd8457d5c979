"""The page "Home": what goes wrong when one just classifies and counts, and links to the other pages."""

from typing import Final

import streamlit as st

from pages import pipeline
from pages.charts.chart import DraggedValue, chart
from pages.charts.drag_bar import drag_bar
from pages.charts.dragged_text import dragged_text
from pages.frame.computed import record
from pages.frame.layout import pinned, wide_row
from pages.frame.page_frame import first_viewport
from pages.home.computations import todays_digits
from pages.home.digit_tiles import digit_tiles
from pages.home.findings import explanation, today_headlines
from pages.home.script import python_source
from pages.home.settings import SETTINGS as PAGE_SETTINGS
from pages.home.start_links import doors, start_links
from pages.home.today_figure import today_figure
from pages.settings import control
from pages.settings.page_declaration import Page
from pages.work.refusals import show_invalid_input
from pages.work.turns import fragment
from qcore import ArtificialPrevalence, DatasetReference, InvalidInput, ScoringSettings

DATA, METHODS = DatasetReference("bundled", "digits"), ("CC", "AC")
SETTINGS = ScoringSettings(positive="3", classifier="Gaussian naive Bayes")
PROTOCOL = ArtificialPrevalence(grid=21, sample_size=80, repeats=100)
SHARES = [step / 100 for step in range(101)]


@fragment
def today() -> None:
    """Draw the picture and the control of the true share: the whole picture follows while the share is dragged."""
    try:
        scores = pipeline.scores(DATA, SETTINGS)
        shown = todays_digits(scores, PROTOCOL, METHODS, SHARES)
    except InvalidInput as error:
        show_invalid_input(error)
        return
    record("home", table=shown.table, means=shown.means)
    with first_viewport("home") as parts:
        parts.downloads.source = python_source(DATA, SETTINGS, PROTOCOL, METHODS)
        with parts.bar, pinned("below-picture"):
            index = round(100 * control.hidden_number_box(PAGE_SETTINGS["today"]))
            drag_bar("today", "True share of 3s today", SHARES, SHARES[index], percent=True, exact=False)
        with parts.headline:
            st.markdown("A classifier looks for 3s among 100 digits. How many are there?")
            dragged_text("today", "today", SHARES, today_headlines(SHARES, shown.means), SHARES[index], headline=True)
        with parts.hero:
            left, right = wide_row("home", [3, 2], align="top")
            with left:
                dragged = today_figure(shown.table, SHARES, 20)
                alt = (
                    "Mean estimate by true share: counting rises less than the truth and crosses it once; the corrected "
                    "estimate follows it."
                )
                follows = [DraggedValue("today", dragged, index, [])]
                chart(
                    dragged.figure, key="home", alt=alt, follows=follows, drags="today", sentence_height=0,
                    made="Estimated share of 3s among digits: Gaussian naive Bayes, samples of 80",
                )  # fmt: skip
            with right:
                digit_tiles(shown.tiles, shown.images, "today", SHARES[index])
                st.caption(
                    "A frame marks a digit that the classifier takes for a 3; a dashed frame, wrongly. This is one sample of "
                    "a hundred; the numbers above are means over many samples."
                )
        with parts.notes:
            st.markdown("**At which share is counting right?** Drag the line, then look at the frames.")
            st.markdown(explanation(scores.rates, shown.means[0]["CC"]))
            doors()


def draw() -> None:
    """Draw the page."""
    control.check_url()
    control.show_notices()
    today()
    with st.container(key="go-on"):
        st.header("Go on")
        start_links()
    st.caption(
        "UCI digits, Gaussian naive Bayes; means and 10th to 90th percentiles of 100 samples of 80 at each true prevalence. "
        "Counted is classify and count (CC), corrected the adjusted count (AC)."
    )


PAGE: Final = Page(
    name="home",
    question="How many, not which.",
    draw=draw,
    settings=PAGE_SETTINGS,
    charts=("home",),
)
