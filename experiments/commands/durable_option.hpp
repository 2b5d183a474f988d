// SPDX-License-Identifier: MIT
// --durable: a memory that is there again the next time.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "bridge/durable/durable_memory.hpp"
#include "experiments/commands/command_line.hpp"

namespace engram::experiments {

struct DurableArguments {
  std::string folder;  // empty: nothing is kept
  std::uint64_t least_journal_bytes = bridge::DurableOptions{}.least_journal_bytes;
};

void add_durable(CLI::App* command, DurableArguments& arguments);

/// Takes the folder; nothing where there is none. What it tells goes to standard error; `lost` is called once when
/// nothing is kept any more.
/// Errors  as bridge::DurableMemory
std::shared_ptr<bridge::DurableMemory> durable_memory(const DurableArguments& arguments,
                                                      const std::function<void()>& lost = {});

}  // namespace engram::experiments
