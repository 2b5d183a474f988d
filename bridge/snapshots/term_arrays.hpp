// SPDX-License-Identifier: MIT
// Encoding of terms and sentences as arrays of numbers (bridge/snapshots/binary_format.hpp), for binary snapshots and
// journals. Private to bridge.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "bridge/snapshots/binary_format.hpp"
#include "narsese/hash_index.hpp"
#include "narsese/sentence.hpp"

namespace engram::bridge {

/// Writer of terms. It writes each term once, after its components, and numbers the terms from 0. The arrays are:
///   labels      a text with one line for each kind of term that occurs: "atom", "operator", "interval", "variable $",
///               "statement -->", "compound &&", "compound / 2" (an image and its placeholder)
///   label_of    for each term, the line number of its label
///   sizes       for each name its bytes, and for each compound its number of components
///   components  the components of statements and compounds, as numbers of earlier terms
///   names       the names of atoms and operators, concatenated
///   numbers     the numbers of variables and the lengths of intervals
class TermsWriter {
 public:
  using Ref = std::uint32_t;

  /// Adds a term and its components, if they are new.  Returns  the number of the term
  Ref add(narsese::Term term);
  /// The number of terms.
  std::size_t size() const { return added_.size(); }
  /// Appends the arrays to `bytes`.
  void write(std::string& bytes) const;

 private:
  std::vector<narsese::Term> added_;
  narsese::HashIndex index_;  // of added_
  std::string labels_;
  std::unordered_map<std::uint32_t, std::uint16_t> label_numbers_;  // key: kind, symbol and position
  std::vector<std::uint16_t> label_of_;
  std::vector<std::uint32_t> sizes_;
  std::vector<Ref> components_;
  std::string names_;
  std::vector<std::int64_t> numbers_;
};

/// Terms that read_terms() has read from a file.
struct WrittenTerms {
  std::vector<narsese::Term> terms;        // by number
  NumbersAt<TermsWriter::Ref> components;  // the components of all terms, as numbers
};
/// Reads at most `most` terms and creates them in a table. Rejects terms that the parser would reject: invalid names,
/// or too many components, levels or variables.
/// Errors  ByteError; narsese::TermTableFull
WrittenTerms read_terms(ByteReader& bytes, std::size_t most, narsese::TermTable& table);

/// Writer of sentences, whose terms a TermsWriter has numbered. The arrays are: the number of each sentence's term; a
/// byte for each sentence with its punctuation, tense and optional parts; cycles of tenses; truth values; budgets;
/// delays.
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

/// Reader of sentences, at most `most`. Rejects sentences that the parser would reject.
/// Errors  ByteError; narsese::TermTableFull
class SentencesReader {
 public:
  SentencesReader(ByteReader& bytes, const std::vector<narsese::Term>& terms, narsese::TermTable& table,
                  std::size_t most);

  std::size_t size() const { return refs_.size(); }
  /// Returns the number of each sentence's term.
  const NumbersAt<TermsWriter::Ref>& terms() const { return refs_; }
  /// Reads the next sentence. Call it at most size() times.
  narsese::Sentence next();
  /// Checks that the arrays end with the last sentence. Call it after the last next().
  void require_end() const;

 private:
  const std::vector<narsese::Term>& of_terms_;
  narsese::TermTable& table_;
  NumbersAt<TermsWriter::Ref> refs_;
  NumbersAt<std::uint8_t> facts_;
  NumbersAt<std::int64_t> cycles_;
  NumbersAt<double> truths_, budgets_, delays_;
  std::size_t taken_ = 0;  // sentences read so far
};

}  // namespace engram::bridge
