"""Quantifiers on classifier scores, and the registry QUANTIFIERS. The contract is in base.py."""

from qcore.quantifiers.base import Entry, Quantifier
from qcore.quantifiers.catalog import FAMILIES, QUANTIFIERS, make_quantifiers

__all__ = ["FAMILIES", "QUANTIFIERS", "Entry", "Quantifier", "make_quantifiers"]
