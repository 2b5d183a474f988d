// SPDX-License-Identifier: MIT
#pragma once

#include "bridge/stream/event_stream.hpp"
#include "bridge/stream/world.hpp"

namespace engram::bridge {

/// Reads a world to its end and lets the NARS act in it. Of a world that is live another thread talks with the NARS; else
/// each line is told before the next is read. When the world has ended, what waits is told.
/// Errors  ReasonerError where the NARS has failed too often in a row; core::WorkStopped; WorldError where the world does
///         not hear what is said; std::system_error where it cannot be read
void run_stream(EventStream& stream, World& world, bool live);

}  // namespace engram::bridge
