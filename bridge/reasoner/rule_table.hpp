// SPDX-License-Identifier: MIT
// The rules of the reasoner as a table for people, from which the program works.
#pragma once

#include <string_view>

namespace engram::bridge {

/// A line a rule:  level | premises |- conclusion | truth function [, word]... | source
///
///   level       of NAL, 1 to 7: a reasoner may be held to the rules up to one
///   premises    one or two sentences, divided by `;`, in any order in which they come; A, B, C, M, P, R, S are any
///               terms, the same in all places, up to unification of the premises' variables. Of a commutative connector
///               with two components, (&&,C,S), one is a component and the other all that is left; of a set, {A,B},
///               the letter that comes first in the alphabet is the component.
///               `?` a question, `!` a goal. A rule with a question for a premise concludes what answers that alone.
///   truth       a function of narsese/truth_functions.hpp, of the premises in their order
///   asks        from a question that is the conclusion and a judgment that is a premise, other than a letter alone, which
///               any judgment is, the other premise is asked
///   dependent   the first premise's #x may be unified, too, and one must be
///   either      the implication's or equivalence's #x may be unified, too
///   overlap     its premises may rest on one input: what is concluded is never surer than they are, and the input counts
///               once where that is revised. So a rule may be used twice in a proof, as in OpenNARS; in no other line
///   introducing what both parts of the conclusion name becomes a variable: $ where it stands on both sides of an
///               implication, else #; confidence times 0.9 for each variable but the first
///   source      Wang: Wang 2013, "Non-Axiomatic Logic", of that level. OpenNARS: 3.0.4, org.opennars.inference.
std::string_view rule_table();

}  // namespace engram::bridge
