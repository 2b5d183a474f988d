// SPDX-License-Identifier: MIT
#include "experiments/answering/findings.hpp"

namespace engram::experiments::answering {

void Findings::add_given(const std::string& gate, std::size_t given, const GivenProof& proof) {
  add("given " + gate, static_cast<double>(given));
  add("kept " + gate, proof.kept);
  add("whole " + gate, proof.whole);
}

void Findings::add_answer(const std::string& gate, const AskedQuestion& question,
                          const std::optional<Answer>& oracle, const std::optional<Answer>& answer) {
  add("support " + gate, support(answer));
  if (question.needed() == 0) return;
  const Verdict verdict = oracle ? verdict_on(answer, *oracle) : Verdict::none;
  for (const auto& [one, name] : verdicts)
    if (one != Verdict::none) add(std::string(name) + " " + gate, verdict == one);
}

void Findings::add_ranking(const std::string& of, const RankingMeasures& ranking,
                           const std::vector<std::size_t>& cutoffs) {
  add(of + " MRR", ranking.reciprocal_rank());
  for (const std::size_t k : cutoffs) {
    add(of + " nDCG@" + std::to_string(k), ranking.ndcg(k));
    add(of + " recall@" + std::to_string(k), ranking.recall(k));
  }
}

}  // namespace engram::experiments::answering
