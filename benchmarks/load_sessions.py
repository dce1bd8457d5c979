"""Simulated visitors of the app: each session is a websocket that speaks Streamlit's own protocol and moves sliders."""

import asyncio
import itertools
import json
import random
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

import websockets
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.NumberInput_pb2 import NumberInput
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.typing import Subprotocol

EVERY = 5.0
"""Seconds between two changes by the same person."""

TRAINS = "Training share"
"""The label of the slider that makes the app train its classifier again."""

_LIMIT = 180.0


@dataclass
class Answer:
    """The seconds until a change was answered, and until its first visible effect: a progress bar or the answer."""

    control: str
    seconds: float
    seen_after: float


@dataclass
class Found:
    """What the sessions counted: seconds of each opening and until its picture, changes asked for, answers, and errors."""

    asked: int = 0
    openings: list[float] = field(default_factory=list)
    pictures: list[float] = field(default_factory=list)
    answers: list[Answer] = field(default_factory=list)
    errors: int = 0


@dataclass
class Control:
    """A slider of a page: its label, the id and the type of the widget that holds its value, its fragment, and its range."""

    label: str
    widget: str
    kind: str
    fragment: str
    low: float
    high: float
    step: float

    def new_values(self) -> Iterator[float]:
        """Values of the control in any order, each once, and without the first ones."""
        n_steps = round((min(self.high, 1000.0) - self.low) / self.step)
        for step in random.Random(0).sample(range(2, n_steps), n_steps - 2):
            yield self.low + self.step * step

    def put(self, state: WidgetState, value: float) -> None:
        """Write a value of the control into a message."""
        state.id = self.widget
        if self.kind == "slider":
            state.double_array_value.data.append(value)
        elif self.kind == "whole number":
            state.int_value = round(value)
        else:
            state.double_value = value


_OPENED_WITH = {"estimate": "way=An+example"}
"""Page -> what its address needs beside other settings, so that it opens with a picture."""


class Session:
    """One person: a websocket, the controls that the page has, the query of its address.

    `come_from` is an address of this machine to connect from, `forwarded_for` one that the person claims to come from.
    """

    def __init__(self, address: str, page: str, query: str = "", come_from: str | None = None, forwarded_for: str = "") -> None:
        self.address, self.page = address, page
        self.query = "&".join(filter(None, [_OPENED_WITH.get(page), query]))
        self.come_from, self.forwarded_for = come_from, forwarded_for
        self.controls: dict[str, Control] = {}
        self.boxes: dict[str, Control] = {}
        self.hash = ""
        self.failed = False
        self.bytes_received = 0
        self.progress_seen: float | None = None
        self.picture_seen: float | None = None

    async def open(self) -> None:
        """Connect and run the page once."""
        await self.connect()
        await self.finished()

    async def connect(self) -> None:
        """Connect and ask for the page."""
        url = self.address.replace("http", "ws") + "/_stcore/stream"
        local = None if self.come_from is None else (self.come_from, 0)
        self.socket = await websockets.connect(
            url,
            subprotocols=[Subprotocol("streamlit")],
            max_size=None,
            open_timeout=_LIMIT,
            local_addr=local,
            additional_headers={"X-Forwarded-For": self.forwarded_for} if self.forwarded_for else None,
        )
        await self.ask(None, 0.0)

    async def ask(self, control: Control | None, value: float) -> None:
        """Ask the server to run the page with a control moved."""
        message = BackMsg()
        state = message.rerun_script
        state.query_string, state.page_script_hash = self.query, self.hash
        if not self.hash:
            state.page_name = self.page
        if control is not None:
            state.fragment_id = control.fragment
            control.put(state.widget_states.widgets.add(), value)
        self.progress_seen = self.picture_seen = None
        await self.socket.send(message.SerializeToString())

    async def finished(self) -> None:
        """Read until the script has ended."""
        while True:
            message = await self.message(_LIMIT)
            if (
                message.WhichOneof("type") == "script_finished"
                and message.script_finished != ForwardMsg.FINISHED_EARLY_FOR_RERUN
            ):
                return

    async def message(self, seconds: float) -> ForwardMsg:
        """Receive the next message, and keep what the session needs from it."""
        message = ForwardMsg()
        received = await asyncio.wait_for(self.socket.recv(), seconds)
        self.bytes_received += len(received)
        message.ParseFromString(received)
        kind = message.WhichOneof("type")
        if kind == "navigation":
            # In a new session, this hash is the first page's, whatever page was asked for.
            self.hash = message.navigation.page_script_hash
        elif kind == "delta" and message.delta.WhichOneof("type") == "new_element":
            self._note(message)
        return message

    def _note(self, message: ForwardMsg) -> None:
        element = message.delta.new_element
        kind = element.WhichOneof("type")
        if kind == "exception":
            self.failed = True
        elif kind == "progress" and self.progress_seen is None:
            self.progress_seen = time.perf_counter()
        elif kind == "slider" and len(element.slider.default) == 1:
            one = element.slider
            self.controls[one.label] = Control(
                one.label, one.id, "slider", message.delta.fragment_id, one.min, one.max, one.step
            )
        elif kind == "number_input":
            box = element.number_input
            number = "whole number" if box.data_type == NumberInput.INT else "number"
            self.boxes[box.label] = Control(box.label, box.id, number, message.delta.fragment_id, box.min, box.max, box.step)
        elif kind == "bidi_component" and element.bidi_component.component_name == "kept_chart":
            self.picture_seen = self.picture_seen or time.perf_counter()
        elif kind == "bidi_component" and element.bidi_component.component_name == "dragged":
            # A slider of the app's own, whose value the box of that name holds.
            bar = json.loads(element.bidi_component.bytes)
            if bar["live"]:
                self.controls[bar["label"]] = self.boxes[bar["label"]]

    async def put(self, control: Control, value: float) -> None:
        """Move a control to a value, and wait for the answer."""
        await self.ask(control, value)
        await self.finished()

    def control(self, label: str) -> Control:
        """The slider or the box with that label."""
        return self.controls.get(label) or self.boxes[label]

    async def move(self, control: Control, value: float) -> Answer:
        """Move a control to a value, and wait for the answer."""
        started = time.perf_counter()
        await self.put(control, value)
        ended = time.perf_counter()
        return Answer(control.label, ended - started, (self.progress_seen or ended) - started)


Choice = Callable[[Session, random.Random], tuple[Control, float] | None]
"""What a person moves next, and where to; None if there is nothing to move."""


def any_slider(session: Session, rng: random.Random) -> tuple[Control, float] | None:
    """A random slider of the page, with a random value of it."""
    if not session.controls:
        return None
    control = rng.choice(list(session.controls.values()))
    return control, control.low + control.step * rng.randint(0, max(1, round((control.high - control.low) / control.step)))


def new_values_of(label: str) -> Choice:
    """A choice that moves the slider or box with that label to values that nobody had before, as long as there are any."""
    values: list[Iterator[float]] = []

    def choose(session: Session, _rng: random.Random) -> tuple[Control, float]:
        control = session.control(label)
        if not values:
            values.append(itertools.cycle(list(control.new_values())))
        return control, next(values[0])

    return choose


async def person(
    session: Session, found: Found, seconds: float, choose: Choice, rng: random.Random, opened: asyncio.Barrier
) -> None:
    """Open a page, wait until all have, and move a control every five seconds."""
    try:
        started = time.perf_counter()
        await session.open()
        ended = time.perf_counter()
        found.openings.append(ended - started)
        found.pictures.append((session.picture_seen or ended) - started)
        await opened.wait()
        until = time.perf_counter() + seconds
        await asyncio.sleep(rng.uniform(0.0, EVERY))
        while time.perf_counter() < until:
            chosen = choose(session, rng)
            if chosen is None:
                break
            found.asked += 1
            answer = await session.move(*chosen)
            found.answers.append(answer)
            await asyncio.sleep(max(0.0, EVERY - answer.seconds))
        await session.socket.close()
    except (OSError, TimeoutError, websockets.WebSocketException):
        found.errors += 1
    found.errors += session.failed


async def people(address: str, pages: Sequence[str], seconds: float, choose: Choice = any_slider) -> Found:
    """Run a session on each of the pages, with one of four seeds; `choose` says what it moves."""
    result, rng = Found(), random.Random(0)
    opened = asyncio.Barrier(len(pages))
    sessions = [Session(address, page, f"seed={number % 4}") for number, page in enumerate(pages)]
    await asyncio.gather(
        *(person(session, result, seconds, choose, random.Random(rng.random()), opened) for session in sessions)
    )
    return result


async def openings(address: str, n: int, within: float) -> Found:
    """Let `n` people open the same link, spread over `within` seconds."""
    result = Found(asked=n)

    async def one(wait: float) -> None:
        await asyncio.sleep(wait)
        started = time.perf_counter()
        session = Session(address, "error-by-prevalence", "size=77&seed=5")
        try:
            await session.open()
            taken = time.perf_counter() - started
            result.answers.append(Answer("opening", taken, taken))
            await session.socket.close()
        except (OSError, TimeoutError, websockets.WebSocketException):
            result.errors += 1
        result.errors += session.failed

    await asyncio.gather(*(one(within * number / n) for number in range(n)))
    return result
