// SPDX-License-Identifier: MIT
// Client of the protocol (bridge/schema/protocol.schema.json) over a websocket to the server of the page.
"use strict";

const FIRST_PAUSE = 500, LONGEST_PAUSE = 15000;  // milliseconds until the next attempt; doubled after each failure

class Connection {
  // Calls onState("open" or "closed", milliseconds until the next attempt).
  constructor(onState = () => {}) {
    this.onState = onState;
    this.asked = new Map();  // pending requests: id -> {resolve, reject}
    this.waiting = [];       // callers of opened()
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

  // A promise that resolves when the connection is open, and rejects if the current attempt fails.
  opened() {
    if (this.isOpen) return Promise.resolve();
    return new Promise((resolve, reject) => this.waiting.push({resolve, reject}));
  }

  get isOpen() { return this.socket.readyState === WebSocket.OPEN; }

  // Sends a request. The promise resolves with the result, or rejects with {code, message}.
  ask(op, fields = {}) {
    if (!this.isOpen) return Promise.reject({code: "closed", message: "not connected"});
    const id = this.next++;
    this.socket.send(JSON.stringify({id, op, ...fields}));
    return new Promise((resolve, reject) => this.asked.set(id, {resolve, reject}));
  }

  hear(text) {
    let reply;
    try {
      reply = JSON.parse(text);
    } catch {
      return;  // not a reply of this protocol
    }
    const waiting = this.asked.get(reply.id);
    if (!waiting) return;
    this.asked.delete(reply.id);
    if (reply.ok) waiting.resolve(reply.result);
    else waiting.reject(reply.error ?? {code: "internal", message: "the reply lacks a result"});
  }
}
