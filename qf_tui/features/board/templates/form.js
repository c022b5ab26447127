// The form that stands over the page: the faces of a roll that is owed, or an order. What is typed is kept as it is typed.
const dialog = document.getElementById("form");

function button(text, act, props) {
  const made = el("button", { type: "button", ...props }, text);
  made.addEventListener("click", act);
  return made;
}

function shipNamed(id) {
  return play.seat.ships.find((one) => one.id === id)?.name || (state.view && shipsOf(state.view)[id]?.name) || id;
}

// What a form asks for, as it is now; nothing where it is asked no more.
function wanted(form) {
  if (!play.seat) return undefined;
  if (form.round && form.round !== (play.seat.round?.open && play.seat.round.key)) return undefined;
  if (form.handle) return play.seat.owes.find((one) => one.handle === form.handle);
  return play.seat.may.filter((one) => one.word === form.word)[form.nth];
}

function openForm(form, filled) {
  const none = { ship: "", slots: {}, dice: [], words: [], remark: "" };
  play.form = { ...form, draft: { ...none, ...kept().drafts[form.key], ...filled } };
  play.opener = focusIn(playing);
  drawForm();
  dialog.showModal();
  dialog.querySelector(".fields").scrollTop = 0;
}

function closeForm() {
  play.form = null;
  dialog.close();
}

function change(part) {
  Object.assign(play.form.draft, part);
  keep((now) => {
    const open = [...play.seat.owes.map((one) => one.handle), ...play.seat.may.map((one) => one.word)];
    for (const key of Object.keys(now.drafts)) if (!open.some((one) => key.includes(one))) delete now.drafts[key];
    now.drafts[play.form.key] = play.form.draft;
  });
}

// As something of what it asks is another; else nothing moves under a thumb.
function renewForm() {
  if (play.form && play.form.asks !== asks(play.form)) drawForm();
}

function asks(form) {
  return JSON.stringify([wanted(form), play.seat?.dice, play.seat?.ships]);
}

function drawForm() {
  const form = play.form;
  if (!form) return;
  form.asks = asks(form);
  const one = wanted(form), node = document.activeElement;
  const focus = dialog.contains(node) && node.dataset.key, caret = node.selectionStart;
  const scrolled = dialog.querySelector(".fields")?.scrollTop || 0;
  const close = button("✕", closeForm, { "aria-label": "close", "data-key": "close" });
  const gone = "This is no longer asked: the battle has changed.";
  fill(
    dialog,
    el("header", {}, el("h2", { tabindex: -1, autofocus: true, "data-key": "title" }, one ? one.title || one.ship : "Gone"), close),
    el("div", { class: "fields" }, one ? (form.handle ? rollFields(one, form) : orderFields(one, form)) : el("p", {}, gone)),
    one ? el("footer", {}, keypad(one, form), proposing(one, form)) : null,
  );
  dialog.querySelector(".fields").scrollTop = scrolled;
  const again = focus && (keyed(focus) || keyed("title"));
  if (!again) return;
  // Behind the last die its keys take nothing more, nor does a die that is taken back.
  const takes = again.disabled ? dialog.querySelector(".keys :enabled, .propose") : again;
  takes.focus({ preventScroll: true });
  if (caret !== null && caret !== undefined) again.setSelectionRange?.(caret, caret);
}

function keyed(key) {
  return [...dialog.querySelectorAll("[data-key]")].find((one) => one.dataset.key === key);
}

function rollFields(one, form) {
  const answers = one.words.map((word) => [word, word]);
  return [
    el("p", { class: "what" }, one.text),
    one.needs.length ? el("ul", { class: "needing" }, one.needs.map((need) => el("li", {}, need))) : null,
    answers.length ? choices("answer", answers, form.draft.words, (word) => change({ words: [word] })) : null,
    remarkField(form),
  ];
}

function orderFields(one, form) {
  const ships = one.ships.map((id) => [id, shipNamed(id)]);
  const chosen = shipOf(one, form).split(",").filter(Boolean);
  const tapped = (id) => change({ ship: one.several ? toggle(chosen, id) : id });
  const own = ships.length ? choices("ship", ships, chosen, tapped, one.several ? "ships" : "ship") : null;
  return [own, one.slots.map((slot) => slotField(one, form, slot)), remarkField(form)];
}

function shipOf(one, form) {
  if (one.ships.length === 1) return one.ships[0];
  return form.draft.ship.split(",").filter((id) => one.ships.includes(id)).slice(0, one.several ? BOX_MOST : 1).join(",");
}

// What a slot holds: what was typed, else what is on record, else the only thing that it can hold.
function valueOf(one, form, slot) {
  const typed = form.draft.slots[slot.name];
  if (slot.kind === "shares") return writeShares(sharesOf(one, form, slot));
  const options = optionsOf(one, form, slot).map(([value]) => value);
  const fits = (value) => slot.kind === "text" || !options.length || value.split(",").every((part) => options.includes(part));
  if (typed !== undefined && (typed === "" || fits(typed))) return typed;
  return onRecord(one, form, slot) || (options.length === 1 && !slot.optional && slot.kind !== "text" ? options[0] : "");
}

// What the ship that was chosen has left of it.
function optionsOf(one, form, slot) {
  const left = slot.by?.[shipOf(one, form)];
  return (slot.options || []).filter(([id]) => !left || left.includes(id));
}

function toggle(chosen, id) {
  return (chosen.includes(id) ? chosen.filter((each) => each !== id) : [...chosen, id]).join(",");
}

// What single ships of those that are chosen do differently: “fuji 7, asahi 6” as pairs.
function sharesOf(one, form, slot) {
  const chosen = shipOf(one, form).split(","), shares = (form.draft.slots[slot.name] || "").split(", ");
  return new Map(shares.map((share) => share.split(/ (.*)/s)).filter(([id]) => chosen.includes(id)));
}

function writeShares(shares) {
  return [...shares].filter(([, share]) => share).map(([id, share]) => `${id} ${share}`).join(", ");
}

function shareFields(one, form, slot, set) {
  const chosen = shipOf(one, form).split(",").filter(Boolean), shares = sharesOf(one, form, slot);
  if (chosen.length < 2) return null;
  const fields = chosen.map((id) => {
    const typed = (text) => set(writeShares(shares.set(id, text.trim())));
    return typedField(`${slot.name}-${id}`, shipNamed(id), shares.get(id) || "", typed, { inputmode: "decimal" });
  });
  return el("details", { open: shares.size > 0 }, el("summary", {}, slot.title), fields);
}

function onRecord(one, form, slot) {
  const others = Object.keys(slot.known || {}).length ? one.slots.filter((each) => each.kind === "ship") : [];
  const found = others.map((each) => slot.known[`${shipOf(one, form)}>${valueOf(one, form, each)}`]);
  return found.find(Boolean) || "";
}

function slotField(one, form, slot) {
  const value = valueOf(one, form, slot), title = slot.optional ? `${slot.title} (optional)` : slot.title;
  const set = (text) => change({ slots: { ...form.draft.slots, [slot.name]: text } });
  if (slot.kind === "flag") return choices(slot.name, [["yes", slot.title]], [value], (id) => set(value ? "" : id), "");
  if (slot.kind === "shares") return shareFields(one, form, slot, set);
  if (slot.kind === "ships") {
    const chosen = value ? value.split(",") : [];
    return choices(slot.name, slot.options, chosen, (id) => set(toggle(chosen, id)), title);
  }
  const options = optionsOf(one, form, slot), known = onRecord(one, form, slot);
  const toggled = (id) => set((slot.optional || slot.kind === "text") && id === value ? "" : id);
  const chosen = options.length ? choices(slot.name, options, [value], toggled, slot.kind === "text" ? "" : title) : null;
  if (chosen && slot.kind !== "text") return chosen;
  const field = typedField(slot.name, title, value, set, {
    placeholder: slot.hint ? `such as ${slot.hint}` : null,
    inputmode: slot.kind === "number" ? "numeric" : "decimal",
    note: known ? `on record: ${known}` : "",
  });
  return [field, chosen];
}

function choices(name, options, chosen, act, title = name) {
  const each = options.map(([id, text]) => {
    const pressed = String(chosen.includes(id));
    const tapped = () => {
      act(id);
      drawForm();
      keyed(`${name} ${id}`)?.closest("fieldset").nextElementSibling?.scrollIntoView({ block: "nearest" });
    };
    return button(text, tapped, { "aria-pressed": pressed, "data-key": `${name} ${id}` });
  });
  return el("fieldset", {}, title ? el("legend", {}, title) : null, el("div", { class: "options" }, each));
}

function typedField(name, title, value, act, { note, ...props }) {
  const fixed = { autocomplete: "off", autocapitalize: "off", autocorrect: "off", spellcheck: "false", enterkeyhint: "done" };
  const input = el("input", { type: "text", maxlength: REMARK_MOST, "data-key": name, ...fixed, ...props });
  input.value = value;
  input.addEventListener("input", () => {
    act(input.value);
    dialog.querySelector(".propose").replaceWith(proposing(wanted(play.form), play.form));
  });
  // The keys for the dice come once it is typed, and the tap that ended that is done.
  input.addEventListener("change", () => setTimeout(() => steady(showKeys)));
  return el("label", { class: "typed" }, el("span", {}, title), input, note ? el("small", {}, note) : null);
}

function showKeys() {
  if (play.form && !dialog.querySelector(".keypad")) drawForm();
}

function remarkField(form) {
  return typedField("remark", "a remark to the umpire (optional)", form.draft.remark, (remark) => change({ remark }), {});
}

// The dice that a phone may type: only those thrown at the table, and none in a declaration.
function diceOf(one, form) {
  return play.seat.dice === "table" && !form.round ? one.dice : [];
}

// A die of ten sides may have faces from 0 to 9.
function dieName(die) {
  return die.name || `d${die.most - die.least + 1}`;
}

function keypad(one, form) {
  const dice = diceOf(one, form);
  if (!dice.length) return thrownElsewhere(one, form);
  if (!form.handle && unfilled(one, form)) return null;
  const faces = form.draft.dice, count = one.more ? Math.max(dice.length, faces.length + 1) : dice.length;
  const shown = [...Array(count).keys()].map((at) => faces[at] ?? null);
  const next = shown.indexOf(null), die = dice[Math.min(next < 0 ? count - 1 : next, dice.length - 1)];
  const set = (at, face) => {
    const changed = shown.map((old, place) => (place === at ? face : old));
    while (changed.length && changed.at(-1) === null) changed.pop();
    change({ dice: changed });
    drawForm();
  };
  const keys = [...Array(die.most - die.least + 1).keys()].map((more) => {
    const face = die.least + more;
    return button(face, () => set(next, face), { disabled: next < 0, "data-key": `face ${face}` });
  });
  const boxes = shown.map((face, at) => {
    const of = dice[Math.min(at, dice.length - 1)], name = dieName(of);
    const label = `${name}: ${face ?? "not typed"}`;
    const props = { class: at === next ? "next" : null, "aria-label": label, "data-key": `die ${at}`, disabled: face === null };
    return el("li", {}, button(face ?? "", () => set(at, null), props), el("small", { "aria-hidden": "true" }, name));
  });
  const wide = keys.length > 6 ? Math.ceil(keys.length / (keys.length > 10 ? 3 : 2)) : keys.length;
  return el("div", { class: "keypad" }, el("ol", { class: "faces", "aria-label": "dice" }, boxes), el("div", { class: `keys wide${Math.min(wide, 7)}` }, keys));
}

function thrownElsewhere(one, form) {
  if (form.round || !one.dice.length || play.seat.dice === "table") return null;
  const sealed = play.seat.dice === "sealed";
  return el("p", { class: "quiet" }, sealed ? "The dice are sealed: the call is thrown at the table." : "The umpire's console throws these dice.");
}

// What is still wanting before it can be proposed.
function wanting(one, form) {
  const { draft } = form, dice = diceOf(one, form), typed = draft.dice.filter((face) => face !== null).length;
  const whole = typed === (one.more ? draft.dice.length : dice.length);
  if (form.handle) {
    if (one.words.length && !draft.words.length) return "choose an answer";
    if (!dice.length) return "";
    return typed && whole ? "" : "type the dice";
  }
  return unfilled(one, form) || (!typed || !dice.length || whole ? "" : "type all dice, or none");
}

function unfilled(one, form) {
  if (one.ships.length && !shipOf(one, form)) return "choose the ship";
  const empty = one.slots.find((slot) => !slot.optional && slot.kind !== "flag" && !valueOf(one, form, slot));
  return empty ? `${empty.options?.length ? "choose" : "type"}: ${empty.title}` : "";
}

function proposing(one, form) {
  const wants = wanting(one, form), asks = one.dice.length && play.seat.dice !== "table" && !form.round;
  const does = form.round ? "Add to my declaration" : form.handle && asks ? "Ask for the throw" : "Propose";
  return button(wants || does, () => proposed(one, form), { class: "propose", disabled: Boolean(wants) });
}

function proposed(one, form) {
  // Nobody leaves out dice that he was not asked for.
  if (diceOf(one, form).length && !dialog.querySelector(".keypad")) return drawForm();
  const { remark } = form.draft;
  const dice = diceOf(one, form).length ? form.draft.dice : [];
  const again = { key: form.key, handle: form.handle, word: form.word, nth: form.nth, draft: form.draft };
  if (form.handle) {
    const text = [`${one.ship}: ${one.text}`, ...form.draft.words, dice.join(" ")].filter(Boolean).join(" · ");
    propose({ handle: form.handle, words: form.draft.words, dice, remark }, text, again, form.instead);
  } else {
    const values = one.slots.map((slot) => [slot, valueOf(one, form, slot)]).filter(([, value]) => value);
    const slots = Object.fromEntries(values.map(([slot, value]) => [slot.name, value]));
    const told = values.map(([slot, value]) => wordOf(slot, value));
    const ship = shipOf(one, form), order = { word: one.word, ship, slots };
    const text = [`${one.title}${ship ? `: ${ship.split(",").map(shipNamed).join(", ")}` : ""}`, ...told, dice.join(" ")].filter(Boolean).join(" · ");
    if (form.round) declaring(order, text, remark, form);
    else propose({ orders: [order], dice, remark }, text, again, form.instead);
  }
  closeForm();
}

function wordOf(slot, value) {
  const words = new Map(slot.options || []);
  if (slot.kind === "shares") return `but ${value.split(", ").map((share) => share.replace(/^\S+/, shipNamed)).join(", ")}`;
  return slot.kind === "flag" ? slot.title : value.split(",").map((part) => words.get(part) || part).join(", ");
}
// Told late, perhaps once it is open again. What opened it may have been drawn anew since.
dialog.addEventListener("close", () => {
  if (dialog.open) return;
  play.form = null;
  const at = document.activeElement;
  if (play.opener && (at === document.body || dialog.contains(at))) focusOn(play.opener);
});
