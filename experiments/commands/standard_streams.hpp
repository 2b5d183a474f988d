// SPDX-License-Identifier: MIT
// Standard output that reports write errors, and standard error with escaped control characters.
#pragma once

#include <ostream>
#include <streambuf>
#include <string>
#include <string_view>

namespace engram::experiments {

/// RAII buffer between std::cout and standard output. It keeps the errno of the first failed write (no space, file too
/// large, closed pipe), which the streams of C and C++ lose. On a terminal, each line is written at its end, and
/// control characters and direction marks are escaped. Only one object may exist at a time.
///
/// One thread at a time may write to std::cout. While the object exists, messages on std::cerr and reads of std::cin do
/// not flush std::cout, because any thread may print messages.
class StandardOutput : private std::streambuf {
 public:
  StandardOutput();
  ~StandardOutput() override;
  StandardOutput(const StandardOutput&) = delete;
  StandardOutput& operator=(const StandardOutput&) = delete;

  /// Writes the buffer. If this call returns, all output has been written.
  /// Errors  std::system_error for the first failure
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
