// SPDX-License-Identifier: MIT
// Reader for RDF in Turtle and N-Triples, based on libserd.
#pragma once

#include <cstdint>
#include <istream>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "experiments/imports/knowledge.hpp"

namespace engram::experiments {

/// Syntax of a file. `turtle` also accepts N-Triples; `ntriples` accepts only these.
enum class RdfSyntax : std::uint8_t { turtle, ntriples };

/// Treatment of statements with a literal. `omit` skips them. `names` names the literal by its text. `quoted` uses the
/// text in quotes, if the target supports such names.
enum class RdfLiterals : std::uint8_t { omit, names, quoted };

/// Name of an IRI such as http://xmlns.com/foaf/0.1/Person. `local`: Person, the part after the last # or / (or :).
/// `prefixed`: foaf_Person, with the longest prefix that the file defines for it, otherwise as `local`. `full`: the
/// whole IRI.
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

/// Syntax by the extension of the file: .nt; .ttl, .turtle. Empty for others.
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
