// SPDX-License-Identifier: MIT
// Terms of one table in another.
#pragma once

#include <vector>

#include "narsese/hash_index.hpp"
#include "narsese/term.hpp"

namespace engram::narsese {

/// Makes the terms of one table in another, what they share but once.
class TermCopies {
 public:
  /// `table` must live as long as this and as the copies.
  explicit TermCopies(TermTable& table) : table_(table) {}

  /// The same term of the table.  Cost  O(what of it was not copied yet) expected.   Errors  as TermTable
  Term operator()(Term term);

 private:
  Term made(Term term);

  TermTable& table_;
  std::vector<Term> from_, to_;
  HashIndex index_;  // of from_
};

}  // namespace engram::narsese
