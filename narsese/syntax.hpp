// SPDX-License-Identifier: MIT
// The plain tree of a sentence, as the parser reads it: nodes in post-order, in one array, names left in the
// text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "narsese/dialect.hpp"
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

struct SyntaxTree {
  std::string_view text;           // names point into it
  std::vector<SyntaxNode> nodes;   // the root is the last
  Sentence frame;                  // all but the term
  ConstructSet constructs = 0;     // used in the text
  bool variables_may_tie = false;  // some order without meaning may decide which variable is the first

  std::string_view name(const SyntaxNode& node) const {
    return text.substr(static_cast<std::size_t>(node.value), node.size);
  }
};

}  // namespace engram::narsese
