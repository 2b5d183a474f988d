// SPDX-License-Identifier: MIT
// Draws the graph on a canvas, as the camera sees it. Items with the same style are drawn together, so that styles seldom
// change. Each line and circle is a separate path: without a graphics card, one path of 900 lines takes three times as
// long (measured in Chromium and Firefox).
"use strict";

const WIDTHS = 6, SHADES = 6;  // number of link widths and of shades of concepts

// Reads the colours from the style sheet, because a canvas cannot use its variables.
function pageColours() {
  const style = getComputedStyle(document.documentElement), named = name => style.getPropertyValue("--" + name).trim();
  const colours = Object.fromEntries(["ink", "paper", "soft", "link", "accent", "weak", "strong", "fresh", "recalled"]
    .map(name => [name, named(name)]));
  const between = d3.interpolateRgb(colours.weak, colours.strong);
  colours.shades = Array.from({length: SHADES}, (_, i) => between(i / (SHADES - 1)));
  return colours;
}

const widthOf = share => .6 + 3.4 * Math.sqrt(share);
const edgeWidth = edge => widthOf(edge.share);
const shadeOf = node => Math.min(SHADES - 1, Math.floor(SHADES * Math.sqrt(node.share)));
// The radius on the canvas. Circles shrink less than distances, so that they stay visible.
const drawnRadius = (node, camera) => node.radius * camera.k ** .75;

class GraphCanvas {
  constructor(canvas, model) {
    this.canvas = canvas;
    this.model = model;
    this.pen = canvas.getContext("2d", {alpha: false});  // an opaque canvas is cheaper
    this.labels = new GraphLabels(model);
    this.colours = pageColours();
    this.size = {width: 1, height: 1};
  }

  fit() {
    const {width, height} = this.canvas.getBoundingClientRect(), dense = Math.min(2, devicePixelRatio || 1);
    this.size = {width, height};
    this.canvas.width = Math.round(width * dense);
    this.canvas.height = Math.round(height * dense);
    this.dense = dense;
  }

  // `recalled` maps terms to activations relative to the largest; `way` is a list of nodes.
  draw(now, {camera, chosen, recalled, way}) {
    const {pen, colours, model} = this, {width, height} = this.size;
    pen.setTransform(this.dense, 0, 0, this.dense, 0, 0);
    pen.fillStyle = colours.paper;
    pen.fillRect(0, 0, width, height);
    for (const node of model.nodes) {
      node.sx = camera.applyX(node.x);
      node.sy = camera.applyY(node.y);
      node.sr = drawnRadius(node, camera);
    }
    const seen = e => Math.max(e.source.sx, e.target.sx) > 0 && Math.min(e.source.sx, e.target.sx) < width &&
                      Math.max(e.source.sy, e.target.sy) > 0 && Math.min(e.source.sy, e.target.sy) < height;
    const edges = model.edges.filter(seen), near = new Set(chosen ? [chosen, ...model.neighbours(chosen)] : []);
    const lit = node => near.has(node) || (recalled ? recalled.has(node.term) : !chosen);
    this.drawEdges(edges, e => chosen ? e.source === chosen || e.target === chosen : lit(e.source) && lit(e.target),
                   chosen !== null, now);
    if (way.length > 1) this.drawWay(way);
    this.drawNodes(model.nodes.filter(node => node.sx > -40 && node.sx < width + 40 && node.sy > -40 &&
                                              node.sy < height + 40), lit, chosen, recalled, now);
    this.drawLabels(now, camera, chosen, near, recalled, lit);
  }

  drawEdges(edges, lit, chosen, now) {
    const {pen, colours} = this, sets = new Map();
    for (const edge of edges) {
      const wide = Math.min(WIDTHS - 1, Math.floor(WIDTHS * Math.sqrt(edge.share)));
      const look = now - edge.born < FRESH ? 2 : lit(edge) ? 1 : 0, key = 3 * wide + look;
      if (!sets.has(key)) sets.set(key, []);
      sets.get(key).push(edge);
    }
    for (const [key, set] of [...sets].sort((a, b) => a[0] % 3 - b[0] % 3)) {
      const look = key % 3, wide = Math.floor(key / 3);
      pen.lineWidth = widthOf(((wide + .5) / WIDTHS) ** 2);
      pen.strokeStyle = look === 2 ? colours.fresh : look === 1 && chosen ? colours.accent : colours.link;
      pen.globalAlpha = look === 2 ? .8 : look === 1 ? .65 : .15;
      for (const {source, target} of set) {
        pen.beginPath();
        pen.moveTo(source.sx, source.sy);
        pen.lineTo(target.sx, target.sy);
        pen.stroke();
      }
    }
    pen.globalAlpha = 1;
  }

  // Draws the path from a cue to a recalled concept.
  drawWay(way) {
    const {pen, colours} = this;
    pen.beginPath();
    way.forEach((node, i) => i ? pen.lineTo(node.sx, node.sy) : pen.moveTo(node.sx, node.sy));
    pen.lineWidth = 4;
    pen.strokeStyle = colours.recalled;
    pen.stroke();
  }

  drawNodes(nodes, lit, chosen, recalled, now) {
    const {pen, colours} = this, sets = new Map();
    for (const node of nodes) {
      const clear = node.leaving ? Math.max(0, 1 - (now - node.leaving) / FADE) : lit(node) ? 1 : .3;
      const key = `${recalled?.has(node.term) ? "r" : shadeOf(node)} ${node.compound ? 1 : 0} ${Math.round(10 * clear)}`;
      if (!sets.has(key)) sets.set(key, []);
      sets.get(key).push(node);
    }
    for (const [key, set] of sets) {
      const [shade, compound, clear] = key.split(" "), colour = shade === "r" ? colours.recalled : colours.shades[shade];
      pen.fillStyle = colours.paper;  // links end at a thin rim
      this.circles(set, 1, () => pen.fill());
      pen.globalAlpha = clear / 10;
      pen.fillStyle = pen.strokeStyle = colour;
      pen.lineWidth = 2;
      if (compound === "1") this.circles(set, -1, () => pen.stroke());
      else this.circles(set, 0, () => pen.fill());
      pen.globalAlpha = 1;
    }
    pen.lineWidth = 2;
    pen.strokeStyle = colours.fresh;
    this.circles(nodes.filter(node => now - node.born < FRESH), 3, () => pen.stroke());
    pen.strokeStyle = colours.ink;
    if (chosen) this.circles([chosen], 4, () => pen.stroke());
  }

  // Calls `put` for a circle around each node; the radius exceeds that of the node by `more`.
  circles(nodes, more, put) {
    for (const {sx, sy, sr} of nodes) {
      this.pen.beginPath();
      this.pen.arc(sx, sy, Math.max(.5, sr + more), 0, 7);
      put();
    }
  }

  drawLabels(now, camera, chosen, near, recalled, lit) {
    const {pen, colours} = this;
    pen.font = "12px system-ui, sans-serif";
    pen.textAlign = "center";
    pen.textBaseline = "middle";
    pen.lineJoin = "round";
    const rank = node => node === chosen ? 4 : near.has(node) ? 2 + node.goal
      : recalled ? recalled.get(node.term) ?? 0 : node.goal;
    const named = this.labels.place(pen, now, camera, this.size, this.model.nodes.filter(lit), rank);
    pen.strokeStyle = colours.paper;
    pen.lineWidth = 3.5;
    pen.fillStyle = colours.ink;
    const middle = ({node, width}) => GraphLabels.middle(camera, node, width, this.size);
    for (const label of named) pen.strokeText(label.text, middle(label), GraphLabels.line(camera, label.node));
    for (const label of named) pen.fillText(label.text, middle(label), GraphLabels.line(camera, label.node));
  }
}
