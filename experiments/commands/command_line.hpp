// SPDX-License-Identifier: MIT
// What commands share of the command line.
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

/// What is said of a wrong name: the nearest right one, and all of them.
std::string unknown_name(const std::string& name, const std::vector<std::string>& known);

/// As a shell reads it back: quoted where it holds more than names and numbers do.
std::string shell_word(const std::string& word);

/// A command with an example in its help; what is to stand before it is added by add_remark.
CLI::App* add_command(CLI::App& app, const char* name, const char* what, const char* example);
void add_remark(CLI::App* command, const std::string& remark);

/// Refuses an empty text, which would otherwise be as good as not giving the option.
void refuse_empty(CLI::Option* option);

/// Help in plain words, with one word for what an option's value is, all names that an option accepts, and no empty names
/// of files and folders; after all commands have been added.
void label_help(CLI::App& app);

/// One of these names, or an error with the nearest one. Completion offers them (`engram completion`).
CLI::Validator one_of(std::vector<std::string> names);
/// The names of an option's one_of, or none.
std::vector<std::string> accepted_names(const CLI::Option& option);
/// Anything at all; completion offers these names.
CLI::Validator suggested(const std::vector<std::string>& names);
std::vector<std::string> method_names();
/// The name of a method; also accepts the former name of one. For `transform`.
CLI::Validator any_method();

/// What a value is, for `type_name`: help says so, and completion offers what is there.
inline constexpr const char* file_type = "FILE";
inline constexpr const char* folder_type = "FOLDER";
inline constexpr const char* name_type = "NAME";
inline constexpr const char* program_type = "PROGRAM";  // with its arguments, after --

/// An option whose default is what `value` holds now. Help tells it, but for what stands for none: an empty
/// text or list, and 0.
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

/// A duration of 1 ms to one day; `what` it is for begins with "milliseconds". With nothing in an optional one,
/// help tells no default.
void add_milliseconds(CLI::App* command, const std::string& name, std::chrono::milliseconds& value,
                      const std::string& what);
void add_milliseconds(CLI::App* command, const std::string& name,
                      std::optional<std::chrono::milliseconds>& value, const std::string& what);

/// --memory: what a memory and the work on it may take, with a suffix such as M or G.
void add_memory_option(CLI::App* command, std::size_t& bytes, const std::string& what);

/// The same, with --max-concepts, --max-hebbian-links and --max-statements: what specs call max_concepts and so on
/// (experiments/spec/spec_reader.hpp).
void add_memory_limits(CLI::App* command, core::MemoryLimits& limits, const std::string& what);

/// --forget: a policy of core/budgets/forgetting.hpp by its name.
struct ForgetArgument {
  std::string policy{name_of(core::forgetting_policies, core::ForgettingOptions{}.policy)};

  core::ForgettingOptions options() const {
    return {.policy = *value_named(core::forgetting_policies, policy)};
  }
};
void add_forget(CLI::App* command, ForgetArgument& argument);

}  // namespace engram::experiments
