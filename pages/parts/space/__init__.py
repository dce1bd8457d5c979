"""The parts of the page "Search space": a measure over all tables, what lands on it, the conflict of Figure 6.1."""
