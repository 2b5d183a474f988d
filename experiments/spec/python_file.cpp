// SPDX-License-Identifier: MIT
#include "experiments/spec/python_file.hpp"

#include <cstdlib>
#include <deque>
#include <map>

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

}  // namespace engram::experiments
