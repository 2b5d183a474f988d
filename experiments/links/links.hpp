// SPDX-License-Identifier: MIT
// Links: facts of a file held out, ranked among all that could stand in their place.
#pragma once

#include <filesystem>

#include "core/attention/relational_attention.hpp"
#include "experiments/spec/experiment.hpp"

namespace engram::experiments {

struct LinksOptions {
  std::string published;                 // a file of published figures, as named in the spec; empty: none
  std::filesystem::path published_path;  // where it is
  std::vector<double> regularisations{0.005, 0.01};  // each is tried; the validation split chooses
  core::RelationalTrainingOptions training;          // regularisation aside
};

class Links final : public Experiment {
 public:
  const char* name() const override { return "links"; }
  void read(SpecReader& reader, Spec& spec) override;
  std::unique_ptr<Trials> trials(const Spec& spec) const override;
  Conclusion conclude(const Spec& spec, const std::vector<Json>& rows) const override;
  Measures measures() const override;

 private:
  LinksOptions options_;
};

inline constexpr const char* trained_links = "trained_attention";
/// What every method has to beat; `links` measures them whether a spec names them or not.
inline constexpr const char* link_baselines[] = {"constant", "relation_frequency", "pair_rules"};

/// Published figures: {"sets": [{"set", "sha256": [of files], "figures": [{"model", "mrr", "hits@1",
/// "hits@10", "source", "setup"}]}]}. Returns those of the set that all of these files belong to; none for
/// others, since figures on other splits cannot be compared.
/// Errors   SpecError for a file that is not of this form
Json published_figures(const std::filesystem::path& file, const std::vector<std::string>& sha256);

}  // namespace engram::experiments
