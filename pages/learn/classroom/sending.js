// Sends an answer of a member of a classroom, without a run of the page; returns the reply to it.
async function sendAnswer(post, value) {
  try {
    const answer = await askClassroom(post.url, { member: post.member, question: post.question, value });
    if (answer.ok) return post.labels.sent;
    if (answer.status === 507) return (await answer.json()).said;
    return { 409: post.labels.closed, 404: post.labels.closed, 503: post.labels.full, 400: post.labels.form }[answer.status] ?? post.labels.failed;
  } catch {
    return post.labels.failed;
  }
}

// Says how it went where it is seen: below the answer there may be no room on a phone.
function tell(status, text) {
  status.textContent = text;
  status.scrollIntoView({ block: "nearest" });
}

// Calls `act` with whether answers are taken, now and whenever the teacher changes that, for as long as an element is there.
function hearOpen(element, post, act) {
  const say = ({ question, open }) => { if (question === element.asks) act(open); };
  element.asks = post.question;
  if (!element.hearsOpen) {
    const heard = ({ detail }) => element.isConnected ? element.hearsOpen(detail) : document.removeEventListener("classroom-state", heard);
    document.addEventListener("classroom-state", heard);
  }
  element.hearsOpen = say;
  const newer = window.classroomState?.question === post.question && window.classroomState.version > post.version;
  act(newer ? window.classroomState.open : post.open);
}
