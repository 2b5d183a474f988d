// SPDX-License-Identifier: MIT
// A sentence as a JSON tree, for programs that would rather not parse Narsese.
//
//   <bird --> animal>. :|: %1;0.9%
//   {"term":{"copula":"-->","subject":{"atom":"bird"},"predicate":{"atom":"animal"}},
//    "punctuation":".","tense":"present","truth":{"frequency":1.0,"confidence":0.9}}
//
// A sentence's members are, in this order; what is left out is as in Narsese:
//   term         a tree, see below
//   punctuation  "." "!" "?" "@"
//   tense        optional: "past", "present", "future", {"offset": n} or {"at": n}, n a whole number of 64
//   bits truth        optional, not of ? and @: {"frequency": f, "confidence": c}, each in [0, 1] budget
//   optional: {"priority": p, "durability": d, "quality": q}, each in [0, 1]
// A term is one of
//   {"atom": "bird"}       as Narsese spells it: one with a blank has its quotes, "\"a b\""
//   {"operator": "go"}     without its ^
//   {"variable": "$1"}     kind and number; any name is read ("$who"), and numbered by number_variables
//   {"interval": 5}
//   {"copula": "-->", "subject": TERM, "predicate": TERM}
//   {"connector": "*", "components": [TERM, ...]}       a set's connector is its opening bracket, "{" or "["
//   {"connector": "/", "components": [RELATION, TERM, ...], "placeholder": 1}     an image; its placeholder
//                          stands before the component of that index, or after the last: (/,R,_,B) has 1
// Where order is without meaning, every order is read as the same term, as TermTable sees to.
// bridge/schema/sentence.schema.json says the same to a machine.
#pragma once

#include <string>
#include <string_view>

#include "bridge/json_text.hpp"
#include "narsese/parser.hpp"

namespace engram::bridge {

/// The tree on one line: ASCII blanks nowhere but in names, numbers so that they read back as the same.
/// sentence_from_json(to_json(s)) gives s for every sentence of the parser.
/// Errors  std::exception for a name that is no UTF-8; neither the parser nor sentence_from_json makes one
std::string to_json(const narsese::Sentence& sentence);

/// Reads the tree strictly: members have no other names and stand once, numbers are in range, every name is
/// one that Narsese can write. So what is read can be printed, and parses back as itself.
/// Limits  those of the parser. Of depth: 2 max_depth + 1 levels, as a bracket can be two, in (^op,a). Of the
///         text: 32 max_line_bytes, as a tree is up to 20 times as long as the tersest Narsese, <a{-]b>
/// Errors  a JsonError, never an exception but for want of memory; the table may then hold unused terms
/// Cost    O(n log n) time for a sentence without variables, O(depth) stack
narsese::Result<narsese::Sentence, JsonError> sentence_from_json(std::string_view text,
                                                                 narsese::TermTable& table,
                                                                 const narsese::ParseLimits& limits = {});

}  // namespace engram::bridge
