// SPDX-License-Identifier: MIT
// The edges of a graph in a request. For the .cpp files of this layer alone.
#pragma once

#include <vector>

#include "bridge/operations/request.hpp"
#include "core/numbers/edge_list.hpp"

namespace engram::bridge {

/// Triples [source, target, weight] among so many nodes.
/// Errors   JsonError
std::vector<core::Edge> edges_in(const JsonValue& list, std::size_t nodes);

}  // namespace engram::bridge
