"""What goes wrong when one just classifies and counts, and where to go on."""

import streamlit as st

from pages.figures.prevalence_curves import estimate_figure
from pages.parts import cached, controls
from pages.parts.chart import chart
from pages.parts.home.start_links import start_links
from pages.parts.layout import wide_row
from pages.parts.links import copy_link
from qcore import ArtificialPrevalence, ScoringSettings
from qcore.evaluation.summaries import curves, means_at

DATA, METHODS = "digits", ("CC", "AC")
SETTINGS = ScoringSettings(positive="3", classifier="Gaussian naive Bayes")
PROTOCOL = ArtificialPrevalence(grid=21, sample_size=80, repeats=100)


@st.fragment
def today() -> None:
    """One picture, and one value to move."""
    scores = cached.scores(DATA, SETTINGS)
    estimates = cached.estimates(DATA, SETTINGS, PROTOCOL, METHODS, scores)
    table = curves(estimates.by_method, estimates.samples)
    tpr, fpr = scores.rates
    count_at_zero = float(table[table.method == "CC"]["mean"].iloc[0])
    left, right = wide_row("home", [3, 2])
    with right:
        truth = controls.slider("today", "True share of 3s today", 0.0, 1.0, 0.01)
        means = means_at(table, truth)
        with st.container(horizontal=True, gap="large"):
            st.metric("Truth", f"{truth:.2f}", width="content")
            for method, name in (("CC", "Counted"), ("AC", "Corrected")):
                error = f"{means[method] - truth:+.2f}"
                st.metric(name, f"{means[method]:.2f}", error, delta_color="off", delta_arrow="off", width="content")
        st.markdown(
            f"How many of today's handwritten digits are 3s? In training, a classifier found {tpr:.0%} of the 3s (its *tpr*), "
            f"but also took {fpr:.0%} of the other digits for a 3 (its *fpr*). So **counting its predictions** "
            f"says {count_at_zero:.2f} even where there are none. The **adjusted count** turns that around: subtract the "
            "fpr, divide by tpr - fpr."
        )
        st.markdown("*Now move the truth. Where does counting happen to be right?*")
        copy_link({"today": truth})
    with left:
        title = "Counting bends, correcting mends"
        figure = estimate_figure(table, scores.training_prevalence, title=title, today=truth)
        chart(
            figure,
            key="home",
            alt="Mean estimate by true prevalence. "
            f"At {truth:.2f} counting gives {means['CC']:.2f}, correcting {means['AC']:.2f}.",
        )


st.title("Quantification Lab")
st.markdown(
    "**How many, not which.** Quantification estimates the share of each class in a sample that nobody has labelled. "
    "The obvious way, to classify each instance and count, is right for one share of positives only, and wrong for all others."
)
controls.check_url()
controls.show_notices()
today()
st.caption(
    "UCI digits, Gaussian naive Bayes; means and 10th to 90th percentiles of 100 samples of 80 at each true prevalence. "
    "CC is classify and count, AC the adjusted count."
)

st.header("Go on")
start_links()
