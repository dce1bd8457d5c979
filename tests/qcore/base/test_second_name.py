"""A second name of the package: the same modules. `tests/test_distributions.py` tries it on what is installed."""

import importlib
import sys

import pytest

import qcore
from qcore._base.second_name import make_known_as

NAME = "also_qcore"


@pytest.fixture(autouse=True)
def second_name():
    make_known_as(NAME)
    yield
    del sys.meta_path[0]
    for name in [name for name in sys.modules if name.partition(".")[0] == NAME]:
        del sys.modules[name]


@pytest.mark.parametrize("module", ["", ".losses", ".losses.catalog", ".evaluation.experiment.cell"])
def test_a_module_is_the_same_by_either_name(module):
    real = importlib.import_module(f"qcore{module}")
    specification = real.__spec__
    assert importlib.import_module(f"{NAME}{module}") is real
    assert real.__spec__ is specification
    assert real.__name__ == f"qcore{module}"


@pytest.mark.parametrize("module", ["no_such_room", "no_such_room.module"])
def test_what_there_is_not_is_not_found(module):
    with pytest.raises(ModuleNotFoundError, match=f"No module named '{NAME}.no_such_room'"):
        importlib.import_module(f"{NAME}.{module}")
    assert qcore.__name__ == "qcore"
