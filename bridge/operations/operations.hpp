// SPDX-License-Identifier: MIT
// The operations of the protocol, one table a file: what each is called, which fields it knows, what it does.
#pragma once

#include <span>

#include "bridge/durable/durable_memory.hpp"
#include "bridge/operations/request.hpp"
#include "core/session/session.hpp"

namespace engram::bridge {

/// What an operation may use beside its request.
struct Context {
  core::Session& session;
  const ProtocolLimits& limits;
  bool& finished;
  DurableMemory* durable = nullptr;  // keeps the session; nullptr: nothing does
};

/// An op of the protocol: its name, the fields it takes, and what it does.
struct Operation {
  std::string name;
  std::vector<std::string> fields;
  Json (*run)(const Context&, const Request&);
  bool apart = false;  // answered without the memory, whoever has it
};

std::span<const Operation> memory_operations();      // hello, input, recall, allocate, compare, links, ...
std::span<const Operation> map_operations();         // map, sample
std::span<const Operation> attention_operations();   // scores, attend, multihead, universal
std::span<const Operation> graph_operations();       // pagerank, positional
std::span<const Operation> continuous_operations();  // continuous, continuous_context
std::span<const Operation> learning_operations();    // weights, hebbian
std::span<const Operation> hopfield_operations();    // hopfield, dense, modern

}  // namespace engram::bridge
