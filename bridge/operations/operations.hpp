// SPDX-License-Identifier: MIT
// The operations of the protocol: name, fields and implementation of each. Each source file has one table.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "bridge/durable/durable_memory.hpp"
#include "bridge/operations/gate_log.hpp"
#include "bridge/operations/request.hpp"
#include "core/session/session.hpp"

namespace engram::bridge {

/// Smallest positive and largest magnitude that unbounded numeric fields accept. Both are far from the limits of double,
/// so that simple formulas neither underflow nor overflow.
inline constexpr double least_positive = 1e-300, largest_number = 1e300;

/// The environment of an operation.
struct Context {
  core::Session& session;
  const ProtocolLimits& limits;
  bool& finished;
  DurableMemory* durable = nullptr;  // stores the session; nullptr: it is not durable
  const GateLog* gate = nullptr;     // log of a live NARS; nullptr: there is none
};

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
  std::vector<std::string> fields;
  Json (*run)(const Context&, const Request&);
  Use use = Use::change;
  /// Stores the lasting results of an operation in the session of the context. `ran_on` is the session it ran on, which
  /// may be the same. May be null.
  void (*keep)(const Context&, core::Session& ran_on, const Request&) = nullptr;
};

/// The variant of `allocate` for operations, which has other fields.
Json allocate_operations(const Context& context, const Request& request);
/// The operation `reason`, which asks Engram's own reasoner. Its entry is in the table of memory operations.
Json reason(const Context& context, const Request& request);
/// The operation `view`, which shows the most active parts of the memory. Its entry is in the table of memory
/// operations.
Json view(const Context& context, const Request& request);
/// The table of each source file.
std::span<const Operation> memory_operations();      // hello, input, recall, allocate, compare, links, ...
std::span<const Operation> map_operations();         // map, sample
std::span<const Operation> attention_operations();   // scores, attend, multihead, universal
std::span<const Operation> graph_operations();       // pagerank, positional
std::span<const Operation> continuous_operations();  // continuous, continuous_context
std::span<const Operation> learning_operations();    // weights, hebbian
std::span<const Operation> hopfield_operations();    // hopfield, dense, modern

}  // namespace engram::bridge
