// The log's witnesses, one for each phase that ended: each stands for the whole log until then. This page keeps those that
// it saw, on this device alone, and says when the log behind one of them is another.
const SEEN = `witness ${location.pathname}`;

function seenBefore() {
  try {
    return JSON.parse(localStorage.getItem(SEEN)) || [];
  } catch {
    return [];
  }
}

function keepSeen(ends) {
  try {
    localStorage.setItem(SEEN, JSON.stringify(ends));
  } catch {} // a browser that keeps nothing
}

// What is wrong with the log, by the first witness seen that it has not.
function misfit(seen, ends) {
  const at = seen.findIndex((one, place) => !ends[place] || ends[place][1] !== one[1]);
  if (at < 0) return "";
  if (!at) return "This is another battle than the one this page saw here, or its whole log was rewritten or cut.";
  const since = `what came after ${seen[at - 1][0]} began`;
  return at < ends.length ? `The log was rewritten: ${since} is not what this page saw.` : `The log was cut: ${since} is gone.`;
}

function witnessed({ ends, words }) {
  const seen = seenBefore();
  const wrong = misfit(seen, ends);
  if (!wrong && ends.length > seen.length) keepSeen(ends);
  const again = el("button", { type: "button" }, "continue from the present log");
  again.addEventListener("click", () => {
    keepSeen(ends);
    witnessed({ ends, words });
  });
  fill(document.getElementById("misfit"), wrong ? [`${wrong} Ask the umpire. `, again] : "");
  fill(document.getElementById("witness"), words ? [`Witness of the log as ${ends.at(-1)[0]} began: `, el("b", {}, words)] : "");
}
