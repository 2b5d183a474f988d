// SPDX-License-Identifier: MIT
// The command `engram attach`: sends a Narsese file or a stream to a NARS and learns from its output. With --gate,
// selects the statements that the NARS gets for each question.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>

#include "bridge/attach/attachment.hpp"
#include "bridge/json/core_json.hpp"
#include "bridge/json/nars_event.hpp"
#include "core/numbers/work_budget.hpp"
#include "core/proofs/proof_methods.hpp"
#include "experiments/commands/attach_stream.hpp"
#include "experiments/commands/command_line.hpp"
#include "experiments/commands/commands.hpp"
#include "experiments/commands/durable_option.hpp"
#include "experiments/commands/live_page.hpp"
#include "experiments/commands/method_settings.hpp"
#include "experiments/commands/page_option.hpp"
#include "experiments/commands/session_log.hpp"
#include "experiments/commands/telling.hpp"
#include "experiments/formats/escapes.hpp"
#include "experiments/formats/files.hpp"
#include "experiments/pages/session_report.hpp"
#include "experiments/runs/interruption.hpp"
#include "narsese/nal_line.hpp"
#include "narsese/printer.hpp"
#include "narsese/text.hpp"

namespace engram::experiments {
namespace {

using bridge::AskedQuestion;
using bridge::TranscriptEntry;

struct OutcomeCounts {
  std::size_t answered = 0, expected = 0, truth = 0, term = 0;
  std::size_t expected_truths = 0, met_truths = 0;  // counts of questions with an expected truth value
};

OutcomeCounts counts_of(const bridge::AttachSummary& summary) {
  OutcomeCounts counts;
  for (const AskedQuestion& question : summary.questions) {
    counts.answered += question.answer.has_value();
    counts.expected += question.outcome.has_value();
    counts.truth += question.outcome == bridge::AnswerOutcome::truth;
    counts.term += question.outcome == bridge::AnswerOutcome::term;
    counts.expected_truths += question.expects_truth;
    counts.met_truths += question.expects_truth && question.outcome == bridge::AnswerOutcome::truth;
  }
  return counts;
}

void tell_of(const bridge::AttachSummary& summary, const bridge::AttachedMemory& memory,
             const std::string& model_file) {
  const OutcomeCounts counts = counts_of(summary);
  std::cerr << "engram: " << memory.stated_count() << " statements, " << summary.questions.size()
            << " questions: " << counts.answered << " answered";
  if (counts.expected > 0)
    std::cerr << ", " << counts.truth + counts.term << " of " << counts.expected << " as expected";
  if (counts.expected_truths > 0)
    std::cerr << ", " << counts.met_truths << " of " << counts.expected_truths << " with the expected truth";
  if (summary.restarts > 0) std::cerr << "; the reasoner was restarted " << summary.restarts << " times";
  const core::ForgettingHistory& gone = memory.session().forgetting().state().so_far;
  if (gone.statements + gone.links > 0)
    std::cerr << "; forgotten: " << gone.statements << " statements, " << gone.concepts << " concepts, "
              << gone.links << " links";
  std::cerr << "\nengram: memory: sha256 " << memory.end().memory << '\n';
  if (!memory.model()) return;
  const core::ProofLearnerState& learnt = *memory.model()->model().learning;
  std::cerr << "engram: " << model_file << ": has learnt from " << learnt.answered << " answers and "
            << learnt.failed << " questions without one; for --model\n";
}

struct AttachArguments {
  std::string file;
  bridge::AttachOptions options;  // the members below override these
  std::string system = "ona", method{core::default_method};
  MethodSettings settings;
  std::string names = "short";  // "short" or "keep"
  std::string steering;         // name of a bridge::Steering; empty: none
  std::string learning;         // name of a bridge::Learning; empty: all, or answers with a gate
  std::string learnt_model;     // file of the learnt model
  std::string log;
  std::string summary;  // file for JSON
  std::string report;   // file for an HTML page
  std::optional<std::uint16_t> page_port;
  std::string token;  // access token of the page
  DurableArguments durable;
  core::MemoryLimits memory;
  ForgetArgument forget;
  CLI::Option* forget_given = nullptr;
  StreamArguments stream;
};

// Returns the result of a session as JSON.
Json summary_json(const AttachArguments& arguments, const bridge::AttachSummary& summary,
                  const bridge::AttachedMemory& memory) {
  Json questions = Json::array();
  const OutcomeCounts counts = counts_of(summary);
  for (const AskedQuestion& question : summary.questions) {
    Json row{{"question", question.narsese},
             {"answer", nullptr},
             {"truth", nullptr},
             {"outcome", nullptr},
             {"timed_out", question.timed_out},
             {"cycles", question.cycles},
             {"seconds", question.took.count()},
             {"given", question.given},
             {"refused", nullptr},
             {"failed", nullptr}};
    if (!question.failure.empty()) row["failed"] = question.failure;
    if (!question.refusal.empty()) row["refused"] = question.refusal;
    if (question.answer) row["answer"] = narsese::print(*question.answer->term);
    if (question.answer && question.answer->truth)
      row["truth"] = {question.answer->truth->frequency, question.answer->truth->confidence};
    if (question.outcome) row["outcome"] = name_of(bridge::answer_outcomes, *question.outcome);
    questions.push_back(std::move(row));
  }
  const bridge::SessionEnd end = memory.end();
  Json model = nullptr;
  if (memory.model()) {
    const core::ProofLearnerState& learnt = *memory.model()->model().learning;
    model = {{"answered", learnt.answered}, {"failed", learnt.failed}, {"sha256", *end.model}};
  }
  return {{"system", arguments.system},
          {"gate", arguments.options.gate.value_or(0)},
          {"share", arguments.options.share ? Json(*arguments.options.share) : Json(nullptr)},
          {"method", arguments.method},
          {"steering", arguments.steering},
          {"fresh", arguments.options.fresh},
          {"statements", memory.stated_count()},
          {"questions", summary.questions.size()},
          {"answered", counts.answered},
          {"with_expectation", counts.expected},
          {"with_expected_truth", counts.expected_truths},
          {"outcomes",
           {{"truth", counts.truth},
            {"term", counts.term},
            {"wrong", counts.expected - counts.truth - counts.term}}},
          {"restarts", summary.restarts},
          {"forgotten", bridge::forgetting_json(memory.session().forgetting())},
          {"memory_sha256", end.memory},
          {"model", std::move(model)},
          {"rows", std::move(questions)}};
}

bridge::AttachOptions options_of(const AttachArguments& arguments) {
  bridge::AttachOptions options = arguments.options;
  options.system = bridge::find_nars_system(arguments.system);
  options.method = configured_methods({arguments.method}, arguments.settings).at(arguments.method);
  options.renames = arguments.names == "short";
  options.steering = value_named(bridge::steerings, arguments.steering);
  const bool embedded = options.system->embedded != nullptr;
  if (!embedded && options.command.empty())
    throw InputError(
        "behind -- must stand the command that starts the NARS, such as -- ./NAR shell, or --system engram");
  if (embedded && !options.command.empty())
    throw InputError(
        "--system engram is the reasoner in this program: no command may stand behind --, found " +
        options.command.front());
  if (const std::string reason = bridge::options_error(options); !reason.empty()) throw InputError(reason);
  return options;
}

// Returns the model with which the session continues learning: the model of --model with its learnt state, or the
// shipped default. Weights given by --set override it.
bridge::Model model_of(const AttachArguments& arguments, const bridge::AttachOptions& options) {
  if (arguments.method != core::proof_attention_name)
    throw InputError("--learn-model: only the weights of " + std::string(core::proof_attention_name) +
                     " are learnt on, found --method " + arguments.method);
  bridge::Model model{arguments.method, {}, {{"by", "engram attach --learn-model"}}};
  for (bridge::Model& read : read_models(arguments.settings.models)) model = std::move(read);
  model.options = options.method->options();
  std::vector<core::ProofFeature> frozen;
  for (std::size_t f = 0; f < core::proof_features; ++f)
    for (const std::string& setting : arguments.settings.options)
      if (const std::string name(core::proof_feature_facts[f].name);
          setting.starts_with(name + "=") || setting.starts_with(arguments.method + "." + name + "="))
        frozen.push_back(static_cast<core::ProofFeature>(f));
  if (model.learning) model.learning->weights = core::proof_settings(model.options).theta;
  return bridge::ModelLearning(std::move(model), frozen).model();
}

// Rejects --durable with --learn all. In a stored memory, inferences could not be told apart from input, and the next
// session would send them to the NARS as input.
void require_keepable(const AttachArguments& arguments) {
  if (arguments.durable.folder.empty()) return;
  if (arguments.learning == "all")
    throw InputError(
        "--durable keeps what the user says and what answers reinforce: --learn must be answers or nothing, "
        "found all");
  if (!arguments.log.empty())
    throw InputError("--log: a transcript begins with an empty memory, and with --durable there may be more");
}

// Runs `attach --stream`. A stream takes no FILE argument, so everything after `--` belongs to the command of the NARS.
ExitCode stream(AttachArguments arguments) {
  std::vector<std::string>& command = arguments.options.command;
  if (!arguments.file.empty()) command.insert(command.begin(), arguments.file);
  for (const auto& [given, name] : {std::pair(arguments.options.gate.has_value(), "--gate"),
                                    {arguments.options.fresh, "--fresh"},
                                    {!arguments.steering.empty(), "--steer"},
                                    {!arguments.learnt_model.empty(), "--learn-model"},
                                    {!arguments.durable.folder.empty(), "--durable"},
                                    {arguments.page_port.has_value(), "--page"}})
    if (given) throw InputError(std::string(name) + " is not for a --stream");
  const bridge::AttachOptions options = options_of(arguments);
  // A stream has no end, so a full memory forgets by default.
  const bool forgets = arguments.forget_given->count() > 0;
  return attach_stream(
      arguments.stream, options,
      {.system = options.system,
       .learning =
           *value_named(bridge::learnings, arguments.learning.empty() ? "nothing" : arguments.learning),
       .limits = arguments.memory,
       .forgetting = forgets ? arguments.forget.options().policy : core::ForgettingPolicy::learnt},
      {.log = arguments.log, .summary = arguments.summary, .report = arguments.report});
}

// Returns a hint for users if talking to the NARS failed.
std::string hint_for(const AttachArguments& arguments) {
  const std::vector<std::string>& command = arguments.options.command;
  const bool lacks_shell = !command.empty() && arguments.system == "ona" &&
                           std::filesystem::path(command.front()).filename() == "NAR" &&
                           std::ranges::find(command, "shell") == command.end();
  return lacks_shell ? "\n  ONA's program reads Narsese only as a shell: -- " + command.front() + " shell"
                     : "";
}

// Runs a session with a NARS. Prints events as JSON lines on stdout (bridge/schema/event.schema.json).
ExitCode attach(const AttachArguments& arguments) {
  if (arguments.stream.is_given()) return stream(arguments);
  if (arguments.file.empty()) throw InputError("a Narsese file must be named, or --stream");
  std::ifstream input = open_stream(arguments.file);
  const bridge::AttachOptions options = options_of(arguments);
  require_keepable(arguments);
  for (const std::string* file : {&arguments.summary, &arguments.report})
    if (!file->empty()) require_writable(*file);
  // With a gate, the memory learns only answers. A reasoner derives little from its few statements, and learning all of
  // it would make attention find fewer of the statements that the next question needs.
  const std::string learning = !arguments.learning.empty()                         ? arguments.learning
                               : options.gate || !arguments.durable.folder.empty() ? "answers"
                                                                                   : "all";
  bridge::SessionStart start{.system = options.system,
                             .learning = *value_named(bridge::learnings, learning),
                             .limits = arguments.memory,
                             .forgetting = arguments.forget.options().policy};
  if (!arguments.learnt_model.empty()) start.model = model_of(arguments, options);
  const auto durable = durable_memory(arguments.durable);
  bridge::AttachedMemory memory(start, durable ? durable->observer() : nullptr);
  if (durable) {
    durable->attend(memory.session());
    memory.adopt_statements();
  }
  SessionLog transcript(arguments.log, start);
  // Saves the model once before the first question, so that an unwritable file is reported early.
  std::optional<core::ProofLearnerState> saved;
  const auto save = [&] {
    if (!memory.model() || saved == memory.model()->model().learning) return;
    write_file(arguments.learnt_model, bridge::to_text(memory.model()->model()));
    saved = memory.model()->model().learning;
  };
  save();
  std::vector<TranscriptEntry> entries;
  std::optional<bridge::SessionViewers> viewers;
  bridge::Attachment attachment(
      options, memory,
      [&](const TranscriptEntry& entry) {
        if (viewers) viewers->publish_if_requested();
        transcript.write(bridge::to_json(entry));
        if (!arguments.report.empty()) entries.push_back(entry);
      },
      [](const bridge::NarsEvent& event) { std::cout << bridge::to_json(event) << '\n'; });
  std::optional<LivePage> page;
  if (arguments.page_port) {
    viewers.emplace(memory.session(), attachment.summary());
    page.emplace(*viewers, *arguments.page_port, arguments.token);
  }
  const auto use = [&] { return viewers ? viewers->lock() : std::unique_lock<std::mutex>(); };
  bool stopped = false;
  std::string line, failure;
  bool started = true;
  const narsese::ParseLimits limits;
  try {
    const Interruption interruption;
    // Reads one byte more than a line may have, so that the parser reports lines that are too long.
    for (std::size_t number = 1;
         narsese::read_line(input, line, limits.max_line_bytes + 1) != narsese::LineStatus::end; ++number) {
      core::check_cancelled();
      if (number == 1 && line.starts_with(narsese::byte_order_mark))
        line.erase(0, narsese::byte_order_mark.size());
      {
        const auto used = use();
        const bridge::OneRecord record(durable.get());
        attachment.line(number, line);
      }
      if (durable) durable->settle();
      save();
    }
    require_whole(input, arguments.file);
    const auto used = use();
    attachment.finish();
  } catch (const bridge::CannotStart& error) {
    failure = std::string(error.what()) + "\n  behind -- stands the command that starts the NARS, such as " +
              "-- ./NAR shell: its program's path, or a name on PATH, then its arguments";
    started = false;
  } catch (const bridge::ReasonerError& error) {
    failure = error.what();
  } catch (const core::OptionError& error) {  // the memory lacks learnt links, or a file does not fit it
    throw InputError(std::string("--set: ") + error.what());
  } catch (const core::WorkStopped& why) {
    stopped = why.reason == core::WorkStopped::Reason::cancelled;
    if (!stopped) failure = why.what();
  }
  if (durable) durable->settle();
  save();
  transcript.write(bridge::to_json(memory.end()));
  std::cout << std::flush;
  if (started) tell_of(attachment.summary(), memory, arguments.learnt_model);
  if (!arguments.summary.empty())
    write_stream(arguments.summary, summary_json(arguments, attachment.summary(), memory).dump(1) + "\n");
  if (!arguments.report.empty()) write_stream(arguments.report, session_report(start, entries));
  Rejections rejections;
  for (const core::RejectedLine& rejected : attachment.summary().rejected)
    rejections.emplace_back(arguments.file, rejected);
  const ExitCode code = report_rejections(rejections);
  if (stopped) {
    std::cerr << "engram: interrupted; what was heard until then has been learnt and told\n";
    return interrupted;
  }
  std::size_t failed = 0;
  for (const AskedQuestion& question : attachment.summary().questions)
    if (!question.failure.empty()) {
      ++failed;
      std::cerr << "engram: error: " << legible(question.narsese) << ": " << legible(question.failure, "\n")
                << '\n';
    }
  if (failure.empty()) {
    if (failed > 0) {
      std::cerr << "engram: the NARS failed at " << failed << " questions; the others were asked"
                << hint_for(arguments) << '\n';
      return outside_failure;
    }
    if (page) LivePage::keep();
    return code;
  }
  std::cerr << "engram: error: " << legible(failure, "\n") << hint_for(arguments) << '\n';
  return outside_failure;
}

}  // namespace

void add_attach(CLI::App& app, ExitCode& code) {
  const auto arguments = std::make_shared<AttachArguments>();
  CLI::App* sub =
      add_command(app, "attach", "stand beside a live NARS: feed it, learn from it, choose what it thinks of",
                  "engram attach --gate 12 family.nal -- ./NAR shell");
  add_option(sub, "file", arguments->file, "a Narsese file (none with --stream)")->type_name(file_type);
  add_option(
      sub, "command", arguments->options.command,
      "after --: the NARS, a program and its arguments; no shell reads them (--system engram needs none)")
      ->type_name(program_type);
  std::vector<std::string> systems;
  for (const auto& system : bridge::nars_systems()) systems.emplace_back(system.name);
  add_option(
      sub, "--system,--dialect", arguments->system,
      "what the NARS is: ona, opennars, pynars, nar_json or navm; or engram, the reasoner in this program")
      ->check(one_of(systems));
  add_option(sub, "--gate", arguments->options.gate,
             "for each question, a reasoner that knows nothing gets this many statements, the best for it\n"
             "(default: one reasoner gets everything)")
      ->check(CLI::Range(std::size_t{1}, std::size_t{1000000}));
  add_option(
      sub, "--share", arguments->options.share,
      "gate: of these, those whose budget is below this share of the largest are left out, so that few\n"
      "are given where few suit (in [0, 1]; default: " +
          Json(core::default_doubt).dump() +
          " of proof_attention, whose budgets say how likely it is\n"
          "that no proof was given yet; of others 0, none is left out)")
      ->check(CLI::Range(0.0, 1.0));
  add_option(sub, "--method", arguments->method, "method that chooses what is told, see `engram methods`")
      ->transform(any_method());
  add_method_settings(sub, arguments->settings);
  add_option(sub, "--names", arguments->names,
             "short: what the NARS cannot hold it is told under another name, and all that it says is named "
             "back;\n"
             "keep: such sentences are refused")
      ->check(one_of({"short", "keep"}));
  add_option(sub, "--log", arguments->log, "keep a transcript, for `engram replay`")->type_name(file_type);
  add_option(sub, "--learn", arguments->learning,
             "what is learnt from what the NARS says: nothing, answers (they reinforce the links of what "
             "they rest on),\n"
             "all (what it derives as well; default: all, with --gate or --durable answers)")
      ->check(one_of({"nothing", "answers", "all"}));
  add_option(
      sub, "--learn-model", arguments->learnt_model,
      "proof_attention goes on learning its weights, from what answers rest on and from questions without "
      "one;"
      "\nthis file has them after each question, for --model, which may name it as well (default: they "
      "stay)")
      ->type_name(file_type);
  sub->add_flag("--reset", arguments->options.resets,
                "gate: between questions the NARS is reset, if it can be, in place of a new process for "
                "each. Faster, but"
                "\nthe truth of ONA's answers may then differ");
  sub->add_flag_function(
         "--restart", [](std::int64_t) {}, "the default now; accepted so that older scripts run")
      ->group("");
  sub->add_flag("--fresh", arguments->options.fresh,
                "without --gate: each question goes to a new process that is told everything first");
  add_option(sub, "--steer", arguments->steering,
             "how its attention is steered. order: what suits the next question best is told last; with ona, "
             "nar_json also\n"
             "repeat: before each question the best statements are told again, with the stamps they have;\n"
             "ask: they are asked for; reimport (with --gate): of what was told and inferred, the best come\n"
             "back for the next question, with their stamps; with opennars, pynars, navm also\n"
             "budgets: what waits for a question is told with $p;d;q$, the best first")
      ->check(one_of({"order", "repeat", "ask", "reimport", "budgets"}));
  add_option(sub, "--steered", arguments->options.steered, "how many statements are repeated or asked for")
      ->check(CLI::Range(std::size_t{1}, std::size_t{1000000}));
  add_option(sub, "--summary", arguments->summary,
             "write a JSON file: each question with its answer, seconds, cycles and what was told for it")
      ->type_name(file_type);
  add_option(sub, "--report", arguments->report, "write a page on the session, with everything in it")
      ->type_name(file_type);
  add_milliseconds(
      sub, "--time-limit", arguments->options.question_limit,
      "milliseconds that a question may take in all; then it counts as not answered (default: none)");
  add_option(sub, "--cycles-before", arguments->options.cycles_before,
             "cycles of reasoning before a question");
  add_option(sub, "--cycles-after", arguments->options.cycles_after,
             "cycles after a question without an answer, before it is asked again");
  add_milliseconds(sub, "--patience", arguments->options.patience,
                   "milliseconds that one thing may take until the NARS counts as hanging");
  add_milliseconds(sub, "--settling", arguments->options.settling,
                   "milliseconds that OpenNARS, which counts no cycles, gets in the place of cycles");
  add_option(sub, "--max-restarts", arguments->options.max_restarts,
             "restarts in a row, until the NARS is given up")
      ->check(CLI::Range(0u, 100u));
  add_milliseconds(sub, "--back-off", arguments->options.back_off,
                   "milliseconds before the first restart; each further one waits twice as long");
  add_page(
      sub, arguments->page_port,
      "serve a page on this port that shows the memory, and what a gate gave and what the NARS answered, as\n"
      "the session goes on; 0: a free one. It stays when the session is over, until Ctrl-C");
  add_token(sub, arguments->token);
  add_durable(sub, arguments->durable);
  add_memory_limits(sub, arguments->memory, "bytes that what is learnt and a recall");
  add_forget(sub, arguments->forget);
  arguments->forget_given = sub->get_option("--forget");
  add_stream(sub, arguments->stream);
  sub->callback([&code, arguments] { code = attach(*arguments); });
}

}  // namespace engram::experiments
