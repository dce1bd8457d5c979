"""The bundled data sets: UCI's that scikit-learn ships, those whose instances a rule lists, and one that is generated."""

from collections.abc import Callable
from itertools import product

import numpy as np
import pandas as pd
from sklearn.datasets import load_breast_cancer, load_digits, load_iris, load_wine

from qcore.datasets.dataset import Dataset
from qcore.datasets.preparation import as_labels


def iris() -> Dataset:
    """Iris Plants: 150 instances, 4 features, 3 classes (Barranquero 2013, Table 5.2: iris.1-3)."""
    bunch = load_iris(as_frame=True)
    return Dataset(
        key="iris",
        name="Iris Plants",
        features=bunch.data,
        labels=as_labels(bunch.target_names[bunch.target]),
        description="150 iris flowers, 4 lengths and widths of petal and sepal each; which of 3 species is it?",
        source="UCI Machine Learning Repository, data set 53 (Fisher's values, which differ from UCI's copy in 2 rows)",
        citation="Fisher, R. A. (1936). Iris. UCI Machine Learning Repository. doi:10.24432/C56C76",
        default_positive="virginica",
    )


def wine() -> Dataset:
    """Wine Recognition: 178 instances, 13 features, 3 classes (Barranquero 2013, Table 5.2: wine.1-3)."""
    bunch = load_wine(as_frame=True)
    return Dataset(
        key="wine",
        name="Wine Recognition",
        features=bunch.data,
        labels=as_labels((bunch.target + 1).to_numpy()),
        description="178 Italian wines, 13 chemical measurements each; which of 3 cultivars were they made from?",
        source="UCI Machine Learning Repository, data set 109",
        citation="Aeberhard, S. & Forina, M. (1992). Wine. UCI Machine Learning Repository. doi:10.24432/C5PC7J",
        default_positive="2",
        order=(),
    )


def wdbc() -> Dataset:
    """Wisconsin Diagnostic Breast Cancer: 569 instances, 30 features, 212 malignant (Barranquero 2013, Table 5.2: wdbc)."""
    bunch = load_breast_cancer(as_frame=True)
    return Dataset(
        key="wdbc",
        name="Breast Cancer Wisconsin (Diagnostic)",
        features=bunch.data,
        labels=as_labels(bunch.target_names[bunch.target]),
        description="569 breast masses, 30 measurements of cell nuclei each; is the mass malignant?",
        source="UCI Machine Learning Repository, data set 17",
        citation="Wolberg, W., Mangasarian, O., Street, N. & Street, W. (1993). Breast Cancer Wisconsin (Diagnostic). "
        "UCI Machine Learning Repository. doi:10.24432/C5DW2B",
        default_positive="malignant",
    )


def digits() -> Dataset:
    """Optical Recognition of Handwritten Digits, test part: 1797 images of 8 x 8 pixels, 10 classes."""
    bunch = load_digits()
    return Dataset(
        key="digits",
        name="Optical Recognition of Handwritten Digits",
        features=pd.DataFrame(bunch.data, columns=bunch.feature_names),
        labels=as_labels(bunch.target),
        description="1,797 handwritten digits as images of 8 x 8 pixels; which digit is it?",
        source="UCI Machine Learning Repository, data set 80 (its test part)",
        citation="Alpaydin, E. & Kaynak, C. (1998). Optical Recognition of Handwritten Digits. "
        "UCI Machine Learning Repository. doi:10.24432/C50P49",
        default_positive="8",
        order=(),
    )


def balance() -> Dataset:
    """Balance Scale: all 625 pairs of weights and distances from 1 to 5 (Barranquero 2013, Table 5.2: balance.1-3)."""
    columns = ["left_weight", "left_distance", "right_weight", "right_distance"]
    features = pd.DataFrame(list(product(range(1, 6), repeat=4)), columns=columns)
    torque = features.left_weight * features.left_distance - features.right_weight * features.right_distance
    return Dataset(
        key="balance",
        name="Balance Scale",
        features=features,
        labels=as_labels(torque.map(lambda t: "left" if t > 0 else "right" if t < 0 else "balanced")),
        description="All 625 ways to put weights of 1 to 5 at distances of 1 to 5 on a scale; which side tips?",
        source="UCI Machine Learning Repository, data set 12 (made here from its rule)",
        citation="Siegler, R. (1976). Balance Scale. UCI Machine Learning Repository. doi:10.24432/C5488X",
        default_positive="left",
        order=("left", "balanced", "right"),
    )


_LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))


def _won(board: str, player: str) -> bool:
    return any(all(board[cell] == player for cell in line) for line in _LINES)


def _endgames(board: str = "b" * 9, player: str = "x") -> set[str]:
    """All final boards of games that continue from `board` with `player` to move."""
    ends: set[str] = set()
    seen: set[str] = set()
    open_games = [(board, player)]
    while open_games:
        position, mover = open_games.pop()
        if position in seen:
            continue
        seen.add(position)
        if _won(position, "x") or _won(position, "o") or "b" not in position:
            ends.add(position)
            continue
        following = "o" if mover == "x" else "x"
        open_games += [(position[:i] + mover + position[i + 1 :], following) for i in range(9) if position[i] == "b"]
    return ends


def tictactoe() -> Dataset:
    """Tic-Tac-Toe Endgame: all 958 final boards, x moving first; 332 not won by x (Barranquero 2013, Table 5.2: tictactoe)."""
    boards = sorted(_endgames())
    columns = [f"{row}_{column}" for row in ("top", "middle", "bottom") for column in ("left", "middle", "right")]
    return Dataset(
        key="tictactoe",
        name="Tic-Tac-Toe Endgame",
        features=pd.DataFrame([list(board) for board in boards], columns=columns),
        labels=as_labels(["x wins" if _won(board, "x") else "x does not win" for board in boards]),
        description="All 958 final boards of tic-tac-toe when x moves first; did x fail to win?",
        source="UCI Machine Learning Repository, data set 101 (made here from its rule)",
        citation="Aha, D. (1991). Tic-Tac-Toe Endgame. UCI Machine Learning Repository. doi:10.24432/C5688J",
        default_positive="x does not win",
        nominal=tuple(columns),
    )


def _monks(number: int, rule: str, holds: Callable[[pd.DataFrame], pd.Series]) -> Dataset:
    sizes = {"a1": 3, "a2": 3, "a3": 2, "a4": 3, "a5": 4, "a6": 2}
    values = pd.DataFrame(list(product(*(range(1, size + 1) for size in sizes.values()))), columns=list(sizes))
    return Dataset(
        key=f"monks-{number}",
        name=f"MONK's Problem {number}",
        features=values.astype(str),
        labels=as_labels(holds(values).map({True: "monk", False: "not monk"})),
        description=f"All 432 robots of 6 nominal attributes; a robot is a monk if {rule}.",
        source="UCI Machine Learning Repository, data set 70 (made here from its rule, without label noise)",
        citation="Wnek, J. (1993). MONK's Problems. UCI Machine Learning Repository. doi:10.24432/C5R30R",
        default_positive="monk",
        nominal=tuple(sizes),
    )


def monks_1() -> Dataset:
    """MONK's Problem 1: a1 = a2 or a5 = 1; 216 of 432 positive."""
    return _monks(1, "a1 = a2, or a5 = 1", lambda a: (a.a1 == a.a2) | (a.a5 == 1))


def monks_2() -> Dataset:
    """MONK's Problem 2: exactly two attributes have their first value; 142 of 432 positive."""
    return _monks(2, "exactly two attributes have their first value", lambda a: (a == 1).sum(axis=1) == 2)


def monks_3() -> Dataset:
    """MONK's Problem 3: a5 = 3 and a4 = 1, or a5 is not 4 and a2 is not 3; 228 of 432 positive."""
    return _monks(
        3,
        "a5 = 3 and a4 = 1, or a5 is not 4 and a2 is not 3",
        lambda a: ((a.a5 == 3) & (a.a4 == 1)) | ((a.a5 != 4) & (a.a2 != 3)),
    )


_POINTS = np.arange(1, 22)
_WAVES = [np.maximum(6 - np.abs(_POINTS - peak), 0) for peak in (7, 15, 11)]
_PAIRS = ((0, 1), (0, 2), (1, 2))
_SEED = 1984


def waveform() -> Dataset:
    """Waveform Database Generator: 5000 instances, 21 features, 3 classes of a third each (Breiman et al. 1984, 2.6.2).

    Each instance mixes two of three triangular waves with a uniform weight, and adds standard normal noise to every point.
    """
    rng = np.random.default_rng(_SEED)
    labels = rng.integers(3, size=5000)
    weight = rng.random(5000)[:, np.newaxis]
    first, second = (np.stack([_WAVES[pair[wave]] for pair in _PAIRS])[labels] for wave in (0, 1))
    values = weight * first + (1.0 - weight) * second + rng.standard_normal((5000, 21))
    return Dataset(
        key="waveform",
        name="Waveform Database Generator (Version 1)",
        features=pd.DataFrame(values.round(2), columns=[f"x{point}" for point in _POINTS]),
        labels=as_labels(labels),
        description="5,000 noisy curves, 21 points each, every one a mixture of two of three waves; which two were mixed?",
        source="UCI Machine Learning Repository, data set 107 (drawn here by its rule, with other random numbers)",
        citation="Breiman, L. & Stone, C. (1984). Waveform Database Generator (Version 1). UCI Machine Learning Repository. "
        "doi:10.24432/C5CS3C",
        default_positive="0",
        order=(),
    )
