"""The parts of the page "Corrections": threshold adjustment, method inspection, trend, dataset shift."""
