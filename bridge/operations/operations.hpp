// SPDX-License-Identifier: MIT
// The operations of the protocol, one table a file: what each is called, which fields it knows, what it does.
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

/// What an operation may use beside its request.
struct Context {
  core::Session& session;
  const ProtocolLimits& limits;
  bool& finished;
  DurableMemory* durable = nullptr;  // keeps the session; nullptr: nothing does
  const GateLog* gate = nullptr;     // of a session with a live NARS; nullptr: it is none
};

/// What an operation does with the session. Where several clients use one (SharedSession), what does no more than ask
/// is answered by a copy, but for a glance.
enum class Use : std::uint8_t {
  nothing,  // answered without the memory, whoever has it
  glance,  // looks at what is in it for some milliseconds, and names nothing: less than copies cost who changes it
  memory,    // asks for what is in it
  readings,  // asks for what its readings tell
  change,
};

/// An op of the protocol: its name, the fields it takes, and what it does.
struct Operation {
  std::string name;
  std::vector<std::string> fields;
  Json (*run)(const Context&, const Request&);
  Use use = Use::change;
  /// What of it stays in the context's session, which may be the same as the one that it ran on.
  void (*keep)(const Context&, core::Session& ran_on, const Request&) = nullptr;
};

/// `allocate` of operations, which has fields of its own.
Json allocate_operations(const Context& context, const Request& request);
/// Asks Engram's own reasoner; one of the memory's operations.
Json reason(const Context& context, const Request& request);
/// What is worth seeing; another one.
Json view(const Context& context, const Request& request);
/// The operations of each file.
std::span<const Operation> memory_operations();      // hello, input, recall, allocate, compare, links, ...
std::span<const Operation> map_operations();         // map, sample
std::span<const Operation> attention_operations();   // scores, attend, multihead, universal
std::span<const Operation> graph_operations();       // pagerank, positional
std::span<const Operation> continuous_operations();  // continuous, continuous_context
std::span<const Operation> learning_operations();    // weights, hebbian
std::span<const Operation> hopfield_operations();    // hopfield, dense, modern

}  // namespace engram::bridge
