// SPDX-License-Identifier: MIT
// JSON trees for sentences, for programs without a Narsese parser.
//
//   <bird --> animal>. :|: %1;0.9%    becomes
//   {"term": {"copula": "-->", "subject": {"atom": "bird"}, "predicate": {"atom": "animal"}},
//    "punctuation": ".", "tense": "present", "truth": {"frequency": 1.0, "confidence": 0.9}}
//
// Members of a sentence; absent ones have their defaults in Narsese:
//   term         a TERM
//   punctuation  "." "!" "?" "@"
//   tense        optional: "past", "present", "future", {"offset": n} or {"at": n}, n of 64 bits
//   truth        optional, not with ? and @: {"frequency": f, "confidence": c}, each in [0, 1]
//   budget       optional: {"priority": p, "durability": d, "quality": q}, each in [0, 1]
//   dt           optional: a number of cycles, ONA's delay of an implication
// A TERM is one of
//   {"atom": "bird"}     in the spelling of Narsese: quotes are part of the name, "\"a b\""
//   {"operator": "go"}   without its ^
//   {"variable": "$1"}   any name is accepted, such as "$who", and replaced by a number (number_variables)
//   {"interval": 5}
//   {"copula": "-->", "subject": TERM, "predicate": TERM}
//   {"connector": "*", "components": [TERM, ...]}    as in symbols.hpp; for a set its opening bracket
//   {"connector": "/", "components": [RELATION, TERM, ...], "placeholder": 1}
//                        position among the arguments, from 1: (/,R,_,B) has 1, (/,R,B,_) has 2
// The order of components matters only if it matters in Narsese. The JSON Schema is
// bridge/schema/sentence.schema.json.
#pragma once

#include <string>
#include <string_view>

#include "bridge/json/json_reader.hpp"
#include "narsese/parser.hpp"

namespace engram::bridge {

/// {"frequency": f, "confidence": c}
Json truth_json(const narsese::TruthValue& truth);
/// "past", "present", "future", {"offset": n} or {"at": n}. The tense must not be eternal.
Json tense_json(const narsese::Tense& tense);

/// Writes the tree on one line, without blanks except in names. Numbers have the shortest form that gives the same
/// double. sentence_from_json(to_json(s)) gives s for every sentence of the parser.
/// Errors  std::exception for a name that is not UTF-8; the parser and sentence_from_json never produce one
std::string to_json(const narsese::Sentence& sentence);

/// Parses the tree strictly: unknown or duplicate members, numbers out of range and names that Narsese cannot write are
/// errors. The result can therefore be printed, and its Narsese parses back to it within the parser's limits on lines
/// and brackets.
/// Limits  as the parser, with two exceptions. Terms may have TermTable::max_depth levels, because a chain of
/// connectors needs no brackets for them. The text may have 64 max_line_bytes: a tree is up to 30 times as long as the
/// shortest Narsese, g(g(g(a))), and may have blanks
/// Errors  a JsonError; throws only if memory runs out. The table may then contain unused terms
/// Cost    O(n log n) time for a sentence without variables, O(depth) stack
narsese::Result<narsese::Sentence, JsonError> sentence_from_json(std::string_view text,
                                                                 narsese::TermTable& table,
                                                                 const narsese::ParseLimits& limits = {});

}  // namespace engram::bridge
