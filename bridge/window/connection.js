// SPDX-License-Identifier: MIT
// The protocol (bridge/schema/protocol.schema.json) over a websocket to whoever served the page.
"use strict";

const FIRST_PAUSE = 500, LONGEST_PAUSE = 15000;  // milliseconds until the next try, doubled each time

class Connection {
  // onState("open" | "closed", milliseconds until the next try)
  constructor(onState = () => {}) {
    this.onState = onState;
    this.asked = new Map();  // id -> {resolve, reject}
    this.waiting = [];       // for the connection
    this.next = 1;
    this.pause = FIRST_PAUSE;
    this.open();
  }

  open() {
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    const socket = this.socket = new WebSocket(`${scheme}//${location.host}/${location.search}`);
    socket.onopen = () => {
      this.pause = FIRST_PAUSE;
      for (const {resolve} of this.waiting.splice(0)) resolve();
      this.onState("open");
    };
    socket.onmessage = ({data}) => this.hear(data);
    socket.onclose = () => {
      for (const {reject} of [...this.asked.values(), ...this.waiting.splice(0)])
        reject({code: "closed", message: "the connection was lost"});
      this.asked.clear();
      this.onState("closed", this.pause);
      setTimeout(() => this.open(), this.pause);
      this.pause = Math.min(LONGEST_PAUSE, 2 * this.pause);
    };
  }

  // When it is open; rejected if the try at hand fails.
  opened() {
    if (this.isOpen) return Promise.resolve();
    return new Promise((resolve, reject) => this.waiting.push({resolve, reject}));
  }

  get isOpen() { return this.socket.readyState === WebSocket.OPEN; }

  // The result; rejected with the reply's {code, message}.
  ask(op, fields = {}) {
    if (!this.isOpen) return Promise.reject({code: "closed", message: "there is no connection"});
    const id = this.next++;
    this.socket.send(JSON.stringify({id, op, ...fields}));
    return new Promise((resolve, reject) => this.asked.set(id, {resolve, reject}));
  }

  hear(text) {
    let reply;
    try {
      reply = JSON.parse(text);
    } catch {
      return;  // no reply of this protocol: nobody waits for it
    }
    const waiting = this.asked.get(reply.id);
    if (!waiting) return;
    this.asked.delete(reply.id);
    if (reply.ok) waiting.resolve(reply.result);
    else waiting.reject(reply.error ?? {code: "internal", message: "a reply without a result"});
  }
}
