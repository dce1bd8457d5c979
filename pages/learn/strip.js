const PHONE = matchMedia("(max-width: 768px)");
// A step begins at the top of its page, or at the open section, whose controls come first; or at the chart that it is about, which
// would else be out of sight while its control is moved: above the strip stands the control of a step that asks to find something.
const begin = (atSection, look, finds) => leadBy(() => {
  const main = document.querySelector("[data-testid=stMain]");
  const chart = look && document.querySelector(`.kept-plot[data-name="${look}"]`);
  const isBelow = chart && chart.getBoundingClientRect().bottom + main.scrollTop > main.getBoundingClientRect().bottom;
  if (isBelow && (PHONE.matches || !atSection || finds)) chart.scrollIntoView({ block: "end" });
  else if (atSection) main.querySelector("[data-testid=stTabs]")?.scrollIntoView({ block: "start" });
  else main.scrollTop = 0;
});

// Whether the page is not at the step's view any more. `view`: setting -> [its words in an address, whether it is at its default,
// which an address may leave out, as it leaves out an empty choice]; without `view` the person is on another page.
const same = (a, b) => a === b || (a !== "" && b !== "" && Number(a) === Number(b));
const isAway = (view) => {
  const named = new URLSearchParams(location.search);
  return !view || Object.entries(view).some(([key, [words, isDefault]]) => {
    const there = named.getAll(key);
    return there.length ? there.length !== words.length || there.some((one, i) => !same(one, words[i]))
      : !isDefault && words.join() !== "";
  });
};

// The page leaves as much room as the strip takes. Only components know the theme's colours.
function makeRoom(parentElement, strip, frame) {
  const background = getComputedStyle(parentElement).getPropertyValue("--st-background-color");
  for (const one of [frame, strip.querySelector(".st-key-lesson-head")]) if (one) one.style.background = background;
  const root = document.documentElement.style;
  root.setProperty("--lesson-background", background);
  const place = () => {
    if (!frame.isConnected) {
      watch.disconnect();
      return;
    }
    // A phone then shows its keyboard for numbers.
    for (const box of frame.querySelectorAll("input[type=text]")) box.inputMode = "decimal";
    root.setProperty("--lesson-height", frame.offsetHeight + "px");
    root.setProperty("--lesson-left", document.querySelector("[data-testid=stMain]").getBoundingClientRect().left + "px");
  };
  strip.watch?.disconnect();
  const watch = strip.watch = new ResizeObserver(place);
  watch.observe(frame);
  watch.observe(document.querySelector("[data-testid=stMain]"));
  place();
}

export default function ({ data, parentElement, setTriggerValue }) {
  const [fold, copy] = parentElement.querySelectorAll("button");
  const strip = parentElement.closest(".st-key-lesson"), frame = strip?.parentElement;
  // A page that is being left draws once more, outside the document.
  if (!frame) return;
  Object.assign(strip, { lang: data.language, role: "region", ariaLabel: data.title });
  fold.hidden = copy.hidden = Boolean(data.bare);
  if (data.bare) {
    // The button by which a person opens or joins a classroom disappears: the page scrolls back to its beginning.
    if (strip.dataset.step !== "") begin(false, "");
    strip.dataset.step = "";
    clearInterval(strip.looks);
    for (const one of ["data-folded", "data-brief", "data-away"]) strip.removeAttribute(one);
    return makeRoom(parentElement, strip, frame);
  }
  if (data.done) remember(data.lesson, data.step);
  // An answer is given again once, after a reload.
  const place = `${data.lesson} ${data.student} ${data.step}`, given = keptAnswers();
  if (data.given) keepAnswers({ ...given, [place]: data.given });
  else if (data.asks && given[place] && !(window.givenAgain ??= new Set()).has(place)) {
    window.givenAgain.add(place);
    setTriggerValue("kept", given[place]);
  }

  const folded = () => strip.hasAttribute("data-folded") || strip.hasAttribute("data-brief");
  const unfold = () => { for (const one of ["data-folded", "data-brief"]) strip.removeAttribute(one); };
  const name = () => {
    fold.textContent = folded() ? data.show_text : data.hide_text;
    fold.setAttribute("aria-expanded", String(!folded()));
  };
  // Each step begins unfolded, as does each question of a classroom: it says what to look at.
  const here = `${data.lesson} ${data.step} ${data.asked}`;
  if (strip.dataset.step !== here) {
    strip.dataset.step = here;
    unfold();
    frame.scrollTop = 0;
    begin(data.section, data.look, data.finds);
  }
  // On a phone, the reply to an answer may lie below the edge of the strip.
  if (strip.said !== data.said) {
    strip.said = data.said;
    strip.saidAt = location.search;
    // A phone has no room for both the picture and a text that has been read already.
    if (data.answered) strip.toggleAttribute("data-brief", PHONE.matches);
    if (data.replied) strip.querySelector(".st-key-lesson-reply")?.scrollIntoView({ block: "nearest" });
    // What the question was about is seen now; the control of a step that asks to find something is in the person's hand.
    if (data.answered && data.look && !data.finds) begin(data.section, data.look);
  }
  fold.onclick = () => {
    if (folded()) unfold();
    else strip.setAttribute("data-folded", "");
    name();
  };
  name();
  const look = () => {
    if (!frame.isConnected) return clearInterval(strip.looks);
    strip.toggleAttribute("data-away", isAway(data.view));
    // The reply to a wrong answer fades when something has been moved since.
    strip.toggleAttribute("data-moved", Boolean(data.finds && !data.answered && strip.said && strip.saidAt !== location.search));
  };
  clearInterval(strip.looks);
  strip.looks = setInterval(look, 400);
  look();
  copy.hidden = !data.link;
  copy.textContent = data.copy;
  copy.onclick = async () => {
    const link = location.origin + data.link;
    try {
      await navigator.clipboard.writeText(link);
      copy.textContent = data.copied;
    } catch {
      prompt(data.copy, link);
    }
    setTimeout(() => { copy.textContent = data.copy; }, 2500);
  };

  makeRoom(parentElement, strip, frame);
}
