// SPDX-License-Identifier: MIT
// The graph as a table, for screen readers and for exact numbers. It is filled only while it is open.
"use strict";

const TABLE_ROWS = 200, TABLE_LINKS = 4;

class ConceptTable {
  constructor(place, onChoose) {
    this.place = place;
    this.body = place.querySelector("tbody");
    this.onChoose = onChoose;
    place.addEventListener("toggle", () => this.view && this.show(this.view));
  }

  show(view) {
    this.view = view;
    this.place.querySelector("summary").textContent =
      `Concepts as a table (${Math.min(TABLE_ROWS, view.shown.length)} of ${whole.format(view.concepts)})`;
    if (!this.place.open || this.body.contains(document.activeElement)) return;
    const terms = new Map(view.shown.map(c => [c.concept, c.term])), links = new Map();
    const add = (from, to) => {
      if (!links.has(from)) links.set(from, []);
      if (links.get(from).length < TABLE_LINKS) links.get(from).push(terms.get(to));
    };
    for (const edge of view.edges) add(edge.source, edge.target), add(edge.target, edge.source);
    this.body.replaceChildren(...view.shown.slice(0, TABLE_ROWS).map(c => make("tr", {},
      make("th", {scope: "row"}, button(short(c.term, 60), () => this.onChoose(c.concept), {title: c.term})),
      ...[c.priority, c.durability, c.quality].map(x => make("td", {}, three(x))),
      make("td", {}, whole.format(c.uses)), make("td", {}, whole.format(c.last)),
      make("td", {class: "words"}, (links.get(c.concept) ?? []).map(term => short(term, 30)).join(", ")))));
  }
}
