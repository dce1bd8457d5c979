"""The parts of the page "More than two classes"."""
