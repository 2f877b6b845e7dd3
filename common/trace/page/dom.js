/* dom.js - makes elements of the page; nothing here knows what a trace is. */
"use strict";

/* The element of an id. */
function part(id) {
  return document.getElementById(id);
}

function describe(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "text") element.textContent = value;
    else if (name === "click") element.addEventListener("click", value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, value);
  }
}

/* A new HTML element: {class: "cell", text: "words", click: function, any attribute: its value}. */
function make(tag, attributes = {}, ...inside) {
  const element = document.createElement(tag);
  describe(element, attributes);
  element.append(...inside.filter((one) => one !== null));
  return element;
}

/* A new element of a picture. */
function draw(tag, attributes = {}, ...inside) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  describe(element, attributes);
  element.append(...inside);
  return element;
}

/* "1 sector", "1,200 sectors". */
function counted(number, noun) {
  const ending = /(s|ch|sh)$/.test(noun) ? "es" : "s";
  return `${grouped(number)} ${noun}${number === 1 ? "" : ending}`;
}

/* A number as the course prints it: 1,200. */
function grouped(number) {
  return Number.isInteger(number) ? number.toLocaleString("en-US") : String(number);
}

/* {key: [those with this key]} in the order of their first one, as a Map. */
function grouped_by(list, key_of) {
  const groups = new Map();
  for (const one of list) {
    const key = key_of(one);
    if (!groups.has(key)) groups.set(key, []);
    groups.get(key).push(one);
  }
  return groups;
}
