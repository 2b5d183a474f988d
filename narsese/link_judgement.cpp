// SPDX-License-Identifier: MIT
#include "narsese/link_judgement.hpp"

#include <algorithm>
#include <utility>

#include "narsese/printer.hpp"
#include "narsese/words.hpp"

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

bool leaves_links_open(std::string_view text) {
  constexpr std::string_view start = links_begin.substr(0, links_begin.find(' '));
  for (std::size_t at = text.rfind(start); at != text.npos;
       at = at == 0 ? text.npos : text.rfind(start, at - 1)) {
    const std::size_t before = text.rfind('\n', at), begin = before == text.npos ? 0 : before + 1;
    std::string_view line = text.substr(begin, text.find('\n', at) - begin);
    if (line.ends_with('\r')) line.remove_suffix(1);
    line = trim(line);
    if (line == links_begin || line == links_end) return line == links_begin;
  }
  return false;
}

bool is_marked_link(const Sentence& sentence, std::string_view text) {
  if (!has_link_form(sentence)) return false;
  // The truth value is the last thing in a sentence: %f;c%.
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
