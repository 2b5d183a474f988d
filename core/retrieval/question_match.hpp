// SPDX-License-Identifier: MIT
// Whether a statement answers a question.
#pragma once

#include "narsese/term.hpp"

namespace engram::core {

/// Whether `statement` is the question's term with something in the place of each of its query variables
/// (?1), the same wherever one stands twice. Its other variables are part of what is asked.
/// Cost     that of one unification, see core/retrieval/unification.hpp
bool fits(narsese::Term question, narsese::Term statement, narsese::TermTable& table);

}  // namespace engram::core
