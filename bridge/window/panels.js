// SPDX-License-Identifier: MIT
// Small panels: totals, latest inputs, announcements for screen readers, and a dialog.
"use strict";

function showTotals(place, view) {
  const totals = [["concepts", view.concepts], ["links", view.hebbian_links], ["statements", view.statements],
                  ["episodes", view.episodes], ["memory", view.bytes]];
  if (place.children.length === 0)
    place.append(...totals.map(([name]) => make("div", {}, make("dt", {}, name), make("dd"))));
  totals.forEach(([name, count], i) => {
    place.children[i].lastChild.textContent = name === "memory" ? bytes(count) : whole.format(count);
  });
}

class Latest {
  constructor(place) {
    this.place = place;
    this.texts = [];
  }

  // Shows the newest text first, and marks new texts. A text may occur several times.
  show(texts) {
    if (texts.length === this.texts.length && texts.every((text, i) => text === this.texts[i])) return;
    let kept = Math.min(texts.length, this.texts.length);
    while (kept > 0 && !texts.slice(0, kept).every((text, i) => text === this.texts.at(i - kept))) kept--;
    const marked = this.texts.length > 0;
    this.texts = texts;
    this.place.replaceChildren(...texts.map((text, i) =>
      make("li", {class: marked && i >= kept ? "new" : null}, make("code", {title: text}, rounded(text)))).reverse());
  }
}

// Announces changes to screen readers, at most once per `pause` milliseconds.
class Changes {
  constructor(place, pause = 10000) {
    this.place = place;
    this.pause = pause;
    this.nodes = this.edges = 0;
    this.said = performance.now();
  }

  hear(news, best) {
    this.nodes += news.nodes.length;
    this.edges += news.edges;
    const now = performance.now();
    if (now - this.said < this.pause || this.nodes + this.edges === 0) return;
    this.say(`${several(this.nodes, "new concept")}, ${several(this.edges, "new link")} shown. ` +
             `Highest priority: ${best?.term}.`);
    this.nodes = this.edges = 0;
    this.said = now;
  }

  say(text) { this.place.replaceChildren(make("p", {}, text)); }
}

// Shows a dialog. Escape or its button closes it; the browser then restores the focus.
function showDialog(title, content) {
  const dialog = make("dialog", {"aria-label": title}, make("div", {class: "line"}, make("h2", {}, title)), content);
  dialog.firstChild.append(button("Close", () => dialog.close(), {autofocus: ""}));
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}
