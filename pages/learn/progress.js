const KEPT = "quantification-lab-lessons";

// What is done is kept in the browser alone: lesson -> numbers of the steps that were seen and, if they ask, answered.
function progress() {
  let kept = {};
  try { kept = JSON.parse(localStorage.getItem(KEPT)) ?? {}; } catch { /* Whatever was there is no progress. */ }
  if (typeof kept !== "object" || Array.isArray(kept)) return {};
  const steps = (value) => Array.isArray(value) ? [...new Set(value.filter((step) => Number.isInteger(step) && step > 0))] : [];
  return Object.fromEntries(Object.entries(kept).map(([lesson, value]) => [lesson, steps(value)]));
}

// So are answers, so that they outlive a reload: the lesson's name, the student's number, and the step -> what was answered.
const ANSWERS = "quantification-lab-answers";
function keptAnswers() {
  try { return Object(JSON.parse(localStorage.getItem(ANSWERS))); } catch { return {}; }
}
function keepAnswers(kept) {
  try { localStorage.setItem(ANSWERS, JSON.stringify(kept)); } catch { /* A browser that keeps nothing. */ }
}
const forgetAnswers = (lesson) => keepAnswers(lesson === undefined ? {}
  : Object.fromEntries(Object.entries(keptAnswers()).filter(([key]) => key.split(" ")[0] !== lesson)));

function remember(lesson, step) {
  const kept = progress(), steps = kept[lesson] ?? [];
  if (steps.includes(step)) return;
  kept[lesson] = [...steps, step];
  try { localStorage.setItem(KEPT, JSON.stringify(kept)); } catch { /* A browser that keeps nothing. */ }
}

