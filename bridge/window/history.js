// SPDX-License-Identifier: MIT
// Bounded history of views, for stepping back. Views are stored as text, so that their size is known. The oldest views
// are dropped if there are too many views or characters.
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
