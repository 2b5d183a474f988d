// SPDX-License-Identifier: MIT
#include "bridge/attach/reasoner_process.hpp"

#include <utility>

#include "bridge/systems/event_text.hpp"
#include "core/numbers/work_budget.hpp"

namespace engram::bridge {

using ChildOutcome = ChildProcess::Outcome;

ReasonerProcess::ReasonerProcess(const std::vector<std::string>& command, const NarsSystem& system,
                                 const ChildLimits& limits)
    : system_(system), limits_(limits) {
  if (system.embedded != nullptr)
    embedded_ = system.embedded();
  else
    child_.emplace(command, limits);
}

std::string ReasonerProcess::failure(ChildOutcome outcome, std::chrono::milliseconds patience) {
  const std::string end = child_ ? child_->end() : "";
  if (outcome == ChildOutcome::late)
    return "did not answer within " + std::to_string(patience.count()) + " ms" +
           (system_.silence_hint.empty() ? "" : " (" + std::string(system_.silence_hint) + ")");
  if (outcome == ChildOutcome::flooded)
    return "printed more than " + std::to_string(limits_.max_exchange_bytes) + " bytes at once";
  return "ended (" + end + ")";
}

void ReasonerProcess::keep_last_line(std::string_view line) {
  constexpr std::size_t most_lines = 8, most_bytes = 200;  // chosen
  std::string text = without_colours(line.substr(0, 4 * most_bytes)).substr(0, most_bytes);
  for (char& c : text)
    if (c < ' ' || c > '~') c = '?';
  if (text.find_first_not_of(' ') == std::string::npos) return;
  last_lines_.push_back(std::move(text));
  if (last_lines_.size() > most_lines) last_lines_.pop_front();
}

std::string ReasonerProcess::last_lines() const {
  std::string text;
  for (const std::string& line : last_lines_) text += (text.empty() ? "    " : "\n    ") + line;
  return text;
}

void ReasonerProcess::say(const std::vector<std::string>& lines, std::chrono::milliseconds patience,
                          const Sink& sink) {
  if (embedded_) return say_embedded(lines, patience, sink);
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  const std::uint64_t marker = ++markers_;
  text += system_.marker(marker) + "\n";
  const ChildOutcome outcome = child_->exchange(text, patience, [&](std::string_view line, bool whole) {
    const std::string plain = without_colours(line);
    const bool done = system_.is_marker(plain, marker);
    if (!done) keep_last_line(line);
    sink(line, whole, done || (plain == system_.marker_preface && !plain.empty()));
    return done;
  });
  if (outcome == ChildOutcome::late) throw ReasonerLate(failure(outcome, patience));
  if (outcome != ChildOutcome::done) throw ReasonerError(failure(outcome, patience));
}

// Runs an embedded system. The time limit is checked whenever its code charges work.
void ReasonerProcess::say_embedded(const std::vector<std::string>& lines, std::chrono::milliseconds patience,
                                   const Sink& sink) {
  const auto until = std::chrono::steady_clock::now() + patience;
  const core::WorkBudget work({}, [&] {
    if (std::chrono::steady_clock::now() > until) throw ReasonerLate(failure(ChildOutcome::late, patience));
  });
  std::size_t bytes = 0;
  for (const std::string& line : lines)
    embedded_->line(line, [&](std::string_view printed) {
      if ((bytes += printed.size() + 1) > limits_.max_exchange_bytes)
        throw ReasonerError(failure(ChildOutcome::flooded, patience));
      sink(printed, true, false);
    });
}

void ReasonerProcess::listen(std::chrono::milliseconds time, const Sink& sink) {
  const ChildOutcome outcome = child_->exchange("", time, [&](std::string_view line, bool whole) {
    keep_last_line(line);
    sink(line, whole, false);
    return false;
  });
  if (outcome != ChildOutcome::late) throw ReasonerError(failure(outcome, time));
}

}  // namespace engram::bridge
