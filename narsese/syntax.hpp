// SPDX-License-Identifier: MIT
// Syntax trees as the parser makes them: nodes in post-order in one array, with names left in the text.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>

#include "narsese/byte_scan.hpp"
#include "narsese/sentence.hpp"
#include "narsese/term.hpp"

namespace engram::narsese {

/// Node of a syntax tree. The nodes of its components precede it in the array. Abbreviations such as `{--` and
/// `(^op,..)` are already expanded. Fields that follow from the label are stored as well: the writer knows them, so the
/// reader needs no branches.
struct SyntaxNode {
  TermLabel label;
  std::int64_t value = 0;        // address of a name, or a number
  std::uint32_t hash = 0;        // hash of the term, valid unless equal components merge
  std::uint16_t components = 0;  // number of components
  std::uint8_t start_bytes = 0;  // bytes of the term's payload, at most 16
  bool is_number : 1 = false;
  bool is_simple : 1 = true;  // start_bytes is the whole payload, and the node is in canonical form

  /// Makes the node of a name. At least 16 bytes must be readable from `name` on.
  static SyntaxNode of_name(TermLabel label, const char* name, std::uint32_t hash) {
    if (label.size <= scan_bytes) return of_short_name(label, name, hash);
    return {label, reinterpret_cast<std::intptr_t>(name), hash, 0, scan_bytes, false, false};
  }
  /// Makes the node of a name of at most 16 bytes, which the node treats as its whole payload.
  static SyntaxNode of_short_name(TermLabel label, const char* name, std::uint32_t hash) {
    return {label, reinterpret_cast<std::intptr_t>(name), hash,
            0,     static_cast<std::uint8_t>(label.size), false,
            true};
  }
  /// Makes the node of a number, which is a variable or an interval.
  static SyntaxNode of_number(TermLabel label, std::int64_t number, std::uint32_t hash) {
    return {label, number, hash, 0, sizeof number, true, true};
  }
  /// Makes the node of a compound or statement. `hash` is the hash of the whole term.
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

/// Nodes of one or more trees in one array.
class SyntaxNodes {
 public:
  /// Removes all nodes but keeps the allocated memory.
  void clear() {
    end_ = nodes_.get();
    top_ = open_.get();
  }
  /// Reserves room for another text of `bytes` bytes. A text never has more nodes than bytes: each leaf, pair of
  /// brackets, copula, connector and call has at least one byte per node.
  void make_room(std::size_t bytes) {
    if (room_ - size() < bytes) grow(bytes);
  }
  /// Adds a leaf: a name or a number. Call make_room() first.
  void push_leaf(const SyntaxNode& node) {
    assert(size() < room_);
    *top_++ = node.hash;
    *end_++ = node;
  }
  /// Adds a compound or statement whose components are the last label.size complete trees, and computes its hash.
  void push_inner(TermLabel label, bool commutative, const TermHash& hash) {
    assert(size() < room_);
    top_ -= label.size;
    const std::uint32_t* const below = top_;
    const std::uint32_t own = hash.inner(label, commutative, [&](std::size_t i) { return below[i]; });
    *end_++ = SyntaxNode::of_components(label, commutative, own);
    *top_++ = own;
  }
  /// Removes the last node, which must be a leaf.
  void pop_leaf() {
    --end_;
    --top_;
  }

  /// A position in the array, to which rewind() can go back.
  struct Mark {
    std::size_t nodes, roots;
  };
  Mark mark() const { return {size(), roots()}; }
  /// Removes everything added since the mark, incomplete trees included.
  void rewind(Mark mark) {
    end_ = nodes_.get() + mark.nodes;
    top_ = open_.get() + mark.roots;
  }

  const SyntaxNode& back() const { return end_[-1]; }
  const SyntaxNode* begin() const { return nodes_.get(); }
  const SyntaxNode* end() const { return end_; }
  std::size_t size() const { return static_cast<std::size_t>(end_ - nodes_.get()); }
  /// Number of complete trees.
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
    rewind(old);
  }

  std::unique_ptr<SyntaxNode[]> nodes_;
  std::unique_ptr<std::uint32_t[]> open_;  // hashes of complete trees
  std::size_t room_ = 0;
  SyntaxNode* end_ = nullptr;
  std::uint32_t* top_ = nullptr;
};

/// Syntax tree of a sentence. The frame is everything except the term.
struct SyntaxTree {
  PaddedText text;    // holds the names
  SyntaxNodes nodes;  // the last node is the root
  Sentence frame;
};

}  // namespace engram::narsese
