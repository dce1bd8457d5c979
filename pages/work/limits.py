"""The limits of a server: how much one person, one computation, and all together may take.

Each is a setting, an environment variable with a default for a small machine; docs/deploying.md lists them.
"""

import os
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from qcore import InvalidInput
from qcore.base import registry

PREFIX = "QUANTIFICATION_LAB_"


@dataclass(frozen=True)
class Limit:
    """A whole number that a server can be given.

    Attributes
    ----------
    key : its name in this file; the environment variable has PREFIX before it.
    default, least : the value if the variable is not set, and the smallest value that makes sense.
    meaning : what is limited, for docs/deploying.md.
    """

    key: str
    default: int
    least: int
    meaning: str

    def of(self, environment: Mapping[str, str]) -> int:
        """The limit that an environment gives. Raises InvalidInput for anything but a whole number that makes sense."""
        text = environment.get(PREFIX + self.key, "")
        if not text:
            return self.default
        if not text.isdecimal() or int(text) < self.least:
            rule = f"be a whole number of at least {self.least}"
            raise InvalidInput(PREFIX + self.key, rule, repr(text), f"Leave it out for {self.default}.")
        return int(text)


LIMITS = registry(
    Limit("UPLOAD_MEGABYTES", 100, 1, "size of an uploaded file"),
    Limit("ROWS", 200_000, 100, "rows of a table that somebody brings or fetches"),
    Limit("SAMPLES", 160_000, 100, "samples in one picture, all sizes together"),
    Limit(
        "PROCESSES",
        max(2, os.cpu_count() or 1),
        1,
        "heavy computations at work at once (default: one for each processor, at least two)",
    ),
    Limit("WAITING", 300, 1, "heavy computations that wait, all together"),
    Limit("WAITING_OF_ONE_ADDRESS", 100, 1, "heavy computations that wait, asked for from one address"),
    Limit("ASK_SECONDS", 60, 1, "a computation that takes longer, as far as is known, says so and waits for a click"),
    Limit("COMPUTATION_SECONDS", 900, 1, "a computation that takes longer is ended"),
    Limit("SESSIONS", 300, 1, "open pages at once, all together"),
    Limit(
        "PERCENT_OF_ONE_ADDRESS",
        80,
        1,
        "share that one address may have of open pages, uploads, tables and requests that are being sent, in percent",
    ),
    Limit("FIRST_MESSAGE_SECONDS", 120, 1, "an open page whose browser sends nothing for that long is closed"),
    Limit("HALF_OPEN", 200, 1, "requests that are still being sent"),
    Limit("UPLOADS_MEGABYTES", 800, 1, "uploaded files in memory, all together"),
    Limit("UPLOADS_MEGABYTES_OF_ONE_SESSION", 250, 1, "uploaded files in memory, of one open page"),
    Limit("TABLES_MEGABYTES", 800, 1, "tables and files that open pages keep in use, all together"),
    Limit("TABLES_MEGABYTES_OF_ONE_SESSION", 400, 1, "tables and files that one open page keeps in use"),
    Limit("ANSWERS_MEGABYTES", 300, 10, "answers kept in memory for whoever asks for the same"),
    Limit("PIECES_MEGABYTES", 500, 1, "trained scores kept on disk"),
    Limit("CLASSROOMS", 50, 1, "classrooms at once; a fifth of them from one address"),
    Limit("CLASSROOM_MEMBERS", 500, 1, "people in one classroom; four fifths of them from one address within an hour"),
)
"""All limits by key."""


@cache
def limit(key: str) -> int:
    """The value of a limit in the current environment. Raises InvalidInput."""
    return LIMITS[key].of(os.environ)


def of_one_address(whole: int) -> int:
    """What one address may have of a whole: PERCENT_OF_ONE_ADDRESS of it, and one at least unless there is none."""
    return min(whole, max(1, whole * limit("PERCENT_OF_ONE_ADDRESS") // 100))


def check_limits() -> None:
    """Raise InvalidInput for an invalid limit."""
    for key in LIMITS:
        limit(key)


def check_within(key: str, name: str, value: int, hint: str) -> None:
    """Raise InvalidInput where `value`, called `name`, is more than a limit allows."""
    if value > limit(key):
        raise InvalidInput(name, f"be at most {limit(key):,} on this server", f"{value:,}", hint)


@cache
def pieces_folder() -> Path:
    """Where trained scores are kept, for all processes of this user: QUANTIFICATION_LAB_PIECES, or a temporary folder."""
    named = os.environ.get(f"{PREFIX}PIECES")
    if named:
        return Path(named)
    user = os.getuid() if hasattr(os, "getuid") else "all"
    return Path(tempfile.gettempdir()) / f"quantification-lab-pieces-{user}"
