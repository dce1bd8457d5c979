"""The digest of an object changes with what it does, and with nothing else."""

import subprocess
import sys
from functools import partial
from types import SimpleNamespace

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from qcore.evaluation.experiment.digest import digest
from qcore.quantifiers import AdjustedCount
from tests.browser.server import ROOT

TEXT = '''
class Base:
    def predict(self, scores):
        """What it does."""
        return 0.1

class Own(Base):
    limit = 3

    def __init__(self, **settings):
        self.__dict__.update(settings)

    @staticmethod
    def half(x):
        return x / 2

    @property
    def twice(self):
        return 2
'''


def own(text=TEXT):
    names = {"__name__": "__main__"}
    exec(text, names)
    return names["Own"]


class Keeps:
    def __init__(self, value):
        self._value = value


class Slots:
    __slots__ = ("share",)

    def __init__(self, share):
        self.share = share


def made(k):
    return Keeps(lambda: k)


def twice(x):
    return 2 * x


ONE, OTHER = [1.5], Keeps(1)
OTHER.itself = OTHER


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (Keeps(0.1), Keeps(0.9)),
        (Keeps(1), Keeps(1.0)),
        (Slots(0.1), Slots(0.9)),
        (own()(v=1), own()(v=2)),
        (made(0.1), made(0.9)),
        (Keeps([lambda x: x]), Keeps([lambda x: x + 1])),
        (Keeps(partial(twice, 1)), Keeps(partial(twice, 2))),
        (Keeps(partial(lambda x: x, 1)), Keeps(partial(lambda x: -x, 1))),
        (Keeps(np.arange(5000)), Keeps(np.arange(5000) + (np.arange(5000) == 2500))),
        (Keeps({"a": 1}), Keeps({"a": 2})),
        (LogisticRegression(C=1), LogisticRegression(C=2)),
        (AdjustedCount(), AdjustedCount().fit([0.9, 0.1], [1, 0])),
        (own()(), own(TEXT.replace("0.1", "0.9"))()),
        (own()(), own(TEXT.replace("x / 2", "x / 3"))()),
        (own()(), own(TEXT.replace("return 2", "return 4"))()),
        (own()(), own(TEXT.replace("limit = 3", "limit = 4"))()),
        (SimpleNamespace(a=1), SimpleNamespace(a=2)),
        (lambda xs: ["a" for _ in xs], lambda xs: ["b" for _ in xs]),
    ],
)
def test_what_does_something_else_has_another_digest(one, other):
    assert digest(one) != digest(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (Keeps(0.1), Keeps(0.1)),
        (made(0.1), made(0.1)),
        (Keeps([ONE, ONE]), Keeps([[1.5], [1.5]])),
        (OTHER, OTHER),
        (own()(), own(TEXT.replace("What it does.", "In other words."))()),
        (own()(), own("# A comment.\n" + TEXT.replace("    limit = 3", "    # A comment.\n    limit = 3"))()),
        (LogisticRegression(), LogisticRegression()),
    ],
)
def test_what_does_the_same_has_the_same_digest(one, other):
    assert digest(one) == digest(other)


def test_it_is_the_same_in_each_process():
    code = (
        "from qcore.evaluation.experiment.digest import digest\n"
        "from sklearn.svm import SVC\n"
        "sets = [frozenset(['sum', 'mean', 'max']), {'b': {'x', 'y'}, 'a': 1}]\n"
        "print(digest([*sets, SVC(C=2.0), lambda x: x in {'a', 'b', 'c'}]))"
    )
    words = [sys.executable, "-c", code]
    found = {subprocess.run(words, capture_output=True, text=True, check=True, cwd=ROOT).stdout for _ in range(3)}
    assert len(found) == 1
