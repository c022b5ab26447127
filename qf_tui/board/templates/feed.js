// The stream of the battle. What was shown last stays on the page when it is lost, with the hour since when.
const live = document.getElementById("live");
const BEAT = Number(live.dataset.beat) * 1000;
const feed = { source: null, heard: Date.now(), lost: false };

function clock(time) {
  const at = new Date(time);
  return `${String(at.getHours()).padStart(2, "0")}:${String(at.getMinutes()).padStart(2, "0")}`;
}

function heard() {
  feed.heard = Date.now();
  feed.lost = false;
  say("live", "live");
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
  source.addEventListener("open", heard);
  source.addEventListener("beat", heard);
  source.addEventListener("lost", () => lose("the umpire's console has lost the battle"));
  source.addEventListener("error", () => lose("this page has lost the battle"));
  source.addEventListener("message", (event) => {
    heard();
    state.view = JSON.parse(event.data);
    draw();
    ask();
  });
}

// What a view does not hold: the ship that is looked at, and whether there is a report.
async function ask() {
  const at = place();
  const [known, report] = await Promise.all([
    at.name === "ship" ? fetched(`ship/${encodeURIComponent(at.id)}`, "GET") : null,
    fetched("report", "HEAD"),
  ]);
  state.ship = known && known.ok ? await known.json() : null;
  state.report = Boolean(report && report.ok);
  draw();
}

async function fetched(address, method) {
  try {
    return await fetch(address, { method, cache: "no-store", referrerPolicy: "no-referrer" });
  } catch {
    return null;
  }
}

// A phone that slept or a network that went says nothing: whoever is not heard of is lost, and asked again.
setInterval(() => {
  if (Date.now() - feed.heard > 3 * BEAT) lose("this page has lost the battle");
  if (feed.source && feed.source.readyState === EventSource.CLOSED) connect();
}, BEAT);
document.addEventListener("visibilitychange", () => {
  if (!document.hidden && Date.now() - feed.heard > 3 * BEAT) connect();
});
// A page that is kept for the way back holds no connection meanwhile.
window.addEventListener("pagehide", () => feed.source.close());
window.addEventListener("pageshow", (event) => event.persisted && connect());
window.addEventListener("resize", fit);
window.addEventListener("hashchange", () => {
  draw();
  scrollTo(0, 0);
  document.getElementById("main").focus({ preventScroll: true });
  ask();
});
connect();
