// SPDX-License-Identifier: MIT
// Pages for single questions: the proofs, the selection of each method, and the statements that the selection lacks.
#include <algorithm>
#include <set>

#include "experiments/answering/result_tables.hpp"
#include "experiments/formats/markup.hpp"
#include "experiments/pages/page.hpp"

namespace engram::experiments::answering {
namespace {

using Ids = std::vector<std::size_t>;

// Rows of a set with data for question pages. The first row also has the questions and the texts of statements.
struct Shown {
  const RowSet& set;
  std::vector<const Json*> rows;

  explicit Shown(const RowSet& of) : set(of) {
    for (const Json* row : set.rows)
      if (row->contains("shown")) rows.push_back(row);
  }
  std::size_t questions() const { return rows.empty() ? 0 : rows.front()->at("asked").size(); }
  const Json& asked(std::size_t question) const { return rows.front()->at("asked").at(question); }
  std::string text(std::size_t statement) const {
    const std::string of = code(rows.front()->at("texts").at(std::to_string(statement)).get<std::string>());
    return is_lost(statement) ? of + " <b>not in memory</b>" : of;
  }
  std::string list(const Ids& statements) const {
    std::string html;
    for (const std::size_t id : statements) html += "<li>" + text(id) + "</li>";
    return html;
  }
  // Returns whether a statement is no longer in memory. Ids of lost statements begin after those of statements in
  // memory.
  bool is_lost(std::size_t statement) const {
    return rows.front()->contains("held") && statement >= whole(rows.front()->at("held"));
  }
};

// Reads a list of ids. Checks each entry, because rows may come from other people.
Ids ids_of(const Json& list) {
  Ids ids;
  for (const Json& id : list) ids.push_back(whole(id));
  return ids;
}

Ids given_of(const Json& one) {
  Ids ids;
  for (const Json& given : one.at("given")) ids.push_back(whole(given.at(0)));
  return ids;
}

// Returns the statements that the selection `given` lacks for a whole proof. If the question has several proofs, the
// one with fewest missing statements counts, and the first of equals.
Ids lacking(const Json& asked, const Ids& given) {
  std::optional<Ids> fewest;
  for (const Json& proof : asked.at("proofs")) {
    Ids lacks;
    for (const std::size_t id : ids_of(proof))
      if (std::ranges::find(given, id) == given.end()) lacks.push_back(id);
    if (!fewest || lacks.size() < fewest->size()) fewest = std::move(lacks);
  }
  return fewest.value_or(Ids());
}

std::string given_html(const Shown& shown, const Json& one, const std::set<std::size_t>& needed) {
  std::vector<RankedItem> items;
  for (const Json& given : one.at("given")) {
    const auto id = whole(given.at(0));
    items.push_back({shown.text(id), given.at(1).get<double>(), needed.contains(id)});
  }
  return ranking_html(items);
}

std::string ranks_text(const Json& ranks) {
  std::string text;
  for (const Json& rank : ranks)
    text += (text.empty() ? "" : ", ") + (rank.is_null() ? "-" : fixed(rank.get<double>(), 1));
  return text;
}

std::string card(const Shown& shown, const Json& row, std::size_t question,
                 const std::set<std::size_t>& needed) {
  const Json& one = row.at("shown").at(question);
  const Ids lacks = lacking(shown.asked(question), given_of(one));
  return method_card(
      row, (lacks.empty() ? "<p>It contains a whole proof.</p>"
                          : "<p>Missing for a whole proof:</p><ul>" + shown.list(lacks) + "</ul>") +
               "<p><small>ranks of the first proof: " + ranks_text(one.at("ranks")) + "</small></p>" +
               given_html(shown, one, needed));
}

std::string proofs_html(const Shown& shown, const Json& asked) {
  std::string html;
  for (const Json& proof : asked.at("proofs"))
    html +=
        (html.empty() ? "<h2>Known proofs</h2><ol>" : "<p>or</p><ol>") + shown.list(ids_of(proof)) + "</ol>";
  return html;
}

QuestionPage page_of(const Shown& shown, std::size_t question) {
  const Json& asked = shown.asked(question);
  std::set<std::size_t> needed;
  for (const Json& proof : asked.at("proofs"))
    for (const std::size_t id : ids_of(proof)) needed.insert(id);
  std::string html = expected_html(asked.at("expected")) + proofs_html(shown, asked) +
                     "<h2>Statements that each method gave</h2><div class=\"cards\">";
  for (const Json* row : shown.rows) html += card(shown, *row, question, needed);
  return {question_path(*shown.rows.front(), question), asked.at("question").get<std::string>(),
          shown.set.title + ", gate " + shown.set.gates.front().name(), html + "</div>"};
}

// Names of the methods that selected a whole proof for a question: "bidirectional_spreading, sine".
std::string holders(const Shown& shown, std::size_t question) {
  std::string names;
  for (const Json* row : shown.rows)
    if (lacking(shown.asked(question), given_of(row->at("shown").at(question))).empty())
      names += (names.empty() ? "" : ", ") + text_of(*row, "method");
  return names.empty() ? "no method" : names;
}

}  // namespace

void add_question_pages(const std::vector<RowSet>& sets, Conclusion& conclusion) {
  std::string html;
  for (const RowSet& set : sets) {
    const Shown shown(set);
    std::string rows;
    std::vector<QuestionPage> pages;
    for (std::size_t question = 0; question < shown.questions(); ++question) {
      pages.push_back(page_of(shown, question));
      rows += "<tr><td>" + link(pages.back().path, code(pages.back().question)) + "</td><td>" +
              holders(shown, question) + "</td></tr>";
    }
    add_pages(pages, conclusion);
    if (!rows.empty())
      html += details(html.empty(), escape_html(set.title),
                      "<table><thead><tr><th>question</th><th>methods that give a whole proof at gate " +
                          escape_html(set.gates.front().name()) + "</th></tr></thead><tbody>" + rows +
                          "</tbody></table>");
  }
  conclusion.sections.push_back({"Question by question", html});
}

}  // namespace engram::experiments::answering
