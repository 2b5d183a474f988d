// SPDX-License-Identifier: MIT
#include "bridge/json/json_text.hpp"

namespace engram::bridge {

std::string JsonError::message() const {
  return (pointer.empty() ? "" : pointer + ": ") + "expected " + expected + ", found " + found;
}

std::string JsonError::message_about(const std::string& name) const {
  if (kind == Kind::unknown) return "unknown field " + found + "; expected " + expected;
  return name + " must be " + expected + ", found " + found;
}

std::string pointer_to(std::string_view name) {
  std::string pointer = "/";
  for (const char c : name) {
    if (c == '~')
      pointer += "~0";
    else if (c == '/')
      pointer += "~1";
    else
      pointer += c;
  }
  return pointer;
}

std::string without_blanks(std::string_view json) {
  std::string text;
  text.reserve(json.size());
  bool in_string = false, escaped = false;
  for (const char c : json) {
    if (in_string) {
      in_string = escaped || c != '"';
      escaped = !escaped && c == '\\';
    } else {
      if (c == ' ' || c == '\t' || c == '\r' || c == '\n') continue;
      in_string = c == '"';
    }
    text += c;
  }
  return text;
}

}  // namespace engram::bridge
