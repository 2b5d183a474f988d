// SPDX-License-Identifier: MIT
// Saves the visible view as a file: the picture as SVG, the graph as GraphML, or the view as JSON. The browser serializes
// the XML, so that names with special characters are safe.
"use strict";

// XML 1.0 forbids control characters and unpaired surrogates, even as references. Replaces them.
const xmlText = text => String(text).toWellFormed()
  .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "\ufffd");

function xmlDocument(namespace, root) {
  const made = document.implementation.createDocument(namespace, root);
  const add = (parent, tag, attributes = {}, text = null) => {
    const child = made.createElementNS(namespace, tag);
    for (const [name, value] of Object.entries(attributes)) child.setAttribute(name, xmlText(value));
    if (text !== null) child.textContent = xmlText(text);
    return parent.appendChild(child);
  };
  return {root: made.documentElement, add,
          text: () => '<?xml version="1.0" encoding="UTF-8"?>\n' + new XMLSerializer().serializeToString(made) + "\n"};
}

// The visible picture as SVG.
function svgOf(graph) {
  const {root, add, text} = xmlDocument(SVG, "svg"), {model, camera} = graph;
  const {colours, size, labels} = graph.picture;
  const place = value => value.toFixed(1);
  for (const [name, value] of Object.entries({width: size.width, height: size.height,
                                              viewBox: `0 0 ${size.width} ${size.height}`}))
    root.setAttribute(name, value);
  add(root, "title", {}, "Engram: concepts and their links");
  add(root, "rect", {width: "100%", height: "100%", fill: colours.paper});
  const links = add(root, "g", {stroke: colours.link, "stroke-opacity": .65});
  for (const edge of model.edges)
    add(links, "line", {x1: place(camera.applyX(edge.source.x)), y1: place(camera.applyY(edge.source.y)),
                        x2: place(camera.applyX(edge.target.x)), y2: place(camera.applyY(edge.target.y)),
                        "stroke-width": place(edgeWidth(edge))});
  const nodes = add(root, "g", {"stroke-width": 2});
  for (const node of model.nodes.filter(n => n.kept)) {
    const colour = graph.recalled?.has(node.term) ? colours.recalled : colours.shades[shadeOf(node)];
    const circle = add(nodes, "circle", {cx: place(camera.applyX(node.x)), cy: place(camera.applyY(node.y)),
      r: place(drawnRadius(node, camera)), fill: node.compound ? colours.paper : colour,
      stroke: node.compound ? colour : colours.paper});
    add(circle, "title", {}, `${node.term} (priority ${three(node.priority)})`);
  }
  const names = add(root, "g", {"font-family": "system-ui, sans-serif", "font-size": 12, "text-anchor": "middle",
    fill: colours.ink, stroke: colours.paper, "stroke-width": 3.5, "paint-order": "stroke", "stroke-linejoin": "round"});
  for (const {node, text: name, width} of labels.named)
    add(names, "text", {x: place(GraphLabels.middle(camera, node, width, size)),
                        y: place(GraphLabels.line(camera, node) + 4)}, name);
  return text();
}

const GRAPHML = "http://graphml.graphdrawing.org/xmlns";
const NODE_KEYS = {term: "string", priority: "double", durability: "double", quality: "double", uses: "double",
                   last: "long"};
const EDGE_KEYS = {weight: "double", f: "double", c: "double"};

function graphmlOf(view) {
  const {root, add, text} = xmlDocument(GRAPHML, "graphml");
  for (const [domain, keys] of [["node", NODE_KEYS], ["edge", EDGE_KEYS]])
    for (const [name, type] of Object.entries(keys))
      add(root, "key", {id: `${domain}_${name}`, for: domain, "attr.name": name, "attr.type": type});
  const graph = add(root, "graph", {id: "concepts", edgedefault: "undirected"});
  const data = (parent, domain, keys, thing) => {
    for (const name of Object.keys(keys)) add(parent, "data", {key: `${domain}_${name}`}, thing[name]);
  };
  for (const c of view.shown) data(add(graph, "node", {id: `n${c.concept}`}), "node", NODE_KEYS, c);
  for (const e of view.edges)
    data(add(graph, "edge", {source: `n${e.source}`, target: `n${e.target}`}), "edge", EDGE_KEYS, e);
  return text();
}

function saveFile(text, name, type) {
  const link = make("a", {href: URL.createObjectURL(new Blob([text], {type})), download: name});
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

// Connects the buttons. onView() returns the visible view.
function listenToSaving(graph, onView) {
  const save = (id, ending, type, text) => find(id).addEventListener("click", () =>
    onView() && saveFile(text(onView()), `engram-${onView().version}.${ending}`, type));
  save("#save-svg", "svg", "image/svg+xml", () => svgOf(graph));
  save("#save-graphml", "graphml", "application/xml", graphmlOf);
  save("#save-json", "json", "application/json", view => JSON.stringify(view, null, 1) + "\n");
}
