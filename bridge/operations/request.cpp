// SPDX-License-Identifier: MIT
#include "bridge/operations/request.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "bridge/json_reader.hpp"

namespace engram::bridge {
namespace {

RequestError missing(const std::string& name) {
  return {"missing_field", "field '" + name + "' is missing", {{"pointer", pointer_to(name)}}};
}

std::string quoted(const std::string& name) { return "'" + name + "'"; }

double finite_number(const Json& value, const std::string& pointer) {
  if (!value.is_number())
    throw bad_value(pointer, "expected a number, found " + std::string(value.type_name()));
  return value.get<double>();  // JSON has no infinities, and parse_request refuses what overflows
}

// One of a list, of which the place is put together only where it is told.
double finite_number(const Json& list, std::size_t i, const std::string& pointer) {
  if (list[i].is_number()) return list[i].get<double>();
  return finite_number(list[i], pointer + "/" + std::to_string(i));
}

RequestError json_error(const JsonError& error) {
  Json details = {{"column", error.column}, {"offset", error.offset}};
  if (!error.pointer.empty())
    details = {{"pointer", error.pointer}};  // it is JSON, so it has a place in that
  return {error.of_limit ? "limit_exceeded" : "bad_json", error.message(), std::move(details)};
}

}  // namespace

RequestError bad_value(const std::string& pointer, const std::string& message) {
  return {"bad_value", message, {{"pointer", pointer}}};
}

RequestError shape_mismatch(const std::string& pointer, const std::string& message) {
  return {"shape_mismatch", message, {{"pointer", pointer}}};
}

RequestError limit_exceeded(const std::string& pointer, const std::string& message) {
  return {"limit_exceeded", message, {{"pointer", pointer}}};
}

RequestError parse_error(const std::string& pointer, const narsese::ParseError& error) {
  return {"parse_error",
          error.message(),
          {{"line", error.line}, {"column", error.column}, {"offset", error.offset}, {"pointer", pointer}}};
}

RequestError work_stopped(const core::WorkStopped& why) {
  using Reason = core::WorkStopped::Reason;
  const bool bytes = why.reason == Reason::bytes, asked = why.reason == Reason::asked;
  return {bytes ? "bytes_exceeded" : asked ? "stopped" : "work_exceeded", why.what()};
}

WorkLimit work_limit_of(const Json& request, const WorkLimit& most) {
  WorkLimit limit = most;
  if (!request.contains("limit")) return limit;
  const Json& given = request.at("limit");
  if (!given.is_object()) throw bad_value("/limit", "'limit' must be an object");
  const auto whole_number = [&](const std::string& name, std::uint64_t at_most) {
    const Json& value = given.at(name);
    if (!value.is_number_unsigned() || value.get<std::uint64_t>() < 1)
      throw bad_value("/limit" + pointer_to(name), quoted(name) + " must be a whole number, 1 or more");
    return std::min(value.get<std::uint64_t>(), at_most);
  };
  for (const auto& [name, value] : given.items()) {
    if (name == "milliseconds")
      limit.time =
          std::chrono::milliseconds(whole_number(name, static_cast<std::uint64_t>(most.time.count())));
    else if (name == "bytes")
      limit.bytes = whole_number(name, most.bytes);
    else
      throw RequestError{"unknown_field",
                         "unknown field '" + name + "'; 'limit' knows milliseconds, bytes",
                         {{"pointer", "/limit" + pointer_to(name)}}};
  }
  return limit;
}

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

Json parse_request(std::string_view line, const ProtocolLimits& limits, std::string& id) {
  JsonMember as_written{"id"};
  auto json = read_json<Json>(line,
                              {.max_bytes = limits.max_request_bytes,
                               .max_depth = static_cast<std::size_t>(limits.max_depth),
                               .max_values = limits.max_values,
                               .max_members = limits.max_members},
                              &as_written);
  if (!json) throw json_error(json.error());
  if (!as_written.text.empty()) id = without_blanks(as_written.text);
  return std::move(json).value();
}

Request::Request(const Json& json, const std::vector<std::string>& fields, const ProtocolLimits& limits)
    : json_(json), limits_(limits) {
  for (const auto& [name, value] : json.items()) {
    if (name == "op" || name == "limit" || std::ranges::find(fields, name) != fields.end()) continue;
    throw RequestError{"unknown_field",
                       "unknown field '" + name + "'; '" + json.at("op").get<std::string>() + "' knows " +
                           (fields.empty() ? "no fields" : joined(fields)),
                       {{"pointer", pointer_to(name)}}};
  }
}

const Json& Request::at(const char* name) const {
  if (!has(name)) throw missing(name);
  return json_.at(name);
}

std::string Request::text(const char* name) const {
  if (!at(name).is_string()) throw bad_value(pointer_to(name), quoted(name) + " must be a string");
  return at(name).get<std::string>();
}

std::string Request::choice(const char* name, const std::vector<std::string>& known) const {
  const std::string value = text(name);
  if (std::ranges::find(known, value) == known.end())
    throw bad_value(pointer_to(name), quoted(name) + " must be one of " + joined(known));
  return value;
}

bool Request::flag(const char* name) const {
  if (!at(name).is_boolean()) throw bad_value(pointer_to(name), quoted(name) + " must be true or false");
  return at(name).get<bool>();
}

std::size_t Request::count(const char* name) const {
  constexpr std::uint64_t most = 1'000'000'000;
  const Json& value = at(name);
  if (!value.is_number_unsigned() || value.get<std::uint64_t>() < 1 || value.get<std::uint64_t>() > most)
    throw bad_value(pointer_to(name),
                    quoted(name) + " must be a whole number in [1, " + std::to_string(most) + "]");
  return value.get<std::size_t>();
}

double Request::number(const char* name, double least, double most) const {
  const double value = finite_number(at(name), pointer_to(name));
  if (!(value >= least && value <= most))
    throw bad_value(pointer_to(name), quoted(name) + " must be a number in [" + Json(least).dump() + ", " +
                                          Json(most).dump() + "]");
  return value;
}

double Request::positive(const char* name, double otherwise) const {
  const double value = number(name, 0, std::numeric_limits<double>::max(), otherwise);
  if (value == 0) throw bad_value(pointer_to(name), "'" + std::string(name) + "' must be above 0");
  return value;
}

core::Vector Request::vector(const char* name, std::optional<core::Index> size) const {
  const Json& value = at(name);
  const std::string pointer = pointer_to(name);
  if (!value.is_array() || value.empty())
    throw bad_value(pointer, quoted(name) + " must be a list of numbers, one at least");
  core::Vector vector(static_cast<core::Index>(value.size()));
  if (size && vector.size() != *size)
    throw shape_mismatch(pointer, quoted(name) + " has " + std::to_string(vector.size()) +
                                      " numbers, expected " + std::to_string(*size));
  for (std::size_t i = 0; i < value.size(); ++i)
    vector[static_cast<core::Index>(i)] = finite_number(value, i, pointer);
  return vector;
}

core::Matrix Request::matrix(const char* name) const { return matrix(name, -1, -1); }

core::Matrix Request::matrix(const char* name, core::Index rows, core::Index columns) const {
  const Json& value = at(name);
  const std::string pointer = pointer_to(name);
  if (!value.is_array() || value.empty() || !value[0].is_array() || value[0].empty())
    throw bad_value(pointer, quoted(name) + " must be a list of rows of numbers, one of each at least");
  core::Matrix matrix(static_cast<core::Index>(value.size()), static_cast<core::Index>(value[0].size()));
  for (core::Index i = 0; i < matrix.rows(); ++i) {
    const Json& row = value[static_cast<std::size_t>(i)];
    const auto place = [&] { return pointer + "/" + std::to_string(i); };
    if (!row.is_array()) throw bad_value(place(), "a row must be a list of numbers");
    if (static_cast<core::Index>(row.size()) != matrix.cols())
      throw shape_mismatch(place(), "this row has " + std::to_string(row.size()) + " numbers, the first " +
                                        std::to_string(matrix.cols()));
    for (core::Index j = 0; j < matrix.cols(); ++j) {
      const Json& number = row[static_cast<std::size_t>(j)];
      matrix(i, j) = number.is_number() ? number.get<double>()
                                        : finite_number(row, static_cast<std::size_t>(j), place());
    }
  }
  const auto fits = [](core::Index found, core::Index wanted) { return wanted < 0 || found == wanted; };
  const auto extent = [](core::Index wanted) { return wanted < 0 ? "any" : std::to_string(wanted); };
  if (!fits(matrix.rows(), rows) || !fits(matrix.cols(), columns))
    throw shape_mismatch(pointer, quoted(name) + " has shape " + std::to_string(matrix.rows()) + " x " +
                                      std::to_string(matrix.cols()) + ", expected " + extent(rows) + " x " +
                                      extent(columns));
  return matrix;
}

std::vector<core::Index> Request::indices(const char* name, core::Index below) const {
  const Json& value = at(name);
  const std::string pointer = pointer_to(name);
  if (!value.is_array()) throw bad_value(pointer, quoted(name) + " must be a list of whole numbers");
  std::vector<core::Index> indices;
  for (std::size_t i = 0; i < value.size(); ++i) {
    if (!value[i].is_number_unsigned() || value[i].get<std::uint64_t>() >= static_cast<std::uint64_t>(below))
      throw bad_value(pointer + "/" + std::to_string(i),
                      "expected a whole number in [0, " + std::to_string(below - 1) + "]");
    indices.push_back(value[i].get<core::Index>());
  }
  return indices;
}

void Request::require_room(double numbers, double multiplications) const {
  if (numbers > static_cast<double>(limits_.max_numbers))
    throw limit_exceeded("", "the reply, or what leads to it, would have more than " +
                                 std::to_string(limits_.max_numbers) + " numbers");
  if (multiplications > static_cast<double>(limits_.max_multiplications))
    throw limit_exceeded(
        "", "more than " + std::to_string(limits_.max_multiplications) + " multiplications would be needed");
}

Json to_json(const core::Vector& vector) {
  core::spend(64 * static_cast<std::uint64_t>(vector.size()));
  Json list = Json::array();
  for (const double x : vector) {
    if (!std::isfinite(x))  // JSON has no infinities: large numbers in can be too large when multiplied
      throw bad_value("", "the result leaves the range of a double");
    list.push_back(x);
  }
  return list;
}

Json to_json(const core::Matrix& matrix) {
  Json rows = Json::array();
  for (core::Index i = 0; i < matrix.rows(); ++i)
    rows.push_back(to_json(core::Vector(matrix.row(i).transpose())));
  return rows;
}

}  // namespace engram::bridge
