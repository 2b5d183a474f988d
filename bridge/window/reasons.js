// SPDX-License-Identifier: MIT
// Explanation of a recall: the sum behind each score, paths and proofs, and the energies of the steps.
"use strict";

// `explained` is a result of the operation `explain`.
function reasons(explained) {
  return make("div", {class: "reasons"}, ...explained.statements.map(reason), ...explained.concepts.map(reason));
}

function reason(item) {
  const {priority, durability, quality} = item;
  return make("section", {},
    make("h3", {}, make("code", {}, item.term ?? item.narsese)),
    make("p", {class: "soft"}, `score ${three(item.score)}; budget: priority ${three(priority)}, ` +
         `durability ${three(durability)}, quality ${three(quality)}`),
    item.path.length ? wayOf(item.path) : null,
    item.proof ? proofOf(item.proof) : null,
    ...item.accounts.map(account),
    item.separation ? make("p", {class: "soft"}, item.separation) : null,
    item.note ? make("p", {class: "soft"}, item.note) : null);
}

function account({words, total, parts}) {
  const most = Math.max(1e-300, ...parts.map(part => Math.abs(part.amount)));
  const line = ({words, amount}) => make("li", {}, make("span", {class: "amount"}, three(amount)),
    make("span", {}, words, bar(Math.abs(amount) / most, amount < 0 ? "less" : "")));
  return make("div", {class: "account"}, make("p", {}, `${words}: ${three(total)} =`),
              make("ul", {}, ...parts.map(line)));
}

// The path from the cue, one stop after another.
function wayOf(path) {
  return make("ol", {class: "way", "aria-label": "Path from the cue"}, ...path.map(stop =>
    make("li", {title: stop.how || null, class: stop.narsese ? "statement" : "term"},
         make("code", {}, stop.term ?? stop.narsese))));
}

// The steps of a proof. The premises of a step follow it, indented.
function proofOf(proof) {
  return make("ol", {class: "proof", "aria-label": "Proof"}, ...proof.map(({narsese, move, depth}) =>
    make("li", {title: move, style: `margin-left: ${depth}em`}, make("code", {}, narsese), ` ${move}`)));
}

// The terms of the proof of the best statement, or on the path to it. Without statements: on the path to the best concept.
function termsOfWay({statements, concepts}) {
  const best = [...statements, ...concepts].find(item => item.path.length || item.proof);
  if (best?.proof) return best.proof.flatMap(step => step.terms);
  return best ? best.path.filter(stop => stop.term).map(stop => stop.term) : [];
}

// A plot of the energies, beginning with that of the cue. Null if there are fewer than two.
function energyPlot(energies) {
  if (!(energies?.length > 1)) return null;
  const width = 240, height = 56, rim = 5, first = energies[0], last = energies.at(-1);
  const [low, high] = extent(energies, e => e);
  const x = i => rim + (width - 2 * rim) * i / (energies.length - 1);
  const y = e => high > low ? rim + (height - 2 * rim) * (high - e) / (high - low) : height / 2;
  const steps = several(energies.length - 1, "step");
  return make("figure", {class: "energy"},
    draw("svg", {viewBox: `0 0 ${width} ${height}`, role: "img", preserveAspectRatio: "none",
                 "aria-label": `Energy: from ${three(first)} to ${three(last)} in ${steps}`},
      draw("polyline", {points: energies.map((e, i) => `${x(i).toFixed(1)},${y(e).toFixed(1)}`).join(" "),
                        "vector-effect": "non-scaling-stroke"})),
    make("figcaption", {}, `energy ${three(first)} → ${three(last)}, ${steps}`));
}
