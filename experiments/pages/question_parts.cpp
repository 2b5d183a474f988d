// SPDX-License-Identifier: MIT
#include "experiments/pages/question_parts.hpp"

#include <algorithm>

#include "experiments/formats/markup.hpp"

namespace engram::experiments {

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

std::string question_nav(const std::string& previous, const std::string& next) {
  std::string html = link("../report.html", "report");
  if (!previous.empty()) html += " · " + link(previous, "previous question");
  if (!next.empty()) html += " · " + link(next, "next question");
  return "<nav>" + html + "</nav>\n";
}

}  // namespace engram::experiments
