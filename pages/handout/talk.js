// Steps through the views of a talk, each a page inside this one; the number of the present one is in the address.
const views = JSON.parse(document.getElementById("views").textContent), frame = document.querySelector("iframe");
const [back, next] = document.querySelectorAll("nav button"), place = document.querySelector("nav span");
const FORWARDS = { ArrowRight: 1, PageDown: 1, ArrowLeft: -1, PageUp: -1 };
let at = 0;

function show(number) {
  at = Math.min(views.length - 1, Math.max(0, number));
  frame.srcdoc = views[at];
  place.textContent = `${at + 1} / ${views.length}`;
  [back.disabled, next.disabled] = [at === 0, at === views.length - 1];
  location.replace(`#${at + 1}`);
}

const hear = (event) => {
  // Arrows move a bar that has the focus.
  const moves = event.key.startsWith("Arrow") && event.target.closest?.("input");
  if (!(event.key in FORWARDS) || moves) return;
  event.preventDefault();
  show(at + FORWARDS[event.key]);
};

back.onclick = () => show(at - 1);
next.onclick = () => show(at + 1);
addEventListener("keydown", hear);
frame.addEventListener("load", () => frame.contentWindow.addEventListener("keydown", hear));
show(Number(location.hash.slice(1) || 1) - 1);
