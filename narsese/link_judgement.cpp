// SPDX-License-Identifier: MIT
#include "narsese/link_judgement.hpp"

#include <algorithm>
#include <utility>

#include "narsese/printer.hpp"
#include "narsese/text.hpp"

namespace engram::narsese {
namespace {

constexpr std::size_t marking_decimals = 32;

bool is_in_full(std::string_view number) {
  const std::size_t point = number.find('.');
  if (point == std::string_view::npos) return false;
  const auto decimals = number.substr(point + 1);
  return std::all_of(decimals.begin(), decimals.end(), [](char c) { return c >= '0' && c <= '9'; }) &&
         decimals.size() >= marking_decimals;
}

}  // namespace

std::string print_link(Term a, Term b, TruthValue truth, std::string_view relation) {
  if (compare(b, a) < 0) std::swap(a, b);
  return "<(*," + print(a) + ',' + print(b) + ") --> " + std::string(relation) + ">. %" +
         print_number(truth.frequency) + ';' + print_number(truth.confidence) + '%';
}

std::optional<std::array<Term, 2>> link_ends(Term term) {
  const bool related = term.is(Copula::inheritance) && term.subject().is(Connector::product) &&
                       term.predicate().kind() == TermKind::atom;
  if (!related && !term.is(Copula::similarity)) return {};
  const auto ends = related ? term.subject().components() : term.components();
  if (ends.size() != 2) return {};
  return std::array{ends[0], ends[1]};
}

bool has_link_form(const Sentence& sentence) {
  return link_ends(sentence.term) && sentence.punctuation == Punctuation::judgment &&
         sentence.tense.kind == Tense::Kind::eternal && !sentence.budget && !sentence.delay && sentence.truth;
}

bool is_marked_link(const Sentence& sentence, std::string_view text) {
  if (!has_link_form(sentence)) return false;
  // The truth value ends the sentence: %f;c%.
  const std::size_t close = text.rfind('%');
  if (close == std::string_view::npos || close == 0) return false;
  const std::size_t open = text.rfind('%', close - 1);
  if (open == std::string_view::npos) return false;
  const std::string_view truth = text.substr(open + 1, close - open - 1);
  const std::size_t middle = truth.find(';');
  return middle != std::string_view::npos && is_in_full(truth.substr(0, middle)) &&
         is_in_full(truth.substr(middle + 1));
}

}  // namespace engram::narsese
