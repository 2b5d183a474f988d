// SPDX-License-Identifier: MIT
#include "experiments/pages/page.hpp"

#include <algorithm>

#include "experiments/formats/markup.hpp"
#include "page_files.hpp"

namespace engram::experiments {
namespace {

const std::string cue_folder = "cues/";

}  // namespace

std::string page_html(const std::string& title, const std::string& body, std::string_view style) {
  return fill(R"(<!doctype html>
<html lang="en"><head><meta charset="utf-8">)"
              R"(<meta name="viewport" content="width=device-width, initial-scale=1"><title>{}</title><style>
{}{}</style></head>
<body>
{}<script>
{}</script>
</body></html>
)",
              {title, Markup{std::string(page_css)}, Markup{std::string(style)}, Markup{body},
               Markup{std::string(page_js)}});
}

std::string ranking_html(const std::vector<RankedItem>& items) {
  if (items.empty()) return "<p>nothing</p>";
  const double best = std::ranges::max(items, {}, &RankedItem::score).score;
  std::string html;
  for (const RankedItem& item : items)
    html += fill("<li>{}{} {}{}</li>", {Markup{bar(item.score, best)}, Markup{item.html},
                                        fixed(item.score, 4), Markup{item.needed ? " <b>needed</b>" : ""}});
  return "<ol>" + html + "</ol>";
}

std::string method_card(const Json& row, const std::string& html) {
  return fill(R"(<section class="card"><h3>{}</h3>{}</section>)",
              {row.at("method").get<std::string>(), Markup{html}});
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
    conclusion.pages.push_back(
        {pages[i].path, pages[i].question,
         fill("<nav>{}{}{}</nav>\n<h1>{}</h1><p><small>{}</small></p>\n{}",
              {Markup{link("../report.html", "report")}, Markup{to(i - 1, "previous question")},
               Markup{to(i + 1, "next question")}, Markup{code(pages[i].question)}, pages[i].place,
               Markup{pages[i].html}})});
}

}  // namespace engram::experiments
