// SPDX-License-Identifier: MIT
// A sentence as a JSON tree, for programs that would rather not parse Narsese.
//
//   <bird --> animal>. :|: %1;0.9%    is
//   {"term": {"copula": "-->", "subject": {"atom": "bird"}, "predicate": {"atom": "animal"}},
//    "punctuation": ".", "tense": "present", "truth": {"frequency": 1.0, "confidence": 0.9}}
//
// A sentence, what it leaves out being as in Narsese:
//   term         a TERM
//   punctuation  "." "!" "?" "@"
//   tense        optional: "past", "present", "future", {"offset": n} or {"at": n}, n of 64 bits
//   truth        optional, not with ? and @: {"frequency": f, "confidence": c}, each in [0, 1]
//   budget       optional: {"priority": p, "durability": d, "quality": q}, each in [0, 1]
//   dt           optional: a number of cycles, ONA's delay of an implication
// A TERM is one of
//   {"atom": "bird"}     as Narsese spells it: quotes are part of the name, "\"a b\""
//   {"operator": "go"}   without its ^
//   {"variable": "$1"}   any name is read, as in "$who", and replaced by a number (number_variables)
//   {"interval": 5}
//   {"copula": "-->", "subject": TERM, "predicate": TERM}
//   {"connector": "*", "components": [TERM, ...]}    as in symbols.hpp; of a set the opening bracket
//   {"connector": "/", "components": [RELATION, TERM, ...], "placeholder": 1}
//                        its place among the arguments, from 1: (/,R,_,B) has 1, (/,R,B,_) has 2
// Where order means nothing in Narsese, it means nothing here.
// For machines: bridge/schema/sentence.schema.json.
#pragma once

#include <string>
#include <string_view>

#include "bridge/json/json_text.hpp"
#include "narsese/parser.hpp"

namespace engram::bridge {

/// The tree on one line: ASCII blanks nowhere but in names, numbers so that they read back as the same.
/// sentence_from_json(to_json(s)) gives s for every sentence of the parser.
/// Errors  std::exception for a name that is no UTF-8; neither the parser nor sentence_from_json makes one
std::string to_json(const narsese::Sentence& sentence);

/// Reads the tree strictly: members have no other names and stand once, numbers are in range, every name is
/// one that Narsese can write. So what is read can be printed, and parses back as itself within the parser's
/// limits of line and brackets.
/// Limits  those of the parser, but: TermTable::max_depth levels of terms, as a chain of connectors needs no
///         brackets for them; 64 max_line_bytes, as a tree is up to 30 times as long as the tersest Narsese,
///         g(g(g(a))), and may have blanks
/// Errors  a JsonError, never an exception but for want of memory; the table may then hold unused terms
/// Cost    O(n log n) time for a sentence without variables, O(depth) stack
narsese::Result<narsese::Sentence, JsonError> sentence_from_json(std::string_view text,
                                                                 narsese::TermTable& table,
                                                                 const narsese::ParseLimits& limits = {});

}  // namespace engram::bridge
