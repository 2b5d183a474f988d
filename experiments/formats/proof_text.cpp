// SPDX-License-Identifier: MIT
#include "experiments/formats/proof_text.hpp"

#include <cmath>
#include <set>
#include <vector>

#include "core/numbers/shapes.hpp"
#include "narsese/printer.hpp"

namespace engram::experiments {

std::string four_decimals(double number) {
  constexpr double unit = 1e4;
  return narsese::print_number(std::round(number * unit) / unit);
}

namespace {

std::string sentence_in_proof(const core::ProofLine& line) {
  if (!line.truth) return line.narsese;
  return line.narsese + " %" + four_decimals(line.truth->frequency) + ";" +
         four_decimals(line.truth->confidence) + "%";
}

std::string rule_in_proof(const core::ProofLine& line) {
  if (!line.truth) return "question";
  return line.premises.empty() ? "input" : std::string(line.rule);
}

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

std::string proof_text(const std::vector<ProofStep>& steps) {
  core::require(!steps.empty(), "a proof has a step");
  std::string text = steps.back().sentence + "   (" + steps.back().rule + ")\n";
  std::set<std::size_t> drawn;
  draw_premises(steps, steps.size() - 1, "", drawn, text);
  return text;
}

std::string proof_text(const core::ProvenAnswer& answer) {
  std::vector<ProofStep> steps;
  for (const core::ProofLine& line : answer.proof)
    steps.push_back({sentence_in_proof(line), rule_in_proof(line), line.premises});
  return proof_text(steps);
}

}  // namespace engram::experiments
