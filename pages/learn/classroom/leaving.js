// Has this browser forget whom it was in a classroom: the cookie goes, and a new page knows no secret.
export default function ({ data, parentElement }) {
  const [leave] = parentElement.querySelectorAll("button"), [status] = parentElement.querySelectorAll("[role=status]");
  leave.textContent = data.label;
  leave.onclick = async () => {
    try {
      if (!(await askClassroom(data.url, { role: "teacher", word: "" })).ok) throw new Error("refused");
      location.replace(location.origin + data.to);
    } catch {
      status.textContent = data.failed;
    }
  };
}
