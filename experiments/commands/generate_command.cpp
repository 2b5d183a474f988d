// SPDX-License-Identifier: MIT
// engram generate: Narsese with known proofs, for whoever wants more of it than the files that come along.
#include <iostream>

#include "experiments/commands/commands.hpp"
#include "experiments/inputs/proof_sets.hpp"

namespace engram::experiments {

ExitCode generate_command(const GenerateArguments& arguments) {
  const bool families = arguments.kind == "families";
  ChainOptions options;
  options.size = arguments.size;
  options.questions = arguments.questions;
  options.longest = arguments.longest;
  const ProofSet set = families ? generate_families(arguments.size, arguments.seed, arguments.questions)
                                : generate_chains(options, arguments.seed);
  std::string heading = "engram generate " + arguments.kind + " --size " + std::to_string(arguments.size) +
                        " --seed " + std::to_string(arguments.seed) + " --questions " +
                        std::to_string(arguments.questions);
  if (!families) heading += " --longest " + std::to_string(arguments.longest);
  write_nal(std::cout, set, heading);
  return done;
}

}  // namespace engram::experiments
