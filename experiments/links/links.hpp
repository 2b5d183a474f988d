// SPDX-License-Identifier: MIT
// Links: which tails, and which heads, stand in a relation that nobody told? Attention with a query map for
// each relation, trained by its own gradient, and networks that were learnt before, against retrieval from the
// memory of the same facts without training, and against baselines. Filtered ranks among all entities, of tails and of heads.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "core/attention/relational_attention.hpp"
#include "experiments/links/link_model.hpp"
#include "experiments/spec/experiment.hpp"
#include "experiments/statistics/statistics.hpp"

namespace engram::experiments::links {

/// A network that `engram train` made, under the name of its file.
struct LinksModel {
  std::string label, file;  // as named in the spec
  std::shared_ptr<const LinkModel> model;
};

struct LinksOptions {
  std::string published;                 // a file of published figures, as named in the spec; empty: none
  std::filesystem::path published_path;  // where it is
  std::vector<double> regularisations{0.005, 0.01};  // each is tried; the validation split chooses
  core::RelationalTrainingOptions training;          // regularisation aside
  bool train = true;  // the attention, seed by seed; on large sets it takes hours
  std::vector<LinksModel> models;
};

Conclusion conclude_links(const Spec& spec, const LinksOptions& options, const std::vector<Json>& rows);

/// Places of the right answer to question i of a row, whose members "ranks" and "tied" are its mean place and how many others
/// have its score.  Errors  Json::exception, std::out_of_range for what no run writes
TiedRanks tied_ranks_in(const Json& row, std::size_t i);

inline constexpr const char* trained_links = "trained_attention";
/// What every method has to beat; `links` measures them whether a spec names them or not.
inline constexpr const char* link_baselines[] = {"constant", "relation_frequency", "pair_rules"};

/// Published figures: {"sets": [{"set", "sha256": [of files], "figures": [{"model", "mrr", "hits@1",
/// "hits@10", "source", "setup"}]}]}. Returns those of the set that all of these files belong to; none for
/// others, since figures on other splits cannot be compared.
/// Errors   SpecError for a file that is not of this form
Json published_figures(const std::filesystem::path& file, const std::vector<std::string>& sha256);

}  // namespace engram::experiments::links
