// SPDX-License-Identifier: MIT
// Experiment `links`: predicts the missing tail or head of a fact. It compares attention with a trained query map for
// each relation, networks trained earlier, untrained retrieval from a memory of the same facts, and baselines. The
// measure is the filtered rank of the correct tail and head among all entities.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "core/attention/relational_attention.hpp"
#include "experiments/links/link_model.hpp"
#include "experiments/spec/experiment.hpp"
#include "experiments/statistics/ranking_measures.hpp"
#include "experiments/statistics/statistics.hpp"

namespace engram::experiments::links {

/// A network from `engram train`, named after its file.
struct LinksModel {
  std::string label, file;  // names in the spec
  std::shared_ptr<const LinkModel> model;
};

struct LinksOptions {
  std::string published;                 // file of published figures, as named in the spec; empty: none
  std::filesystem::path published_path;  // path of this file
  std::vector<double> regularisations{0.005, 0.01};  // all are tried; the validation split selects one
  core::RelationalTrainingOptions training;          // training options except regularisation
  bool train = true;  // whether to train the attention once per seed; takes hours on large sets
  std::vector<LinksModel> models;
};

Conclusion conclude_links(const Spec& spec, const LinksOptions& options, const std::vector<Json>& rows);

/// Rank of the correct answer to question i of a row. Row member "ranks" has the mean rank for each question, and row
/// member "tied" the number of other entities with the same score.
/// Errors  Json::exception, std::out_of_range for malformed rows
TiedRanks tied_ranks_in(const Json& row, std::size_t i);

inline constexpr const char* trained_links = "trained_attention";
/// The baselines. The experiment always measures them, even if the spec does not name them.
inline constexpr const char* link_baselines[] = {"constant", "relation_frequency", "pair_rules"};

/// Reads published figures: {"sets": [{"set", "sha256": [of files], "figures": [{"model", "mrr", "hits@1", "hits@10",
/// "source", "setup"}]}]}. Returns the figures of the set with all these files. The list is empty if no set has them,
/// because figures on other splits cannot be compared.
/// Errors   SpecError if the file does not have this form
Json published_figures(const std::filesystem::path& file, const std::vector<std::string>& sha256);

}  // namespace engram::experiments::links
