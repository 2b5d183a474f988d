// SPDX-License-Identifier: MIT
// Why a concept, or a statement, got what a recall gives it: in sums that a person can check by hand.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/retrieval/methods.hpp"

namespace engram::core {

/// A number and what it is made of: the parts add up to it.
struct Account {
  struct Part {
    std::string words;
    double amount = 0;
  };
  std::string words;
  double total = 0;
  std::vector<Part> parts;  // the largest first, at most nine; the last may stand for all others
};

/// A place on the way from the cue to what is explained.
struct Stop {
  bool statement = false;  // else a concept
  std::uint32_t id = 0;
  std::string words;  // what it is
  std::string how;    // how it is reached from the stop before; empty for the first
};

struct Explanation {
  double score = 0;
  std::vector<Account> accounts;  // the first is of the score; the others of parts of those before
  std::string separation;         // how the scores were parted from one another, with the numbers; or nothing
  std::vector<Stop> path;         // the strongest way from the cue, if any; between two ends it goes on
  std::string note;               // where there is no sum: why
};

/// Explains the items of one recall. Refers to readings, cue and recall.
class Explainer {
 public:
  virtual ~Explainer() = default;
  /// Ranges  ids of what has a score above 0; of what has none, the explanation is empty but for a note
  virtual Explanation of_concept(ConceptId id) const = 0;
  virtual Explanation of_statement(StatementId id) const = 0;
};

/// What decomposes, and into what:
///   attention, modern_hopfield  weights by hops, a hop's similarity by shared concepts, each by what put it
///                               into the state: the cue or statements of the hop before
///   concept_attention           the cosine by the cue's concepts, with incidence embeddings
///   hopfield                    the field by active units and the cue
///   pagerank, linear_ecan       what comes along each link, and from the cue itself
///   spreading_activation        the same less what was passed on
///   bidirectional_spreading     by pairs of ends and lengths of the ways on which they meet; rules have a
///   score
///                               by unification, which is no sum
///   cosine, overlap             by shared concepts
///   frequency, uniform          no cue: what is counted
/// Of those that rank concepts, a statement's score is a cosine by concepts; of those that rank statements, a
/// concept's is a sum over the statements that mention it. What is simulated (ecan, graph_spins,
/// dense_memory) or goes by time (continuous_attention) says so. Errors   OptionError
std::unique_ptr<const Explainer> explain(const Method& method, const Options& options,
                                         const Readings& readings, const Cue& cue, const Recall& recall);

}  // namespace engram::core
