// SPDX-License-Identifier: MIT
#include "bridge/json/answer_json.hpp"

#include "narsese/printer.hpp"

namespace engram::bridge {

Json to_json(const core::ProvenAnswer& answer) {
  Json lines = Json::array();
  for (const core::ProofLine& line : answer.proof)
    add_to(lines, {{"narsese", line.narsese + (line.truth ? " " + narsese::print(*line.truth) : "")},
                   {"rule", line.rule},
                   {"step", line.step},
                   {"premises", line.premises}});
  return {{"term", answer.term},
          {"truth", {{"frequency", answer.truth.frequency}, {"confidence", answer.truth.confidence}}},
          {"derivation", std::move(lines)}};
}

Json to_json(const std::vector<core::ProvenAnswer>& answers) {
  Json list = Json::array();
  for (const core::ProvenAnswer& answer : answers) add_to(list, to_json(answer));
  return list;
}

}  // namespace engram::bridge
