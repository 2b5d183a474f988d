// SPDX-License-Identifier: MIT
#include "tests/support/sink_readers.hpp"

#include <algorithm>
#include <regex>
#include <set>
#include <sstream>

#include "experiments/formats/markup.hpp"
#include "experiments/pages/page.hpp"
#include "experiments/pages/report.hpp"
#include "tests/support/text.hpp"

namespace engram::testing {
namespace {

using experiments::Conclusion;
using experiments::Json;
using experiments::Table;

const std::set<std::string> tags = words_of(
    "!doctype html head meta title style body script h1 h2 h3 h4 p small a b br code pre details summary "
    "figure figcaption div table thead tbody tr th td ol ul li section span nav svg rect text path "
    "polyline circle line g wbr");
const std::set<std::string> attributes = words_of(
    "lang charset name content class id href style tabindex role scope open html x y width height rx d "
    "points cx cy r viewBox fill stroke fill-opacity xmlns x1 x2 y1 y2 font-size data-v aria-label "
    "font-family text-anchor shape-rendering stroke-width preserveAspectRatio opacity");

std::string around(const std::string& text, std::size_t at) {
  const std::size_t begin = at < 60 ? 0 : at - 60;
  return " at byte " + std::to_string(at) + ": " + experiments::legible(text.substr(begin, 160));
}

bool is_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '!'; }

std::string word(const std::string& text, std::size_t& at) {
  const std::size_t begin = at;
  while (at < text.size() && is_name(text[at])) ++at;
  return text.substr(begin, at - begin);
}

// Reads the attributes of a tag and returns the first error in them, or "". `at` is the position after the tag's name;
// the function moves it to the end of the tag.
std::string flaw_of_attributes(const std::string& html, std::size_t& at) {
  for (;;) {
    while (at < html.size() && (html[at] == ' ' || html[at] == '\n' || html[at] == '/')) ++at;
    if (at == html.size()) return "a tag does not end";
    if (html[at] == '>') return "";
    const std::size_t begin = at;
    const std::string name = word(html, at);
    if (!attributes.contains(name)) return "the attribute '" + name + "'" + around(html, begin);
    if (at == html.size() || html[at] != '=') continue;
    const std::size_t end =
        at + 1 < html.size() && html[at + 1] == '"' ? html.find('"', at + 2) : std::string::npos;
    if (end == std::string::npos) return "an attribute without quotes" + around(html, at);
    const std::string value = html.substr(at + 2, end - at - 2);
    if (value.find('<') != std::string::npos) return "a tag within an attribute" + around(html, at);
    if (name == "href" && !std::regex_match(value, std::regex("[A-Za-z0-9_.=/#-]*")))
      return "an address of a text's" + around(html, at);
    at = end + 1;
  }
}

std::string flaw_of_markdown(const Table& table, const std::string& markdown) {
  std::istringstream lines(markdown);
  std::size_t number = 0;
  for (std::string line; std::getline(lines, line); ++number) {
    if (experiments::illegible(line)) return "Markdown: " + *experiments::illegible(line);
    std::size_t pipes = 0;
    for (std::size_t i = 0; i < line.size(); ++i) {
      if (line[i] == '\\') {
        ++i;
        continue;
      }
      if (line[i] == '|') ++pipes;
      if (line[i] == '<' || line[i] == '[') return "Markdown that is not escaped: " + line;
    }
    const std::size_t wanted = number < 2   ? 0
                               : number < 4 ? table.head.size() + 1
                                            : table.rows.at(number - 4).size() + 1;
    if (pipes != wanted) return "Markdown has another number of cells: " + line;
  }
  return number == table.rows.size() + 4 ? "" : "Markdown has another number of lines";
}

std::string flaw_of_csv(const Table& table, const std::string& csv) {
  const auto lines = read_csv(csv), raw = read_csv(csv, true);
  if (lines.size() != table.rows.size() + 1) return "CSV has another number of lines";
  for (std::size_t r = 0; r < lines.size(); ++r) {
    std::vector<std::string> wanted;
    for (std::size_t c = 0; c < table.head.size(); ++c) {
      const bool bounds =
          std::ranges::any_of(table.rows, [&](const auto& row) { return c < row.size() && row[c].bounds; });
      if (r > 0 && c >= table.rows[r - 1].size()) break;
      wanted.push_back(experiments::legible(r == 0 ? table.head[c] : table.rows[r - 1][c].raw, "\n\r\t"));
      if (bounds) wanted.insert(wanted.end(), 2, "?");
    }
    if (lines[r].size() != wanted.size()) return "CSV has another number of cells";
    for (std::size_t c = 0; c < wanted.size(); ++c) {
      if (wanted[c] != "?" && lines[r][c] != wanted[c]) return "CSV reads back as '" + lines[r][c] + "'";
      const std::string& cell = raw[r][c];
      const std::size_t first = std::min(cell.find_first_not_of(' '), cell.size());
      if (cell.find_first_of("=+-@\t\r\n", first) == first && cell != "-" &&
          !std::regex_match(cell, std::regex("[+-]?([0-9]+\\.?[0-9]*|\\.[0-9]+)(e[+-]?[0-9]+)?|-inf")))
        return "CSV holds a formula: " + cell;
    }
  }
  return "";
}

}  // namespace

std::vector<std::vector<std::string>> read_csv(const std::string& text, bool raw) {
  std::vector<std::vector<std::string>> lines;
  std::size_t at = 0;
  while (at < text.size()) {
    lines.emplace_back();
    for (bool more = true; more;) {
      std::string cell;
      if (at < text.size() && text[at] == '"') {
        for (++at; at < text.size(); ++at) {
          if (text[at] != '"')
            cell += text[at];
          else if (at + 1 < text.size() && text[at + 1] == '"')
            cell += text[++at];
          else
            break;
        }
        ++at;
      } else {
        while (at < text.size() && text[at] != ',' && text[at] != '\n') cell += text[at++];
      }
      if (!raw && cell.starts_with('\'')) cell.erase(0, 1);
      lines.back().push_back(std::move(cell));
      more = at < text.size() && text[at] == ',';
      ++at;
    }
  }
  return lines;
}

std::vector<std::string> take_captions(std::string& script) {
  std::istringstream lines(script);
  std::vector<std::string> captions;
  std::string commands;
  bool data = false;
  for (std::string line; std::getline(lines, line);) {
    if (data && line != "END")
      captions.push_back(line);
    else
      commands += line + '\n';
    data = line == "$captions << END" || (data && line != "END");
  }
  script = std::regex_replace(commands, std::regex("caption\\([0-9]+\\)"), "caption(?)");
  return captions;
}

std::string flaw_of_html(const std::string& html) {
  if (const auto flaw = experiments::illegible(std::regex_replace(html, std::regex("[\n\t]"), " ")))
    return "HTML holds " + *flaw;
  for (std::size_t at = html.find('<'); at != std::string::npos; at = html.find('<', at)) {
    const std::size_t begin = at++;
    if (at < html.size() && html[at] == '/') ++at;
    const std::string name = word(html, at);
    if (!tags.contains(name)) return "the tag '" + name + "'" + around(html, begin);
    if (const std::string flaw = flaw_of_attributes(html, at); !flaw.empty()) return flaw;
    if (html[begin + 1] != '/' && (name == "script" || name == "style")) at = html.find("</" + name, at);
  }
  return "";
}

std::string flaw_of_latex(const std::string& table) {
  static const std::regex known(
      "\\\\(textbackslash|textasciitilde|textasciicircum|textasciigrave|textless|textgreater|textbf|"
      "allowbreak|label)\\{"
      "|\\\\setlength\\{\\\\LTcapwidth\\}\\{\\\\linewidth\\}\n"
      "|\\\\(toprule|midrule|bottomrule|endhead|centering|begingroup|endgroup)\n"
      "|\\\\(begin|end)\\{(table|tabular|longtable)\\}|\\\\caption\\{"
      "|(\\\\(small|footnotesize|scriptsize)\\\\setlength\\{\\\\tabcolsep\\}\\{[345]pt\\}|(\\\\par)?\\\\("
      "small|"
      "med)skip)\n"
      "|(\\\\noindent)?\\\\parbox\\{\\\\linewidth\\}\\{\\\\footnotesize |\\{\\\\raggedright |\\\\par\\}| "
      "\\\\ldots\\}|\\\\[_%&#${}]|\\\\\\\\\n");
  std::string rest = table.substr(table.find('\n') + 1);  // the first line is a comment
  if (experiments::illegible(std::regex_replace(table, std::regex("\n"), " "))) return "LaTeX is not legible";
  if (times(rest, "\\begin{table}") > 1) return "LaTeX begins twice";
  for (const std::string kind : {"{tabular}", "{table}", "{longtable}"})
    if (times(rest, "\\begin" + kind) != times(rest, "\\end" + kind)) return "LaTeX that does not end";
  rest = std::regex_replace(std::regex_replace(rest, std::regex("\\\\\\\\([\n ])"), "$1"), known, "{");
  const std::size_t odd = rest.find_first_of("\\%#$^~");
  if (odd != std::string::npos) return "LaTeX that is not escaped" + around(rest, odd);
  const std::size_t bracket = rest.find_first_of("[*");
  if (bracket != std::string::npos && (bracket == 0 || rest[bracket - 1] != '{'))
    return "LaTeX that a row could take for its own" + around(rest, bracket);
  return "";
}

std::string flaw_of_dot(const std::string& script) {
  std::string commands;
  for (std::size_t at = 0; at < script.size(); ++at) {
    if (script[at] != '"') {
      commands += script[at];
      continue;
    }
    for (++at; at < script.size() && script[at] != '"'; ++at) at += script[at] == '\\' ? 1 : 0;
    if (at >= script.size()) return "DOT: a string does not end";
  }
  const bool ours =
      commands.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_ {}[]=,;.-\n") == std::string::npos;
  return ours && times(commands, "{") == 1 ? "" : "DOT: a command of a text's: " + commands;
}

std::string flaw_of_gnuplot(const std::string& script) {
  std::string commands = script;
  for (const std::string& caption : take_captions(commands)) {
    if (!caption.starts_with("| ")) return "gnuplot: a text that begins a line: " + caption;
    if (experiments::illegible(caption)) return "gnuplot: a text that is not legible";
    if (caption.size() > 1000) return "gnuplot: a line that it may break";
  }
  // Commands may quote only these fixed strings and safe file names.
  static const std::regex quoted(
      "'(svg|pdf|svg pdf|pdfcairo|sans-serif,1[345]|white|%c|%g|#[0-9a-f]{6}|[A-Za-z0-9_=.-]{1,101})'");
  const std::string bare = std::regex_replace(commands, quoted, "");
  const std::size_t odd = bare.find_first_of("'\"`@|!");
  if (odd != std::string::npos) return "gnuplot: a command of a text's" + around(bare, odd);
  if (experiments::illegible(std::regex_replace(bare, std::regex("\n"), " "))) return "gnuplot: not legible";
  return "";
}

std::string flaw_of_table(const Table& table) {
  for (const std::string& flaw :
       {flaw_of_csv(table, to_csv(table)), flaw_of_markdown(table, to_markdown(table)),
        flaw_of_latex(to_latex(table)), flaw_of_html(to_html(table))})
    if (!flaw.empty()) return flaw + " in the table " + table.name;
  const auto lines = std::ranges::count(to_text(table), '\n');
  if (static_cast<std::size_t>(lines) != table.rows.size() + 1)
    return "a table for the terminal has other lines";
  return experiments::file_name(table.name).find('/') == std::string::npos ? "" : "a name leaves its folder";
}

std::string flaw_of_sinks(const experiments::Spec& spec, const Conclusion& conclusion) {
  std::vector<std::string> flaws;
  for (const Table& table : conclusion.tables) flaws.push_back(flaw_of_table(table));
  for (const auto& plot : conclusion.plots) flaws.push_back(flaw_of_gnuplot(to_gnuplot(plot)));
  for (const auto& graph : conclusion.graphs) flaws.push_back(flaw_of_dot(graph.script));
  for (const auto& drawing : conclusion.drawings) flaws.push_back(flaw_of_html(drawing.svg));
  for (const auto& page : conclusion.pages) {
    flaws.push_back(flaw_of_html(experiments::page_html(page.title, page.html)));
    if (!std::regex_match(page.path, std::regex("cues/[0-9]+(-[0-9]+)?\\.html")))
      flaws.push_back("a page elsewhere");
  }
  flaws.push_back(flaw_of_html(experiments::report_html("/no/folder/of/pictures", spec, conclusion)));
  const Json summary = {
      {"question", conclusion.question}, {"answer", conclusion.answer}, {"results", conclusion.summary}};
  if (Json::parse(summary.dump(), nullptr, false).dump() != summary.dump())
    flaws.emplace_back("the summary reads back otherwise");
  if (experiments::illegible(
          std::regex_replace(experiments::wrapped(conclusion.answer, 100), std::regex("\n"), " ")))
    flaws.emplace_back("the answer commands the terminal");
  const auto found = std::ranges::find_if(flaws, [](const std::string& flaw) { return !flaw.empty(); });
  return found == flaws.end() ? "" : *found;
}

}  // namespace engram::testing
