"""What a lesson is: steps, each a view of the app with a text, and perhaps a question."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from pages.frame.view import View

RIGHT = "Right"
TOO_LOW = "Too low"
TOO_HIGH = "Too high"
CLOSE = "Close"
OTHER_SHAPE = "Other shape"


@dataclass(frozen=True)
class Option:
    """An answer to choose, whether it is right, and the sentence for the user who chooses it."""

    text: str
    is_right: bool
    why: str


@dataclass(frozen=True)
class Question:
    """A question of a step.

    Attributes
    ----------
    kind : "choice", "number", "find" or "draw".
    prompt : what is asked, as Markdown.
    options : of a choice.
    answer, tolerance : of a number that is known; the user's number may differ by the tolerance.
    subject : the key of a number that a page computes in COMPUTED_NUMBERS, for "find" in CHECKS, for "draw" in CURVES.
    argument : to what the subject is applied, such as a quantifier or a share; may be empty.
    is_share : whether a number is a share, which the user types as a percentage.
    replies : reason -> sentence, with places such as {threshold} for what the page has computed.
    slips : reason -> a wrong number that a known mistake leads to; it has a reply of its own.
    """

    kind: str
    prompt: str
    options: tuple[Option, ...] = ()
    answer: float | None = None
    tolerance: float = 0.0
    subject: str = ""
    argument: str = ""
    is_share: bool = False
    replies: Mapping[str, str] = field(default_factory=dict)
    slips: Mapping[str, float] = field(default_factory=dict)

    def told(self, value: float) -> str:
        """A number that answers the question, as text; a share as a percentage, no more precise than is asked for."""
        if self.is_share and self.answer is None and self.tolerance >= 0.01:
            return f"{100.0 * value:.0f}%"
        return f"{100.0 * value:.3g}%" if self.is_share else f"{value:.3g}"


@dataclass(frozen=True)
class Step:
    """A step of a lesson.

    Attributes
    ----------
    title, text : what it says, as Markdown.
    view : the view that it opens.
    hidden : parts of the page that are hidden until the question is answered.
    without : parts that are hidden as long as the step is on, since a later step asks for them.
    question : what it asks, or None.
    look : the chart that it is about, which a phone shows first; empty for the page's first one.
    """

    title: str
    view: View
    hidden: tuple[str, ...]
    text: str
    question: Question | None
    without: tuple[str, ...] = ()
    look: str = ""


@dataclass(frozen=True)
class Lesson:
    """A lesson in one language.

    Attributes
    ----------
    name : of its file, the same in all languages.
    language : its code, a value of LANGUAGES.
    title, aim, minutes, order : what its card says; lessons are listed by order.
    steps : at least one.
    own : whether it comes from the user's own folder.
    """

    name: str
    language: str
    title: str
    aim: str
    minutes: int
    order: int
    steps: tuple[Step, ...]
    own: bool = False
