// SPDX-License-Identifier: MIT
#include "experiments/comparison/comparison.hpp"

#include <algorithm>

#include "experiments/formats/markup.hpp"
#include "experiments/pages/explanation.hpp"
#include "experiments/pages/page.hpp"
#include "experiments/spec/method_choice.hpp"

namespace engram::experiments::comparison {
namespace {

constexpr std::size_t most_within_report = 40;
constexpr std::size_t most_pages = 2000;

std::string entries_html(const Json& entries, const char* name) {
  constexpr std::size_t most_entries = 5;
  std::vector<RankedItem> items;
  for (std::size_t i = 0; i < std::min(entries.size(), most_entries); ++i)
    items.push_back({code_of(entries[i], name), entries[i].at("value").get<double>(),
                     entries[i].contains("needed") && entries[i].at("needed").get<bool>()});
  return ranking_html(items);
}

std::string energy_text(const Json& row) {
  const Json& energies = row.at("energies");
  const auto steps = whole(row.at("iterations"));
  if (steps == 0 && energies.empty()) return "";  // the method does not iterate
  std::string text = std::to_string(steps) + (steps == 1 ? " step" : " steps");
  if (!energies.empty())
    text += ", energy " + fixed(energies.front().get<double>(), 3) + " to " +
            fixed(energies.back().get<double>(), 3);
  if (!row.at("converged").get<bool>()) text += ", not converged";
  return row.contains("certificate") ? text + "; " + certificate_text(row.at("certificate")) : text;
}

// Plot of the energy of a method's recall: at the start, then after each step.
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

std::string drawn_proof(const Json& answer) {
  std::vector<ProofStep> steps;
  for (const Json& line : answer.at("proof")) {
    const bool judges = line.contains("truth");
    ProofStep step{line.at("narsese").get<std::string>() + (judges ? " " + truth_text(line.at("truth")) : ""),
                   !judges                       ? "question"
                   : line.at("premises").empty() ? "input"
                                                 : line.at("rule").get<std::string>()};
    for (const Json& premise : line.at("premises")) step.premises.push_back(whole(premise));
    steps.push_back(std::move(step));
  }
  return proof_text(steps);
}

// Answers of the reasoner from the selected statements; the first one with its proof.
std::string row_answers_html(const Json& row) {
  const Json& answers = row.at("answers");
  if (answers.empty()) return "<p>No answer within " + std::to_string(whole(row.at("steps"))) + " steps.</p>";
  std::string html = fill("<pre>{}</pre>", {drawn_proof(answers.front())});
  for (std::size_t i = 1; i < answers.size(); ++i)
    html += (i == 1 ? "<p><small>then " : ", ") +
            code(answers[i].at("term").get<std::string>() + ". " + truth_text(answers[i].at("truth")));
  return html + (answers.size() > 1 ? "</small></p>" : "");
}

// Table of the answers to a question, with the methods that lead to them.
std::string answers_html(const CueRows& cue) {
  const Json& expected = cue.first().at("expected");
  std::string html = expected.empty() && cue.has_expectation() ? "<p>Expected: no answer</p>\n"
                                                               : expected_html(expected),
              rows;
  if (!cue.is_answered()) return html;
  for (const AnswerGroup& group : answers_to(cue))
    rows += fill("<tr><td>{}</td>{}<td>{}</td></tr>\n",
                 {Markup{group.answer == no_answer ? group.answer : code(group.answer)},
                  Markup{!group.as_expected   ? ""
                         : *group.as_expected ? "<td>yes</td>"
                                              : "<td>no</td>"},
                  names_of_methods(group.methods, cue.rows.size())});
  return html +
         "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Answers, and the methods behind "
         "them\">"
         "<table class=\"answers\"><thead><tr><th>answer</th>" +
         (cue.has_expectation() ? "<th>as expected</th>" : "") +
         "<th>with the statements of</th></tr></thead><tbody>" + rows + "</tbody></table></div>\n";
}

// Table of the best statements, a row for each method.
std::string selected_html(const CueRows& cue) {
  constexpr std::size_t columns = 3;
  std::string rows;
  for (const Json& row : cue.rows) {
    rows += fill("<tr><th scope=\"row\">{}</th>", {row.at("method").get<std::string>()});
    const Json& statements = row.at("statements");
    for (std::size_t i = 0; i < columns; ++i) {
      if (i >= statements.size()) {
        rows += "<td></td>";
        continue;
      }
      const Json& statement = statements[i];
      rows += fill("<td>{} {}{}</td>",
                   {Markup{code_of(statement, "narsese")}, fixed(statement.at("value").get<double>(), 3),
                    Markup{statement.at("needed").get<bool>() ? " <b>needed</b>" : ""}});
    }
    rows += "</tr>\n";
  }
  return "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"The best statements of each "
         "method\">"
         "<table class=\"selected\"><thead><tr><th>method</th><th>best "
         "statement</th><th>second</th><th>third</th>"
         "</tr></thead><tbody>" +
         rows + "</tbody></table></div>\n";
}

// Statements and concepts that a method selected, with a link to the raw row.
std::string card(const Json& row, std::size_t line, const std::string& page) {
  const std::string number = std::to_string(line);
  const std::string steps = energy_text(row);
  return method_card(row,
                     (row.contains("answers") ? "<h4>answer and proof</h4>" + row_answers_html(row) : "") +
                         "<h4>weights of statements</h4>" + entries_html(row.at("statements"), "narsese") +
                         "<h4>weights of concepts</h4>" + entries_html(row.at("concepts"), "term") +
                         energy_svg(row.at("energies").get<std::vector<double>>()) +
                         (steps.empty() ? "" : "<p><small>" + steps + "</small></p>") + "<p><small>" +
                         link(page + "#row-" + number, "raw row " + number) + "</small></p>");
}

// Index of the first row with a method of this family, if any.
std::optional<std::size_t> first_of(const CueRows& cue, const std::vector<MethodChoice>& methods,
                                    std::string_view family) {
  for (std::size_t i = 0; i < cue.rows.size(); ++i)
    for (const MethodChoice& method : methods)
      if (method.label == cue.rows[i].at("method") && method.method.method().family == family) return i;
  return {};
}

// Cards of all methods: attention and Hopfield side by side, then the others. `page` has the raw rows.
std::string cue_html(const CueRows& cue, const std::vector<MethodChoice>& methods, const std::string& page) {
  std::string html;
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

QuestionPage page_of(const CueRows& cue, const std::vector<MethodChoice>& methods) {
  const Json& row = cue.first();
  std::string html = answers_html(cue) + selected_html(cue) + cue_html(cue, methods, "") +
                     "\n<h2>Raw rows</h2><p>Copied from " + link("../results.jsonl", "results.jsonl") +
                     ".</p>\n";
  for (std::size_t r = 0; r < cue.rows.size(); ++r) {
    const std::string line = std::to_string(cue.first_line + r);
    html += "<section id=\"row-" + line + "\"><h3>line " + line + ": " + text_of(cue.rows[r], "method") +
            "</h3><pre class=\"raw\" tabindex=\"0\">" + escape_html(cue.rows[r].dump()) +
            "</pre></section>\n";
  }
  return {question_path(row), row.at("cue").get<std::string>(), cue.place(), html};
}

}  // namespace

void add_cue_pages(const Spec& spec, const std::vector<Json>& rows, Conclusion& conclusion) {
  const std::vector<MethodChoice> methods = with_baselines(spec.methods);
  const std::vector<CueRows> cues = by_cue(rows);
  const bool asks = !cues.empty() && cues.front().first().at("kind") == "question";
  std::string html;
  std::vector<QuestionPage> pages;
  for (std::size_t i = 0; i < cues.size(); ++i) {
    if (i < most_pages) pages.push_back(page_of(cues[i], methods));
    const std::string page = question_path(cues[i].first()), cue = code_of(cues[i].first(), "cue");
    if (i < most_within_report)
      html += "<h3>" + cue + " <small>" + escape_html(cues[i].place()) + "</small></h3>\n" +
              answers_html(cues[i]) +
              details(i == 0, "The best statements of each method", selected_html(cues[i])) +
              details(false, "Answer, proof and weights of each method", cue_html(cues[i], methods, page)) +
              "<p>" + link(page, asks ? "page of this question" : "page of this statement") + "</p>\n";
    else if (i < most_pages)
      html += (i == most_within_report ? "<h3>More questions</h3><ul class=\"cues\"><li>" : "<li>") +
              link(page, cue) + "</li>\n";
  }
  add_pages(pages, conclusion);
  if (cues.size() > most_within_report) html += "</ul>";
  if (cues.size() > most_pages)
    html += "<p>" + std::to_string(cues.size() - most_pages) + " more cues are in " + link("results.jsonl") +
            ".</p>";
  conclusion.opening.push_back({asks ? "Questions" : "Statements with a part left out", html});
}

}  // namespace engram::experiments::comparison
