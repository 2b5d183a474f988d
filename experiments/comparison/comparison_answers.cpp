// SPDX-License-Identifier: MIT
#include "experiments/comparison/comparison.hpp"

#include <algorithm>
#include <filesystem>
#include <map>

#include "experiments/formats/markup.hpp"
#include "experiments/pages/explanation.hpp"

namespace engram::experiments::comparison {
namespace {

constexpr std::size_t most_on_terminal = 12;  // limit of questions
constexpr std::size_t terminal_width = 100;

std::string answer_text(const Json& row) {
  if (row.at("answers").empty()) return no_answer;
  const Json& best = row.at("answers").at(0);
  return best.at("term").get<std::string>() + ". " + truth_text(best.at("truth"));
}

std::string indented(const std::string& text, const std::string& indent) {
  std::string out;
  const std::string broken = wrapped(text, terminal_width - indent.size());
  for (std::size_t from = 0; from < broken.size();) {
    const std::size_t end = std::min(broken.find('\n', from), broken.size());
    out += indent + broken.substr(from, end - from) + "\n";
    from = end + 1;
  }
  return out;
}

// Number of questions that each method answers, or answers as expected. Methods are in the order of the rows.
struct Counted {
  std::vector<std::string> methods;
  std::vector<std::size_t> counts;
  std::size_t questions = 0;

  Counted(const std::vector<CueRows>& cues, const char* member) {
    std::map<std::string, std::size_t> place;
    for (const CueRows& cue : cues) {
      if (!cue.first().contains(member)) continue;
      ++questions;
      for (const Json& row : cue.rows) {
        const auto method = row.at("method").get<std::string>();
        const auto [found, is_new] = place.emplace(method, methods.size());
        if (is_new) {
          methods.push_back(method);
          counts.push_back(0);
        }
        counts[found->second] += row.at(member).get<bool>() ? 1 : 0;
      }
    }
  }
  std::vector<std::string> with(std::size_t count) const {
    std::vector<std::string> found;
    for (std::size_t i = 0; i < methods.size(); ++i)
      if (counts[i] == count) found.push_back(methods[i]);
    return found;
  }
};

// The first three names: "a, b, c and 4 others".
std::string first_names(const std::vector<std::string>& names) {
  constexpr std::size_t shown = 3;
  const std::size_t count = names.size() > shown + 1 ? shown : names.size();
  std::string text;
  for (std::size_t i = 0; i < count; ++i)
    text += (i == 0 ? "" : i + 1 == count && count == names.size() ? " and " : ", ") + names[i];
  if (count < names.size()) text += " and " + std::to_string(names.size() - count) + " others";
  return text;
}

// The expected answers as text: "expected: <a --> b>."; empty if the file expects nothing.
std::string expectation_text(const CueRows& cue) {
  std::string text;
  for (const Json& expected : cue.first().at("expected"))
    text += (text.empty() ? "expected: " : ", or ") + expected.get<std::string>();
  return text.empty() && cue.has_expectation() ? "expected: no answer" : text;
}

// Text such as "3 of 3 questions with attention and 2 others, and 1, the fewest, with uniform".
std::string counts_text(const Counted& counted, const std::string& how) {
  const auto [least, most] = std::ranges::minmax(counted.counts);
  const auto with = [&](std::size_t count) {
    const auto names = counted.with(count);
    return names.size() == counted.methods.size() ? "every method" : first_names(names);
  };
  std::string text = std::to_string(most) + " of " + std::to_string(counted.questions) +
                     (counted.questions == 1 ? " question" : " questions") + how + " with " + with(most);
  if (least < most) text += ", and " + std::to_string(least) + ", the fewest, with " + with(least);
  return text;
}

}  // namespace

std::string CueRows::place() const {
  return std::filesystem::path(first().at("file").get<std::string>()).filename().string() + ":" +
         std::to_string(whole(first().at("line")));
}

std::vector<CueRows> by_cue(const std::vector<Json>& rows) {
  std::vector<CueRows> cues;
  for (std::size_t i = 0; i < rows.size();) {
    const std::size_t first = i;
    while (i < rows.size() && rows[i].at("trial") == rows[first].at("trial")) ++i;
    cues.push_back({std::span(rows).subspan(first, i - first), first + 1});
  }
  return cues;
}

std::vector<AnswerGroup> answers_to(const CueRows& cue) {
  std::vector<AnswerGroup> groups;
  for (const Json& row : cue.rows) {
    const std::string answer = answer_text(row);
    auto group = std::ranges::find(groups, answer, &AnswerGroup::answer);
    if (group == groups.end()) {
      groups.push_back({answer, {}, {}});
      if (row.contains("as_expected")) groups.back().as_expected = row.at("as_expected").get<bool>();
      group = groups.end() - 1;
    }
    group->methods.push_back(row.at("method").get<std::string>());
  }
  std::ranges::stable_sort(groups, [](const AnswerGroup& a, const AnswerGroup& b) {
    const bool a_is_none = a.answer == no_answer, b_is_none = b.answer == no_answer;
    return a_is_none != b_is_none ? b_is_none : a.methods.size() > b.methods.size();
  });
  return groups;
}

std::string names_of_methods(const std::vector<std::string>& some, std::size_t all) {
  if (some.size() == all && all > 1) return "all " + std::to_string(all) + " methods";
  std::string text;
  for (const std::string& name : some) text += (text.empty() ? "" : ", ") + name;
  return text;
}

std::string truth_text(const Json& truth) {
  return "%" + four_decimals(truth.at(0).get<double>()) + ";" + four_decimals(truth.at(1).get<double>()) +
         "%";
}

Table answers_table(const std::vector<CueRows>& cues) {
  Table table{"answers",
              "Answers of Engram's reasoner to each question from only the statements that a method selects: "
              "the best "
              "answer, and the methods that lead to it. An answer is as expected if the file expects the "
              "same term on the "
              "same side of frequency 1/2.",
              {"question", "place", "answer", "as expected", "methods", "names"}};
  for (const CueRows& cue : cues) {
    if (!cue.is_answered()) continue;
    for (const AnswerGroup& group : answers_to(cue))
      table.rows.push_back({cell(cue.first().at("cue").get<std::string>()), cell(cue.place()),
                            cell(group.answer),
                            cell(!group.as_expected   ? "-"
                                 : *group.as_expected ? "yes"
                                                      : "no"),
                            cell(static_cast<double>(group.methods.size()), 0),
                            cell(names_of_methods(group.methods, cue.rows.size()))});
  }
  return table;
}

std::string answers_text(const std::vector<CueRows>& cues) {
  std::string text;
  std::size_t shown = 0, left = 0;
  for (const CueRows& cue : cues) {
    if (!cue.is_answered()) continue;
    if (shown == most_on_terminal) {
      ++left;
      continue;
    }
    text += shown++ == 0 ? "" : "\n";
    const std::string expected = expectation_text(cue);
    text += legible(cue.first().at("cue").get<std::string>()) + "   (" + legible(cue.place()) +
            (expected.empty() ? "" : "; " + legible(expected)) + ")\n";
    for (const AnswerGroup& group : answers_to(cue))
      text += "  " + legible(group.answer) +
              (!group.as_expected   ? ""
               : *group.as_expected ? "   as expected"
                                    : "   not as expected") +
              "\n" + indented("with " + legible(names_of_methods(group.methods, cue.rows.size())), "      ");
  }
  if (left > 0) text += "\n" + std::to_string(left) + " more questions are in the report.\n";
  return text;
}

std::string answers_sentence(const std::vector<CueRows>& cues, std::size_t capacity) {
  const Counted answered(cues, "answered"), expected(cues, "as_expected");
  if (answered.methods.empty()) return "";
  std::string text = "From the " + std::to_string(capacity) +
                     " best statements of a method, Engram's reasoner answers " + counts_text(answered, "");
  if (expected.questions > 0) text += ". It answers " + counts_text(expected, " as expected");
  return text + ".";
}

std::string advice_on_expectations(const std::vector<CueRows>& cues) {
  const bool expects = std::ranges::any_of(cues, &CueRows::has_expectation),
             needs = std::ranges::any_of(cues, &CueRows::has_needed);
  const auto asked = std::ranges::find_if(cues, &CueRows::is_answered);
  if (asked == cues.end() || (expects && needs)) return "";
  // Find an example: an answer, and a statement that it follows from.
  std::string question = asked->first().at("cue").get<std::string>(), answer, needed;
  for (const CueRows& cue : cues)
    for (const Json& row : cue.rows) {
      if (!answer.empty() || !row.contains("answers") || row.at("answers").empty()) continue;
      const Json& best = row.at("answers").at(0);
      question = row.at("cue").get<std::string>();
      answer = best.at("term").get<std::string>() + ".";
      if (const Json& truth = best.at("truth");
          truth.at(0).get<double>() <= 0.5)  // without a truth value, the default frequency 1 would apply
        answer += " Truth: frequency=" + four_decimals(truth.at(0).get<double>()) +
                  ", confidence=" + four_decimals(truth.at(1).get<double>());
      for (const Json& line : best.at("proof"))
        if (needed.empty() && line.at("premises").empty() && line.contains("truth"))
          needed = line.at("narsese").get<std::string>();
    }
  if (answer.empty()) answer = "None.";
  std::string text =
      "Write the expected answer and the statements of its proof below a question, so that the methods can "
      "be "
      "measured. For example, below " +
      legible(question) + ":\n";
  text = wrapped(text, terminal_width);
  if (!expects) text += "  //expected: Answer: " + legible(answer) + "\n";
  if (!needs && !needed.empty()) text += "  //needed: " + legible(needed) + "\n";
  return text;
}

}  // namespace engram::experiments::comparison
