const PREFIX = "stActiveTheme-";

// Streamlit keeps the chosen theme under the path of the page it was chosen on.
function shareTheme(paths) {
  const base = location.pathname.slice(0, location.pathname.lastIndexOf("/"));
  const own = Object.keys(localStorage).find((key) => key.startsWith(PREFIX + location.pathname + "-"));
  if (!own) return;
  const value = localStorage.getItem(own), version = own.slice((PREFIX + location.pathname).length);
  for (const path of paths) localStorage.setItem(PREFIX + base + path + version, value);
}

// A phone that is held sideways, or a window that is zoomed to 200%.
const LYING = matchMedia("(max-height: 500px) and (pointer: coarse), (max-height: 500px) and (max-width: 1000px)");
const closeMenu = () => document.querySelector("[data-testid=stSidebarCollapseButton] button")?.click();

// Streamlit opens the sidebar on a phone that is held sideways: the page would have only half of the window.
function closeWhereLying() {
  const close = () => {
    if (LYING.matches && document.querySelector("[data-testid=stSidebar][data-collapsed=false]")) closeMenu();
  };
  LYING.addEventListener("change", () => setTimeout(close, 300));
  close();
}

function closeOnPhones(event) {
  if ((innerWidth >= 768 && !LYING.matches) || !event.target.closest?.("[data-testid=stSidebar] [data-testid=stPageLink-NavLink]")) return;
  setTimeout(closeMenu, 100);
}

// Notes that a link to another page was clicked. Until that page comes, a run of this one would cancel it, because the browser's
// request for a run names the page that is being left.
function noteLeaving({ target, ctrlKey, metaKey, shiftKey }) {
  const link = target.closest?.("[data-testid=stPageLink-NavLink]");
  // With a key held, the link opens in a tab or window of its own.
  if (!link || ctrlKey || metaKey || shiftKey || link.pathname === location.pathname) return;
  window.leaves = { path: location.pathname, until: performance.now() + 20000 };
}

// Not the document scrolls, but its main part: without the focus there, PageDown would do nothing.
function focusPage() {
  const main = document.querySelector("[data-testid=stMain]");
  if (!main || document.activeElement !== document.body) return;
  main.tabIndex = -1;
  main.focus({ preventScroll: true });
}

// Streamlit leaves a page that a button opens where the page before was scrolled to.
function beginAtTop(path) {
  const main = document.querySelector("[data-testid=stMain]");
  if (main && window.menuPath !== undefined && window.menuPath !== path) main.scrollTop = 0;
  if (window.menuPath !== path) window.leaves = undefined;
  window.menuPath = path;
}

// The first control of an open popover: what is hidden takes no focus, and the sign of a help text is not what it was opened for.
const CONTROLS = "button:not([disabled], [aria-label^='Help for']), input:not([type=hidden]), textarea, a[href], [tabindex='0']";
const firstInPopover = () => [...document.querySelectorAll("[data-testid=stPopoverBody] :is(" + CONTROLS + ")")]
  .find((control) => control.checkVisibility({ visibilityProperty: true, opacityProperty: true }));

// Returns a function that says whether to wait longer for what a key has asked for: until ten seconds after the last run of the
// page, since a busy machine draws late, but no longer than a minute, since a server that is gone never answers.
function waiting() {
  const end = performance.now() + 60000;
  let until = performance.now() + 10000;
  return () => {
    const now = performance.now();
    if (document.querySelector(".stApp").dataset.testScriptState !== "notRunning") until = now + 10000;
    return now < Math.min(until, end);
  };
}

// Streamlit draws a popover at the end of the document: if a key opens one, the focus is moved into it as soon as it has content.
function leadInto({ key, target }) {
  const opener = (key === "Enter" || key === " ") && target.closest?.(".stPopover button"), waits = waiting();
  const lead = () => {
    if (document.activeElement !== opener || !waits()) return;
    if (opener.ariaExpanded !== "false") firstInPopover()?.focus();
    setTimeout(lead, 50);
  };
  if (opener) setTimeout(lead, 100);
}

// Streamlit may draw a button anew when it is marked: if a key has pressed it, the focus is put back on it. If the button of a lesson
// can't be pressed any more, the focus goes to the button for the next step.
const NEXT = ".st-key-lesson :is(.st-key-lesson-step-next, .st-key-lesson-step-end) button";
function keepFocus({ detail, target }) {
  const place = detail === 0 && target.closest?.(".stElementContainer[class*='st-key-']");
  if (!place) return;
  const key = [...place.classList].find((name) => name.startsWith("st-key-")), path = location.pathname;
  const pressed = performance.now(), waits = waiting(), ofLesson = place.closest(".st-key-lesson-body");
  let acts = false;
  addEventListener("pointerdown", () => { acts = true; }, { once: true, capture: true });
  const look = () => {
    if (acts || !waits() || location.pathname !== path) return;
    const lost = [document.body, document.querySelector("[data-testid=stMain]")].includes(document.activeElement);
    const isDrawn = performance.now() > pressed + 500 && document.querySelector(".stApp").dataset.testScriptState === "notRunning";
    const again = document.querySelector(`.${CSS.escape(key)} button:not([disabled])`);
    const goesOn = again ?? (ofLesson && isDrawn ? document.querySelector(NEXT) : null);
    // What is in an open popover was drawn anew: the focus belongs there, not on what has opened it.
    if (lost) (goesOn?.ariaExpanded === "true" ? firstInPopover() ?? goesOn : goesOn)?.focus({ preventScroll: true });
    setTimeout(look, 100);
  };
  look();
}

// Tells screen readers what is seen: the finding when it changes, which page of the menu is open, which example is chosen.
// Streamlit has no argument for any of them.
function tellWhatIsSeen() {
  document.querySelector(".st-key-headline")?.setAttribute("aria-live", "polite");
  const menu = document.querySelector(".st-key-pages");
  menu?.setAttribute("role", "navigation");
  menu?.setAttribute("aria-label", "Pages");
  menu?.querySelectorAll("a").forEach((link) => { link.ariaCurrent = link.getAttribute("href").split("/").at(-1) === window.menuPath ? "page" : null; });
  document.querySelectorAll(".st-key-presets button").forEach((one) => { one.ariaPressed = one.getAttribute("kind") === "primary"; });
}

// Elements may be drawn after the run that sends them has ended: on a phone, long after.
let telling;
function tellForAWhile(wait = 250) {
  tellWhatIsSeen();
  clearTimeout(telling);
  if (wait < 20000) telling = setTimeout(tellForAWhile, wait, 1.4 * wait);
}

// Each run of a script begins and ends with a change of this attribute.
function tellAfterEachRun() {
  new MutationObserver(() => tellForAWhile()).observe(document.querySelector(".stApp"), { attributeFilter: ["data-test-script-state"] });
}

// Our own controls are told when a lost connection is back, since a move may have been lost with it.
function tellOfConnections() {
  const app = document.querySelector(".stApp");
  let lost = false;
  new MutationObserver(() => {
    const connected = app.dataset.testConnectionState === "CONNECTED";
    if (connected && lost) setTimeout(() => document.dispatchEvent(new Event("connected-again")), 200);
    lost = !connected;
  }).observe(app, { attributeFilter: ["data-test-connection-state"] });
}

export default function ({ data }) {
  focusPage();
  beginAtTop(data.path);
  tellForAWhile();
  window.menuPaths = data.paths;
  if (window.menuHeard) return;
  window.menuHeard = true;
  closeWhereLying();
  tellAfterEachRun();
  tellOfConnections();
  document.addEventListener("keydown", leadInto, true);
  document.addEventListener("click", (event) => {
    closeOnPhones(event);
    noteLeaving(event);
    keepFocus(event);
    setTimeout(() => {
      try { shareTheme(window.menuPaths); } catch { /* A browser that stores nothing has no theme to share. */ }
    }, 500);
  });
}
