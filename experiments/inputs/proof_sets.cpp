// SPDX-License-Identifier: MIT
#include "experiments/inputs/proof_sets.hpp"

namespace engram::experiments {

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
