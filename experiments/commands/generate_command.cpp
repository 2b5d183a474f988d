// SPDX-License-Identifier: MIT
// The command `engram generate`: prints Narsese data sets with known proofs, of any size.
#include <iostream>

#include "experiments/commands/command_line.hpp"
#include "experiments/commands/program.hpp"
#include "experiments/inputs/proof_sets.hpp"

namespace engram::experiments {
namespace {

struct GenerateArguments {
  std::string kind;
  ChainOptions options;
  std::uint64_t seed = 1;
};

ExitCode print_generated(const GenerateArguments& arguments) {
  if (arguments.kind == "chains" && arguments.options.size < 100)
    throw CLI::ValidationError("--size", "of chains must be at least 100");
  const ChainOptions& options = arguments.options;
  std::string heading = "engram generate " + arguments.kind + " --size " + std::to_string(options.size) +
                        " --seed " + std::to_string(arguments.seed) + " --questions " +
                        std::to_string(options.questions);
  if (arguments.kind == "chains") heading += " --longest " + std::to_string(options.longest);
  write_nal(std::cout, generate(arguments.kind, options, arguments.seed), heading);
  return done;
}

}  // namespace

void add_generate(CLI::App& app, ExitCode& code) {
  auto [command, arguments] =
      add_command(app, code, "generate", "print a Narsese file of questions with known proofs",
                  "engram generate chains --size 400 --seed 7 > chains.nal", print_generated);
  add_option(
      command, "kind", arguments.kind,
      "families: seven people each; chains: relations that rules compose; taxonomies: properties that\n"
      "subclasses inherit; events: chains of temporal implications; theories: rules whose proofs are trees;\n"
      "compositions: relations that rules compose over up to ten facts",
      is_required, one_of(proof_kinds));
  add_option(command, "--size", arguments.options.size, "approximate number of statements",
             in_range(10, 20'000'000));
  add_option(command, "--seed", arguments.seed, "seed of random choices; the same seed gives the same file");
  add_option(command, "--questions", arguments.options.questions, "most questions", in_range(1, 10'000));
  add_option(command, "--longest", arguments.options.longest, "chains: most facts that a relation composes",
             in_range(2, 6));
}

}  // namespace engram::experiments
