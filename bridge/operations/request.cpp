// SPDX-License-Identifier: MIT
#include "bridge/operations/request.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace engram::bridge {
namespace {

constexpr std::uint64_t steps_a_value = 64;  // per JSON value read or created

RequestError json_error(const JsonError& error) {
  Json details = {{"column", error.column}, {"offset", error.offset}};
  if (!error.pointer.empty())
    details = {{"pointer", error.pointer}};  // the text is valid JSON, so the error has a pointer
  return {error.kind == JsonError::Kind::limit ? "limit_exceeded" : "bad_json", error.message(),
          std::move(details)};
}

}  // namespace

RequestError value_error(const JsonError& error) {
  const Json details = {{"pointer", error.pointer}};
  const char* code = error.kind == JsonError::Kind::unknown   ? "unknown_field"
                     : error.kind == JsonError::Kind::missing ? "missing_field"
                                                              : "bad_value";
  const std::string name = error.pointer.empty() ? "a request" : "'" + error.pointer.substr(1) + "'";
  return {code, error.message_about(name), details};
}

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
  const bool bytes = why.reason == Reason::bytes, asked = why.reason == Reason::cancelled;
  return {bytes ? "bytes_exceeded" : asked ? "stopped" : "work_exceeded", why.what()};
}

WorkLimit work_limit_of(const Json& request, const WorkLimit& most) {
  WorkLimit limit = most;
  const JsonValue root(request);
  const JsonValue given = root["limit"];
  if (!given) return limit;
  ObjectReader object(given);
  const auto most_time = static_cast<std::uint64_t>(most.time.count());
  if (const JsonValue time = object["milliseconds"])
    limit.time = std::chrono::milliseconds(std::min(time.count(1), most_time));
  if (const JsonValue bytes = object["bytes"]) limit.bytes = std::min(bytes.count(1), most.bytes);
  object.refuse_others();
  return limit;
}

Json parse_request(std::string_view line, const ProtocolLimits& limits, std::string& id) {
  JsonMember as_written{"id"};
  const auto note_id = [&] {
    if (!as_written.text.empty()) id = without_blanks(as_written.text);
  };
  JsonLimits json_limits{.max_bytes = limits.max_request_bytes,
                         .max_depth = static_cast<std::size_t>(limits.max_depth),
                         .max_values = limits.max_values,
                         .max_members = limits.max_members};
  try {
    try {
      core::Reservation(line.size()).keep();
    } catch (const core::WorkStopped&) {
      json_limits.max_values = 8;  // reads the first members only, for the id of the reply; chosen
      static_cast<void>(read_json(line, json_limits, &as_written));
      throw;
    }
    auto json = read_json(line, json_limits, &as_written);
    if (!json) throw json_error(json.error());
    note_id();
    return std::move(json).value();
  } catch (const core::WorkStopped&) {
    note_id();
    throw;
  }
}

core::Vector vector_in(const JsonValue& value, std::optional<core::Index> size) {
  value.list("a list of numbers, one at least", 1);
  core::charge(steps_a_value * value.size());
  core::Reservation(sizeof(double) * value.size()).keep();
  core::Vector vector(static_cast<core::Index>(value.size()));
  if (size && vector.size() != *size)
    throw shape_mismatch(value.pointer(), "'" + value.pointer().substr(1) + "' has " +
                                              std::to_string(vector.size()) + " numbers, expected " +
                                              std::to_string(*size));
  for (std::size_t i = 0; i < value.size(); ++i) vector[static_cast<core::Index>(i)] = value[i].number();
  return vector;
}

Request::Request(const Json& json, std::span<const Field> fields, const ProtocolLimits& limits)
    : object_(json), fields_(fields), limits_(limits) {
  std::vector<std::string> names;
  for (const Field& field : fields) names.push_back(field.name);
  names.insert(names.end(), {"op", "limit"});
  object_.refuse_others(names);
}

const Field& Request::declared(std::string_view name, Field::Kind kind) const {
  const auto field = std::ranges::find(fields_, name, &Field::name);
  if (field == fields_.end() || field->kind != kind)
    throw std::logic_error("the operation declares no such field: " + std::string(name));
  return *field;
}

std::string Request::choice(std::string_view name) const {
  const Field& field = declared(name, Field::Kind::choice);
  return is_default(field) ? field.otherwise.get<std::string>() : object_[name].choice("", field.names);
}

std::size_t Request::count(std::string_view name) const {
  const Field& field = declared(name, Field::Kind::whole);
  return is_default(field) ? field.otherwise.get<std::size_t>()
                           : object_[name].count(static_cast<std::uint64_t>(field.least),
                                                 static_cast<std::uint64_t>(field.most));
}

double Request::number(std::string_view name) const {
  const Field& field = declared(name, Field::Kind::number);
  return is_default(field) ? field.otherwise.get<double>() : object_[name].number(field.least, field.most);
}

core::Matrix Request::matrix(std::string_view name, core::Index rows, core::Index columns) const {
  constexpr std::string_view what = "a list of rows of numbers, one of each at least";
  const JsonValue value = object_[name];
  value.list(what, 1);
  if (!value.json()[0].is_array() || value.json()[0].empty()) value.refuse(std::string(what));
  core::Reservation(sizeof(double) * value.size() * value.json()[0].size()).keep();
  core::Matrix matrix(static_cast<core::Index>(value.size()),
                      static_cast<core::Index>(value.json()[0].size()));
  for (core::Index i = 0; i < matrix.rows(); ++i) {
    const JsonValue row = value[static_cast<std::size_t>(i)];
    row.list("a list of numbers");
    core::charge(steps_a_value * row.size());
    if (static_cast<core::Index>(row.size()) != matrix.cols())
      throw shape_mismatch(row.pointer(), "this row has " + std::to_string(row.size()) +
                                              " numbers, the first " + std::to_string(matrix.cols()));
    for (core::Index j = 0; j < matrix.cols(); ++j) matrix(i, j) = row[static_cast<std::size_t>(j)].number();
  }
  const auto fits = [](core::Index found, core::Index wanted) { return wanted < 0 || found == wanted; };
  const auto extent = [](core::Index wanted) { return wanted < 0 ? "any" : std::to_string(wanted); };
  if (!fits(matrix.rows(), rows) || !fits(matrix.cols(), columns))
    throw shape_mismatch(value.pointer(), "'" + std::string(name) + "' has shape " +
                                              std::to_string(matrix.rows()) + " x " +
                                              std::to_string(matrix.cols()) + ", expected " + extent(rows) +
                                              " x " + extent(columns));
  return matrix;
}

std::vector<core::Index> Request::indices(std::string_view name, core::Index below) const {
  const JsonValue value = object_[name];
  value.list("a list of whole numbers");
  core::charge(steps_a_value * value.size());
  core::Reservation(sizeof(core::Index) * value.size()).keep();
  std::vector<core::Index> indices;
  for (std::size_t i = 0; i < value.size(); ++i)
    indices.push_back(static_cast<core::Index>(value[i].count(0, static_cast<std::uint64_t>(below) - 1)));
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
  const auto size = static_cast<std::size_t>(vector.size());
  core::charge(steps_a_value * size);
  core::Reservation(sizeof(Json) * size).keep();
  Json::array_t list;
  list.reserve(size);
  for (const double x : vector) {
    if (!std::isfinite(x))  // JSON cannot express infinity, and products of large inputs may overflow
      throw bad_value("", "the result leaves the range of a double");
    list.push_back(x);
  }
  return list;
}

Json to_json(const core::Matrix& matrix) {
  Json rows = Json::array();
  core::Reservation(2 * sizeof(Json) * static_cast<std::size_t>(matrix.rows())).keep();
  for (core::Index i = 0; i < matrix.rows(); ++i)
    rows.push_back(to_json(core::Vector(matrix.row(i).transpose())));
  return rows;
}

}  // namespace engram::bridge
