// What is proposed from this phone. It is kept here until the stream lists it, and sent by itself until then, always by
// the id that it was given here: a network that went, a page that slept, an answer that was lost double nothing.
const OWN = `play ${location.pathname}`;
const BOX_MOST = 40, REMARK_MOST = 200, TOLD_MOST = 12;
// Milliseconds: how often it is looked what is to be sent, how long an answer is waited for, when what was taken and is
// not listed yet, or was refused for now, is sent again.
const EACH = 3000, PATIENCE = 8000, UNLISTED = 15000, LATER = 10000;
const HELD = { 404: "the board accepts nothing from this phone now", 429: "too many proposals at once" };
const play = { seat: null, form: null, keeps: true, memory: {}, sending: false, stream: "", next: new Map() };

function kept() {
  let found = play.memory;
  try {
    if (play.keeps) found = JSON.parse(localStorage.getItem(OWN)) || {};
  } catch {
    play.keeps = false;
  }
  return { device: "", asking: false, asked: false, box: [], drafts: {}, round: null, ...found };
}

function keep(change) {
  const now = kept();
  change(now);
  play.memory = now;
  try {
    localStorage.setItem(OWN, JSON.stringify(now));
  } catch {
    play.keeps = false;
  }
}

function random() {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

// Whether this phone may propose: one that never asked is not the one that was let in.
function device() {
  const told = play.seat?.device;
  return told && told !== "none" && !kept().device ? "other" : told;
}

function askIn() {
  keep((now) => {
    now.device = now.device || random();
    now.asking = true;
  });
  drawPlay();
  send();
}

function propose(body, text, form, instead) {
  const id = random();
  keep((now) => {
    // What was not taken is done with once it is proposed again.
    now.box = now.box.filter((one) => one.id !== instead || one.state !== "refused");
    const settled = now.box.filter((one) => one.state === "listed" || one.state === "refused");
    const old = settled.slice(0, Math.max(0, now.box.length - BOX_MOST + 1));
    // Of declarations the last one counts: an earlier one must not come after it.
    now.box = now.box.filter((one) => !old.includes(one) && (one.state === "listed" || !body.round || one.body.round !== body.round));
    now.box.push({ id, body: { words: [], dice: [], remark: "", round: "", at: `${play.seat.turn}/${play.seat.phase}`, ...body }, text, form, state: "kept", why: "" });
    if (form) delete now.drafts[form.key];
  });
  drawPlay();
  send();
}

function drop(id) {
  keep((now) => {
    const round = now.box.find((one) => one.id === id)?.body.round;
    if (round && now.round?.key === round) now.round.sent = null;
    now.box = now.box.filter((one) => one.id !== id);
  });
  drawPlay();
}

// Who tells what became of a proposal is the stream: an answer only says that it need not be sent again soon.
async function send() {
  if (play.sending || !play.seat) return;
  play.sending = true;
  try {
    // Each stream is told anew which phone it is on: only so is this one shown its own number.
    const mine = kept(), stream = feed.name;
    if ((mine.asking || (mine.asked && play.stream !== stream)) && (await posted("device", { stream }))?.ok) {
      play.stream = stream;
      keep((now) => Object.assign(now, { asking: false, asked: true }));
    }
    while (device() === "in") {
      const one = kept().box.find((each) => ["kept", "sent"].includes(each.state) && !(play.next.get(each.id) > Date.now()));
      if (!one) break;
      const answer = await posted("propose", { id: one.id, ...one.body });
      if (!(await answered(one.id, answer))) break;
    }
  } finally {
    play.sending = false;
  }
  steady(drawPlay);
}

async function answered(id, answer) {
  const state = answer?.ok ? "sent" : answer?.status === 400 ? "refused" : "kept";
  let why = { sent: "", refused: "the board cannot read it" }[state] ?? (answer ? HELD[answer.status] || HELD[404] : "");
  if (state === "refused") why = await answer.json().then((told) => String(told.why), () => why);
  play.next.set(id, Date.now() + (answer?.ok ? UNLISTED : answer ? LATER : 0));
  keep((now) => {
    const one = now.box.find((each) => each.id === id);
    if (one && one.state !== "listed") Object.assign(one, { state, why });
  });
  return state !== "kept";
}

async function posted(path, body) {
  const token = document.querySelector("meta[name=token]")?.content || "";
  try {
    return await fetch(path, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ token, device: kept().device, ...body }),
      cache: "no-store",
      referrerPolicy: "no-referrer",
      signal: AbortSignal.timeout?.(PATIENCE),
    });
  } catch {
    return null;
  }
}

// The proposal that was sent; once declarations are closed, each order of one is listed as `id/place`.
function wholeOf(one) {
  return one.id.split("/")[0];
}

function seated(seat) {
  const was = new Map(play.seat?.proposals.map((one) => [one.id, one.state]));
  play.seat = seat;
  const told = seat ? seat.proposals : [], ids = new Set(told.map(wholeOf));
  const waiting = new Set(told.filter((one) => one.state === "waiting").map(wholeOf));
  // What waited and is listed no more was lost beside the board: it goes again, and the board knows it by its id.
  const lost = (one) => seat && one.state === "listed" && one.waits && !ids.has(one.id) && told.length < TOLD_MOST;
  const stale = (one) => ids.has(one.id) && (one.state !== "listed" || one.waits !== waiting.has(one.id));
  if (kept().box.some((one) => lost(one) || stale(one))) {
    keep((now) =>
      now.box.forEach((one) => {
        if (lost(one)) Object.assign(one, { state: "kept", waits: false }), play.next.delete(one.id);
        else if (stale(one)) Object.assign(one, { state: "listed", waits: waiting.has(one.id) });
      }),
    );
  }
  steady(draw);
  steady(renewForm);
  const before = (one) => was.get(one.id) || was.get(wholeOf(one));
  tellNews(seat ? seat.proposals.filter((one) => before(one) && before(one) !== one.state) : []);
  send();
}

// Whoever is back asks at once whether all of it is there.
function back() {
  play.next.clear();
  send();
}
setInterval(send, EACH);
window.addEventListener("online", back);
window.addEventListener("pageshow", back);
document.addEventListener("visibilitychange", () => document.hidden || back());
window.addEventListener("storage", (event) => event.key === OWN && steady(drawPlay));
