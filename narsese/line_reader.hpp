// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <istream>
#include <string>

namespace engram::narsese {

/// What came of reading a line.
enum class LineStatus { line, too_long, end };

/// Reads up to and past the next line feed into `text`, without the line end (LF or CRLF). Of a line longer
/// than max_bytes the first max_bytes are kept and the rest is skipped, so memory stays bounded. Where
/// the stream cannot be read further, it ends and in.bad() holds.
LineStatus read_line(std::istream& in, std::string& text, std::size_t max_bytes);

}  // namespace engram::narsese
