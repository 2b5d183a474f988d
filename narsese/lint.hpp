// SPDX-License-Identifier: MIT
// The linter: finds text that is valid Narsese but surely, or very likely, not what its author meant.
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

/// A finding of the linter: the rule, a message for the user, and the place in a file.
struct LintFinding {
  std::string file;
  std::size_t line = 1, column = 1;  // in code points; both counted from 1
  std::string rule;                  // see Linter
  std::string message;
  bool is_error = false;

  friend bool operator==(const LintFinding&, const LintFinding&) = default;
};

/// Lints the lines of one or more files that one system will read together. All rules give warnings, except the first
/// two. Each description ends with the rule's reliability.
///
/// - `misread-by-target` (error): The target refuses or misreads a construct of the line, or the whole line, so it
///   would reason with something else. The rule is as reliable as the tables of dialect.hpp.
/// - `unknown-copula` (error): A copula has a wrong, missing or additional character. The error is certain, the
///   suggested copula is a guess.
/// - `unknown-atom-in-question`: A question or quest has a name that no judgment or goal has. Inference cannot
///   introduce names, so there can be no answer. Certain: without proof the rule reports nothing (lint_analysis.hpp).
/// - `contradiction`: A file states eternally that one statement is true (frequency at least 0.9) and false (at most
///   0.1), taking negation into account. Certain, but conflicting testimony may be intended.
/// - `duplicate-judgment`: A file repeats an eternal judgment with the same truth value. Certain. Systems that stamp
///   each input count it as evidence twice.
/// - `no-evidence`, `endless-evidence`: A confidence of 0, or above 0.99. Certain: 0 means no evidence, 1 would need
///   infinite evidence, and OpenNARS, ONA and Engram's reasoner treat values above 0.99 differently.
/// - `near-duplicate-name`: A name used once or twice is similar to a more frequent name (similar_names.hpp). Likely.
/// - `forgotten-braces`: A file makes the same statement about {tim} and tim, or about [red] and red; or a name has
///   braces, or lacks them, in only one place. For NARS these are different terms. Likely.
/// - `query-variable-in-judgment`: A judgment has a variable ?x, which only questions can have. Certain.
/// - `unbound-variable`: An independent variable $x occurs on only one side of each implication or equivalence
///   (lint_analysis.hpp). OpenNARS gives some of these sentences a confidence of 0. Certain; the author often meant
///   #x.
/// - `needed-without-question`: A `//needed:` line precedes the first question of its file, although it names a
///   premise of the answer to the question above it. Certain.
/// - `misspelt-directive`: A comment is nearly `//expected:`, `//needed:` or another directive (nal_line.hpp).
///   Likely.
/// - `self-statement`: `<a --> a>.` and the like are true of every term. Certain.
///
/// Each name, statement, or variable of a line is reported once. A command that clears the memory, such as `*reset`,
/// separates the parts of a file: judgments before it are not compared with judgments after it.
///
/// Memory   bounded by the constants max_..., at most some hundred MB. Beyond a limit the linter records no more, which
///          loses findings but makes none wrong. The terms stay in the table, which must outlive the linter
/// Cost     O(bytes of text), plus the cost of similar_names
class Linter {
 public:
  static constexpr std::size_t max_names = 500'000;      // distinct names
  static constexpr std::size_t max_judgments = 500'000;  // distinct judgments of a file between two resets
  static constexpr std::size_t max_findings = 100'000;   // the last finding counts the rest
  static constexpr std::size_t max_known_words = 1'000'000;  // words of lines without a sentence

  explicit Linter(TermTable& table, std::optional<Dialect> target = {});
  Linter(Linter&&) noexcept;
  Linter& operator=(Linter&&) noexcept;
  ~Linter();

  /// Adds the next line. Files must come one after the other, each with its lines in order.
  void line(const NalLine& line, std::string_view file);

  /// Returns all findings, ordered by file and line. Call it once, after the last line.
  std::vector<LintFinding> finish();

 private:
  class Run;
  std::unique_ptr<Run> run_;
};

}  // namespace engram::narsese
