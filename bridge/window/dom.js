// SPDX-License-Identifier: MIT
// Functions that create elements. They never parse text as HTML, so that texts of the memory cannot inject any.
"use strict";

const find = selector => document.querySelector(selector);

// Creates an element: make("li", {class: "new", title: "..."}, "text", child, ...). Skips attributes and children that
// are null.
function make(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) if (value !== null) made.setAttribute(name, value);
  made.append(...children.filter(child => child !== null));
  return made;
}

function button(text, act, attributes = {}) {
  const made = make("button", {type: "button", ...attributes}, text);
  made.addEventListener("click", act);
  return made;
}

// A bar whose length is `share`, from 0 to 1. Screen readers skip it, because the page also shows the number.
function bar(share, kind = "") {
  const made = make("span", {class: "bar " + kind, "aria-hidden": "true"});
  made.style.width = 100 * Math.max(0, Math.min(1, share)) + "%";
  return made;
}

const SVG = "http://www.w3.org/2000/svg";
function draw(tag, attributes = {}, ...children) {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

const whole = new Intl.NumberFormat("en");
function bytes(count) {
  const units = ["B", "kB", "MB", "GB"];
  const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, count)) / 3));
  return (count / 1000 ** power).toFixed(power && count / 1000 ** power < 100 ? 1 : 0) + " " + units[power];
}
const three = number => (Math.abs(number) >= 1e4 || (number !== 0 && Math.abs(number) < 5e-4)
  ? number.toExponential(1) : number.toFixed(3)).replace(/-/g, "−");
// Truncates a text to `most` characters.
const short = (text, most) => text.length <= most ? text : text.slice(0, most - 1) + "…";
// Rounds the budget and the truth value of a sentence to three decimals.
function rounded(narsese) {
  return narsese.replace(/^\$[\d.;]+\$|%[\d.;]+%$/g,
                         numbers => numbers.replace(/\d+\.\d{4,}/g, number => String(+Number(number).toFixed(3))));
}
const several = (count, one, more = one + "s") => `${whole.format(count)} ${count === 1 ? one : more}`;

const calm = matchMedia("(prefers-reduced-motion: reduce)");
const dark = matchMedia("(prefers-color-scheme: dark)");
