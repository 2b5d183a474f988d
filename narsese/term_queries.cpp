// SPDX-License-Identifier: MIT
#include "narsese/term_queries.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace engram::narsese {
namespace {

constexpr std::size_t max_orders = 120;                 // all orders of five similar components; chosen
constexpr std::size_t max_work = std::size_t{1} << 18;  // visits of nodes; chosen: some milliseconds

// A variable by its current kind and number.
using Name = std::pair<VariableKind, std::int64_t>;
using Colours = std::vector<std::uint64_t>;  // of the variables; equal colours are not distinguished yet

class Numbering {
 public:
  explicit Numbering(Term term) {
    add(term);
    find_ties();
  }

  // The variables in the order of their new numbers.
  std::vector<std::size_t> order() {
    if (const auto orders = count_orders(); orders && *orders > 1) {
      try_all_orders();
    } else {
      if (!orders) tell_apart();
      best_ = visit();
    }
    std::vector<std::size_t> first_visits;
    for (const std::size_t v : best_)
      if (std::ranges::find(first_visits, v) == first_visits.end()) first_visits.push_back(v);
    return first_visits;
  }

  const std::vector<Name>& variables() const { return variables_; }

 private:
  // Node of the expanded tree. Children of commutative nodes are sorted by shape.
  struct Node {
    Term term;
    std::vector<std::size_t> children;  // only for terms with variables
    std::size_t variable = 0;           // index of a variable
    std::size_t rank = 0;               // rank of a term without variables among those of this tree
  };

  std::size_t add(Term term) {
    const std::size_t id = nodes_.size();
    nodes_.push_back({term, {}, 0, 0});
    if (term.kind() == TermKind::variable) {
      const Name name{term.variable_kind(), term.number()};
      const auto known = std::ranges::find(variables_, name);
      nodes_[id].variable = static_cast<std::size_t>(known - variables_.begin());
      if (known == variables_.end()) variables_.push_back(name);
      return id;
    }
    if (!term.has_variables()) return id;
    std::vector<std::size_t> children;
    for (const Term component : term.components()) children.push_back(add(component));
    if (is_commutative(term.label()))
      std::ranges::stable_sort(children,
                               [&](std::size_t x, std::size_t y) { return compare_shapes(x, y) < 0; });
    nodes_[id].children = std::move(children);
    return id;
  }

  // Total order that ignores the names of variables: all variables of a kind are equal.
  std::strong_ordering compare_shapes(std::size_t x, std::size_t y) const {
    const Term a = nodes_[x].term, b = nodes_[y].term;
    if (const auto c = a.has_variables() <=> b.has_variables(); c != 0) return c;
    if (!a.has_variables()) return compare(a, b);
    if (const auto c = a.kind() <=> b.kind(); c != 0) return c;
    if (a.kind() == TermKind::variable) return a.variable_kind() <=> b.variable_kind();
    if (a.kind() == TermKind::statement) {
      if (const auto c = a.copula() <=> b.copula(); c != 0) return c;
    } else {
      if (const auto c = a.connector() <=> b.connector(); c != 0) return c;
      if (const auto c = a.image_position() <=> b.image_position(); c != 0) return c;
    }
    const auto& left = nodes_[x].children;
    const auto& right = nodes_[y].children;
    if (const auto c = left.size() <=> right.size(); c != 0) return c;
    for (std::size_t i = 0; i < left.size(); ++i)
      if (const auto c = compare_shapes(left[i], right[i]); c != 0) return c;
    return std::strong_ordering::equal;
  }

  // Children of a commutative node with equal shapes; their order is undecided.
  struct Tie {
    std::size_t node, from, to;
  };

  void find_ties() {
    for (std::size_t id = 0; id < nodes_.size(); ++id) {
      const auto& children = nodes_[id].children;
      if (!is_commutative(nodes_[id].term.label())) continue;
      for (std::size_t from = 0, to = 0; from < children.size(); from = to) {
        for (to = from + 1; to < children.size() && compare_shapes(children[from], children[to]) == 0;) ++to;
        if (to - from > 1) ties_.push_back({id, from, to});
      }
    }
  }

  // Calls visit(first, last) for the children of each tie.
  template <class Visit>
  void for_each_tie(Visit visit) {
    for (const Tie& tie : ties_) {
      const auto begin = nodes_[tie.node].children.begin();
      visit(begin + static_cast<std::ptrdiff_t>(tie.from), begin + static_cast<std::ptrdiff_t>(tie.to));
    }
  }

  // Number of orders of all ties; nothing above max_orders.
  std::optional<std::size_t> count_orders() {
    std::size_t count = 1;
    for_each_tie([&](auto first, auto last) {
      for (auto n = static_cast<std::size_t>(last - first); n > 1; --n)
        count = std::min(count * n, max_orders + 1);
    });
    return count <= max_orders ? std::optional(count) : std::nullopt;
  }

  // Tries all combinations of orders and keeps the least reading.
  void try_all_orders() {
    best_ = visit();
    best_key_ = numbers(best_);
    for (bool more = true; more;) {
      more = false;
      for_each_tie([&](auto first, auto last) {
        // Children are numbered in the order of their creation, so each run starts sorted. next_permutation() returns
        // false when a run wraps around, and then the next run advances.
        if (!more) more = std::next_permutation(first, last);
      });
      if (!more) break;
      auto reading = visit();
      auto key = numbers(reading);
      if (key < best_key_) {
        best_key_ = std::move(key);
        best_ = std::move(reading);
      }
    }
  }

  // The variables in the order of their visits from the left.
  std::vector<std::size_t> visit() const {
    std::vector<std::size_t> met;
    visit(0, met);
    return met;
  }
  void visit(std::size_t id, std::vector<std::size_t>& met) const {
    const Node& node = nodes_[id];
    if (node.term.kind() == TermKind::variable) met.push_back(node.variable);
    for (const std::size_t child : node.children) visit(child, met);
  }

  // The numbers that a reading assigns.
  std::vector<std::size_t> numbers(const std::vector<std::size_t>& met) const {
    std::vector<std::size_t> number(variables_.size(), 0), key;
    std::array<std::size_t, 3> next{1, 1, 1};
    for (const std::size_t v : met) {
      if (number[v] == 0) number[v] = next[static_cast<std::size_t>(variables_[v].first)]++;
      key.push_back(number[v]);
    }
    return key;
  }

  // --- colour refinement, for terms with too many orders

  // Orders tied children by the hashes of their subterms, after the variables were distinguished as far as possible.
  void tell_apart() {
    rank_constants();
    Colours colours;
    for (const Name& variable : variables_)
      colours.push_back(mix(static_cast<std::uint64_t>(variable.first) + 1));
    search(std::move(colours));
    for_each_tie([&](auto first, auto last) {
      std::stable_sort(first, last,
                       [&](std::size_t a, std::size_t b) { return final_hashes_[a] < final_hashes_[b]; });
    });
  }

  // Ranks terms without variables by their order, because their hashes differ between runs.
  void rank_constants() {
    std::vector<Term> constants;
    for (const Node& node : nodes_)
      if (!node.term.has_variables()) constants.push_back(node.term);
    const auto before = [](Term a, Term b) { return compare(a, b) < 0; };
    std::ranges::sort(constants, before);
    for (Node& node : nodes_)
      if (!node.term.has_variables())
        node.rank = static_cast<std::size_t>(std::ranges::lower_bound(constants, node.term, before) -
                                             constants.begin());
  }

  // Refines the colours. If two variables keep one colour, singles out each variable of that colour in turn and keeps
  // the least outcome. Returns the level to backtrack to: an outcome met before proves that the variables at which
  // the two search paths part are equivalent (McKay 1981).
  std::size_t search(Colours colours) {
    refine(colours);
    Colours sorted = colours;
    std::ranges::sort(sorted);
    const auto twin = std::ranges::adjacent_find(sorted);
    const std::size_t level = singled_out_.size();
    if (twin == sorted.end()) {
      auto hashes = below(colours);
      sorted.push_back(hashes[0]);
      if (sorted == least_)
        return static_cast<std::size_t>(std::ranges::mismatch(singled_out_, least_way_).in1 -
                                        singled_out_.begin());
      if (least_.empty() || sorted < least_) {
        least_ = std::move(sorted);
        least_way_ = singled_out_;
        final_hashes_ = std::move(hashes);
      }
      return level;
    }
    bool first = true;
    for (std::size_t v = 0; v < colours.size(); ++v) {
      if (colours[v] != *twin || (!first && work_ > max_work)) continue;
      first = false;
      Colours singled = colours;
      singled[v] = mix(singled[v]);
      singled_out_.push_back(v);
      const std::size_t back = search(std::move(singled));
      singled_out_.pop_back();
      if (back < level) return back;
    }
    return level;
  }

  // A variable's next colour depends on its positions. Repeats until no more colours differ.
  void refine(Colours& colours) {
    std::size_t classes = 0;
    for (;;) {
      Colours sorted = colours;
      std::ranges::sort(sorted);
      const auto found = static_cast<std::size_t>(std::unique(sorted.begin(), sorted.end()) - sorted.begin());
      if (found <= classes || found == colours.size()) return;
      classes = found;
      const auto hashes = below(colours);
      std::vector<std::uint64_t> around(nodes_.size());
      Colours next = colours;
      for (std::size_t id = 0; id < nodes_.size(); ++id) {  // parents precede their children
        const Node& node = nodes_[id];
        if (node.term.kind() == TermKind::variable) next[node.variable] += mix(around[id]);
        const bool ordered = !is_commutative(node.term.label());
        for (std::size_t k = 0; k < node.children.size(); ++k)
          around[node.children[k]] = hash_combine(hash_combine(around[id], hashes[id]), ordered ? k + 1 : 0);
      }
      for (std::size_t v = 0; v < colours.size(); ++v) colours[v] = hash_combine(colours[v], next[v]);
    }
  }

  // Hashes of the subterms, given the colours of the variables.
  std::vector<std::uint64_t> below(const Colours& colours) {
    work_ += nodes_.size();
    std::vector<std::uint64_t> hashes(nodes_.size());
    for (std::size_t id = nodes_.size(); id-- > 0;) {
      const Node& node = nodes_[id];
      if (node.children.empty()) {
        hashes[id] = node.term.kind() == TermKind::variable ? mix(colours[node.variable]) : node.rank;
        continue;
      }
      const bool statement = node.term.kind() == TermKind::statement;
      hashes[id] = statement ? 100 + static_cast<std::uint64_t>(node.term.copula())
                             : static_cast<std::uint64_t>(node.term.connector());
      hashes[id] = hash_combine(hashes[id], node.term.image_position());
      std::uint64_t sum = 0;
      for (const std::size_t child : node.children) {
        sum += mix(hashes[child]);
        if (!is_commutative(node.term.label())) hashes[id] = hash_combine(hashes[id], hashes[child]);
      }
      hashes[id] = hash_combine(hashes[id], sum);
    }
    return hashes;
  }

  std::vector<Node> nodes_;
  std::vector<Tie> ties_;
  std::vector<Name> variables_;
  std::vector<std::size_t> best_, best_key_;
  std::vector<std::size_t> singled_out_, least_way_;
  Colours least_;  // sorted colours and the hash of the whole term
  std::vector<std::uint64_t> final_hashes_;
  std::size_t work_ = 0;
};

}  // namespace

Term number_variables(TermTable& table, Term term) {
  if (!term.has_variables()) return term;
  Numbering numbering(term);
  std::vector<std::pair<Name, std::int64_t>> numbers;
  std::array<std::int64_t, 3> next{1, 1, 1};
  for (const std::size_t v : numbering.order()) {
    const Name name = numbering.variables()[v];
    numbers.emplace_back(name, next[static_cast<std::size_t>(name.first)]++);
  }
  return with_leaves(table, term, [&](Term leaf) {
    if (leaf.kind() != TermKind::variable) return leaf;
    const Name name{leaf.variable_kind(), leaf.number()};
    const auto entry = std::ranges::find(numbers, name, &std::pair<Name, std::int64_t>::first);
    return table.variable(name.first, entry->second);
  });
}

}  // namespace engram::narsese
