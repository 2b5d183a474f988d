// SPDX-License-Identifier: MIT
// Model of the drawn graph: the concepts and links of a view, and the transition from the previous view. Budgets change
// smoothly, new items are marked for a short time, and removed items fade out.
"use strict";

const FRESH = 2500;   // milliseconds for which new items are marked
const FADE = 400;     // milliseconds until a removed item has faded out
const GLIDE = 250;    // time constant of a change of budget or weight, in milliseconds

class GraphModel {
  constructor() {
    this.byId = new Map();
    this.byTerm = new Map();
    this.byPair = new Map();
    this.nodes = [];
    this.edges = [];
    this.moving = false;
  }

  // Changes to another view. If `marked` is true, new items are marked (not when the user steps through time).
  // Returns {nodes, edges, gone}: the new nodes, the number of new edges, and the number of removed items.
  take(view, now, marked) {
    const first = this.nodes.length === 0, born = marked && !first ? now : -Infinity;
    const news = {nodes: [], edges: 0, gone: 0};
    this.largest = Math.max(1e-300, ...view.shown.map(c => c.priority));
    this.heaviest = Math.max(1e-300, ...view.edges.map(e => e.weight));
    for (const node of this.nodes) node.kept = false;
    for (const c of view.shown) {
      let node = this.byId.get(c.concept);
      // After a reset of the memory, another concept may have this number.
      if (node && node.term !== c.term) this.byId.delete(c.concept), node = undefined;
      if (!node) {
        node = {id: c.concept, term: c.term, compound: /[<({[\s]/.test(c.term), share: 0, born, radius: 0};
        this.byId.set(c.concept, node);
        news.nodes.push(node);
      }
      Object.assign(node, {priority: c.priority, durability: c.durability, quality: c.quality, uses: c.uses,
                           last: c.last, goal: c.priority / this.largest, kept: true, leaving: 0, links: []});
    }
    for (const node of this.nodes) if (!node.kept && !node.leaving) node.leaving = now, node.goal = 0, news.gone++;
    this.nodes.push(...news.nodes);

    for (const edge of this.edges) edge.kept = false;
    for (const e of view.edges) {
      const source = this.byId.get(e.source), target = this.byId.get(e.target);
      if (!source?.kept || !target?.kept) continue;
      const pair = e.source < e.target ? `${e.source} ${e.target}` : `${e.target} ${e.source}`;
      let edge = this.byPair.get(pair);
      if (!edge || edge.source !== source && edge.source !== target) {
        edge = {source, target, share: 0, born};
        this.byPair.set(pair, edge);
        news.edges++;
      }
      Object.assign(edge, {weight: e.weight, f: e.f, c: e.c, goal: e.weight / this.heaviest, kept: true});
      source.links.push(edge);
      target.links.push(edge);
    }
    for (const [pair, edge] of this.byPair) if (!edge.kept) this.byPair.delete(pair), news.gone++;
    this.edges = [...this.byPair.values()];
    this.byTerm = new Map(this.nodes.filter(n => n.kept).map(n => [n.term, n]));
    if (calm.matches || first) for (const thing of [...this.nodes, ...this.edges]) thing.share = thing.goal;
    this.moving = true;
    return news;
  }

  // Advances the transition by `passed` milliseconds. Returns whether nodes were removed.
  move(now, passed) {
    const step = calm.matches ? 1 : 1 - Math.exp(-passed / GLIDE);
    let moving = false, gone = false;
    for (const thing of this.nodes) {
      const rest = thing.goal - thing.share;
      thing.share += Math.abs(rest) < 1e-3 ? rest : step * rest;
      thing.radius = 3 + 15 * Math.sqrt(thing.share);
      moving ||= thing.share !== thing.goal || now - thing.born < FRESH || thing.leaving > 0;
      gone ||= thing.leaving > 0 && now - thing.leaving > FADE;
    }
    for (const thing of this.edges) {
      const rest = thing.goal - thing.share;
      thing.share += Math.abs(rest) < 1e-3 ? rest : step * rest;
      moving ||= thing.share !== thing.goal || now - thing.born < FRESH;
    }
    if (gone) {
      for (const node of this.nodes)
        if (node.leaving && now - node.leaving > FADE && this.byId.get(node.id) === node) this.byId.delete(node.id);
      this.nodes = this.nodes.filter(node => !node.leaving || now - node.leaving <= FADE);
    }
    this.moving = moving;
    return gone;
  }

  static other(edge, node) { return edge.source === node ? edge.target : edge.source; }

  neighbours(node) { return node.links.map(edge => GraphModel.other(edge, node)); }

  // The concept of highest priority.
  best() { return this.nodes.reduce((a, b) => b.kept && (!a || b.priority > a.priority) ? b : a, null); }
}
