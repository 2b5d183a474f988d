// SPDX-License-Identifier: MIT
// The command `engram recall`: prints the best concepts and statements for a cue.
#include <algorithm>
#include <iostream>

#include "bridge/json/core_json.hpp"
#include "core/numbers/ranking.hpp"
#include "experiments/commands/command_line.hpp"
#include "experiments/commands/diagnostics.hpp"
#include "experiments/commands/program.hpp"
#include "experiments/commands/shared_options.hpp"
#include "experiments/formats/files.hpp"
#include "experiments/pages/explanation.hpp"
#include "narsese/printer.hpp"

namespace engram::experiments {
namespace {

struct RecallArguments {
  std::vector<std::string> files;
  std::string cue;
  std::vector<std::string> methods{std::string(core::default_method)};
  MethodSettings settings;
  std::size_t top = 10;
  bool json = false;
  bool explain = false;  // explain each budget
  std::string report;    // file for the explanations as an HTML page
  std::string after;     // cue of an earlier recall, whose budgets are the prior
  core::MemoryLimits memory;
};

// Parses a cue of the command line. Prints an error and returns nothing if the cue is not Narsese.
std::optional<core::Cue> cue_of(core::Session& session, const char* option, const std::string& text) {
  auto cue = session.cue(text);
  if (cue) return std::move(cue).value();
  std::cerr << option << ':' << cue.error().line << ':' << cue.error().column
            << ": error: " << cue.error().message() << '\n';
  return {};
}

// Allocates budgets for a cue. The next recall uses them as its prior.
void allocate_for(core::Session& session, const core::ConfiguredMethod& method, const core::Cue& cue) {
  core::AllocationOptions options;
  options.cut.capacity = std::max(session.memory().graph().size(), session.memory().statements().size());
  const core::Recall recall = session.recall(method, cue);
  for (const core::AllocationOf of : {core::AllocationOf::concepts, core::AllocationOf::statements}) {
    options.of = of;
    session.allocate(recall, options);
  }
}

using Ranked = std::vector<std::pair<std::string, double>>;

template <class Text>
Ranked best_of(const core::SparseVector& scores, std::size_t top, Text text) {
  Ranked best;
  for (const auto id : core::rank(scores, top)) best.emplace_back(text(id), scores[id]);
  return best;
}

// Returns the best items of one kind as a table for people, and appends them to the JSON array `list`.
Table table_of(const char* kind, const std::string& method, const Ranked& best, const char* name_member,
               Json& list) {
  Table table{"", "", {kind, method}};
  list = Json::array();
  for (const auto& [text, score] : best) {
    table.rows.push_back({cell(text), cell(score, 6)});
    list.push_back({{name_member, text}, {"value", score}});
  }
  return table;
}

// Returns the recall of one method as JSON. With `in_words`, also prints it on stdout as tables.
Json tell_recall(const std::string& method, const Ranked& concepts, const Ranked& statements,
                 const core::Recall& course, bool in_words) {
  Json json = {{"method", method}};
  const Table of_concepts = table_of("concept", method, concepts, "term", json["concepts"]);
  const Table of_statements = table_of("statement", method, statements, "narsese", json["statements"]);
  bridge::add_course(json, course);
  if (!in_words) return json;
  std::cout << to_text(of_concepts) << '\n' << to_text(of_statements) << '\n';
  if (course.certificate) std::cout << method << ": " << certificate_text(json["certificate"]) << "\n\n";
  if (course.left_out)
    std::cout << method << ": the first " << course.left_out->certain
              << " are certain; the omitted items have a weight of "
              << narsese::print_number(course.left_out->weight) << " at most\n\n";
  if (!course.note.empty()) std::cout << method << ": " << course.note << "\n\n";
  if (course.period == 2)
    std::cout << method << ": the recall alternates between two states; this is the last one\n\n";
  return json;
}

struct Asked {
  core::Cue cue;
  std::optional<core::Cue> after;
  bool explained = false;
};

// Runs the recall of one method and prints or returns it, as tell_recall() does.
Json recall_by(const core::ConfiguredMethod& method, const Asked& asked, const RecallArguments& arguments,
               core::Session& session, std::vector<core::ExplainedRecall>& explanations) {
  const core::Memory& memory = session.memory();
  const core::Recall recall = session.recall(method, asked.cue);
  Json json = tell_recall(method.name(),
                          best_of(recall.concepts, arguments.top,
                                  [&](auto id) { return narsese::print(memory.graph()[id].term); }),
                          best_of(recall.statements, arguments.top,
                                  [&](auto id) { return narsese::print(memory.statements()[id].sentence); }),
                          recall, !arguments.json);
  if (!asked.explained) return json;
  if (asked.after) allocate_for(session, method, *asked.after);
  explanations.push_back(
      core::explain_recall(session, method, asked.cue, recall, arguments.top, asked.after.has_value()));
  json["explanation"] = bridge::to_json(explanations.back());
  if (!arguments.json) std::cout << to_text(explanations.back()) << '\n';
  return json;
}

// Parses the cues. Prints an error and returns nothing if a cue is not Narsese.
std::optional<Asked> asked_of(core::Session& session, const RecallArguments& arguments) {
  Asked asked;
  asked.explained = arguments.explain || !arguments.report.empty() || !arguments.after.empty();
  const auto cue = cue_of(session, "--cue", arguments.cue);
  if (!arguments.after.empty()) asked.after = cue_of(session, "--after", arguments.after);
  if (!cue || (!arguments.after.empty() && !asked.after)) return {};
  asked.cue = *cue;
  tell_unknown_names(session, "--cue", arguments.cue);
  if (asked.after) tell_unknown_names(session, "--after", arguments.after);
  const auto unknown = [](const core::Cue& asked_for) { return !asked_for.activation.any_above_zero(); };
  if (asked.after && unknown(*asked.after))
    std::cerr << "engram: the memory knows nothing of the cue of --after\n";
  if (unknown(asked.cue)) std::cerr << "engram: the memory knows nothing of the cue\n";
  return asked;
}

ExitCode recall(const RecallArguments& arguments) {
  const auto methods = configured_methods(arguments.methods, arguments.settings);
  core::MemoryOptions memory;
  memory.limits = arguments.memory;
  core::Session session(memory);
  const ExitCode code = [&] {
    const core::Session::Request reading(session);
    return read_files(arguments.files, session);
  }();
  const core::Session::Request request(session);  // its budget is the memory that reading the files has left
  const auto asked = asked_of(session, arguments);
  if (!asked) return input_errors;
  std::vector<core::ExplainedRecall> explanations;
  Json results = Json::array();
  for (const std::string& name : arguments.methods)
    results.push_back(recall_by(methods.at(name), *asked, arguments, session, explanations));
  if (arguments.json) std::cout << results.dump(2) << '\n';
  if (!arguments.report.empty())
    write_file(arguments.report,
               explanation_html(arguments.cue,
                                arguments.after.empty() ? std::nullopt : std::optional(arguments.after),
                                explanations));
  return code;
}

}  // namespace

void add_recall(CLI::App& app, ExitCode& code) {
  auto [command, arguments] = add_command(
      app, code, "recall", "print the best concepts and statements of a memory for a cue",
      "engram recall family.nal --cue '<(olav * kari) --> ?1>?' --method attention --method hopfield",
      recall);
  add_option(command, "files", arguments.files, "Narsese files, read into one memory", is_file, is_required);
  add_option(command, "--cue", arguments.cue, "a sentence or a term", is_required);
  add_method(command, arguments.methods, "method that scores concepts and statements", arguments.settings);
  add_option(command, "--top", arguments.top, "number of concepts and statements to print",
             in_range(1, 1'000'000));
  add_option(command, "--json", arguments.json, "print JSON with all digits");
  add_option(
      command, "--explain", arguments.explain,
      "explain each budget by sums that can be checked by hand, and by the proof or the path from the cue");
  add_option(command, "--report", arguments.report, "write the explanations to this file as an HTML page",
             is_file);
  add_option(command, "--after", arguments.after,
             "earlier cue; its budgets are the prior of the explained budgets (core/budgets)");
  add_memory_limits(command, arguments.memory, "the memory and a recall");
}

}  // namespace engram::experiments
