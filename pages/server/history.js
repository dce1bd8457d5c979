{
  const push = history.pushState.bind(history), replace = history.replaceState.bind(history);
  const STEP = "[class*=st-key-preset] button, [class*=st-key-reset] button, [class*=st-key-lesson-step] button, "
    + ".small-table tbody button";
  let step = false, clicked = null, pushed = false;
  document.addEventListener("click", ({ target }) => {
    if (target.closest?.(STEP)) step = true;
    pushed = false;
    clicked = { url: location.href, state: history.state };
  }, true);
  history.pushState = (state, unused, url) => {
    const other = new URL(url ?? location.href, location.href).pathname !== location.pathname;
    // Streamlit empties the address of a page that is left: that is not a step of its own.
    if ((!other && !step) || (other && pushed)) return replace(state, unused, url);
    pushed = !other;
    if (other && clicked && new URL(clicked.url).pathname === location.pathname) replace(clicked.state, "", clicked.url);
    step = false;
    return push(state, unused, url);
  };
}
