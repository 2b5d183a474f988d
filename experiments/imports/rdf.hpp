// SPDX-License-Identifier: MIT
// Reader for RDF in Turtle and N-Triples, based on libserd.
#pragma once

#include <cstdint>
#include <istream>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "core/numbers/work_budget.hpp"
#include "experiments/imports/knowledge.hpp"

namespace engram::experiments {

/// Splits a Turtle file into statements, so that an error in one statement does not affect the others. A statement ends
/// at a full stop that is outside of IRIs, strings and comments and not part of a number or name. No other grammar is
/// checked. A string without triple quotes ends at the end of its line at the latest, and an IRI at the next blank. A
/// byte order mark at the start is skipped.
/// Cost  linear in the file; memory for one statement, which is reserved, and one block. Comments between statements
///       are not stored
class TurtleStatements {
 public:
  /// Both arguments must outlive this object.
  TurtleStatements(std::istream& in, const Advance& advance) : blocks_(in, advance) {}

  /// Reads the next statement, from its first character to its full stop, or the rest at the end of the file.
  /// Errors  std::system_error if reading fails; core::WorkStopped, after which line() and column() are the beginning
  ///         of the statement
  bool next();
  /// The statement; valid until next().
  std::string_view statement() const { return std::string_view(text_).substr(start_, at_ - start_); }
  /// Position of the first character of the statement, counted from 1; columns in bytes.
  std::uint32_t line() const { return line_; }
  std::uint32_t column() const { return column_; }
  /// Maximum nesting depth of brackets in the statement.
  std::size_t depth() const { return depth_; }
  /// SHA-256 of the bytes read so far.
  std::string digest() const { return blocks_.digest(); }

 private:
  bool has(std::size_t bytes);
  bool fill();
  void discard();
  bool skip_blanks();
  void skip_comment();
  void skip_iri();
  void skip_string(char quote);
  bool at_three(char quote);
  bool ends_statement();

  SourceBlocks blocks_;
  std::unique_ptr<core::Reservation> claim_;  // memory of the text
  std::string text_;                          // from the current statement to the end of the read blocks
  std::size_t start_ = 0, at_ = 0, depth_ = 0;
  std::uint32_t line_ = 1, column_ = 1;
  bool is_at_beginning_ = true;
};

/// Syntax of a file. `turtle` also accepts N-Triples; `ntriples` accepts only these.
enum class RdfSyntax : std::uint8_t { turtle, ntriples };

/// Treatment of statements with a literal. `omit` skips them. `names` names the literal by its text. `quoted` uses the
/// text in quotes, if the target supports such names.
enum class RdfLiterals : std::uint8_t { omit, names, quoted };

/// Choice of the Narsese name for an IRI such as http://xmlns.com/foaf/0.1/Person. `local`: Person, the part after the
/// last # or /, or after the last : if there is neither. `prefixed`: foaf_Person, with the longest prefix that the file
/// defines for the IRI, otherwise as `local`. `full`: the whole IRI.
enum class RdfNames : std::uint8_t { local, prefixed, full };

struct RdfOptions {
  RdfLiterals literals = RdfLiterals::omit;
  RdfNames names = RdfNames::local;
  // IRIs of predicates with their own Narsese copula; all others become relations
  std::set<std::string> inheritance{"http://www.w3.org/2000/01/rdf-schema#subClassOf"};
  std::set<std::string> instance{"http://www.w3.org/1999/02/22-rdf-syntax-ns#type"};
  std::set<std::string> similarity{"http://www.w3.org/2002/07/owl#sameAs"};
};

struct RdfRead {
  std::size_t literals = 0;          // statements skipped because of a literal
  std::set<std::string> predicates;  // predicates of all other statements
};

/// Syntax by the extension of the file: .nt for N-Triples, .ttl or .turtle for Turtle. Empty for other extensions.
std::optional<RdfSyntax> rdf_syntax(std::string_view file);
/// Error message for a file in another format. It guesses the format from the name and the beginning, and advises how
/// to convert it.
std::string foreign_syntax(std::string_view file, std::string_view beginning);

/// Reads a file, statement by statement. Blank nodes of different files are distinct.
/// Errors   reported with their places: a faulty statement (in N-Triples: a line) is skipped and reading continues.
///          Also as Knowledge::add and SourceLines. core::WorkStopped has the place of a Turtle statement that exceeds
///          the limit on bytes
/// Cost     linear in the file, for any number of prefixes. N-Triples are read line by line, Turtle statement by
///          statement
RdfRead read_rdf(const std::string& name, std::istream& in, RdfSyntax syntax, const RdfOptions& options,
                 Knowledge& knowledge, const Advance& advance);

}  // namespace engram::experiments
