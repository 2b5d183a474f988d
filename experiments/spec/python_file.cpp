// SPDX-License-Identifier: MIT
#include "experiments/spec/python_file.hpp"

#include <cmath>
#include <cstdlib>
#include <deque>
#include <map>
#include <string>

#include "core/methods/method.hpp"
#include "narsese/printer.hpp"

namespace engram::experiments {
namespace {

constexpr std::chrono::hours python_patience{24 * 365};  // no timeout: the user interrupts a run
constexpr std::size_t most_lines_told = 3;
constexpr std::size_t most_reply_bytes = std::size_t{256} << 20;

std::string interpreter() {
  const char* named = std::getenv("ENGRAM_PYTHON");
  return named != nullptr && *named != '\0' ? named : "python3";
}

std::string error_of(const Json& reply) {
  const Json& error = reply["engram_error"];
  return error.is_string() ? error.get<std::string>() : error.dump();
}

}  // namespace

PythonFile::Process PythonFile::idle_process() {
  const std::scoped_lock lock(mutex_);
  if (idle_.empty())
    return std::make_unique<bridge::ChildProcess>(
        std::vector<std::string>{interpreter(), "-u", path_.string()},
        bridge::ChildLimits{most_reply_bytes, most_reply_bytes});
  Process process = std::move(idle_.back());
  idle_.pop_back();
  return process;
}

Json PythonFile::call(const Json& request) {
  std::deque<std::string> printed;  // last lines of output that are not replies
  Json reply;
  const auto read = [&](std::string_view line, bool whole) {
    if (whole && line.starts_with(R"({"engram_)")) {
      reply = Json::parse(line, nullptr, false);
      if (reply.is_object()) return true;
    }
    if (!line.empty()) printed.emplace_back(line.substr(0, 1000));
    if (printed.size() > most_lines_told) printed.pop_front();
    return false;
  };
  const auto failure = [&](const std::string& what) {
    std::string text = path_.string() + ": " + what;
    for (const std::string& line : printed)
      text += (&line == &printed.front() ? "; it printed: " : " / ") + line;
    return bridge::ReasonerError(text);
  };
  Process process;
  try {
    process = idle_process();
  } catch (const bridge::CannotStart& error) {
    throw failure(error.what());
  }
  const auto outcome = process->exchange(request.dump() + "\n", python_patience, read);
  if (outcome == bridge::ChildProcess::Outcome::flooded)
    throw failure("printed more than " + std::to_string(most_reply_bytes >> 20) + " MB");
  if (outcome != bridge::ChildProcess::Outcome::done)
    throw failure("ended (" + process->end() + ") before it answered; it must end in engram.serve(...)");
  if (reply.contains("engram_error")) throw failure(error_of(reply));
  const std::scoped_lock lock(mutex_);
  idle_.push_back(std::move(process));
  return reply.value("engram_reply", Json());
}

PythonFile& python_file(const std::filesystem::path& path) {
  static std::mutex mutex;
  static std::map<std::filesystem::path, PythonFile> files;
  const std::scoped_lock lock(mutex);
  return files.try_emplace(path, path).first->second;
}

namespace {

Json statements_of(const core::Memory& memory) {
  Json all = Json::array();
  for (core::StatementId id = 0; id < memory.statements().size(); ++id) {
    narsese::Sentence sentence = memory.statements()[id].sentence;
    sentence.budget.reset();
    all.push_back(narsese::print(sentence));
  }
  return all;
}

Json cue_of(const core::MemoryIndex& readings, const core::Cue& cue) {
  if (cue.term) return narsese::print(cue.term);
  Json activation = Json::object();
  for (const core::ConceptId id : cue.names()) {
    const auto i = static_cast<core::Index>(id);
    activation[narsese::print(readings.term(i))] = cue.activation[i];
  }
  return activation;
}

struct PythonRetriever : core::Retriever {
  std::string file;

  void check() const override {
    if (file.empty())
      throw core::OptionError("file", "must be a Python file that ends in engram.serve(scores=...)");
  }

  core::Recall recall(const core::MemoryIndex& readings, const core::Cue& cue) const override {
    const auto count = static_cast<std::size_t>(readings.statements());
    const Json scores = python_file(file).call(
        {{"scores", {{"statements", statements_of(readings.memory())}, {"cue", cue_of(readings, cue)}}}});
    const auto refuse = [&](const std::string& what) {
      throw bridge::ReasonerError(file + ": scores() must return a number from 0 to 1e100 for each of the " +
                                  std::to_string(count) + " statements, found " + what);
    };
    if (!scores.is_array()) refuse("no list");
    if (scores.size() != count) refuse(std::to_string(scores.size()));
    core::Vector weights(readings.statements());
    for (std::size_t i = 0; i < count; ++i) {
      constexpr double most = 1e100;
      if (!scores[i].is_number() || !(scores[i].get<double>() >= 0) || scores[i].get<double>() > most)
        refuse(scores[i].dump() + " for statement " + std::to_string(i + 1));
      weights[static_cast<core::Index>(i)] = scores[i].get<double>();
    }
    return core::from_statements(readings, core::SparseVector(weights));
  }
};

constexpr auto python_options = core::option_table(core::text_option<&PythonRetriever::file>(
    "file", "the Python file, which ends in engram.serve(scores=...)"));

}  // namespace

void add_python_method() {
  if (core::find_method("python") != nullptr) return;
  core::add_method(core::make_method<PythonRetriever>(
      "python", "program", "scores of statements by a function of a Python file; in specs alone",
      python_options, {.only_by_name = true}));
}

}  // namespace engram::experiments
