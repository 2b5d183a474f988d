// SPDX-License-Identifier: MIT
#include "experiments/comparison/comparison.hpp"

#include <algorithm>
#include <span>

#include "experiments/formats/markup.hpp"
#include "experiments/spec/method_choice.hpp"

namespace engram::experiments::comparison {
namespace {

constexpr std::size_t most_within_report = 40;
constexpr std::size_t most_pages = 2000;

std::string ranking_html(const Json& entries, const char* name) {
  if (entries.empty()) return "<p>nothing</p>";
  double best = 0;
  for (const Json& entry : entries) best = std::max(best, entry.at("value").get<double>());
  std::string html = "<ol>";
  for (std::size_t i = 0; i < std::min<std::size_t>(entries.size(), 5); ++i) {
    const Json& entry = entries[i];
    const double value = entry.at("value").get<double>();
    const bool needed = entry.contains("needed") && entry.at("needed").get<bool>();
    html += "<li>" + bar(value, best) + code_of(entry, name) + " " + fixed(value, 4) +
            (needed ? " <b>needed</b>" : "") + "</li>";
  }
  return html + "</ol>";
}

std::string energy_text(const Json& row) {
  const Json& energies = row.at("energies");
  const auto steps = whole(row.at("iterations"));
  std::string text = std::to_string(steps) + (steps == 1 ? " step" : " steps");
  if (!energies.empty())
    text += ", energy " + fixed(energies.front().get<double>(), 3) + " to " +
            fixed(energies.back().get<double>(), 3);
  if (!row.at("converged").get<bool>()) text += ", not converged";
  return row.contains("certificate") ? text + "; " + certificate_text(row.at("certificate")) : text;
}

// The energy of the cue and after each step, from left to right.
std::string energy_svg(const std::vector<double>& energies) {
  if (energies.size() < 2) return "";
  const auto [low, high] = std::ranges::minmax(energies);
  constexpr double width = 240, height = 56, edge = 6;
  const double step = (width - 2 * edge) / static_cast<double>(energies.size() - 1);
  std::string points, dots;
  for (std::size_t i = 0; i < energies.size(); ++i) {
    const double share = high > low ? (energies[i] - low) / (high - low) : 0.5;
    const double x = edge + step * static_cast<double>(i), y = edge + (height - 2 * edge) * (1 - share);
    points += fill("{},{} ", {x, y});
    dots += fill(R"(<circle cx="{}" cy="{}" r="2.5"/>)", {x, y});
  }
  return fill(
      R"(<h4>energy, step by step</h4><svg class="energy" viewBox="0 0 240 56" role="img" )"
      R"(aria-label="Energy from {} to {} in {} steps"><polyline points="{}"/>{}</svg>)",
      {fixed(energies.front(), 3), fixed(energies.back(), 3), energies.size() - 1, points, Markup{dots}});
}

// A method's recall, with a link to its row as it stands in the results.
std::string card(const Json& row, std::size_t line, const std::string& page) {
  const std::string number = std::to_string(line);
  return "<section class=\"card\"><h3>" + text_of(row, "method") + "</h3><p><small>" + energy_text(row) +
         "</small></p>" + energy_svg(row.at("energies").get<std::vector<double>>()) +
         "<h4>weights of concepts</h4>" + ranking_html(row.at("concepts"), "term") +
         "<h4>weights of statements</h4>" + ranking_html(row.at("statements"), "narsese") + "<p><small>" +
         link(page + "#row-" + number, "raw row " + number) + "</small></p></section>";
}

// The rows of one cue, and the number of the first one's line.
struct CueRows {
  std::span<const Json> rows;
  std::size_t first_line = 1;
};

// The first row whose method is of a family; nothing where there is none.
std::optional<std::size_t> first_of(const CueRows& cue, const std::vector<MethodChoice>& methods,
                                    std::string_view family) {
  for (std::size_t i = 0; i < cue.rows.size(); ++i)
    for (const MethodChoice& method : methods)
      if (method.label == cue.rows[i].at("method") && method.method->family == family) return i;
  return {};
}

// Attention beside Hopfield, then the others. `page` is where raw rows are.
std::string cue_html(const CueRows& cue, const std::vector<MethodChoice>& methods, const std::string& page) {
  std::string html;
  for (const Json& expected : cue.rows.front().at("expected"))
    html += "<p>Expected: " + code(expected.get<std::string>()) + "</p>";
  const auto attention = first_of(cue, methods, "attention"), hopfield = first_of(cue, methods, "hopfield");
  const bool pair = attention && hopfield;
  if (pair)
    html += "<div class=\"pair\">" + card(cue.rows[*attention], cue.first_line + *attention, page) +
            card(cue.rows[*hopfield], cue.first_line + *hopfield, page) + "</div>";
  html += "<div class=\"cards\">";
  for (std::size_t i = 0; i < cue.rows.size(); ++i)
    if (!pair || (i != *attention && i != *hopfield)) html += card(cue.rows[i], cue.first_line + i, page);
  return html + "</div>";
}

std::vector<CueRows> by_cue(const std::vector<Json>& rows) {
  std::vector<CueRows> cues;
  for (std::size_t i = 0; i < rows.size();) {
    const std::size_t first = i;
    while (i < rows.size() && rows[i].at("trial") == rows[first].at("trial")) ++i;
    cues.push_back({std::span(rows).subspan(first, i - first), first + 1});
  }
  return cues;
}

std::string place_of(const CueRows& cue) {
  return text_of(cue.rows.front(), "file") + ":" + std::to_string(whole(cue.rows.front().at("line")));
}

Page page_of(const std::vector<CueRows>& cues, std::size_t i, const std::vector<MethodChoice>& methods) {
  const CueRows& cue = cues[i];
  const Json& row = cue.rows.front();
  const auto neighbour = [&](std::size_t j, const char* name) {
    return " · " + link(cue_page(cues[j].rows.front()).substr(5), name);
  };
  std::string html = "<nav>" + link("../report.html", "report");
  if (i > 0) html += neighbour(i - 1, "previous cue");
  if (i + 1 < std::min(cues.size(), most_pages)) html += neighbour(i + 1, "next cue");
  html += "</nav>\n<h1>" + code_of(row, "cue") + "</h1><p><small>" + place_of(cue) + "</small></p>\n" +
          cue_html(cue, methods, "") + "\n<h2>Raw rows</h2><p>As they stand in " +
          link("../results.jsonl", "results.jsonl") + ".</p>\n";
  for (std::size_t r = 0; r < cue.rows.size(); ++r) {
    const std::string line = std::to_string(cue.first_line + r);
    html += "<section id=\"row-" + line + "\"><h3>line " + line + ": " + text_of(cue.rows[r], "method") +
            "</h3><pre class=\"raw\" tabindex=\"0\">" + escape_html(cue.rows[r].dump()) +
            "</pre></section>\n";
  }
  return {cue_page(row), row.at("cue").get<std::string>(), html};
}

}  // namespace

std::string cue_page(const Json& row) {
  return "cues/" + std::to_string(whole(row.at("trial")) + 1) + ".html";
}

void add_cue_pages(const Spec& spec, const std::vector<Json>& rows, Conclusion& conclusion) {
  const std::vector<MethodChoice> methods = with_baselines(spec.methods);
  const std::vector<CueRows> cues = by_cue(rows);
  std::string html;
  for (std::size_t i = 0; i < cues.size(); ++i) {
    if (i < most_pages) conclusion.pages.push_back(page_of(cues, i, methods));
    const std::string page = cue_page(cues[i].rows.front()), cue = code_of(cues[i].rows.front(), "cue");
    if (i < most_within_report)
      html += details(i == 0, cue + " <small>" + place_of(cues[i]) + "</small>",
                      "<p>" + link(page, "page of this cue") + "</p>" + cue_html(cues[i], methods, page));
    else if (i < most_pages)
      html += (i == most_within_report ? "<h3>The others</h3><ul class=\"cues\"><li>" : "<li>") +
              link(page, cue) + "</li>\n";
  }
  if (cues.size() > most_within_report) html += "</ul>";
  if (cues.size() > most_pages)
    html += "<p>" + std::to_string(cues.size() - most_pages) + " more cues are in " + link("results.jsonl") +
            ".</p>";
  conclusion.sections.push_back({"Cue by cue", html});
}

}  // namespace engram::experiments::comparison
