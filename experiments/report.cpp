// SPDX-License-Identifier: MIT
#include "experiments/report.hpp"

#include <fstream>
#include <sstream>

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
figure.plot { margin: 1rem 0; background: #fff; border: 1px solid var(--line); padding: .3rem; max-width: 48rem;
  overflow-x: auto; }
figure.plot svg { display: block; width: 100%; min-width: 38rem; height: auto; }
details { border-bottom: 1px solid var(--line); padding: .4rem 0; } summary { cursor: pointer; padding: .2rem 0; }
.cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(17rem, 100%), 1fr)); gap: .8rem; }
.card { background: var(--panel); padding: .2rem .8rem .6rem; min-width: 0; }
.card ol { margin: 0; padding-left: 1.4rem; font-size: .85rem; } .card p { margin: 0; }
.bar { display: block; height: 3px; background: var(--bar); margin-top: .25rem; }
.film { margin: .4rem 0 1rem; } .film > div { display: flex; flex-wrap: wrap; gap: .6rem; }
.film figure { margin: 0; width: 6.2rem; } .film svg { width: 100%; display: block; border: 1px solid var(--line); }
.film figcaption { font-size: .72rem; line-height: 1.3; }
@media print { details { break-inside: avoid; } body { max-width: none; } }
)css";

// The plot's <svg> element, without the XML prologue, for use inside a page.
std::string inline_svg(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  const std::string svg = text.str();
  const auto start = svg.find("<svg");
  return start == std::string::npos ? "" : svg.substr(start);
}

std::string link(const std::string& path) {
  return "<a href=\"" + escape_html(path) + "\">" + escape_html(path) + "</a>";
}

}  // namespace

std::string report_html(const std::filesystem::path& folder, const Spec& spec, const Conclusion& conclusion) {
  std::string html =
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"><title>Engram: " +
      escape_html(spec.experiment) + "</title><style>" + style + "</style></head>\n<body>\n<h1>" +
      escape_html(conclusion.question) + "</h1>\n<p><small>Engram, experiment " +
      escape_html(spec.experiment);
  for (std::size_t i = 0; i < spec.inputs.size(); ++i)
    html += (i > 0 ? ", " : ", on ") + escape_html(spec.inputs[i].name);
  html += "</small></p>\n<p class=\"answer\">" + escape_html(conclusion.answer) + "</p>\n";

  for (const Plot& plot : conclusion.plots) {
    const std::string svg = inline_svg(folder / "plots" / (plot.name + ".svg"));
    html += svg.empty()
                ? "<p><small>The plot “" + escape_html(plot.title) + "” was not drawn: gnuplot was not " +
                      "installed. Its script is " + link("plots/" + plot.name + ".gp") + ".</small></p>\n"
                : "<figure class=\"plot\">" + svg + "</figure>\n";
    html += plot.note_html;
  }
  html += "<h2>Tables</h2>\n";
  for (const Table& table : conclusion.tables) html += to_html(table);
  for (const Section& section : conclusion.sections)
    html += "<h2>" + escape_html(section.heading) + "</h2>\n" + section.html;

  html +=
      "<h2>Files</h2>\n<p>Every row: " + link("results.jsonl") + ". Summary: " + link("summary.json") +
      ". Inputs, build and machine: " + link("manifest.json") +
      ". How long each recall took, the one file that differs between two runs: " + link("timings.jsonl") +
      ".";
  for (const Table& table : conclusion.tables)
    html += " Table " + escape_html(table.name) + ": " + link("tables/" + table.name + ".csv") + ", " +
            link("tables/" + table.name + ".tex") + ".";
  return html + "</p>\n<details><summary>The spec, with every default</summary><pre>" +
         escape_html(spec.resolved.dump(2)) + "</pre></details>\n</body></html>\n";
}

}  // namespace engram::experiments
