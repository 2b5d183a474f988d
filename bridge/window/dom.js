// SPDX-License-Identifier: MIT
// Elements, made without reading any text as HTML: what comes from the memory is text alone.
"use strict";

const find = selector => document.querySelector(selector);

// make("li", {class: "new", title: "..."}, "text", child, ...): attributes whose value is null are left out.
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

// A bar as long as the share of 1; a hint for the eye only: the number stands beside it.
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
// Of a long text its beginning, as many characters.
const short = (text, most) => text.length <= most ? text : text.slice(0, most - 1) + "…";
// Narsese with budget and truth value to three places.
function rounded(narsese) {
  return narsese.replace(/^\$[\d.;]+\$|%[\d.;]+%$/g,
                         numbers => numbers.replace(/\d+\.\d{4,}/g, number => String(+Number(number).toFixed(3))));
}
const several = (count, one, more = one + "s") => `${whole.format(count)} ${count === 1 ? one : more}`;

const calm = matchMedia("(prefers-reduced-motion: reduce)");
const dark = matchMedia("(prefers-color-scheme: dark)");
