// SPDX-License-Identifier: MIT
// The page of one question, whichever experiment asks it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "experiments/formats/conclusion.hpp"

namespace engram::experiments {

/// An item of a ranking: a statement or a concept.
struct RankedItem {
  std::string html;  // its name, as markup
  double score = 0;
  bool needed = false;  // by a known proof
};

/// A list, best first, each item with a bar for its score. "nothing" if there is no item.
std::string ranking_html(const std::vector<RankedItem>& items);

/// A card for the method of a row.  `html`  markup below its name
std::string method_card(const Json& row, const std::string& html);

/// "Expected: <a --> b>, or <a --> c>"; nothing without answers.  `answers`  a list of texts
std::string expected_html(const Json& answers);

/// Path from the report: "cues/3.html" for the question of a row's trial, "cues/3-1.html" for the first one of several.
std::string question_path(const Json& row, std::optional<std::size_t> question = {});

struct QuestionPage {
  std::string path, question;
  std::string place;  // the file and line, or the set
  std::string html;   // markup below
};
/// Adds pages, each with links to the report and to the pages before and after it.
void add_pages(const std::vector<QuestionPage>& pages, Conclusion& conclusion);

}  // namespace engram::experiments
