// SPDX-License-Identifier: MIT
// Which names of a question no answer can have unless something states them.
//
// No rule of NAL makes a name. Some put a term into a conclusion that is in no premise, and take it from the
// question: into an intersection, union, difference, set or conjunction, as in <(&,a,x) --> c> from <a -->
// c>, and from there it may come into other answers; or on both sides, as in <(*,a,x) --> (*,b,x)> from <a
// --> b>, which answers <(*,a,x) --> ?1> and, written with an image, <x --> ?1>. So those names are safe that
// stand in all questions on one side of a first-order statement, in nothing but products, images and sets of
// one; and where the other side has a variable, in nothing but sets of one. Besides, what holds of everything
// holds of them: <$1 --> c> answers <x --> c>?. See IndependentVariables.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "narsese/term.hpp"

namespace engram::narsese {

/// How an atom stands in a question: bits, to be put together over all questions.
using Ways = std::uint8_t;

/// An atom, and how it stands in questions.
struct AskedName {
  Term atom;
  Ways ways = 0;
};

/// The atoms of a question or quest, each once.
std::vector<AskedName> asked_names(Term question);

/// Whether an atom that stands so in questions, and that nothing states, may come into an answer.
bool may_be_answered(Ways ways);

/// Whether a system can have the name from nowhere but its input. Not so numbers, which are counted and
/// computed; what systems say of themselves; names that one of them changes: with odd signs, or of more than
/// 31 bytes, which ONA cuts.
bool must_be_told(std::string_view name);

}  // namespace engram::narsese
