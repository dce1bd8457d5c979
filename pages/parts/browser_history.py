"""Back and Forward: one step for each page and each example, and the view that was left.

Streamlit makes a step of each setting that changes, and takes the settings of a page out of its address before it leaves it.
"""

from __future__ import annotations

from typing import Final

from streamlit.runtime.scriptrunner import get_script_run_ctx

SCRIPT: Final = """<script>
{
  const push = history.pushState.bind(history), replace = history.replaceState.bind(history);
  const STEP = "[class*=st-key-preset] button, [class*=st-key-reset] button, .small-table tbody button";
  let step = false, clicked = null;
  document.addEventListener("click", ({ target }) => {
    if (target.closest?.(STEP)) step = true;
    clicked = { url: location.href, state: history.state };
  }, true);
  history.pushState = (state, unused, url) => {
    const other = new URL(url ?? location.href, location.href).pathname !== location.pathname;
    if (!other && !step) return replace(state, unused, url);
    if (other && clicked && new URL(clicked.url).pathname === location.pathname) replace(clicked.state, "", clicked.url);
    step = false;
    return push(state, unused, url);
  };
}
</script>"""
"""Stands in the HTML before Streamlit's own scripts."""


def restore_address() -> None:
    """When Back or Forward has led to another page: hold all of its address, also what the page that is left has, too.

    On the way to another page, Streamlit drops the parameters that belong to controls of the page before; of an address out of
    the history these are settings of the page that it leads to.
    """
    context = get_script_run_ctx(suppress_warning=True)
    if context is not None and context.is_history_navigation:
        with context.session_state.query_params() as parameters:
            parameters.populate_from_query_string(context.query_string)
            parameters.set_initial_query_params_from_current()
            # The browser has been told of the shorter address already.
            parameters._send_query_param_msg()
