// SPDX-License-Identifier: MIT
// Memory that is free in this process, for the rest of the machine.
#pragma once

namespace engram::core {

/// Gives pages back to the system that the allocator holds and nothing is in: what was freed between things that stay,
/// which an allocator keeps for ever. Nothing where the library for C has no such call (glibc's malloc_trim).
/// Cost  a look at all that is free; afterwards new pages must come from the system
void give_back_free_memory();

/// From now on large blocks come from the system one by one and go back when they are freed, for a process that lives
/// long and has large requests now and then. Else glibc keeps up to 64 MB of them in each arena, of which each thread
/// may have one.
void give_back_large_blocks();

}  // namespace engram::core
