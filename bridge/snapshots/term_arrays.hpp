// SPDX-License-Identifier: MIT
// Terms and sentences as arrays (bridge/snapshots/byte_arrays.hpp): a term once, behind what it consists of, and
// everywhere else by its number. Private to bridge.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "bridge/snapshots/byte_arrays.hpp"
#include "narsese/hash_index.hpp"
#include "narsese/sentence.hpp"

namespace engram::bridge {

/// Terms as they are written:
///   labels      a text, a line for each way of being made that occurs: "atom", "operator", "interval",
///               "variable $", "statement -->", "compound &&", "compound / 2" (an image and its placeholder)
///   of each     the number of its label's line
///   sizes       of names, in bytes, and of compounds, in components, in the order of these terms
///   components  of statements and compounds: numbers of terms before them
///   names       one behind the other
///   numbers     of variables, and the lengths of intervals
class TermsOut {
 public:
  using Ref = std::uint32_t;

  /// A term whose components have these numbers.  Returns  its own
  template <class RefOf>
  Ref add(narsese::Term term, RefOf ref_of) {
    start(term);
    for (const narsese::Term component : term.components()) components_.push_back(ref_of(component));
    return static_cast<Ref>(label_of_.size() - 1);
  }
  /// Appends all of them.
  void write(std::string& bytes) const;

 private:
  void start(narsese::Term term);

  std::string labels_;
  std::unordered_map<std::uint32_t, std::uint16_t> label_numbers_;  // by kind, symbol and position
  std::vector<std::uint16_t> label_of_;
  std::vector<std::uint32_t> sizes_;
  std::vector<Ref> components_;
  std::string names_;
  std::vector<std::int64_t> numbers_;
};

/// Terms that are added with all they consist of, each once.
class WholeTermsOut {
 public:
  /// Adds a term and what it consists of, each once.  Returns  its number
  TermsOut::Ref add(narsese::Term term);
  /// Appends all of them.
  void write(std::string& bytes) const { terms_.write(bytes); }

 private:
  TermsOut terms_;
  std::vector<narsese::Term> added_;
  narsese::HashIndex index_;
};

/// Takes at most `most` terms. What no sentence could bring is refused: unusual names, more components, brackets or
/// variables than the parser takes.
/// Errors  ByteError; narsese::TermTableFull
class TermsIn {
 public:
  /// Where all lies.  Cost  O(1), and that of the labels
  TermsIn(ByteReader& bytes, std::size_t most);

  std::size_t size() const { return label_of_.size(); }
  /// Where the numbers of their components are written.
  const NumbersAt<TermsOut::Ref>& components() const { return components_; }
  /// All of them, made in a table.  Cost  O(bytes) expected
  std::vector<narsese::Term> made_in(narsese::TermTable& table) const;

 private:
  class Maker;
  void read_labels(std::string_view text, std::size_t at);

  std::vector<narsese::TermLabel> labels_;
  NumbersAt<std::uint16_t> label_of_;
  NumbersAt<std::uint32_t> sizes_;
  NumbersAt<TermsOut::Ref> components_;
  NumbersAt<char> names_;
  NumbersAt<std::int64_t> numbers_;
};

/// Sentences as they are written: their terms, of each its punctuation and what else it has, one after the other
/// the tenses, the cycles of those that have some, truths, budgets and delays.
class SentencesOut {
 public:
  /// Adds a sentence whose term has that number.
  void add(const narsese::Sentence& sentence, TermsOut::Ref term);
  /// Appends all of them.
  void write(std::string& bytes) const;

 private:
  std::vector<TermsOut::Ref> terms_;
  std::vector<std::uint8_t> facts_;
  std::vector<std::int64_t> cycles_;
  std::vector<double> truths_, budgets_, delays_;
};

/// Takes at most `most` sentences of these terms, one after the other, each of which a parser could have read.
/// Errors  ByteError; narsese::TermTableFull
class SentencesIn {
 public:
  SentencesIn(ByteReader& bytes, const std::vector<narsese::Term>& terms, narsese::TermTable& table,
              std::size_t most);

  std::size_t size() const { return refs_.size(); }
  /// Where the numbers of their terms are written.
  const NumbersAt<TermsOut::Ref>& terms() const { return refs_; }
  /// The next one, of as many as there are.
  narsese::Sentence next();
  /// Refuses what belongs to no sentence, when all are taken.
  void end() const;

 private:
  double share(const NumbersAt<double>& numbers, std::size_t& at) const;

  const std::vector<narsese::Term>& of_terms_;
  narsese::TermTable& table_;
  NumbersAt<TermsOut::Ref> refs_;
  NumbersAt<std::uint8_t> facts_;
  NumbersAt<std::int64_t> cycles_;
  NumbersAt<double> truths_, budgets_, delays_;
  std::size_t taken_ = 0, cycle_ = 0, truth_ = 0, budget_ = 0, delay_ = 0;  // the next ones
};

}  // namespace engram::bridge
