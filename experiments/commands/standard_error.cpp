// SPDX-License-Identifier: MIT
#include "experiments/commands/standard_error.hpp"

#include <iostream>

#include "experiments/formats/markup.hpp"

namespace engram::experiments {
namespace {

std::streambuf* unchanged_buffer = nullptr;  // the original buffer of std::cerr while a StandardError exists

}  // namespace

StandardError::StandardError() : before_(std::cerr.rdbuf(this)) { unchanged_buffer = before_; }

StandardError::~StandardError() {
  std::cerr.rdbuf(before_);
  unchanged_buffer = nullptr;
}

std::ostream& StandardError::unchanged() {
  static std::ostream stream(nullptr);
  stream.rdbuf(unchanged_buffer != nullptr ? unchanged_buffer : std::cerr.rdbuf());
  return stream;
}

StandardError::int_type StandardError::overflow(int_type c) {
  if (traits_type::eq_int_type(c, traits_type::eof())) return traits_type::not_eof(c);
  const char one = traits_type::to_char_type(c);
  return xsputn(&one, 1) == 1 ? c : traits_type::eof();
}

// Escaping needs whole characters. All bytes of a character arrive in one call, because they come from one string.
std::streamsize StandardError::xsputn(const char* text, std::streamsize size) {
  const std::string shown = legible({text, static_cast<std::size_t>(size)}, "\n\t");
  const auto length = static_cast<std::streamsize>(shown.size());
  return before_->sputn(shown.data(), length) == length ? size : 0;
}

int StandardError::sync() { return before_->pubsync(); }

}  // namespace engram::experiments
