// SPDX-License-Identifier: MIT
// RDF in Turtle and N-Triples, read by libserd.
#pragma once

#include <cstdint>
#include <istream>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "experiments/imports/knowledge.hpp"

namespace engram::experiments {

/// `turtle` reads N-Triples too; `ntriples` nothing else.
enum class RdfSyntax : std::uint8_t { turtle, ntriples };

/// `omit`: what is said by a literal is left out. `names`: a literal is called by its text. `quoted`: by its
/// text in quotes, where the target reads such a name.
enum class RdfLiterals : std::uint8_t { omit, names, quoted };

/// How an IRI such as http://xmlns.com/foaf/0.1/Person is called: `local` Person, what stands behind the last
/// # or / (or :); `prefixed` foaf_Person, by the longest prefix that the file has for it, else as `local`;
/// `full` by all of it.
enum class RdfNames : std::uint8_t { local, prefixed, full };

struct RdfOptions {
  RdfLiterals literals = RdfLiterals::omit;
  RdfNames names = RdfNames::local;
  // IRIs of predicates that are not written as products
  std::set<std::string> inheritance{"http://www.w3.org/2000/01/rdf-schema#subClassOf"};
  std::set<std::string> instance{"http://www.w3.org/1999/02/22-rdf-syntax-ns#type"};
  std::set<std::string> similarity{"http://www.w3.org/2002/07/owl#sameAs"};
};

struct RdfRead {
  std::size_t literals = 0;          // statements left out
  std::set<std::string> predicates;  // of those that were not
};

/// By the end of the file's name: .nt; .ttl, .turtle. Nothing for others.
std::optional<RdfSyntax> rdf_syntax(std::string_view file);
/// What a file holds that is neither, by its name and beginning, and what to do about it.
std::string foreign_syntax(std::string_view file, std::string_view beginning);

/// Reads a file, statement by statement. A blank node is another one in each file.
/// Errors   told, each with its place: a statement (in N-Triples: a line) with a fault is left out, the rest
///          is read. As Knowledge::add and SourceLines; core::WorkStopped names the place of a Turtle statement that
///          does not fit into the limit on bytes
/// Cost     linear in the file, whatever the number of prefixes. N-Triples are read line by line, Turtle statement by
///          statement
RdfRead read_rdf(const std::string& name, std::istream& in, RdfSyntax syntax, const RdfOptions& options,
                 Knowledge& knowledge, const Advance& advance);

}  // namespace engram::experiments
