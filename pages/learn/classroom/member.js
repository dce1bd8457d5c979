export default function ({ data, parentElement, setTriggerValue }) {
  const box = parentElement.querySelector(".classroom-member");
  box.kept = { data, setTriggerValue };
  keepWord(box, data.keep);
  box.querySelector("strong").textContent = `${data.labels.classroom} ${data.code}`;
  const status = box.querySelector("[role=status]");
  status.textContent = "";
  // The version for which a run was asked for last: two runs for one change would show it twice.
  box.asked = undefined;
  const sent = () => ({ since: box.version ?? box.kept.data.version, member: box.kept.data.member });
  listen(box, () => box.kept.data.url, sent, (state) => {
    const now = box.kept.data;
    status.textContent = "";
    box.version = state.version;
    if (state.ended) {
      if (isLeaving()) return;
      box.kept.setTriggerValue("changed", -1);
      return false;
    }
    window.classroomState = state;
    document.dispatchEvent(new CustomEvent("classroom-state", { detail: state }));
    if (state.look !== now.look && now.follows && box.asked !== state.version && !isLeaving()) {
      box.asked = state.version;
      box.kept.setTriggerValue("changed", state.version);
    }
  }, () => { status.textContent = box.kept.data.labels.lost; });
}
