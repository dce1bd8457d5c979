// Reads the format that dragged_frames.py describes; and what all components that follow a dragged value need.

// The elements of a sentence in which ** encloses bold parts.
const withBold = (sentence) => sentence.split("**").map((part, i) => {
  const element = document.createElement(i % 2 ? "strong" : "span");
  element.textContent = part;
  return element;
});

// Call `act` with each event of that name, for as long as an element is in the page; a later call replaces `act`.
const hear = (element, name, act) => {
  const first = !element.keptAct;
  element.keptAct = act;
  if (!first) return;
  const heard = ({ detail }) => element.isConnected ? element.keptAct(detail) : document.removeEventListener(name, heard);
  document.addEventListener(name, heard);
};

// Gives a component the height of its content in place of the height that Streamlit has reserved for it.
const takeOwnHeight = (element) => [".stBidiComponent", "[data-testid=stElementContainer]"].forEach((around) => {
  const reserved = element.closest(around);
  if (reserved) reserved.style.height = reserved.style.flexBasis = "auto";
});

// The index of that one of `values` which is nearest to `value`.
const nearest = (values, value) => {
  const distances = values.map((other) => Math.abs(other - value));
  return distances.indexOf(Math.min(...distances));
};

// The attributes that a frame changes in its j-th trace.
const changeOf = ({ data }, j) => typeof data[j] === "number" ? data[data[j]] : data[j];

// The traces of a figure with the changes of some frames.
function tracesAt(traces, frames) {
  const moved = [...traces];
  frames.forEach((frame) => frame.traces.forEach((number, j) => {
    moved[number] = { ...moved[number], ...changeOf(frame, j) };
  }));
  return moved;
}
