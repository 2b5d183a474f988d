// SPDX-License-Identifier: MIT
#include "experiments/formats/proof_text.hpp"

#include <cmath>
#include <set>
#include <vector>

#include "narsese/printer.hpp"

namespace engram::experiments {

std::string four_decimals(double number) {
  constexpr double unit = 1e4;
  return narsese::print_number(std::round(number * unit) / unit);
}

namespace {

std::string sentence_in_proof(const bridge::ProofLine& line) {
  if (!line.truth) return line.narsese;
  return line.narsese + " %" + four_decimals(line.truth->frequency) + ";" +
         four_decimals(line.truth->confidence) + "%";
}

std::string rule_in_proof(const bridge::ProofLine& line) {
  if (!line.truth) return "question";
  return line.premises.empty() ? "input" : std::string(line.rule);
}

// Draws the premises of one line of a proof, one under the other.
void draw_premises(const std::vector<bridge::ProofLine>& proof, std::size_t at, const std::string& indent,
                   std::set<std::size_t>& drawn, std::string& text) {
  const std::vector<std::size_t>& premises = proof[at].premises;
  for (std::size_t i = 0; i < premises.size(); ++i) {
    const bridge::ProofLine& line = proof[premises[i]];
    const bool last = i + 1 == premises.size(),
               again = !drawn.insert(premises[i]).second && !line.premises.empty();
    text += indent + (last ? "└─ " : "├─ ") + sentence_in_proof(line) + "   (" +
            (again ? "proved above" : rule_in_proof(line)) + ")\n";
    if (!again) draw_premises(proof, premises[i], indent + (last ? "   " : "│  "), drawn, text);
  }
}

}  // namespace

std::string proof_text(const bridge::ProvenAnswer& answer) {
  const bridge::ProofLine& conclusion = answer.proof.back();
  std::string text = sentence_in_proof(conclusion) + "   (" + rule_in_proof(conclusion) + ")\n";
  std::set<std::size_t> drawn;
  draw_premises(answer.proof, answer.proof.size() - 1, "", drawn, text);
  return text;
}

}  // namespace engram::experiments
