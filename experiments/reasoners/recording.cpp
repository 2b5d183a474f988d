// SPDX-License-Identifier: MIT
#include "experiments/reasoners/recording.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

#include "bridge/files/sha256.hpp"
#include "experiments/formats/files.hpp"

namespace engram::experiments {

using bridge::Json;
using bridge::JsonValue;

namespace {

constexpr std::uint64_t exact_in_json = std::uint64_t{1} << 53;  // limit of exact whole numbers in JSON

Answer answer_from_json(const JsonValue& json) {
  bridge::ObjectReader reader(json);
  Answer answer{reader["term"].text(), {}};
  answer.truth.frequency = reader["frequency"].number(0, 1);
  answer.truth.confidence = reader["confidence"].number(0, 1);
  reader.refuse_others();
  return answer;
}

}  // namespace

std::string key_of(const Exchange& exchange) {
  return bridge::sha256_of_text(
      Json{exchange.system, exchange.statements, exchange.question, exchange.cycles, exchange.more_cycles}
          .dump());
}

Json to_json(const Exchange& exchange) {
  Json json = {{"sha256", key_of(exchange)},        {"system", exchange.system},
               {"statements", exchange.statements}, {"question", exchange.question},
               {"cycles", exchange.cycles},         {"more_cycles", exchange.more_cycles},
               {"answers", Json::array()}};
  for (const Answer& answer : exchange.answers)
    json["answers"].push_back({{"term", answer.term},
                               {"frequency", answer.truth.frequency},
                               {"confidence", answer.truth.confidence}});
  if (!exchange.failure.empty()) json["failure"] = exchange.failure;
  return json;
}

Exchange exchange_from_json(const JsonValue& json) {
  bridge::ObjectReader reader(json);
  const JsonValue key = reader["sha256"], statements = reader["statements"], answers = reader["answers"],
                  failure = reader["failure"];
  Exchange exchange{.system = reader["system"].text(),
                    .statements = {},
                    .question = reader["question"].text(),
                    .cycles = reader["cycles"].count(0, exact_in_json),
                    .more_cycles = reader["more_cycles"].count(0, exact_in_json)};
  for (std::size_t i = 0; i < statements.list().size(); ++i)
    exchange.statements.push_back(statements[i].text());
  for (std::size_t i = 0; i < answers.list().size(); ++i)
    exchange.answers.push_back(answer_from_json(answers[i]));
  if (failure) exchange.failure = failure.text();
  reader.refuse_others();
  if (key.text() != key_of(exchange)) key.refuse("\"" + key_of(exchange) + "\", the hash of this exchange");
  return exchange;
}

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
  std::map<std::string, std::size_t> lines;  // line number of each key
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
