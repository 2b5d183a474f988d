// SPDX-License-Identifier: MIT
// The best keys of a query, and those that a map of sparse weights may give one, found block by block. For
// core/single_precision/float_attention.hpp and core/hopfield/float_retrieval.hpp alone.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "core/single_precision/float_questions.hpp"

namespace engram::core::packed {

/// The k best so far.
class BestKeys {
 public:
  explicit BestKeys(std::size_t k) : k_(k) {}

  /// Keeps it if it is among the best so far.
  void add(const ScoredKey& key);
  /// Those of a block, whose largest score is given.
  void add(const float* scores, const Block& block, float largest);
  void add(const BestKeys& others);
  /// The score of that rank, k or k - 1 (1 is the best); -infinity while there are fewer.
  float of_rank(std::size_t rank) const;
  /// The best first.
  std::vector<ScoredKey> sorted() &&;

 private:
  std::size_t k_;
  std::vector<ScoredKey> heap_;  // the worst in front
};

/// A score that may have a weight.
struct Candidate {
  std::uint32_t key;
  float score;
};

/// All keys to which a map may give a weight, by its margin; a budget of k has `winners` k, the others 1.
class Candidates {
 public:
  Candidates(const Questions& questions, std::size_t winners, double margin);
  /// Those of a query, in the order of the keys.
  std::vector<Candidate> of(std::size_t query) const;
  /// The winners of a query and the next, the best first.
  std::vector<ScoredKey> best(std::size_t query) const;

 private:
  struct Room {
    Block block;
    std::vector<BestKeys> best;  // of what a worker has met, for each query
  };

  BestKeys all_best(std::size_t query) const;
  void visit(const Questions& questions, std::size_t span, Room& room);

  std::size_t winners_, queries_;
  double margin_;
  std::vector<Room> rooms_;
  std::vector<std::vector<Candidate>> found_;  // of every span and query
};

/// A map's weights of candidates that are not 0, and the value of its programme.
struct WeighedKeys {
  std::vector<std::pair<Index, double>> weights;
  double value;
};
WeighedKeys weigh(const Regulariser& map, const std::vector<Candidate>& candidates);

/// out += the rows, weighed.
void add_rows(const PackedRows& rows, const WeighedKeys& weighed, std::span<double> out);

}  // namespace engram::core::packed
