// SPDX-License-Identifier: MIT
// View of the graph: combines model, layout, canvas and camera, and handles the mouse.
"use strict";

class GraphView {
  constructor(canvas) {
    this.canvas = canvas;
    this.model = new GraphModel();
    this.layout = new GraphLayout(this.model);
    this.picture = new GraphCanvas(canvas, this.model);
    this.chosen = null;      // a node
    this.recalled = null;    // an answer in the graph: Map of terms to activations relative to the largest
    this.way = [];           // terms on the path from the cue to the best item
    this.follows = true;     // the camera shows the whole graph, until the user moves it
    this.covered = 0;        // width in pixels of the panel at the right
    this.last = 0;
    this.onChoose = this.onEnter = this.onPause = () => {};
    this.zoom = d3.zoom().scaleExtent([.05, 8])
      // Wheel and one finger scroll the page, unless the graph has the focus.
      .filter(() => {
        const event = d3.event;
        if (event.type === "wheel") return event.ctrlKey || document.activeElement === canvas;
        return event.type.startsWith("touch") ? event.touches.length > 1 : !event.button;
      })
      .on("zoom", () => {
        if (d3.event.sourceEvent) this.follows = false;
        this.redraw();
      });
    d3.select(canvas).call(this.zoom).on("dblclick.zoom", null);
    this.camera = d3.zoomIdentity;
    canvas.addEventListener("click", event => this.choose(this.under(event)));
    canvas.addEventListener("pointermove", event => {
      canvas.style.cursor = this.under(event) ? "pointer" : "grab";
      canvas.title = this.under(event)?.term ?? "";
    });
    dark.addEventListener("change", () => this.recolour());
    new ResizeObserver(() => this.resize()).observe(canvas);
    listenToGraphKeys(this);
    this.resize();
  }

  get camera() { return this.canvas.__zoom; }             // d3-zoom stores it there
  set camera(transform) { this.canvas.__zoom = transform; }

  // Shows a view of the memory. Returns the result of GraphModel.take.
  take(view, marked) {
    const news = this.model.take(view, performance.now(), marked);
    this.layout.take(news);
    if (this.chosen && !this.chosen.kept) this.chosen = this.model.byTerm.get(this.chosen.term) ?? null;
    this.onChoose(this.chosen, false);
    this.redraw();
    return news;
  }

  choose(node) {
    const isNew = node !== this.chosen;
    this.chosen = node;
    if (node) this.bringIn(node);
    if (isNew) this.onChoose(node, true);
    this.redraw();
  }

  // Highlights recalled concepts, [{term, value}] or null, and the path to the best one.
  recall(activations, way = []) {
    const most = Math.max(1e-300, ...(activations ?? []).map(a => a.value));
    this.recalled = activations && new Map(activations.filter(a => a.value > 0).map(a => [a.term, a.value / most]));
    this.way = way;
    this.redraw();
  }

  redraw() {
    this.dirty = true;
    if (!this.asleep) return;
    this.asleep = false;
    requestAnimationFrame(now => this.frame(now));
  }

  // Draws one frame, and requests another while anything moves.
  asleep = true;
  frame(now) {
    const passed = Math.min(100, now - this.last);
    this.last = now;
    if (this.layout.moving) this.layout.step();
    if (this.model.moving && this.model.move(now, passed)) this.layout.forget();
    const turning = this.follows && this.turn(passed);
    this.dirty = false;
    this.paint(now);
    const named = this.picture.labels.placed === now;  // labels are not placed in each frame, but always in the last
    if (this.layout.moving || this.model.moving || turning || this.dirty || !named)
      requestAnimationFrame(t => this.frame(t));
    else this.asleep = true;
  }

  paint(now) {
    const way = this.way.map(term => this.model.byTerm.get(term)).filter(node => node);
    this.picture.draw(now, {camera: this.camera, chosen: this.chosen, recalled: this.recalled, way});
  }

  // Moves the camera towards the view of the whole graph. Returns whether it still moves.
  turn(passed) {
    const goal = this.whole(), here = this.camera, {width, height} = this.picture.size;
    const step = calm.matches || !this.placed ? 1 : 1 - Math.exp(-passed / 300);
    if (this.model.nodes.length) this.placed = true;
    const k = here.k + step * (goal.k - here.k);
    const x = here.x + step * (goal.x - here.x), y = here.y + step * (goal.y - here.y);
    this.camera = d3.zoomIdentity.translate(x, y).scale(k);
    return Math.abs(goal.k - k) * Math.max(width, height) + Math.abs(goal.x - x) + Math.abs(goal.y - y) > .5;
  }

  whole() {
    const nodes = this.model.nodes.filter(node => node.kept), {width, height} = this.picture.size;
    if (nodes.length === 0) return d3.zoomIdentity.translate(width / 2, height / 2);
    const [left, right] = extent(nodes, node => node.x), [top, bottom] = extent(nodes, node => node.y);
    const rim = width > 600 ? 50 : 30, foot = 60, free = width - (width > 700 ? this.covered : 0);
    const k = Math.min(1.6, (free - 2 * rim) / (right - left + 1), (height - rim - foot) / (bottom - top + 1));
    const x = free / 2 - k * (left + right) / 2, y = (height + rim - foot) / 2 - k * (top + bottom) / 2;
    return d3.zoomIdentity.translate(x, y).scale(k);
  }

  showAll() {
    this.follows = true;
    this.redraw();
  }

  zoomBy(factor) {
    this.follows = false;
    d3.select(this.canvas).call(this.zoom.scaleBy, factor);
    this.redraw();
  }

  pan(x, y) {
    this.follows = false;
    d3.select(this.canvas).call(this.zoom.translateBy, x / this.camera.k, y / this.camera.k);
    this.redraw();
  }

  // Moves the camera if a node is outside of the canvas, or near its rim.
  bringIn(node) {
    const {width, height} = this.picture.size, x = this.camera.applyX(node.x), y = this.camera.applyY(node.y), rim = 50;
    const into = (place, end) => place < rim ? rim - place : place > end - rim ? end - rim - place : 0;
    if (into(x, width) || into(y, height)) this.pan(into(x, width), into(y, height));
  }

  under(event) {
    const box = this.canvas.getBoundingClientRect(), k = this.camera.k;
    const [x, y] = this.camera.invert([event.clientX - box.left, event.clientY - box.top]);
    return this.layout.at(x, y, 8 / k);
  }

  resize() {
    this.picture.fit();
    this.layout.fit(this.picture.size);
    this.paint(performance.now());  // at once, because the canvas is black after a resize
    this.redraw();
  }

  recolour() {
    this.picture.colours = pageColours();
    this.redraw();
  }
}

function extent(things, value) {
  let low = Infinity, high = -Infinity;
  for (const thing of things) low = Math.min(low, value(thing)), high = Math.max(high, value(thing));
  return [low, high];
}
