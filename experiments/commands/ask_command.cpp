// SPDX-License-Identifier: MIT
// The command `engram ask`: answers questions of files or the command line, with their proofs.
#include <algorithm>
#include <filesystem>
#include <iostream>
#include <optional>
#include <set>

#include "bridge/json/core_json.hpp"
#include "experiments/commands/command_line.hpp"
#include "experiments/commands/diagnostics.hpp"
#include "experiments/commands/program.hpp"
#include "experiments/commands/shared_options.hpp"
#include "experiments/formats/files.hpp"
#include "experiments/formats/markup.hpp"
#include "experiments/pages/explanation.hpp"
#include "experiments/pages/page.hpp"
#include "narsese/parser.hpp"
#include "narsese/printer.hpp"

namespace engram::experiments {
namespace {

struct AskArguments {
  std::vector<std::string> words;  // names of files, and questions
  std::string method{core::default_method};
  MethodSettings settings;
  std::uint64_t steps = 2000;
  std::size_t gate = 1000;
  std::size_t answers = 5;
  std::size_t top = 5;
  bool json = false;
  std::string report;
  core::MemoryLimits memory;
};

constexpr std::size_t most_near = 3;

struct QuestionResult {
  std::string question;
  core::QuestionAnswers found;
  std::vector<core::SelectedStatement> selected;  // best statements, at most `top`
  std::size_t judgments = 0;                      // number of judgments in the memory
  std::string note;                               // remark of the method about its result
};

std::string rounded(const narsese::BudgetValue& budget) {
  return "$" + four_decimals(budget.priority) + ";" + four_decimals(budget.durability) + ";" +
         four_decimals(budget.quality) + "$";
}

std::string indented(const std::string& text) {
  std::string result = text.empty() ? "" : "  ";
  for (std::size_t i = 0; i < text.size(); ++i) {
    result += text[i];
    if (text[i] == '\n' && i + 1 < text.size()) result += "  ";
  }
  return result;
}

std::string no_answer(const QuestionResult& asked) {
  return "no answer within " + std::to_string(asked.found.steps) + " steps" +
         (asked.note.empty() ? "" : " (" + asked.note + ")") +
         (asked.found.near.empty() ? "; no known sentence shares a name with the question"
                                   : "; closest sentences:");
}

std::string selection(const QuestionResult& asked, const std::string& method) {
  return "the reasoner got " + std::to_string(asked.found.selected.size()) + " of " +
         std::to_string(asked.judgments) + " statements, in the order of " + method +
         "; the first, with budgets:";
}

std::string answer_text(const QuestionResult& asked, const std::string& method) {
  std::string text = asked.question + "\n";
  for (const core::ProvenAnswer& answer : asked.found.answers) {
    if (&answer != &asked.found.answers.front()) text += "\n";
    text += indented(proof_text(answer));
  }
  if (asked.found.answers.empty()) text += "  " + no_answer(asked) + "\n";
  for (const core::ProvenAnswer& near : asked.found.near) text += indented(indented(proof_text(near)));
  if (!asked.selected.empty()) text += "  " + selection(asked, method) + "\n";
  for (const core::SelectedStatement& one : asked.selected)
    text += "    " + rounded(one.budget) + " " + one.narsese + "\n";
  return text;
}

Json to_json(const QuestionResult& asked, const std::string& method) {
  Json selected = Json::array();
  for (const core::SelectedStatement& one : asked.selected)
    selected.push_back({{"narsese", one.narsese},
                        {"budget",
                         {{"priority", one.budget.priority},
                          {"durability", one.budget.durability},
                          {"quality", one.budget.quality}}}});
  return {{"question", asked.question},
          {"method", method},
          {"answers", bridge::to_json(asked.found.answers)},
          {"near", bridge::to_json(asked.found.near)},
          {"steps", asked.found.steps},
          {"selected", selected},
          {"selected_in_all", asked.found.selected.size()},
          {"statements", asked.judgments},
          {"note", asked.note}};
}

std::string to_html(const QuestionResult& asked, const std::string& method) {
  std::string html = fill("<h2>{}</h2>\n", {Markup{code(asked.question)}});
  for (const core::ProvenAnswer& answer : asked.found.answers)
    html += fill("<pre>{}</pre>\n", {proof_text(answer)});
  if (asked.found.answers.empty()) html += fill("<p>{}</p>\n", {no_answer(asked)});
  for (const core::ProvenAnswer& near : asked.found.near) html += fill("<pre>{}</pre>\n", {proof_text(near)});
  if (asked.selected.empty()) return html;
  std::string rows;
  const double most = asked.selected.front().budget.priority;
  for (const core::SelectedStatement& one : asked.selected)
    rows += fill("<tr><td class=\"prose\">{}</td><td>{}{}</td><td>{}</td><td>{}</td></tr>\n",
                 {Markup{code(one.narsese)}, Markup{bar(one.budget.priority, most)},
                  four_decimals(one.budget.priority), four_decimals(one.budget.durability),
                  four_decimals(one.budget.quality)});
  return html + fill(
                    "<p>{}</p>\n<div class=\"scroll\"><table><thead><tr><th>statement</th><th>priority</th>"
                    "<th>durability</th><th>quality</th></tr></thead>\n<tbody>{}</tbody></table></div>\n",
                    {selection(asked, method), Markup{rows}});
}

// Questions end in ? or @; every other word is a file.
bool is_question(const std::string& word) {
  const std::size_t last = word.find_last_not_of(" \t");
  return last != std::string::npos && (word[last] == '?' || word[last] == '@');
}

QuestionResult answered(core::Session& session, const std::string& question,
                        const core::ConfiguredMethod& method, const AskArguments& arguments) {
  QuestionResult asked;
  asked.question = question;
  std::optional<core::Recall> first;
  const auto scores = [&](core::Session& memory, const core::Cue& cue) {
    core::Recall recall = memory.recall(method, cue);
    if (!first) first = recall;
    return std::move(recall).statements;
  };
  core::AnsweringOptions answering;
  answering.steps = arguments.steps;
  answering.gate = arguments.gate;
  answering.max_answers = arguments.answers;
  answering.max_near = most_near;
  asked.found = core::answer_question(session, question, scores, answering);
  if (first) asked.note = first->note;

  const core::Memory& memory = session.memory();
  for (core::StatementId id = 0; id < memory.statements().size(); ++id)
    if (memory.statements()[id].sentence.punctuation == narsese::Punctuation::judgment) ++asked.judgments;
  asked.selected = core::selected_with_budgets(session, *first, asked.found, arguments.top);
  return asked;
}

// Returns whether a text is valid Narsese. If it is not, prints the reason on stderr.
bool reads(core::Session& session, const std::string& question) {
  narsese::TermTable table;
  const auto sentence = narsese::parse_sentence(question, table);
  std::optional<std::string> wrong;
  std::size_t column = 1;
  if (!sentence) {
    wrong = sentence.error().message();
    column = sentence.error().column;
  } else if (const auto cue = session.cue(question); !cue) {
    wrong = cue.error().message();
    column = cue.error().column;
  }
  if (wrong) std::cerr << "engram: question:1:" << column << ": error: " << *wrong << '\n';
  return !wrong;
}

ExitCode ask(const AskArguments& arguments) {
  const core::ConfiguredMethod method = configured_method(arguments.method, arguments.settings);
  std::vector<std::string> files, questions;
  for (const std::string& word : arguments.words) (is_question(word) ? questions : files).push_back(word);
  if (files.empty()) throw InputError("expected a Narsese file that has the facts (- for standard input)");
  for (const std::string& file : files)
    if (file.find_first_of("<(") != std::string::npos && !std::filesystem::exists(file))
      throw InputError("'" + legible(file) +
                       "' is not a question, and no file of that name exists: a question ends in ? or @");

  core::MemoryOptions memory;
  memory.limits = arguments.memory;
  core::Session session(memory);
  const bool from_files = questions.empty();
  ExitCode code = [&] {
    const core::Session::Request reading(session);
    return read_files(files, session, [&](const narsese::NalLine& line) {
      if (from_files && line.kind == narsese::NalLine::Kind::sentence && line.sentence.asks())
        questions.push_back(narsese::print(line.sentence));
    });
  }();
  if (questions.empty())
    throw InputError("expected a question in the files or on the command line, such as '<tweety --> ?x>?'");
  Json results = Json::array();
  std::string page;
  for (const std::string& question : questions) {
    const core::Session::Request request(session);
    if (!reads(session, question)) {
      code = input_errors;
      continue;
    }
    if (!from_files) tell_unknown_names(session, "question", question);
    const QuestionResult asked = answered(session, question, method, arguments);
    if (arguments.json)
      results.push_back(to_json(asked, method.name()));
    else
      std::cout << (page.empty() ? "" : "\n") << answer_text(asked, method.name());
    page += to_html(asked, method.name());
  }
  if (arguments.json) std::cout << results.dump(2) << '\n';
  if (!arguments.report.empty())
    write_file(arguments.report, page_html("Engram: answers", "<h1>Answers</h1>\n" + page));
  return code;
}

}  // namespace

void add_ask(CLI::App& app, ExitCode& code) {
  auto [command, arguments] =
      add_command(app, code, "ask", "answer a question from Narsese files, with its proof",
                  "engram ask family.nal '<(*,olav,henrik) --> ?1>?'", ask);
  add_option(
      command, "files_and_questions", arguments.words,
      "Narsese files (- is standard input) and questions, which end in ? or @. Without a question, the\n"
      "command answers the questions in the files",
      is_file, is_required);
  add_method(command, arguments.method, "method that selects statements", arguments.settings);
  add_option(command, "--steps", arguments.steps, "most steps of inference for a question",
             in_range(1, 1'000'000'000));
  add_option(command, "--gate", arguments.gate,
             "most statements that the reasoner receives, the ones with the largest budgets",
             in_range(1, 1'000'000));
  add_option(command, "--answers", arguments.answers, "most answers to a question with ?x",
             in_range(1, 1'000'000));
  add_option(command, "--top", arguments.top, "number of selected statements to print with their budgets",
             in_range(1, 1'000'000));
  add_option(command, "--json", arguments.json, "print JSON with all digits");
  add_option(command, "--report", arguments.report, "write the answers to this file as an HTML page",
             is_file);
  add_memory_limits(command, arguments.memory, "the memory and a question");
}

}  // namespace engram::experiments
