// SPDX-License-Identifier: MIT
#include "experiments/equivalence/equivalence.hpp"

#include <cmath>

#include "experiments/formats/files.hpp"

namespace engram::experiments::equivalence {
namespace {

EquivalenceOptions read(SpecReader& reader, Spec& spec) {
  read_seeds(reader, spec, 20);
  EquivalenceOptions options;
  reader.counts("sizes", options.sizes, 1, 500);
  return options;
}

std::vector<Observation> observe(const Json& row) {
  const Json& deviation = row.at("deviation");
  return {{deviation.is_number() ? "deviation" : "not a number", row.at("identity").get<std::string>(),
           row.at("seed").dump() + " " + row.at("size").dump(),
           deviation.is_number() ? deviation.get<double>() : 1}};
}

std::vector<std::string> names(const EquivalenceOptions& /*options*/) {
  std::vector<std::string> names;
  for (const Identity& identity : all_identities()) names.push_back(identity.name);
  return names;
}

// Trials: one for each seed. Each computes every identity once for each size.
class EquivalenceTrials : public TrialsOf<EquivalenceOptions> {
 public:
  using TrialsOf::TrialsOf;
  Rejections prepare() override { return {}; }
  std::size_t count() const override { return spec_.seeds.size(); }

  TrialResult run(std::size_t trial) const override {
    const std::uint64_t seed = spec_.seeds[trial];
    TrialResult result;
    for (const Identity& identity : identities_) {
      result.time(trial, identity.name, [&] {
        for (const std::size_t size : options_.sizes) {
          core::Rng rng(seed, identity.name, size);
          const double deviation = identity.deviation(static_cast<core::Index>(size), rng);
          Json row = {{"trial", trial}, {"seed", seed}, {"identity", identity.name}, {"size", size}};
          // JSON cannot represent NaN.
          row["deviation"] = std::isfinite(deviation) ? Json(deviation) : Json("not a number");
          result.rows.push_back(std::move(row));
        }
      });
    }
    return result;
  }

 private:
  std::vector<Identity> identities_ = all_identities();
};

}  // namespace

std::vector<Identity> all_identities() {
  std::vector<Identity> all;
  for (const auto part : {attention_identities(), hopfield_identities(), graph_identities(), nal_identities(),
                          partings(), nal_partings()})
    all.insert(all.end(), part.begin(), part.end());
  return all;
}

std::unique_ptr<Experiment> experiment() {
  return make_experiment<EquivalenceOptions>({"equivalence",
                                              read,
                                              make_trials<EquivalenceTrials>,
                                              conclude_equivalence,
                                              {"case by case", observe},
                                              names});
}

}  // namespace engram::experiments::equivalence
