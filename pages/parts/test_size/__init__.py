"""The parts of the page "Test size": heatmaps, comparisons, sample overlap."""
