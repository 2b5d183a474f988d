// SPDX-License-Identifier: MIT
#include "experiments/commands/standard_output.hpp"

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
  if (text.size() >= worth_a_call) {  // written without a copy
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

}  // namespace engram::experiments
