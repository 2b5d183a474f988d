// SPDX-License-Identifier: MIT
// A memory that is spread over processes: what it says is what one process would say, to the last bit.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/graph/memory.hpp"
#include "core/shards/ordered_sum.hpp"
#include "core/shards/peers.hpp"
#include "core/shards/slice.hpp"
#include "core/shards/term_key.hpp"
#include "core/shards/value_routes.hpp"

namespace engram::core {

/// Throws at all peers what one of them has to say: "rank R: MESSAGE"; nothing where none has.
/// Errors  std::runtime_error
void agree(Peers& peers, const std::string& trouble);

/// A line of a shared text that was refused.
struct RejectedInText {
  std::size_t text = 0;
  RejectedLine line;
};

/// Concepts and statements, each at one peer, its owner: a concept by a hash of its name, a statement with the first of
/// its concepts. Numbers are those of one process that reads all texts, in the order of first mention. Of a concept its
/// owner knows its name and evidence, and in which statements it is, wherever they are; of a statement its text,
/// truth and key (core/retrieval/readings.hpp). What a question needs of others goes to and fro by routes that are laid
/// once. Nothing is added later, and nothing decays.
/// In this class own vectors are of the names, or the statements, that this peer owns, ascending by number.
class ShardedMemory {
 public:
  /// Reads the texts, each peer its pieces.
  /// Errors   std::invalid_argument for a decay; std::length_error past the limits on concepts, statements or bytes
  ///          (of each peer); agreed upon by all. At one peer alone std::bad_alloc, and WorkStopped past 2^32 - 1
  ///          names, statements or mentions of its own: the others then wait for it
  /// Cost     each line is read once; a sentence then travels to its owner as text, each new concept as 16 bytes and
  ///          its name, each mention as 24 bytes
  ShardedMemory(Peers& peers, std::span<const SharedText> texts, const MemoryOptions& options = {});

  Peers& peers() const { return *peers_; }
  // Of the whole memory.
  std::uint64_t concepts() const { return concepts_; }
  std::uint64_t statements() const { return statements_; }
  double total() const { return total_; }  // evidence
  /// Of each text the first lines that were refused, by text and line; and how many were.
  const std::vector<RejectedInText>& rejected() const { return rejected_; }
  std::size_t rejected_in_all() const { return rejected_in_all_; }

  // Of what this peer owns.
  std::size_t own_names() const { return name_numbers_.size(); }
  std::size_t own_statements() const { return statement_numbers_.size(); }
  std::size_t own_mentions() const { return columns_.size(); }  // of names in own statements
  std::span<const std::uint64_t> name_numbers() const { return name_numbers_; }
  std::span<const std::uint64_t> statement_numbers() const { return statement_numbers_; }
  /// As it is printed.
  std::string name(std::size_t own) const;
  /// The same, with what its truth has come to.
  std::string statement(std::size_t own) const;
  /// As Readings has them.
  double rarity(std::size_t own_name) const { return rarity_[own_name]; }
  /// As above.
  double activity(std::size_t own_name) const { return activity_[own_name]; }
  /// As above.
  double expectation(std::size_t own_statement) const {
    return narsese::expectation(held_[own_statement].truth);
  }
  /// Where a term is one of this peer's names.
  std::optional<std::size_t> find_name(narsese::Term term) const;
  /// The key of a statement, concepts ascending by number.
  std::span<const double> key(std::size_t own_statement) const;
  /// In how many statements of all peers a name is.
  std::uint64_t mentions(std::size_t own_name) const {
    return mention_starts_[own_name + 1] - mention_starts_[own_name];
  }
  /// Which of this peer's names has that number.  Cost  O(log names)
  std::optional<std::size_t> own_name(std::uint64_t number) const;
  /// A link of a name: the number of the other end, and W > 0 (Readings::links_of).
  struct Link {
    std::uint64_t other = 0;
    double weight = 0;
  };
  /// Those of a name, ascending, once lay_links() was called.
  std::span<const Link> links(std::size_t own_name) const;
  std::size_t bytes() const;
  /// The terms within `term` that hold activation (Memory::active_terms).
  std::vector<narsese::Term> names_of(narsese::Term term) const { return thinks_of_.active_terms(term); }

  // Of all peers together.
  /// Works out the Hebbian links between names, where that is not done yet: for methods that go along them.
  /// Cost  112 bytes for each pair of names that an episode joins
  void lay_links();
  /// K x: how near each statement is to a state.  Shapes  own names -> own statements
  std::vector<double> similarity(std::span<const double> state) const;
  /// K' p.  Shapes  own statements -> own names
  std::vector<double> project(std::span<const double> weights) const {
    return mentioned(weights, mention_keys_);
  }
  /// A' p: the weight of the statements that mention a concept.  Shapes  own statements -> own names
  std::vector<double> concept_scores(std::span<const double> weights) const { return mentioned(weights, {}); }
  /// The own statements that mention these names of any peer, each once, ascending.
  /// Shapes  own names -> own statements.  Cost  4 bytes a mention
  std::vector<std::uint32_t> statements_with(std::span<const std::uint32_t> names) const;
  /// The own names that these statements of any peer mention, each once, ascending.
  /// Shapes  own statements -> own names.  Cost  4 bytes a mention
  std::vector<std::uint32_t> names_in(std::span<const std::uint32_t> statements) const;
  /// Sums as those of one process.
  double sum_over_statements(std::span<const double> own) const { return statement_sum_(*peers_, own); }
  /// The same over concepts, of which names alone have a value.
  double sum_over_names(std::span<const double> own) const { return name_sum_(*peers_, own); }
  /// sum x_i y_i over names.
  double dot_over_names(std::span<const double> x, std::span<const double> y) const;

 private:
  // A concept as a statement has it before all numbers are known.
  struct Handle {
    std::uint32_t owner = 0, name = 0;
  };
  struct Mention {
    std::uint32_t name = 0, at = 0;  // at: the statement, among those that the owner of the name is told of
    double key = 0;
  };

  void note_errors(const Slice& slice);
  std::vector<Handle> settle_concepts(const Slice& slice);
  std::vector<Handle> settle_statements(const Slice& slice, std::span<const Handle> concepts);
  void take_evidence(const Slice& slice, std::span<const Handle> concepts);
  void lay_rows(std::span<const Handle> mentions);
  void lay_mentions();
  std::vector<double> mentioned(std::span<const double> weights, std::span<const double> keys) const;
  void require_room(const char* what, std::uint64_t there, std::uint64_t most) const;

  Peers* peers_;
  TermKeys keys_;
  Memory thinks_of_;  // empty: it knows which terms hold activation
  std::uint64_t concepts_ = 0, statements_ = 0;
  double total_ = 0;
  std::vector<RejectedInText> rejected_;
  std::size_t rejected_in_all_ = 0;

  // Own names.
  std::vector<std::uint64_t> name_numbers_;
  std::vector<TermKey> name_keys_;
  narsese::HashIndex name_index_;
  std::string names_;
  std::vector<std::uint64_t> name_ends_;
  std::vector<double> activity_, rarity_;
  std::vector<std::uint64_t> mention_starts_;  // by name
  std::vector<std::uint32_t> mention_places_;  // in what the route brings
  std::vector<double> mention_keys_;

  // Own statements.
  struct Held {
    std::uint64_t text_at = 0;
    std::uint32_t text_bytes = 0, concepts_end = 0;
    narsese::TruthValue truth;
    double evidence = 0, denied = 0;
    bool is_eternal = true, is_revised = false;
  };
  // A sentence that was taken in: what it adds to the links of its statement's names, and when.
  struct Episode {
    std::uint32_t statement = 0, place = 0;  // place: in the slice of the peer that read it
    std::size_t peer = 0;
    double evidence = 0, denied = 0;
  };
  std::vector<std::uint64_t> statement_numbers_;
  std::vector<Held> held_;
  std::string texts_;
  std::vector<std::uint64_t> row_starts_;
  std::vector<std::uint32_t> columns_;  // places in what the route brings
  std::vector<Handle> column_names_;    // by place
  std::vector<double> row_keys_;

  std::vector<Episode> episodes_;
  struct Told {
    Handle source, target;
    narsese::TruthValue truth;
  };
  std::vector<Told> told_;                  // that this peer has read
  std::vector<std::uint64_t> link_starts_;  // by own name
  std::vector<Link> links_;

  ValueRoutes to_statements_, to_names_;  // values of names, of statements, to who needs them
  OrderedSum statement_sum_, name_sum_;
};

}  // namespace engram::core
