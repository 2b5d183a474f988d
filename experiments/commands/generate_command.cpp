// SPDX-License-Identifier: MIT
// The command `engram generate`: writes Narsese data sets with known proofs, for users who need more than the shipped
// files.
#include <iostream>
#include <memory>

#include "experiments/commands/command_line.hpp"
#include "experiments/commands/commands.hpp"
#include "experiments/inputs/proof_sets.hpp"

namespace engram::experiments {
namespace {

struct GenerateArguments {
  std::string kind;
  ChainOptions options;
  std::uint64_t seed = 1;
};

ExitCode generate(const GenerateArguments& arguments) {
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
  const auto arguments = std::make_shared<GenerateArguments>();
  CLI::App* sub =
      add_command(app, "generate", "print Narsese whose questions have known proofs, as a .nal file",
                  "engram generate chains --size 400 --seed 7 > chains.nal");
  add_option(
      sub, "kind", arguments->kind,
      "families: seven people each; chains: relations that rules compose; taxonomies: properties that\n"
      "subclasses inherit; events: chains of temporal implications; theories: rules whose proofs are trees;\n"
      "compositions: relations that rules compose over up to ten facts")
      ->required()
      ->check(one_of(proof_kinds));
  add_option(sub, "--size", arguments->options.size, "about how many statements")
      ->check(CLI::Range(std::size_t{10}, std::size_t{20000000}));
  add_option(sub, "--seed", arguments->seed, "seed; the same one gives the same file");
  add_option(sub, "--questions", arguments->options.questions, "questions at most")
      ->check(CLI::Range(std::size_t{1}, std::size_t{10000}));
  add_option(sub, "--longest", arguments->options.longest, "of chains: facts that one joins at most")
      ->check(CLI::Range(2, 6));
  sub->callback([&code, arguments] {
    if (arguments->kind == "chains" && arguments->options.size < 100)
      throw CLI::ValidationError("--size", "of chains must be at least 100");
    code = generate(*arguments);
  });
}

}  // namespace engram::experiments
