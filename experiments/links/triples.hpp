// SPDX-License-Identifier: MIT
// Data sets for link prediction: facts <(head * tail) --> relation> in three files, for training, validation and test.
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
  std::string head, relation, tail;  // terms in Narsese syntax
  auto operator<=>(const Triple&) const = default;
};

/// The facts of a file without duplicates, and the memory that read them.
struct TripleFile {
  std::vector<Triple> triples;
  std::unique_ptr<core::Session> session;
  std::vector<core::RejectedLine> rejected;
};

/// Reads a file of facts. In Narsese, judgments <(head * tail) --> relation>. with a frequency above 0.5 are facts.
/// Questions, comments and commands are skipped; other sentences are rejected.
///
/// In a file with the extension .tsv, each line has one fact: head TAB relation TAB tail. Characters that are not
/// valid in atoms become underscores, and names that begin with a digit get the prefix `n`. Different names that become
/// equal are rejected.
/// Errors   InputError; std::system_error if reading fails halfway
TripleFile load_triples(const Input& input, const core::MemoryOptions& memory);

/// Numbers entities and relations by their first mention in facts.
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

/// A question for the tails of a head and a relation. Questions for heads use the reciprocal relation. If there are m
/// relations, the reciprocal of relation r has the number r + m.
using LinkQuestion = std::pair<std::uint32_t, std::uint32_t>;

/// The known tails of each question, ascending.
using LinkAnswers = std::map<LinkQuestion, std::vector<std::uint32_t>>;
LinkAnswers answers_of(std::span<const core::Fact> questions);

/// A data set with numbered entities and relations (FactNumbers).
struct LinkSet {
  std::string name;
  std::array<Input, 3> files;                     // train, valid, test
  std::array<std::string, 3> sha256;              // hashes of the files
  std::array<std::vector<core::Fact>, 3> splits;  // without reciprocal facts
  std::vector<std::string> entities, relations;
  LinkAnswers answers;                          // known answers in all three splits
  std::unique_ptr<core::Session> memory;        // memory of the training split only
  std::vector<core::Index> concepts;            // concepts of the entities in `memory`, or -1
  std::map<LinkQuestion, narsese::Term> asked;  // Narsese terms of the questions of the test split

  std::uint32_t relation_count() const { return static_cast<std::uint32_t>(relations.size()); }
  /// The facts of a split, then their reciprocals.
  std::vector<core::Fact> questions(std::size_t split) const {
    return core::with_reciprocals(splits.at(split), relation_count());
  }
  /// A question as Narsese: <(head * ?1) --> relation>?, or <(?1 * tail) --> relation>? for a reciprocal relation.
  std::string narsese(const core::Fact& question) const;
};

/// Reads a set from its three files. A fact that occurs in two splits, and a split without facts, become rejections.
/// Errors  as load_triples
LinkSet load_link_set(const std::array<Input, 3>& files, const core::MemoryOptions& memory,
                      Rejections& rejections);

}  // namespace engram::experiments::links
