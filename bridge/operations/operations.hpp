// SPDX-License-Identifier: MIT
// The operations of the protocol. Two tables (memory_table.cpp, kernel_table.cpp) have the fields, limits, defaults,
// documentation and an example of each. Private to this layer.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bridge/operations/context.hpp"
#include "bridge/operations/request.hpp"

namespace engram::bridge {

/// Use of the session by an operation. If several clients share a session (SharedSession), operations that only read run
/// on a copy, except `glance`.
enum class Use : std::uint8_t {
  nothing,  // does not use the memory
  glance,   // reads the memory in a few milliseconds under a lock, which is cheaper for writers than a copy
  memory,   // reads the memory
  index,    // reads the index of the memory
  change,   // changes the memory
};

/// An operation of the protocol, or one form of it. Several forms have the same name and follow each other in the
/// table. The choice in their first field, such as `rule` of `hebbian`, selects the form.
struct Operation {
  std::string name;
  std::string about;  // documentation: one or two sentences
  std::vector<Field> fields;
  std::string example;  // a request that succeeds after the examples before it
  Json (*run)(const Context&, const Request&);
  Use use = Use::nothing;
  /// Stores the lasting results of an operation in the session of the context. `ran_on` is the session it ran on, which
  /// may be the same. May be null.
  void (*keep)(const Context&, core::Session& ran_on, const Request&) = nullptr;
  std::string conditions = {};  // further keywords of its JSON schema, for fields that depend on each other
};

/// The tables.
std::vector<Operation> memory_operations();
std::vector<Operation> kernel_operations();

/// Names in one text, for messages and help.
std::string joined(const std::vector<std::string>& names, std::string_view separator = ", ");

/// All operations.
std::span<const Operation> operations();
/// The forms of the operation with this name; empty if it is unknown.
std::span<const Operation> forms_of(std::string_view name);
/// The form of the operation that a request asks for.
/// Errors   RequestError unknown_op; JsonError for a request that is not an object or has no form
const Operation& operation_of(const Json& request);

/// Rejects requests that name files, if the limits forbid them. Untrusted clients must not learn which files exist or
/// write any.
/// Errors   RequestError
void require_files(const Context& context, const std::string& pointer);

/// The implementations, each named after its operation or form.
namespace run {

using Implementation = Json(const Context& context, const Request& request);

// Access to the memory (memory_operations.cpp).
Implementation hello, input, links, stats, view, reset, snapshot, restore, quit;
/// Values of the field `dialect` of `input`.
std::vector<std::string> dialect_names();

// Ranking by a method (recall_operations.cpp).
Implementation recall, explain, allocate, allocate_operations, compare, reason;
/// Stores the budget of `allocate`, which is the prior of the next request.
void keep_budget(const Context& context, core::Session& ran_on, const Request& request);

// Vectors in the request (attention_operations.cpp).
Implementation map, sample, scores, attend, multihead, universal, continuous, continuous_context;

// Graphs and networks in the request (network_operations.cpp).
Implementation pagerank, positional, weights, hopfield, dense, modern;
// Forms of `hebbian` (network_operations.cpp).
Implementation hebb_decay, correlation, oja, sanger, bcm, stdp_pair;

}  // namespace run
}  // namespace engram::bridge
