// SPDX-License-Identifier: MIT
// Standard error with escaped control characters.
#pragma once

#include <ostream>
#include <streambuf>
#include <string>
#include <string_view>

namespace engram::experiments {

/// RAII filter between std::cerr and standard error. Messages quote names and file names that other people may have
/// chosen. Therefore characters that control a terminal or change the text direction are escaped by legible()
/// (experiments/formats/markup.hpp). Line ends and tabs are kept. Only one object may exist at a time.
class StandardError : private std::streambuf {
 public:
  StandardError();
  ~StandardError() override;
  StandardError(const StandardError&) = delete;
  StandardError& operator=(const StandardError&) = delete;

  /// Standard error without the filter, for the control sequences of a progress bar.
  static std::ostream& unchanged();

 private:
  int_type overflow(int_type c) override;
  std::streamsize xsputn(const char* text, std::streamsize size) override;
  int sync() override;

  std::streambuf* before_;
};

}  // namespace engram::experiments
