"use strict";
// What is drawn is made of text alone: names and remarks are other people's words, and no markup.
const BOX = { "□": "open", "/": "slash", "\\": "slash", "x": "cross", "X": "gone", "½": "half" };
const BOXES = /^[□½xX/\\]+$/;

function el(tag, props, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(props || {})) {
    if (value === null || value === undefined || value === false) continue;
    made.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children.flat(3)) {
    if (child === null || child === undefined || child === "") continue;
    made.append(child instanceof Node ? child : document.createTextNode(String(child)));
  }
  return made;
}

function fill(node, ...children) {
  node.replaceChildren(...children.flat(3).filter((child) => child !== null && child !== ""));
}

// The parts of a cell that are boxes: some are open, or lost before, or it is nothing else; ½ alone is a number.
function boxed(parts) {
  const made = parts.filter((part) => BOXES.test(part.text) && (part.tone || part.text !== "½"));
  const whole = BOXES.test(parts.map((part) => part.text).join("").trim());
  return whole || made.some((part) => /[□½]/.test(part.text) || part.tone === "cross") ? made : [];
}

// A cell: boxes are drawn as boxes, all else as it is written.
function spans(parts) {
  const drawn = boxed(parts);
  return parts.map((part) => {
    if (drawn.includes(part)) return boxes(part);
    return part.tone ? el("span", { class: part.tone }, part.text) : part.text;
  });
}

function boxes(part) {
  return [...part.text].map((sign) => el("i", { class: `box ${BOX[sign]}`, "aria-hidden": "true" }, sign === "□" ? "" : sign));
}

// The same cell in words, for who hears it.
function said(parts) {
  const text = boxed(parts).map((part) => part.text).join("");
  const count = (signs) => [...text].filter((sign) => signs.includes(sign)).length;
  const words = [[count("□"), "open"], [count("/\\"), "lost in this phase"], [count("½"), "half lost"], [count("xX"), "lost"]];
  return words.filter(([many]) => many).map(([many, what]) => `${many} ${what}`).join(", ");
}

function cell(parts) {
  const words = said(parts);
  return words ? [...spans(parts), el("span", { class: "heard" }, words)] : spans(parts);
}
