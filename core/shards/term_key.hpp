// SPDX-License-Identifier: MIT
// Terms of different tables, told apart without their text.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "narsese/term.hpp"

namespace engram::core {

/// 128 bits that stand for a term in all shards.
struct TermKey {
  std::uint64_t first = 0, second = 0;
  friend bool operator==(const TermKey&, const TermKey&) = default;
};

/// Keys of terms by their structure: the same for the same term of any table. Two terms have the same key with a
/// probability of some 2^-128; nobody can write such terms who does not know the secret, which the peers draw for each
/// memory. So nothing that is told may depend on a key, nor on the order of keys.
class TermKeys {
 public:
  using Secret = std::array<std::uint64_t, 4>;

  /// Any, the same at all peers.
  static Secret draw();
  explicit TermKeys(const Secret& secret) : secret_(secret) {}

  /// each(term, key) for each term within, but for variables, in the order in which a concept graph makes their
  /// concepts: what one consists of comes before it.
  template <class Each>
  TermKey visit(narsese::Term term, const Each& each) const {
    TermKey key = begin(term.label());
    switch (term.kind()) {
      case narsese::TermKind::atom:
      case narsese::TermKind::op:
        add_name(key, term.name());
        break;
      case narsese::TermKind::variable:
      case narsese::TermKind::interval:
        add(key, static_cast<std::uint64_t>(term.number()), 0);
        break;
      case narsese::TermKind::compound:
      case narsese::TermKind::statement:
        for (const narsese::Term component : term.components()) {
          const TermKey inner = visit(component, each);
          add(key, inner.first, inner.second);
        }
    }
    if (term.kind() != narsese::TermKind::variable) each(term, key);
    return key;
  }
  /// The key of a term.
  TermKey of(narsese::Term term) const {
    return visit(term, [](narsese::Term, const TermKey&) {});
  }

 private:
  TermKey begin(narsese::TermLabel label) const;
  void add(TermKey& key, std::uint64_t a, std::uint64_t b) const;
  void add_name(TermKey& key, std::string_view name) const;

  Secret secret_;
};

}  // namespace engram::core
