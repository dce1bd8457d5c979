"""The parts of the page "Test size", and the controls that it shares with "Recommender"."""
