// SPDX-License-Identifier: MIT
// Ways to predict links: of every question, a score for every entity; and the ranks that come of scores.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "experiments/links/link_model.hpp"
#include "experiments/links/triples.hpp"
#include "experiments/statistics/statistics.hpp"

namespace engram::experiments::links {

/// Scores of all entities for one question; its tail must not be looked at.
using LinkScores = std::function<core::Vector(const core::Fact& question)>;

/// The same score for all: what ties give.
LinkScores constant_scores(const LinkSet& set);

/// How often an entity of the training split is the tail of the question's relation.
LinkScores relation_frequency(const LinkSet& set);

/// Rules of one step: what stands in relation b to the head, in either direction, also stands in relation r
/// to it. Confidence: of the pairs of b in the training split, the share that r has as well. An entity's
/// score is that of the best rule, r -> r aside, that leads to it; ties are broken by relation_frequency.
/// Cost  O(relations^2 facts), O(relations^2) memory
LinkScores pair_rules(const LinkSet& set);

/// What a retrieval method of the memory gives each entity's concept, a question of the test split as its
/// cue.
/// Errors   core::OptionError, std::out_of_range for other questions
LinkScores retrieved_scores(const LinkSet& set, const core::MemoryIndex& readings,
                            const MethodChoice& choice);

/// What a network gives each entity, by the paths of the graph; both must outlive it.
LinkScores network_scores(const LinkNetwork& network, const core::RelationalGraph& graph);

/// Ranks of the right tails by descending score, known answers other than the right one left out (filtered),
/// in the order of the questions; those that ask the same are scored once.
/// Source  Bordes et al. 2013, "Translating Embeddings for Modeling Multi-relational Data" (filtered)
/// `answers`  of each question, the right ones among them
std::vector<TiedRanks> filtered_ranks(const LinkAnswers& answers, std::span<const core::Fact> questions,
                                      const LinkScores& scores);

/// Mean of 1/rank, as an expectation where entities are tied.
double mean_reciprocal_rank(const std::vector<TiedRanks>& ranks);

}  // namespace engram::experiments::links
