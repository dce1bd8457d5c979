"""The parts of the page "Corrections": the linked charts, the inside of a method, a trend, a broken assumption."""
