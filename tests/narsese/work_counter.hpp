// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace engram::narsese::testing {

/// Number of executed code blocks in files compiled with -fsanitize-coverage=trace-pc.
std::uint64_t work_done();

}  // namespace engram::narsese::testing
