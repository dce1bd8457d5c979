"""The parts of the page "Data sets"."""
