// SPDX-License-Identifier: MIT
#include "experiments/commands/attach_options.hpp"

#include <algorithm>
#include <cerrno>
#include <iostream>
#include <string_view>
#include <system_error>

#include "experiments/formats/files.hpp"

namespace engram::experiments {

bridge::LiveReasonerOptions NarsArguments::reasoner_options() const {
  bridge::LiveReasonerOptions options = reasoner;
  options.system = bridge::find_nars_system(system);
  options.renames = names == "short";
  const bool embedded = options.system->embedded != nullptr;
  if (!embedded && options.command.empty())
    throw InputError("expected the command of the NARS after --, such as -- ./NAR shell, or --system engram");
  if (embedded && !options.command.empty())
    throw InputError("--system engram is part of this program: expected no command after --, found " +
                     options.command.front());
  return options;
}

void NarsArguments::require_writable_files() const {
  for (const std::string* file : {&summary, &report})
    if (!file->empty()) require_writable(*file);
}

void add_nars(CLI::App* command, NarsArguments& arguments, const std::string& learn_default,
              const std::string& summary) {
  std::vector<std::string>& words = arguments.reasoner.command;
  add_option(command, "command", words,
             "after --: the NARS, a program and its arguments, without a shell (--system engram needs none)",
             TypeName{program_type});
  command
      ->add_option_function<std::vector<std::string>>(
          "--command",
          [&words](const std::vector<std::string>& more) {
            words.insert(words.end(), more.begin(), more.end());
          },
          "a word after --, see words_for_parser()")
      ->take_all()
      ->allow_extra_args(false)
      ->group("");
  std::vector<std::string> systems;
  for (const auto& system : bridge::nars_systems()) systems.emplace_back(system.name);
  add_option(command, "--system,--dialect", arguments.system,
             "the NARS: ona, opennars, pynars, nar_json or navm; or engram, the built-in reasoner",
             one_of(systems));
  add_option(
      command, "--names", arguments.names,
      "names that the NARS does not support. short: send replacements, and restore the names in the output;\n"
      "keep: reject such sentences",
      one_of({"short", "keep"}));
  add_option(
      command, "--learn", arguments.learning,
      "what the memory learns from the NARS: nothing; answers, which reinforce the links of their premises;\n"
      "all, which also stores inferences as statements" +
          learn_default,
      one_of({"nothing", "answers", "all"}));
  add_option(command, "--log", arguments.log, "write a transcript for `engram replay`", is_file);
  add_option(command, "--summary", arguments.summary, summary, is_file);
  add_option(command, "--report", arguments.report, "write an HTML page about the session", is_file);
  add_option(command, "--patience", arguments.reasoner.patience,
             "milliseconds for one line of input, after which the NARS counts as hanging");
  add_option(command, "--settling", arguments.reasoner.settling,
             "milliseconds that OpenNARS runs instead of a number of cycles");
  add_option(command, "--max-restarts", arguments.reasoner.max_restarts,
             "consecutive restarts of a failing NARS before the session ends", in_range(0, 100));
  add_option(command, "--back-off", arguments.reasoner.back_off,
             "milliseconds before the first restart; each consecutive restart waits twice as long");
  add_memory_limits(command, arguments.memory, "the memory and a recall");
  add_forget(command, arguments.forget);
}

std::vector<const char*> words_for_parser(int argc, char** argv) {
  std::vector<const char*> words(argv, argv + argc);
  const auto as_text = [](const char* word) { return std::string_view(word); };
  if (argc < 2 || (as_text(words[1]) != "attach" && as_text(words[1]) != "stream")) return words;
  const auto mark = std::ranges::find(words, "--", as_text);
  std::vector<const char*> command;
  for (auto word = mark; word != words.end(); ++word)
    if (word != mark) command.insert(command.end(), {"--command", *word});
  words.erase(mark, words.end());

  const auto is = [&](const char* word, std::string_view option) {
    return as_text(word) == option || as_text(word).starts_with(std::string(option) + '=');
  };
  const auto stream = std::ranges::find_if(words, [&](const char* word) { return is(word, "--stream"); });
  const bool to_socket = std::ranges::any_of(words, [&](const char* word) { return is(word, "--unix"); });
  if (as_text(words[1]) == "attach" && (stream != words.end() || to_socket)) {
    std::cerr
        << "engram: note: `engram attach --stream` is now `engram stream`; the next version rejects the old "
           "spelling\n";
    words[1] = "stream";
    if (stream != words.end()) {
      constexpr std::string_view with_value = "--stream=";
      const auto next = stream + 1;
      const char* file = nullptr;
      auto last = next;
      if (as_text(*stream).starts_with(with_value)) {
        file = *stream + with_value.size();
      } else if (next != words.end() && (as_text(*next) == "-" || !as_text(*next).starts_with("-"))) {
        file = *next;
        ++last;
      }
      words.erase(stream, last);
      if (file != nullptr) words.insert(words.begin() + 2, file);
    }
  }
  words.insert(words.end(), command.begin(), command.end());
  return words;
}

std::string start_failure(const bridge::CannotStart& error) {
  return std::string(error.what()) +
         "\n  the command after -- starts the NARS, such as -- ./NAR shell: a path or a name on PATH, then "
         "its arguments";
}

SessionLog::SessionLog(const std::string& name, const bridge::SessionStart& start) : name_(name) {
  if (name.empty()) return;
  file_.open(name, std::ios::binary);
  write(bridge::to_json(start));
}

void SessionLog::write(const std::string& line) {
  if (name_.empty()) return;
  file_ << line << '\n' << std::flush;
  if (!file_) throw std::system_error(errno != 0 ? errno : EIO, std::generic_category(), name_);
}

}  // namespace engram::experiments
