// SPDX-License-Identifier: MIT
// What is measured of one method, or arm, question by question.
#pragma once

#include <string>

#include "experiments/answering/live_answers.hpp"
#include "experiments/statistics/ranking_measures.hpp"

namespace engram::experiments::answering {

/// Measures by name, each a list with a value a question.
class Findings {
 public:
  /// "given G", "kept G", "whole G" of a question with a known proof.
  void add_given(const std::string& gate, std::size_t given, const GivenProof& proof);
  /// "answered G", "weaker G", "wrong G" of a question with a known proof, 1 for what it is and 0 for the
  /// others, all 0 where the oracle has no answer; "support G" of every question that is asked.
  void add_answer(const std::string& gate, const AskedQuestion& question, const std::optional<Answer>& oracle,
                  const std::optional<Answer>& answer);
  /// MRR, nDCG and recall of statements, or of concepts.
  void add_ranking(const std::string& of, const RankingMeasures& ranking,
                   const std::vector<std::size_t>& cutoffs);

  const Json& measures() const { return measures_; }

  Json seconds = Json::array(), asking = Json::array();  // of recalls, and of what a NARS was asked

 private:
  void add(const std::string& name, double value) { measures_[name].push_back(value); }

  Json measures_ = Json::object();
};

}  // namespace engram::experiments::answering
