export default function ({ data, parentElement, setTriggerValue }) {
  const box = parentElement.querySelector(".glossary"), { labels } = data, entries = JSON.parse(data.entries);
  const search = box.querySelector("input"), list = box.querySelector("dl");
  search.placeholder = labels.search;
  search.setAttribute("aria-label", labels.search);
  const make = (parent, name, text = "", more = {}) => Object.assign(parent.appendChild(document.createElement(name)),
    { textContent: text, ...more });
  const plain = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
  // The sentences are Markdown with nothing but emphasis.
  const write = (parent, text) => text.split(/(\*\*[^*]+\*\*|\*[^*\s][^*]*\*)/).forEach((part) => {
    if (part.startsWith("**")) make(parent, "strong", part.slice(2, -2));
    else if (part.length > 2 && part.startsWith("*") && part.endsWith("*")) make(parent, "em", part.slice(1, -1));
    else parent.append(part);
  });
  const draw = () => {
    const wanted = plain(search.value.trim());
    list.replaceChildren();
    for (const { name, sentence, link } of entries) {
      if (wanted && !plain(name + " " + sentence).includes(wanted)) continue;
      const row = make(list, "div");
      make(row, "dt", name);
      const text = make(row, "dd");
      write(text, sentence);
      text.append(" ");
      make(text, "button", labels.see, { type: "button", ariaLabel: `${labels.see}: ${name}`,
        onclick: () => setTriggerValue("see", link) });
    }
    if (!list.children.length) make(make(list, "div"), "dd", labels.none);
  };
  search.oninput = draw;
  draw();
}
