"""The parts of the page "Estimate"."""
