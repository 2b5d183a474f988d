// SPDX-License-Identifier: MIT
// Functions that check texts in tests: the parts of a text, repetitions, and messages of exceptions.
#pragma once

#include <initializer_list>
#include <iterator>
#include <set>
#include <sstream>
#include <string>
#include <string_view>

namespace engram::testing {

inline bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

/// The first of `parts` that a text does not contain, or "" if it contains all.
inline std::string first_missing(std::string_view text, std::initializer_list<std::string_view> parts) {
  for (const std::string_view part : parts)
    if (!contains(text, part)) return std::string(part);
  return "";
}

/// The words of a text, which blanks separate.
inline std::set<std::string> words_of(const std::string& text) {
  std::istringstream words(text);
  return {std::istream_iterator<std::string>(words), {}};
}

/// Number of places at which a text contains a part.
inline std::size_t times(std::string_view text, std::string_view part) {
  std::size_t found = 0;
  for (auto at = text.find(part); at != std::string_view::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

/// The message of the exception of type `Error` that `call` throws, or "no error" if it throws none.
template <class Error>
std::string message_of(const auto& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace engram::testing
