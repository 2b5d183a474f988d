// SPDX-License-Identifier: MIT
#include "experiments/reasoners/recording.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

#include "experiments/formats/files.hpp"

namespace engram::experiments {
namespace {

Exchange exchange_in(const std::string& line) {
  const auto json = bridge::read_json(line, {.max_bytes = Recording::max_line_bytes});
  if (!json) throw json.error();
  return exchange_from_json(bridge::JsonValue(*json));
}

}  // namespace

Recording::Recording(const std::filesystem::path& file) {
  std::ifstream in = open_input(file);
  std::string line;
  std::map<std::string, std::size_t> lines;  // by key
  std::size_t number = 0, bytes = 0;
  const auto refuse = [&](const std::string& why) {
    throw SpecError(file.string() + ", line " + std::to_string(number), why);
  };
  for (bool ends = true; ends;) {
    ends = next_row(in, line);
    ++number;
    bytes += line.size();
    if (line.size() > max_line_bytes)
      refuse("must have at most " + std::to_string(max_line_bytes) + " bytes");
    if (bytes > max_bytes) refuse("must be within the first " + std::to_string(max_bytes) + " bytes");
    if (!ends || line.find_first_not_of(" \t\r") == std::string::npos) continue;
    try {
      const Exchange exchange = exchange_in(line);
      const auto place = exchanges_.try_emplace(key_of(exchange), exchange).first;
      if (place->second != exchange && place->second.failure.empty())
        refuse("contradicts line " + std::to_string(lines.at(place->first)));
      place->second = exchange;
      lines[place->first] = number;
    } catch (const bridge::JsonError& error) {
      refuse(error.message());
    }
  }
  require_whole(in, file.string());
}

Recording::~Recording() {
  if (descriptor_ >= 0) close(descriptor_);
}

void Recording::keep_in(const std::filesystem::path& file) {
  errno = 0;
  const int descriptor = open(file.c_str(), O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
  if (descriptor < 0) throw_file_error(file);
  descriptor_ = descriptor;
  kept_in_ = file;
  off_t end = lseek(descriptor, 0, SEEK_END);
  const off_t all = end;
  for (char last = 0; end > 0 && pread(descriptor, &last, 1, end - 1) == 1 && last != '\n';) --end;
  if (end != all && ftruncate(descriptor, end) != 0) throw_file_error(file);
}

std::optional<Exchange> Recording::find(const std::string& key) const {
  const std::lock_guard lock(mutex_);
  const auto found = exchanges_.find(key);
  if (found == exchanges_.end()) return std::nullopt;
  return found->second;
}

void Recording::add(const Exchange& exchange) {
  const std::string key = key_of(exchange);
  const std::lock_guard lock(mutex_);
  const auto [place, is_new] = exchanges_.try_emplace(key, exchange);
  if (!is_new && (place->second.failure.empty() || !exchange.failure.empty())) return;
  place->second = exchange;
  if (descriptor_ >= 0) write_all(descriptor_, to_json(exchange).dump() + "\n", kept_in_);
}

std::size_t Recording::size() const {
  const std::lock_guard lock(mutex_);
  return exchanges_.size();
}

void Recording::write(const std::filesystem::path& file) const {
  const std::lock_guard lock(mutex_);
  bridge::WholeFile whole(file);
  for (const auto& [key, exchange] : exchanges_) whole.add(to_json(exchange).dump() + "\n");
  whole.finish();
}

}  // namespace engram::experiments
