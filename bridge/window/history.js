// SPDX-License-Identifier: MIT
// The views that were seen, the last so many of them: what can be stepped back to. Held as text, so that what it
// takes is known: the oldest go when there are too many or they are too long.
"use strict";

class ViewHistory {
  constructor(mostViews = 600, mostCharacters = 16e6) {
    this.mostViews = mostViews;
    this.mostCharacters = mostCharacters;
    this.views = [];
    this.characters = 0;
  }

  get length() { return this.views.length; }

  add(view) {
    const text = JSON.stringify(view);
    this.views.push({text, time: Date.now()});
    this.characters += text.length;
    while (this.views.length > this.mostViews || (this.characters > this.mostCharacters && this.views.length > 1))
      this.characters -= this.views.shift().text.length;
  }

  at(index) { return JSON.parse(this.views[index].text); }
  time(index) { return this.views[index].time; }
}
