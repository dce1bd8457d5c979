"""What the row of a method says where it gives no interval, or one that is known to be too short."""

from typing import Final

NO_INTERVAL: Final = "none: "
"""The first word for the kind of an interval that says nothing, 0 to 1; the reason follows."""


def why_no_interval(kind: str) -> str:
    """Why an interval of this kind is 0 to 1 and says nothing; empty for any other kind.

    Examples
    --------
    >>> why_no_interval("none: fewer than 20 instances"), why_no_interval("double bootstrap")
    ('fewer than 20 instances', '')
    """
    return kind.removeprefix(NO_INTERVAL) if kind.startswith(NO_INTERVAL) else ""


def interval_row(
    method: str, idea: str, ends: tuple[float, float], too_short: str, *, known: bool = False
) -> dict[str, float | str]:
    """The entries of a method's row: low, high, interval (the method, or why there is none), too_short (a reason) and idea.

    An interval without width is none, unless the share is `known`. The idea begins with what is said against the interval.

    Examples
    --------
    >>> interval_row("delta", "How.", (0.0, 0.0), "it sees no error in the count (0 of 50)")["idea"]
    'No interval: it sees no error in the count (0 of 50).'
    """
    low, high = ends
    if low == high and not known:
        why = too_short or "it is cut off at an end, beyond which the estimate lies"
        return {"low": 0.0, "high": 1.0, "interval": f"{NO_INTERVAL}{why}", "too_short": "", "idea": f"No interval: {why}."}
    said = f"Too short here: {too_short}. {idea}" if too_short else idea
    return {"low": low, "high": high, "interval": method, "too_short": too_short, "idea": said}
