"""Answers that sessions share, and work that takes long: what a person sees of it, and when it ends."""

import threading
import time
from dataclasses import dataclass, field, replace

import numpy as np
import pandas as pd
import pytest

from pages import pipeline
from pages.classifier.computations import calibrated
from pages.work import answers, heavy, limits
from pages.work.answers import cache_key_of, keep, known, one_at_a_time, shared, size_in_bytes
from pages.work.engines import Store, Work
from pages.work.jobs import JobLimits, Jobs
from pages.work.refusals import NotNow, TakesLong
from qcore import ArtificialPrevalence, DatasetReference, Scores, ScoringSettings, load_dataset
from tests.pages.app import ERROR_PAGE, fine, run
from tests.pages.work import work


@dataclass(frozen=True)
class Settings:
    shown: object
    hidden: str = field(default="", repr=False)


@pytest.fixture(autouse=True)
def nothing_kept():
    answers._ANSWERS.clear()


class TestSharedAnswers:
    def test_who_asks_while_it_is_computed_waits_for_the_same_answer(self):
        computed = []

        @shared
        def slow(size: int) -> object:
            time.sleep(0.1)
            computed.append(size)
            return object()

        result = []
        threads = [threading.Thread(target=lambda: result.append(slow(7))) for _ in range(20)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert computed == [7]
        assert len(set(map(id, result))) == 1

    @pytest.mark.parametrize("wrap", [lambda values: values, Settings], ids=["an array", "a dataclass with one"])
    def test_what_has_no_exact_key_is_refused(self, wrap):
        @shared
        def total(of: object) -> object:
            return of

        # The text of two such arrays is the same, since it leaves out their middle.
        values = np.arange(5000)
        with pytest.raises(TypeError, match="ndarray is no part of a key"):
            total(wrap(values))

    def test_settings_are_told_apart_by_all_their_fields(self):
        @shared
        def copied(settings: Settings) -> Settings:
            return settings

        assert copied(Settings(1, "a")).hidden == "a"
        assert copied(Settings(1, "b")).hidden == "b"

    def test_the_key_is_the_settings_and_not_what_they_say_already(self):
        calls = []

        @shared
        def answer(data: DatasetReference, size: float) -> int:
            calls.append((data, size))
            return len(calls)

        private, other = (DatasetReference("upload", "table", owner) for owner in ("me", "you"))
        assert answer(private, 1) == answer(data=private, size=1) == 1
        assert answer(other, 1) == 2, "a private data set is its owner's"
        assert answer(private, 1.0) == 3, "1 and 1.0 may be different settings"

    def test_a_value_carries_its_key(self):
        """What is made of an answer is kept by what the answer was made from, and of a changed answer not at all."""
        scores = Scores(*(np.array(part) for part in ([0.9, 0.1], [1, 0], [0.8, 0.3], [1, 0])))

        @shared
        def scored(settings: ScoringSettings) -> Scores:
            return replace(scores, settings=settings)

        @shared
        def mean(scores: Scores) -> list[float]:
            return [float(scores.pool_scores.mean())]

        one, other = (scored(ScoringSettings("a", seed=seed)) for seed in (0, 1))
        assert cache_key_of(one) != cache_key_of(other)
        assert mean(one) is mean(scored(ScoringSettings("a", seed=0)))
        assert mean(one) is not mean(other)
        for without in (scores, replace(one, pool_scores=np.zeros(2)), load_dataset("iris"), np.zeros(2)):
            with pytest.raises(TypeError, match="was made from"):
                mean(without)

    def test_an_error_is_not_kept(self):
        calls = []

        @shared
        def failing(size: int) -> int:
            calls.append(size)
            raise ZeroDivisionError

        for _ in range(2):
            with pytest.raises(ZeroDivisionError):
                failing(1)
        assert calls == [1, 1]

    def test_they_are_bounded_in_bytes(self):
        most = limits.limit("ANSWERS_MEGABYTES") * 1_000_000
        for number in range(40):
            keep(("array", number), np.zeros(most // 80))
            assert answers._ANSWERS.currsize <= most
        assert known(("array", 39)) is not None
        assert known(("array", 0)) is None, "what was used longest ago goes first"
        keep("too large", np.zeros(most // 4))
        assert known("too large") is None

    @pytest.mark.parametrize(
        ("value", "least"),
        [
            (np.zeros(1000), 8000),
            (pd.DataFrame({"a": np.zeros(1000), "b": ["x"] * 1000}), 8000),
            ({"a": [np.zeros(500), (np.zeros(500),)]}, 8000),
            (np.zeros((1000, 10))[:, 0], 80_000),
            (ArtificialPrevalence(3, 100, 5).draw(np.repeat([0, 1], 200), np.random.default_rng(0)), 15 * 100 * 8),
        ],
        ids=["array", "table", "nested", "view", "samples"],
    )
    def test_their_size_is_what_they_hold_on_to(self, value, least):
        assert least <= size_in_bytes(value) <= 1.5 * least + 10_000

    def test_only_one_at_a_time_computes_the_same(self):
        inside, most = [0], [0]

        def compute():
            with one_at_a_time("key"):
                inside[0] += 1
                most[0] = max(most[0], inside[0])
                time.sleep(0.005)
                inside[0] -= 1

        threads = [threading.Thread(target=compute) for _ in range(10)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert most == [1]


class TestWorkThatTakesLong:
    @pytest.fixture
    def jobs(self, monkeypatch, tmp_path):
        def make(**more):
            settings = {"processes": 1, "waiting": 10, "waiting_of_one": 10, "seconds": 60.0} | more
            jobs = Jobs(JobLimits(**settings), Store(tmp_path, 10**6))
            made.append(jobs)
            monkeypatch.setattr(heavy, "jobs", lambda: jobs)
            return jobs

        made = []
        yield make
        for jobs in made:
            jobs.close()

    def test_light_work_is_done_here_and_heavy_work_elsewhere(self, jobs):
        import os

        jobs()

        def where(seconds):
            @heavy.work("Counting", seconds)
            def counted(_seconds: float | None) -> Work[tuple[int, int]]:
                return Work(work.steps, (1, 0.0))

            return counted(seconds)[1]

        assert where(0.01) == os.getpid()
        assert where(1.0) != os.getpid()
        assert where(None) != os.getpid()

    def test_an_answer_is_kept(self, jobs):
        jobs()
        asked = []

        @heavy.work(lambda number: f"Doubling {number}")
        def doubled(number: int) -> Work[int]:
            asked.append(number)
            return Work(work.double, (number,))

        assert doubled.finished(2) is None
        assert doubled(2) == doubled(2) == doubled.finished(2) == 4
        assert doubled(3) == 6
        assert asked == [2, 3]

    def test_a_full_queue_and_a_process_that_dies_are_sentences(self, jobs):
        jobs(waiting=0)
        with pytest.raises(NotNow, match="0 computations are waiting"):
            heavy.work("Doubling")(lambda: Work(work.double, (2,)))()
        jobs()
        with pytest.raises(NotNow, match="perhaps for lack of memory"):
            heavy.work("Dying")(lambda: Work(work.die))()

    def test_what_takes_longer_than_is_given_is_refused_before_it_begins(self, jobs):
        jobs()
        with pytest.raises(NotNow, match="Training would take about 1112 min; this server gives 15 min"):
            heavy.work("Training", 66_666.0)(lambda: pytest.fail("begun"))()

    def test_what_takes_minutes_asks_first(self, jobs):
        jobs()
        with pytest.raises(TakesLong, match="Training takes about 3 min on one processor"):
            heavy.work("Training", lambda: 180.0)(lambda: pytest.fail("begun"))()

    @pytest.mark.parametrize(("seconds", "text"), [(0.2, "1 s"), (7.1, "8 s"), (11, "15 s"), (99, "100 s"), (130, "3 min")])
    def test_times_are_said_roughly(self, seconds, text):
        assert heavy.duration(seconds) == text


def test_pieces_on_disk_are_of_the_scores_as_they_were_trained():
    data, settings = DatasetReference("bundled", "iris"), ScoringSettings("setosa")
    scores = pipeline.scores(data, settings)
    assert (scores.data, scores.settings) == (data, settings)
    pieces = pipeline._pieces
    assert "iris" in pieces(scores, 100.0)
    assert pieces(calibrated(scores, "sigmoid"), 100.0) is None
    assert pieces(replace(scores, pool_labels=1 - scores.pool_labels), 100.0) is None


def test_words_and_price_of_work_see_the_arguments_however_they_are_given():
    seen = []

    @heavy.work(lambda _a, b: seen.append(b) or "Adding", lambda _a, b: seen.append(b) or 0.0)
    def added(a: int, b: int = 3) -> Work[int]:
        return Work(work.double, (a + b,))

    assert added(a=1) == added(1) == added(1, b=3) == 8
    assert seen == [3, 3]


def test_a_page_says_the_price_and_goes_on_after_a_click(monkeypatch):
    monkeypatch.setattr(pipeline, "scoring_seconds", lambda *_, **_more: 125.0)
    app = fine(run(ERROR_PAGE, seed="4711"))
    (price,) = app.info
    assert price.value == "Training logistic regression takes about 3 min on one processor."
    (button,) = [one for one in app.button if one.label == "Compute it"]
    fine(button.click().run())
    assert not app.info
    assert "AE" in "".join(str(one.value) for one in app.markdown)


def test_limits_of_a_server_are_read_from_its_environment():
    for key, one in limits.LIMITS.items():
        assert one.of({}) == one.default >= one.least
        assert one.of({f"{limits.PREFIX}{key}": str(one.least)}) == one.least
        for wrong in (str(one.least - 1), "many", "-3", "1e3"):
            with pytest.raises(ValueError, match=f"{limits.PREFIX}{key} must be a whole number"):
                one.of({f"{limits.PREFIX}{key}": wrong})


@pytest.mark.parametrize(
    ("key", "page", "query", "sentence"),
    [
        ("SAMPLES", ERROR_PAGE, {"repeats": "500"}, "Samples must be at most 3,000 on this server, got 10,500"),
        (
            "SAMPLES",
            "test_size",
            {"sizes": "10 20", "runs": "50", "points": "101"},
            "got 10,100. Choose fewer sizes",
        ),
        ("ROWS", ERROR_PAGE, {"data": "waveform"}, "must be at most 3,000 on this server, got 5,000"),
    ],
)
def test_reaching_a_limit_is_a_sentence(monkeypatch, key, page, query, sentence):
    original = limits.limit
    monkeypatch.setattr(limits, "limit", lambda name: 3000 if name == key else original(name))
    app = fine(run(page, **query))
    assert sentence in " ".join(warning.value.replace("\\", "") for warning in app.warning)
