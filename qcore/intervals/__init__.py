"""Uncertainty: the standard deviation of an estimate from one sample, by the delta method."""
