// SPDX-License-Identifier: MIT
#include "experiments/pages/report.hpp"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string_view>

#include "experiments/formats/files.hpp"
#include "experiments/inputs/corpus.hpp"
#include "experiments/spec/experiment.hpp"

namespace engram::experiments {
namespace {

constexpr const char* style = R"css(
:root { color-scheme: light dark; --ink: #1b1f24; --paper: #ffffff; --soft: #5b6570; --line: #d6dbe0;
  --panel: #f5f7f9; --accent: #0a5c9e; --bar: #9cc4e4; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e9ec; --paper: #15181c; --soft: #9aa5b1; --line: #343b43;
  --panel: #1e2329; --accent: #7cc0f5; --bar: #2f5f86; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 75rem; padding: 1rem 1rem 4rem; color: var(--ink); background: var(--paper);
  font: 16px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.6rem; margin: 1rem 0 .2rem; } h2 { font-size: 1.25rem; margin: 2.2rem 0 .6rem; }
h3 { font-size: 1rem; margin: 1rem 0 .3rem; } h4 { font-size: .8rem; margin: .6rem 0 .1rem; color: var(--soft); }
a { color: var(--accent); } small, figcaption { color: var(--soft); }
.answer { font-size: 1.15rem; border-left: 4px solid var(--accent); padding: .3rem 0 .3rem 1rem; margin: 1rem 0; }
.scroll { overflow-x: auto; margin: .4rem 0; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: .9rem; }
figure.table { margin: 0 0 1.6rem; } figure.table figcaption { max-width: 60rem; }
th, td { padding: .25rem .7rem; border-bottom: 1px solid var(--line); text-align: right; white-space: nowrap; }
thead th { border-bottom: 2px solid var(--line); } th:first-child { text-align: left; font-weight: 600; }
th.prose, td.prose { white-space: normal; text-align: left; min-width: 13rem; }
code { font-size: .85em; overflow-wrap: anywhere; }
pre { overflow-x: auto; background: var(--panel); padding: .8rem; font-size: .8rem; }
figure.plot { margin: 1rem 0; border: 1px solid var(--line); padding: .3rem; max-width: 48rem; }
figure.plot > svg { display: block; width: 100%; max-width: 100%; height: auto; color: var(--ink); fill: var(--ink); }
/* The files are made for white paper. Here their black, grey and white are the page's; colours of data stay. */
figure.plot [fill="#ffffff"], figure.plot [fill="#fff"], figure.graph polygon[fill="white"] { fill: none; }
figure.plot [color="black"], figure.plot [color="rgb(  0,   0,   0)"] { color: inherit; }
figure.plot [stroke="black"], figure.plot [stroke="rgb(  0,   0,   0)"] { stroke: var(--ink); }
figure.plot [fill="black"], figure.plot [fill="rgb(0,0,0)"] { fill: var(--ink); }
figure.plot [stroke="rgb(221, 221, 221)"] { stroke: var(--line); }
figure.plot [color="rgb( 68,  68,  68)"] { color: var(--soft); }
figure.plot [stroke="rgb( 68,  68,  68)"], figure.plot [stroke="rgb( 85,  85,  85)"], figure.plot [stroke="#5b6570"]
  { stroke: var(--soft); }
figure.plot [fill="rgb(85,85,85)"], figure.plot [fill="#555"] { fill: var(--soft); }
figure.plot [fill="#9cc4e4"] { fill: var(--bar); } figure.plot [stroke="#0a5c9e"] { stroke: var(--accent); }
figure.plot [color="#FFFFFF"] { color: var(--paper); }
@media (max-width: 40rem) { figure.plot:not(.graph) > svg text { font-size: 1.2em; } }
figure.graph text { paint-order: stroke; stroke: var(--paper); stroke-width: 3px; }
figure.graph figcaption { padding: .3rem .6rem; }
details.long { margin-bottom: 1rem; } details.long figure.table { margin-top: .6rem; }
details { border-bottom: 1px solid var(--line); padding: .4rem 0; } summary { cursor: pointer; padding: .2rem 0; }
.cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(17rem, 100%), 1fr)); gap: .8rem; }
.card { background: var(--panel); padding: .2rem .8rem .6rem; min-width: 0; }
.card ol { margin: 0; padding-left: 1.4rem; font-size: .85rem; } .card p { margin: 0; }
.bar { display: block; height: 3px; background: var(--bar); margin-top: .45rem; }
.film { margin: .4rem 0 1rem; } .film > div { display: flex; flex-wrap: wrap; gap: .6rem; }
.film figure { margin: 0; width: 6.2rem; } .film svg { width: 100%; display: block; border: 1px solid var(--line); }
.film figcaption { font-size: .72rem; line-height: 1.3; }
h1 code { font-size: .8em; }
.pair { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(20rem, 100%), 1fr)); gap: .8rem;
  margin-bottom: .8rem; } .pair .card { border-top: 3px solid var(--accent); }
svg.energy { display: block; width: 100%; max-width: 20rem; height: auto; }
svg.energy polyline { fill: none; stroke: var(--accent); stroke-width: 1.5; } svg.energy circle { fill: var(--accent); }
svg.way { display: block; width: 100%; max-width: 26rem; height: auto; font: 13px ui-monospace, monospace; }
svg.way rect { fill: var(--paper); stroke: var(--line); stroke-width: 1.5; } svg.way text { fill: var(--ink); }
svg.way rect.target { stroke: var(--accent); stroke-width: 2.5; } svg.way path { fill: none; stroke: var(--soft); }
svg.way text.how { fill: var(--soft); font: 11px system-ui, sans-serif; }
.parts { list-style: none; margin: 0; padding: 0; font-size: .85rem; overflow-wrap: anywhere; }
.bar.less { background: repeating-linear-gradient(90deg, var(--soft) 0 4px, transparent 4px 8px); }
pre.raw { white-space: pre-wrap; overflow-wrap: anywhere; max-height: 20rem; overflow-y: auto; }
ul.cues { padding-left: 1.2rem; font-size: .9rem; } nav { margin: .5rem 0 1rem; }
thead button { font: inherit; font-weight: 700; color: inherit; background: none; border: 0; padding: .2rem .1rem;
  margin: 0; cursor: pointer; } thead button:hover { color: var(--accent); }
thead button::after { content: " \2195"; color: var(--soft); font-weight: 400; }
th[aria-sort=ascending] button::after { content: " \2191"; color: var(--accent); }
th[aria-sort=descending] button::after { content: " \2193"; color: var(--accent); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; } :target { background: var(--panel); }
@media print { :root { --ink: #000; --paper: #fff; --soft: #444; --line: #bbb; --panel: #fff; --accent: #000;
  --bar: #999; } body { max-width: none; padding: 0; font-size: 11px; } nav, thead button::after { display: none; }
  .scroll, pre { overflow: visible; } pre, pre.raw { white-space: pre-wrap; max-height: none; }
  tr, figure.plot, .card { break-inside: avoid; } td, th { padding: .1rem .3rem; } }
)css";

// Heads of tables become buttons that sort: up, down, and as it was. What is missing stays last. On paper all
// that can be opened is open.
constexpr const char* script = R"js(
for (const table of document.querySelectorAll("figure.table table")) {
  const body = table.tBodies[0], first = [...body.rows], heads = [...table.tHead.rows[0].cells];
  if (first.length < 2) continue;
  const value = (row, i) => { const c = row.cells[i]; return c ? (c.dataset.v ?? c.textContent) : "-"; };
  heads.forEach((head, i) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = head.textContent;
    head.replaceChildren(button);
    button.addEventListener("click", () => {
      const next = { none: "ascending", ascending: "descending", descending: "none" }[head.ariaSort ?? "none"];
      for (const other of heads) other.removeAttribute("aria-sort");
      let rows = first;
      if (next !== "none") {
        head.setAttribute("aria-sort", next);
        const known = first.filter(r => value(r, i) !== "-"), missing = first.filter(r => value(r, i) === "-");
        const numbers = known.every(r => value(r, i).trim() !== "" && !isNaN(value(r, i)));
        const key = r => numbers ? Number(value(r, i)) : value(r, i), sign = next === "ascending" ? 1 : -1;
        known.sort((a, b) => sign * (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0));
        rows = [...known, ...missing];
      }
      body.append(...rows);
    });
  });
}
let opened = [];
addEventListener("beforeprint", () => {
  opened = [...document.querySelectorAll("details:not([open])")];
  for (const details of opened) details.open = true;
});
addEventListener("afterprint", () => { for (const details of opened) details.open = false; });
)js";

// Puts a name before every id and every mention of one within tags: all of gnuplot's plots have the same ids,
// and a page must not hold one twice.
std::string with_own_ids(const std::string& svg, const std::string& name) {
  std::string out;
  for (std::size_t at = 0; at < svg.size();) {
    const std::size_t tag = std::min(svg.find('<', at), svg.size());
    const std::size_t end = std::min(svg.find('>', tag), svg.size());
    out.append(svg, at, tag - at);
    std::string inner = svg.substr(tag, end - tag);
    for (const std::string_view before : {" id='", " id=\"", "href='#", "href=\"#", "url(#"})
      for (auto place = inner.find(before); place != std::string::npos;
           place = inner.find(before, place + before.size()))
        inner.insert(place + before.size(), name + "-");
    out += inner;
    at = end;
  }
  return out;
}

// The <svg> element of a picture, without the XML prologue, for use inside a page; empty where it was not
// drawn.
std::string inline_svg(const std::filesystem::path& folder, const std::string& picture) {
  const std::string name = file_name(picture);
  std::ifstream file = open_if_there(folder / "plots" / (name + ".svg"));
  std::ostringstream text;
  text << file.rdbuf();
  const std::string svg = text.str();
  const auto start = svg.find("<svg");
  return start == std::string::npos ? "" : with_own_ids(svg.substr(start), name);
}

std::string link(const std::string& path) {
  return "<a href=\"" + escape_html(path) + "\">" + escape_html(path) + "</a>";
}

// Long tables are there for who wants them.
std::string folded(const Table& table) {
  constexpr std::size_t most_rows = 24;
  if (table.rows.size() <= most_rows) return to_html(table);
  return "<details class=\"long\"><summary>Table " + escape_html(table.name) + ", " +
         std::to_string(table.rows.size()) + " rows</summary>" + to_html(table) + "</details>\n";
}

std::string graph_html(const std::filesystem::path& folder, const GraphPicture& graph) {
  const std::string svg = inline_svg(folder, graph.name);
  if (svg.empty())
    return "<p><small>The graph “" + escape_html(graph.title) +
           "” was not drawn: Graphviz is not installed, or failed. Its script is " +
           link("plots/" + file_name(graph.name) + ".dot") + ".</small></p>\n";
  return "<figure class=\"plot graph\">" + svg + "<figcaption>" + escape_html(graph.title) +
         "</figcaption></figure>\n";
}

}  // namespace

std::string page_html(const std::string& title, const std::string& body) {
  return "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
         "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"><title>" +
         escape_html(title) + "</title><style>" + style + "</style></head>\n<body>\n" + body + "<script>" +
         script + "</script>\n</body></html>\n";
}

std::string report_html(const std::filesystem::path& folder, const Spec& spec, const Conclusion& conclusion) {
  std::string html = "<h1>" + escape_html(conclusion.question) + "</h1>\n<p><small>Engram, experiment " +
                     escape_html(spec.experiment->name());
  for (std::size_t i = 0; i < spec.inputs.size(); ++i)
    html += (i > 0 ? ", " : ", on ") + escape_html(spec.inputs[i].name);
  html += "</small></p>\n<p class=\"answer\">" + escape_html(conclusion.answer) + "</p>\n";

  for (const Plot& plot : conclusion.plots) {
    const std::string svg = inline_svg(folder, plot.name);
    html += svg.empty() ? "<p><small>The plot “" + escape_html(plot.title) +
                              "” was not drawn: gnuplot is not " + "installed, or failed. Its script is " +
                              link("plots/" + file_name(plot.name) + ".gp") + ".</small></p>\n"
                        : "<figure class=\"plot\">" + svg + "</figure>\n";
    html += plot.note_html;
  }
  for (const GraphPicture& graph : conclusion.graphs) html += graph_html(folder, graph);
  html += "<h2>Tables</h2>\n";
  for (const Table& table : conclusion.tables) html += folded(table);
  for (const Section& section : conclusion.sections)
    html += "<h2>" + escape_html(section.heading) + "</h2>\n" + section.html;

  html +=
      "<h2>Files</h2>\n<p>Every row: " + link("results.jsonl") + ". Summary: " + link("summary.json") +
      ". Inputs, build and machine: " + link("manifest.json") +
      ". How long each recall took, the one file that differs between two runs: " + link("timings.jsonl") +
      ".";
  for (const Table& table : conclusion.tables) {
    const std::string path = "tables/" + file_name(table.name);
    html += " Table " + escape_html(table.name) + ": " + link(path + ".csv") + ", " + link(path + ".md") +
            ", " + link(path + ".tex") + ".";
  }
  html += "</p>\n<details><summary>The spec, with every default</summary><pre>" +
          escape_html(spec.resolved.dump(2)) + "</pre></details>\n";
  return page_html(std::string("Engram: ") + spec.experiment->name(), html);
}

}  // namespace engram::experiments
