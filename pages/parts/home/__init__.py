"""The parts of the page "Home": where to go on, and its setting."""
