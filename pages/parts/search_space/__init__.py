"""The parts of the page "Search space": the surface, the learners, the iris example."""
