// SPDX-License-Identifier: MIT
// A request of the protocol as its operations read it: fields checked one by one, every error with its place.
// For the .cpp files of this layer alone; no public header includes it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bridge/json/object_reader.hpp"
#include "bridge/operations/protocol_limits.hpp"
#include "core/numbers/names.hpp"
#include "core/numbers/shapes.hpp"
#include "narsese/parse_error.hpp"

namespace engram::bridge {

/// What goes wrong with a request; becomes its error reply.
struct RequestError {
  std::string code;
  std::string message;
  Json details = Json::object();  // line, column, offset, pointer where they apply
};

/// missing_field, unknown_field or bad_value: a value of the request is not what its reader expects.
RequestError value_error(const JsonError& error);
RequestError bad_value(const std::string& pointer, const std::string& message);
RequestError shape_mismatch(const std::string& pointer, const std::string& message);
RequestError limit_exceeded(const std::string& pointer, const std::string& message);
RequestError parse_error(const std::string& pointer, const narsese::ParseError& error);
/// work_exceeded, bytes_exceeded or stopped: by what the work on a request was ended.
RequestError work_stopped(const core::WorkStopped& why);

/// What the work on a request may take: as its field `limit` says, and not more than `most`.
WorkLimit work_limit_of(const Json& request, const WorkLimit& most);

/// Reads a request (see read_json), but for its "id": if it has one, `id` becomes the text of that, as it is
/// written but for blanks, since what stands there is the client's alone.
/// Errors  RequestError bad_json, limit_exceeded
Json parse_request(std::string_view line, const ProtocolLimits& limits, std::string& id);

/// A list of finite numbers, one at least; of `size` numbers where that is given (else shape_mismatch).
core::Vector vector_in(const JsonValue& value, std::optional<core::Index> size = {});

/// Reads the fields of one request and keeps the promise that unknown ones are refused. Every reader throws
/// JsonError where a field is missing, or its type or range is wrong, and RequestError for a wrong shape.
class Request {
 public:
  Request(const Json& json, const std::vector<std::string>& fields, const ProtocolLimits& limits);

  /// Beside these fields a request has but `op` and `limit`.
  void refuse_others(std::vector<std::string> fields) const;

  JsonValue operator[](std::string_view name) const { return object_[name]; }
  /// Whether the field is there.
  bool has(std::string_view name) const { return static_cast<bool>(object_[name]); }
  /// One of these names; the second: `otherwise` where the field is not there.
  std::string choice(std::string_view name, const std::vector<std::string>& known) const {
    return object_[name].choice("", known);
  }
  std::string choice(std::string_view name, const std::vector<std::string>& known,
                     const std::string& otherwise) const {
    return has(name) ? choice(name, known) : otherwise;
  }
  /// The row of a table that the field names.
  template <class Table>
  const auto& row(std::string_view name, const Table& table) const {
    return object_[name].choice(
        "", table, [](const auto& row) -> const auto& { return row.name; });
  }
  /// The value that the field names in a table (core/numbers/names.hpp).
  template <class Table>
  auto value(std::string_view name, const Table& table) const {
    return row(name, table).value;
  }
  template <class Table>
  auto value(std::string_view name, const Table& table, core::ValueOf<Table> otherwise) const {
    return has(name) ? value(name, table) : otherwise;
  }
  /// A whole number in [1, 1e9].
  std::size_t count(std::string_view name) const;
  std::size_t count(std::string_view name, std::size_t otherwise) const {
    return has(name) ? count(name) : otherwise;
  }
  /// A number in [least, most]; the second: `otherwise` where the field is not there.
  double number(std::string_view name, double least, double most) const {
    return object_[name].number(least, most);
  }
  double number(std::string_view name, double least, double most, double otherwise) const {
    return has(name) ? number(name, least, most) : otherwise;
  }
  /// A finite number above 0.
  double positive(std::string_view name) const;
  double positive(std::string_view name, double otherwise) const {
    return has(name) ? positive(name) : otherwise;
  }
  /// A vector of finite numbers, of that size where one is said.
  core::Vector vector(std::string_view name, std::optional<core::Index> size = {}) const {
    return vector_in(object_[name], size);
  }
  /// A list of rows of equal length, one row and one column at least, of a shape that may be known (else
  /// shape_mismatch); an extent of -1 is free.
  core::Matrix matrix(std::string_view name, core::Index rows = -1, core::Index columns = -1) const;
  /// A list of whole numbers in [0, below).
  std::vector<core::Index> indices(std::string_view name, core::Index below) const;

  /// Refuses (limit_exceeded) a reply (or matrix on the way to it) of more numbers, or work of more
  /// multiplications, than the limits allow.
  void require_room(double numbers, double multiplications) const;

 private:
  JsonValue object_;
  const ProtocolLimits& limits_;
};

/// Numbers of a reply.  Errors  bad_value if one is not finite
Json to_json(const core::Vector& vector);
Json to_json(const core::Matrix& matrix);

}  // namespace engram::bridge
