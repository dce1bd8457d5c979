"""Shortens the log of values that no control of a page can have sent to one line each, without the values."""

import logging
import traceback

_LOGGERS = ("streamlit.error_util", "streamlit.components.v2.bidi_component.serialization")
_STATE = "streamlit/runtime/state/session_state.py"
_READS = ("__getitem__", "get_serialized")
_OURS = ("/pages/", "/qcore/", "app.py")


class WrongValues(logging.Filter):
    """Shortens the record of an error that Streamlit met while it read the value of a control from a browser.

    Anyone can send values of any type by Streamlit's protocol; a traceback for each would fill the log.
    """

    def filter(self, record: logging.LogRecord) -> bool:
        """Shorten the record of such an error; returns True for every record, so that all are logged."""
        error = record.exc_info[1] if record.exc_info else None
        if error is not None and (is_of_a_wrong_value(error) or "deserialize" in str(record.msg)):
            record.msg = f"A value of a wrong type was sent for a control, and not used ({type(error).__name__})."
            record.args, record.exc_info, record.exc_text = (), None, None
        return True


def is_of_a_wrong_value(error: BaseException) -> bool:
    """Whether an error arose while Streamlit read the value of a control, and in no code of ours that it called."""
    frames = traceback.extract_tb(error.__traceback__)
    reads = [i for i, frame in enumerate(frames) if frame.filename.endswith(_STATE) and frame.name in _READS]
    if not reads or isinstance(error, KeyError):
        # A KeyError comes from code that asks for missing state.
        return False
    return not any(_is_ours(frame.filename) for frame in frames[reads[-1] :])


def _is_ours(path: str) -> bool:
    return "site-packages" not in path and any(part in path for part in _OURS)


def shorten_wrong_values() -> None:
    """Have Streamlit's loggers write one line for each such error."""
    for name in _LOGGERS:
        logging.getLogger(name).addFilter(WrongValues())
