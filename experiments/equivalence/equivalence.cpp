// SPDX-License-Identifier: MIT
#include "experiments/equivalence/equivalence.hpp"

namespace engram::experiments {

std::vector<Identity> all_identities() {
  std::vector<Identity> all;
  for (const auto part : {attention_identities(), hopfield_identities(), graph_identities(), partings()})
    all.insert(all.end(), part.begin(), part.end());
  return all;
}

void Equivalence::read(SpecReader& reader, Spec& spec) {
  read_seeds(reader, spec, 20);
  reader.numbers("sizes", options_.sizes, 1, 500);
}

std::vector<std::string> Equivalence::methods(const Spec& /*spec*/) const {
  std::vector<std::string> names;
  for (const Identity& identity : all_identities()) names.push_back(identity.name);
  return names;
}

Measures Equivalence::measures() const {
  return {"case by case", [](const Json& row) {
            const Json& deviation = row.at("deviation");
            return std::vector<Observation>{{deviation.is_number() ? "deviation" : "not a number",
                                             row.at("identity").get<std::string>(),
                                             row.at("seed").dump() + " " + row.at("size").dump(),
                                             deviation.is_number() ? deviation.get<double>() : 1}};
          }};
}

std::unique_ptr<Experiment> equivalence_experiment() { return std::make_unique<Equivalence>(); }

}  // namespace engram::experiments
