// SPDX-License-Identifier: MIT
// Typed access to the fields of a protocol request. Every error names the place. Private to this layer; no public
// header includes it.
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

/// An error in a request, which becomes its error reply.
struct RequestError {
  std::string code;
  std::string message;
  Json details = Json::object();  // line, column, offset and pointer, if they apply
};

/// Converts a JSON error into missing_field, unknown_field or bad_value.
RequestError value_error(const JsonError& error);
RequestError bad_value(const std::string& pointer, const std::string& message);
RequestError shape_mismatch(const std::string& pointer, const std::string& message);
RequestError limit_exceeded(const std::string& pointer, const std::string& message);
RequestError parse_error(const std::string& pointer, const narsese::ParseError& error);
/// Converts a cancellation into work_exceeded, bytes_exceeded or stopped, by its reason.
RequestError work_stopped(const core::WorkStopped& why);

/// Limits on the work for a request: its field `limit`, but at most `most`.
WorkLimit work_limit_of(const Json& request, const WorkLimit& most);

/// Parses a request (see read_json) except its "id". Only the client interprets the ID, so `id` gets its source text
/// without blanks, if there is one.
/// Errors  RequestError bad_json, limit_exceeded
Json parse_request(std::string_view line, const ProtocolLimits& limits, std::string& id);

/// A list of at least one finite number. If `size` is given, another length is the error shape_mismatch.
core::Vector vector_in(const JsonValue& value, std::optional<core::Index> size = {});

/// Reads the fields of one request and rejects unknown fields. Accessors throw JsonError for a missing field or a wrong
/// type or range, and RequestError for a wrong shape.
class Request {
 public:
  Request(const Json& json, const std::vector<std::string>& fields, const ProtocolLimits& limits);

  /// Rejects all fields except these, `op` and `limit`.
  void refuse_others(std::vector<std::string> fields) const;

  JsonValue operator[](std::string_view name) const { return object_[name]; }
  /// Whether the field is present.
  bool has(std::string_view name) const { return static_cast<bool>(object_[name]); }
  /// One of these names. The second overload returns `otherwise` if the field is absent.
  std::string choice(std::string_view name, const std::vector<std::string>& known) const {
    return object_[name].choice("", known);
  }
  std::string choice(std::string_view name, const std::vector<std::string>& known,
                     const std::string& otherwise) const {
    return has(name) ? choice(name, known) : otherwise;
  }
  /// The table row that the field names.
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
  /// A number in [least, most]. The second overload returns `otherwise` if the field is absent.
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
  /// A vector of finite numbers, of this size if one is given.
  core::Vector vector(std::string_view name, std::optional<core::Index> size = {}) const {
    return vector_in(object_[name], size);
  }
  /// A matrix: a list of at least one row, all of the same positive length. Another number of rows or columns is the
  /// error shape_mismatch; -1 allows any number.
  core::Matrix matrix(std::string_view name, core::Index rows = -1, core::Index columns = -1) const;
  /// A list of whole numbers in [0, below).
  std::vector<core::Index> indices(std::string_view name, core::Index below) const;

  /// Throws limit_exceeded if the reply, or an intermediate matrix, has too many numbers, or if the work needs too many
  /// multiplications.
  void require_room(double numbers, double multiplications) const;

 private:
  JsonValue object_;
  const ProtocolLimits& limits_;
};

/// Numbers in a reply.  Errors  bad_value if one is not finite
Json to_json(const core::Vector& vector);
Json to_json(const core::Matrix& matrix);

}  // namespace engram::bridge
