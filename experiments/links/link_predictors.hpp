// SPDX-License-Identifier: MIT
// Link predictors: functions that score every entity as the answer to a question, and ranks computed from the scores.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "experiments/links/link_model.hpp"
#include "experiments/links/triples.hpp"
#include "experiments/statistics/ranking_measures.hpp"
#include "experiments/statistics/statistics.hpp"

namespace engram::experiments::links {

/// Function from a question to the score of each entity. It must not read the tail of the question.
using LinkScores = std::function<core::Vector(const core::Fact& question)>;

/// Baseline: gives all entities the same score, so all are tied.
LinkScores constant_scores(const LinkSet& set);

/// Baseline: how often the training split has the entity as a tail of the question's relation.
LinkScores relation_frequency(const LinkSet& set);

/// Baseline: rules "if (head, tail) are in relation b, in either direction, they are in relation r". The confidence of
/// a rule is the share of the pairs of b in the training split that are also pairs of r. The score of an entity is the
/// confidence of the best rule that leads to it. Rules r -> r do not count. relation_frequency breaks ties.
/// Cost  O(relations^2 facts), O(relations^2) memory
LinkScores pair_rules(const LinkSet& set);

/// Scores of a retrieval method. The cue is a question of the test split, and an entity has the score of its concept.
/// Errors   core::OptionError; std::out_of_range for other questions
LinkScores retrieved_scores(const LinkSet& set, const core::MemoryIndex& readings,
                            const MethodChoice& choice);

/// Scores of a network on the paths of a graph. The network and the graph must outlive the result.
LinkScores network_scores(const LinkNetwork& network, const core::RelationalGraph& graph);

/// Ranks of the correct tails by descending score, in the order of the questions. The ranking excludes other known
/// answers (filtered). Equal questions are scored once.
/// `answers`  the known answers of each question, the correct ones included
/// Source  Bordes et al. 2013, "Translating Embeddings for Modeling Multi-relational Data" (filtered)
std::vector<TiedRanks> filtered_ranks(const LinkAnswers& answers, std::span<const core::Fact> questions,
                                      const LinkScores& scores);

/// Mean of 1/rank. With ties, 1/rank is the expectation over random orders of the tied entities.
double mean_reciprocal_rank(const std::vector<TiedRanks>& ranks);

}  // namespace engram::experiments::links
