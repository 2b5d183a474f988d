// SPDX-License-Identifier: MIT
#include "experiments/shell/line_editor.hpp"

#include <editline/readline.h>

#include <clocale>
#include <cstdlib>
#include <cstring>
#include <memory>

namespace engram::experiments {
namespace {

// Global, because libedit calls callbacks without a user argument.
LineEditor::Complete complete_word;
std::vector<std::string> candidates;

// Returns a copy of the next candidate, which libedit frees, or null at the end.
char* next_candidate(const char*, int state) {
  const auto at = static_cast<std::size_t>(state);
  return at < candidates.size() ? strdup(candidates[at].c_str()) : nullptr;
}

// Callback of libedit for TAB: returns the completions of the word that begins at `start`, or null.
char** candidates_of(const char* word, int start, int) {
  rl_attempted_completion_over = 1;  // prevents the completion of file names without candidates
  candidates =
      complete_word(std::string_view(rl_line_buffer).substr(0, static_cast<std::size_t>(start)), word);
  return candidates.empty() ? nullptr : rl_completion_matches(word, next_candidate);
}

}  // namespace

LineEditor::LineEditor(Complete complete) {
  complete_word = std::move(complete);
  std::setlocale(LC_CTYPE, "");  // enables multi-byte characters
  rl_readline_name = "engram";
  rl_catch_signals = 0;
  rl_attempted_completion_function = candidates_of;
  rl_completion_append_character = '\0';
  static char breaks[] = " \t<>()[]{},;!?%=";
  rl_basic_word_break_characters = breaks;
  rl_completer_word_break_characters = breaks;
  using_history();
}

LineEditor::~LineEditor() { complete_word = nullptr; }

std::optional<std::string> LineEditor::line(const char* prompt) {
  const std::unique_ptr<char, decltype(&std::free)> typed(readline(prompt), &std::free);
  if (!typed) return std::nullopt;
  const HIST_ENTRY* last = history_length > 0 ? history_get(history_base + history_length - 1) : nullptr;
  if (*typed.get() && (!last || std::strcmp(last->line, typed.get()) != 0)) add_history(typed.get());
  return typed.get();
}

}  // namespace engram::experiments
