// What a player may do from his link: what his ships owe, orders, declarations, and what became of all that.
// Each part is drawn anew only as what it shows changes, so that a tap lands on what it was meant for.
const PARTS = ["device", "round", "throws", "doing", "remarks", "became", "plain"];
const drawn = new Map(PARTS.map((name) => [name, { node: el("section", { class: name }), text: "" }]));
const playing = el("div", { class: "play" }, [...drawn.values()].map((one) => one.node));
const PLAIN = "This page is plain HTTP: others on this Wi-Fi can read what you propose, and forge it. Every entry is in the log, and can be corrected.";
const SHOWN = 6, REMARKS = 3, NEWS = 8000;

function part(name, shows, build) {
  const one = drawn.get(name), text = JSON.stringify(shows);
  if (one.text === text) return;
  one.text = text;
  const open = one.node.querySelector("details")?.open, focus = focusIn(one.node);
  fill(one.node, shows ? [build(shows)] : []);
  if (open) one.node.querySelector("details")?.setAttribute("open", "");
  if (focus) focusOn(focus);
}

// Who goes by keys stays where he was: at what is called the same, else at the beginning of the page.
function focusIn(node) {
  const at = document.activeElement;
  return node.contains(at) ? at.closest("[data-key]")?.dataset.key : "";
}

function focusOn(key) {
  const found = [...playing.querySelectorAll("[data-key]")].find((one) => one.dataset.key === key);
  (found?.querySelector("summary") || found || document.getElementById("main")).focus({ preventScroll: true });
}

function drawPlay() {
  const seat = play.seat;
  if (!seat) return playing;
  const mine = kept(), may = device() === "in", round = may && seat.round?.open ? seat.round : null;
  const declared = round && { ...round, own: roundOf(), may: seat.may, box: boxOf(round) };
  part("device", may ? null : [device(), seat.code, mine.asking, mine.asked], deviceOf);
  part("round", declared, roundPart);
  part("throws", { owes: seat.owes.map((one) => ({ ...one, sent: sentFor(one) })), may, dice: seat.dice, phase: seat.phase, none: !seat.ships.length }, owesPart);
  part("doing", may && !round && seat.may.length ? seat.may : null, (all) => [el("h2", {}, "Orders"), forms(all, "")]);
  // Below what is pressed, which they must not move; all of them stand on the page of his side.
  const heard = state.view?.remarks.slice(-REMARKS) || [];
  part("remarks", heard.length ? heard : null, (all) => [el("h2", {}, "From the umpire"), el("ul", {}, all.map((one) => el("li", {}, one)))]);
  const askable = (form) => form && (form.handle || !round) && wanted(form);
  const again = [...seat.proposals, ...mine.box].map((one) => one.id).filter((id) => askable(formOf(mine.box, id)));
  part("became", [seat.proposals, mine.box, play.keeps, again, Boolean(state.view?.as_of)], becamePart);
  part("plain", PLAIN, () => el("p", { class: "quiet" }, PLAIN));
  const heading = document.querySelector("nav a[href='#play']");
  if (heading) fill(heading, "Play", awaited() || "");
  return playing;
}

function boxOf(round) {
  return kept().box.filter((one) => one.body.round === round.key);
}

// How much waits for this player, for the heading of his page: nothing that the umpire alone can decide.
function awaited() {
  const { owes, round, player } = play.seat, own = roundOf();
  const declared = !round?.open || round.declared.includes(player) || (own.sent && boxOf(round).at(-1)?.state !== "refused");
  const many = owes.filter((one) => (one.dice.length || one.words.length) && !sentFor(one)).length + (declared ? 0 : 1);
  return many ? [el("span", { class: "many", "aria-hidden": "true" }, many), el("span", { class: "heard" }, ` ${many} to do`)] : null;
}

function deviceOf([told, code, asking, asked]) {
  const ask = (text) => button(asking ? "asking …" : text, askIn, { class: "first", disabled: asking, "data-key": "ask" });
  const other = told === "other";
  if (told === "waiting" || (other && asked)) {
    const words = `Tell the umpire this number: his screen shows it too.${other ? " Until then another phone uses this link." : ""}`;
    return [el("h2", {}, "Waiting to be let in"), el("p", { class: "code" }, code), el("p", {}, words)];
  }
  const words = other
    ? "Another phone uses this link, or asks to. This one may ask to replace it."
    : "Declare and throw for your ships from here. The umpire lets your phone in first.";
  return [el("h2", {}, other ? "Not this phone" : "Take part"), el("p", {}, words), ask(other ? "Ask for this phone" : "Ask the umpire")];
}

function forms(all, round) {
  const nth = new Map();
  return el(
    "div",
    { class: "forms" },
    all.map((one) => {
      const at = nth.get(one.word) || 0;
      nth.set(one.word, at + 1);
      const form = { key: `${round} ${one.word} ${at}`, word: one.word, nth: at, round };
      const names = one.ships.map(shipNamed);
      const who = names.length > 2 ? `${names.length} ships` : names.join(", ");
      return button([one.title, el("small", {}, who)], () => openForm(form), { "data-key": form.key });
    }),
  );
}

// What was proposed for a roll that is owed still, and is not decided.
function sentFor(one) {
  const decided = new Set(play.seat.proposals.filter((each) => each.state !== "waiting").map((each) => each.id));
  const found = kept().box.filter((each) => each.body.handle === one.handle && each.state !== "refused" && !decided.has(each.id)).at(-1);
  return found ? { form: found.form, dice: found.body.dice, words: found.body.words, kept: found.state === "kept" } : null;
}

function owesPart({ owes, may, dice, phase, none }) {
  if (!owes.length) return el("p", { class: "quiet" }, none ? "None of your ships is in the battle now." : `${phase}: your ships owe nothing.`);
  return [el("h2", {}, "Your ships owe"), el("ul", { class: "rolls" }, owes.map((one) => roll(one, may, dice)))];
}

function roll(one, may, dice) {
  const open = () => openForm({ key: `roll ${one.handle}`, handle: one.handle }, one.sent?.form?.draft);
  const words = one.dice.map(dieName).join(", ") + (one.more ? " …" : "");
  const does = !one.dice.length ? "Answer" : dice === "table" ? "Throw" : "Ask for the throw";
  const can = may && (one.dice.length || one.words.length);
  return el(
    "li",
    {},
    el("h3", {}, one.ship),
    el("p", { class: "what" }, one.text),
    one.needs.length ? el("p", { class: "needs" }, join(one.needs.map((need) => el("span", {}, need)), " · ")) : null,
    one.sent ? sentRoll(one.sent) : words ? el("p", { class: "die" }, words) : null,
    can ? button(one.sent ? "Correct" : does, open, { class: one.sent ? null : "first", "data-key": `roll ${one.handle}` }) : null,
    !one.dice.length && !one.words.length ? el("p", { class: "quiet" }, "The umpire decides this.") : null,
  );
}

function sentRoll(sent) {
  const what = sent.dice.length || sent.words.length ? [sent.words.join(" "), dice(sent.dice, "")] : "the throw is asked for ·";
  return el("p", { class: "sent" }, what, el("span", {}, sent.kept ? " kept on this phone" : " with the umpire"));
}

function roundOf() {
  const own = kept().round;
  return own && own.key === play.seat.round?.key ? own : { key: play.seat.round?.key || "", orders: [], sent: null };
}

function changeRound(change) {
  const own = roundOf();
  change(own);
  keep((now) => (now.round = own));
  drawPlay();
}

function declaring(order, text, remark, form) {
  keep((now) => delete now.drafts[form.key]);
  const again = { key: form.key, word: form.word, nth: form.nth, draft: form.draft };
  changeRound((own) => own.orders.push({ order, text, remark, form: again }));
}

function declare() {
  const own = roundOf(), orders = own.orders.map((one) => one.order);
  const remark = own.orders.map((one) => one.remark).filter(Boolean).join(" · ").slice(0, REMARK_MOST);
  changeRound((mine) => (mine.sent = JSON.stringify(orders)));
  const text = own.orders.map((one) => one.text).join(" · ") || "no orders";
  propose({ orders, remark, round: own.key }, text, { forms: own.orders.map((one) => one.form) });
}

function roundPart({ phase, declared, missing, own, box, may }) {
  const same = own.sent === JSON.stringify(own.orders.map((one) => one.order));
  const last = box.at(-1), away = last && last.state === "kept";
  const many = own.orders.length, orders = many === 1 ? "1 order" : many ? `${many} orders` : "no orders";
  const who = [["declared", declared], ["to come", missing]].filter(([, names]) => names.length);
  const refused = last?.state === "refused";
  const stands = away ? "Kept on this phone until the board has it." : "Declared. You may change it until the umpire closes.";
  const out = (at) => () => changeRound((mine) => mine.orders.splice(at, 1));
  const listed = own.orders.map((one, at) => el("li", {}, el("span", {}, one.text), button("✕", out(at), { "aria-label": `take out ${one.text}`, "data-key": `out ${at}` })));
  return [
    el("h2", {}, `Declare: ${phase}`),
    el("p", { class: "who" }, who.map(([what, names]) => `${what}: ${names.join(", ")}`).join(" · ")),
    many ? el("ol", { class: "orders" }, listed) : null,
    forms(may, own.key),
    same ? el("p", { class: refused ? "alert" : "sent" }, refused ? `Not taken: ${last.why}` : stands) : button(`${own.sent === null ? "Declare" : "Declare again"}: ${orders}`, declare, { class: "first", "data-key": "declare" }),
  ];
}

// The form by which something was proposed, to fill it in again: of a declaration each order has its own.
function formOf(box, id) {
  const [whole, place] = id.split("/"), form = box.find((one) => one.id === whole)?.form;
  return place === undefined ? form : form?.forms?.[place];
}

const BECAME = {
  kept: ["…", "kept on this phone; it is sent by itself"],
  sent: ["…", "the board has it"],
  waiting: ["◷", "waits for the umpire"],
  in: ["✓", "in"],
  back: ["↩", "sent back"],
  refused: ["↩", "not taken"],
  undone: ["✕", "undone by the umpire; it does not return by itself"],
};

// Where what happens is shown as its phase ends, nobody is told before that it is in.
const LATE = "with the umpire; the result shows when the phase ends";

function becamePart([listed, box, keeps, again, late]) {
  const ids = new Set(listed.map(wholeOf));
  const own = box.filter((one) => one.state !== "listed" && !ids.has(one.id));
  const all = [...own.map((one) => ({ ...one, told: one.why })).reverse(), ...[...listed].reverse()];
  const warning = keeps ? null : el("p", { class: "alert" }, "This browser saves nothing: leave the page open until all is sent.");
  if (!all.length) return warning;
  const items = all.map((one) => became(one, again.includes(one.id) && formOf(box, one.id), late));
  const sign = signs(el("div", {}, items));
  const older = items.slice(SHOWN);
  return [
    warning,
    el("h2", {}, "Your proposals"),
    el("ol", {}, items.slice(0, SHOWN)),
    older.length ? el("details", { "data-key": "older" }, el("summary", {}, `${older.length} more`), el("ol", {}, older)) : null,
    sign,
  ];
}

// What was decided, for who hears the page, and over another view for a while.
function tellNews(decided) {
  if (!decided.length) return;
  const node = document.getElementById("news");
  node.className = playing.isConnected ? "heard" : "news";
  fill(node, decided.map((one) => el("p", {}, `${BECAME[one.state][0]} ${one.text} – ${BECAME[one.state][1]}`, one.told ? `: ${one.told}` : "")));
  clearTimeout(play.news);
  play.news = setTimeout(() => fill(node), NEWS);
}

function became(one, form, late) {
  const [sign, usual] = BECAME[one.state], words = late && one.state === "waiting" ? LATE : usual;
  const again = ["back", "refused", "undone"].includes(one.state) && form;
  return el(
    "li",
    { class: one.state },
    el("span", { class: "sign", "aria-hidden": "true" }, sign),
    el("p", {}, one.text),
    el("p", { class: "told" }, words, one.told ? `: ${one.told}` : ""),
    again ? button("Again", () => openForm({ ...form, round: "", instead: one.id }, form.draft), { "data-key": `again ${one.id}` }) : null,
    one.state === "refused" ? button("Drop", () => drop(one.id), { "data-key": `drop ${one.id}` }) : null,
  );
}
