// SPDX-License-Identifier: MIT
#include "experiments/formats/json.hpp"

#include "bridge/json/object_reader.hpp"

namespace engram::experiments {

std::optional<Json> json_in(std::string_view text) {
  auto json = bridge::read_json(text, file_limits);
  return json ? std::optional(std::move(json).value()) : std::nullopt;
}

std::string pretty(const Json& json) { return json.dump(2) + "\n"; }

std::string json_lines(const std::vector<Json>& rows) {
  std::string text;
  for (const Json& row : rows) text += row.dump() + "\n";
  return text;
}

std::size_t whole(const Json& value) {
  const auto number = bridge::whole_in<std::size_t>(value);
  if (!number)
    throw Json::type_error::create(
        302, "must be a whole number, 0 or more, found " + value.dump().substr(0, 40), &value);
  return *number;
}

}  // namespace engram::experiments
