// SPDX-License-Identifier: MIT
// Labels of the graph. Concepts get labels in the order of their ranks, if there is room. A concept with a label is
// preferred, so that labels do not flicker.
"use strict";

const MOST_LABELS = 90, LABEL_CHARACTERS = 30, LABEL_HEIGHT = 16, REFRESH = 120;

class GraphLabels {
  constructor(model) {
    this.model = model;
    this.named = [];
    this.widths = new Map();  // text -> pixels
    this.placed = -Infinity;
  }

  width(pen, text) {
    let width = this.widths.get(text);
    if (width === undefined) {
      if (this.widths.size > 4000) this.widths.clear();
      this.widths.set(text, width = pen.measureText(text).width);
    }
    return width;
  }

  // Selects labels: [{node, text, width}], highest rank first.
  place(pen, now, camera, size, nodes, rankOf) {
    if (now - this.placed < REFRESH) return this.named;
    this.placed = now;
    const before = new Set(this.named.map(label => label.node));
    const candidates = nodes.filter(node => node.kept)
      .map(node => ({node, rank: rankOf(node) + (before.has(node) ? .05 : 0)}))
      .sort((a, b) => b.rank - a.rank).slice(0, 400);
    const boxes = [];
    this.named = [];
    for (const {node} of candidates) {
      if (this.named.length >= MOST_LABELS) break;
      const text = short(node.term, LABEL_CHARACTERS), width = this.width(pen, text);
      const y = GraphLabels.line(camera, node);
      if (camera.applyX(node.x) < 0 || y < 0 || camera.applyX(node.x) > size.width || y > size.height + 20) continue;
      const x = GraphLabels.middle(camera, node, width, size);
      const box = {left: x - width / 2 - 4, right: x + width / 2 + 4,
                   top: y - LABEL_HEIGHT / 2, bottom: y + LABEL_HEIGHT / 2};
      const meets = b => box.left < b.right && box.right > b.left && box.top < b.bottom && box.bottom > b.top;
      if (boxes.some(meets)) continue;
      boxes.push(box);
      this.named.push({node, text, width});
    }
    return this.named;
  }

  // The centre of a label, such that the label is within the canvas. The vertical position is below the node.
  static middle(camera, node, width, size) {
    const half = width / 2 + 3;
    return Math.max(half, Math.min(size.width - half, camera.applyX(node.x)));
  }
  static line(camera, node) { return camera.applyY(node.y) + drawnRadius(node, camera) + 10; }
}
