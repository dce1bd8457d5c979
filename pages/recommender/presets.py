"""The presets of the page "Recommender"."""

from typing import Final

from pages.settings.page import Preset

PRESETS: Final = (
    Preset(
        "The paper's candidates",
        "MS, DyS-PS and SORD on classes that overlap, with samples of 10 to 100: MLQ is level with DyS-PS alone. Compare it "
        "with TOP, which shows what a perfect choice would be worth.",
        {},
    ),
    Preset(
        "Too little to learn from",
        "A small data set: half of the 284 training instances train the candidates, and the recommender learns from the "
        "other half. That is too little: DyS-PS alone does better.",
        {"data": "wdbc"},
    ),
    Preset(
        "Samples of up to 500",
        "5,000 instances with classes that overlap. Here MLQ is not clearly different from DyS-PS alone: compare it with "
        "TOP, which shows what a perfect choice would be worth.",
        {"data": "waveform", "sizes": "10 20 50 100 200 500"},
    ),
    Preset(
        "Candidates that differ",
        "CC, AC and DyS-PS on scores that are not probabilities: the recommender is far better than a random choice, but no "
        "better than its best candidate alone.",
        {
            "data": "digits",
            "positive": "8",
            "classifier": "Gaussian naive Bayes",
            "sizes": "5 10 20 40",
            "candidates": ["CC", "AC", "DyS-PS"],
        },
    ),
)
