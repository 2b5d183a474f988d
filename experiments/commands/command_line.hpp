// SPDX-License-Identifier: MIT
// Helpers to declare the options of commands.
#pragma once

#include <CLI/CLI.hpp>
#include <chrono>
#include <concepts>
#include <optional>
#include <string>
#include <vector>

#include "core/budgets/forgetting.hpp"
#include "narsese/printer.hpp"

namespace engram::experiments {

/// The error message for an unknown name: suggests the most similar name and lists all.
std::string unknown_name(const std::string& name, const std::vector<std::string>& known);

/// A word as shell input. Quotes the word if it has characters that a shell interprets.
std::string shell_word(const std::string& word);

/// Adds a command with an example in its help. add_remark() inserts a remark before the example.
CLI::App* add_command(CLI::App& app, const char* name, const char* what, const char* example);
void add_remark(CLI::App* command, const std::string& remark);

/// Makes an option reject an empty text. Without this check, an empty text would act like a missing option.
void refuse_empty(CLI::Option* option);

/// Improves the help texts: one word for the type of a value, the list of accepted names, no empty defaults of files
/// and folders. Call this after all commands have been added.
void label_help(CLI::App& app);

/// Validator that accepts only these names. Its error suggests the most similar name, and shell completion offers all.
CLI::Validator one_of(std::vector<std::string> names);
/// The names that the option's one_of() accepts; empty without one.
std::vector<std::string> accepted_names(const CLI::Option& option);
/// Validator that accepts any text. Shell completion offers these names.
CLI::Validator suggested(const std::vector<std::string>& names);
std::vector<std::string> method_names();
/// Validator for names of methods, former names included. Use it with CLI11's `transform`.
CLI::Validator any_method();

/// Types of values, for CLI11's `type_name`. Help prints them, and completion chooses its suggestions by them.
inline constexpr const char* file_type = "FILE";
inline constexpr const char* folder_type = "FOLDER";
inline constexpr const char* name_type = "NAME";
inline constexpr const char* program_type = "PROGRAM";  // with its arguments, after --

/// Adds an option whose default is the present value of `value`. Help prints the default unless it is 0, an empty text
/// or an empty list.
template <class Value>
CLI::Option* add_option(CLI::App* command, const std::string& names, Value& value, std::string what) {
  if constexpr (std::same_as<Value, std::vector<std::string>>) {
    if (!value.empty()) what += " (default: " + CLI::detail::join(value, " ") + ")";
  } else if constexpr (std::same_as<Value, std::string>) {
    if (!value.empty()) what += " (default: " + value + ")";
  } else if constexpr (std::integral<Value>) {
    if (value != 0) what += " (default: " + std::to_string(value) + ")";
  } else if constexpr (std::floating_point<Value>) {
    if (value != 0) what += " (default: " + narsese::print_number(value) + ")";
  }
  return command->add_option(names, value, what);
}

/// Adds a duration of 1 ms to one day. Start `what` with "milliseconds". For an empty optional, help prints no default.
void add_milliseconds(CLI::App* command, const std::string& name, std::chrono::milliseconds& value,
                      const std::string& what);
void add_milliseconds(CLI::App* command, const std::string& name,
                      std::optional<std::chrono::milliseconds>& value, const std::string& what);

/// Adds --memory: the bytes for a memory and the work on it, with a suffix such as M or G.
void add_memory_option(CLI::App* command, std::size_t& bytes, const std::string& what);

/// Adds --memory, --max-concepts, --max-hebbian-links and --max-statements. Specs have the same limits as max_concepts
/// and so on (experiments/spec/spec_reader.hpp).
void add_memory_limits(CLI::App* command, core::MemoryLimits& limits, const std::string& what);

/// Argument of --forget: the name of a policy of core/budgets/forgetting.hpp.
struct ForgetArgument {
  std::string policy{name_of(core::forgetting_policies, core::ForgettingOptions{}.policy)};

  core::ForgettingOptions options() const {
    return {.policy = *value_named(core::forgetting_policies, policy)};
  }
};
void add_forget(CLI::App* command, ForgetArgument& argument);

}  // namespace engram::experiments
