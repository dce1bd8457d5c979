"""A lesson is tried before a class takes it: what would fail there is said, step by step."""

import pytest

from pages.learn.library import FOLDER_VARIABLE
from pages.learn.trial import main

FAULTY = """# Four steps
Aim: See what is said.

## Closed
View: /corrections?data=iris
Hide: chart rates
Look: chart degradation

Question: find
Find it.
Check: correction-errs-more AC
Right: There.
Not there: Elsewhere.

## Absent
View: /
Hide: section

Question: choice
Which?
- [x] This.
  Yes.
- [ ] That.
  No.

## Answered
View: /losses?true_p=0.3

Question: find
Find it.
Check: losses-agree AE KLD
Right: Both prefer {preferred}.
Not there: Elsewhere.

## Long
View: /losses

"""


@pytest.fixture(autouse=True)
def _folder_as_before(monkeypatch):
    monkeypatch.setenv(FOLDER_VARIABLE, "")  # what the command sets is taken back


def tried(capsys, path, *words):
    status = main([str(path), *words])
    return status, capsys.readouterr().out.splitlines()


def test_what_would_fail_before_a_class_is_said(tmp_path, capsys):
    path = tmp_path / "mine.md"
    path.write_text(FAULTY + "word " * 81)
    status, said = tried(capsys, path)
    assert status == 1
    closed, absent, answered, long = ("\n".join(said).partition(f"\n{i} ")[2].partition(f"\n{i + 1} ")[0] for i in (1, 2, 3, 4))
    assert "The view draws no chart degradation: it draws " in closed
    assert "correction, cost" in closed
    assert "does not compute what its question asks for" in closed
    assert "Right: This." in absent
    assert "The view has no part 'section' that could be hidden." in absent
    assert "Advice: The view answers the question already" in answered
    assert "Advice: It has 81 words; 80 are enough." in long


def test_languages_of_a_lesson_have_the_same_steps(tmp_path, capsys):
    text = "# One\nAim: See it.\n\n## Where\nView: /losses\n\nLook.\n"
    for code in ("en", "es"):
        (tmp_path / code).mkdir()
        (tmp_path / code / "mine.md").write_text(text)
    assert tried(capsys, tmp_path / "en" / "mine.md") == (0, ["One: 1 step, 10 minutes", "1 Where"])
    (tmp_path / "es" / "mine.md").write_text(text.replace("/losses", "/losses?true_p=0.3"))
    status, said = tried(capsys, tmp_path / "en" / "mine.md")
    assert status == 1
    assert said[-1].startswith("Step 1 differs in es: ")
    asked = f"{text}\nQuestion: choice\nWhich?\n- [x] A.\n  Yes.\n- [ ] B.\n  No.\n"
    (tmp_path / "en" / "mine.md").write_text(asked)
    (tmp_path / "es" / "mine.md").write_text(asked.replace("[x]", "[-]").replace("[ ]", "[x]").replace("[-]", "[ ]"))
    assert tried(capsys, tmp_path / "en" / "mine.md")[1][-1].startswith("Step 1 differs in es: ")
    (tmp_path / "es" / "mine.md").write_text("# One")
    assert "a lesson says what one can do" in "".join(tried(capsys, tmp_path / "en" / "mine.md")[1])


def test_a_file_that_cannot_be_read_is_named(tmp_path, capsys):
    for path in (tmp_path / "mine.md", tmp_path):
        sentence = f"{str(path)!r} must be the file of a lesson, got no file. Check the path."
        assert tried(capsys, path) == (1, [sentence])
