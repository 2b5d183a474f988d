// SPDX-License-Identifier: MIT
// The answers of all selected methods to a cue: one request after another, and one card per method. The requests have a
// separate connection, so that a slow method does not delay the graph.
"use strict";

const BEST = 6;                 // most concepts and statements in a card
const RECALLED = 200;           // most concepts of an answer in the graph
const GATE = 1000;              // most statements for the reasoner, as in `engram ask`
const PATIENCE = 10000;         // time limit of a method in milliseconds

class Answers {
  // Calls onShow(activations or null, terms on the path) when the user shows or hides an answer in the graph.
  constructor(place, onShow) {
    this.place = place;
    this.onShow = onShow;
    this.cards = find("#cards");
    this.round = 0;
    this.asked = find("#asked");
  }

  async ask(cue, methods) {
    const round = ++this.round;
    this.place.hidden = false;
    this.onShow(null, []);
    const cards = methods.map(method => make("article", {class: "card waiting", "aria-label": method},
                                             make("h3", {}, method), make("p", {class: "soft"}, "waiting")));
    this.cards.replaceChildren(...cards);
    let failed = 0, empty = 0;
    for (let i = 0; i < methods.length && round === this.round; ++i) {
      this.asked.textContent = `${cue}: ${i} of ${several(methods.length, "method")} asked`;
      let answer;
      try {
        answer = await this.request("explain", {cue, method: methods[i], top: BEST});
      } catch (error) {
        if (round !== this.round) return;
        failed++;
        this.fail(cards[i], methods[i], error);
        if (error.code === "parse_error" || error.code === "closed") return this.giveUp(cards, i, error);
        continue;
      }
      if (answer.concepts.length + answer.statements.length === 0) empty++;
      if (round !== this.round) return;
      this.fill(cards[i], cue, methods[i], answer);
      if (isQuestion(cue)) cards[i].querySelector("h4").before(await this.answerOf(cue, methods[i]));
    }
    if (round !== this.round) return;
    if (empty === methods.length) return this.knowNothing(cards, cue);
    this.asked.textContent = `${cue}: ${several(methods.length - failed, "answer")}` +
      (failed ? `, ${several(failed, "error")}` : "");
  }

  // Stops after an error that every other method would get too: a wrong cue, or a lost connection.
  giveUp(cards, at, error) {
    this.asked.textContent = error.message;
    for (const card of cards.slice(at + 1)) card.remove();
  }

  knowNothing(cards, cue) {
    this.asked.textContent = `${cue}: the memory knows none of these names`;
    for (const card of cards) card.remove();
  }

  async request(op, fields) {
    this.connection ??= new Connection();
    await this.connection.opened();
    return this.connection.ask(op, {...fields, limit: {milliseconds: PATIENCE}});
  }

  // The reasoner's answers from the statements that the method selects.
  async answerOf(question, method) {
    try {
      const found = await this.request("reason", {question, method, gate: GATE, answers: BEST});
      const answers = found.answers.map(answer => make("li", {}, make("code", {}, sentenceOf(answer)),
        button("Proof", () => showDialog(`Proof of ${sentenceOf(answer)}`, proof(answer)), {"aria-haspopup": "dialog"})));
      return make("div", {class: "answer"}, make("h4", {}, answers.length > 1 ? "Answers" : "Answer"), answers.length > 0
        ? make("ol", {class: "answers"}, ...answers)
        : make("p", {class: "soft"}, `none within ${several(found.steps, "step")} of inference`));
    } catch (error) {
      return make("p", {class: "soft"}, error.message);
    }
  }

  fail(card, method, error) {
    card.className = "card failed";
    card.replaceChildren(make("h3", {}, method), make("p", {}, error.message));
  }

  fill(card, cue, method, answer) {
    const {concepts, statements, energies, iterations, converged} = answer;
    const nothing = concepts.length + statements.length === 0;
    const shown = button("Show in graph", () => this.toggle(shown, cue, method, answer), {"aria-pressed": "false"});
    const course = iterations > 0 ? several(iterations, "step") + (converged ? "" : ", not converged") : null;
    card.className = "card";
    card.replaceChildren(...[
      make("div", {class: "line"}, make("h3", {}, method), course && make("span", {class: "soft"}, course)),
      make("h4", {}, "Statements"), ranking(statements), make("h4", {}, "Concepts"), ranking(concepts),
      energyPlot(energies),
      nothing ? null : make("div", {class: "buttons"}, shown,
        button("Why", () => showDialog(`Scores of ${method}`, reasons(answer)), {"aria-haspopup": "dialog"})),
    ].filter(part => part));
  }

  // Shows the concepts of an answer in the graph, or hides them again.
  async toggle(shown, cue, method, answer) {
    const on = shown.getAttribute("aria-pressed") !== "true";
    for (const other of this.cards.querySelectorAll("[aria-pressed=true]")) other.setAttribute("aria-pressed", "false");
    shown.setAttribute("aria-pressed", on);
    if (!on) return this.onShow(null, []);
    const way = termsOfWay(answer);
    this.onShow(answer.concepts.map(({term, score}) => ({term, value: score})), way);
    try {
      const {activations} = await this.request("recall", {cue, method, top: RECALLED});  // more than explain returned
      if (shown.isConnected && shown.getAttribute("aria-pressed") === "true") this.onShow(activations, way);
    } catch (error) {
      this.asked.textContent = error.message;
    }
  }
}

const isQuestion = text => /[?@]\s*$/.test(text);
const sentenceOf = ({term, truth}) => `${term}. %${three(truth.frequency)};${three(truth.confidence)}%`;

// The lines of a proof. Premises precede their conclusions.
function proof(answer) {
  return make("ol", {class: "proof"}, ...answer.derivation.map(line => make("li", {}, make("code", {}, rounded(line.narsese)),
    make("span", {class: "soft"}, line.premises.length === 0 ? " input"
      : ` ${line.rule} of ${line.premises.map(premise => premise + 1).join(" and ")}`))));
}

// The explained concepts or statements as a list, with a bar for each score and the budget as a tooltip.
function ranking(items) {
  if (items.length === 0) return make("p", {class: "soft"}, "none");
  const most = Math.max(1e-300, ...items.map(item => item.score));
  return make("ol", {class: "ranking"}, ...items.map(item => {
    const name = item.term ?? item.narsese;
    const budget = `$${item.priority.toFixed(2)};${item.durability.toFixed(2)};${item.quality.toFixed(2)}$`;
    return make("li", {}, make("code", {title: `${name}  ${budget}`}, name),
                make("span", {title: budget}, three(item.score)),
                make("span", {class: "track"}, bar(item.score / most)));
  }));
}
