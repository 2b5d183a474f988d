// SPDX-License-Identifier: MIT
// Memory that is free in this process, for the rest of the machine.
#pragma once

namespace engram::core {

/// Gives pages back to the system that the allocator holds and nothing is in: what was freed between things that stay,
/// which an allocator keeps for ever. Nothing where the library for C has no such call (glibc's malloc_trim).
/// Cost  a look at all that is free; afterwards new pages must come from the system
void give_back_free_memory();

}  // namespace engram::core
