// SPDX-License-Identifier: MIT
#pragma once

#include <ostream>
#include <streambuf>
#include <string>
#include <string_view>

namespace engram::experiments {

/// Standard output as what std::cout writes to, as long as this lives: what goes wrong is kept as the system
/// tells it (no space, too large, a reader that went away), which the streams of C and C++ forget. On a
/// terminal each line is shown as it ends, with control characters and marks of direction as escapes. Only one may exist at a time. One thread at a time writes to std::cout; from
/// then on messages on std::cerr, which any thread may print, and reads of std::cin do not flush it.
class StandardOutput : private std::streambuf {
 public:
  StandardOutput();
  ~StandardOutput() override;
  StandardOutput(const StandardOutput&) = delete;
  StandardOutput& operator=(const StandardOutput&) = delete;

  /// Writes what waits. After a call that returns, all that was ever printed has been written.
  /// Errors  std::system_error, with what went wrong first
  void finish();

 private:
  int_type overflow(int_type c) override;
  std::streamsize xsputn(const char* text, std::streamsize size) override;
  int sync() override;
  bool add(std::string_view text);
  bool write_waiting();
  void write(std::string_view text);

  std::streambuf* before_;
  bool is_terminal_;
  std::string waiting_;
  int problem_ = 0;  // errno of the first failure
};

}  // namespace engram::experiments
