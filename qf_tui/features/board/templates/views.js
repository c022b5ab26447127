const state = { view: null, ship: null, part: "side" };

function named(row) {
  return el("a", { href: `#ship/${encodeURIComponent(row.id)}` }, row.name);
}

function shipsOf(view) {
  return Object.fromEntries(view.fleets.flatMap((one) => one.ships.map((row) => [row.id, row])));
}

function marksOf(view) {
  const last = view.last;
  return {
    does: new Set(last ? last.ships.slice(0, last.acting) : []),
    about: new Set(last ? last.ships.slice(last.acting) : []),
    owes: new Set(view.owed.map((one) => one.ship)),
  };
}

function place() {
  const [name, id] = location.hash.slice(1).split("/");
  if (name === "ship" && id) return { name, id: decodeURIComponent(id) };
  if (name === "side" && state.view.viewer) return { name, id: decodeURIComponent(id || "") };
  if (name === "table") return { name };
  if (play.seat && (name === "play" || matchMedia("(max-width: 44rem), (max-height: 30rem)").matches)) return { name: "play" };
  return { name: state.view.viewer && matchMedia("(max-width: 44rem)").matches ? "side" : "table", id: "" };
}

// Nothing moves under a thumb: what the battle draws while one is down waits until its tap is done, a second at most.
const thumb = { timer: 0, waits: new Set() };

function steady(act) {
  if (thumb.timer) thumb.waits.add(act);
  else act();
}

function lift() {
  thumb.timer = 0;
  const acts = [...thumb.waits];
  thumb.waits.clear();
  acts.forEach((act) => act());
}

// Milliseconds until what waits is drawn: a tap comes a little after the thumb is up.
for (const [event, wait] of [["pointerdown", 1000], ["pointerup", 50], ["pointercancel", 50]]) {
  const held = () => {
    clearTimeout(thumb.timer);
    thumb.timer = setTimeout(lift, wait);
  };
  document.addEventListener(event, held, true);
}

function draw() {
  const view = state.view;
  if (!view) return;
  const at = place();
  const focus = keyOf(document.activeElement);
  const open = [...document.querySelectorAll("#main details[open]")].map(keyOf);
  drawBar(view, at);
  const made = { table: drawTable, side: drawSide, ship: drawShip, play: drawPlay }[at.name](view, at);
  const main = document.getElementById("main");
  if (main.firstChild !== playing || made !== playing) fill(main, made, made === playing ? null : signs(made));
  fit();
  for (const node of document.querySelectorAll("#main details")) if (open.includes(keyOf(node))) node.open = true;
  if (focus) [...document.querySelectorAll("a, summary")].find((node) => keyOf(node) === focus)?.focus({ preventScroll: true });
}

// What a link or a fold is, whichever time it was drawn.
function keyOf(node) {
  if (!node || !node.closest) return "";
  if (node.tagName === "A") return `a ${node.closest("nav") ? "nav " : ""}${node.getAttribute("href")}`;
  const fold = node.closest("details");
  return fold && fold.dataset.key ? `fold ${fold.dataset.key}` : "";
}

function drawBar(view, at) {
  drawPhase(view);
  const links = [["table", "Table"]];
  if (play.seat) links.unshift(["play", ["Play", awaited()]]);
  if (view.viewer) links.push([state.part, view.name]);
  if (at.name === "ship") links.push([`ship/${encodeURIComponent(at.id)}`, shipsOf(view)[at.id]?.name || "Ship"]);
  fill(
    document.getElementById("nav"),
    links.map(([to, title]) => el("a", { href: `#${to}`, "aria-current": to.split("/")[0] === at.name ? "page" : null }, title)),
    view.report ? el("a", { href: "report" }, "Report") : null,
  );
}

function ground(view) {
  const said = [];
  if (view.as_of) said.push(`As ${view.as_of} began: what happens in this phase is shown when it ends.`);
  if (view.switch === "own-side") said.push(view.viewer ? "Your own side in full; of the others only what their models show." : "What every side may know.");
  said.push(view.ended, ...view.standings);
  const words = said.filter(Boolean);
  return words.length ? el("ul", { class: "ground" }, words.map((one) => el("li", {}, one))) : null;
}

function lastOf(view) {
  return el(
    "section",
    { class: "last", "aria-label": "last entry", "aria-live": "polite", "aria-atomic": "true" },
    toldLarge(latest(view)),
  );
}

// As a phase begins, what the one before is told by stays.
function latest(view) {
  if (!view.last || !beginsAlone(view.last)) return view.last;
  const before = view.tellings.filter((one) => !beginsAlone(one)).reverse();
  return before.find((one) => one.events.length && one.turn === before[0].turn && one.phase === before[0].phase) || view.last;
}

function eventsOf(view) {
  const shown = latest(view)?.events || [];
  const events = view.tellings.flatMap((one) => one.events).filter((event) => !shown.includes(event));
  if (!events.length) return null;
  return el("ul", { class: "events", "aria-label": "of this turn and the last" }, events.reverse().map((event) => el("li", {}, event)));
}

// A phase that begins, and nothing else: its heading says so.
function beginsAlone(one) {
  return !one.events.length && one.text === `turn ${one.turn}, ${one.phase}`;
}

function told(view, some) {
  const all = view.tellings.filter((one) => (some ? one.ships.includes(some) : !beginsAlone(one)));
  if (!all.length) return null;
  const turns = new Map();
  for (const one of [...all].reverse()) {
    const key = `Turn ${one.turn} · ${one.phase}`;
    turns.set(key, [...(turns.get(key) || []), one]);
  }
  return el(
    "section",
    { class: "log", "aria-label": "what happened" },
    el("h2", {}, "What happened"),
    [...turns].map(([key, list]) => [el("h3", {}, key), el("ol", {}, list.map((one) => telling(one, false)))]),
  );
}

function remarks(view) {
  if (!view.remarks.length) return null;
  return el("section", { class: "remarks" }, el("h2", {}, "From the umpire"), el("ul", {}, view.remarks.map((one) => el("li", {}, one))));
}

function owedBy(view, owed, brief) {
  const title = view.as_of ? "To be thrown when the phase began" : "To be thrown";
  if (!owed.length) return null;
  const called = view.sealing.calls && owed.some((one) => /\d/.test(one.dice));
  const by = called ? el("p", { class: "by" }, "Two ten-sided dice thrown in the open are the call, which throws the sealed dice.") : null;
  return el("section", { class: "due" }, el("h2", {}, title), by, owedList(owed, brief));
}

function drawTable(view) {
  const marks = marksOf(view);
  return el(
    "div",
    { class: "table" },
    ground(view),
    el("div", { class: "top" }, el("div", {}, lastOf(view), eventsOf(view)), owedBy(view, view.owed)),
    el("div", { class: "fleets", "data-rows": Math.max(1, ...view.fleets.map((one) => one.ships.length)) }, view.fleets.map((one) => fleet(one, view, marks))),
    remarks(view),
    told(view),
    sealOf(view),
  );
}

function sealOf(view) {
  const lines = view.sealing.lines;
  return lines.length ? el("section", { class: "seal" }, el("h2", {}, "Sealed dice"), lines.map((line) => el("p", {}, line))) : null;
}

function drawSide(view, at) {
  const own = view.fleets.find((one) => one.own);
  if (!own) return el("p", {}, "This side has no ship in the battle.");
  const parts = [...new Set(own.ships.flatMap((row) => [row.player, row.division]))].filter(Boolean);
  const mine = own.ships.filter((row) => !parts.includes(at.id) || row.player === at.id || row.division === at.id);
  const to = (part) => (part ? `side/${encodeURIComponent(part)}` : "side");
  state.part = to(at.id);
  const choice = ["", ...parts].map((part) =>
    el("a", { href: `#${to(part)}`, "aria-current": part === at.id ? "true" : null }, part || "all ships"),
  );
  return el(
    "div",
    { class: "side" },
    ground(view),
    parts.length > 1 ? el("p", { class: "choice" }, choice) : null,
    lastOf(view),
    doneTo(view, mine),
    owedBy(view, view.owed.filter((one) => mine.some((row) => row.id === one.ship)), true),
    remarks(view),
    el("div", { class: "cards" }, mine.map((row) => card(row, view))),
    el("details", { "data-key": "happened" }, el("summary", {}, "What happened in this turn and the last"), told(view)),
    sealOf(view),
  );
}

// What was done in this phase to some ships: by others, or by what was rolled for them alone.
function doneTo(view, rows) {
  const ids = rows.map((row) => row.id);
  const past = view.tellings.filter((one) => !beginsAlone(one));
  const now = view.as_of ? past.at(-1) : { turn: view.turn, phase: view.phases[view.at] };
  const done = past.filter(
    ({ turn, phase, ships, acting, dice }) =>
      turn === now.turn && phase === now.phase && ships.some((id, at) => ids.includes(id) && (at >= acting || (dice.length && acting === ships.length))),
  );
  if (!done.length) return null;
  return el("section", { class: "log" }, el("h2", {}, "To these ships, in this phase"), el("ol", {}, done.reverse().map((one) => telling(one, false))));
}

function card(row, view) {
  const owed = view.owed.filter((one) => one.ship === row.id);
  const cells = row.cells.map((parts, at) => [view.heads[at], parts]).filter(([, parts]) => parts.some((part) => part.text.trim()));
  const seen = row.seen.filter((word) => word !== row.status);
  return el(
    "article",
    { class: `card${row.afloat ? "" : " out"}${owed.length ? " wants" : ""}`, "aria-label": row.name },
    el("h2", {}, el("a", { href: `#ship/${encodeURIComponent(row.id)}` }, row.name)),
    el("p", { class: "belongs" }, [row.division, row.player, row.afloat ? "" : row.status].filter(Boolean).join(" · ")),
    seen.length ? el("p", { class: "alert" }, seen.join(" · ")) : null,
    el("dl", {}, cells.map(([head, parts]) => el("div", {}, el("dt", { title: head.help }, head.title), el("dd", {}, cell(parts))))),
    may(row, true),
    owedList(owed),
  );
}

function drawShip(view, at) {
  const ships = shipsOf(view), row = ships[at.id], known = state.ship && state.ship.id === at.id ? state.ship : null;
  if (!row) return el("p", {}, "This ship is not in the battle.");
  const belongs = known ? [known.side, known.division, known.player, known.status === "afloat" ? "" : known.status] : [];
  return el(
    "article",
    { class: "ship", "aria-label": row.name },
    el("h1", {}, row.name),
    el("p", { class: "belongs" }, belongs.filter(Boolean).join(" · ")),
    known && known.whole ? sheet(known) : el("p", { class: "seen" }, row.whole ? "" : ["what can be seen of her: ", seenWords(row)]),
    known && known.owed.length ? el("section", { class: "due" }, el("h2", {}, "Owes"), owedList(known.owed)) : null,
    known && known.whole ? whys(known) : null,
    told(view, at.id),
  );
}

function sheet(known) {
  return el(
    "dl",
    { class: "sheet" },
    known.sheet.map(([title, parts]) => el("div", {}, el("dt", {}, title), el("dd", {}, cell(parts)))),
  );
}

function whys(known) {
  const touched = known.boxes.filter((box) => box.because.length);
  if (!touched.length) return el("p", { class: "quiet" }, "Nothing has changed her log.");
  return el(
    "section",
    { class: "whys" },
    el("h2", {}, "Why?"),
    touched.map((box) =>
      el(
        "details",
        { "data-key": box.title },
        el("summary", {}, el("span", { class: "title" }, box.title), el("span", { class: "shown" }, cell(box.spans)), el("span", { class: "ask", "aria-hidden": "true" }, "?")),
        el("p", { class: "help" }, box.help),
        el("ol", {}, box.because.map(because)),
      ),
    ),
  );
}

function because(one) {
  return el(
    "li",
    {},
    el("p", { class: "lead" }, one.changes.join(" · ")),
    one.order ? el("p", { class: "order" }, one.order, dice(one.dice, one.call)) : null,
    one.reasons.length ? el("ul", { class: "why" }, one.reasons.map((line) => el("li", {}, line))) : null,
    one.clauses.map(([clause, text]) => el("p", { class: "clause" }, el("b", {}, clause), ` ${text}`)),
    el("p", { class: "small" }, `turn ${one.turn}, ${one.phase}${one.number ? ` · entry ${one.number}` : ""}`),
  );
}
