// SPDX-License-Identifier: MIT
#include "core/methods/methods.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace engram::core {

// A line each. METHOD(name) is in the file of that name; the maps of attention are all in attention.cpp, local_x in
// x.cpp where there is no file of its own.
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

std::deque<Method>& list() {  // which grows without moving what is in it
#define LISTED(name) name##_method(),
  static std::deque<Method> all{ENGRAM_METHODS(LISTED)};
#undef LISTED
  return all;
}

}  // namespace

const std::deque<Method>& methods() { return list(); }

const Method* find_method(std::string_view name) {
  if (name == "path_attention") name = default_method;  // its name in earlier versions
  const auto method = std::ranges::find(list(), name, &Method::name);
  return method == list().end() ? nullptr : &*method;
}

const Method& add_method(Method method) {
  if (find_method(method.name) != nullptr)
    throw std::invalid_argument("there is a method '" + method.name + "' already");
  return list().emplace_back(std::move(method));
}

}  // namespace engram::core
