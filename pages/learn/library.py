"""The lessons that there are: ours, and those of a folder of one's own."""

import os
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Final

from pages.frame.view import View
from pages.learn.lesson import Lesson
from pages.learn.lesson_file import LessonMistake, read_lesson
from pages.learn.settings import ENGLISH, LANGUAGES

LESSONS: Final = Path(__file__).with_name("lessons")
"""Our lessons: a folder for each language, in it a file for each lesson."""
FOLDER_VARIABLE: Final = "QUANTIFICATION_LAB_LESSONS"
"""The environment variable that names a folder of one's own, which is built like ours, or holds the files alone."""


@lru_cache(maxsize=500)
def _read(path: Path, language: str, own: bool, _changed: int) -> Lesson | LessonMistake:
    """The lesson, or its mistake; `_changed` is when the file was written last."""
    try:
        return read_lesson(path, language, own=own)
    except LessonMistake as mistake:
        return mistake


def _files(language: str) -> Iterator[tuple[Path, bool]]:
    """Files in that language, and whether they are a person's own; a file of one's own replaces ours of that name."""
    files = {path.stem: (path, False) for path in sorted((LESSONS / language).glob("*.md"))}
    folder = os.environ.get(FOLDER_VARIABLE)
    if folder:
        for place in (Path(folder), Path(folder) / language):
            files |= {path.stem: (path, True) for path in sorted(place.glob("*.md"))}
    yield from files.values()


def lessons(language: str = ENGLISH) -> dict[str, Lesson]:
    """The lessons in a language by name, in their order; those that are only in English come in English."""
    found: dict[str, Lesson] = {}
    for one in dict.fromkeys((ENGLISH, language)):
        results = [_read(path, one, own, path.stat().st_mtime_ns) for path, own in _files(one)]
        found |= {result.name: result for result in results if isinstance(result, Lesson)}
    return dict(sorted(found.items(), key=lambda item: (item[1].order, item[1].title)))


def all_views() -> list[View]:
    """The views of all steps, lesson after lesson."""
    return [step.view for lesson in lessons().values() for step in lesson.steps]


def mistakes() -> list[str]:
    """What is wrong with files that are not shown, a sentence for each."""
    results = {
        path: _read(path, language, own, path.stat().st_mtime_ns)
        for language in LANGUAGES.values()
        for path, own in _files(language)
    }
    return [str(result) for result in results.values() if isinstance(result, LessonMistake)]
