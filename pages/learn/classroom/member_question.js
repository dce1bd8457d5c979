// The answer of a member of a classroom: one of several options, or a number.
export default function ({ data, parentElement }) {
  const form = parentElement.querySelector("form"), options = form.querySelector("fieldset"), { post, labels } = data;
  const number = form.querySelector(".member-number"), input = number.querySelector("input");
  const [send] = form.querySelectorAll("button"), status = form.querySelector("[role=status]");
  const isChoice = data.kind === "choice";
  options.hidden = !isChoice;
  number.hidden = isChoice;
  if (form.dataset.question !== post.question) {
    form.dataset.question = post.question;
    form.querySelector("legend").textContent = isChoice ? data.prompt : "";
    options.querySelectorAll("label").forEach((label) => label.remove());
    data.options.forEach((text, i) => {
      const label = options.appendChild(document.createElement("label")), radio = document.createElement("input");
      Object.assign(radio, { type: "radio", name: "member-answer", value: String(i), checked: i === data.given });
      const said = document.createElement("span");
      said.textContent = plain(text);
      label.append(radio, said);
    });
    number.querySelector("span").textContent = data.label;
    input.value = isChoice ? "" : data.given ?? "";
    send.textContent = labels.send;
    status.textContent = data.given === null ? "" : post.labels.sent;
  }
  const value = () => isChoice ? Number(form.querySelector("input:checked")?.value ?? -1) : input.value.trim();
  const unanswered = () => isChoice ? value() < 0 : value() === "";
  const isFraction = () => {
    const typed = Number(input.value.trim().replace(",", "."));
    return !isChoice && data.unit && !new RegExp(data.unit, "i").test(input.value) && typed > 0 && typed < 1;
  };
  const enable = (open) => {
    send.disabled = !open;
    for (const one of form.querySelectorAll("input")) one.disabled = !open;
    if (!open) status.textContent = post.labels.closed;
    else if (status.textContent === post.labels.closed) status.textContent = "";
  };
  form.onsubmit = async (event) => {
    event.preventDefault();
    if (unanswered()) {
      tell(status, isChoice ? labels.nothing_chosen : labels.no_number);
      return;
    }
    if (isFraction()) {
      tell(status, labels.no_percentage);
      return;
    }
    status.textContent = "…";
    tell(status, await sendAnswer(post, value()));
  };
  hearOpen(form, post, enable);
}
