// SPDX-License-Identifier: MIT
#include "experiments/reasoners/recording.hpp"

#include "experiments/formats/files.hpp"
#include "narsese/line_reader.hpp"

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
  for (auto status = narsese::LineStatus::line;;) {
    status = narsese::read_line(in, line, max_line_bytes);
    require_whole(in, file.string());
    if (status == narsese::LineStatus::end) break;
    ++number;
    bytes += line.size();
    if (status == narsese::LineStatus::too_long)
      refuse("must have at most " + std::to_string(max_line_bytes) + " bytes");
    if (bytes > max_bytes) refuse("must be within the first " + std::to_string(max_bytes) + " bytes");
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    try {
      const Exchange exchange = exchange_in(line);
      const auto [before, is_new] = lines.emplace(key_of(exchange), number);
      if (!is_new) refuse("tells of the same question as line " + std::to_string(before->second));
      exchanges_.emplace(before->first, exchange);
    } catch (const bridge::JsonError& error) {
      refuse(error.message());
    }
  }
}

std::optional<Exchange> Recording::find(const std::string& key) const {
  const std::lock_guard lock(mutex_);
  const auto found = exchanges_.find(key);
  if (found == exchanges_.end()) return std::nullopt;
  return found->second;
}

void Recording::add(const Exchange& exchange) {
  std::string key = key_of(exchange);
  const std::lock_guard lock(mutex_);
  Exchange& kept = exchanges_.try_emplace(std::move(key), exchange).first->second;
  if (!kept.failure.empty() && exchange.failure.empty()) kept = exchange;
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
