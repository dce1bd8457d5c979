"""The page "Home": what goes wrong when one just classifies and counts, and links to the other pages."""

from collections.abc import Sequence

import streamlit as st

from pages import pipeline
from pages.charts.chart import DraggedValue, chart
from pages.charts.dragged_slider import drag_bar, dragged_text
from pages.frame.citation import citation
from pages.frame.downloads import SETUP, scoring
from pages.frame.layout import card_grid, narrow_row, pinned, whole_card, wide_row
from pages.frame.navigation import open_page, streamlit_page
from pages.frame.page_frame import first_viewport
from pages.frame.presets import choose
from pages.frame.recording import RIGHT_COUNT, is_withheld, record
from pages.home.computations import todays_digits
from pages.home.today import digit_tiles, explanation, today_figure, today_headlines
from pages.settings import control
from pages.settings.address import url_words
from pages.settings.number_text import percentage
from pages.settings.page_declaration import PAGES, Page
from pages.settings.setting import Preset, percent
from pages.settings.shared import OWN_SAMPLE
from pages.work.refusals import show_invalid_input
from pages.work.turns import fragment
from qcore import QUANTIFIERS, ArtificialPrevalence, DatasetReference, InvalidInput, ScoringSettings
from qcore.base import registry

PAGE_SETTINGS = registry(percent("today", "true prevalence today", 0.1).with_label("True share of 8s today", step=0.01))

_DOORS = (
    ("learn", "See how it works", "Nine lessons, alone or with a class: predict, then look."),
    ("estimate", "I have data", "An estimate from your own files, its interval, and whether to trust it."),
)
"""Page, what the link says, and what waits behind it."""

_QUESTIONS = {
    "error_by_prevalence": f"{len(QUANTIFIERS)} quantifiers: which errs least where?",
    "corrections": "What do tpr and fpr repair, and when does it explode?",
    "classifier": "Its ROC curve, its costs, its probabilities.",
    "test_size": "Is the best on 500 instances also the best on 10?",
    "more_than_two_classes": "Three classes on a triangle, or ten.",
    "compare": "Many data sets: which differences are more than chance?",
    "search_space": "What does a measure reward? Turn its surface.",
    "data_sets": "What is here, and how to bring your own.",
}
"""Name of a page -> what Home says of it. Home shows the page's own question for a page without an entry."""


def starts() -> list[tuple[str, Preset]]:
    """The cards of Home: page and preset."""
    of_errors, of_measures = PAGES["error_by_prevalence"].presets, PAGES["search_space"].presets[2:]
    return [
        *(("error_by_prevalence", preset) for preset in of_errors),
        ("test_size", PAGES["test_size"].presets[0]),
        ("test_size", PAGES["test_size"].presets[-1]),
        *(("search_space", preset) for preset in of_measures),
    ]


_EXAMPLES = {
    "Textbook case": "Counting is right at the training share, the corrections everywhere.",
    "Rare positives": "One positive in ten: CC and AC estimate 0 whatever the truth.",
    "Weak classifier": "It finds half of the positives: the count hardly moves.",
    "Tiny training set": "28 training instances: tpr and fpr are rough guesses.",
    "From 10 to 100": "Larger samples reduce the noise of counting, not its bias.",
    "Candidates that differ": "A recommender that is no better than its best candidate.",
    "Two perfect quantifiers": "Both count right; one misses every positive.",
    "Learners that count": "Learners that optimise the count, and what AC repairs.",
}
"""Name of a preset -> what Home says of it; its page says more."""


def doors() -> None:
    """Draw two large links: to the lessons, and to the page for the user's own data."""
    for column, (name, title, text) in zip(narrow_row("doors", len(_DOORS)), _DOORS, strict=True):
        with column, whole_card(f"door-{name}"):
            if name == "estimate":
                open_page(name, f"**{title}** →", {"way": OWN_SAMPLE})
            else:
                st.page_link(streamlit_page(name), label=f"**{title}** →")
            st.write(text)


def start_links() -> None:
    """Draw links to the pages of the group "Explore" and to the data, and a card for each preset to start from."""
    with card_grid("pages"):
        for one in [*PAGES.of_group("Explore"), PAGES["data_sets"]]:
            with whole_card(f"page-{one.name}"):
                st.page_link(streamlit_page(one.name), label=f"**{one.title}**")
                st.write(_QUESTIONS.get(one.name, one.question))
    st.header("Or start from an example")
    with card_grid("examples"):
        for number, (page, preset) in enumerate(starts()):
            with whole_card(f"start-{number}"):
                # A button, not a link: a link could not reset settings that this session has changed.
                if st.button(preset.name, key=f"card {preset.name}", on_click=choose, args=(page, preset), type="tertiary"):
                    st.switch_page(streamlit_page(page), query_params=url_words(preset.settings))
                st.write(_EXAMPLES.get(preset.name, preset.why))


def python_source(
    data: DatasetReference, settings: ScoringSettings, protocol: ArtificialPrevalence, methods: Sequence[str]
) -> str:
    """A script that gives the mean estimate by true prevalence with qcore alone."""
    return (
        f"{SETUP}"
        "from qcore import ArtificialPrevalence, ScoringSettings, evaluation_report\n"
        "from qcore import load_dataset, read_dataset, score_dataset\n\n"
        f"{scoring(data, settings)}"
        f"report = evaluation_report(scores, {list(methods)!r}, {protocol!r}, seed={settings.seed!r})\n"
        'means = report.groupby(["method", "true"], sort=False).estimate.mean().reset_index()\n'
        "print(means)\n"
        'px.line(means, x="true", y="estimate", color="method", markers=True).show()\n'
    )


DATA, METHODS = DatasetReference("bundled", "digits"), ("CC", "AC")
SETTINGS = ScoringSettings("8", seed=93, training_share=0.25, training_prevalence=0.4)
"""In training 40% were 8s, and there the count of this good classifier is right: what goes wrong is that the share moves."""
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
            drag_bar("today", "True share of 8s today", SHARES, SHARES[index], percent=True, exact=False)
        with parts.headline:
            st.markdown(
                f"A classifier looks for 8s among 100 digits. In training {percentage(shown.training_share)} were 8s. "
                "How many are there today?"
            )
            dragged_text("today", "today", SHARES, today_headlines(SHARES, shown.means), SHARES[index], headline=True)
        with parts.hero:
            left, beside = wide_row("home", [3, 2], align="top")
            with left:
                right = None if is_withheld(RIGHT_COUNT) else shown.counting_is_right
                dragged = today_figure(shown.table, SHARES, 10, training_share=shown.training_share, counting_is_right=right)
                alt = "Mean estimate by true share: counting crosses the truth once; the corrected estimate follows it."
                follows = [DraggedValue("today", dragged, index, [])]
                chart(
                    dragged.figure,
                    key="home",
                    alt=alt,
                    follows=follows,
                    drags="today",
                    sentence_height=0,
                    made="Estimated share of 8s among digits: logistic regression, samples of 80",
                )
            with beside:
                digit_tiles(shown.tiles, shown.images, "today", SHARES[index])
                st.caption(
                    "Framed: taken for an 8; dashed: wrongly. This is one sample; the numbers above are means over many."
                )
        with parts.notes:
            doors()
            st.markdown("**Drag the line** away from the share of training, then look at the frames: which errors grow?")
            n_training = len(scores.training_labels)
            st.markdown(explanation(scores.rates, shown.training_share, n_training, shown.means[0]["CC"]))


def draw() -> None:
    """Draw the page."""
    control.check_url()
    control.show_notices()
    today()
    with st.container(key="go-on"):
        st.header("Go on")
        start_links()
    st.caption(
        "UCI digits, logistic regression; means and 10th to 90th percentiles of 100 samples of 80 at each true prevalence. "
        "Counted is classify and count (CC), corrected the adjusted count (AC)."
    )
    citation()


PAGE = Page(
    name="home",
    question="How many, not which.",
    draw=draw,
    settings=PAGE_SETTINGS,
    charts=("home",),
)
