"""Losses between a true and an estimated prevalence, of two classes and of more (registry LOSSES).

A loss takes `true` and `estimated` of shape (..., n_classes) and returns shape (...). Binary problems may instead pass
positive prevalences of any shape to `Loss.binary`.
"""

from qcore.losses.catalog import LOSSES
from qcore.losses.loss import PROPERTIES, Loss
from qcore.losses.smoothing import SMOOTHINGS, Smoothing, smooth

__all__ = ["LOSSES", "PROPERTIES", "SMOOTHINGS", "Loss", "Smoothing", "smooth"]
