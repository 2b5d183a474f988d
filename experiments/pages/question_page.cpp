// SPDX-License-Identifier: MIT
#include "experiments/pages/question_page.hpp"

#include <algorithm>

#include "experiments/formats/markup.hpp"

namespace engram::experiments {

namespace {

const std::string cue_folder = "cues/";

}  // namespace

std::string ranking_html(const std::vector<RankedItem>& items) {
  if (items.empty()) return "<p>nothing</p>";
  double best = 0;
  for (const RankedItem& item : items) best = std::max(best, item.score);
  std::string html;
  for (const RankedItem& item : items)
    html += fill("<li>{}{} {}{}</li>", {Markup{bar(item.score, best)}, Markup{item.html},
                                        fixed(item.score, 4), Markup{item.needed ? " <b>needed</b>" : ""}});
  return "<ol>" + html + "</ol>";
}

std::string method_card(const Json& row, const std::string& html) {
  return "<section class=\"card\"><h3>" + text_of(row, "method") + "</h3>" + html + "</section>";
}

std::string expected_html(const Json& answers) {
  std::string html;
  for (const Json& answer : answers)
    html += (html.empty() ? "<p>Expected: " : ", or ") + code(answer.get<std::string>());
  return html.empty() ? "" : html + "</p>\n";
}

std::string question_path(const Json& row, std::optional<std::size_t> question) {
  return cue_folder + std::to_string(whole(row.at("trial")) + 1) +
         (question ? "-" + std::to_string(*question + 1) : "") + ".html";
}

void add_pages(const std::vector<QuestionPage>& pages, Conclusion& conclusion) {
  const auto to = [&](std::size_t other, const char* shown) {
    return other < pages.size() ? " · " + link(pages[other].path.substr(cue_folder.size()), shown) : "";
  };
  for (std::size_t i = 0; i < pages.size(); ++i)
    conclusion.pages.push_back({pages[i].path, pages[i].question,
                                "<nav>" + link("../report.html", "report") + to(i - 1, "previous question") +
                                    to(i + 1, "next question") + "</nav>\n<h1>" + code(pages[i].question) +
                                    "</h1><p><small>" + escape_html(pages[i].place) + "</small></p>\n" +
                                    pages[i].html});
}

}  // namespace engram::experiments
