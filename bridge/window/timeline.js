// SPDX-License-Identifier: MIT
// Controls of time: pause, back, forward, resume. They select a view from the history.
"use strict";

class Timeline {
  // Calls onShow(view, live) when another view is selected.
  constructor(history, onShow) {
    this.history = history;
    this.onShow = onShow;
    this.paused = false;
    this.at = -1;
    [this.button, this.slider, this.output] = ["#pause", "#time", "#when"].map(find);
    this.button.addEventListener("click", () => this.toggle());
    find("#back").addEventListener("click", () => this.go(this.at - 1));
    find("#forward").addEventListener("click", () => this.go(this.at + 1));
    this.slider.addEventListener("input", () => this.go(Number(this.slider.value)));
    this.tell();
  }

  // Adds a new view and shows it. Not called while paused.
  take(view) {
    this.history.add(view);
    this.at = this.history.length - 1;
    this.onShow(view, true);
    this.tell();
  }

  toggle() {
    this.paused = !this.paused;
    if (!this.paused && this.history.length && this.at !== this.history.length - 1) {
      this.at = this.history.length - 1;
      this.onShow(this.history.at(this.at), false);
    }
    this.tell();
  }

  go(index) {
    if (this.history.length === 0) return;
    this.paused = true;
    this.at = Math.max(0, Math.min(this.history.length - 1, index));
    this.onShow(this.history.at(this.at), false);
    this.tell();
  }

  tell() {
    const last = this.history.length - 1, behind = last - this.at;
    this.slider.max = Math.max(1, last);
    this.slider.value = behind === 0 ? this.slider.max : this.at;  // the newest view is at the right
    const seconds = last < 0 ? 0 : Math.round((this.history.time(last) - this.history.time(this.at)) / 1000);
    const where = behind === 0 ? "the last view" : `${several(behind, "view")} back, ${seconds} s before the last`;
    this.output.textContent = this.paused ? `${behind === 0 ? "" : "−"}${seconds} s` : "live";
    this.slider.setAttribute("aria-valuetext", this.paused ? where : "live");
    this.button.textContent = this.paused ? "Resume" : "Pause";
    find("#back").disabled = this.at <= 0;
    find("#forward").disabled = behind <= 0;
  }
}
