export default function ({ data, parentElement, setTriggerValue }) {
  const box = parentElement.querySelector(".lesson-cards"), { labels } = data;
  const make = (parent, name, text = "", more = {}) => Object.assign(parent.appendChild(document.createElement(name)),
    { textContent: text, ...more });
  const fill = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => values[name]);

  box.lang = data.language;
  keepCookie(data.cookie);
  const draw = () => {
    const kept = progress();
    box.replaceChildren();
    const list = make(box, "ul");
    data.lessons.forEach((lesson, i) => {
      // Steps that the lesson no longer has do not count.
      const done = (kept[lesson.name] ?? []).filter((step) => step <= lesson.steps);
      const item = make(list, "li");
      item.dataset.lesson = lesson.name;
      if (lesson.picture) make(item, "img", "", { src: lesson.picture, alt: "" });
      make(item, "h2", `${i + 1}. ${lesson.title}`);
      make(item, "p", lesson.aim);
      const row = make(item, "div");
      const facts = make(row, "p", fill(labels.minutes, { minutes: lesson.minutes }), { className: "lesson-facts" });
      if (lesson.own) make(facts, "strong", ` · ${labels.own}`);
      const text = fill(labels.progress, { done: done.length, steps: lesson.steps });
      const bar = make(facts, "span", ` · ${text} `);
      Object.assign(make(bar, "progress"), { max: lesson.steps, value: done.length }).setAttribute("aria-label", text);
      const open = (step) => () => {
        if (step === 1) forgetAnswers(lesson.name);
        setTriggerValue("open", `${lesson.name} ${step}`);
      };
      // The step after the last one that is done; when that was the end, the first one that was passed over.
      const left = Array.from({ length: lesson.steps }, (_, step) => step + 1).filter((step) => !done.includes(step));
      const next = left.find((step) => step > Math.max(...done)) ?? left[0];
      const first = done.length === 0, finished = next === undefined;
      const named = (text) => ({ type: "button", ariaLabel: `${text}: ${lesson.title}` });
      if (!first && !finished) {
        const text = fill(labels.go_on, { step: next });
        make(row, "button", text, { ...named(text), className: "lesson-main", onclick: open(next) });
      }
      const start = finished ? labels.again : labels.start;
      make(row, "button", start, { ...named(start), className: first ? "lesson-main" : "", onclick: open(1) });
    });
    if (Object.keys(kept).length) {
      make(box, "button", labels.forget, { type: "button", className: "lesson-forget", onclick: () => {
        localStorage.removeItem(KEPT);
        forgetAnswers();
        setTriggerValue("forgotten", true);
        draw();
        make(box, "p", labels.forgotten, { role: "status", className: "lesson-facts" });
      } });
    }
    box.dataset.drawn = String(performance.now());
  };
  draw();
}
