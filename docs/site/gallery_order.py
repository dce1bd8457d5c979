"""The order of the examples: from the first thing that one does on."""

from pathlib import Path

ORDER = (
    "first_estimate",
    "own_classifier_in_a_pipeline",
    "choose_a_model_for_counting",
    "experiment",
    "quapy_beside_ours",
)


def place(path: str) -> int:
    """The place of a script in the gallery."""
    return ORDER.index(Path(path).stem)
