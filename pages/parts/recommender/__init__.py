"""The parts of the page "Recommender"."""
