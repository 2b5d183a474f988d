// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "narsese/term.hpp"

namespace engram::bridge {

/// The operator of an operation, such as ^left of <({SELF} * x) --> ^left>; empty for any other term.
std::string operator_in(narsese::Term term);

}  // namespace engram::bridge
