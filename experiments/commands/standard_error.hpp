// SPDX-License-Identifier: MIT
#pragma once

#include <ostream>
#include <streambuf>
#include <string>
#include <string_view>

namespace engram::experiments {

/// Standard error as what std::cerr writes to, as long as this lives. Messages quote names and file names that anybody
/// may have chosen, so characters that command a terminal or change the direction of text are written as escapes, as
/// legible() writes them (experiments/formats/escapes.hpp). Line ends and tabs stay. Only one may exist at a time.
class StandardError : private std::streambuf {
 public:
  StandardError();
  ~StandardError() override;
  StandardError(const StandardError&) = delete;
  StandardError& operator=(const StandardError&) = delete;

  /// Standard error unchanged, for the control sequences of a progress bar.
  static std::ostream& unchanged();

 private:
  int_type overflow(int_type c) override;
  std::streamsize xsputn(const char* text, std::streamsize size) override;
  int sync() override;

  std::streambuf* before_;
};

}  // namespace engram::experiments
