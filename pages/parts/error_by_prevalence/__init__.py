"""The parts of the page "Error by prevalence"."""
