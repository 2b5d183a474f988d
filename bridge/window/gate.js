// SPDX-License-Identifier: MIT
// What a gate gave to a NARS for each question, and what the NARS answered.
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
      make("h4", {}, `Given (${turn.given.length})`), Gate.lines(turn.given, "nothing"),
      make("h4", {}, "Answered"), Gate.lines(turn.answers, "no answer"))));
  }

  static time(seconds) { return seconds < 1 ? `${(1000 * seconds).toFixed(1)} ms` : `${seconds.toFixed(2)} s`; }

  static lines(texts, none) {
    return texts.length ? make("ul", {class: "lines"}, ...texts.map(text =>
      make("li", {}, make("code", {title: text}, rounded(text))))) : make("p", {class: "soft"}, none);
  }
}
