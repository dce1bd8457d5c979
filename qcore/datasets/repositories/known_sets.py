"""The data sets of two papers, with their numbers at UCI and OpenML: users can search them before loading anything.

Counts are those of the files; `positive` is the positive class in the papers, or one for each problem, with semicolons.
"""

from dataclasses import dataclass
from typing import Final

THESIS: Final = "Barranquero 2013, table 5.2"
SIZE_PAPER: Final = "Maletzke et al. 2020, table 2"


@dataclass(frozen=True)
class KnownSet:
    """A data set: its name, size, share of the rarest class, positive classes, where it was used, and its numbers.

    `rarest` is None if the paper does not state it; `uci` and `openml` are 0 if the repository cannot give the data set to a
    program. `label` is the column of the classes, if there are several.
    """

    name: str
    rows: int
    features: int
    classes: int
    rarest: float | None
    positive: str
    used: str
    uci: int = 0
    openml: int = 0
    label: str = ""

    @property
    def word(self) -> str:
        """The data set's reference as a word; empty if neither repository has it."""
        word = f"uci:{self.uci}" if self.uci else f"openml:{self.openml}" if self.openml else ""
        return f"{word}/{self.label}" if self.label else word


KNOWN_SETS: Final = (
    KnownSet("Acute inflammations (bladder; nephritis)", 120, 6, 2, 50 / 120, "yes", THESIS, uci=184),
    KnownSet("Balance scale", 625, 4, 3, 49 / 625, "L; B; R", THESIS, uci=12),
    KnownSet("Contraceptive method choice (cmc)", 1473, 9, 3, 333 / 1473, "1; 2; 3", THESIS, uci=30),
    KnownSet("Cardiotocography (ctg)", 2126, 21, 3, 176 / 2126, "1; 2; 3", THESIS, uci=193, label="NSP"),
    KnownSet("Haberman's survival", 306, 3, 2, 81 / 306, "2", THESIS, uci=43),
    KnownSet("Ionosphere", 351, 34, 2, 126 / 351, "b", THESIS, uci=52),
    KnownSet("Iris", 150, 4, 3, 50 / 150, "setosa; versicolor; virginica", THESIS, uci=53),
    KnownSet("Connectionist bench (sonar)", 208, 60, 2, 97 / 208, "R", THESIS, uci=151),
    KnownSet("SPECTF heart", 267, 44, 2, 55 / 267, "0", THESIS, uci=96),
    KnownSet("Tic-tac-toe endgame", 958, 9, 2, 332 / 958, "negative", THESIS, uci=101),
    KnownSet("Blood transfusion service center", 748, 4, 2, 178 / 748, "1", THESIS, uci=176),
    KnownSet("Breast cancer Wisconsin (diagnostic, wdbc)", 569, 30, 2, 212 / 569, "M", THESIS, uci=17),
    KnownSet("Wine", 178, 13, 3, 48 / 178, "1; 2; 3", THESIS, uci=109),
    KnownSet("AedesSex", 24_000, 27, 2, None, "sex", SIZE_PAPER),
    KnownSet("Anuran calls", 7195, 22, 4, 68 / 7195, "Hylidae, of the two largest families", SIZE_PAPER),
    KnownSet("Arabic digit", 8800, 27, 2, None, "sex of the speaker", SIZE_PAPER),
    KnownSet("BNG (breast-w), there BNG (vote)", 39_366, 9, 2, 13_546 / 39_366, "malignant", SIZE_PAPER, openml=251),
    KnownSet("Spambase", 4601, 57, 2, 1813 / 4601, "1", SIZE_PAPER, uci=94),
    KnownSet("Handwritten-QG", 4014, 63, 2, None, "", SIZE_PAPER),
    KnownSet("Wine quality, and wine type", 6497, 12, 7, 5 / 6497, "quality above 5; red", SIZE_PAPER, uci=186),
    KnownSet("HTRU2", 17_898, 8, 2, 1639 / 17_898, "1", SIZE_PAPER, uci=372),
    KnownSet("Letter recognition", 20_000, 16, 26, 734 / 20_000, "vowels: A, E, I, O, U", SIZE_PAPER, uci=59),
    KnownSet("Mozilla4", 15_545, 5, 2, 5108 / 15_545, "state 0", SIZE_PAPER, openml=1046),
    KnownSet("Nomao", 34_465, 118, 2, 9844 / 34_465, "UCI's -1", SIZE_PAPER, openml=1486),
    KnownSet("Occupancy detection", 20_560, 5, 2, 4750 / 20_560, "1", SIZE_PAPER, uci=357),
)
"""The 24 problems of THESIS come from 13 data sets of UCI; of the 13 data sets of SIZE_PAPER, four cannot be fetched."""
