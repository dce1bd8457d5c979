"""What the log says of values that no control sends: one line; and of errors of our own: all of it."""

import logging
import sys

import pytest

from pages.server.faults import WrongValues, is_of_a_wrong_value


def raised(code, name, path, error):
    """An error whose traceback ends in a function of that name in a file of that path."""
    names = {"error": error}
    exec(compile(f"def {name}():\n    {code}\n", path, "exec"), names)
    try:
        names[name]()
    except Exception as found:
        return found
    raise AssertionError


STATE = "/x/site-packages/streamlit/runtime/state/session_state.py"


def record(error, message="Uncaught app execution"):
    return logging.LogRecord(
        "streamlit.error_util", logging.ERROR, "f", 1, message, (), (type(error), error, error.__traceback__)
    )


def test_a_wrong_value_is_one_line_without_the_value():
    error = raised("raise error", "__getitem__", STATE, TypeError("secret"))
    result = record(error)
    assert WrongValues().filter(result)
    assert result.getMessage() == "A value of a wrong type was sent for a control, and not used (TypeError)."
    assert result.exc_info is None


@pytest.mark.parametrize(
    "error",
    [
        raised("raise error", "__getitem__", STATE, KeyError("missing")),
        raised("raise error", "drawn", "/x/pages/corrections/page.py", TypeError("ours")),
        raised("raise error", "get_serialized", "/x/pages/own.py", TypeError("ours")),
    ],
)
def test_an_error_of_our_own_keeps_its_traceback(error):
    result = record(error)
    assert WrongValues().filter(result)
    assert result.exc_info == (type(error), error, error.__traceback__)
    assert not is_of_a_wrong_value(error)


def test_no_error_is_no_reason():
    assert WrongValues().filter(logging.LogRecord("x", logging.INFO, "f", 1, "said", (), None))
    assert sys.exc_info() == (None, None, None)
