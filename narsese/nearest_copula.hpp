// SPDX-License-Identifier: MIT
// What was meant by something that stands where a copula should.
#pragma once

#include <optional>
#include <string_view>

namespace engram::narsese {

/// The copula that `found` is a slip of: `-->` for `->` and `--->`, `==>` for `=>`, `<=>` for `<=` and
/// `<==>`. Takes what ParseError::found holds, with or without its quotes. Nothing where nothing is near,
/// where two are equally near, or for `<--`, `<==` and their like: they mean the other direction.
///
/// Cost  O(1): no text longer than a copula with a few signs too many is looked at
std::optional<std::string_view> nearest_copula(std::string_view found);

}  // namespace engram::narsese
