"""What a classroom is shown: a step of a lesson or a question of the teacher's own, and whether it can still be answered."""

import hashlib
import json
from dataclasses import asdict, dataclass, fields

OWN_QUESTION = "asked"
"""The name of the lesson whose only step is a question or a view of the teacher's own."""


@dataclass(frozen=True)
class Shown:
    """What a classroom is shown.

    Attributes
    ----------
    lesson, language, step : the step of a lesson; no lesson (empty) as long as nothing is shown. The language is the teacher's.
    text : a question of the teacher's own, written as a lesson of one step; empty for a step of a lesson.
    kind : "choice", "number", "find" or "draw"; empty for a step without a question.
    n_options : of a choice.
    round : counts how often its question was asked: people answer anew after they have talked about it.
    is_open : whether answers are taken.
    is_revealed : whether what the step hides is shown to all.
    """

    lesson: str = ""
    language: str = ""
    step: int = 1
    text: str = ""
    kind: str = ""
    n_options: int = 0
    round: int = 1
    is_open: bool = True
    is_revealed: bool = False

    @property
    def place(self) -> str:
        """What is shown, whatever has been answered: the step of a lesson, or the text of one's own."""
        name = hashlib.sha256(self.text.encode()).hexdigest()[:8] if self.text else self.lesson
        return f"{name} {self.step}"

    @property
    def question(self) -> str:
        """The key under which answers are kept."""
        return f"{self.place} {self.round}"

    @property
    def look(self) -> str:
        """What a page that shows it depends on: it is drawn anew when this changes."""
        return f"{self.question} {self.language} {self.is_revealed}"

    @property
    def takes_answers(self) -> bool:
        """Whether answers to its question are taken."""
        return bool(self.kind) and self.is_open and not self.is_revealed

    def to_json(self) -> str:
        """The text that is stored."""
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str) -> "Shown":
        """What was stored."""
        known = {one.name for one in fields(cls)}
        # Another version, which shares the folder, may keep more.
        return cls(**{name: value for name, value in json.loads(text).items() if name in known})
