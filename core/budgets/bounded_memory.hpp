// SPDX-License-Identifier: MIT
// Which concepts a memory keeps that has no room for all: Engram's budgets, caches' rules, how NARS systems
// do it, and the optimum that knows the future.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace engram::core {

/// Holds some concepts, which are told apart by numbers, and sees episodes in their order: each activates
/// different concepts. What is activated may be kept or not, whoever it is: at most `capacity` are held after
/// each episode. Equal ones are kept by the lower number.
/// Errors  std::invalid_argument from what makes one, where capacity < 1 or an option is out of range
class BoundedMemory {
 public:
  using Id = std::uint32_t;

  virtual ~BoundedMemory() = default;
  /// Whether it is in the memory now.
  virtual bool holds(Id id) const = 0;
  /// The concepts of one episode, ascending.
  virtual void experience(std::span<const Id> active) = 0;
};

/// A budget of attention as the worth of a concept. After each episode
///   b_i     <- d b_i + [i is active]     durability d: experience that fades
///   s_i     = mean over active a of F_ai / (n_a + 1)
///   worth_i = (1 - d) b_i + association s_i
/// and the concepts of most worth are held. n_a is how often a was active; F_ai how often i came up to `lag`
/// episodes behind it, k behind it counting 1/k: asymmetric Hebbian links, so that what usually follows is
/// kept although it was not used for long. Normalised, exp(worth) is a budget: what faded experience gives as
/// prior, times exp(relevance to what is active now). Of forgotten concepts the numbers stay of the `ghosts`
/// times capacity that are worth most.
/// Ranges  d in (0, 1), association >= 0, lag >= 1, ghosts >= 0
/// Cost    of an episode O(k log k) for k known concepts
struct BudgetRule {
  double durability = 0.98;
  double association = 1;
  int lag = 3;
  double ghosts = 4;
};
std::unique_ptr<BoundedMemory> keep_by_budget(std::size_t capacity, const BudgetRule& rule = {});

/// The rule among several whose own memory, seen from the start, would have known most of what came up, hits
/// fading by `fade` with each episode; its worths decide who is held. So nothing has to be chosen beforehand.
std::unique_ptr<BoundedMemory> keep_by_best_budget(std::size_t capacity, const std::vector<BudgetRule>& rules,
                                                   double fade = 0.99);

/// The least recently used leaves; of one episode's concepts that with the highest number.
std::unique_ptr<BoundedMemory> keep_recent(std::size_t capacity);
/// The least frequently used leaves, and its count with it; of equal ones the least recently used.
std::unique_ptr<BoundedMemory> keep_frequent(std::size_t capacity);
/// Any but the concepts of the episode leaves, with equal chances.
std::unique_ptr<BoundedMemory> keep_at_random(std::size_t capacity, std::uint64_t seed);
/// ARC: lists of what was used once and repeatedly, their sizes moved by hits among as many forgotten ones.
/// The concepts of an episode are used one after another.
/// Source  Megiddo and Modha 2003, "ARC: A Self-Tuning, Low Overhead Replacement Cache"
std::unique_ptr<BoundedMemory> keep_adaptively(std::size_t capacity);
/// ONA's concepts by their usefulness (core/budgets/ona_control.hpp), each active one an event of priority 1.
std::unique_ptr<BoundedMemory> keep_useful(std::size_t capacity);
/// OpenNARS's bag of concepts (core/budgets/level_bag.hpp) on 100 levels: active ones are activated with
/// (0.8, 0.5, 0.5), then one concept is taken out, and put back after forgetting.
std::unique_ptr<BoundedMemory> keep_in_bag(std::size_t capacity);
/// The same by PyNARS's rules: its levels, its activation by a link with that budget, its forgetting.
std::unique_ptr<BoundedMemory> keep_in_pynars_bag(std::size_t capacity);
/// Belady's optimum: who is needed last leaves. Nothing that does not know the future can do better.
/// episodes  those that will be experienced, in their order
/// Source  Belady 1966, with the right to keep nothing of what is new
std::unique_ptr<BoundedMemory> keep_needed(std::size_t capacity,
                                           std::span<const std::vector<BoundedMemory::Id>> episodes);

}  // namespace engram::core
