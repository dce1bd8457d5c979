"""The parts of the page "Losses": two estimates compared, properties, how to choose a loss."""
