"""Jobs: answers, errors, progress, turns, an end when nobody waits, a time for each, pieces that are not lost, a cluster."""

import os
import signal
import subprocess
import sys
import time
from multiprocessing import forkserver
from multiprocessing.context import SpawnProcess

import pytest

from pages.work import engines
from pages.work import jobs as module
from pages.work.engines import Store, Work
from pages.work.jobs import Job, JobFailed, JobLimits, Jobs, QueueIsFull, TimeLeft
from qcore import InvalidInput, ScoringSettings, load_dataset, score_dataset
from qcore.evaluation.experiment import ExperimentFolder, ExperimentSettings, Pair, Problem, Sampling
from qcore.evaluation.experiment.runner import continue_experiment
from tests.pages.work import work

LIMIT = 30.0


@pytest.fixture
def make(tmp_path):
    made = []

    def jobs(processes=1, seconds=60.0, waiting=20, of_one=20, dask=""):
        made.append(Jobs(JobLimits(processes, waiting, of_one, seconds), Store(tmp_path / "pieces", 10**7), dask))
        return made[-1]

    yield jobs
    for one in made:
        one.close()


def until(condition, seconds=LIMIT):
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(0.01)


def answer(job: Job):
    assert job.wait(LIMIT)
    return job.answer()


def test_the_answer_is_that_of_the_function(make):
    jobs = make()
    assert answer(jobs.want("a", Work(work.double, (21,)), "here", None)) == 42
    data = load_dataset("iris")
    result = answer(jobs.want("b", Work(score_dataset, (data, ScoringSettings(None))), "here", None))
    assert (result.pool_scores == score_dataset(data, ScoringSettings(None)).pool_scores).all()


def test_an_error_is_that_of_the_function(make):
    jobs = make()
    with pytest.raises(ZeroDivisionError, match="by nothing"):
        answer(jobs.want("a", Work(work.fail), "here", None))
    with pytest.raises(InvalidInput, match="'nothing'"):
        answer(jobs.want("b", Work(load_dataset, ("nothing",), tells=False), "here", None))
    with pytest.raises(RuntimeError, match="Unsendable: by a function"):
        answer(jobs.want("c", Work(work.fail_unsendably), "here", None))
    assert answer(jobs.want("d", Work(work.double, (2,)), "here", None)) == 4, "the process goes on"


def test_a_process_that_dies_is_a_sentence_and_another_takes_its_place(make):
    jobs = make()
    with pytest.raises(JobFailed, match="has ended, perhaps for lack of memory"):
        answer(jobs.want("a", Work(work.die), "here", None))
    assert answer(jobs.want("b", Work(work.double, (2,)), "here", None)) == 4


def test_a_process_that_is_killed_while_it_is_idle_is_replaced(make):
    jobs = make()
    _, number = answer(jobs.want("a", Work(work.steps, (1, 0.0)), "here", None))
    os.kill(number, signal.SIGKILL)
    time.sleep(0.5)
    assert answer(jobs.want("b", Work(work.double, (2,)), "here", None)) == 4


def _without_forks(monkeypatch):
    """As where the socket of the process that is forked has been removed from the folder of temporary files."""

    def nowhere(*_args):
        raise FileNotFoundError("[Errno 2] No such file or directory")

    # Popen looks it up here at each start.
    monkeypatch.setattr(forkserver, "connect_to_new_process", nowhere)


def test_a_process_starts_where_none_can_be_forked(make, monkeypatch):
    _without_forks(monkeypatch)
    assert answer(make().want("a", Work(work.double, (2,)), "here", None)) == 4


def test_a_process_that_cannot_start_fails_its_job_and_the_next_one_is_tried(make, monkeypatch):
    _without_forks(monkeypatch)
    jobs = make()
    with monkeypatch.context() as meanwhile:
        meanwhile.setattr(SpawnProcess, "start", _refuse)
        jobs.start()
        for key in "ab":
            with pytest.raises(OSError, match="no process can be started"):
                answer(jobs.want(key, Work(work.double, (2,)), "here", None))
    assert answer(jobs.want("c", Work(work.double, (2,)), "here", None)) == 4


def _refuse(_process):
    raise OSError("no memory")


def test_who_wants_the_same_shares_one_job(make):
    jobs = make()
    first, second = (jobs.want("a", Work(work.steps, (2, 0.05)), visitor, None) for visitor in ("here", "there"))
    assert first is second
    jobs.let_go(first)
    assert answer(second)[0] == 2


def test_progress_and_place_are_told(make):
    jobs = make()
    first = jobs.want("first", Work(work.steps, (40, 0.05)), "here", 2.0)
    second, third = (jobs.want(name, Work(work.double, (1,)), "here", 0.5) for name in ("second", "third"))
    until(lambda: first.progress[0] > 0.05)
    assert [jobs.place(one) for one in (first, second, third)] == [0, 0, 1]
    assert first.progress[1].endswith("of 40")
    assert not second.started


def test_a_job_that_nobody_wants_is_cancelled_whether_it_reports_progress_or_not(make):
    jobs = make()
    for key, unwanted in enumerate((Work(work.steps, (1000, 0.05)), Work(work.sleep, (60.0,), tells=False))):
        job = jobs.want(key, unwanted, "here", None)
        time.sleep(0.2)
        jobs.let_go(job)
        assert job.wait(5.0)
        assert answer(jobs.want(("next", key), Work(work.double, (2,)), "here", None)) == 4


def test_one_that_waits_leaves_the_queue(make):
    jobs = make()
    jobs.want("long", Work(work.sleep, (60.0,), tells=False), "here", None)
    job = jobs.want("a", Work(work.double, (1,)), "here", None)
    jobs.let_go(job)
    until(lambda: not jobs._long.waiting, 5.0)
    with pytest.raises(JobFailed, match="Nobody waited"):
        answer(job)


def test_who_comes_back_at_once_finds_it_at_work(make):
    jobs = make()
    job = jobs.want("a", Work(work.steps, (20, 0.05)), "here", None)
    until(lambda: job.progress[0] > 0)
    jobs.let_go(job)
    assert jobs.want("a", Work(work.steps, (20, 0.05)), "here", None) is job
    assert answer(job)[0] == 20


def test_one_that_takes_too_long_is_a_sentence(make):
    jobs = make(seconds=0.3)
    with pytest.raises(JobFailed, match=r"longer than the 0\.005 minutes"):
        answer(jobs.want("a", Work(work.steps, (1000, 0.05)), "here", None))


def test_work_with_pieces_that_was_cancelled_goes_on_where_it_ended(make):
    jobs = make()
    job = jobs.want("a", Work(work.steps, (12, 0.1), pieces="test"), "here", None)
    until(lambda: job.progress[0] > 0.3)
    jobs.let_go(job)
    assert job.wait(5.0)
    made, _ = answer(jobs.want("a", Work(work.steps, (12, 0.1), pieces="test"), "here", None))
    assert made < 9, "pieces that were finished are not made again"


def test_short_jobs_do_not_wait_for_long_ones(make):
    jobs = make(processes=2)
    long = [jobs.want(number, Work(work.sleep, (60.0,), tells=False), "here", 60.0) for number in range(3)]
    assert answer(jobs.want("short", Work(work.double, (1,)), "here", 0.5)) == 2
    assert [jobs.place(job) for job in long] == [0, 0, 1]


class TestTurns:
    @pytest.fixture
    def begun(self, make, monkeypatch):
        """A function that has these (name, address) wait behind a job, and gives the order in which they begin."""

        def order(*wanted):
            jobs = make()
            first = jobs.want("first", Work(work.sleep, (0.5,), tells=False), "a", None)
            waiting = [jobs.want(name, Work(work.double, (1,)), visitor, None) for name, visitor in wanted]
            places = {job.key: jobs.place(job) for job in waiting}
            assert first.wait(LIMIT)
            for job in waiting:
                answer(job)
            ordered = [job.key for job in sorted(waiting, key=lambda job: job.started)]
            assert ordered == sorted(places, key=places.get), "a place is what it says"
            return ordered

        return order

    def test_addresses_take_turns(self, begun):
        wanted = [("a1", "a"), ("a2", "a"), ("a3", "a"), ("b1", "b"), ("c1", "c"), ("b2", "b")]
        assert begun(*wanted) == ["b1", "c1", "a1", "b2", "a2", "a3"], "a had the first turn"

    def test_jobs_of_one_address_come_in_order(self, begun):
        assert begun(("a1", "a"), ("a2", "a"), ("a3", "a")) == ["a1", "a2", "a3"]

    @pytest.mark.parametrize(
        ("limits", "visitor", "sentence"),
        [({"waiting": 2}, "b", "2 computations are waiting on this server"), ({"of_one": 2}, "a", "from your address")],
    )
    def test_a_full_queue_is_a_sentence(self, make, limits, visitor, sentence):
        jobs = make(**limits)
        for number in range(3):
            jobs.want(number, Work(work.sleep, (60.0,), tells=False), "a", None)
        with pytest.raises(QueueIsFull, match=sentence):
            jobs.want("more", Work(work.double, (1,)), visitor, None)

    def test_who_asks_for_much_does_not_keep_others_from_the_queue(self, make):
        jobs = make(of_one=2)
        for number in range(3):
            jobs.want(number, Work(work.sleep, (60.0,), tells=False), "a", None)
        assert jobs.place(jobs.want("more", Work(work.double, (1,)), "b", None)) == 0


@pytest.mark.parametrize("seconds", [0.5, 60.0], ids=["short", "long"])
def test_processes_let_the_pages_go_first_but_not_every_other_program_and_use_one_thread(make, seconds):
    jobs = make(processes=2)
    niceness, policy, threads = answer(jobs.want("a", Work(work.niceness, tells=False), "here", seconds))
    assert os.nice(0) < niceness <= min(19, os.nice(0) + 10)
    assert policy == work.scheduler()
    assert threads == "1"


def test_a_table_of_a_process_has_texts_as_python_strings(make):
    table = answer(make().want("a", Work(work.table_of_texts, tells=False), "here", None))
    assert (table.method.dtype.storage, table.columns.dtype.storage) == ("python", "python")


def test_the_environment_is_left_as_it_was(make, monkeypatch):
    monkeypatch.setenv("OMP_NUM_THREADS", "7")
    answer(make().want("a", Work(work.double, (1,)), "here", None))
    assert os.environ["OMP_NUM_THREADS"] == "7"


def test_where_no_pieces_can_be_kept_work_is_done_all_the_same(make, tmp_path):
    (tmp_path / "pieces").mkdir()
    (tmp_path / "pieces").chmod(0o777)
    assert answer(make().want("a", Work(work.steps, (2, 0.0), pieces="test"), "here", None))[0] == 2


def test_an_answer_is_kept_before_the_job_is_forgotten(make):
    jobs, kept = make(), []
    job = jobs.want("a", Work(work.double, (2,)), "here", None, kept.append)
    jobs.let_go(job)
    assert job.wait(LIMIT)
    assert kept == [4]


@pytest.mark.skipif(not hasattr(signal, "pthread_sigmask"), reason="Windows has no masks of signals")
def test_a_process_that_starts_inherits_that_it_does_not_hear_ctrl_c():
    """A terminal sends the signal to all processes, and each would write a traceback."""
    asked = "import signal; print(signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, ()))"
    with engines._quietly():
        heard = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True).stdout
    assert heard == "True\n"
    assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, ())


@pytest.fixture(scope="module")
def address():
    """The address of the scheduler of a cluster of one worker."""
    from distributed import LocalCluster

    with LocalCluster(n_workers=1, threads_per_worker=1, processes=True, dashboard_address=None) as cluster:
        yield cluster.scheduler_address


@pytest.mark.thorough
class TestOnACluster:
    def test_answers_errors_and_progress_come_back(self, make, address):
        jobs = make(dask=address)
        job = jobs.want("a", Work(work.steps, (20, 0.1), pieces="test"), "here", None)
        until(lambda: job.progress[0] > 0)
        made, number = answer(job)
        assert made == 20
        assert number not in {os.getpid(), *_pids(jobs)}
        with pytest.raises(ZeroDivisionError, match="by nothing"):
            answer(jobs.want("b", Work(work.fail), "here", None))

    def test_an_experiment_is_computed_there_and_its_results_are_kept_here(self, make, address, tmp_path):
        jobs, pairs = make(dask=address), (Pair("Gaussian naive Bayes", "CC"), Pair("Gaussian naive Bayes", "AC"))
        settings, table = ExperimentSettings("own", (Problem("a.csv"),), pairs, Sampling(folds=2)), load_dataset("iris")
        arguments = (settings, tmp_path / "run", {"a.csv": table}, jobs.dask)
        answer(jobs.want("a", Work(continue_experiment, arguments, is_local=True), "here", None))
        entries = ExperimentFolder.open(tmp_path / "run").journal().values()
        assert len(entries) == 2
        assert all(entry["worker"].startswith("tcp://") for entry in entries)

    def test_what_needs_the_files_of_this_machine_stays_here(self, make, address):
        jobs = make(dask=address)
        _, number = answer(jobs.want("a", Work(work.steps, (1, 0.0), is_local=True), "here", None))
        assert number in _pids(jobs)

    @pytest.mark.parametrize("seconds", [60.0, 0.5], ids=["nobody wants it", "it takes too long"])
    def test_one_that_ends_early_leaves_its_place_to_the_next(self, make, address, seconds):
        jobs = make(dask=address, seconds=seconds)
        job = jobs.want("a", Work(work.steps, (600, 0.1)), "here", None)
        until(lambda: job.started)
        if seconds == 60.0:
            jobs.let_go(job)
        with pytest.raises(JobFailed, match="Nobody waited" if seconds == 60.0 else "This takes longer"):
            answer(job)
        assert answer(make(dask=address).want("b", Work(work.double, (2,)), "here", None)) == 4

    def test_a_scheduler_that_does_not_answer_is_a_sentence(self, make):
        with pytest.raises(InvalidInput, match="scheduler must"):
            make(dask="nowhere")


def _pids(jobs):
    """The numbers of the processes of this machine."""
    pools = [lane.engine._pool for lane in jobs._lanes if lane is not jobs._cluster]
    return {number for pool in pools for number in pool._pool_manager.worker_manager.workers}


@pytest.fixture
def clock(monkeypatch):
    now = {"seconds": 100.0}
    monkeypatch.setattr(module.time, "monotonic", lambda: now["seconds"])
    return now


def begun_job(seconds):
    job = Job("a", Work(work.double, (1,)), "here", seconds)
    job.started = 100.0
    return job


class TestTimeLeft:
    """Nothing at first, then as expected, by the job's pace later; and what a person is told of it."""

    @pytest.fixture
    def left(self, clock):
        def of(seconds):
            job = begun_job(seconds)

            def left(after, share):
                clock["seconds"], job.progress = 100.0 + after, (share, "")
                return job.seconds_left

            return left

        return of

    def test_a_slow_start_does_not_make_the_time_left_jump(self, left):
        left = left(15.0)
        # The first tenth took as long as a fifth of the whole should.
        assert left(3, 0.0) is None, "nothing is finished"
        assert left(4, 0.1) == pytest.approx(0.1 * 36 + 0.9 * 11)
        assert left(10, 0.5) == pytest.approx(0.5 * 10 + 0.5 * 5)
        assert left(19, 0.95) == pytest.approx(1.0)

    def test_a_pace_far_below_the_expected_one_is_seen(self, left):
        left = left(5.0)
        # It takes a minute, not five seconds.
        assert left(15, 0.25) > 10
        assert left(30, 0.5) > 15
        assert left(45, 0.75) == pytest.approx(15)

    def test_what_nobody_expected_is_told_by_its_pace(self, left):
        left = left(None)
        assert left(2, 0.0) is None
        assert left(5, 0.25) == pytest.approx(15)

    @pytest.fixture
    def told(self, clock):
        """A function that gives the time left that a person is told, so many seconds after the start at that share."""
        job = begun_job(5.5)
        left = TimeLeft(job)

        def seconds(after, share):
            clock["seconds"], job.progress = 100.0 + after, (share, "")
            return left.seconds()

        return seconds

    def test_on_a_busy_machine_no_second_is_left_for_ever(self, told):
        """The expected 5.5 s pass before the first piece is finished; later one piece takes longer than all before it."""
        assert [told(after, 0.0) for after in (0, 5, 30)] == [None] * 3
        assert told(40, 0.5) == pytest.approx(40)
        assert told(79, 0.5) == pytest.approx(1)
        assert [told(after, 0.5) for after in (81, 100, 1000)] == [None] * 3
        assert told(1001, 0.9) == pytest.approx(1001 / 9), "a piece more is news"

    def test_a_time_left_counts_down_and_is_raised_only_if_it_was_far_too_low(self, told):
        assert told(6, 0.5) == pytest.approx(6)
        assert told(9, 0.6) == pytest.approx(3), "by its pace, 6 s"
        assert told(10, 0.8) == pytest.approx(2), "by its pace, 2.5 s"
        assert told(10.5, 0.95) == pytest.approx(10.5 / 19)
        assert told(30, 0.95) is None
        assert told(60, 0.96) == pytest.approx(2.5)
