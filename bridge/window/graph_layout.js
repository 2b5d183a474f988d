// SPDX-License-Identifier: MIT
// Where concepts stand: D3's forces. Links pull together, by their weight; all push one another apart.
"use strict";

class GraphLayout {
  constructor(model) {
    this.model = model;
    this.links = d3.forceLink()
      .distance(edge => 34 + edge.source.radius + edge.target.radius + 2 * Math.min(20, edge.source.links.length))
      .strength(edge => (.25 + .75 * Math.sqrt(edge.goal)) /
                        Math.max(1, Math.min(edge.source.links.length, edge.target.links.length)));
    this.simulation = d3.forceSimulation()
      .force("links", this.links)
      .force("apart", d3.forceManyBody().strength(-110).distanceMax(420).theta(.95))
      .force("places", d3.forceCollide(node => node.radius + 3).iterations(2))
      .force("x", d3.forceX())
      .force("y", d3.forceY())
      .velocityDecay(.45).alphaMin(.004).alphaDecay(.025).stop();
  }

  // Towards the middle, so that the whole has about the shape of the place it is seen in.
  fit({width, height}) {
    this.simulation.force("x").strength(.06 * Math.min(1.5, height / width));
    this.simulation.force("y").strength(.06 * Math.min(1.5, width / height));
  }

  get moving() { return this.simulation.alpha() >= this.simulation.alphaMin(); }

  // After the model has changed: `news` as the model tells it.
  take(news) {
    for (const node of news.nodes) {  // beside a concept that it is linked to, where there is one
      const near = this.model.neighbours(node).find(n => n.x !== undefined);
      if (!near) continue;
      const turn = 2.4 * node.id;
      node.x = near.x + 30 * Math.cos(turn);
      node.y = near.y + 30 * Math.sin(turn);
    }
    this.simulation.nodes(this.model.nodes);
    this.links.links(this.model.edges);
    const changed = news.nodes.length + news.gone + .3 * news.edges;
    if (changed === 0) return;
    const share = changed / (this.model.nodes.length + 1);
    this.simulation.alpha(Math.max(this.simulation.alpha(), share > .9 ? 1 : Math.min(.3, .06 + share)));
    if (calm.matches) this.settle(share > .9 ? 1000 : 300);
    else if (share > .9) this.settle(60);
  }

  // Many steps at once: of a new graph what would only be seen as chaos; of all, where nothing shall move.
  settle(milliseconds) {
    const end = performance.now() + milliseconds;
    while (this.moving && performance.now() < end) this.simulation.tick();
    if (calm.matches) this.simulation.alpha(0);
  }

  forget() { this.simulation.nodes(this.model.nodes); }

  step() { this.simulation.tick(); }

  // The node under a point, or the nearest within so far of its rim; null where there is none.
  at(x, y, reach) {
    let best = null, nearest = reach;
    for (const node of this.model.nodes) {
      const gap = Math.hypot(node.x - x, node.y - y) - node.radius;
      if (gap < nearest && node.kept) best = node, nearest = gap;
    }
    return best;
  }
}
