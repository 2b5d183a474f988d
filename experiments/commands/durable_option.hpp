// SPDX-License-Identifier: MIT
// The option --durable: keeps a memory in a folder between runs of the program.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "bridge/durable/durable_memory.hpp"
#include "experiments/commands/command_line.hpp"

namespace engram::experiments {

struct DurableArguments {
  std::string folder;  // empty: the memory is not kept
  std::uint64_t least_journal_bytes = bridge::DurableOptions{}.least_journal_bytes;
};

void add_durable(CLI::App* command, DurableArguments& arguments);

/// Opens the folder of a durable memory, or returns null if no folder is given. Messages go to standard error. `lost`
/// is called once if the memory can no longer be saved.
/// Errors  as bridge::DurableMemory
std::shared_ptr<bridge::DurableMemory> durable_memory(const DurableArguments& arguments,
                                                      const std::function<void()>& lost = {});

}  // namespace engram::experiments
