// SPDX-License-Identifier: MIT
// The plain tree of a sentence, as the parser reads it: nodes in post-order, in one array, names left in the
// text.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>

#include "narsese/padded_text.hpp"
#include "narsese/sentence.hpp"
#include "narsese/term.hpp"

namespace engram::narsese {

/// A node, behind its components. Abbreviations are written out: `{--`, `(^op,..)` and their like are gone.
/// What follows from the label stands beside it: who writes a node knows it, so who reads it need not ask.
struct SyntaxNode {
  TermLabel label;
  std::int64_t value = 0;        // where a name starts, or a number
  std::uint32_t hash = 0;        // of the term, as long as no two components count as one
  std::uint16_t components = 0;  // how many
  std::uint8_t start_bytes = 0;  // of the term's payload, at most 16
  bool is_number : 1 = false;
  bool is_simple : 1 = true;  // the payload has no more bytes, and is the only way to write the term

  /// At least 16 bytes may be read from the name's start.
  static SyntaxNode of_name(TermLabel label, const char* name, std::uint32_t hash) {
    if (label.size <= scan_bytes) return of_short_name(label, name, hash);
    return {label, reinterpret_cast<std::intptr_t>(name), hash, 0, scan_bytes, false, false};
  }
  /// Of at most 16 bytes.
  static SyntaxNode of_short_name(TermLabel label, const char* name, std::uint32_t hash) {
    return {label, reinterpret_cast<std::intptr_t>(name), hash,
            0,     static_cast<std::uint8_t>(label.size), false,
            true};
  }
  /// A leaf that is a number: a variable or an interval.
  static SyntaxNode of_number(TermLabel label, std::int64_t number, std::uint32_t hash) {
    return {label, number, hash, 0, sizeof number, true, true};
  }
  /// A node over those that follow.
  static SyntaxNode of_components(TermLabel label, bool commutative, std::uint32_t hash) {
    constexpr std::uint32_t at_once = scan_bytes / sizeof(Term);
    const auto start = static_cast<std::uint8_t>(sizeof(Term) * std::min(label.size, at_once));
    return {label,
            0,
            hash,
            static_cast<std::uint16_t>(label.size),
            start,
            false,
            label.size <= (commutative ? 1 : at_once)};
  }

  // NOLINTNEXTLINE(performance-no-int-to-ptr): an address and a number have one place
  const char* text() const { return reinterpret_cast<const char*>(static_cast<std::intptr_t>(value)); }
  std::string_view name() const { return {text(), label.size}; }
};

/// The nodes of one text or several, in one array.
class SyntaxNodes {
 public:
  /// Forgets all nodes, and keeps their room.
  void clear() {
    end_ = nodes_.get();
    top_ = open_.get();
  }
  /// Makes room for the nodes of one more text, of so many bytes. No text has more nodes than bytes: a leaf
  /// takes a byte at least, and the nodes of a pair of brackets, a copula, a connector or a function's call
  /// are never more than its bytes.
  void make_room(std::size_t bytes) {
    if (room_ - size() < bytes) grow(bytes);
  }
  /// Adds a leaf; there must be room.
  void push_leaf(const SyntaxNode& node) {
    assert(size() < room_);
    *top_++ = node.hash;
    *end_++ = node;
  }
  /// A node over the last label.size ones that have none yet.
  void push_inner(TermLabel label, bool commutative, const TermHash& hash) {
    assert(size() < room_);
    top_ -= label.size;
    const std::uint32_t* const below = top_;
    const std::uint32_t own = hash.inner(label, commutative, [&](std::size_t i) { return below[i]; });
    *end_++ = SyntaxNode::of_components(label, commutative, own);
    *top_++ = own;
  }
  /// Takes the last node, a leaf, away.
  void pop_leaf() {
    --end_;
    --top_;
  }

  /// How far the nodes go.
  struct Mark {
    std::size_t nodes, roots;
  };
  Mark mark() const { return {size(), roots()}; }
  /// Takes away what was added since, complete trees or not.
  void go_back(Mark mark) {
    end_ = nodes_.get() + mark.nodes;
    top_ = open_.get() + mark.roots;
  }

  const SyntaxNode& back() const { return end_[-1]; }
  const SyntaxNode* begin() const { return nodes_.get(); }
  const SyntaxNode* end() const { return end_; }
  std::size_t size() const { return static_cast<std::size_t>(end_ - nodes_.get()); }
  /// Of trees that are complete: how many there are.
  std::size_t roots() const { return static_cast<std::size_t>(top_ - open_.get()); }

 private:
  void grow(std::size_t bytes) {
    const Mark old = mark();
    const std::size_t room = 2 * (old.nodes + bytes);
    auto nodes = std::make_unique<SyntaxNode[]>(room);
    auto open = std::make_unique<std::uint32_t[]>(room);
    std::copy_n(nodes_.get(), old.nodes, nodes.get());
    std::copy_n(open_.get(), old.roots, open.get());
    nodes_ = std::move(nodes);
    open_ = std::move(open);
    room_ = room;
    go_back(old);
  }

  std::unique_ptr<SyntaxNode[]> nodes_;
  std::unique_ptr<std::uint32_t[]> open_;  // hashes of the nodes that no other one is over yet
  std::size_t room_ = 0;
  SyntaxNode* end_ = nullptr;
  std::uint32_t* top_ = nullptr;
};

/// What a sentence says but for its term is its frame.
struct SyntaxTree {
  PaddedText text;    // names are in it
  SyntaxNodes nodes;  // the root is the last
  Sentence frame;
};

}  // namespace engram::narsese
