// SPDX-License-Identifier: MIT
#pragma once

#include "bridge/stream/event_stream.hpp"
#include "bridge/stream/world.hpp"

namespace engram::bridge {

/// Runs a stream until the world ends, then sends what still waits. If the world is live, another thread talks with the
/// NARS. Otherwise each line is sent before the next is read.
/// Errors  ReasonerError if the NARS failed too often in a row; core::WorkStopped; WorldError if the world stops
///         reading replies; std::system_error if the world cannot be read
void run_stream(EventStream& stream, World& world, bool live);

}  // namespace engram::bridge
