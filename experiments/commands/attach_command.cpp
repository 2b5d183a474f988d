// SPDX-License-Identifier: MIT
// The command `engram attach`: sends a Narsese file to a NARS and learns from its output. With --gate, selects the
// statements that the NARS receives for each question.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <future>
#include <iostream>
#include <thread>

#include "bridge/attach/attachment.hpp"
#include "bridge/attach/session_viewers.hpp"
#include "bridge/json/core_json.hpp"
#include "bridge/json/nars_event.hpp"
#include "bridge/transport/server.hpp"
#include "core/numbers/work_budget.hpp"
#include "core/proofs/proof_methods.hpp"
#include "experiments/commands/attach_options.hpp"
#include "experiments/commands/command_line.hpp"
#include "experiments/commands/diagnostics.hpp"
#include "experiments/commands/program.hpp"
#include "experiments/commands/shared_options.hpp"
#include "experiments/formats/files.hpp"
#include "experiments/formats/markup.hpp"
#include "experiments/pages/live_report.hpp"
#include "experiments/runs/terminal.hpp"
#include "narsese/nal_line.hpp"
#include "narsese/printer.hpp"
#include "narsese/text.hpp"

namespace engram::experiments {
namespace {

using bridge::AskedQuestion;
using bridge::TranscriptEntry;

struct OutcomeCounts {
  std::size_t answered = 0, expected = 0, truth = 0, term = 0;
  std::size_t expected_truths = 0, met_truths = 0;  // questions with an expected truth, and correct ones
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
  NarsArguments nars;
  bridge::AttachOptions options;  // attach_options() sets the NARS, the method and the steering
  std::string method{core::default_method};
  MethodSettings settings;
  std::string steering;      // name of a bridge::Steering; empty: none
  std::string learnt_model;  // file of the learnt model
  std::optional<std::uint16_t> page_port;
  std::string token;  // access token of the page
  DurableArguments durable;
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
  return {{"system", arguments.nars.system},
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

bridge::AttachOptions attach_options(const AttachArguments& arguments) {
  bridge::AttachOptions options = arguments.options;
  static_cast<bridge::LiveReasonerOptions&>(options) = arguments.nars.reasoner_options();
  options.method = configured_method(arguments.method, arguments.settings);
  options.steering = value_named(bridge::steerings, arguments.steering);
  if (const std::string reason = bridge::options_error(options); !reason.empty()) throw InputError(reason);
  return options;
}

// Returns the model that the session trains: the model of --model with its learnt state, or the shipped default.
// Weights given by --set override it.
bridge::Model model_of(const AttachArguments& arguments, const bridge::AttachOptions& options) {
  if (arguments.method != core::proof_attention_name)
    throw InputError("--learn-model trains only " + std::string(core::proof_attention_name) +
                     ", found --method " + arguments.method);
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

// Rejects --durable with --learn all, and with a transcript. A stored memory does not distinguish inferences from
// input, so the next session would send inferences to the NARS as input.
void require_keepable(const AttachArguments& arguments) {
  if (arguments.durable.folder.empty()) return;
  if (arguments.nars.learning == "all")
    throw InputError(
        "--durable stores input and reinforced links: --learn must be answers or nothing, found all");
  if (!arguments.nars.log.empty())
    throw InputError("--log with --durable: a transcript must begin with an empty memory");
}

// Returns a hint for users if the NARS failed.
std::string hint_for(const NarsArguments& nars) {
  const std::vector<std::string>& command = nars.reasoner.command;
  const bool lacks_shell = !command.empty() && nars.system == "ona" &&
                           std::filesystem::path(command.front()).filename() == "NAR" &&
                           std::ranges::find(command, "shell") == command.end();
  return lacks_shell ? "\n  ONA's program reads Narsese only as a shell: -- " + command.front() + " shell"
                     : "";
}

// RAII server of a page that shows the session while it runs, on a loopback address, in its own thread.
class LivePage {
 public:
  // Starts the server and prints its address.  Errors  as bridge::Server
  LivePage(bridge::SessionViewers& viewers, std::uint16_t port, const std::string& token)
      : server_(options_for(port, token), [&](bridge::Transport) { return viewers.conversation(); }) {
    tell_page(server_, options_for(port, token));
    ended_ = std::async(std::launch::async, [this] { return server_.run(); });
  }
  ~LivePage() {
    server_.stop();
    if (ended_.get()) return;
    std::cerr << "engram: error: a request to the page could not be cancelled and was aborted" << std::endl;
    std::_Exit(outside_failure);  // the request still uses memory that destructors would free
  }
  LivePage(const LivePage&) = delete;
  LivePage& operator=(const LivePage&) = delete;

  // Waits for Ctrl-C or SIGTERM. Call this after the session, so that users can still see its result on the page.
  static void keep() try {
    std::cerr << "engram: the session is over; its page stays until Ctrl-C" << std::endl;
    const Interruption interruption;
    for (;;) {
      core::check_cancelled();
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
  } catch (const core::WorkStopped&) {
  }

 private:
  static bridge::ServerOptions options_for(std::uint16_t port, const std::string& token) {
    bridge::ServerOptions options;
    options.websocket_port = port;
    options.token = token;
    options.page = bridge::window_page();
    options.ends_by_signals = false;                 // signals end the session, not only the server
    options.grace = std::chrono::milliseconds(200);  // an interrupted session must end within one second
    return options;
  }

  bridge::Server server_;
  std::future<bool> ended_;
};

// Runs a session with a NARS. Prints events as JSON lines on stdout (bridge/schema/event.schema.json).
ExitCode attach(const AttachArguments& arguments) {
  if (arguments.file.empty()) throw InputError("expected a Narsese file");
  std::ifstream input = open_stream(arguments.file);
  const bridge::AttachOptions options = attach_options(arguments);
  require_keepable(arguments);
  arguments.nars.require_writable_files();
  // With a gate or a durable memory, the session learns only answers by default. With a gate, the NARS gets few
  // statements and infers little of use. Learning all its inferences would make attention find fewer of the statements
  // that the next question needs.
  const std::string learning = !arguments.nars.learning.empty()                    ? arguments.nars.learning
                               : options.gate || !arguments.durable.folder.empty() ? "answers"
                                                                                   : "all";
  bridge::SessionStart start{.system = options.system,
                             .learning = *value_named(bridge::learnings, learning),
                             .limits = arguments.nars.memory,
                             .forgetting = arguments.nars.forget.options().policy};
  if (!arguments.learnt_model.empty()) start.model = model_of(arguments, options);
  const auto durable = durable_memory(arguments.durable);
  bridge::AttachedMemory memory(start, durable ? durable->observer() : nullptr);
  if (durable) {
    durable->attend(memory.session());
    memory.adopt_statements();
  }
  SessionLog transcript(arguments.nars.log, start);
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
        if (!arguments.nars.report.empty()) entries.push_back(entry);
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
    failure = start_failure(error);
    started = false;
  } catch (const bridge::ReasonerError& error) {
    failure = error.what();
  } catch (const core::WorkStopped& why) {
    stopped = why.reason == core::WorkStopped::Reason::cancelled;
    if (!stopped) failure = why.what();
  }
  if (durable) durable->settle();
  save();
  transcript.write(bridge::to_json(memory.end()));
  std::cout << std::flush;
  if (started) tell_of(attachment.summary(), memory, arguments.learnt_model);
  if (!arguments.nars.summary.empty())
    write_stream(arguments.nars.summary,
                 summary_json(arguments, attachment.summary(), memory).dump(1) + "\n");
  if (!arguments.nars.report.empty()) write_stream(arguments.nars.report, session_report(start, entries));
  Rejections rejections;
  for (const core::RejectedLine& rejected : attachment.summary().rejected)
    rejections.emplace_back(arguments.file, rejected);
  const ExitCode code = report_rejections(rejections);
  if (stopped) {
    std::cerr << "engram: interrupted; the memory has the output received until then\n";
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
                << hint_for(arguments.nars) << '\n';
      return outside_failure;
    }
    if (page) LivePage::keep();
    return code;
  }
  std::cerr << "engram: error: " << legible(failure, "\n") << hint_for(arguments.nars) << '\n';
  return outside_failure;
}

}  // namespace

void add_attach(CLI::App& app, ExitCode& code) {
  auto [command, arguments] =
      add_command(app, code, "attach", "send a file to a live NARS, learn from it, and choose its input",
                  "engram attach --gate 12 family.nal -- ./NAR shell", attach);
  bridge::AttachOptions& options = arguments.options;
  add_option(command, "file", arguments.file, "a Narsese file", is_file);
  add_nars(command, arguments.nars, " (default: all; with --gate or --durable, answers)",
           "write a JSON file: each question with its answer, seconds, cycles and the selected statements");
  add_option(
      command, "--gate", options.gate,
      "send each question to a fresh reasoner, which receives only this many statements, the best for it\n"
      "(default: one reasoner receives everything)",
      in_range(1, 1'000'000));
  add_option(command, "--share", options.share,
             "gate: omit statements with less than this share of the largest budget (default: " +
                 Json(core::default_doubt).dump() +
                 " for\n"
                 "proof_attention, because its budgets are probabilities, otherwise 0)",
             in_range(0.0, 1.0));
  add_method(command, arguments.method, "method that ranks the statements", arguments.settings);
  add_option(
      command, "--learn-model", arguments.learnt_model,
      "train the weights of proof_attention on answers and on questions without one. This file stores the\n"
      "model after each question; --model may name it as well (default: constant weights)",
      is_file);
  add_option(command, "--reset", options.resets,
             "gate: reset the NARS between questions, if it can, instead of starting a new process. This is\n"
             "faster, but ONA's answers may have other truth values");
  command
      ->add_flag_function(
          "--restart", [](std::int64_t) {}, "the default; older scripts use this option")
      ->group("");
  add_option(command, "--fresh", options.fresh,
             "without --gate: send each question to a new process, which first receives everything");
  add_option(
      command, "--steer", arguments.steering,
      "how to steer the attention of the NARS. order: send the best statements for the next question last;\n"
      "repeat (ona, nar_json): send the best statements again before a question, with their stamps;\n"
      "ask (ona, nar_json): ask for the best statements before a question;\n"
      "reimport (ona, nar_json; with --gate): select among inferred statements too, with their stamps;\n"
      "budgets (opennars, pynars, navm): send the statements for a question with $p;d;q$, the best first",
      one_of({"order", "repeat", "ask", "reimport", "budgets"}));
  add_option(command, "--steered", options.steered, "number of statements to repeat or to ask for",
             in_range(1, 1'000'000));
  add_option(command, "--time-limit", options.question_limit,
             "milliseconds for a question, after which it counts as unanswered (default: none)");
  add_option(command, "--cycles-before", options.cycles_before, "cycles of reasoning before a question");
  add_option(command, "--cycles-after", options.cycles_after,
             "cycles after an unanswered question, before it is asked again");
  add_page(
      command, arguments.page_port,
      "serve a page on this port that shows the memory, the selected statements and the answers during the\n"
      "session and after it, until Ctrl-C; 0: a free port");
  add_token(command, arguments.token);
  add_durable(command, arguments.durable);
}

}  // namespace engram::experiments
