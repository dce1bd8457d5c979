"""UCI's repository and OpenML: the real clients against a server on loopback that speaks as they do, and broken ones."""

import contextlib
import threading
import time

import pytest

from qcore import DatasetReference, InvalidInput, load_dataset
from qcore.datasets import repositories, repository_client
from qcore.datasets.catalog import available
from qcore.datasets.repositories import KNOWN_SETS, OPENML, REPOSITORIES, UCI, cache_folder
from tests import repository_server, warm_client


@pytest.fixture(autouse=True)
def empty_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("QUANTIFICATION_LAB_CACHE", str(tmp_path))


@pytest.fixture
def in_a_new_process():
    """The program that fetches is started as users have it started."""


@pytest.fixture(autouse=True)
def clients(request, monkeypatch):
    """Elsewhere it is a process that has imported all that it needs."""
    if "in_a_new_process" not in request.fixturenames:
        monkeypatch.setattr(repositories, "subprocess", warm_client.SUBPROCESS)


@pytest.fixture
def serve(monkeypatch):
    """Start a server of a kind, and have both repositories at its address."""

    def start(kind=""):
        server = stack.enter_context(repository_server.repository_server(kind))
        monkeypatch.setenv("QUANTIFICATION_LAB_UCI", server.address)
        monkeypatch.setenv("QUANTIFICATION_LAB_OPENML", server.address)
        return server

    with contextlib.ExitStack() as stack:
        yield start


def test_a_data_set_of_uci_is_fetched_once_and_kept(serve, in_a_new_process):
    server = serve()
    data = load_dataset("uci:53")
    assert (data.name, data.classes, data.nominal) == ("Toy grades", ("no", "yes"), ("colour",))
    assert list(data.features) == ["length", "colour"], "neither the number of the row nor the other target"
    assert data.n_missing == 14
    assert "10.24432/TOY" in data.citation
    asked = len(server.asked)
    assert load_dataset("uci:53").classes == ("no", "yes")
    assert len(server.asked) == asked == 2
    assert UCI.names() == ["53"]
    assert DatasetReference("uci", "53") in available()


def test_another_target_is_named_in_the_reference(serve):
    serve()
    data = load_dataset("uci:53/Grade")
    assert data.classes == ("a", "b")
    assert "Class" not in data.features
    assert "other label columns: Class, Grade" in data.source
    with pytest.raises(InvalidInput, match="column of the table"):
        load_dataset("uci:53/Grad")


def test_a_data_set_of_openml_keeps_what_is_nominal(serve, in_a_new_process):
    serve()
    data = load_dataset("openml:1046")
    assert (data.name, data.classes, data.nominal) == ("toy", ("u", "v"), ("code",))
    assert data.features["width"].tolist()[:3] == [0.25, 1.25, 2.25]
    assert OPENML.names() == ["1046"]


def test_without_a_network_what_was_fetched_is_there(serve, monkeypatch):
    serve()
    load_dataset("uci:53")
    monkeypatch.setenv("QUANTIFICATION_LAB_UCI", "http://127.0.0.1:9")
    assert load_dataset("uci:53").name == "Toy grades"
    with pytest.raises(InvalidInput, match="no answer"):
        load_dataset("uci:17")


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("cut off", "cut off"), ("html", "not a data set"), ("error", "no answer"), ("json", "not a data set"),
        ("cut off data", "cut off"), ("html data", "Error reading"), ("error data", "Error reading data csv file"),
        ("endless data", "more than this app reads"), ("endless", "more than this app reads"),
    ],
)  # fmt: skip
def test_a_broken_uci_is_one_sentence(serve, monkeypatch, kind, words):
    monkeypatch.setattr(repositories, "LARGEST_FILE", 3 * 10**6)
    serve(kind)
    with pytest.raises(InvalidInput, match=words):
        UCI.fetch("53", patience=60)
    assert UCI.names() == []


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("checksum", "differs from its checksum"), ("cut off data", "differs from its checksum"),
        ("html data", "differs from its checksum"), ("endless data", "more than this app reads"), ("html", "not a data set"),
        ("error data", "an error in place of an answer"),
    ],
)  # fmt: skip
def test_a_broken_openml_is_one_sentence(serve, monkeypatch, kind, words):
    monkeypatch.setattr(repositories, "LARGEST_FILE", 3 * 10**6)
    serve(kind)
    with pytest.raises(InvalidInput, match=words):
        OPENML.fetch("61", patience=60)
    assert OPENML.names() == []


ELSEWHERE = {
    "another port": "{other}/static/public/53/data.csv",
    "a name before the host": "http://{host}@{other_host}/static/public/53/data.csv",
    "a file": "file://{file}",
    "a path": "{file}",
    "a protocol of fsspec": "local://{file}",
    "ftp": "ftp://{other_host}/data.csv",
}


LEADS = [*(("", name) for name in ELSEWHERE), *(("moved data", name) for name in ("another port", "a file", "ftp"))]


@pytest.mark.parametrize(("kind", "name"), LEADS)
@pytest.mark.parametrize("repository", REPOSITORIES.values(), ids=REPOSITORIES)
def test_data_are_taken_from_the_repository_alone(serve, tmp_path, repository, kind, name):
    file = tmp_path / "data.csv"
    file.write_text(repository_server.UCI_ROWS)
    server = serve(kind)
    with repository_server.repository_server() as other:
        hosts = {"host": server.address.partition("//")[2], "other_host": other.address.partition("//")[2]}
        server.elsewhere = ELSEWHERE[name].format(other=other.address, file=file, **hosts)
        with pytest.raises(InvalidInput, match="must be fetched from its repository"):
            repository.fetch("53", patience=60)
        assert other.asked == []
    assert repository.names() == []


OF_UCI = ["https://archive.ics.uci.edu/static/public/53/data.csv", "https://archive.ics.uci.edu:443/api/dataset?id=53"]
OF_OPENML = ["https://www.openml.org/data/v1/download/61/iris.arff", "https://api.openml.org/data/v1/download/61/iris.arff"]
OF_OTHERS = [
    "http://archive.ics.uci.edu/data.csv", "https://archive.ics.uci.edu:8443/data.csv", "https://archive.ics.uci.edu.example/",
    "https://archive.ics.uci.edu@example.org/", "https://example.org/https://archive.ics.uci.edu/", "https://notopenml.org/",
    "http://www.openml.org/", "https://www.openml.org:8080/", "https://127.0.0.1/", "file:///etc/hostname", "",
]  # fmt: skip


def test_the_addresses_of_repositories():
    for source, own, others in (("uci", OF_UCI, OF_OPENML), ("openml", OF_OPENML, OF_UCI)):
        assert all(repository_client.is_of(source, address) for address in own)
        assert not any(repository_client.is_of(source, address) for address in others + OF_OTHERS)


def test_nobody_waits_long_for_a_silent_server(serve, in_a_new_process):
    server = serve("silent")
    with pytest.raises(InvalidInput, match="no data set after 1 s"):
        UCI.fetch("53", patience=1)
    assert not server.silence_ended, "who asked did not wait for the server"


def test_what_several_ask_for_is_fetched_once(serve):
    server = serve()
    threads = [threading.Thread(target=UCI.fetch, args=("53",)) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert UCI.names() == ["53"]
    assert len(server.asked) == 2


def test_all_that_wait_for_one_that_fails_are_told_the_same(serve):
    serve()
    text = []

    def ask():
        try:
            UCI.fetch("404")
        except InvalidInput as error:
            text.append(str(error))

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(text) == 4
    assert all("No dataset matches" in one for one in text)


def test_a_failure_that_nobody_waited_for_is_forgotten(serve, monkeypatch):
    monkeypatch.setenv("QUANTIFICATION_LAB_UCI", "http://127.0.0.1:9")
    with pytest.raises(InvalidInput, match="download continues"):
        UCI.fetch("53", patience=0)
    deadline = time.monotonic() + 60
    while any(one.process.poll() is None for one in repositories._RUNNING.values()) and time.monotonic() < deadline:
        time.sleep(0.05)
    serve()
    UCI.fetch("53")
    assert UCI.names() == ["53"]


def test_question_marks_are_missing_and_rows_of_words_are_no_numbers(serve):
    server = serve()
    rows = [
        f"{i},{'?' if i % 9 == 0 else i * 0.37},{'red' if i % 2 else 'blue'},a,{'yes' if i % 4 else 'no'}" for i in range(200)
    ]
    rows[50] = "ID,length,colour,Grade,Class"
    server.rows = "\n".join(["ID,length,colour,Grade,Class", *rows])
    data = load_dataset("uci:53")
    assert data.features["length"].dtype == float
    assert data.n_missing == 24, "23 question marks and a header among the rows"


def test_more_rows_than_the_app_reads_are_refused(serve, monkeypatch):
    monkeypatch.setattr(repositories, "MAX_ROWS", 30)
    serve()
    with pytest.raises(InvalidInput, match="more than this app reads"):
        UCI.fetch("53", patience=60)


def test_only_so_many_are_kept(serve, monkeypatch):
    monkeypatch.setattr(repositories, "MOST_KEPT", 1)
    serve()
    UCI.fetch("53")
    with pytest.raises(InvalidInput, match="others already kept"):
        UCI.fetch("54")


def test_only_so_many_are_fetched_at_once(serve):
    serve("silent")
    for number in range(1, repositories.MOST_AT_ONCE + 1):
        with pytest.raises(InvalidInput, match="download continues"):
            UCI.fetch(str(number), patience=0.01)
    with pytest.raises(InvalidInput, match="other downloads running"):
        UCI.fetch("99", patience=0.01)
    repositories.stop()


def test_what_the_repository_does_not_know_is_said(serve, in_a_new_process):
    serve()
    with pytest.raises(InvalidInput, match="No dataset matches your query"):
        load_dataset("uci:404")


def test_a_damaged_file_is_fetched_anew(serve):
    serve()
    load_dataset("uci:53")
    path = cache_folder() / "uci" / "53.parquet"
    path.write_bytes(path.read_bytes()[:100])
    with pytest.raises(InvalidInput, match="damaged"):
        load_dataset("uci:53")
    assert load_dataset("uci:53").name == "Toy grades"


@pytest.mark.parametrize("name", ["iris", "", "-1", "0", "1.5", "../53", "53 ", "²", "9" * 30, "1" * 5000])
def test_a_name_that_is_no_number_is_refused(name):
    with pytest.raises(InvalidInput, match="be a number"):
        UCI.load(name)


def test_known_sets_are_those_of_the_papers():
    assert len(KNOWN_SETS) == 13 + 12, "wine quality and wine type are one data set"
    problems = sum(one.positive.count(";") + 1 for one in KNOWN_SETS if "Barranquero" in one.used)
    # Acute inflammations are two problems of one positive class each.
    assert problems + 1 == 24
    words = [one.word for one in KNOWN_SETS if one.word]
    assert len(set(words)) == len(words)
    for word in words:
        source, _, name = word.partition(":")
        assert REPOSITORIES[source].parse(name)
    assert all(one.rarest is None or 0 < one.rarest <= 0.5 for one in KNOWN_SETS)
