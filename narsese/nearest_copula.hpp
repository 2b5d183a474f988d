// SPDX-License-Identifier: MIT
// What was meant by something that stands where a copula should.
#pragma once

#include <optional>
#include <string_view>

namespace engram::narsese {

/// The copula that `found` is a slip of: `-->` for `->` and `--->`, `==>` for `=>`, `<=>` for `<=` and
/// `<==>`. Takes what ParseError::found holds, with or without its quotes. Nothing where nothing is near,
/// where two are equally near, or for `<--`, `<==` and their like, which mean the other direction and are no
/// slip. Cost  O(1): longer texts than a copula with a few signs too many are not looked at
std::optional<std::string_view> nearest_copula(std::string_view found);

}  // namespace engram::narsese
