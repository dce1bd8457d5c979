"""Losses between a true and an estimated prevalence, of two classes and of more (registries LOSSES and ORDERED_LOSSES).

A loss takes `true` and `estimated` of shape (..., n_classes) and returns shape (...). Binary problems may instead pass
positive prevalences of any shape to `Loss.binary`.
"""

from qcore.losses.catalog import LOSSES, ORDERED_LOSSES, UNSIGNED_LOSSES
from qcore.losses.loss import PROPERTIES, SMOOTHINGS, Loss, Smoothing, smooth

__all__ = ["LOSSES", "ORDERED_LOSSES", "PROPERTIES", "SMOOTHINGS", "UNSIGNED_LOSSES", "Loss", "Smoothing", "smooth"]
