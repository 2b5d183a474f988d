// SPDX-License-Identifier: MIT
#include "experiments/inputs/proof_sets.hpp"

namespace engram::experiments {

ProofSet generate(const std::string& kind, const ChainOptions& options, std::uint64_t seed) {
  if (kind == "chains") return generate_chains(options, seed);
  if (kind == "theories") return generate_theories(options, seed);
  if (kind == "compositions") return generate_compositions(options, seed);
  const auto size = [&](std::size_t of_group, std::size_t shared = 0) {
    return options.groups > 0 ? shared + of_group * options.groups : options.size;
  };
  if (kind == "families") return generate_families(size(6, 4), seed, options.questions);
  if (kind == "taxonomies") return generate_taxonomies(size(tree_size), seed, options.questions);
  return generate_events(size(event_group_size), seed, options.questions);
}

void write_nal(std::ostream& out, const ProofSet& set, const std::string& heading) {
  out << "//" << heading << '\n';
  for (std::size_t i = 0; i < set.statements.size(); ++i)
    out << set.statements[i] << '.' << set.truths[i] << '\n';
  for (const ProvenQuestion& question : set.questions) {
    out << question.question << "?\n//expected: Answer: " << question.answer << ".\n";
    for (const std::size_t id : question.needed) out << "//needed: " << set.statements[id] << ".\n";
  }
}

}  // namespace engram::experiments
