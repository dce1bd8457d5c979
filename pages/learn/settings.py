"""The settings of the page "Learn": the language, and on every page the lesson and the step that a person is at."""

import re
from typing import Final

from pages.settings.setting import LONGEST_TEXT, Setting, Value, single, whole
from qcore.base import registry

ENGLISH: Final = "en"
LANGUAGES: Final = {"English": ENGLISH, "Español": "es"}
"""Languages of the lessons, the strip and the glossary: each one's own name, which is the setting's value -> its code."""
NONE: Final = ""
"""The lesson of a person who takes none."""
MOST_STEPS: Final = 99
LARGEST_STUDENT: Final = 99_999
CODE_LETTERS: Final = "ABCDEFGHJKMNPQRTUVWXYZ2346789"
"""Letters and digits of a classroom's code: none that is taken for another."""
CODE_LENGTH: Final = 8
"""Letters of a code: who tries a thousand a second for the 12 hours of a classroom finds it once in 10,000 times."""
_CODE: Final = re.compile(rf"([{CODE_LETTERS}]{{{CODE_LENGTH}}})?")
NAME: Final = re.compile(rf"[a-z0-9-]{{0,{LONGEST_TEXT}}}")
"""What a lesson may be called; empty for none."""


def _language(words: list[str]) -> Value:
    """The language of that name or code."""
    names = {code: name for name, code in LANGUAGES.items()}
    name = names.get(single(words), words[0])
    if name not in LANGUAGES:
        raise ValueError(words)
    return name


def _lesson_name(words: list[str]) -> Value:
    if not NAME.fullmatch(single(words)):
        raise ValueError(words)
    return words[0]


def _classroom(words: list[str]) -> Value:
    """A code as it is stored: people write it in small letters, with a space or a hyphen."""
    code = re.sub(r"[\s-]", "", single(words)).upper()
    if not _CODE.fullmatch(code):
        raise ValueError(words)
    return code


CLASSROOM: Final = Setting(
    "classroom", "classroom", "", _classroom, f"the code of a classroom: {CODE_LENGTH} letters and digits"
)
"""The classroom that a person is in: no setting of a view, which others may open."""
SETTINGS: Final = registry(
    Setting(
        "language",
        "language of the lessons",
        next(iter(LANGUAGES)),
        _language,
        f"one of {', '.join(LANGUAGES)}",
        tuple(LANGUAGES),
    ).with_label("Language"),
    Setting("lesson", "lesson", NONE, _lesson_name, "the name of a lesson: small letters, digits and hyphens").with_label(
        "Lesson"
    ),
    whole("step", "step of the lesson", 1, (1, MOST_STEPS)).with_label("Step"),
    whole("student", "number of the student", 0, (0, LARGEST_STUDENT)).with_label("Student"),
)
