"""Pieces on disk: kept, shared, bounded, and never half of one."""

import multiprocessing
import os
import resource
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from qcore import InvalidInput
from qcore._base import stored_pieces
from qcore._base.stored_pieces import StoredPieces
from qcore.protocols import PoolTooSmall


def made(values):
    """A function that gives one value after the other, and a list of those it gave."""
    given = []

    def make():
        given.append(values[len(given)])
        return given[-1]

    return make, given


def test_a_piece_is_made_once_whoever_asks(tmp_path):
    make, given = made([np.arange(3.0), None])
    first = StoredPieces(tmp_path, "iris").get(("scores", 1), make)
    again = StoredPieces(tmp_path, "iris").get(("scores", 1), make)
    np.testing.assert_array_equal(first, again)
    assert len(given) == 1


def test_other_keys_data_sets_and_versions_are_other_pieces(tmp_path, monkeypatch):
    make, given = made([1, 2, 3, 4])
    StoredPieces(tmp_path, "iris").get("a", make)
    StoredPieces(tmp_path, "iris").get("b", make)
    StoredPieces(tmp_path, "wine").get("a", make)
    monkeypatch.setattr(stored_pieces, "_versions", lambda: "another version of qcore")
    assert StoredPieces(tmp_path, "iris").get("a", make) == 4
    assert given == [1, 2, 3, 4]


def test_a_broken_file_is_made_anew(tmp_path):
    make, _ = made(["before", "after"])
    StoredPieces(tmp_path, "iris").get("a", make)
    (path,) = tmp_path.iterdir()
    path.write_bytes(path.read_bytes()[:-3])
    assert StoredPieces(tmp_path, "iris").get("a", make) == "after"
    assert StoredPieces(tmp_path, "iris").get("a", make) == "after"


def test_what_was_used_longest_ago_goes_first(tmp_path):
    pieces = StoredPieces(tmp_path, "iris", max_bytes=2500)
    for number, key in enumerate("abc"):
        pieces.get(key, lambda: b"x" * 1000)
        newest = max(tmp_path.iterdir(), key=lambda path: path.stat().st_mtime_ns)
        os.utime(newest, (number, number))
    make, given = made(["a anew"])
    assert pieces.get("c", make) == b"x" * 1000
    assert pieces.get("b", make) == b"x" * 1000
    assert pieces.get("a", make) == "a anew"
    assert given == ["a anew"]
    assert sum(path.stat().st_size for path in tmp_path.iterdir()) <= 2500


def test_nothing_is_left_of_work_that_stops(tmp_path):
    def stop():
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        StoredPieces(tmp_path, "iris").get("a", stop)
    assert not list(tmp_path.iterdir())


def test_a_folder_that_others_may_write_to_is_refused(tmp_path):
    open_to_all = tmp_path / "open"
    open_to_all.mkdir()
    open_to_all.chmod(0o777)
    with pytest.raises(PermissionError, match="belong only to you"):
        StoredPieces(open_to_all, "iris")


@pytest.mark.skipif(os.getuid() != 0, reason="only root can give a file away")
def test_a_link_or_a_folder_of_somebody_else_is_refused(tmp_path):
    mine = tmp_path / "mine"
    mine.mkdir(mode=0o700)
    link = tmp_path / "link"
    link.symlink_to(mine)
    assert StoredPieces(link, "iris").get("a", lambda: 1) == 1, "one's own link leads where one wants"
    os.lchown(link, 12345, 12345)
    with pytest.raises(PermissionError, match="belong only to you"):
        StoredPieces(link, "iris")
    os.chown(mine, 12345, 12345)
    with pytest.raises(PermissionError, match="belong only to you"):
        StoredPieces(mine, "iris")


def test_a_full_disk_keeps_nothing_and_answers(tmp_path):
    pieces = StoredPieces(tmp_path, "iris")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, before[1]))
    try:
        assert pieces.get("a", lambda: b"x" * 10_000) == b"x" * 10_000
        assert not list(tmp_path.iterdir())
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert pieces.get("a", lambda: 2) == 2
    assert len(list(tmp_path.iterdir())) == 1


def hammer(folder, number):
    """Ask for pieces of a folder that holds only a few of them."""
    pieces = StoredPieces(folder, "iris", max_bytes=3000)
    return all(pieces.get(i % 7, lambda i=i: [i % 7] * 500)[0] == i % 7 for i in range(number))


def test_two_servers_share_one_folder(tmp_path):
    with ProcessPoolExecutor(2, multiprocessing.get_context("fork")) as servers:
        assert all(servers.map(hammer, [tmp_path] * 2, [300] * 2))
    assert not list(tmp_path.glob("writing-*"))


def test_a_folder_is_made_for_this_user_alone(tmp_path):
    StoredPieces(tmp_path / "new", "iris").get("a", lambda: 1)
    assert Path(tmp_path / "new").stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize("error", [InvalidInput("size", "be small", "9", "Choose 1."), PoolTooSmall("a", "b", "c", "d", 7)])
def test_errors_come_back_from_another_process_as_they_were(error):
    import pickle

    again = pickle.loads(pickle.dumps(error))
    assert type(again) is type(error)
    assert str(again) == str(error)
    assert vars(again) == vars(error)
