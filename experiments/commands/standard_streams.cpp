// SPDX-License-Identifier: MIT
#include "experiments/commands/standard_streams.hpp"

#include <unistd.h>

#include <iostream>
#include <system_error>

#include "bridge/files/files.hpp"
#include "experiments/formats/markup.hpp"

namespace engram::experiments {
namespace {

constexpr std::size_t worth_a_call = std::size_t{1} << 16;
constexpr const char* name = "standard output";

}  // namespace

StandardOutput::StandardOutput() : before_(std::cout.rdbuf(this)), is_terminal_(isatty(STDOUT_FILENO) != 0) {
  for (std::ios* stream : {static_cast<std::ios*>(&std::cin), static_cast<std::ios*>(&std::cerr)})
    stream->tie(nullptr);
}

StandardOutput::~StandardOutput() {
  write_waiting();
  std::cout.rdbuf(before_);
}

void StandardOutput::finish() {
  write_waiting();
  if (problem_ != 0) throw std::system_error(problem_, std::generic_category(), name);
}

bool StandardOutput::add(std::string_view text) {
  if (text.size() >= worth_a_call) {  // long texts are written directly, without a copy
    if (write_waiting()) write(text);
    return problem_ == 0;
  }
  waiting_ += text;
  const bool now =
      waiting_.size() >= worth_a_call || (is_terminal_ && text.find('\n') != std::string_view::npos);
  return now ? write_waiting() : problem_ == 0;
}

// Writes the buffer. Writes nothing after a failure, because the output would have a gap.
bool StandardOutput::write_waiting() {
  write(waiting_);
  waiting_.clear();
  return problem_ == 0;
}

void StandardOutput::write(std::string_view text) try {
  if (problem_ != 0) return;
  bridge::write_all(STDOUT_FILENO, is_terminal_ ? legible(text, "\n\t") : text, name);
} catch (const std::system_error& error) {
  problem_ = error.code().value();
}

StandardOutput::int_type StandardOutput::overflow(int_type c) {
  if (traits_type::eq_int_type(c, traits_type::eof())) return traits_type::not_eof(c);
  const char one = traits_type::to_char_type(c);
  return add({&one, 1}) ? c : traits_type::eof();
}

std::streamsize StandardOutput::xsputn(const char* text, std::streamsize size) {
  return add({text, static_cast<std::size_t>(size)}) ? size : 0;
}

int StandardOutput::sync() { return write_waiting() ? 0 : -1; }

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
