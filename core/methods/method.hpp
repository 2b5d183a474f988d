// SPDX-License-Identifier: MIT
// A retrieval method as a value: its name, its options, what it recalls, and why. Specs, the command line,
// the protocol and the pages read nothing else; core/methods/declaration.hpp makes one of a retriever.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

#include "core/retrieval/retriever.hpp"

namespace engram::core {

class Explainer;
/// Null where a recall has no sum to show.
using AnyExplainer = std::unique_ptr<const Explainer>;

/// A number, or the name of a choice or any other text.
using OptionValue = std::variant<double, std::string>;
/// Values of options, by their names.
using Options = std::map<std::string, OptionValue>;

/// One option: a number within [least, most], or one of `choices`, the default first, or a text.
struct OptionFacts {
  std::string name, meaning;
  OptionValue default_value;
  double least = 0, most = 0;
  bool whole = false;
  std::vector<std::string> choices;
  bool text = false;  // any text

  /// "a number in [1, 100]" or "one of softmax, sparsemax, argmax"
  std::string expected() const;
};

/// Which items get a score above 0.
enum class Support : std::uint8_t {
  dense,   // all that hold evidence
  sparse,  // what the cue reaches, or what wins
  by_map,  // as the option `map` has it: dense with softmax, sparse with the others
};

/// A retrieval method as one value: what it is called, what it promises, its options, and how it recalls.
struct Method {
  std::string name, family, summary;
  Support support = Support::dense;
  bool is_local = false;      // whether a recall costs what it reaches alone; else that of the whole memory
  bool has_energy = false;    // whether recalls tell it
  bool only_by_name = false;  // untrained, or a twin of another: a run that takes all methods leaves it out
  std::vector<OptionFacts> options;

  // Of options that are complete:
  std::function<void(const Options& complete)> check;  // throws OptionError where they do not go together
  std::function<AnyRetriever(const Options& complete)> retriever;
  std::function<AnyExplainer(const Options& complete, const MemoryIndex& readings, const Cue& cue,
                             const Recall& recall)>
      explainer;

  /// Whether an option names a file.
  bool reads_file() const;
  /// Whether an option asks for what a memory's own rule has learnt.
  bool reads_learner() const;
};

/// An option that a method does not have, or a value outside its range.
struct OptionError : std::invalid_argument {
  OptionError(std::string option_name, const std::string& message)
      : std::invalid_argument(message), option(std::move(option_name)) {}
  std::string option;
};

/// The method's options with defaults filled in.  Errors  OptionError
Options complete_options(const Method& method, const Options& given);
/// Errors  OptionError; the retriever, too, where what an option names (a file) turns out to be wrong
AnyRetriever make_retriever(const Method& method, const Options& given = {});

}  // namespace engram::core
