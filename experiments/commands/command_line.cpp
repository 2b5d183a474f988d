// SPDX-License-Identifier: MIT
#include "experiments/commands/command_line.hpp"

#include <algorithm>
#include <cctype>

#include "core/methods/method.hpp"
#include "experiments/formats/tables.hpp"
#include "narsese/similar_names.hpp"

namespace engram::experiments {

std::string unknown_name(const std::string& name, const std::vector<std::string>& known) {
  const std::string nearest = narsese::nearest_name(name, known);
  return "'" + name + "' is unknown" + (nearest.empty() ? "." : "; did you mean '" + nearest + "'?") +
         " Known are " + CLI::detail::join(known, " ");
}

std::string shell_word(const std::string& word) {
  constexpr const char* plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./,:+=@%";
  if (!word.empty() && word.find_first_not_of(plain) == std::string::npos) return word;
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? "'\\''" : std::string(1, c);
  return text + "'";
}

std::vector<std::string> method_names() {
  std::vector<std::string> names;
  for (const core::Method& method : core::methods()) names.push_back(method.name);
  return names;
}

CLI::App* add_command(CLI::App& app, const char* name, const char* what, const char* example) {
  CLI::App* command = app.add_subcommand(name, what);
  command->group("Commands");
  command->footer(std::string("Example:\n  ") + example);
  return command;
}

void add_remark(CLI::App* command, const std::string& remark) {
  command->footer(remark + "\n\n" + command->get_footer());
}

namespace {

// Description of every validator whose own name is the list of the accepted names.
constexpr const char* name_type = "NAME";

// Creates a validator for a fixed set of names. It stores the names, separated by blanks, as the name of the validator,
// because CLI11 offers no other place.
template <class Check>
CLI::Validator names_validator(const Check& check, const std::vector<std::string>& names) {
  return CLI::Validator(check, name_type, CLI::detail::join(names, " "));
}

}  // namespace

CLI::Validator one_of(std::vector<std::string> names) {
  return names_validator(
      [names](const std::string& value) {
        return std::ranges::find(names, value) != names.end() ? std::string() : unknown_name(value, names);
      },
      names);
}

CLI::Validator suggested(const std::vector<std::string>& names) {
  return CLI::Validator([](std::string&) { return std::string(); }, "", CLI::detail::join(names, " "));
}

void is_method(CLI::Option& option) {
  const std::vector<std::string> names = method_names();
  option.transform(names_validator(
      [names](std::string& value) {
        const core::Method* method = core::find_method(value);
        if (method == nullptr) return unknown_name(value, names);
        value = method->name;
        return std::string();
      },
      names));
}

void is_not_empty(CLI::Option& option) {
  option.check([](const std::string& text) {
    return text.empty() ? std::string("must not be empty") : std::string();
  });
}

void is_file(CLI::Option& option) {
  option.type_name(file_type);
  is_not_empty(option);
}

void is_folder(CLI::Option& option) {
  option.type_name(folder_type);
  is_not_empty(option);
}

void is_required(CLI::Option& option) { option.required(); }

void is_repeated(CLI::Option& option) {
  option.take_all();
  option.allow_extra_args(false);
  option.description(option.get_description() + "; may be repeated");
}

void is_bytes(CLI::Option& option) {
  option.transform(CLI::AsSizeValue(false));
  option.type_name("BYTES");
}

void is_port(CLI::Option& option) { option.check(in_range(0, 65535)); }

std::vector<const CLI::Validator*> validators_of(const CLI::Option& option) {
  std::vector<const CLI::Validator*> validators;
  try {
    // CLI11 lacks const access to validators, and reports the end of the list only by an exception.
    for (int i = 0;; ++i) validators.push_back(const_cast<CLI::Option&>(option).get_validator(i));
  } catch (const CLI::OptionNotFound&) {
    return validators;
  }
}

namespace {

// Shortens the type of an option, which CLI11 prints as TYPE:CHECK. A check is more precise than CLI11's own type. A
// type that is_file() and similar functions set needs no check. Examples: "UINT:INT in [1 - 9]" -> "NUMBER in [1 - 9]",
// "TEXT:NAME" -> "NAME", "BYTES:SIZE [b, kb, ...]" -> "BYTES".
std::string plain_type(const std::string& type) {
  const auto is_number = [](const std::string& word) {
    return word == "UINT" || word == "INT" || word == "FLOAT";
  };
  const std::size_t colon = type.find(':');
  std::string plain = type.substr(0, colon);
  if ((is_number(plain) || plain == "TEXT") && colon != std::string::npos) plain = type.substr(colon + 1);
  const std::size_t first = std::min(plain.find(' '), plain.size());
  return is_number(plain.substr(0, first)) ? "NUMBER" + plain.substr(first) : plain;
}

// Returns whether the text contains the word as a whole: no letter, digit or _ may be next to it.
bool has_word(const std::string& text, const std::string& word) {
  const auto belongs = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1))
    if ((at == 0 || !belongs(text[at - 1])) &&
        (at + word.size() == text.size() || !belongs(text[at + word.size()])))
      return true;
  return false;
}

// Appends the accepted names to the help of an option, unless the help already contains every name.
void list_names(CLI::Option* option) {
  for (const CLI::Validator* validator : validators_of(*option)) {
    if (validator->get_description() != name_type) continue;
    const std::vector<std::string> names = CLI::detail::split(validator->get_name(), ' ');
    const std::string help = option->get_description();
    if (std::ranges::all_of(names, [&](const std::string& name) { return has_word(help, name); })) return;
    std::string list = wrapped("one of " + CLI::detail::join(names, ", "), 100);
    while (list.ends_with('\n')) list.pop_back();
    option->description(help + "\n" + list);
    return;
  }
}

}  // namespace

void label_help(CLI::App& app) {
  CLI::FormatterBase& formatter = *app.get_formatter();
  formatter.label("Positionals", "Arguments");
  formatter.label("SUBCOMMAND", "COMMAND");
  formatter.label("REQUIRED", "(required)");
  for (CLI::Option* option : app.get_options()) {
    const std::string type = option->get_type_name();
    formatter.label(type, plain_type(type));
    list_names(option);
  }
  for (CLI::App* command : app.get_subcommands([](CLI::App*) { return true; })) label_help(*command);
}

}  // namespace engram::experiments
