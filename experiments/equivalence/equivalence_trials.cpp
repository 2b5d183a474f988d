// SPDX-License-Identifier: MIT
// Equivalence: where are attention and Hopfield networks the same thing? Each identity is computed both ways
// by the code that everything else uses, on random cases; so is what is taken for an identity and is none.
#include <cmath>

#include "experiments/equivalence/equivalence.hpp"
#include "experiments/equivalence/identity.hpp"
#include "experiments/formats/json.hpp"

namespace engram::experiments {
namespace {

// A trial is one seed: every identity once for each size.
class EquivalenceTrials : public Trials {
 public:
  EquivalenceTrials(const Spec& spec, const EquivalenceOptions& options)
      : spec_(spec), options_(options), identities_(all_identities()) {}

  Rejections prepare() override { return {}; }
  std::size_t count() const override { return spec_.seeds.size(); }

  TrialResult run(std::size_t trial) const override {
    const std::uint64_t seed = spec_.seeds[trial];
    TrialResult result;
    for (const Identity& identity : identities_) {
      const double time = seconds([&] {
        for (const std::size_t size : options_.sizes) {
          core::Rng rng(seed, identity.name, size);
          const double deviation = identity.deviation(static_cast<core::Index>(size), rng);
          Json row = {{"trial", trial}, {"seed", seed}, {"identity", identity.name}, {"size", size}};
          // JSON has no NaN.
          row["deviation"] = std::isfinite(deviation) ? Json(deviation) : Json("not a number");
          result.rows.push_back(std::move(row));
        }
      });
      result.timings.push_back({{"trial", trial}, {"method", identity.name}, {"seconds", time}});
    }
    return result;
  }

 private:
  const Spec& spec_;
  const EquivalenceOptions& options_;
  std::vector<Identity> identities_;
};

}  // namespace

std::unique_ptr<Trials> Equivalence::trials(const Spec& spec) const {
  return std::make_unique<EquivalenceTrials>(spec, options_);
}

}  // namespace engram::experiments
