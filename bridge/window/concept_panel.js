// SPDX-License-Identifier: MIT
// Panel of the selected concept: its budget, its use, and buttons for its strongest links.
"use strict";

const MOST_LINKS = 8;

class ConceptPanel {
  // Callbacks in `act`: onFollow(node), onAsk(term), onClose().
  constructor(place, act) {
    this.place = place;
    this.act = act;
  }

  show(node) {
    this.place.hidden = !node;
    if (!node) return this.place.replaceChildren();
    if (this.busy(node)) return;
    this.node = node;
    const links = [...node.links].sort((a, b) => b.weight - a.weight).slice(0, MOST_LINKS);
    const rows = [["priority", node.priority], ["durability", node.durability], ["quality", node.quality]];
    this.place.replaceChildren(
      make("div", {class: "line"}, make("h3", {title: node.term}, node.term),
           button("×", this.act.onClose, {"aria-label": "Close", class: "close"})),
      make("dl", {}, ...rows.flatMap(([name, value]) =>
        [make("dt", {}, name), make("dd", {}, three(value), make("span", {class: "track"}, bar(value)))])),
      make("p", {class: "soft"}, `used ${several(node.uses, "time")}, last in episode ${whole.format(node.last)}`),
      node.links.length ? make("h4", {}, `Links (${links.length} of ${node.links.length} shown)`) : null,
      make("ul", {class: "links"}, ...links.map(edge => this.link(edge, node))),
      button("Use as cue", () => this.act.onAsk(node.term)));
  }

  link(edge, node) {
    const other = GraphModel.other(edge, node);
    return make("li", {}, button(short(other.term, 26), () => this.act.onFollow(other), {title: other.term}),
                make("span", {class: "soft", title: "weight; frequency and confidence"},
                     `${three(edge.weight)}  %${edge.f.toFixed(2)};${edge.c.toFixed(2)}%`));
  }

  // Whether a button of the panel has the focus. Updates then wait, because replacing the button would lose the focus.
  busy(node) { return this.node === node && this.place.contains(document.activeElement); }

  enter() { this.place.querySelector(".links button")?.focus(); }
}
