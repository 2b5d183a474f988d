// SPDX-License-Identifier: MIT
// The retrieval methods by name, with their options: what specs, the command line and the protocol offer.
#pragma once

#include <map>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/retrieval/retriever.hpp"

namespace engram::core {

using OptionValue = std::variant<double, std::string>;
using Options = std::map<std::string, OptionValue>;

/// One option: a number within [least, most], or one of `choices`, or a text.
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

struct Method {
  std::string name, family, summary;
  std::vector<OptionFacts> options;
  AnyRetriever (*make)(const Options& complete);
  // Throws OptionError where options that are right one by one do not go together.
  void (*check)(const Options& complete) = nullptr;
};

/// An option that a method does not have, or a value outside its range.
struct OptionError : std::invalid_argument {
  OptionError(std::string option_name, const std::string& message)
      : std::invalid_argument(message), option(std::move(option_name)) {}
  std::string option;
};

/// All methods, in the order in which tables show them.
std::span<const Method> methods();
const Method* find_method(std::string_view name);

/// The method's options with defaults filled in.  Errors  OptionError
Options complete_options(const Method& method, const Options& given);
/// Errors  OptionError; the retriever, too, where what an option names (a file) turns out to be wrong
AnyRetriever make_retriever(const Method& method, const Options& given = {});

/// One method's retriever by its own type, for what asks it for more than a recall.
struct BidirectionalSpreadingRetriever;
BidirectionalSpreadingRetriever bidirectional_spreading(const Options& complete);

/// The candidate that differs from `name` by the fewest letters inserted, dropped or changed; empty if all
/// differ by more than half of the name.
std::string nearest_name(std::string_view name, std::span<const std::string> candidates);

}  // namespace engram::core
