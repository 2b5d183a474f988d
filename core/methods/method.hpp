// SPDX-License-Identifier: MIT
// Retrieval methods: algorithms that score the concepts and statements of a memory for a question. This header has the
// list of methods, and a method with its options set. Specs, the command line, the protocol and the pages use only this
// header.
#pragma once

#include <concepts>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/methods/options.hpp"
#include "core/methods/recall.hpp"

namespace engram::core {

class Explainer;
/// Owner of an explainer (core/methods/explanation.hpp), or null if a recall cannot be explained.
using ExplainerPtr = std::unique_ptr<const Explainer>;

/// Base class of retrieval algorithms. A retriever compares the cue with the memory (similarity), turns similarities
/// into weights (separation), and turns weights into scores (projection), once or in iterations. Options of a method
/// are data members of its class; their initial values are the defaults.
/// Source  Millidge et al. 2022, "Universal Hopfield Networks"
class Retriever {
 public:
  virtual ~Retriever() = default;

  /// Checks the options against each other after they are assigned.  Errors  OptionError
  virtual void check() const {}
  /// Scores all concepts and statements of the memory for a cue. ConfiguredMethod calls it, and itself handles empty
  /// memories and empty cues.
  virtual Recall recall(const MemoryIndex& memory, const Cue& cue) const = 0;
  /// Returns an explainer of a recall by this retriever, or null if its scores are not sums of parts.
  virtual ExplainerPtr explain(const MemoryIndex& memory, const Cue& cue, const Recall& recall) const;
};

/// Which concepts and statements get a score above 0.
enum class Support : std::uint8_t {
  dense,   // all items with evidence
  sparse,  // only items that the cue reaches or that win
  by_map,  // depends on the option `map`: dense with softmax, sparse with the others
};

/// Properties of a retrieval method that users need to choose one.
struct MethodTraits {
  Support support = Support::dense;
  bool is_local = false;      // a recall reads only what the cue reaches, otherwise the whole memory
  bool has_energy = false;    // recalls report energies
  bool only_by_name = false;  // untrained, or a variant of another method: runs over all methods leave it out
  std::string no_sum = "its scores are no sums of parts";  // explanation of recalls without an explainer
};

/// Retrieval method as a row of the list of methods: its properties, names and options. Use ConfiguredMethod to recall
/// with it.
struct Method : MethodTraits {
  std::string name, family, summary;
  std::vector<Option> options;
  /// Creates a retriever and sets its options. `complete` must have a checked value for every option.
  /// Errors  OptionError if options exclude each other
  std::function<std::shared_ptr<const Retriever>(const Options& complete)> make;

  /// Whether the method has an option that names a file, such as vectors or a trained model.
  bool reads_file() const;
  /// Whether the method has an option to read the link weights of the memory's learner (MemoryOptions::learning) in
  /// place of weights from evidence counts.
  bool reads_learner() const;
};

/// Defines a method from its retriever and its option table, which must outlive the method.
template <std::derived_from<Retriever> R>
Method make_method(std::string name, std::string family, std::string summary,
                   std::span<const OptionSpec> table, MethodTraits traits = {}, const R& defaults = {}) {
  return {std::move(traits),
          std::move(name),
          std::move(family),
          std::move(summary),
          with_defaults(table, defaults),
          [table, defaults](const Options& complete) -> std::shared_ptr<const Retriever> {
            auto retriever = std::make_shared<R>(defaults);
            assign_options(table, complete, *retriever);
            retriever->check();
            return retriever;
          }};
}

/// Name of the method that recalls and reasoners use if the user names none.
/// Source   experiment `answering`: of the allocators it gives most whole proofs on WordNet and real kinship
inline constexpr std::string_view default_method = "proof_attention";

/// All methods, in the order of tables: first this library's methods, then added ones.
const std::deque<Method>& methods();
/// Returns the method of this name, or null. `path_attention` is an earlier name of proof_attention.
const Method* find_method(std::string_view name);
/// Returns the method of this name. Use find_method for names from users that need another message.
/// Errors   std::invalid_argument for an unknown name, with a similar one as suggestion
const Method& method_named(std::string_view name);

/// Adds a method. Call it before other threads use methods.
/// Errors   std::invalid_argument if a method of that name exists
const Method& add_method(Method method);

/// Retrieval method with its options parsed and checked, ready to recall. Copies are cheap and share the retriever.
/// Several threads may recall at once. The Method must outlive it; methods in the list live until the program ends.
class ConfiguredMethod {
 public:
  /// Configures `method` with the options `given`; other options have their defaults.  Errors  OptionError
  explicit ConfiguredMethod(const Method& method, const Options& given = {});
  explicit ConfiguredMethod(Method&& method, const Options& given = {}) = delete;  // it would dangle
  /// Configures the method of this name with the options `given`.
  /// Errors  OptionError; std::invalid_argument for an unknown name
  explicit ConfiguredMethod(std::string_view name, const Options& given = {})
      : ConfiguredMethod(method_named(name), given) {}

  const Method& method() const { return *method_; }
  const std::string& name() const { return method_->name; }
  /// The value of every option, whether given or default.
  const Options& options() const { return options_; }
  bool operator==(const ConfiguredMethod& other) const {
    return method_ == other.method_ && options_ == other.options_;
  }

  /// Scores the concepts and statements for a cue. All scores are 0 if the cue or the memory is empty, or if all
  /// evidence is forgotten.
  /// Errors   WorkStopped; OptionError if the memory has no learnt links or if a file of vectors cannot be read;
  ///          std::invalid_argument for a cue of another size
  Recall recall(const MemoryIndex& memory, const Cue& cue) const;
  /// Explains the scores of a recall by this method. The explainer refers to all three arguments. If the scores are not
  /// sums, each explanation has a note that says why.
  ExplainerPtr explain(const MemoryIndex& memory, const Cue& cue, const Recall& recall) const;

 private:
  const Method* method_;
  Options options_;
  std::shared_ptr<const Retriever> retriever_;
};

}  // namespace engram::core
