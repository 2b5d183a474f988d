// SPDX-License-Identifier: MIT
// Pages for single questions: the proof tree of the answer under each policy, and how its steps were spent.
#include <algorithm>
#include <map>

#include "experiments/flood/flood.hpp"
#include "experiments/formats/markup.hpp"
#include "experiments/pages/explanation.hpp"
#include "experiments/pages/page.hpp"

namespace engram::experiments::flood {
namespace {

std::string proof_html(const Json& derivation) {
  std::vector<ProofStep> steps;
  for (const Json& line : derivation) {
    const auto rule = line.at("rule").get<std::string>();
    ProofStep& step = steps.emplace_back();
    step.sentence = line.at("term").get<std::string>() + line.at("punctuation").get<std::string>();
    if (line.contains("truth"))
      step.sentence += " %" + fixed(line.at("truth").at(0).get<double>(), 2) + ";" +
                       fixed(line.at("truth").at(1).get<double>(), 2) + "%";
    std::string stamp;
    for (const Json& number : line.value("stamp", Json::array()))
      stamp += (stamp.empty() ? " {" : ", ") + std::to_string(whole(number));
    step.sentence += stamp.empty() ? "" : stamp + "}";
    step.rule = rule + (rule == "told" ? "" : ", step " + std::to_string(whole(line.at("step"))));
    for (const Json& premise : line.at("premises")) step.premises.push_back(whole(premise));
  }
  return fill("<pre>{}</pre>", {proof_text(steps)});
}

std::string card(const Json& row, const Json& one) {
  std::string html = "<p>";
  const bool found = one.at("found").get<bool>();
  const Json& derivation = one.at("derivation");
  html += found                ? "Answered after " + std::to_string(whole(one.at("steps"))) + " steps."
          : derivation.empty() ? "No answer in " + std::to_string(whole(one.at("steps"))) + " steps."
                               : "A weaker answer in " + std::to_string(whole(one.at("steps"))) + " steps.";
  html += "</p>";
  if (!derivation.empty()) html += proof_html(derivation);
  std::size_t most = 0;
  for (const auto& [rule, times] : one.at("rules").items()) most = std::max(most, whole(times));
  std::string spent;
  for (const auto& [rule, times] : one.at("rules").items())
    spent += "<li>" + bar(static_cast<double>(whole(times)), static_cast<double>(most)) + escape_html(rule) +
             " " + std::to_string(whole(times)) + "</li>";
  std::string names;
  for (const Json& name : one.at("names"))
    names += (names.empty() ? "" : ", ") + code(name.at(0).get<std::string>()) + " " +
             std::to_string(whole(name.at(1)));
  return method_card(row, html + details(false, "inferences by rule",
                                         "<ul>" + spent + "</ul><p>Most frequent names: " + names + "</p>"));
}

}  // namespace

void add_derivation_pages(const std::vector<Json>& rows, Conclusion& conclusion) {
  std::map<std::string, std::vector<const Json*>> sets;
  std::vector<std::string> order;
  for (const Json& row : rows) {
    if (!row.contains("shown")) continue;
    const auto label = row.at("set").get<std::string>();
    if (!sets.contains(label)) order.push_back(label);
    sets[label].push_back(&row);
  }
  std::string html;
  for (const std::string& label : order) {
    const std::vector<const Json*>& of_set = sets[label];
    Table list{"questions_" + label,
               "Steps to the answer, or - without an answer. Questions link to their pages.",
               {"question"}};
    for (const Json* row : of_set) list.head.push_back(row->at("method").get<std::string>());
    const Json& first = *of_set.front();
    const std::size_t questions = first.at("shown").size(), all = whole(first.at("questions"));
    if (questions < all)
      list.caption +=
          " The first " + std::to_string(questions) + " of " + std::to_string(all) + " questions have pages.";
    std::vector<QuestionPage> pages;
    for (std::size_t q = 0; q < questions; ++q) {
      const Json& asked = first.at("shown").at(q);
      QuestionPage& page = pages.emplace_back(
          QuestionPage{question_path(first, q), asked.at("question").get<std::string>(), label,
                       expected_html(asked.at("expected")) + "<div class=\"cards\">"});
      Cell name = cell(page.question);
      name.link = page.path;
      list.rows.push_back({name});
      for (const Json* row : of_set) {
        const Json& one = row->at("shown").at(q);
        page.html += card(*row, one);
        list.rows.back().push_back(
            one.at("found").get<bool>() ? cell(static_cast<double>(whole(one.at("steps"))), 0) : cell("-"));
      }
      page.html += "</div>";
    }
    add_pages(pages, conclusion);
    html += details(html.empty(), escape_html(label), to_html(list));
  }
  if (!html.empty()) conclusion.sections.push_back({"Question by question: how it was answered", html});
}

}  // namespace engram::experiments::flood
