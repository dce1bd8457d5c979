"""What a browser sends too late takes no move back."""

from types import SimpleNamespace

from pages.settings import last_values
from pages.settings.last_values import LastValues


def test_an_earlier_value_is_not_taken_and_a_new_one_is(monkeypatch):
    state = {"today": 0.5}
    monkeypatch.setattr(last_values, "st", SimpleNamespace(session_state=state))
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
