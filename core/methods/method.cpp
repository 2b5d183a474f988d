// SPDX-License-Identifier: MIT
#include "core/methods/method.hpp"

#include <algorithm>
#include <stdexcept>

#include "core/methods/explanation.hpp"
#include "narsese/similar_names.hpp"

namespace engram::core {

// One line for each method. METHOD(name) refers to the function name_method() in the folder of the method's family.
#define ENGRAM_METHODS(METHOD)    \
  METHOD(attention)               \
  METHOD(entmax_attention)        \
  METHOD(sparsemax_attention)     \
  METHOD(argmax_attention)        \
  METHOD(local_attention)         \
  METHOD(proof_attention)         \
  METHOD(concept_attention)       \
  METHOD(local_concept_attention) \
  METHOD(continuous_attention)    \
  METHOD(hopfield)                \
  METHOD(graph_spins)             \
  METHOD(dense_memory)            \
  METHOD(modern_hopfield)         \
  METHOD(trained_hopfield)        \
  METHOD(pagerank)                \
  METHOD(local_pagerank)          \
  METHOD(spreading_activation)    \
  METHOD(bidirectional_spreading) \
  METHOD(shortest_path)           \
  METHOD(k_hop)                   \
  METHOD(backward_chaining)       \
  METHOD(sine)                    \
  METHOD(mepo)                    \
  METHOD(nearest_questions)       \
  METHOD(ecan)                    \
  METHOD(linear_ecan)             \
  METHOD(local_linear_ecan)       \
  METHOD(cosine)                  \
  METHOD(overlap)                 \
  METHOD(frequency)               \
  METHOD(uniform)

#define DECLARED(name) Method name##_method();
ENGRAM_METHODS(DECLARED)
#undef DECLARED

namespace {

std::deque<Method>& list() {  // a deque, because references to its elements stay valid as it grows
#define LISTED(name) name##_method(),
  static std::deque<Method> all{ENGRAM_METHODS(LISTED)};
#undef LISTED
  return all;
}

}  // namespace

ExplainerPtr Retriever::explain(const MemoryIndex&, const Cue&, const Recall&) const { return nullptr; }

bool Method::reads_file() const {
  return std::ranges::find(options, OptionKind::text, &Option::kind) != options.end();
}

bool Method::reads_learner() const {
  return std::ranges::any_of(options, [](const Option& option) {
    return std::ranges::find(option.choices, "learnt") != option.choices.end();
  });
}

const std::deque<Method>& methods() { return list(); }

const Method* find_method(std::string_view name) {
  if (name == "path_attention") name = default_method;  // the name in earlier versions
  const auto method = std::ranges::find(list(), name, &Method::name);
  return method == list().end() ? nullptr : &*method;
}

const Method& method_named(std::string_view name) {
  if (const Method* method = find_method(name)) return *method;
  std::vector<std::string> names;
  for (const Method& method : list()) names.push_back(method.name);
  const std::string nearest = narsese::nearest_name(name, names);
  throw std::invalid_argument("there is no method '" + std::string(name) + "'" +
                              (nearest.empty() ? "" : " (did you mean '" + nearest + "'?)"));
}

const Method& add_method(Method method) {
  if (find_method(method.name) != nullptr)
    throw std::invalid_argument("there is a method '" + method.name + "' already");
  return list().emplace_back(std::move(method));
}

ConfiguredMethod::ConfiguredMethod(const Method& method, const Options& given)
    : method_(&method),
      options_(complete_options(method.options, given, method.name)),
      retriever_(method.make(options_)) {}

Recall ConfiguredMethod::recall(const MemoryIndex& memory, const Cue& cue) const {
  require_size("cue", cue.activation.size(), memory.concepts());
  if (!(memory.total() > 0) || cue.is_empty()) return no_recall(memory);
  if (method_->is_local) return retriever_->recall(memory, cue);
  const Reservation claim(memory.recall_bytes());
  return retriever_->recall(memory, cue);
}

ExplainerPtr ConfiguredMethod::explain(const MemoryIndex& memory, const Cue& cue,
                                       const Recall& recall) const {
  if (!recall.concepts.any_above_zero() && !recall.statements.any_above_zero())
    return unexplained(recall, "nothing was recalled");
  if (auto explainer = retriever_->explain(memory, cue, recall)) return explainer;
  return unexplained(recall, method_->no_sum);
}

}  // namespace engram::core
