// SPDX-License-Identifier: MIT
// Panel of the gate: the statements that a NARS received for each question, and its answers.
"use strict";

class Gate {
  constructor(place) {
    this.place = place;
    this.list = find("#questions");
  }

  show(gate) {
    this.place.hidden = !gate?.length;
    const text = JSON.stringify(gate ?? []);
    if (this.place.hidden || text === this.shown) return;
    this.shown = text;
    this.list.replaceChildren(...gate.slice(-20).reverse().map(turn => make("li", {class: "card"},
      make("div", {class: "line"}, make("code", {class: "question"}, turn.question),
           make("span", {class: "soft"}, Gate.time(turn.seconds))),
      make("h4", {}, `Received statements (${turn.given.length})`), Gate.lines(turn.given, "none"),
      make("h4", {}, "Answers"), Gate.lines(turn.answers, "no answer"))));
  }

  static time(seconds) { return seconds < 1 ? `${(1000 * seconds).toFixed(1)} ms` : `${seconds.toFixed(2)} s`; }

  static lines(texts, none) {
    return texts.length ? make("ul", {class: "lines"}, ...texts.map(text =>
      make("li", {}, make("code", {title: text}, rounded(text))))) : make("p", {class: "soft"}, none);
  }
}
