// SPDX-License-Identifier: MIT
// Corpus: a Narsese file, with a memory of its statements and its questions.
#pragma once

#include <algorithm>
#include <array>
#include <istream>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/budgets/forgetting.hpp"
#include "core/session/session.hpp"
#include "experiments/formats/files.hpp"
#include "experiments/spec/spec.hpp"

namespace engram::experiments {

/// History of forgetting, for result rows and report pages. Holds at most `most` moments: if there are more, pairs of
/// neighbouring moments are merged.
class ForgottenOverTime {
 public:
  /// Appends an event. It must be later than all others.
  void add(const core::ForgettingEvent& event);
  /// Appends the events of the session since the last call, or the latest ones if the session has dropped some.
  void update(const core::Session& session);
  bool empty() const { return moments_.empty(); }

  /// The history with the totals of the session:
  ///   {"policy", "statements", "concepts", "links", "times": by reason, "cycles", "held": final number of statements,
  ///    "moments": [{"from", "to": cycles, "times", "before", "left": statements, "statements", "concepts", "links",
  ///                 "examples"}]}
  Json json(const core::Session& session) const;

  static constexpr std::size_t most = 48;  // chosen by hand, not derived

 private:
  using Times = std::array<std::uint64_t, core::forgetting_reasons.size()>;
  struct Moment {
    core::Time from = 0, to = 0;
    Times times{};
    std::size_t before = 0, left = 0;
    std::size_t statements = 0, concepts = 0, links = 0;
    std::vector<std::string> examples;

    std::uint64_t count() const;
    void take(Moment later);
  };
  static Json times_json(const Times& times);

  std::vector<Moment> moments_;
  std::uint64_t times_each_ = 1;  // number of events that each moment combines
  std::uint64_t seen_ = 0;        // number of events added so far
};

/// A question with the answers and proofs that its author expects.
struct Question {
  std::size_t line = 0;
  narsese::Sentence sentence;
  std::vector<narsese::Sentence> expected;       // expected answers
  using Proof = std::vector<core::StatementId>;  // ids of the premises; see Corpus::lost
  std::vector<Proof> proofs = {};                // proofs that the file names, usually the shortest first
  bool refuted = false;                          // no answer is expected: "//expected: Answer: None."

  /// Number of statements in the first proof; 0 without a known proof.
  std::size_t needed() const { return proofs.empty() ? 0 : proofs.front().size(); }
};

/// A file with its memory, its questions, and the results of reading it.
struct Corpus {
  std::string name;
  std::unique_ptr<core::Session> session;
  std::vector<Question> questions;
  std::vector<std::size_t> lines;       // line of the first input of each statement
  std::vector<narsese::Sentence> said;  // all judgments and goals in order, repetitions included
  std::vector<core::RejectedLine> rejected;
  /// Premises that were read, but that the full memory has forgotten or rejected. In proofs, their ids are greater than
  /// the ids of statements in memory, so no ranking contains them.
  std::vector<narsese::Sentence> lost = {};
  ForgottenOverTime forgotten = {};
  std::shared_ptr<narsese::TermTable> terms = {};  // owns the terms in `said` if the memory forgets

  std::size_t held() const { return session->memory().statements().size(); }
  bool is_held(core::StatementId premise) const { return premise < held(); }
  bool is_held(const Question::Proof& proof) const {
    return std::ranges::all_of(proof, [&](core::StatementId premise) { return is_held(premise); });
  }
  narsese::Sentence premise(core::StatementId id) const {
    return is_held(id) ? session->memory().statements()[id].sentence : lost[id - held()];
  }
};

/// Forgetting policy of a full memory. With a policy (also ForgettingPolicy::none), proofs keep lost premises. Without
/// one, the corpus rejects proofs with a premise that is not in memory.
using CorpusForgetting = std::optional<core::ForgettingPolicy>;

/// Reads a corpus from a file.  Errors  InputError; std::system_error if reading fails
Corpus load_corpus(const Input& input, const core::MemoryOptions& memory, CorpusForgetting forgetting = {});
/// Reads a corpus from a stream. `name` replaces the file name.
Corpus read_corpus(std::istream& in, const std::string& name, const core::MemoryOptions& memory,
                   CorpusForgetting forgetting = {});

/// Rejected lines, each with the name of its file.
using Rejections = std::vector<std::pair<std::string, core::RejectedLine>>;
/// Appends the rejected lines of a corpus.
void add_rejections(Rejections& all, const Corpus& corpus);

}  // namespace engram::experiments
