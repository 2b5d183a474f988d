// SPDX-License-Identifier: MIT
#include "experiments/pages/proof_tree.hpp"

#include <set>

#include "core/numbers/shapes.hpp"

namespace engram::experiments {
namespace {

void draw_premises(const std::vector<ProofStep>& steps, std::size_t at, const std::string& indent,
                   std::set<std::size_t>& drawn, std::string& text) {
  const std::vector<std::size_t>& premises = steps[at].premises;
  for (std::size_t i = 0; i < premises.size(); ++i) {
    core::require(premises[i] < at, "a premise must be an earlier step");
    const ProofStep& step = steps[premises[i]];
    const bool last = i + 1 == premises.size(),
               again = !drawn.insert(premises[i]).second && !step.premises.empty();
    text += indent + (last ? "└─ " : "├─ ") + step.sentence + "   (" + (again ? "proved above" : step.rule) +
            ")\n";
    if (!again) draw_premises(steps, premises[i], indent + (last ? "   " : "│  "), drawn, text);
  }
}

}  // namespace

std::string proof_tree(const std::vector<ProofStep>& steps) {
  core::require(!steps.empty(), "a proof has a step");
  std::string text = steps.back().sentence + "   (" + steps.back().rule + ")\n";
  std::set<std::size_t> drawn;
  draw_premises(steps, steps.size() - 1, "", drawn, text);
  return text;
}

}  // namespace engram::experiments
