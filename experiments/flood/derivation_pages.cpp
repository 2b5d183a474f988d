// SPDX-License-Identifier: MIT
// A page a question: the proof tree of each policy's answer, and what its steps were spent on.
#include <algorithm>
#include <map>

#include "experiments/flood/flood.hpp"
#include "experiments/formats/markup.hpp"

namespace engram::experiments::flood {
namespace {

const std::string folder = "cues/";

std::string page_path(const Json& row, std::size_t question) {
  return folder + std::to_string(whole(row.at("trial")) + 1) + "-" + std::to_string(question + 1) + ".html";
}

std::string line_html(const Json& line) {
  std::string html = code(line.at("term").get<std::string>() + line.at("punctuation").get<std::string>());
  if (line.contains("truth"))
    html += " %" + fixed(line.at("truth").at(0).get<double>(), 2) + ";" +
            fixed(line.at("truth").at(1).get<double>(), 2) + "%";
  if (line.contains("stamp")) {
    std::string stamp;
    for (const Json& number : line.at("stamp"))
      stamp += (stamp.empty() ? "" : ", ") + std::to_string(whole(number));
    html += " <small>{" + stamp + "}</small>";
  }
  const std::string rule = text_of(line, "rule");
  return html + " <small>" + rule +
         (rule == "told" ? "" : ", step " + std::to_string(whole(line.at("step")))) + "</small>";
}

// A sentence above its premises. One that stands in the tree already is not taken apart again.
std::string tree_html(const Json& derivation, std::size_t at, std::vector<bool>& seen) {
  std::string html = "<li>" + line_html(derivation.at(at));
  const Json& premises = derivation.at(at).at("premises");
  if (!premises.empty() && !seen.at(at)) {
    seen[at] = true;
    html += "<ul>";
    for (const Json& premise : premises) html += tree_html(derivation, whole(premise), seen);
    html += "</ul>";
  }
  return html + "</li>";
}

std::string card(const Json& row, const Json& one) {
  std::string html = "<section class=\"card\"><h3>" + text_of(row, "method") + "</h3><p>";
  const bool found = one.at("found").get<bool>();
  const Json& derivation = one.at("derivation");
  html += found                ? "Answered after " + std::to_string(whole(one.at("steps"))) + " steps."
          : derivation.empty() ? "No answer in " + std::to_string(whole(one.at("steps"))) + " steps."
                               : "A weaker answer in " + std::to_string(whole(one.at("steps"))) + " steps.";
  html += "</p>";
  if (!derivation.empty()) {
    std::vector<bool> seen(derivation.size());
    html += "<ul>" + tree_html(derivation, derivation.size() - 1, seen) + "</ul>";
  }
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
  return html +
         details(false, "what was inferred, by rule",
                 "<ul>" + spent + "</ul><p>Most about: " + names + "</p>") +
         "</section>";
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
               "Steps until the answer, - if there was none; each question leads to its page.",
               {"question"}};
    for (const Json* row : of_set) list.head.push_back(row->at("method").get<std::string>());
    const Json& first = *of_set.front();
    const std::size_t questions = first.at("shown").size(), all = whole(first.at("questions"));
    if (questions < all)
      list.caption +=
          " The first " + std::to_string(questions) + " of " + std::to_string(all) + " questions have pages.";
    for (std::size_t q = 0; q < questions; ++q) {
      const Json& asked = first.at("shown").at(q);
      std::string page = "<nav>" + link("../report.html", "report");
      if (q > 0) page += " · " + link(page_path(first, q - 1).substr(folder.size()), "previous question");
      if (q + 1 < questions)
        page += " · " + link(page_path(first, q + 1).substr(folder.size()), "next question");
      page += "</nav>\n<h1>" + code_of(asked, "question") + "</h1><p><small>" + escape_html(label) +
              "</small></p>";
      for (const Json& expected : asked.at("expected"))
        page += "<p>Expected: " + code(expected.get<std::string>()) + "</p>";
      page += "<div class=\"cards\">";
      Cell name = cell(asked.at("question").get<std::string>());
      name.link = page_path(first, q);
      list.rows.push_back({name});
      for (const Json* row : of_set) {
        const Json& one = row->at("shown").at(q);
        page += card(*row, one);
        list.rows.back().push_back(
            one.at("found").get<bool>() ? cell(static_cast<double>(whole(one.at("steps"))), 0) : cell("-"));
      }
      conclusion.pages.push_back(
          {page_path(first, q), asked.at("question").get<std::string>(), page + "</div>"});
    }
    html += details(html.empty(), escape_html(label), to_html(list));
  }
  if (!html.empty()) conclusion.sections.push_back({"Question by question: how it was answered", html});
}

}  // namespace engram::experiments::flood
