// The browser half of small_table.py.
const LONG = 28, BRIEF = 12;

function draw(region, data) {
  const { by, down } = region.sorting ?? {};
  const rows = data.rows.filter((row) => !region.wanted || row.some(({ text, hint }) => `${text} ${hint ?? ""}`.toLowerCase().includes(region.wanted)));
  const known = (value) => value !== null;
  if (by !== undefined) rows.sort((one, other) => {
    const [a, b] = [one[by].value, other[by].value];
    if (!known(a) || !known(b)) return known(b) - known(a);
    return (a < b ? -1 : a > b ? 1 : 0) * (down ? -1 : 1);
  });
  // On a phone texts that are long take a line of their own, with their title.
  const isLong = data.columns.map((_, i) => data.rows.some((row) => row[i].text.length > LONG));
  const isBrief = data.columns.map((_, i) => data.rows.every((row) => row[i].text.length <= BRIEF));
  const short = isLong.filter((long) => !long).length;
  region.classList.toggle("has-long", isLong.includes(true));
  region.style.setProperty("--columns", isLong[0] || short < 2 ? `repeat(${Math.max(short, 1)}, minmax(0, 1fr))`
    : `minmax(0, 2fr) repeat(${short - 1}, minmax(0, 1fr))`);
  // Roles, here and in the HTML: without them a table with another CSS `display` is no longer read out as a table.
  const cell = (role, i, content) => {
    const element = document.createElement(role === "cell" ? "td" : "th"), column = data.columns[i];
    element.setAttribute("role", role);
    if (role !== "cell") element.scope = role === "rowheader" ? "row" : "col";
    element.classList.toggle("number", column.number);
    element.classList.toggle("long", isLong[i]);
    element.classList.toggle("brief", isBrief[i]);
    if (isLong[i] && role === "cell") element.dataset.title = column.title;
    element.append(content);
    return element;
  };
  const head = data.columns.map((column, i) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = column.title;
    if (column.help) button.title = column.help;
    button.onclick = () => {
      region.sorting = { by: i, down: by === i && !down };
      draw(region, data);
      region.querySelectorAll("thead button")[i].focus();
    };
    const element = cell("columnheader", i, button);
    if (by === i) element.setAttribute("aria-sort", down ? "descending" : "ascending");
    return element;
  });
  const line = (cells) => { const row = document.createElement("tr"); row.setAttribute("role", "row"); row.append(...cells); return row; };
  const focused = region.contains(document.activeElement) ? document.activeElement.dataset.word : undefined;
  region.querySelector("thead").replaceChildren(line(head));
  region.querySelector("tbody").replaceChildren(...rows.map((row) => {
    const made = line(row.map(({ text, parts }, i) => {
      const element = cell(i ? "cell" : "rowheader", i, !i && data.choosable ? chooser(region, row[0]) : text);
      if (parts) element.append(partsOf(parts));
      return element;
    }));
    const isChosen = data.choosable && row[0].word === data.chosen;
    made.classList.toggle("chosen", isChosen);
    if (isChosen) made.querySelector("button").setAttribute("aria-current", "true");
    return made;
  }));
  if (focused !== undefined) [...region.querySelectorAll("tbody button")].find((one) => one.dataset.word === focused)?.focus();
  if (!rows.length) none(region);
}

// Draws a row that says that nothing is found.
function none(region) {
  const row = document.createElement("tr"), cell = document.createElement("td");
  cell.colSpan = region.data.columns.length;
  cell.textContent = "None found.";
  row.append(cell);
  region.querySelector("tbody").replaceChildren(row);
}

function chooser(region, { text, word, hint }) {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = text;
  button.title = hint;
  button.dataset.word = word;
  button.onclick = () => region.choose(word);
  return button;
}

function partsOf(shares) {
  const bar = document.createElement("span");
  bar.className = "parts";
  bar.append(...shares.map((share) => { const part = document.createElement("span"); part.style.flex = `${share} 0 0`; return part; }));
  return bar;
}

function search(region, box, data) {
  box.hidden = !data.searches;
  box.placeholder = data.searches;
  box.setAttribute("aria-label", data.searches);
  box.oninput = () => { region.wanted = box.value.trim().toLowerCase(); draw(region, region.data); };
}

export default function ({ data, parentElement, setTriggerValue }) {
  const region = parentElement.querySelector(".small-table");
  region.data = data;
  region.choose = (text) => setTriggerValue("chosen", text);
  region.style.maxHeight = data.height ? data.height + "px" : "";
  region.style.overflowY = data.height ? "auto" : "";
  search(region, parentElement.querySelector(".small-table-search"), data);
  region.setAttribute("aria-label", data.label);
  const drawn = JSON.stringify(data);
  if (region.drawn === drawn) return;
  region.drawn = drawn;
  draw(region, data);
  // The chosen row is seen, without moving the page.
  const chosen = region.querySelector("tr.chosen");
  if (chosen && data.height) region.scrollTop = chosen.offsetTop - data.height / 2;
}
