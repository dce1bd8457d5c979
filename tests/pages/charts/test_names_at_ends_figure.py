"""Names at the ends of lines: of each line, lowest first, inside the frame."""

import numpy as np

from pages.charts.traces import names_at_ends
from qcore import QUANTIFIERS


def test_a_line_that_leaves_the_frame_is_named_at_its_edge():
    labels = names_at_ends({"CC": (1.0, 0.9), "PCC": (1.0, 0.5), "AC": (1.0, 0.1)}, (0.0, 0.2))
    assert [(label["text"], label["y"]) for label in labels] == [("<b>AC</b>", 0.1), ("<b>PCC</b>", 0.2), ("<b>CC</b>", 0.2)]
    assert {label["hovertext"] for label in labels} == {QUANTIFIERS[key].name for key in ("CC", "PCC", "AC")}
    assert np.ptp([label["x"] for label in labels]) == 0
