"""The settings of the page "Data sets"."""

from pages.settings.shared import SIDEBAR_WITHOUT_QUANTIFIERS, TRAINING
from qcore.base import registry

SETTINGS = registry(*SIDEBAR_WITHOUT_QUANTIFIERS.values(), *TRAINING.values())
