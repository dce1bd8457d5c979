"""The settings of the page "Data sets"."""

from typing import Final

from pages.settings.setting import section
from pages.settings.shared import SIDEBAR_WITHOUT_QUANTIFIERS, TRAINING
from qcore.base import registry

SECTIONS: Final = ("Picture", "Features", "Where it comes from", "Data sets of the papers")

SETTINGS: Final = registry(*SIDEBAR_WITHOUT_QUANTIFIERS.values(), *TRAINING.values(), section("data_sets", SECTIONS))
