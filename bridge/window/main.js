// SPDX-License-Identifier: MIT
// Connects the parts of the page, and requests views of the memory while the page is visible.
"use strict";

const EACH = 250;            // milliseconds between two requests
const LINKS_A_CONCEPT = 3;   // requested links per concept
const MOST_LINKS_ASKED = 6000;

const page = {
  view: null,                // the visible view
  graph: new GraphView(find("#graph canvas")),
  changes: new Changes(find("#changes")),
  latest: new Latest(find("#latest")),
  gate: new Gate(find("#gate")),
};
page.answers = new Answers(find("#answers"), (activations, way) => page.graph.recall(activations, way));
page.concept = new ConceptPanel(find("#concept"), {
  onFollow: node => (page.graph.choose(node), page.concept.enter()),
  onAsk: term => { find("#cue").value = term; find("#cue").focus(); },
  onClose: () => { page.graph.choose(null); find("#graph canvas").focus(); },
});
page.table = new ConceptTable(find("#table"), id => {
  page.graph.choose(page.graph.model.byId.get(id) ?? null);
  find("#graph canvas").focus();
});
page.timeline = new Timeline(new ViewHistory(), showView);
page.connection = new Connection(tellState);

function showView(view, live) {
  page.view = view;
  find("#nothing").hidden = view.shown.length > 0;
  const news = page.graph.take(view, live);
  if (live) page.changes.hear(news, page.graph.model.best());
  showTotals(find("#totals"), view);
  page.latest.show(view.latest);
  page.gate.show(view.gate);
  page.table.show(view);
}

function tellState(state, pause) {
  const place = find("#status");
  place.className = state;
  if (state === "open") {
    place.textContent = "connected";
    greet();
  } else {
    place.textContent = `not connected; next attempt in ${(pause / 1000).toFixed(pause < 1000 ? 1 : 0)} s`;
  }
}

async function greet() {
  try {
    const hello = await page.connection.ask("hello");
    if (hello.protocol !== 1) throw {message: `this page needs version 1 of the protocol; the server has version ${hello.protocol}`};
    showMethods(hello.methods, hello.default_method);
    page.since = undefined;
  } catch (error) {
    find("#status").textContent = error.message;
  }
}

// Lists all methods. Initially, only the default method is selected.
function showMethods(methods, byDefault) {
  const place = find("#methods fieldset");
  if (place.querySelectorAll("input").length === methods.length) return tellMethods();
  place.append(...methods.map(method => {
    const box = make("input", {type: "checkbox", value: method});
    box.checked = method === byDefault;
    return make("label", {}, box, method);
  }));
  tellMethods();
}

const chosenMethods = () => [...document.querySelectorAll("#methods input:checked")].map(box => box.value);
function tellMethods() {
  find("#methods summary").textContent =
    `Methods (${chosenMethods().length} of ${document.querySelectorAll("#methods input").length})`;
}

async function look() {
  const {timeline, connection} = page;
  if (!document.hidden && !timeline.paused && connection.isOpen) {
    const top = Number(find("#shown").value), links = Math.min(MOST_LINKS_ASKED, LINKS_A_CONCEPT * top);
    if (top !== page.top) page.since = undefined, page.top = top;
    try {
      const fields = page.since === undefined ? {top, links} : {top, links, since: page.since};
      const view = await connection.ask("view", fields);
      if (!timeline.paused) page.since = view.version;
      if (!view.unchanged && !timeline.paused) timeline.take(view);
    } catch (error) {
      if (error.code !== "closed") find("#status").textContent = error.message;
    }
  }
  setTimeout(look, EACH);
}

find("#methods").addEventListener("change", tellMethods);
for (const [id, checked] of [["#all-methods", true], ["#no-method", false]])
  find(id).addEventListener("click", () => {
    for (const box of document.querySelectorAll("#methods input")) box.checked = checked;
    tellMethods();
  });

find("#ask").addEventListener("submit", event => {
  event.preventDefault();
  const cue = find("#cue").value.trim(), methods = chosenMethods();
  if (cue && methods.length) page.answers.ask(cue, methods);
});

find("#tell").addEventListener("submit", async event => {
  event.preventDefault();
  const field = find("#sentence"), told = find("#told"), narsese = field.value.trim();
  if (!narsese) return;
  try {
    const {rejected, concepts} = await page.connection.ask("input", {narsese});
    told.className = rejected.length ? "error" : "soft";
    told.textContent = rejected.length ? rejected[0].message : `accepted; ${several(concepts, "concept")} now`;
    if (rejected.length === 0) field.value = "";
  } catch (error) {
    told.className = "error";
    told.textContent = error.message;
  }
});

find("#find").addEventListener("focus", () => {
  find("#terms").replaceChildren(...(page.view?.shown ?? []).slice(0, 500).map(c => make("option", {value: c.term})));
});
find("#find").addEventListener("change", event => {
  const node = page.graph.model.byTerm.get(event.target.value.trim());
  page.graph.choose(node ?? null);
  event.target.setCustomValidity(node || !event.target.value ? "" : "The page shows no concept with this name.");
  event.target.reportValidity();
});
find("#find").addEventListener("input", event => event.target.setCustomValidity(""));

find("#closer").addEventListener("click", () => page.graph.zoomBy(1.4));
find("#farther").addEventListener("click", () => page.graph.zoomBy(1 / 1.4));
find("#fit").addEventListener("click", () => page.graph.showAll());

page.graph.onPause = () => page.timeline.toggle();
page.graph.onEnter = () => page.concept.enter();
page.graph.onChoose = (node, chosen) => {
  page.concept.show(node);
  page.graph.covered = find("#concept").offsetWidth;
  if (chosen && node)
    page.changes.say(`${node.term}, priority ${three(node.priority)}, ${several(node.links.length, "link")}.`);
};
listenToSaving(page.graph, () => page.view);

document.addEventListener("keydown", event => {
  const typing = event.target.matches("input:not([type=checkbox], [type=range]), select, textarea");
  if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) {
    event.preventDefault();
    find("#cue").focus();
  } else if (event.key === "Escape" && !document.querySelector("dialog[open]") && !event.target.matches("canvas")) {
    if (find("#concept").contains(event.target)) page.concept.act.onClose();
    else if (event.target.matches("#cue, #sentence, #find")) find("#graph canvas").focus();
  }
});

look();
