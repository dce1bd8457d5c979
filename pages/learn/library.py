"""The available lessons: ours, and those in the user's own folder."""

import contextlib
import os
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from pages.learn.lesson import Lesson
from pages.learn.lesson_file import LessonMistake, read_lesson
from pages.learn.settings import ENGLISH, LANGUAGES

LESSONS = Path(__file__).with_name("lessons")
"""Our lessons: a folder for each language, in it a file for each lesson."""
FOLDER_VARIABLE = "QUANTIFICATION_LAB_LESSONS"
"""The environment variable that names the user's own folder, with folders for the languages like ours, or just with files."""


_LIKE_LESSONS = (".md.txt", ".markdown")
"""How files end that are meant as lessons, as some editors name them."""


@lru_cache(maxsize=500)
def _read(path: Path, language: str, own: bool, _changed: int) -> Lesson | LessonMistake:
    """The lesson, or its mistake; a new time of writing, `_changed`, has the file read again."""
    try:
        return read_lesson(path, language, own=own)
    except LessonMistake as mistake:
        return mistake


def _results(language: str) -> Iterator[tuple[Path, Lesson | LessonMistake]]:
    """Each file in a language with its content; the user's own file, if free of mistakes, replaces ours of that name."""
    ours, own = {path.stem: path for path in _files(LESSONS / language)}, dict[str, Path]()
    folder = os.environ.get(FOLDER_VARIABLE)
    if folder:
        for place in (Path(folder), Path(folder) / language):
            own |= {path.stem: path for path in _files(place)}
    for name in dict.fromkeys((*ours, *own)):
        for path in (path for path in (own.get(name), ours.get(name)) if path is not None):
            with contextlib.suppress(FileNotFoundError):
                result = _read(path, language, path == own.get(name), path.stat().st_mtime_ns)
                yield path, result
                if isinstance(result, Lesson):
                    break


def _files(folder: Path) -> list[Path]:
    """The Markdown files in a folder, without hidden ones, which editors leave there."""
    files = (path for path in folder.glob("*") if path.suffix.lower() == ".md" and path.is_file())
    return sorted(path for path in files if not path.name.startswith("."))


def lessons(language: str = ENGLISH) -> dict[str, Lesson]:
    """The lessons in a language by name, in their order; those that are only in English come in English."""
    found: dict[str, Lesson] = {}
    for one in dict.fromkeys((ENGLISH, language)):
        found |= {result.name: result for _, result in _results(one) if isinstance(result, Lesson)}
    return dict(sorted(found.items(), key=lambda item: (item[1].order, item[1].title)))


def has_mistake(name: str) -> bool:
    """Whether a file of that name is not shown for a mistake."""
    results = (result for code in LANGUAGES.values() for path, result in _results(code) if path.stem == name)
    return any(isinstance(result, LessonMistake) for result in results)


def mistakes() -> list[str]:
    """What is wrong with files that are not shown, or with the user's own folder: a sentence for each."""
    folder = os.environ.get(FOLDER_VARIABLE)
    missing = [f"{FOLDER_VARIABLE} names a folder that is not there."] if folder and not Path(folder).is_dir() else []
    known = ", ".join(LANGUAGES.values())
    inside = [] if not folder or missing else sorted(Path(folder).iterdir())
    others = [one.name for one in inside if one.is_dir() and one.name not in LANGUAGES.values() and _files(one)]
    unread = [f"The folder {name} is not read: lessons are in {known}." for name in others]
    read = [*inside, *(file for one in inside if one.name in LANGUAGES.values() for file in sorted(one.glob("*")))]
    texts = [file.name for file in read if file.name.lower().endswith(_LIKE_LESSONS)]
    unread += [f"The file {name} is not read: the name of a lesson's file ends in .md." for name in texts]
    results = {path: result for code in LANGUAGES.values() for path, result in _results(code)}
    wrong = (result for result in results.values() if isinstance(result, LessonMistake))
    return [*missing, *unread, *(sentence for result in wrong for sentence in result.sentences)]
