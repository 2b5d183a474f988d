// SPDX-License-Identifier: MIT
// Interactive shell: a conversation with Engram's own reasoner in the language of ONA's shell.
#pragma once

#include <cstdint>
#include <istream>
#include <memory>
#include <optional>
#include <ostream>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/methods/method.hpp"
#include "experiments/shell/mind.hpp"
#include "experiments/shell/ona_lines.hpp"
#include "narsese/parse_error.hpp"

namespace engram::experiments {

struct ShellOptions {
  core::ConfiguredMethod method{core::default_method};
  std::uint64_t steps = 2000;      // inference steps for a question
  core::MemoryLimits limits = {};  // of the memory; the reasoner may use the same number of bytes again
};

/// Reads lines of ONA's shell and prints lines as ONA does. Each printed line begins with `Input:`, `Derived:`,
/// `Revised:` or `Answer:`, or reports an execution: `^op executed with args`. Eternal sentences go to the reasoner,
/// sentences with a tense to the agent (mind.hpp).
///
/// An empty line runs one cycle, and a number runs that many cycles. A sentence other than a question also runs a
/// cycle. For an eternal question the reasoner executes ShellOptions::steps steps, in the order that the method
/// decides. Errors are printed on `err` as `engram: NAME:LINE:COLUMN: error: ..`; the shell then reads the next line.
class Shell {
 public:
  static constexpr std::size_t most_line_bytes = narsese::ParseLimits{}.max_line_bytes;

  Shell(ShellOptions options, std::ostream& out, std::ostream& err);
  Shell(const Shell&) = delete;

  /// Executes a line that a person or a pipe has entered.
  /// Returns  false after `quit`
  /// Errors   core::WorkStopped if the user interrupts it
  bool line(std::string_view text);
  /// Executes the lines of a stream up to its end or a line `quit`. Error messages contain `name`.
  /// Returns  false after `quit`
  bool read(std::istream& in, const std::string& name);
  /// Number of lines with errors.
  std::size_t errors() const { return errors_; }
  /// Returns the completions of `word`, which follows `before` in a line: commands, methods, files, and names in the
  /// memory.
  std::vector<std::string> completions(std::string_view before, std::string_view word);

 private:
  struct Command;
  static const std::vector<Command>& commands();

  void command(std::string_view text);
  void set_volume(std::string_view value);
  void use_method(std::string_view value);
  void load(std::string_view value);
  void save(std::string_view value);
  void print_help(std::string_view value);
  void print_concepts(std::string_view value);
  void print_statistics(std::string_view value);
  void print_proof(std::string_view value);
  void print_operators(std::string_view value);
  void query(std::string_view value);
  void be_concurrent(std::string_view value);
  void reset(std::string_view value);
  void act(std::string_view text);

  std::unique_ptr<Mind> new_mind();
  core::AttentionLoop::Scorer scores() const;
  bool sentence(std::string_view text);
  std::optional<std::string> tell_agent(narsese::Sentence sentence);
  void ask(std::string_view text, const narsese::Sentence& question, std::optional<double> above);
  void answer(const ShellAnswer& answer);
  void hear(const core::ReasonerEvent& event);
  void hear(const core::AgentEvent& event);
  void remember_input(const narsese::Sentence& sentence, OnaLines::Stamp stamp);
  void print(std::string_view heading, const narsese::Sentence& sentence, double priority,
             OnaLines::Stamp stamp);
  void error(const std::string& message, std::size_t column = 1);
  void note(const std::string& message);

  ShellOptions options_;
  std::ostream& out_;
  std::ostream& err_;
  std::string place_ = "stdin";  // name of the source of the current line
  std::size_t line_ = 0;
  std::size_t errors_ = 0, open_files_ = 0;
  core::AgentOptions acting_;
  double threshold_ = 0;  // conclusions are printed if their priority is larger
  std::set<std::string, std::less<>> noted_;
  OnaLines lines_;
  bool answered_ = false;        // whether the current question has been answered
  std::optional<double> above_;  // print all answers above this expectation; nothing: only the best

  // State of the conversation. The command *reset replaces all members below.
  std::unique_ptr<Mind> mind_;
  std::vector<std::string> told_;  // lines that *save writes
  std::unordered_map<core::InputNumber, core::ProofLine> inputs_;
  std::optional<core::ProvenAnswer> proof_;  // proof of the last answer
  std::int64_t late_ = 0;                    // delay of the next event in cycles, set by *concurrent
};

}  // namespace engram::experiments
