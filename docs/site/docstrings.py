"""Our docstrings as numpydoc reads them."""

import re

_DESCRIBED = re.compile(r"^(?P<names>\*{0,2}[\w, *]+?) : (?P<text>.*)$")
_LISTED = {"Parameters", "Attributes", "Returns", "Yields"}


def described_in_full(lines: list[str]) -> list[str]:
    """A docstring's lines with what follows "name : " as the description, which numpydoc would take for a type.

    Ours say shape, unit and meaning in one sentence, which may go on in the next line.
    """
    result: list[str] = []
    listed = False
    for number, line in enumerate(lines):
        following = lines[number + 1] if number + 1 < len(lines) else ""
        if following and set(following) == {"-"}:
            listed = line in _LISTED
        match = _DESCRIBED.match(line) if listed else None
        result += [match["names"], f"    {match['text']}"] if match else [line]
    return result
