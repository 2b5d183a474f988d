// SPDX-License-Identifier: MIT
// Pages of single questions, shared by experiments.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "experiments/formats/conclusion.hpp"

namespace engram::experiments {

/// An item of a ranking: a statement or a concept.
struct RankedItem {
  std::string html;  // name, as markup
  double score = 0;
  bool needed = false;  // whether a known proof needs it
};

/// A list of items with a bar for each score, best first; "nothing" if there is no item.
std::string ranking_html(const std::vector<RankedItem>& items);

/// A card for the method of a row.  `html`  markup below its name
std::string method_card(const Json& row, const std::string& html);

/// Text such as "Expected: <a --> b>, or <a --> c>"; empty without answers.  `answers`  a list of texts
std::string expected_html(const Json& answers);

/// Path of a page relative to the report: "cues/3.html" for the question of a trial, "cues/3-1.html" for the first of
/// several.
std::string question_path(const Json& row, std::optional<std::size_t> question = {});

struct QuestionPage {
  std::string path, question;
  std::string place;  // file and line, or set
  std::string html;   // markup of the page
};
/// Adds pages with links to the report and to the previous and next page.
void add_pages(const std::vector<QuestionPage>& pages, Conclusion& conclusion);

}  // namespace engram::experiments
