// SPDX-License-Identifier: MIT
// The plain tree of a sentence, as the parser reads it: nodes in post-order, in one array, names left in the
// text.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

#include "narsese/dialect.hpp"
#include "narsese/padded_text.hpp"
#include "narsese/sentence.hpp"
#include "narsese/term.hpp"

namespace engram::narsese {

/// A node, behind its components. Abbreviations are written out: `{--`, `(^op,..)` and their like are gone.
struct SyntaxNode {
  TermKind kind = TermKind::atom;
  std::uint8_t symbol = 0;  // of the Connector, Copula or VariableKind
  std::uint32_t size = 0;   // bytes of a name, or number of components
  std::int64_t value = 0;   // where a name starts, a number, or the position of an image's placeholder
};

/// Nodes in one array, whose room is made once for a text: no text has more nodes than bytes. (A leaf takes a
/// byte at least; the nodes of a pair of brackets, a copula, a connector or a function's call are never more
/// than its bytes.)
class SyntaxNodes {
 public:
  /// Forgets the nodes, and makes room for so many.
  void restart(std::size_t room) {
    if (room_ < room) nodes_ = std::make_unique<SyntaxNode[]>(room_ = 2 * room);
    end_ = nodes_.get();
  }
  void push_back(const SyntaxNode& node) {
    assert(size() < room_);
    *end_++ = node;
  }
  void pop_back() { --end_; }
  const SyntaxNode& back() const { return end_[-1]; }
  const SyntaxNode* begin() const { return nodes_.get(); }
  const SyntaxNode* end() const { return end_; }
  std::size_t size() const { return static_cast<std::size_t>(end_ - nodes_.get()); }

 private:
  std::unique_ptr<SyntaxNode[]> nodes_;
  std::size_t room_ = 0;
  SyntaxNode* end_ = nullptr;
};

struct SyntaxTree {
  PaddedText text;                 // names are in it
  SyntaxNodes nodes;               // the root is the last
  Sentence frame;                  // all but the term
  ConstructSet constructs = 0;     // used in the text
  bool variables_may_tie = false;  // some order without meaning may decide which variable is the first

  /// At least 16 bytes may be read from its start.
  std::string_view name(const SyntaxNode& node) const { return {text.data() + node.value, node.size}; }
};

}  // namespace engram::narsese
