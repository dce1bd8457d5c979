"""What a person asks for while the answer to what they asked before is still awaited."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.scriptrunner_utils.script_requests import ScriptRequestType


def make_way() -> None:
    """End this run if the person has moved a control meanwhile, or has left.

    By itself Streamlit lets what a fragment asks for wait until the run at work has ended. There is no public way to ask it for
    more; `tests/pages/test_heavy.py` holds this to the version that is installed.
    """
    context = get_script_run_ctx()
    requests = None if context is None else context.script_requests
    if context is None or requests is None:
        return
    with requests._lock:
        if requests._state is ScriptRequestType.CONTINUE:
            return
        pending = requests._rerun_data
        if requests._state is ScriptRequestType.RERUN and pending.fragment_id_queue:
            if pending.is_auto_rerun:
                return
            # Of a whole page that is being drawn, all is drawn anew; of a fragment, it and what was asked for.
            at_work = context.fragment_ids_this_run or []
            queue = list(dict.fromkeys([*at_work, *pending.fragment_id_queue])) if at_work else []
            requests._rerun_data = replace(pending, fragment_id_queue=queue, is_fragment_scoped_rerun=bool(queue))
    # Where something is drawn, Streamlit ends a run for which another is to begin, or whose session is over.
    st.empty()
