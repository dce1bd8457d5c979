"""UCI data sets of all cases of a rule, made from the rule: balance scale, tic-tac-toe endgame, the Monk's problems."""

from collections.abc import Callable
from itertools import product

import pandas as pd

from qcore.datasets.dataset import Dataset
from qcore.datasets.preparation import as_labels


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
