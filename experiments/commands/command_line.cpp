// SPDX-License-Identifier: MIT
#include "experiments/commands/command_line.hpp"

#include <algorithm>
#include <cctype>

#include "core/methods/method.hpp"
#include "experiments/formats/tables.hpp"
#include "experiments/spec/spec.hpp"
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

namespace {

// Shortens the type of an option, which CLI11 prints as TYPE:CHECK. A check says more than CLI11's own type, and a type
// that we set needs no check. Examples: "UINT:UINT in [1 - 9]" -> "NUMBER in [1 - 9]", "TEXT:NAME" -> "NAME",
// "BYTES:SIZE [b, kb, ...]" -> "BYTES".
std::string plain_type(const std::string& type) {
  const std::vector<std::string> numbers = {"UINT", "INT", "FLOAT"};
  const auto is_number = [&](const std::string& word) {
    return std::ranges::find(numbers, word) != numbers.end();
  };
  const std::size_t colon = type.find(':');
  std::string plain = type.substr(0, colon);
  if ((is_number(plain) || plain == "TEXT") && colon != std::string::npos) plain = type.substr(colon + 1);
  const std::size_t first = std::min(plain.find(' '), plain.size());
  return is_number(plain.substr(0, first)) ? "NUMBER" + plain.substr(first) : plain;
}

}  // namespace

void refuse_empty(CLI::Option* option) {
  option->check([](const std::string& text) {
    return text.empty() ? std::string("must not be empty") : std::string();
  });
}

namespace {

bool says_word(const std::string& text, const std::string& word) {
  const auto belongs = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1))
    if ((at == 0 || !belongs(text[at - 1])) &&
        (at + word.size() == text.size() || !belongs(text[at + word.size()])))
      return true;
  return false;
}

// Appends the names of one_of() to the help of an option, unless the help mentions all of them.
void list_names(CLI::Option* option) {
  const std::vector<std::string> names = accepted_names(*option);
  const std::string help = option->get_description();
  if (std::ranges::all_of(names, [&](const std::string& name) { return says_word(help, name); })) return;
  std::string list = wrapped("one of " + CLI::detail::join(names, ", "), 100);
  while (list.ends_with('\n')) list.pop_back();
  option->description(help + "\n" + list);
}

}  // namespace

std::vector<std::string> accepted_names(const CLI::Option& option) {
  for (int i = 0;; ++i) {
    const CLI::Validator* validator = nullptr;
    try {
      // CLI11 has no const access to validators. This call changes nothing.
      validator = const_cast<CLI::Option&>(option).get_validator(i);
    } catch (const CLI::OptionNotFound&) {
      return {};  // CLI11 reports the end of the list only by this exception
    }
    if (validator->get_description() == name_type) return CLI::detail::split(validator->get_name(), ' ');
  }
}

void label_help(CLI::App& app) {
  CLI::FormatterBase& formatter = *app.get_formatter();
  formatter.label("Positionals", "Arguments");
  formatter.label("SUBCOMMAND", "COMMAND");
  formatter.label("REQUIRED", "(required)");
  for (CLI::Option* option : app.get_options()) {
    const std::string type = option->get_type_name();
    formatter.label(type, plain_type(type));
    for (const char* named : {file_type, folder_type})
      if (type.starts_with(named)) refuse_empty(option);
    list_names(option);
  }
  for (CLI::App* command : app.get_subcommands([](CLI::App*) { return true; })) label_help(*command);
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

// Stores the accepted names in the name of the validator, separated by blanks, because CLI11 has no other place for
// them.
CLI::Validator one_of(std::vector<std::string> names) {
  return CLI::Validator(
      [names](std::string& value) {
        return std::ranges::find(names, value) != names.end() ? std::string() : unknown_name(value, names);
      },
      name_type, CLI::detail::join(names, " "));
}

CLI::Validator suggested(const std::vector<std::string>& names) {
  return CLI::Validator([](std::string&) { return std::string(); }, "", CLI::detail::join(names, " "));
}

CLI::Validator any_method() {
  return CLI::Validator(
      [names = method_names()](std::string& value) {
        const core::Method* method = core::find_method(value);
        if (method == nullptr) return unknown_name(value, names);
        value = method->name;
        return std::string();
      },
      name_type, CLI::detail::join(method_names(), " "));
}

std::vector<std::string> method_names() {
  std::vector<std::string> names;
  for (const core::Method& method : core::methods()) names.push_back(method.name);
  return names;
}

namespace {

template <class Duration>
void add_duration(CLI::App* command, const std::string& name, Duration& value, const std::string& what) {
  command
      ->add_option_function<std::uint32_t>(
          name, [&value](std::uint32_t ms) { value = std::chrono::milliseconds(ms); }, what)
      ->check(CLI::Range(1u, 86'400'000u));
}

}  // namespace

void add_milliseconds(CLI::App* command, const std::string& name, std::chrono::milliseconds& value,
                      const std::string& what) {
  add_duration(command, name, value, what + " (default: " + std::to_string(value.count()) + ")");
}

void add_milliseconds(CLI::App* command, const std::string& name,
                      std::optional<std::chrono::milliseconds>& value, const std::string& what) {
  add_duration(command, name, value, what);
}

void add_memory_option(CLI::App* command, std::size_t& bytes, const std::string& what) {
  const std::string shown = std::to_string(bytes >> 30) + "G";
  command
      ->add_option("--memory", bytes,
                   what + " may take at a time, such as 500M or 2G (default: " + shown + ")")
      ->transform(CLI::AsSizeValue(false))
      ->check(CLI::Range(std::size_t{1} << 20, std::size_t{1} << 48))
      ->type_name("BYTES");
}

void add_memory_limits(CLI::App* command, core::MemoryLimits& limits, const std::string& what) {
  add_memory_option(command, limits.max_bytes, what);
  for (const auto& [name, limit] : {std::pair("--max-concepts", &limits.max_concepts),
                                    std::pair("--max-hebbian-links", &limits.max_hebbian_links),
                                    std::pair("--max-statements", &limits.max_statements)})
    add_option(command, name, *limit, "how many of them may be learnt, whatever bytes are left")
        ->check(CLI::Range(std::size_t{1}, most_in_memory))
        ->type_name("N");
}

void add_forget(CLI::App* command, ForgetArgument& argument) {
  add_option(
      command, "--forget", argument.policy,
      "what goes first where a memory is full, and what has decayed away goes as well; with none a full\n"
      "memory refuses what is new. Half of the bytes are then for what is learnt")
      ->check(one_of(names_in(core::forgetting_policies)));
}

}  // namespace engram::experiments
