// SPDX-License-Identifier: MIT
// The command `engram recall`: prints the best concepts and statements for a cue.
#include <algorithm>
#include <iostream>
#include <memory>

#include "bridge/json/core_json.hpp"
#include "core/numbers/ranking.hpp"
#include "experiments/commands/command_line.hpp"
#include "experiments/commands/commands.hpp"
#include "experiments/commands/method_settings.hpp"
#include "experiments/commands/telling.hpp"
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

constexpr const char* knows_nothing = "engram: the memory knows nothing of the cue\n";

// Parses a cue of the command line. Prints an error and returns nothing if the cue is not Narsese.
std::optional<core::Cue> cue_of(core::Session& session, const char* option, const std::string& text) {
  auto cue = session.cue(text);
  if (cue) return std::move(cue).value();
  std::cerr << option << ':' << cue.error().line << ':' << cue.error().column
            << ": error: " << cue.error().message() << '\n';
  return {};
}

// Allocates budgets for a cue, so that the next cue has them as its prior.
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

// Returns the best items of one kind as a table for people, and appends them to `list` for programs.
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

// Returns the recall of one method as JSON. Also prints it on stdout unless stdout is for JSON.
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
              << " are certain; what is left out has a weight of "
              << narsese::print_number(course.left_out->weight) << " at most\n\n";
  if (!course.note.empty()) std::cout << method << ": " << course.note << "\n\n";
  if (course.period == 2) std::cout << method << ": two states alternate; this is one of them\n\n";
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

// Parses the cues. Prints an error and returns nothing if one of them is not Narsese.
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
  if (unknown(asked.cue)) std::cerr << knows_nothing;
  return asked;
}

ExitCode recall(const RecallArguments& arguments) try {
  const auto methods = configured_methods(arguments.methods, arguments.settings);
  core::MemoryOptions memory;
  memory.limits = arguments.memory;
  core::Session session(memory);
  const ExitCode code = [&] {
    const core::Session::Request reading(session);
    return read_files(arguments.files, session);
  }();
  const core::Session::Request request(session);  // may use the memory that the files have left
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
} catch (const core::OptionError& error) {  // the memory lacks learnt links, or a file does not fit it
  throw InputError((error.option == "method" ? "--method: " : "--set: ") + std::string(error.what()));
}

}  // namespace

void add_recall(CLI::App& app, ExitCode& code) {
  const auto arguments = std::make_shared<RecallArguments>();
  CLI::App* sub = add_command(
      app, "recall", "ask a memory what a cue brings back",
      "engram recall family.nal --cue '<(olav * kari) --> ?1>?' --method attention --method hopfield");
  add_option(sub, "files", arguments->files, "Narsese files, read into one memory")
      ->type_name(file_type)
      ->required();
  add_option(sub, "--cue", arguments->cue, "a sentence or a term")->required();
  add_option(sub, "--method", arguments->methods, "see `engram methods`; may be repeated")
      ->transform(any_method())
      ->take_all()
      ->allow_extra_args(false);
  add_method_settings(sub, arguments->settings);
  add_option(sub, "--top", arguments->top, "how many concepts and statements are shown")
      ->check(CLI::Range(std::size_t{1}, std::size_t{1000000}));
  sub->add_flag("--json", arguments->json, "print JSON with all digits");
  sub->add_flag("--explain", arguments->explain,
                "tell why each got its budget: sums that can be checked by hand, and the proof or the way "
                "from the cue");
  add_option(sub, "--report", arguments->report, "write the same as a page, to this file")
      ->type_name(file_type);
  add_option(sub, "--after", arguments->after,
             "another cue: its budget is what this one starts from, and explains with (core/budgets)");
  add_memory_limits(sub, arguments->memory, "bytes that what is learnt and a recall");
  sub->callback([&code, arguments] { code = recall(*arguments); });
}

}  // namespace engram::experiments
