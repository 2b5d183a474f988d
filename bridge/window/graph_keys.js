// SPDX-License-Identifier: MIT
// Keyboard control of the graph. An arrow key selects a linked concept in its direction.
"use strict";

const DIRECTIONS = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1]};

// The nearest node in a direction, where deviation from the direction counts twice. May be null.
function inDirection(from, [dx, dy], nodes) {
  let best = null, least = Infinity;
  for (const node of nodes) {
    const along = (node.x - from.x) * dx + (node.y - from.y) * dy;
    const aside = Math.abs((node.x - from.x) * dy - (node.y - from.y) * dx);
    if (node === from || !node.kept || along <= 0 || aside > 2 * along) continue;
    if (along + 2 * aside < least) best = node, least = along + 2 * aside;
  }
  return best;
}

function listenToGraphKeys(view) {
  const act = {
    Home: () => view.choose(view.model.best()),
    Escape: () => view.choose(null),
    Enter: () => view.onEnter(view.chosen),
    "+": () => view.zoomBy(1.4), "=": () => view.zoomBy(1.4), "-": () => view.zoomBy(1 / 1.4),
    0: () => view.showAll(),
    p: () => view.onPause(), P: () => view.onPause(),
  };
  view.canvas.addEventListener("keydown", event => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const direction = DIRECTIONS[event.key];
    if (direction && event.shiftKey) view.pan(-60 * direction[0], -60 * direction[1]);
    else if (direction && !view.chosen) view.choose(view.model.best());
    else if (direction) {
      const next = inDirection(view.chosen, direction, view.model.neighbours(view.chosen)) ??
                   inDirection(view.chosen, direction, view.model.nodes);
      if (next) view.choose(next);
    } else if (act[event.key]) act[event.key]();
    else return;
    event.preventDefault();
  });
}
