// SPDX-License-Identifier: MIT
// Declaration of commands and their options. Every command uses these functions instead of CLI11's own.
#pragma once

#include <CLI/CLI.hpp>
#include <chrono>
#include <concepts>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "experiments/runs/terminal.hpp"
#include "narsese/printer.hpp"

namespace engram::experiments {

/// Adds a command. `what` is its one-line help; `example` is printed at the end of its help.
CLI::App* add_command(CLI::App& app, const char* name, const char* what, const char* example);
/// Inserts a remark before the example in the help of a command.
void add_remark(CLI::App* command, const std::string& remark);

/// A new command. Its options write into `arguments`.
template <class Arguments>
struct NewCommand {
  CLI::App* command;
  Arguments& arguments;
};

/// Adds a command that calls `run` with its arguments and stores the returned exit code in `code`. `code` must live
/// until the command line has been parsed.
template <class Arguments>
NewCommand<Arguments> add_command(CLI::App& app, ExitCode& code, const char* name, const char* what,
                                  const char* example, ExitCode (*run)(const Arguments&)) {
  CLI::App* command = add_command(app, name, what, example);
  const auto arguments = std::make_shared<Arguments>();
  command->callback([&code, run, arguments] { code = run(*arguments); });
  return {command, *arguments};
}

/// Properties of options, for add_option(). The type names FILE and FOLDER appear in help, and shell completion offers
/// file names for them. An empty file name is an error.
void is_file(CLI::Option& option);
void is_folder(CLI::Option& option);
void is_required(CLI::Option& option);
/// The option may be repeated. Each use takes one value.
void is_repeated(CLI::Option& option);
/// An empty text is an error. Without this property, an empty text acts like a missing option.
void is_not_empty(CLI::Option& option);
/// The value must be the present or a former name of a retrieval method.
void is_method(CLI::Option& option);
/// The value is a number of bytes, optionally with a suffix such as M or G.
void is_bytes(CLI::Option& option);
/// The value is the port of a server; 0 means any free port.
void is_port(CLI::Option& option);

/// Property: the value must be a name from this list. The error for another name suggests the most similar name. Help
/// and shell completion list all names.
CLI::Validator one_of(std::vector<std::string> names);
/// Property: the value may be any text. Shell completion offers these names.
CLI::Validator suggested(const std::vector<std::string>& names);
/// Property: the value must be a number from `least` to `most`.
template <class Number>
CLI::Validator in_range(Number least, Number most) {
  using Wide = std::conditional_t<std::integral<Number>, std::int64_t, double>;
  return CLI::Range(static_cast<Wide>(least), static_cast<Wide>(most));
}
/// Property: help prints this name as the type of the value.
struct TypeName {
  const char* name;
};

inline void add_property(CLI::Option& option, void (*property)(CLI::Option&)) { property(option); }
inline void add_property(CLI::Option& option, const CLI::Validator& check) { option.check(check); }
inline void add_property(CLI::Option& option, TypeName type) { option.type_name(type.name); }

/// The text of a default value in help: empty for 0, an empty text, an empty list and types without defaults.
template <class Value>
std::string default_text(const Value& value) {
  if constexpr (std::same_as<Value, std::vector<std::string>>) return CLI::detail::join(value, " ");
  if constexpr (std::same_as<Value, std::string>) return value;
  if constexpr (std::same_as<Value, std::filesystem::path>) return value.string();
  if constexpr (std::same_as<Value, std::chrono::milliseconds>) return std::to_string(value.count());
  if constexpr (std::integral<Value> && !std::same_as<Value, bool>)
    return value == 0 ? "" : std::to_string(value);
  if constexpr (std::floating_point<Value>) return value == 0 ? "" : narsese::print_number(value);
  return "";
}

/// Adds an option, an argument (a name without dashes) or a flag (a bool). The default is the present value of `value`.
/// Help prints it by default_text(). A duration is a number of milliseconds, from 1 ms to one day, so start its help
/// with "milliseconds".
/// `properties`  properties from above, or CLI11 validators
template <class Value, class... Properties>
CLI::Option* add_option(CLI::App* command, const std::string& names, Value& value, std::string what,
                        const Properties&... properties) {
  if (const std::string text = default_text(value); !text.empty()) what += " (default: " + text + ")";
  CLI::Option* option = nullptr;
  if constexpr (std::same_as<Value, bool>) {
    option = command->add_flag(names, value, what);
  } else if constexpr (std::same_as<Value, std::chrono::milliseconds> ||
                       std::same_as<Value, std::optional<std::chrono::milliseconds>>) {
    option = command->add_option_function<std::uint32_t>(
        names, [&value](std::uint32_t ms) { value = std::chrono::milliseconds(ms); }, what);
    option->check(in_range(1, 86'400'000));
  } else {
    option = command->add_option(names, value, what);
  }
  (add_property(*option, properties), ...);
  return option;
}

/// Improves the help texts: one word for the type of a value, and the list of accepted names. Call this after all
/// commands have been added.
void label_help(CLI::App& app);

/// Validators of an option, in the order of the checks.
std::vector<const CLI::Validator*> validators_of(const CLI::Option& option);

/// Names of the retrieval methods.
std::vector<std::string> method_names();
/// The error message for an unknown name. It suggests the most similar known name and lists all known names.
std::string unknown_name(const std::string& name, const std::vector<std::string>& known);
/// Returns the word in the form that a shell needs: quoted if it has characters that a shell interprets.
std::string shell_word(const std::string& word);

/// Types of values, as CLI11's `type_name`.
inline constexpr const char* file_type = "FILE";
inline constexpr const char* folder_type = "FOLDER";
inline constexpr const char* program_type = "PROGRAM";  // a program with its arguments, after `--`

}  // namespace engram::experiments
