// SPDX-License-Identifier: MIT
#include "bridge/attach/transcript.hpp"

#include <algorithm>
#include <boost/algorithm/hex.hpp>
#include <nlohmann/json.hpp>
#include <utility>

#include "bridge/json/object_reader.hpp"
#include "narsese/text.hpp"

namespace engram::bridge {
namespace {

constexpr JsonLimits transcript_limits{.max_bytes = std::size_t{16} << 20, .max_depth = 16};
constexpr std::int64_t version = 1;

// Names of the limits in a transcript.
constexpr std::array<std::pair<const char*, std::size_t core::MemoryLimits::*>, 5> limit_names{
    {{"concepts", &core::MemoryLimits::max_concepts},
     {"links", &core::MemoryLimits::max_hebbian_links},
     {"statements", &core::MemoryLimits::max_statements},
     {"active", &core::MemoryLimits::max_active},
     {"bytes", &core::MemoryLimits::max_bytes}}};

constexpr std::array<std::string_view, 6> kind_names{"input", "fresh", "sent", "heard", "again", "named"};
constexpr std::string_view bytes_suffix = "_bytes";

}  // namespace

std::string to_json(const SessionStart& start) {
  Json json{{"transcript", version},
            {"system", start.system->name},
            {"learning", name_of(learnings, start.learning)},
            {"forgetting", name_of(core::forgetting_policies, start.forgetting)}};
  for (const auto& [name, limit] : limit_names) json["limits"][name] = start.limits.*limit;
  if (start.model) json["model"] = to_json(*start.model);
  return json.dump();
}

std::optional<SessionStart> start_from_json(std::string_view line) try {
  const auto json = read_json(line, transcript_limits);
  if (!json) return std::nullopt;
  ObjectReader reader((JsonValue(*json)));
  reader["transcript"].required("a transcript").whole_number(version, version);
  SessionStart start;
  start.system = find_nars_system(reader["system"].text());
  start.learning = reader["learning"].choice("", learnings, &core::NamedValue<Learning>::name).value;
  if (const JsonValue policy = reader["forgetting"])
    start.forgetting =
        policy.choice("", core::forgetting_policies, &core::NamedValue<core::ForgettingPolicy>::name).value;
  if (const JsonValue limits_said = reader["limits"])
    for (const auto& [name, limit] : limit_names)
      if (const JsonValue said = limits_said[name]) start.limits.*limit = said.count();
  if (const JsonValue model = reader["model"]) start.model = model_in(model.json().dump());
  return start.system == nullptr ? std::nullopt : std::optional(start);
} catch (const JsonError&) {
  return std::nullopt;
} catch (const ModelError&) {
  return std::nullopt;
}

std::string to_json(const TranscriptEntry& entry) {
  const std::string name(kind_names[static_cast<std::size_t>(entry.kind)]);
  if (narsese::find_invalid_utf8(entry.text) == entry.text.size()) return Json({{name, entry.text}}).dump();
  return Json({{name + std::string(bytes_suffix), boost::algorithm::hex_lower(entry.text)}}).dump();
}

std::optional<TranscriptEntry> entry_from_json(std::string_view line) try {
  const auto read = read_json(line, transcript_limits);
  if (!read) return std::nullopt;
  const Json& json = *read;
  if (!json.is_object() || json.size() != 1 || !json.begin()->is_string()) return std::nullopt;
  std::string_view name = json.begin().key();
  const bool as_bytes = name.ends_with(bytes_suffix);
  if (as_bytes) name.remove_suffix(bytes_suffix.size());
  const auto found = std::ranges::find(kind_names, name);
  if (found == kind_names.end()) return std::nullopt;
  const auto text = json.begin()->get<std::string>();
  return TranscriptEntry{static_cast<TranscriptEntry::Kind>(found - kind_names.begin()),
                         as_bytes ? boost::algorithm::unhex(text) : text};
} catch (const boost::algorithm::hex_decode_error&) {
  return std::nullopt;
}

std::string to_json(const SessionEnd& end) {
  Json json{{"sha256", end.memory}};
  if (end.model) json["model_sha256"] = *end.model;
  return json.dump();
}

std::optional<SessionEnd> end_from_json(std::string_view line) try {
  const auto json = read_json(line, transcript_limits);
  if (!json) return std::nullopt;
  ObjectReader reader((JsonValue(*json)));
  SessionEnd end{reader["sha256"].text()};
  if (const JsonValue model = reader["model_sha256"]) end.model = model.text();
  return end;
} catch (const JsonError&) {
  return std::nullopt;
}

}  // namespace engram::bridge
