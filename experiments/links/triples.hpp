// SPDX-License-Identifier: MIT
// Sets for link prediction: facts <(head * tail) --> relation> in three files, for training, for choosing,
// and held out.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/attention/relational_attention.hpp"
#include "experiments/inputs/corpus.hpp"

namespace engram::experiments::links {

struct Triple {
  std::string head, relation, tail;  // terms, as Narsese writes them
  auto operator<=>(const Triple&) const = default;
};

/// The facts of a file, each once, and the memory that read them.
struct TripleFile {
  std::vector<Triple> triples;
  std::unique_ptr<core::Session> session;
  std::vector<core::RejectedLine> rejected;
};

/// Reads judgments <(head * tail) --> relation>. that say yes; questions, comments and the like are passed
/// by, other sentences rejected. A file whose name ends in .tsv holds a fact a line, head TAB relation TAB
/// tail, and is turned into such sentences: characters that no atom may have become underscores, and an `n`
/// stands before what begins with a digit. Names that become the same are rejected.
/// Errors   InputError; std::system_error where reading fails halfway
TripleFile load_triples(const Input& input, const core::MemoryOptions& memory);

/// Numbers for names, counted in the order in which facts name them.
class FactNumbers {
 public:
  core::Fact fact_of(const Triple& triple);
  const std::vector<std::string>& entities() const { return entities_.names; }
  const std::vector<std::string>& relations() const { return relations_.names; }

 private:
  struct Numbers {
    std::map<std::string, std::uint32_t> of;
    std::vector<std::string> names;
    std::uint32_t operator()(const std::string& name);
  };
  Numbers entities_, relations_;
};

/// What is asked: which tails stand in a relation to a head. Heads are asked for as tails of the reciprocal
/// relation, whose number is larger by the number of relations.
using LinkQuestion = std::pair<std::uint32_t, std::uint32_t>;

/// The tails of each question that are known, ascending.
using LinkAnswers = std::map<LinkQuestion, std::vector<std::uint32_t>>;
LinkAnswers answers_of(std::span<const core::Fact> questions);

/// A set by numbers. Entities and relations are counted in the order in which the files name them.
struct LinkSet {
  std::string name;
  std::array<Input, 3> files;                     // train, valid, test
  std::array<std::string, 3> sha256;              // of the files
  std::array<std::vector<core::Fact>, 3> splits;  // as they are, without reciprocals
  std::vector<std::string> entities, relations;
  LinkAnswers answers;                          // over all three splits
  std::unique_ptr<core::Session> memory;        // of the training split alone
  std::vector<core::Index> concepts;            // of the entities there; -1 for what it does not mention
  std::map<LinkQuestion, narsese::Term> asked;  // the questions of the test split, in words

  std::uint32_t relation_count() const { return static_cast<std::uint32_t>(relations.size()); }
  /// The facts of a split, then all the other way round.
  std::vector<core::Fact> questions(std::size_t split) const {
    return core::with_reciprocals(splits.at(split), relation_count());
  }
  /// <(head * ?1) --> relation>?, or for a reciprocal relation <(?1 * tail) --> relation>?
  std::string narsese(const core::Fact& question) const;
};

/// Errors  as load_triples; facts that stand in two splits, and a split without facts, are rejections as
/// well.
LinkSet load_link_set(const std::array<Input, 3>& files, const core::MemoryOptions& memory,
                      Rejections& rejections);

}  // namespace engram::experiments::links
