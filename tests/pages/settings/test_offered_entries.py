"""A setting that offers entries of a registry offers all of them, but for those that an entry itself leaves out."""

import pytest

from pages.settings.page_declaration import SETTINGS
from pages.settings.shared import QUANTIFIERS_OF_FAMILIES
from qcore import CLASSIFIERS, DATASETS, LOSSES, MEASURES, QUANTIFIERS
from qcore.losses import ORDERED_LOSSES
from qcore.protocols import PROTOCOLS
from qcore.scoring.calibration import CALIBRATIONS

REGISTRIES = {
    "losses": LOSSES,
    "losses of ordered classes": ORDERED_LOSSES,
    "quantifiers": QUANTIFIERS,
    "classifiers": CLASSIFIERS,
    "measures": MEASURES,
    "protocols": PROTOCOLS,
    "calibrations": CALIBRATIONS,
    "data sets": DATASETS,
}
LEFT_OUT = {
    "compared_loss": lambda loss: loss.signed,
    "class_loss": lambda loss: loss.signed,
    "own_losses": lambda loss: loss.signed,
    "own_calibrations": lambda entry: entry is CALIBRATIONS["none"],
    "own_protocol": lambda entry: entry is PROTOCOLS["APP on the simplex"],
    "inspected_method": lambda entry: entry.inspect is None,
    "matrix": lambda entry: not (entry.takes_all_classes and entry.adjusts),
    "class_protocol": lambda entry: not entry.takes_all_classes,
    "calibrations": lambda entry: entry is CALIBRATIONS["none"],
}
LEFT_OUT |= dict.fromkeys(("measure", "cperf", "qperf"), lambda measure: measure.best != 1.0)
"""Setting -> what an entry says of itself where it is not offered."""

OF_ANOTHER_KIND = {("classifiers", "compared_methods"), ("classifiers", "bar_methods")}
"""Methods of an experiment: pairs of a classifier and a quantifier, some of which are called as their classifier is."""


@pytest.mark.parametrize("kind", REGISTRIES)
def test_all_entries_are_offered_where_some_are(kind):
    entries = REGISTRIES[kind]
    offering = {key: {option for option in setting.options if option in entries} for key, setting in SETTINGS.items()}
    for key, found in offering.items():
        if len(found) > 1 and key not in QUANTIFIERS_OF_FAMILIES and (kind, key) not in OF_ANOTHER_KIND:
            left_out = LEFT_OUT.get(key, lambda _: False)
            assert found == {name for name, entry in entries.items() if not left_out(entry)}, key


def test_each_quantifier_is_offered_in_its_family():
    assert {key for setting in QUANTIFIERS_OF_FAMILIES.values() for key in setting.options} == set(QUANTIFIERS)
