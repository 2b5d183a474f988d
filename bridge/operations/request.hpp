// SPDX-License-Identifier: MIT
// A request of the protocol as its operations read it: fields checked one by one, every error with its place.
// For the .cpp files of this layer alone; no public header includes it.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bridge/protocol.hpp"
#include "core/numbers/shapes.hpp"
#include "narsese/parse_error.hpp"

namespace engram::bridge {

using Json = nlohmann::ordered_json;

/// What goes wrong with a request; becomes its error reply.
struct RequestError {
  std::string code;
  std::string message;
  Json details = Json::object();  // line, column, offset, pointer where they apply
};

RequestError bad_value(const std::string& pointer, const std::string& message);
RequestError shape_mismatch(const std::string& pointer, const std::string& message);
RequestError limit_exceeded(const std::string& pointer, const std::string& message);
RequestError parse_error(const std::string& pointer, const narsese::ParseError& error);
/// work_exceeded, bytes_exceeded or stopped: by what the work on a request was ended.
RequestError work_stopped(const core::WorkStopped& why);

/// "a, b, c"
std::string joined(const std::vector<std::string>& names);

/// The names in one of core's tables of facts, to choose from.
template <class Table>
std::vector<std::string> names_in(const Table& table) {
  std::vector<std::string> names;
  for (const auto& row : table) names.emplace_back(row.name);
  return names;
}

/// What the work on a request may take: as its field `limit` says, and not more than `most`.
WorkLimit work_limit_of(const Json& request, const WorkLimit& most);

/// Reads a request (see read_json), but for its "id": if it has one, `id` becomes the text of that, as it is
/// written but for blanks, since what stands there is the client's alone.
/// Errors  RequestError bad_json, limit_exceeded
Json parse_request(std::string_view line, const ProtocolLimits& limits, std::string& id);

/// Reads the fields of one request and keeps the promise that unknown ones are refused. Every reader throws
/// RequestError with a JSON Pointer: missing_field, or bad_value where the type or range is wrong.
class Request {
 public:
  Request(const Json& json, const std::vector<std::string>& fields, const ProtocolLimits& limits);

  bool has(const char* name) const { return json_.contains(name); }
  const Json& at(const char* name) const;

  std::string text(const char* name) const;
  std::string choice(const char* name, const std::vector<std::string>& known) const;
  std::string choice(const char* name, const std::vector<std::string>& known,
                     const std::string& otherwise) const {
    return has(name) ? choice(name, known) : otherwise;
  }
  bool flag(const char* name) const;
  /// A whole number in [1, 1e9].
  std::size_t count(const char* name) const;
  /// A finite number in [least, most].
  double number(const char* name, double least, double most) const;
  double number(const char* name, double least, double most, double otherwise) const {
    return has(name) ? number(name, least, most) : otherwise;
  }
  /// A finite number above 0.
  double positive(const char* name, double otherwise) const;
  /// A list of finite numbers, one at least; of `size` numbers where that is given (else shape_mismatch).
  core::Vector vector(const char* name, std::optional<core::Index> size = {}) const;
  /// A list of rows of equal length, one row and one column at least.
  core::Matrix matrix(const char* name) const;
  /// The same of a shape that is known (else shape_mismatch); an extent of -1 is free.
  core::Matrix matrix(const char* name, core::Index rows, core::Index columns) const;
  /// A list of whole numbers in [0, below).
  std::vector<core::Index> indices(const char* name, core::Index below) const;

  /// Refuses (limit_exceeded) a reply (or matrix on the way to it) of more numbers, or work of more
  /// multiplications, than the limits allow.
  void require_room(double numbers, double multiplications) const;

 private:
  const Json& json_;
  const ProtocolLimits& limits_;
};

/// Numbers of a reply.  Errors  bad_value if one is not finite
Json to_json(const core::Vector& vector);
Json to_json(const core::Matrix& matrix);

}  // namespace engram::bridge
