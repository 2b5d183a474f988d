// SPDX-License-Identifier: MIT
// Parts that the pages of single questions share, whichever experiment asks them.
#pragma once

#include <string>
#include <vector>

namespace engram::experiments {

/// An item of a ranking: a statement or a concept.
struct RankedItem {
  std::string html;  // its name, as markup
  double score = 0;
  bool needed = false;  // by a known proof
};

/// A list, best first, each item with a bar for its score. "nothing" if there is no item.
std::string ranking_html(const std::vector<RankedItem>& items);

/// Links to the report and to the questions before and after this one.
/// `previous`, `next`  paths from this page; empty: there is none
std::string question_nav(const std::string& previous, const std::string& next);

}  // namespace engram::experiments
