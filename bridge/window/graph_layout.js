// SPDX-License-Identifier: MIT
// Layout of the graph by D3's forces. Links attract by their weights, and all concepts repel each other.
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

  // Adapts the forces to the centre, so that the graph gets about the aspect ratio of the canvas.
  fit({width, height}) {
    this.simulation.force("x").strength(.06 * Math.min(1.5, height / width));
    this.simulation.force("y").strength(.06 * Math.min(1.5, width / height));
  }

  get moving() { return this.simulation.alpha() >= this.simulation.alphaMin(); }

  // Adapts the layout to a changed model. `news` is the result of GraphModel.take.
  take(news) {
    for (const node of news.nodes) {  // a new node begins near a linked one
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

  // Computes many steps without drawing: the first steps of a new graph, or all steps if the user prefers reduced motion.
  settle(milliseconds) {
    const end = performance.now() + milliseconds;
    while (this.moving && performance.now() < end) this.simulation.tick();
    if (calm.matches) this.simulation.alpha(0);
  }

  forget() { this.simulation.nodes(this.model.nodes); }

  step() { this.simulation.tick(); }

  // The node at a point, or the nearest one with its rim within `reach`. May be null.
  at(x, y, reach) {
    let best = null, nearest = reach;
    for (const node of this.model.nodes) {
      const gap = Math.hypot(node.x - x, node.y - y) - node.radius;
      if (gap < nearest && node.kept) best = node, nearest = gap;
    }
    return best;
  }
}
