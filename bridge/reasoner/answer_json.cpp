// SPDX-License-Identifier: MIT
#include "bridge/reasoner/answer_json.hpp"

#include "narsese/printer.hpp"

namespace engram::bridge {

Json to_json(const ProvenAnswer& answer) {
  Json lines = Json::array();
  for (const ProofLine& line : answer.proof)
    add_to(lines, {{"narsese", line.narsese + (line.truth ? " " + narsese::print(*line.truth) : "")},
                   {"rule", line.rule},
                   {"step", line.step},
                   {"premises", line.premises}});
  return {{"term", answer.term},
          {"truth", {{"frequency", answer.truth.frequency}, {"confidence", answer.truth.confidence}}},
          {"derivation", std::move(lines)}};
}

}  // namespace engram::bridge
