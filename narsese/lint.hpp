// SPDX-License-Identifier: MIT
// Finds what is no error of syntax and yet surely, or very likely, not what the author of a file meant.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "narsese/dialect.hpp"
#include "narsese/nal_reader.hpp"

namespace engram::narsese {

/// What a rule has found, and where.
struct LintFinding {
  std::string file;
  std::size_t line = 1, column = 1;  // of code points, both counted from 1
  std::string rule;                  // see Linter
  std::string message;
  bool is_error = false;

  friend bool operator==(const LintFinding&, const LintFinding&) = default;
};

/// Takes the lines of a run, file after file, and keeps what the rules need of them. The rules, each with how
/// sure its findings are; all but the first two are warnings:
///
/// misread-by-target (error)  The target refuses or misreads a construct of the line, or the whole line: it
///   would reason with something else. Sure, as far as the tables of dialect.hpp are.
/// unknown-copula (error)  A copula with a sign too many, too few, or wrong. That there is an error is sure,
///   what was meant is a guess.
/// unknown-atom-in-question  A question or quest mentions a name that no judgment or goal of the run does. No
///   inference makes names, so there will be no answer. Sure: where there may be a way, it keeps silent
///   (asked_names.hpp).
/// contradiction  A file says eternally of one statement that it is true (frequency at least 0.9) and that it
///   is false (at most 0.1), negation taken into account. Sure; it may be meant, as conflicting testimony.
/// duplicate-judgment  A file says the same eternal judgment twice, with the same truth value. Sure; systems
///   that give each input a stamp of its own count it as evidence twice.
/// no-evidence, endless-evidence  A confidence of 0, or above 0.99. Sure: 0 says nothing, no amount of evidence
///   gives 1, and OpenNARS, ONA and Engram's reasoner differ on what is above 0.99.
/// near-duplicate-name  A name used once or twice is nearly one used more often (near_names.hpp). Likely, no more.
/// forgotten-braces  A file says the same of {tim} and of tim, or says [red] and red of the same; or a name
///   has braces, or none, in one place only. To NARS these are different terms. Likely.
/// query-variable-in-judgment  ?x asks, so a judgment cannot hold one. Sure.
/// unbound-variable  $x links the two sides of an implication or equivalence, and stands on both sides of
///   none (independent_variables.hpp). OpenNARS gives some such sentences a confidence of 0. Sure that it
///   links nothing; often #x was meant.
/// needed-without-question  A `//needed:` line before the first question of its file: it names a premise of
///   the answer to the question above it. Sure.
/// misspelt-directive  A comment that is nearly a `//expected:` or `//needed:` line, or another of the reader's
///   (line_kind.hpp). Likely.
/// self-statement  `<a --> a>.` and its like hold of every term. Sure.
///
/// One thing is found once: a name, a statement, a variable of a line. `*reset` and its like part a file:
/// what stands on both sides of it is not compared.
///
/// Memory   bounded by the limits below, at some hundred MB; beyond a limit nothing more of that kind is
///          remembered, which makes findings fewer and none wrong. The terms stay in the table, which must
///          outlive the linter
/// Cost     O(text) time, and near_names
class Linter {
 public:
  static constexpr std::size_t max_names = 500'000;      // different ones
  static constexpr std::size_t max_judgments = 500'000;  // different ones of a file, between two resets
  static constexpr std::size_t max_findings = 100'000;   // the last one then says so
  static constexpr std::size_t max_heard = 1'000'000;    // words of lines that hold no sentence

  explicit Linter(TermTable& table, std::optional<Dialect> target = {});
  Linter(Linter&&) noexcept;
  Linter& operator=(Linter&&) noexcept;
  ~Linter();

  /// The next line; those of a file in their order, one file after the other.
  void line(const NalLine& line, std::string_view file);

  /// The findings in the order of files and lines. It is the end: a linter takes no lines after it.
  std::vector<LintFinding> finish();

 private:
  class Run;
  std::unique_ptr<Run> run_;
};

}  // namespace engram::narsese
