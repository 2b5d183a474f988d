// SPDX-License-Identifier: MIT
// Encoding of terms and sentences as arrays (bridge/snapshots/binary_format.hpp). The writer writes a term once, after
// its components, and refers to it by its number. Private to bridge.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "bridge/snapshots/binary_format.hpp"
#include "narsese/hash_index.hpp"
#include "narsese/sentence.hpp"

namespace engram::bridge {

/// Writer of terms. The arrays are:
///   labels      a text with one line for each kind of term that occurs: "atom", "operator", "interval", "variable $",
///               "statement -->", "compound &&", "compound / 2" (an image and its placeholder)
///   label_of    for each term, the line number of its label
///   sizes       bytes of names and components of compounds, in the order of these terms
///   components  of statements and compounds: numbers of earlier terms
///   names       concatenated
///   numbers     of variables, and the lengths of intervals
class TermsWriter {
 public:
  using Ref = std::uint32_t;

  /// Adds a term. `ref_of` returns the number of a component.  Returns  the number of the term
  template <class RefOf>
  Ref add(narsese::Term term, RefOf ref_of) {
    start(term);
    for (const narsese::Term component : term.components()) components_.push_back(ref_of(component));
    return static_cast<Ref>(label_of_.size() - 1);
  }
  /// Appends the arrays to `bytes`.
  void write(std::string& bytes) const;

 private:
  void start(narsese::Term term);

  std::string labels_;
  std::unordered_map<std::uint32_t, std::uint16_t> label_numbers_;  // key: kind, symbol and position
  std::vector<std::uint16_t> label_of_;
  std::vector<std::uint32_t> sizes_;
  std::vector<Ref> components_;
  std::string names_;
  std::vector<std::int64_t> numbers_;
};

/// Writer of terms that adds their components automatically. Each term is added once.
class WholeTermsWriter {
 public:
  /// Adds a term and its components, if they are new.  Returns  the number of the term
  TermsWriter::Ref add(narsese::Term term);
  /// Appends the arrays to `bytes`.
  void write(std::string& bytes) const { terms_.write(bytes); }

 private:
  TermsWriter terms_;
  std::vector<narsese::Term> added_;
  narsese::HashIndex index_;
};

/// Reader of at most `most` terms. The reader rejects terms that no sentence can have: invalid names, or more
/// components, levels or variables than the parser accepts.
/// Errors  ByteError; narsese::TermTableFull
class TermsReader {
 public:
  /// Locates the arrays.  Cost  O(1), plus the size of the labels
  TermsReader(ByteReader& bytes, std::size_t most);

  std::size_t size() const { return label_of_.size(); }
  /// The numbers of the components.
  const NumbersAt<TermsWriter::Ref>& components() const { return components_; }
  /// Creates all terms in a table.  Cost  O(bytes) expected
  std::vector<narsese::Term> made_in(narsese::TermTable& table) const;

 private:
  class Maker;
  void read_labels(std::string_view text, std::size_t at);

  std::vector<narsese::TermLabel> labels_;
  NumbersAt<std::uint16_t> label_of_;
  NumbersAt<std::uint32_t> sizes_;
  NumbersAt<TermsWriter::Ref> components_;
  NumbersAt<char> names_;
  NumbersAt<std::int64_t> numbers_;
};

/// Writer of sentences. The first arrays are the numbers of the terms, and a byte for each sentence with its
/// punctuation and optional parts. Then follow cycles of tenses, truth values, budgets and delays.
class SentencesWriter {
 public:
  /// Adds a sentence. `term` is the number of its term.
  void add(const narsese::Sentence& sentence, TermsWriter::Ref term);
  /// Appends the arrays to `bytes`.
  void write(std::string& bytes) const;

 private:
  std::vector<TermsWriter::Ref> terms_;
  std::vector<std::uint8_t> facts_;
  std::vector<std::int64_t> cycles_;
  std::vector<double> truths_, budgets_, delays_;
};

/// Reader of at most `most` sentences of these terms. The reader rejects sentences that the parser could not have read.
/// Errors  ByteError; narsese::TermTableFull
class SentencesReader {
 public:
  SentencesReader(ByteReader& bytes, const std::vector<narsese::Term>& terms, narsese::TermTable& table,
                  std::size_t most);

  std::size_t size() const { return refs_.size(); }
  /// The numbers of the terms.
  const NumbersAt<TermsWriter::Ref>& terms() const { return refs_; }
  /// Reads the next sentence. Call it at most size() times.
  narsese::Sentence next();
  /// Checks, after the last sentence, that no data is left.
  void end() const;

 private:
  double share(const NumbersAt<double>& numbers, std::size_t& at) const;

  const std::vector<narsese::Term>& of_terms_;
  narsese::TermTable& table_;
  NumbersAt<TermsWriter::Ref> refs_;
  NumbersAt<std::uint8_t> facts_;
  NumbersAt<std::int64_t> cycles_;
  NumbersAt<double> truths_, budgets_, delays_;
  std::size_t taken_ = 0, cycle_ = 0, truth_ = 0, budget_ = 0, delay_ = 0;  // positions of the next items
};

}  // namespace engram::bridge
