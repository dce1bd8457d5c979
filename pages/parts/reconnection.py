"""A connection that was lost: when it is there again, the page is drawn anew.

Streamlit draws nothing then. But the other end may be another process, because the one before was restarted or the proxy chose
another: it has never drawn the page, and a control of a fragment would do nothing there, for ever. What is set is not lost: the
browser sends it along, and it is in the URL.
"""

from typing import Final

SCRIPT: Final = """<script>
{
  const Socket = window.WebSocket;
  const key = kind => document.body.dispatchEvent(
    new KeyboardEvent(kind, { key: "r", code: "KeyR", keyCode: 82, which: 82, bubbles: true }));
  let before = false;
  window.WebSocket = class extends Socket {
    constructor(url, protocols) {
      super(url, protocols);
      if (!new URL(url).pathname.endsWith("/_stcore/stream")) return;
      this.addEventListener("open", () => {
        // The key R, by which a person has Streamlit run a page again.
        if (before) setTimeout(() => ["keydown", "keyup"].forEach(key), 200);
        before = true;
      });
    }
  };
}
</script>"""
"""Stands in the HTML before Streamlit's own scripts."""
