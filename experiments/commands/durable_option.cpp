// SPDX-License-Identifier: MIT
#include "experiments/commands/durable_option.hpp"

#include <iostream>

namespace engram::experiments {

void add_durable(CLI::App* command, DurableArguments& arguments) {
  CLI::Option* folder = add_option(
      command, "--durable", arguments.folder,
      "a folder that keeps the memory: what is acknowledged is on the disk before, and there again the\n"
      "next time, after a kill as well; made where there is none. A memory that is there keeps its decay\n"
      "and its rule of learning");
  folder->type_name(folder_type);
  command
      ->add_option(
          "--compact-at", arguments.least_journal_bytes,
          "--durable: a new snapshot is written, behind what goes on, once what came in since the last one\n"
          "takes this much, and half as much as that one (default: " +
              std::to_string(arguments.least_journal_bytes >> 20) + "M)")
      ->transform(CLI::AsSizeValue(false))
      ->type_name("BYTES")
      ->needs(folder);
}

std::shared_ptr<bridge::DurableMemory> durable_memory(const DurableArguments& arguments,
                                                      const std::function<void()>& lost) {
  if (arguments.folder.empty()) return nullptr;
  bridge::DurableOptions options{.least_journal_bytes = arguments.least_journal_bytes};
  options.tell = [](const std::string& text) { std::cerr << "engram: " + text + "\n"; };
  options.lost = [lost](const std::string& why) {
    std::cerr << "engram: error: nothing is kept any more: " + why + "\n";
    if (lost) lost();
  };
  return std::make_shared<bridge::DurableMemory>(arguments.folder, options);
}

}  // namespace engram::experiments
