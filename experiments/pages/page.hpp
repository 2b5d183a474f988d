// SPDX-License-Identifier: MIT
// Frame of every page, and pages of single questions. Style and script are in .css and .js files of this folder, which
// are compiled into the program.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/formats/conclusion.hpp"

namespace engram::experiments {

/// Creates a page that loads no other files, for light and dark mode, narrow and wide screens, and print. A short
/// script makes tables sortable; without JavaScript they are plain tables. `body` is HTML; `style` is additional CSS.
std::string page_html(const std::string& title, const std::string& body, std::string_view style = "");

/// An item of a ranking: a statement or a concept.
struct RankedItem {
  std::string html;  // name, as markup
  double score = 0;
  bool needed = false;  // whether a known proof needs it
};

/// Numbered list of items with a bar for each score; "nothing" for an empty list.
std::string ranking_html(const std::vector<RankedItem>& items);

/// Card for the method of a row: its name, and `html` (markup) below.
std::string method_card(const Json& row, const std::string& html);

/// Paragraph such as "Expected: <a --> b>, or <a --> c>" for a list of texts; empty for an empty list.
std::string expected_html(const Json& answers);

/// Path of a page relative to the report: "cues/3.html" for the question of a trial, "cues/3-1.html" for the first of
/// several.
std::string question_path(const Json& row, std::optional<std::size_t> question = {});

/// Page of a single question.
struct QuestionPage {
  std::string path, question;
  std::string place;  // file and line of the question, or the name of its set
  std::string html;   // markup of the page
};
/// Adds pages with links to the report and to the previous and next page.
void add_pages(const std::vector<QuestionPage>& pages, Conclusion& conclusion);

}  // namespace engram::experiments
