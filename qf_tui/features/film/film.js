const film = JSON.parse(document.getElementById("film").textContent);
const boxesOf = film.boxes.map((cell) => cell.map(([text, tone]) => ({ text, tone })));
const wide = film.heads.length + 1, last = film.frames.length - 1;
const NOTHING = { events: [], ships: [], acting: 0, order: "", dice: [], call: "", text: "", why: "", note: "", number: 0 };
// Milliseconds for which an entry is shown: one of which an evening is told, any other, one that only begins a phase.
const TOLD_MS = 3200, ENTRY_MS = 1500, PHASE_MS = 800, REST_MS = 300;
// For which a picture is drawn before it is shown; a slow phone then takes as long again to set it.
const DRAW_MS = 1;
const SWIPE = 40, NOWHERE = -2;
const [slider, playing] = [document.getElementById("slider"), document.getElementById("play")];
const entries = film.frames.map((frame) => ({ ...NOTHING, ...frame.entry }));
const placeOf = new Map(entries.map((entry, at) => [entry.number, at]));
const copies = new Map();
const rows = film.fleets.flatMap((one) => one.ships);
const sight = new Set(), stale = new Set();
const watch = new IntersectionObserver((seen) => {
  for (const { target, isIntersecting } of seen) sight[isIntersecting ? "add" : "delete"](lines.indexOf(target));
});
// What is shown: a frame, the boxes of each cell, what stands before the boxes of each ship.
let at = NOWHERE, shown = [], marked = [], lines = [];
let wanted = 0, log = [], clock = 0, rest = 0, asked = false;

function named(row) {
  return el("b", {}, row.name);
}

// The logs of a frame: from those that are shown, if it comes later.
function logAt(frame, before) {
  const follows = before >= 0 && before < frame, made = follows ? [...log] : [];
  for (let one = follows ? before + 1 : 0; one <= frame; one += 1) {
    const differs = film.frames[one].log;
    for (let pair = 0; pair < differs.length; pair += 2) made[differs[pair]] = differs[pair + 1];
  }
  return made;
}

function rowAt(place) {
  const [state, ...boxes] = log.slice(place * wide, (place + 1) * wide);
  return { ...rows[place], whole: true, state, afloat: state === 1, cells: boxes.map((box) => boxesOf[box]), seen: [], may: "" };
}

function marksAt(frame) {
  const { ships, acting } = entries[frame];
  return { does: new Set(ships.slice(0, acting)), about: new Set(ships.slice(acting)), owes: new Set() };
}

// Logs with the longest that each cell ever holds: columns as wide as these stay as they are.
function longest() {
  const made = logAt(0, NOWHERE), length = (box) => boxesOf[box].reduce((sum, part) => sum + part.text.length, 0);
  for (const { log: differs } of film.frames) {
    for (let pair = 0; pair < differs.length; pair += 2) {
      const [place, box] = [differs[pair], differs[pair + 1]];
      if (place % wide && length(box) > length(made[place])) made[place] = box;
    }
  }
  return made.map((box, place) => (place % wide ? box : 1));
}

function drawAll() {
  log = longest();
  let place = 0;
  const fleets = film.fleets.map((one) => ({ ...one, ships: one.ships.map(() => rowAt(place++)) }));
  fill(document.getElementById("fleets"), fleets.map((one) => fleet(one, film, { does: new Set(), about: new Set(), owes: new Set() })));
  watch.disconnect();
  lines = [...document.querySelectorAll(".fleet tbody tr")];
  for (const line of lines) watch.observe(line);
  fit();
  const heads = [...document.querySelectorAll(".fleet thead th")], widths = heads.map((one) => one.offsetWidth);
  for (const [number, one] of heads.entries()) one.style.width = `${widths[number]}px`;
  for (const one of document.querySelectorAll(".fleet table")) one.style.tableLayout = "fixed";
  [at, shown, marked] = [NOWHERE, [...log], []];
  draw(Infinity);
}

// Draws of a ship what differs from what is shown of her.
function drawShip(place, marks) {
  const row = rowAt(place), line = lines[place], first = place * wide, same = shown[first] === row.state;
  for (let column = 1; column < wide; column += 1) {
    if (shown[first + column] !== log[first + column]) become(line.cells[column], copyOf(log[first + column]));
  }
  shown.splice(first, wide, ...log.slice(first, first + wide));
  if (same && marked[place] === markOf(row, marks)) return;
  marked[place] = markOf(row, marks);
  line.hidden = row.state === 0;
  line.className = look(row, marks);
  become(line.cells[0], head(row, marks).childNodes);
  if (!same) count();
}

// Draws in a cell what differs from what it shows: a box becomes another where it stands.
function become(line, made) {
  const before = [...line.childNodes];
  if (made.length !== before.length) line.replaceChildren(...[...made].map((to) => document.importNode(to, true)));
  else for (const [place, node] of before.entries()) {
    const to = made[place];
    if (node.isEqualNode(to)) continue;
    if (node.nodeName !== to.nodeName) node.replaceWith(document.importNode(to, true));
    else {
      if (node.className !== to.className) node.className = to.className;
      if (node.textContent !== to.textContent) node.textContent = to.textContent;
    }
  }
}

function copyOf(box) {
  if (!copies.has(box)) {
    copies.set(box, new DocumentFragment());
    copies.get(box).append(...cell(boxesOf[box]).flat());
  }
  return copies.get(box).childNodes;
}

function count() {
  let place = 0;
  for (const [number, one] of document.querySelectorAll(".fleet .count").entries()) {
    const ships = film.fleets[number].ships.map(() => rowAt(place++)).filter((row) => row.state);
    one.textContent = inBattle({ ships });
  }
}

// The entry, then its ships, those in sight and the others: what takes too long waits for the next picture.
function draw(most) {
  const marks = marksAt(wanted), ships = entries[wanted].ships;
  asked = false;
  if (wanted !== at) {
    const phaseAt = (frame) => film.frames[frame] && `${film.frames[frame].turn} ${film.frames[frame].at}`;
    log = logAt(wanted, at);
    for (const [place, box] of log.entries()) if (shown[place] !== box) stale.add(Math.floor(place / wide));
    for (const [place, row] of rows.entries()) if (marked[place] !== markOf(row, marks)) stale.add(place);
    drawEntry(phaseAt(wanted) !== phaseAt(at));
    at = wanted;
  }
  const began = performance.now(), rank = (place) => (ships.includes(rows[place].id) ? 0 : sight.has(place) ? 1 : 2);
  for (const place of [...stale].sort((one, other) => rank(one) - rank(other))) {
    if (rank(place) && performance.now() - began > most) break;
    drawShip(place, marks);
    stale.delete(place);
  }
  if (stale.size) ask();
  // Whom it is about last is whom something befell.
  lines[rows.findIndex((row) => row.id === ships.at(-1))]?.scrollIntoView({ block: "nearest" });
  document.getElementById("told").scrollTop = 0;
}

function ask() {
  if (!asked) requestAnimationFrame(() => draw(DRAW_MS));
  asked = true;
}

function drawEntry(begins) {
  const frame = film.frames[wanted], told = document.getElementById("told"), entry = entries[wanted];
  if (begins) drawPhase({ turn: frame.turn, phase: film.phases[frame.at], phases: film.phases, at: frame.at });
  const made = toldLarge(wanted ? entry : null);
  fill(told, made, signs(made));
  slider.value = wanted;
  slider.setAttribute("aria-valuetext", `turn ${frame.turn}, ${film.phases[frame.at]}, entry ${entry.number}`);
  for (const [place, name] of ["advantage", "luck"].entries()) {
    const shown = document.getElementById(name);
    if (shown) shown.textContent = signed(frame.gained[place]);
  }
}

function signed(value) {
  return `${value < 0 ? "−" : value > 0 ? "+" : ""}${Math.abs(value).toFixed(2)}`;
}

function seek(frame) {
  wanted = Math.max(0, Math.min(last, frame));
  ask();
  clearTimeout(rest);
  // The address says where the film stands, once it stands: browsers take no more than a few a second.
  if (!clock) rest = setTimeout(() => history.replaceState(null, "", `#e${entries[wanted].number}`), REST_MS);
}

function play(goes) {
  clearTimeout(clock);
  clock = 0;
  playing.textContent = goes ? "❚❚" : "▶";
  playing.setAttribute("aria-label", goes ? "pause" : "play");
  document.getElementById("told").setAttribute("aria-live", goes ? "off" : "polite");
  if (goes && wanted === last) seek(0);
  if (goes) clock = setTimeout(next, pause(wanted));
  else seek(wanted);
}

function pause(frame) {
  const entry = entries[frame];
  return entry.events.length ? TOLD_MS : entry.order || !frame ? ENTRY_MS : PHASE_MS;
}

function next() {
  seek(wanted + 1);
  if (wanted === last) play(false);
  else clock = setTimeout(next, pause(wanted));
}

function step(by) {
  play(false);
  seek(wanted + by);
}

// The frame that begins the next phase, or this one, or the one before.
function phase(by) {
  const same = (one, other) => film.frames[one].turn === film.frames[other].turn && film.frames[one].at === film.frames[other].at;
  let frame = wanted + by;
  while (frame > 0 && frame < last && same(frame, by < 0 ? frame - 1 : wanted)) frame += by;
  step(frame - wanted);
}

function follow() {
  const number = Number(location.hash.slice(2));
  const found = location.hash.startsWith("#e") ? placeOf.get(film.about[number] || number) : undefined;
  if (found === undefined) return;
  play(false);
  seek(found);
}

const KEYS = { ArrowLeft: () => step(-1), ArrowRight: () => step(1), Home: () => step(-last), End: () => step(last) };
const WITH_SHIFT = { ArrowLeft: () => phase(-1), ArrowRight: () => phase(1) };
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  const space = event.key === " " && !event.target.closest("button, a, summary");
  const does = space ? () => play(!clock) : (event.shiftKey ? WITH_SHIFT : KEYS)[event.key];
  if (!does) return;
  event.preventDefault();
  does();
});
slider.addEventListener("input", () => step(Number(slider.value) - wanted));
playing.addEventListener("click", () => play(!clock));
for (const [id, does] of [["back", () => step(-1)], ["on", () => step(1)], ["phase-back", () => phase(-1)], ["phase-on", () => phase(1)]]) {
  document.getElementById(id).addEventListener("click", does);
}
let touched = null;
const main = document.getElementById("main");
main.addEventListener("touchstart", (event) => { touched = event.changedTouches[0]; }, { passive: true });
main.addEventListener("touchend", (event) => {
  const [to] = event.changedTouches, across = to.clientX - touched.clientX;
  if (Math.abs(across) > Math.max(SWIPE, 2 * Math.abs(to.clientY - touched.clientY))) step(across < 0 ? 1 : -1);
}, { passive: true });
addEventListener("hashchange", follow);
addEventListener("resize", drawAll);
drawAll();
follow();
