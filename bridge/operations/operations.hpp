// SPDX-License-Identifier: MIT
// The operations of the protocol. One table (operations.cpp) has the fields, limits and defaults of each.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "bridge/operations/context.hpp"
#include "bridge/operations/request.hpp"

namespace engram::bridge {

/// How an operation uses the session. If several clients share a session (SharedSession), operations that only read run
/// on a copy, except `glance`.
enum class Use : std::uint8_t {
  nothing,  // does not use the memory
  glance,  // reads the memory for a few milliseconds, which is cheaper for writers than a copy; does not create terms
  memory,  // reads the memory
  index,   // reads the index of the memory
  change,
};

/// An operation of the protocol.
struct Operation {
  std::string name;
  std::vector<Field> fields;
  Json (*run)(const Context&, const Request&);
  Use use = Use::nothing;
  /// Stores the lasting results of an operation in the session of the context. `ran_on` is the session it ran on, which
  /// may be the same. May be null.
  void (*keep)(const Context&, core::Session& ran_on, const Request&) = nullptr;
};

/// All operations.
std::span<const Operation> operations();

/// Rejects requests that name files, if the limits forbid them. Untrusted clients must not learn which files exist or
/// write any.  Errors  RequestError
void require_files(const Context& context, const std::string& pointer);

/// The implementations, each named after its operation.
namespace run {

using Implementation = Json(const Context& context, const Request& request);

// On the memory of the session (memory_operations.cpp).
Implementation hello, input, links, stats, view, reset, snapshot, restore, quit;
/// Values of the field `dialect` of `input`.
std::vector<std::string> dialect_names();

// By a method, from a cue (recall_operations.cpp).
Implementation recall, explain, allocate, compare, reason;
/// Stores the budget of `allocate`, which is the prior of the next request.
void keep_budget(const Context& context, core::Session& ran_on, const Request& request);

// On vectors in the request (attention_operations.cpp).
Implementation map, sample, scores, attend, multihead, universal, continuous, continuous_context;

// On a graph or a network in the request (network_operations.cpp).
Implementation pagerank, positional, weights, hebbian, hopfield, dense, modern;
/// Values of the field `rule` of `hebbian`.
std::vector<std::string> hebbian_rules();

}  // namespace run
}  // namespace engram::bridge
