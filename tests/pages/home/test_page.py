"""The page "Home" through app.py: what it shows, what its value moves, and its cards."""

import json

import numpy as np
import pytest

from pages import pipeline
from pages.home.page import _EXAMPLES, starts
from pages.settings.shared import OWN_SAMPLE
from qcore import ArtificialPrevalence, DatasetReference, ScoringSettings
from qcore.studies.search_space import learner_estimates
from tests.pages.app import ERROR_PAGE, captions, components, figures, fine, go_to, lines, run, sentence, sentences


def what_the_preset_of_learners_says_is_so():
    scores = {
        key: pipeline.scores(DatasetReference("bundled", "waveform"), ScoringSettings("0", key))
        for key in ("SVM-Q0.5", "SVM-NAS")
    }
    (tpr, false), (other_tpr, other_false) = (result.rates for result in scores.values())
    assert false > 1.9 * other_false
    assert tpr > other_tpr + 0.1
    protocol = ArtificialPrevalence(21, 100, 20)
    means = {
        with_what: {key: float(losses.mean()) for key, losses in result.losses("AE").by_method.items()}
        for with_what in ("CC", "AC")
        for result in [learner_estimates(scores, with_what, protocol, 0)]
    }
    assert means["CC"]["SVM-Q0.5"] > means["CC"]["SVM-NAS"]
    assert means["AC"]["SVM-Q0.5"] < means["CC"]["SVM-Q0.5"] / 2


CLAIMS = {"Learners that count": what_the_preset_of_learners_says_is_so}
"""What a preset says, shown with the scores that its card has just made."""


def test_teaches_with_zero_clicks():
    app = fine(run())
    (figure,) = figures(app)
    text = lines(figure)
    assert {"CC", "AC", "Truth", "today"} <= set(text)
    shares = np.array(text["CC"]["x"])
    cc, ac = (np.subtract(text[m]["y"], text[m]["x"]) for m in ("CC", "AC"))
    assert cc[0] > 0.08, "too much where there are none"
    assert cc[-1] < -0.13, "too little where there are no others"
    assert np.abs(ac).max() < 0.025, "what goes wrong is mended"
    (mark,) = figure["layout"]["shapes"]
    near = np.abs(shares - mark["x0"]) < 0.06
    assert np.abs(cc[near]).max() < 0.03, "without a shift, the count is right"
    (right,) = text["counting is right"]["x"]
    assert abs(right - mark["x0"]) < 0.015
    assert np.interp(right, shares, text["CC"]["y"]) == pytest.approx(right)


def test_there_are_two_doors_and_a_card_for_each_page_that_explores():
    labels = [element.proto.label for element in fine(run()).get("page_link")]
    start = labels.index("Quantification Lab")
    door, menu = labels[0], labels[start:]
    assert door == "**See how it works** →"
    assert labels[1:start] == [f"**{title}**" for title in menu[2:] if title != "Estimate"]


def test_the_door_for_data_opens_the_place_for_files():
    app = run()
    app.session_state["way"] = "counts"
    next(button for button in app.button if button.label == "**I have data** →").click().run()
    assert app.session_state["way"] == OWN_SAMPLE, "whatever was chosen there before"


def test_the_truth_moves_the_numbers():
    app = run()
    assert sentence(app, "today").startswith("In truth 10% are 8s. Counted: 16%. Corrected: 9%.")
    app.number_input(key="today").set_value(0.9).run()
    assert sentence(fine(app), "today").startswith("In truth 90% are 8s.")
    (data,) = components(app, "kept_chart")
    assert json.loads(data["follows"])[0]["values"][data["indices"][0]] == 0.9
    (tiles,) = components(app, "digit_tiles")
    assert tiles["value"] == 0.9


def test_everything_follows_one_value():
    app = run()
    (bar,) = components(app, "dragged")
    (data,) = components(app, "kept_chart")
    (follow,) = json.loads(data["follows"])
    assert follow["name"] == bar["name"] == data["drags"] == "today"
    assert follow["values"] == bar["values"]
    assert len(sentences(app, "today")) == len(follow["frames"]) == 101


def test_the_words_agree_with_the_numbers():
    text = " ".join(element.value for element in run().markdown)
    counted = sentences(run(), "today")[0].split("Counted: ")[1].split(".")[0]
    assert f"among digits without an 8 it still counts {counted}" in text
    assert "In training 40% were 8s" in text


def test_every_card_says_in_a_sentence_what_its_example_shows():
    assert set(_EXAMPLES) == {preset.name for _, preset in starts()}


@pytest.mark.parametrize(("page", "preset"), starts(), ids=[preset.name for _, preset in starts()])
def test_a_card_opens_its_preset_whatever_was_set_before(page, preset):
    app = run(data="iris", classifier="Gaussian naive Bayes", seed="9", loss="KLD", positive="setosa")
    go_to(app, ERROR_PAGE).run()
    go_to(app, "home").run()
    app.button(key=f"card {preset.name}").click().run()
    assert preset.why in captions(fine(app))
    section = str(preset.settings.get(f"{page}_section", ""))
    more = {"Two perfect quantifiers": 2, "Learners as quantifiers": 1, "Recommender": -1}.get(section, 0)
    assert len(figures(app)) == {"error_by_prevalence": 2, "test_size": 5, "search_space": 1}[page] + more
    assert all("share more than half" in warning.value for warning in app.warning), "nothing else is amiss"
    CLAIMS.get(preset.name, bool)()
