// SPDX-License-Identifier: MIT
// The interactive shell: one conversation with Engram's own reasoner in the language of ONA's shell.
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

#include "core/methods/methods.hpp"
#include "experiments/shell/mind.hpp"
#include "experiments/shell/ona_lines.hpp"
#include "narsese/parse_error.hpp"

namespace engram::experiments {

struct ShellOptions {
  std::string method{core::default_method};
  core::Options method_options = {};  // complete
  std::uint64_t steps = 2000;         // of inference for a question
  core::MemoryLimits limits = {};     // of the memory; as many bytes again are the reasoner's
};

/// Reads lines of ONA's shell and prints lines as ONA does: `Input:`, `Derived:`, `Revised:`, `Answer:` and
/// `^op executed with args`. Eternal sentences go to the reasoner, sentences with a tense to the agent (mind.hpp).
/// An empty line is one cycle, a number that many. Each sentence but a question takes a cycle. An eternal question is
/// thought about for ShellOptions::steps, in an order that the method decides.
/// An error in a line is printed on `err` as `engram: NAME:LINE:COLUMN: error: ..`, and the next line is read.
class Shell {
 public:
  static constexpr std::size_t most_line_bytes = narsese::ParseLimits{}.max_line_bytes;

  Shell(ShellOptions options, std::ostream& out, std::ostream& err);
  Shell(const Shell&) = delete;

  /// Deals with the next line of a person or a pipe.
  /// Returns  false after `quit`
  /// Errors   core::WorkStopped if it is interrupted
  bool line(std::string_view text);
  /// Reads a stream to its end, or to a line `quit`. Messages call it `name`.
  /// Returns  false after `quit`
  bool read(std::istream& in, const std::string& name);
  /// Lines that had an error.
  std::size_t errors() const { return errors_; }
  /// Texts that may stand in the place of `word` behind `before` in a line: commands, methods, files, and names that the
  /// memory has.
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
  bridge::AttentionLoop::Attend scores() const;
  bool sentence(std::string_view text);
  std::optional<std::string> tell_agent(narsese::Sentence sentence);
  void ask(std::string_view text, const narsese::Sentence& question, std::optional<double> above);
  void answer(const ShellAnswer& answer);
  void hear(const bridge::ReasonerEvent& event);
  void hear(const bridge::AgentEvent& event);
  void remember_input(const narsese::Sentence& sentence, OnaLines::Stamp stamp);
  void print(std::string_view heading, const narsese::Sentence& sentence, double priority,
             OnaLines::Stamp stamp);
  void error(const std::string& message, std::size_t column = 1);
  void note(const std::string& message);

  ShellOptions options_;
  std::ostream& out_;
  std::ostream& err_;
  std::string place_ = "stdin";  // of the line that is dealt with
  std::size_t line_ = 0;
  std::size_t errors_ = 0, open_files_ = 0;
  bridge::AgentOptions acting_;
  double threshold_ = 0;  // what is derived is printed if its priority is larger
  std::set<std::string, std::less<>> noted_;
  OnaLines lines_;
  bool answered_ = false;        // the question at hand
  std::optional<double> above_;  // of it: expectation of all answers to print; nothing: the best answer

  // All below is of one conversation, up to *reset.
  std::unique_ptr<Mind> mind_;
  std::vector<std::string> told_;  // lines that *save writes
  std::unordered_map<bridge::InputNumber, bridge::ProofLine> inputs_;
  std::optional<bridge::ProvenAnswer> proof_;  // of the last answer
  std::int64_t late_ = 0;                      // cycles that the next event is late, by *concurrent
};

}  // namespace engram::experiments
