// SPDX-License-Identifier: MIT
// engram generate: Narsese with known proofs, for whoever wants more of it than the files that come along.
#include <iostream>

#include "experiments/commands/commands.hpp"
#include "experiments/inputs/proof_sets.hpp"

namespace engram::experiments {

namespace {

ProofSet generate(const GenerateArguments& arguments) {
  if (arguments.kind == "families")
    return generate_families(arguments.size, arguments.seed, arguments.questions);
  if (arguments.kind == "taxonomies")
    return generate_taxonomies(arguments.size, arguments.seed, arguments.questions);
  if (arguments.kind == "events") return generate_events(arguments.size, arguments.seed, arguments.questions);
  ChainOptions options;
  options.size = arguments.size;
  options.questions = arguments.questions;
  options.longest = arguments.longest;
  return generate_chains(options, arguments.seed);
}

}  // namespace

ExitCode generate_command(const GenerateArguments& arguments) {
  const ProofSet set = generate(arguments);
  std::string heading = "engram generate " + arguments.kind + " --size " + std::to_string(arguments.size) +
                        " --seed " + std::to_string(arguments.seed) + " --questions " +
                        std::to_string(arguments.questions);
  if (arguments.kind == "chains") heading += " --longest " + std::to_string(arguments.longest);
  write_nal(std::cout, set, heading);
  return done;
}

}  // namespace engram::experiments
