export default function ({ data, parentElement }) {
  const box = parentElement.querySelector(".classroom-teacher"), [name] = box.querySelectorAll("strong");
  const [show] = box.querySelectorAll("button"), sheet = box.querySelector("dialog");
  keepWord(box, data.keep);
  name.textContent = `${data.labels.classroom} ${data.code}`;
  show.textContent = data.labels.show_code;
  sheet.querySelector("img").src = data.picture;
  sheet.querySelector("img").alt = data.link;
  sheet.setAttribute("aria-label", `${data.labels.classroom} ${data.code}`);
  // Eight letters are read in two halves.
  sheet.querySelector("h2").textContent = data.code.replace(/^.{4}/, "$& ");
  sheet.querySelector("p").textContent = data.link;
  sheet.querySelector("small").textContent = data.note;
  sheet.querySelector("button").textContent = data.labels.hide_code;
  show.onclick = () => sheet.showModal();
  sheet.querySelector("button").onclick = () => sheet.close();
}
