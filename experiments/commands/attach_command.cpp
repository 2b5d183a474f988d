// SPDX-License-Identifier: MIT
#include <fstream>
#include <iostream>

#include "bridge/attach/attachment.hpp"
#include "bridge/systems/nars_event.hpp"
#include "core/numbers/work.hpp"
#include "experiments/commands/commands.hpp"
#include "experiments/reports/session_report.hpp"
#include "experiments/runs/files.hpp"
#include "experiments/runs/interruption.hpp"
#include "experiments/runs/sha256.hpp"
#include "narsese/line_reader.hpp"
#include "narsese/printer.hpp"

namespace engram::experiments {
namespace {

using bridge::AskedQuestion;
using bridge::TranscriptEntry;

constexpr std::size_t max_line_bytes = std::size_t{1} << 26;

// A transcript: {"transcript": 1, "system": "ona", "learning": "all"}, the entries, {"sha256": ".."} of the
// memory.
class Transcript {
 public:
  Transcript(const std::string& name, const Json& head) : name_(name) {
    if (name.empty()) return;
    file_.open(name, std::ios::binary);
    write(head.dump());
  }
  void write(const std::string& line) {
    if (name_.empty()) return;
    file_ << line << '\n' << std::flush;
    if (!file_) throw std::system_error(errno != 0 ? errno : EIO, std::generic_category(), name_);
  }

 private:
  std::string name_;
  std::ofstream file_;
};

std::string digest(const bridge::AttachedMemory& memory) {
  return sha256_of_text(bridge::memory_text(memory.session().memory()));
}

void tell_of(const bridge::AttachSummary& summary, std::size_t told, const std::string& sha256) {
  std::size_t answered = 0, expected = 0, met = 0;
  for (const AskedQuestion& question : summary.questions) {
    answered += question.answer.has_value();
    expected += question.as_expected.has_value();
    met += question.as_expected.value_or(false);
  }
  std::cerr << told << " statements, " << summary.questions.size() << " questions: " << answered
            << " answered";
  if (expected > 0) std::cerr << ", " << met << " of " << expected << " as expected";
  if (summary.restarts > 0) std::cerr << "; the reasoner was restarted " << summary.restarts << " times";
  std::cerr << "\nmemory: sha256 " << sha256 << '\n';
}

// What a session came to, for programs.
Json summary_json(const AttachArguments& arguments, const bridge::AttachSummary& summary, std::size_t told,
                  const std::string& sha256) {
  Json questions = Json::array();
  std::size_t answered = 0, expected = 0, met = 0;
  for (const AskedQuestion& question : summary.questions) {
    Json row{{"question", question.narsese},
             {"answer", nullptr},
             {"truth", nullptr},
             {"as_expected", nullptr},
             {"timed_out", question.timed_out},
             {"cycles", question.cycles},
             {"seconds", question.took.count()},
             {"given", question.given},
             {"refused", nullptr}};
    if (!question.refusal.empty()) row["refused"] = question.refusal;
    if (question.answer) row["answer"] = narsese::print(*question.answer->term);
    if (question.answer && question.answer->truth)
      row["truth"] = {question.answer->truth->frequency, question.answer->truth->confidence};
    if (question.as_expected) row["as_expected"] = *question.as_expected;
    answered += question.answer.has_value();
    expected += question.as_expected.has_value();
    met += question.as_expected.value_or(false);
    questions.push_back(std::move(row));
  }
  return {{"system", arguments.system},
          {"gate", arguments.gate},
          {"method", arguments.method},
          {"steering", arguments.steering},
          {"fresh", arguments.fresh},
          {"statements", told},
          {"questions", summary.questions.size()},
          {"answered", answered},
          {"with_expectation", expected},
          {"as_expected", met},
          {"restarts", summary.restarts},
          {"memory_sha256", sha256},
          {"rows", std::move(questions)}};
}

void write_text(const std::string& name, const std::string& text) {
  std::ofstream file(name, std::ios::binary);
  file << text << std::flush;
  if (!file) throw std::system_error(errno != 0 ? errno : EIO, std::generic_category(), name);
}

bridge::AttachOptions options_of(const AttachArguments& arguments) {
  bridge::AttachOptions options;
  options.command = arguments.command;
  options.system = bridge::find_nars_system(arguments.system);
  options.method = core::find_method(arguments.method);
  if (arguments.gate > 0) options.gate = arguments.gate;
  options.restart_for_each_question = arguments.restart;
  options.fresh = arguments.fresh;
  options.steering = bridge::find_steering(arguments.steering);
  options.steered = arguments.steered;
  if (arguments.time_limit_ms > 0)
    options.question_limit = std::chrono::milliseconds(arguments.time_limit_ms);
  options.cycles_before = arguments.cycles_before;
  options.cycles_after = arguments.cycles_after;
  options.patience = std::chrono::milliseconds(arguments.patience_ms);
  options.settling = std::chrono::milliseconds(arguments.settling_ms);
  options.max_restarts = arguments.max_restarts;
  options.back_off = std::chrono::milliseconds(arguments.back_off_ms);
  if (const std::string reason = bridge::why_not(options); !reason.empty()) throw InputError(reason);
  return options;
}

}  // namespace

ExitCode attach_command(const AttachArguments& arguments) {
  std::ifstream input = open_stream(arguments.file);
  const bridge::AttachOptions options = options_of(arguments);
  // What a reasoner derives from a few statements says little of what belongs together in the whole: with all
  // of it learnt, attention finds fewer of the statements that the next question needs.
  const std::string learning = !arguments.learning.empty() ? arguments.learning
                               : arguments.gate > 0        ? "answers"
                                                           : "all";
  bridge::AttachedMemory memory(*options.system, *bridge::find_learning(learning),
                                memory_of_bytes(arguments.memory));
  Transcript transcript(arguments.log,
                        {{"transcript", 1}, {"system", arguments.system}, {"learning", learning}});
  std::vector<TranscriptEntry> entries;
  bridge::Attachment attachment(
      options, memory,
      [&](const TranscriptEntry& entry) {
        transcript.write(bridge::to_json(entry));
        if (!arguments.report.empty()) entries.push_back(entry);
      },
      [](const bridge::NarsEvent& event) { std::cout << bridge::to_json(event) << '\n'; });
  bool stopped = false;
  std::string line, failure;
  bool started = true;
  const narsese::ParseLimits limits;
  try {
    const Interruption interruption;
    // One byte more than a line may have, so that the reader of lines says what is wrong with it.
    for (std::size_t number = 1;
         narsese::read_line(input, line, limits.max_line_bytes + 1) != narsese::LineStatus::end; ++number) {
      core::look_now();
      attachment.line(number, line);
    }
    require_whole(input, arguments.file);
    attachment.finish();
  } catch (const bridge::CannotStart& error) {
    failure = std::string(error.what()) + "\n  behind -- stands the command that starts the NARS, such as " +
              "-- ./NAR shell: its program's path, or a name on PATH, then its arguments";
    started = false;
  } catch (const bridge::ReasonerError& error) {
    failure = error.what();
  } catch (const core::WorkStopped& why) {
    stopped = why.reason == core::WorkStopped::Reason::asked;
    if (!stopped) failure = why.what();
  }
  const std::string sha256 = digest(memory);
  transcript.write(Json({{"sha256", sha256}}).dump());
  std::cout << std::flush;
  if (started) tell_of(attachment.summary(), memory.told().size(), sha256);
  if (!arguments.summary.empty())
    write_text(arguments.summary,
               summary_json(arguments, attachment.summary(), memory.told().size(), sha256).dump(1) + "\n");
  if (!arguments.report.empty())
    write_text(arguments.report, session_report(*options.system, *bridge::find_learning(learning), entries));
  Rejections rejections;
  for (const core::RejectedLine& rejected : attachment.summary().rejected)
    rejections.emplace_back(arguments.file, rejected);
  const ExitCode code = report_rejections(rejections);
  if (stopped) {
    std::cerr << "engram: interrupted; what was heard until then has been learnt and told\n";
    return interrupted;
  }
  if (failure.empty()) return code;
  std::cerr << "engram: error: " << failure << '\n';
  return outside_failure;
}

ExitCode replay_command(const std::string& log, const std::string& report) {
  std::ifstream file = open_stream(log);
  std::string line;
  narsese::read_line(file, line, max_line_bytes);
  const Json head = json_in(line).value_or(Json());
  const auto* system = head.is_object() && head.value("transcript", 0) == 1
                           ? bridge::find_nars_system(head.value("system", ""))
                           : nullptr;
  const auto learning = system == nullptr ? std::nullopt : bridge::find_learning(head.value("learning", ""));
  if (!learning) throw InputError(log + ":1: not a transcript of version 1");
  bridge::AttachedMemory memory(*system, *learning);
  std::string expected;
  std::vector<TranscriptEntry> entries;
  for (std::size_t number = 2; narsese::read_line(file, line, max_line_bytes) == narsese::LineStatus::line;
       ++number) {
    if (const auto entry = bridge::entry_from_json(line)) {
      memory.apply(*entry);
      if (!report.empty()) entries.push_back(*entry);
      continue;
    }
    const Json end = json_in(line).value_or(Json());
    if (!end.is_object() || !end.contains("sha256") || !end["sha256"].is_string())
      throw InputError(log + ":" + std::to_string(number) + ": not a line of a transcript");
    expected = end["sha256"].get<std::string>();
  }
  require_whole(file, log);
  if (!report.empty()) write_text(report, session_report(*system, *learning, entries));
  const std::string found = digest(memory);
  const core::Memory& held = memory.session().memory();
  std::cout << Json({{"cycles", held.now()},
                     {"concepts", held.graph().size()},
                     {"links", held.graph().hebbian_links().size()},
                     {"statements", held.statements().size()},
                     {"sha256", found}})
                   .dump()
            << '\n';
  if (expected.empty()) {
    std::cerr << "engram: the transcript has no end: there is nothing to compare with\n";
    return done;
  }
  if (found == expected) return done;
  std::cerr << log << ": the memory is not the one of the transcript, sha256 " << expected << '\n';
  return input_errors;
}

}  // namespace engram::experiments
