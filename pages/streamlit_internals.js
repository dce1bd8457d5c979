const PREFIX = "stActiveTheme-";

// Streamlit keeps the chosen theme under the path of the page it was chosen on.
function shareTheme(paths) {
  const base = location.pathname.slice(0, location.pathname.lastIndexOf("/"));
  const own = Object.keys(localStorage).find((key) => key.startsWith(PREFIX + location.pathname + "-"));
  if (!own) return;
  const value = localStorage.getItem(own), version = own.slice((PREFIX + location.pathname).length);
  for (const path of paths) localStorage.setItem(PREFIX + base + path + version, value);
}

const LYING = matchMedia("(max-height: 500px) and (pointer: coarse)");
const closeMenu = () => document.querySelector("[data-testid=stSidebarCollapseButton] button")?.click();

// Streamlit opens the menu of a phone that is turned, or held so: the page would have half of the window.
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

// What scrolls is not the document: without the focus, PageDown would do nothing.
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
  window.menuPath = path;
}

export default function ({ data }) {
  focusPage();
  beginAtTop(data.path);
  window.menuPaths = data.paths;
  if (window.menuHeard) return;
  window.menuHeard = true;
  closeWhereLying();
  document.addEventListener("click", (event) => {
    closeOnPhones(event);
    setTimeout(() => shareTheme(window.menuPaths), 500);
  });
}
