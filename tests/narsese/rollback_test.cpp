// SPDX-License-Identifier: MIT
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "narsese/nal_reader.hpp"
#include "narsese/printer.hpp"
#include "narsese/term.hpp"
#include "tests/narsese/random_term.hpp"
#include "tests/support/catch.hpp"

using namespace engram::narsese;
using engram::narsese::testing::Random;
using engram::narsese::testing::RandomTerms;
using engram::narsese::testing::TermShape;

namespace {

// Interns `count` new names.
void make_names(TermTable& table, std::size_t count) {
  static std::size_t made = 0;
  for (std::size_t i = 0; i < count; ++i) table.atom("fresh" + std::to_string(made++));
}

}  // namespace

TEST_CASE("a hash index finds exactly the ids that were not erased", "[narsese][hash_index]") {
  // Hashes with few bits fill a few buckets, which then overflow.
  for (const std::uint64_t hash_mask :
       {std::uint64_t{0}, std::uint64_t{3}, std::uint64_t{63}, ~std::uint64_t{0}}) {
    Random random(hash_mask + 17);
    HashIndex index;
    std::map<std::uint32_t, std::uint64_t> oracle;  // id -> item
    const auto hash_of = [&](std::uint64_t item) { return mix(item) & hash_mask; };
    std::size_t differences = 0;
    std::uint32_t next = 0;
    for (int round = 0; round < 60; ++round) {
      const std::size_t more = random.below(hash_mask > 100 ? 400 : 60);
      for (std::size_t i = 0; i < more; ++i) {
        oracle[next] = random.next();
        index.insert(hash_of(oracle[next]), next);
        ++next;
      }
      const std::size_t fewer = random.below(oracle.size() + 1);
      for (std::size_t i = 0; i < fewer; ++i) {
        auto gone = std::prev(oracle.end());  // the newest item, or a random one
        if (random.one_in(2))
          gone = std::next(oracle.begin(), static_cast<long>(random.below(oracle.size())));
        index.erase(hash_of(gone->second), gone->first);
        differences += index.find(hash_of(gone->second),
                                  [&](std::uint32_t id) { return id == gone->first; }) != HashIndex::none;
        oracle.erase(gone);
      }
      if (random.one_in(3)) index.shrink();
      for (const auto& [id, item] : oracle)
        differences +=
            index.find(hash_of(item), [id = id](std::uint32_t found) { return found == id; }) != id;
      differences += index.size() != oracle.size();
    }
    CHECK(differences == 0);
  }
}

TEST_CASE("shrink releases the memory of a nearly empty index", "[narsese][hash_index]") {
  HashIndex index;
  for (std::uint32_t id = 0; id < 100; ++id) index.insert(mix(id), id);
  const std::size_t small = index.bytes();
  for (std::uint32_t id = 100; id < 100'000; ++id) index.insert(mix(id), id);
  CHECK(index.bytes() > 100 * small);
  for (std::uint32_t id = 100'000; id-- > 100;) index.erase(mix(id), id);
  index.shrink();
  CHECK(index.bytes() <= 4 * small);
  std::size_t found = 0;
  for (std::uint32_t id = 0; id < 100; ++id)
    found += index.find(mix(id), [&](std::uint32_t other) { return other == id; }) == id;
  CHECK(found == 100);
}

TEST_CASE("an index refuses to grow beyond its limit and still finds its ids", "[narsese][hash_index]") {
  HashIndex index;
  index.limit(index.bytes_with(14));
  std::uint32_t id = 0;
  const auto fill = [&] {
    for (; id < 1000; ++id) index.insert(mix(id), id);
  };
  CHECK_THROWS_AS(fill(), std::length_error);
  CHECK(id == 13);
  CHECK(index.size() == 13);
  const auto found = [&](std::uint32_t asked) {
    return index.find_or_insert(
        mix(asked), [&](std::uint32_t other) { return other == asked; }, [&] { return asked; });
  };
  CHECK(found(7) == 7);
  CHECK_THROWS_AS(found(14), std::length_error);
}

TEST_CASE("rollback removes new terms and keeps old ones", "[narsese][term]") {
  TermTable table;
  const Term kept = *parse_term("<(*,tim,{tom}) --> [likes]>", table);
  make_names(table, 500);
  const std::size_t terms = table.size(), bytes = table.memory_bytes();
  std::size_t most = 0;
  for (const std::size_t names : {1UL, 100UL, 10'000UL, 100'000UL}) {
    table.mark();
    make_names(table, names);
    CHECK(table.size() == terms + names);
    most = std::max(most, table.memory_bytes());
    table.rollback();
    CHECK(table.size() == terms);
    CHECK(table.memory_bytes() <= 2 * bytes);  // a part of the index keeps its memory
    CHECK(*parse_term("<(*,tim,{tom}) --> [likes]>", table) == kept);
  }
  CHECK(most > 50 * bytes);
}

TEST_CASE("rollback keeps terms with their components and returns valid handles", "[narsese][term]") {
  TermTable table;
  const Term old = *parse_term("<a --> b>", table);
  table.mark();
  make_names(table, 1000);
  std::vector<Term> kept{*parse_term("<(*,new,<a --> b>) --> (&,x,$1,^op)>", table), old, table.atom("new")};
  const std::string text = print(kept[0]);
  make_names(table, 1000);
  table.rollback(kept);
  CHECK(print(kept[0]) == text);
  CHECK(kept[1] == old);
  CHECK(kept[2] == kept[0].components()[0].components()[0]);
  CHECK(table.new_since_mark() == 0);
  const std::size_t terms = table.size();
  CHECK(*parse_term(text, table) == kept[0]);
  CHECK(table.size() == terms);
  // The terms are the three of <a --> b>, the name `new`, the product, the intersection, x, $1, ^op and the statement.
  CHECK(terms == 10);
}

TEST_CASE("after a rollback the table equals one that never had the terms", "[narsese][term]") {
  // The oracle is a table that gets only the kept terms.
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    Random random(seed);
    TermTable table, oracle;
    std::vector<Term> held;
    TermShape shape;
    std::size_t differences = 0;
    for (int request = 0; request < 400; ++request) {
      table.mark();
      RandomTerms terms(random, table, shape);
      std::vector<Term> kept;
      // Sometimes the index grows at the same time.
      if (random.one_in(20)) make_names(table, random.below(5000));
      for (std::size_t i = random.below(20); i > 0; --i) {
        const Term term = terms.term();
        if (random.one_in(4)) kept.push_back(term);
        if (random.one_in(8)) make_names(table, 1);
      }
      table.rollback(kept);
      held.insert(held.end(), kept.begin(), kept.end());
      TermCopies copies(oracle);
      for (const Term term : kept) copies(term);
      differences += table.size() != oracle.size();
      TermCopies again(table);
      const std::size_t from = held.size() > 50 ? held.size() - 50 : 0;
      for (std::size_t i = from; i < held.size(); ++i) {
        differences += compare(held[i], copies(held[i])) != 0;
        differences += !(again(copies(held[i])) == held[i]);
      }
      differences += table.size() != oracle.size();  // the look-ups created no term
    }
    CHECK(differences == 0);
    CHECK(held.size() > 500);
  }
}

TEST_CASE("copies of a table share its terms and are independent afterwards", "[narsese][term]") {
  Random random(77);
  struct Named {
    TermTable table;
    std::vector<std::pair<Term, std::string>> held;
    std::size_t differences() {
      std::size_t count = 0;
      for (const auto& [term, text] : held) count += print(term) != text || *parse_term(text, table) != term;
      return count;
    }
  };
  std::vector<Named> all(1);
  for (int request = 0; request < 300; ++request) {
    Named& some = all[random.below(all.size())];
    some.table.mark();
    TermShape shape;
    shape.variables = 0;  // a parser would renumber variables
    RandomTerms terms(random, some.table, shape);
    std::vector<Term> kept;
    for (std::size_t i = random.below(20); i > 0; --i) {
      kept.push_back(terms.term());
      make_names(some.table, 1);
    }
    if (random.one_in(3)) make_names(some.table, 3000);
    some.table.rollback(kept);
    for (const Term term : kept) some.held.emplace_back(term, print(term));
    some.table.unmark();
    if (random.one_in(10)) {  // keep_only() is used if a table has lost most of its terms
      std::vector<Term> handles;
      for (const auto& held : some.held) handles.push_back(held.first);
      some.table.keep_only(handles);
      for (std::size_t i = 0; i < handles.size(); ++i) some.held[i].first = handles[i];
    }
    if (random.one_in(6)) {
      Named copy = some;
      CHECK(copy.table.size() == some.table.size());
      if (all.size() == 5) {
        std::swap(all[random.below(5)], all.back());
        all.pop_back();
      }
      all.push_back(std::move(copy));
    }
  }
  for (Named& one : all) {
    CHECK(one.differences() == 0);
    CHECK(one.held.size() > 100);
  }
}

TEST_CASE("a full table reports an error and still reads known terms", "[narsese][term]") {
  TermTable table;
  const Term known = *parse_term("<tim --> cat>", table);
  constexpr std::size_t limit = std::size_t{1} << 20;
  table.limit(limit);
  CHECK_THROWS_AS(make_names(table, 1'000'000), TermTableFull);
  CHECK(table.size() > 10'000);
  CHECK(table.reserved_bytes() <= limit);
  CHECK(*parse_term("<tim --> cat>", table) == known);
  CHECK(parse_sentence("<tim --> cat>?", table).has_value());
  const auto refused = parse_sentence("<tim --> neverheard" + std::string(900, 'x') + ">?", table);
  std::size_t lines = 0;  // number of new lines until the table is full
  while (parse_sentence("<tim --> another" + std::to_string(lines) + ">?", table)) ++lines;
  CHECK(lines < 100'000);
  std::istringstream in("<tim --> cat>.\n<tim --> another" + std::to_string(lines) +
                        ">.\n//expected: Answer: <never --> heard>.\n<cat --> tim>?\n<tim --> cat>?\n");
  NalReader reader(in, table);
  using Kind = NalLine::Kind;
  std::vector<Kind> kinds;
  while (auto line = reader.next()) {
    kinds.push_back(line->kind);
    if (line->kind == Kind::error) CHECK(line->error.message().find("the memory is full") == 0);
  }
  CHECK(kinds.size() == 5);
  CHECK(kinds.front() == Kind::sentence);
  CHECK(kinds[1] == Kind::error);
  CHECK(kinds.back() == Kind::sentence);
  table.limit(2 * limit);
  CHECK(parse_sentence("<tim --> another" + std::to_string(lines) + ">?", table));
}
