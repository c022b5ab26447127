// The stream of the battle. What was shown last stays on the page when it is lost, with the hour since when;
// when it is back, from when until when it was lost.
const live = document.getElementById("live");
const BEAT = Number(live.dataset.beat) * 1000;
const SILENT = 3 * BEAT, BACK_TOLD = 10 * 60 * 1000;
const HERE = 10000;
const feed = { source: null, name: "", heard: Date.now(), alive: Date.now(), lost: false, back: 0 };

function clock(time) {
  const at = new Date(time);
  return `${String(at.getHours()).padStart(2, "0")}:${String(at.getMinutes()).padStart(2, "0")}`;
}

// The battle is there: a beat says so, and nothing else does. A page that slept may hear one before it knows that it did.
function heard() {
  const now = Date.now();
  if (state.view && now - feed.heard > SILENT) {
    feed.back = now;
    say("back", `live again; no connection from ${clock(feed.heard)} to ${clock(now)}`);
  } else if (now - feed.back > BACK_TOLD || feed.lost) say("live", "live");
  feed.heard = feed.alive = now;
  feed.lost = false;
}

function lose(why) {
  if (feed.lost) return;
  feed.lost = true;
  say("lost", `${why} since ${clock(feed.heard)}`);
}

function say(tone, text) {
  live.className = `live ${tone}`;
  if (live.textContent !== text) live.textContent = text;
}

function connect() {
  if (feed.source) feed.source.close();
  const source = new EventSource("events");
  feed.source = source;
  feed.alive = Date.now();
  source.addEventListener("beat", heard);
  source.addEventListener("name", (event) => {
    feed.name = event.data;
    state.clock = null;
  });
  source.addEventListener("clock", (event) => {
    const told = JSON.parse(event.data);
    state.clock = told && { minutes: told.minutes, began: Date.now() - 1000 * told.seconds };
    tick();
  });
  source.addEventListener("seat", (event) => seated(JSON.parse(event.data)));
  source.addEventListener("witness", (event) => witnessed(JSON.parse(event.data)));
  source.addEventListener("lost", () => {
    feed.alive = Date.now();
    lose("the board has not read the battle");
  });
  source.addEventListener("error", async () => {
    lose("no connection to the board");
    // Only an answer ends it for good.
    const off = source.readyState === EventSource.CLOSED && (await fetched(""))?.status === 404;
    if (off && feed.lost && feed.source === source) say("lost", "this link is off: ask the umpire");
  });
  source.addEventListener("message", (event) => {
    feed.alive = Date.now();
    state.view = JSON.parse(event.data);
    steady(draw);
    ask();
  });
}

// What is left of the phase, or how far it is over: it counts, and nothing else comes of it.
function tick() {
  const node = document.getElementById("clock");
  node.hidden = !state.clock;
  if (!state.clock) return;
  const left = Math.round(60 * state.clock.minutes - (Date.now() - state.clock.began) / 1000);
  const [minutes, seconds] = [Math.floor(Math.abs(left) / 60), Math.abs(left) % 60];
  node.textContent = `${minutes}:${String(seconds).padStart(2, "0")} ${left < 0 ? "over" : "left"}`;
}

// What a view does not hold: the ship that is looked at.
async function ask() {
  const at = place();
  const known = at.name === "ship" ? await fetched(`ship/${encodeURIComponent(at.id)}`) : null;
  state.ship = known && known.ok ? await known.json() : null;
  steady(draw);
}

async function fetched(address) {
  try {
    return await fetch(address, { cache: "no-store", referrerPolicy: "no-referrer" });
  } catch {
    return null;
  }
}

// A phone that slept or a network that went says nothing: whoever is not heard of is lost, and asked again.
function wake() {
  if (Date.now() - feed.heard > SILENT) lose("no connection to the board");
  if (Date.now() - feed.alive > SILENT || (feed.source && feed.source.readyState === EventSource.CLOSED)) connect();
}
setInterval(wake, BEAT);
setInterval(tick, 1000);
// Whose page says nothing may lose his place on the board to somebody who wants one.
setInterval(() => feed.name && fetched(`here/${feed.name}`), HERE);
for (const event of ["visibilitychange", "resume"]) document.addEventListener(event, () => document.hidden || wake());
window.addEventListener("online", wake);
// A page that is kept for the way back holds no connection meanwhile.
window.addEventListener("pagehide", () => feed.source.close());
window.addEventListener("pageshow", (event) => event.persisted && connect());
window.addEventListener("resize", fit);
window.addEventListener("hashchange", () => {
  draw();
  scrollTo(0, 0);
  document.querySelector("nav [aria-current]")?.scrollIntoView({ block: "nearest", inline: "nearest" });
  document.getElementById("main").focus({ preventScroll: true });
  ask();
});
connect();
