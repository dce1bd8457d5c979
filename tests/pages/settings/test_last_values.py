"""What a browser sends too late takes no move back."""

from types import SimpleNamespace

from pages.settings import control
from pages.settings.control import LastValues, late_values


def test_an_earlier_value_is_not_taken_and_a_new_one_is(monkeypatch):
    state = {"today": 0.5}
    monkeypatch.setattr(control, "st", SimpleNamespace(session_state=state))
    last = LastValues("today")
    assert [last.add(value) for value in (0.2, 0.5, 0.94)] == [0.2, 0.5, 0.94]
    for sent, kept in ((0.2, 0.94), (0.5, 0.94), (0.94, 0.94), (0.7, 0.7)):
        state["today"] = sent
        last.keep()
        assert state["today"] == kept
    last.add(0.2)
    state["today"] = 0.94
    last.keep()
    assert state["today"] == 0.2, "what has come back is the last one"
    assert LastValues("today").values == last.values
    assert LastValues("true_p").values == []


def test_what_a_browser_says_again_is_late_until_it_has_heard():
    before = {}

    def late(said, has, *, pressed=False):
        return late_values({"p": said, "other": 1}, {"p": has, "other": 1}, before, pressed=pressed)

    assert late(0.2, 0.2, pressed=True) == []
    assert late(0.2, 0.3, pressed=True) == ["p"], "what the button set is not heard of"
    assert late(0.3, 0.4, pressed=True) == ["p"], "only the first of two moves is"
    assert late(0.4, 0.4) == []
    assert late(0.7, 0.4) == [], "moved by hand"
    assert late(0.7, 0.2) == [], "set back by hand: nothing else has moved"


def test_another_control_that_is_moved_takes_nothing_back():
    before = {}
    assert late_values({"p": 0.2, "size": 100}, {"p": 0.2, "size": 100}, before, pressed=False) == []
    assert late_values({"p": 0.2, "size": 50}, {"p": 0.3, "size": 100}, before, pressed=False) == ["p"]
    assert before == {"p": [0.2, 0.3], "size": [50]}
    assert late_values({"p": 0.2, "size": 50}, {"p": 0.5, "size": 10}, before, pressed=False) == ["p", "size"], "an example"
    assert late_values({"new": 1}, {"new": 2}, before, pressed=True) == [], "nothing was said of it before"
    assert before == {"new": [1]}, "what has gone may come back with another value"
