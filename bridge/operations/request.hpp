// SPDX-License-Identifier: MIT
// Typed access to the fields of a protocol request. Each error has a JSON Pointer to the wrong value. Private to this
// layer; no public header includes it.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bridge/json/object_reader.hpp"
#include "bridge/operations/context.hpp"
#include "bridge/operations/field.hpp"
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

/// Converts the error of a JSON accessor into missing_field, unknown_field or bad_value.
RequestError value_error(const JsonError& error);
/// Create errors with this code and a JSON Pointer to the wrong value.
RequestError bad_value(const std::string& pointer, const std::string& message);
RequestError shape_mismatch(const std::string& pointer, const std::string& message);
RequestError limit_exceeded(const std::string& pointer, const std::string& message);
RequestError parse_error(const std::string& pointer, const narsese::ParseError& error);
/// Converts a cancellation into work_exceeded, bytes_exceeded or stopped, by its reason.
RequestError work_stopped(const core::WorkStopped& why);

/// Limits on the work for a request: its field `limit`, but at most `most`.
WorkLimit work_limit_of(const Json& request, const WorkLimit& most);

/// Parses a request line (see read_json) without its member "id". If the request has an "id", stores its source text
/// without blanks in `id`, because replies repeat it as it was written.
/// Errors  RequestError bad_json, limit_exceeded
Json parse_request(std::string_view line, const ProtocolLimits& limits, std::string& id);

/// Converts a JSON list of at least one finite number.
/// Errors  JsonError; RequestError shape_mismatch for another length than `size`, if it is given
core::Vector vector_in(const JsonValue& value, std::optional<core::Index> size = {});

/// Reads the fields of one request by their declarations and rejects unknown fields. Accessors throw JsonError for a
/// missing field or a wrong type or range, and RequestError for a wrong shape. They return the declared default if the
/// field is absent.
class Request {
 public:
  Request(const Json& json, std::span<const Field> fields, const ProtocolLimits& limits);

  JsonValue operator[](std::string_view name) const { return object_[name]; }
  /// Whether the field is present.
  bool has(std::string_view name) const { return static_cast<bool>(object_[name]); }
  const ProtocolLimits& limits() const { return limits_; }

  /// One of the declared names.
  std::string choice(std::string_view name) const;
  /// The value in `table` with the name in this field. The table must have every name that the field declares.
  template <class Table>
  auto value(std::string_view name, const Table& table) const {
    return core::value_named(table, choice(name)).value();
  }
  /// A whole number in the declared range. The second overload returns `otherwise` if the field is absent.
  std::size_t count(std::string_view name) const;
  std::size_t count(std::string_view name, std::size_t otherwise) const {
    return has(name) ? count(name) : otherwise;
  }
  /// A number in the declared range. The second overload returns `otherwise` if the field is absent.
  double number(std::string_view name) const;
  double number(std::string_view name, double otherwise) const {
    return has(name) ? number(name) : otherwise;
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
  // Errors  std::logic_error if the operation declares no such field
  const Field& declared(std::string_view name, Field::Kind kind) const;
  bool is_default(const Field& field) const { return !field.otherwise.is_null() && !has(field.name); }

  JsonValue object_;
  std::span<const Field> fields_;
  const ProtocolLimits& limits_;
};

/// Converts numbers for a reply.  Errors  RequestError bad_value if one is not finite
Json to_json(const core::Vector& vector);
Json to_json(const core::Matrix& matrix);

}  // namespace engram::bridge
