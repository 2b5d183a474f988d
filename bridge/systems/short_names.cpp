// SPDX-License-Identifier: MIT
#include "bridge/systems/short_names.hpp"

#include <algorithm>
#include <stdexcept>

#include "bridge/files/sha256.hpp"
#include "core/numbers/work_budget.hpp"
#include "narsese/parser.hpp"
#include "narsese/term_queries.hpp"
#include "narsese/text.hpp"
#include "narsese/translator.hpp"

namespace engram::bridge {

using narsese::Dialect;
using narsese::Term;
using narsese::TermKind;

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// At most `most` bytes of a UTF-8 text, without a partial code point.
std::string_view cut(std::string_view text, std::size_t most) {
  if (text.size() <= most) return text;
  while (most > 0 && (static_cast<unsigned char>(text[most]) & 0xC0U) == 0x80) --most;
  return text.substr(0, most);
}

narsese::Result<narsese::Translation, narsese::Refusal> translated(narsese::TermTable& table, Dialect to,
                                                                   const std::string& name) {
  const Term other = table.atom(name == "a" ? "b" : "a");  // some dialects reject <a --> a>
  const Term statement = table.statement(narsese::Copula::inheritance, table.atom(name), other);
  return narsese::Translator(table, to).sentence({statement, {}, {}, {}, {}});
}

// Whether the name can be written, possibly in quotes.
bool can_be_written(Dialect to, const std::string& name) {
  narsese::TermTable table;
  return bool(translated(table, to, name));
}

std::string written(Term leaf) { return (leaf.kind() == TermKind::op ? "^" : "") + std::string(leaf.name()); }

// Renames each atom and operator of a term. `name_for` maps the written form to the new one.
template <class NameFor>
Term with_names(narsese::TermTable& table, Term term, const NameFor& name_for) {
  return narsese::with_leaves(table, term, [&](Term leaf) {
    const bool is_op = leaf.kind() == TermKind::op;
    if (!is_op && leaf.kind() != TermKind::atom) return leaf;
    const std::string source = written(leaf);
    const std::string& name = name_for(source);
    if (name == source) return leaf;
    return is_op ? table.op(std::string_view(name).substr(1)) : table.atom(name);
  });
}

}  // namespace

std::size_t max_name_bytes(Dialect to) {
  return std::min(facts(to).max_name_bytes, narsese::ParseLimits{}.max_name_bytes);
}

bool is_supported_name(Dialect to, const std::string& name) {
  narsese::TermTable table;
  const auto translation = translated(table, to, name);
  if (!translation || !translation->warnings.empty()) return false;
  const auto again = narsese::parse_sentence(translation->text, table, {}, to);
  return again && again->term.subject() == table.atom(name);
}

std::string plain_name(const std::string& wanted) {
  std::string name = wanted;
  std::ranges::replace_if(
      name, [](char c) { return !narsese::is_word_letter(c) || static_cast<unsigned char>(c) >= 0x80; }, '_');
  return name.empty() || is_digit(name[0]) || name[0] == '_' || name == "SELF" ? "n" + name : name;
}

std::string hashed_name(std::string_view name, const std::string& source, std::size_t digits,
                        std::size_t most) {
  std::string marked(cut(name, std::min(name.size(), most - digits - 1)));
  return marked + "_" + sha256_of_text(source).substr(0, digits);
}

std::string renamed_in(std::string_view text, const std::vector<Renamed>& names) {
  const auto stands_at = [&](std::size_t at, const std::string& source) {
    const std::size_t end = at + source.size();
    return text.substr(at, source.size()) == source && (at == 0 || !narsese::is_word_letter(text[at - 1])) &&
           (end == text.size() || !narsese::is_word_letter(text[end]));
  };
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const Renamed* found = nullptr;  // the longest source at this position
    for (const Renamed& each : names)
      if ((found == nullptr || each.source.size() > found->source.size()) && stands_at(at, each.source))
        found = &each;
    out += found != nullptr ? found->name : std::string(1, text[at]);
    at += found != nullptr ? found->source.size() : 1;
  }
  return out;
}

Term ShortNames::operator()(narsese::TermTable& table, Term term) {
  return with_names(table, term,
                    [&](const std::string& source) -> const std::string& { return name_for(source); });
}

const std::string& ShortNames::name_for(const std::string& source) {
  if (const auto known = known_.find(source); known != known_.end()) return known->second;
  core::charge(1000);
  const bool is_supported_name = source.size() <= max_name_bytes(to_) &&
                                 (source[0] == '^' || can_be_written(to_, source)) &&
                                 used_.insert(source).second;
  if (is_supported_name) return known_.emplace(source, source).first->second;
  renamed_.push_back({unused_name(source), source});
  return known_.emplace(source, renamed_.back().name).first->second;
}

// A replacement name that differs from all names so far. If a later original name is equal to it, that one is renamed.
std::string ShortNames::unused_name(const std::string& source) {
  const std::string sign = source[0] == '^' ? "^" : "";
  const std::string plain = sign + plain_name(source.substr(sign.size()));
  const std::size_t most = max_name_bytes(to_);
  if (plain.size() <= most && used_.insert(plain).second) return plain;
  for (std::size_t digits = min_hash_digits; digits <= max_hash_digits && digits + 2 + sign.size() <= most;
       ++digits)
    if (std::string name = hashed_name(plain, source, digits, most); used_.insert(name).second) return name;
  throw std::logic_error("two names have the same SHA-256");
}

Term with_original_names(const OriginalNames& names, narsese::TermTable& table, Term term) {
  return with_names(table, term, [&](const std::string& name) -> const std::string& {
    const auto found = names.find(name);
    return found == names.end() ? name : found->second;
  });
}

}  // namespace engram::bridge
