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
