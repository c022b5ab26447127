// Letters from which a text is not told in the largest ones.
const LONG = 70;

function telling(one, large) {
  const head = [...one.events.map((event) => el("strong", { class: "event" }, event))];
  const why = one.why && one.why !== one.text ? tied(one.why) : "";
  if (one.text) head.push(el("span", { class: "text" }, tied(one.text)));
  const order = one.order ? el("p", { class: "order" }, one.order, dice(one.dice, one.call)) : null;
  const long = [...one.events, one.text].join(" ").length > LONG ? " long" : "";
  const lead = head.length ? el("p", { class: `lead${long}` }, join(head, "\u00a0· ")) : null;
  const small = [
    one.note ? el("span", { class: "note" }, one.note) : null,
    one.by ? el("span", { class: "player" }, `by ${one.by}`) : null,
    one.number ? el("span", { class: "number" }, `entry ${one.number}`) : null,
  ];
  return el(
    large ? "div" : "li",
    { class: `telling${one.events.length ? " told" : ""}${one.struck ? " struck" : ""}` },
    lead,
    order,
    why && large ? el("p", { class: "why" }, why) : null,
    why && !large ? el("details", {}, el("summary", {}, "why"), el("p", { class: "why" }, why)) : null,
    small.some(Boolean) ? el("p", { class: "small" }, join(small.filter(Boolean), " · ")) : null,
  );
}

function join(parts, mark) {
  return parts.flatMap((part, at) => (at ? [mark, part] : [part]));
}

// No line begins with a mark.
function tied(text) {
  return text.replace(/ (?=[·†‡])/g, "\u00a0");
}

function dice(faces, call) {
  const label = `dice ${faces.join(", ")}`;
  return [
    faces.length
      ? el("span", { class: "dice", role: "img", "aria-label": label }, faces.map((face) => el("b", { "aria-hidden": "true" }, face)))
      : null,
    call ? el("span", { class: "call" }, "call ", el("b", {}, call)) : null,
  ];
}

function owedList(owed, brief) {
  if (!owed.length) return null;
  return el(
    "ul",
    { class: "owed" },
    owed.map((one) =>
      el(
        "li",
        {},
        el("span", { class: "what" }, one.text),
        one.dice ? el("span", { class: "die" }, one.dice) : null,
        one.needs?.length && !brief ? el("span", { class: "needs" }, join(one.needs.map((need) => el("span", {}, need)), " · ")) : null,
      ),
    ),
  );
}

function may(row, words) {
  if (!row.may) return null;
  if (words) return el("p", { class: "acts" }, `may still act: ${row.may_say}`);
  return el("span", { class: "may", title: row.may_say }, el("span", { "aria-hidden": "true" }, row.may), el("span", { class: "heard" }, ` may still act: ${row.may_say}`));
}

function seenWords(row) {
  return row.seen.length ? row.seen.join(" · ") : [el("span", { "aria-hidden": "true" }, "–"), el("span", { class: "heard" }, "nothing")];
}

function fleet(one, view, marks) {
  const whole = one.ships.some((row) => row.whole);
  const heads = whole ? view.heads : [];
  const titles = whole
    ? heads.map((head) => el("th", { scope: "col", class: `r${head.rank}${head.right ? " right" : ""}`, title: head.help }, head.title))
    : [el("th", { scope: "col" }, "what can be seen")];
  return el(
    "section",
    { class: "fleet", "aria-label": one.name },
    el(
      "table",
      {},
      el("caption", {}, one.name, el("span", { class: "count" }, inBattle(one))),
      el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "ship"), titles)),
      el("tbody", {}, one.ships.map((row) => ship(row, heads, marks))),
    ),
  );
}

function inBattle(one) {
  const many = one.ships.filter((row) => row.afloat).length;
  return many === one.ships.length ? (many === 1 ? "1 ship" : `${many} ships`) : `${many} of ${one.ships.length} in the battle`;
}

function ship(row, heads, marks) {
  const cells = row.whole
    ? row.cells.map((parts, at) => el("td", { class: `r${heads[at].rank}${heads[at].right ? " right" : ""}` }, cell(parts)))
    : [el("td", { class: row.seen.length ? "seen" : "unseen" }, seenWords(row))];
  return el("tr", { class: look(row, marks), "data-ship": row.id }, head(row, marks), cells);
}

function markOf(row, marks) {
  return marks.does.has(row.id) ? "▸" : marks.about.has(row.id) ? "◂" : "";
}

function look(row, marks) {
  return `${row.afloat ? "" : "out"} ${markOf(row, marks) ? "lately" : ""}`.trim();
}

function head(row, marks) {
  const mark = markOf(row, marks), heard = mark === "▸" ? "acted last: " : mark ? "last affected: " : "";
  return el(
    "th",
    { scope: "row" },
    el("span", { class: "mark", "aria-hidden": "true" }, mark),
    el("span", { class: "heard" }, heard),
    named(row),
    marks.owes.has(row.id) ? el("span", { class: "owes", title: "owes a roll" }, "?", el("span", { class: "heard" }, " owes a roll")) : null,
    may(row),
  );
}

// What a mark means, where there is one.
function signs(made) {
  return made.textContent.includes("†") ? el("p", { class: "signs" }, "† depends on a chart cell that we reconstructed") : null;
}

// As many columns as there is room for, the same on every side.
function fit() {
  const fleets = [...document.querySelectorAll(".fleet")];
  for (const one of document.querySelectorAll(".fleets")) {
    one.style.setProperty("--rows", one.dataset.rows);
    one.style.setProperty("--above", `${one.getBoundingClientRect().top + scrollY}px`);
  }
  for (let most = 6; most >= -1; most -= 1) {
    for (const one of fleets) one.dataset.most = most;
    if (fleets.every((one) => one.scrollWidth <= one.clientWidth)) return;
  }
}

function toldLarge(one) {
  return one ? telling(one, true) : el("p", { class: "lead" }, "Nothing has happened yet.");
}

function drawPhase(view) {
  fill(document.getElementById("now"), `Turn ${view.turn}`, el("span", { class: "in" }, ` · ${view.phase}`));
  fill(
    document.getElementById("phases"),
    view.phases.map((title, number) => el("li", { "aria-current": number === view.at ? "step" : null }, title)),
  );
}
