// SPDX-License-Identifier: MIT
#include "narsese/similar_names.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "tests/narsese/random_term.hpp"
#include "tests/support/catch.hpp"

using namespace engram::narsese;
using engram::narsese::testing::Random;

namespace {

/// Kind of difference between a name used once and a name used 3 times; empty if they are not similar.
std::string pair(std::string_view once, std::string_view often) {
  std::string out;
  for (const SimilarNames& near : similar_names({{once, 1}, {often, 3}})) {
    CHECK((near.odd == 0 && near.usual == 1));
    constexpr std::array<std::string_view, 4> how{"spelling", "plural", "letter", "look"};
    out += how[static_cast<std::size_t>(near.kind)];
  }
  return out;
}

}  // namespace

TEST_CASE("similar names are paired with the kind of difference", "[narsese][near_names]") {
  // Rows: the kind of difference, and pairs of an odd and a usual name. A letter is missing, added, changed or swapped.
  using Pairs = std::vector<std::array<std::string, 2>>;
  for (
      const auto& [how, pairs] : std::vector<std::pair<std::string, Pairs>>{
          {"spelling",
           {{"Tweety", "tweety"},
            {"TIM", "tim"},
            {"lives-in", "lives_in"},
            {"a-b", "a_b"},
            {"Lives-In", "lives_in"}}},
          {"plural", {{"birds", "bird"}, {"bird", "birds"}, {"Cats", "cat"}}},
          {"letter",
           {{"animl", "animal"},
            {"animall", "animal"},
            {"anymal", "animal"},
            {"amimal", "animal"},
            {"aniaml", "animal"},
            {"nimal", "animal"},
            {"animax", "animal"},
            {"hasleg", "has_leg"},
            {"grand-fatherx", "grand-father"},
            {"müßte", "mußte"}}},
          // Not similar: names that differ in special characters, short names, and names that differ in two letters.
          {"",
           {{"größe", "grösse"},
            {"A", "a"},
            {"As", "a"},
            {"is", "i"},
            {"cat", "cut"},
            {"lives_on", "lives_in"},
            {"x_position", "y_position"},
            {"animal", "anmila"},
            {"animal", "anim"},
            {"animal", "mineral"},
            {"animal", "laminas"}}},
          // Not similar: names of a series.
          {"",
           {{"bird1", "bird2"},
            {"bird1s", "bird1"},
            {"bird", "bird1"},
            {"bird12", "bird1"},
            {"bird12", "bird21"},
            {"animal_a", "animal_b"},
            {"animal_ax", "animal_a"},
            {"animalA", "animalB"},
            {"animal", "animalB"}}}})
    for (const auto& [once, often] : pairs) {
      CAPTURE(once, often);
      CHECK(pair(once, often) == how);
    }
}

TEST_CASE("misspelt names have one or two uses, except for - instead of _", "[narsese][near_names]") {
  const auto count = [](std::string_view a, std::uint64_t uses_of_a, std::string_view b,
                        std::uint64_t uses_of_b) {
    return similar_names({{a, uses_of_a}, {b, uses_of_b}}).size();
  };
  for (const auto& [odd, usual] : {std::pair("Tweety", "tweety"), {"birds", "bird"}, {"animl", "animal"}}) {
    CAPTURE(odd, usual);
    CHECK(count(odd, 1, usual, 3) == 1);
    CHECK(count(odd, 1, usual, 2) == 1);
    CHECK(count(odd, 2, usual, 3) == 1);
    CHECK(count(odd, 2, usual, 30) == 1);
    CHECK(count(odd, 1, usual, 1) == 0);
    CHECK(count(odd, 2, usual, 2) == 0);
    CHECK(count(odd, 3, usual, 30) == 0);
    CHECK(count(odd, 3, usual, 1) == 1);  // now the second name is the odd one
  }
  CHECK(count("lives-in", 5, "lives_in", 5) == 1);
  CHECK(similar_names({{"a-b", 1}, {"a_b", 7}}) ==
        std::vector{SimilarNames{0, 1, SimilarNames::Kind::spelling}});
  CHECK(similar_names({{"a-b", 7}, {"a_b", 1}}) ==
        std::vector{SimilarNames{1, 0, SimilarNames::Kind::spelling}});
  CHECK(similar_names({}).empty());
}

TEST_CASE("an odd name has one pair, with the most frequent name", "[narsese][near_names]") {
  CHECK(similar_names({{"animals", 9}, {"animal", 5}, {"animaly", 1}}) ==
        std::vector{SimilarNames{2, 0, SimilarNames::Kind::letter}});
  CHECK(similar_names({{"animals", 5}, {"animal", 9}, {"animaly", 1}}) ==
        std::vector{SimilarNames{2, 1, SimilarNames::Kind::letter}});
  CHECK(similar_names({{"animalb", 5}, {"animala", 5}, {"animaly", 1}}) ==
        // Of equally frequent names, the first one in byte order is the usual name.
        std::vector{SimilarNames{2, 1, SimilarNames::Kind::letter}});
  CHECK(similar_names({{"Animal", 1}, {"anima", 9}, {"animal", 3}, {"animals", 9}}) ==
        // A difference of spelling is preferred to a difference of a letter, even if the name has fewer uses.
        std::vector{SimilarNames{0, 2, SimilarNames::Kind::spelling}});
}

TEST_CASE("names of more than 64 bytes are compared only by spelling", "[narsese][near_names]") {
  const std::string name(64, 'x'), longer(65, 'x');
  CHECK(pair(name.substr(1), name) == "letter");
  CHECK(pair("a" + name.substr(1), name) == "letter");
  CHECK(pair("a" + longer.substr(1), longer) == "");
  CHECK(pair("X" + longer.substr(1), longer) == "spelling");
  CHECK(pair(longer + "-a", longer + "_a") == "spelling");
}

TEST_CASE("pairs by letter agree with comparing all names", "[narsese][near_names]") {
  Random random(7);
  const std::vector<std::string> letters{"a", "b", "ü", "c", "鸟"};
  for (int run = 0; run < 300; ++run) {
    std::set<std::string> set;
    const std::size_t size = 2 + random.below(6);
    while (set.size() < size) {
      std::string name;
      for (std::size_t i = 5 + random.below(2); i > 0; --i) name += letters[random.below(run % 2 ? 2 : 5)];
      set.insert(name);
    }
    const std::vector<std::string> names(set.begin(), set.end());
    std::vector<NameCount> counts;
    for (const auto& name : names) counts.push_back({name, random.one_in(2) ? 1U : 3U});
    std::vector<SimilarNames> expected;
    for (std::size_t i = 0; i < counts.size(); ++i) {
      if (counts[i].uses != 1) continue;
      for (std::size_t j = 0; j < counts.size(); ++j)
        if (counts[j].uses == 3 && !similar_names({counts[i], counts[j]}).empty()) {
          expected.push_back({i, j, SimilarNames::Kind::letter});
          break;
        }
    }
    CHECK(similar_names(counts) == expected);
  }
}

TEST_CASE("similar_names compares a hundred thousand similar names in bounded time",
          "[narsese][near_names][large]") {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < 100'000; ++i) {
    std::string name = "name";
    for (std::size_t rest = i, k = 0; k < 4; ++k, rest /= 26) name += static_cast<char>('a' + rest % 26);
    names.push_back(name);
  }
  std::vector<NameCount> counts;
  for (std::size_t i = 0; i < names.size(); ++i) counts.push_back({names[i], i % 2 ? 1U : 3U});
  CHECK(similar_names(counts).size() == 50'000);
}

TEST_CASE("names that look alike are paired whatever their uses", "[narsese][near_names]") {
  for (const auto& [once, often] : std::vector<std::pair<std::string, std::string>>{
           {"mammal\u200B", "mammal"},      // zero width space
           {"mam\u200Dmal", "mammal"},      // zero width joiner
           {"elephant\u00A0", "elephant"},  // no-break space
           {"ele\u3000phant", "elephant"},  // ideographic space
           {"\u202Ecat", "cat"},            // right-to-left override
           {"cat\u200E", "cat"},            // left-to-right mark
           {"\uFEFFcat", "cat"},            // byte order mark
           // A composed and a decomposed character look the same.
           {"caf\u00E9", "cafe\u0301"},
           {"c\u0430t", "cat"},  // Cyrillic a
           {"\u03BFwl", "owl"},  // Greek omicron
           // All letters are Cyrillic.
           {"\u0440\u043E\u0440", "pop"}}) {
    INFO(once);
    CHECK(pair(once, often) == "look");
    CHECK(similar_names({{once, 7}, {often, 9}}).size() == 1);
    CHECK_FALSE(deceptive_ending(once, often).empty());
  }
  CHECK(pair("caf\u00E9", "cafe").empty());  // an accent is visible, so this is no lookalike
  CHECK(pair("\u0445", "x").empty());        // a single letter may be intended
  CHECK(pair("l1", "ll").empty());           // ASCII characters are not lookalikes
  CHECK(pair("\u732B", "\u72AC").empty());   // two different characters
  CHECK(deceptive_characters("cat").empty());
  CHECK(deceptive_characters("\u732B").empty());
  CHECK(deceptive_characters("c\u0430t\u200B") == "U+0430 CYRILLIC SMALL LETTER A, U+200B ZERO WIDTH SPACE");
}

namespace engram::narsese {
namespace {

TEST_CASE("nearest_name has the smallest edit distance, at most half of the name", "[narsese][names]") {
  const std::vector<std::string> names{"attention", "hopfield", "pagerank", "cosine", "uniform"};
  CHECK(nearest_name("atention", names) == "attention");
  CHECK(nearest_name("hopfeild", names) == "hopfield");
  CHECK(nearest_name("page_rank", names) == "pagerank");
  CHECK(nearest_name("cosine", names) == "cosine");
  CHECK(nearest_name("cosinus", names) == "cosine");  // 2 of 7 letters differ
  CHECK(nearest_name("zzz", names).empty());
  CHECK(nearest_name("", names).empty());
  CHECK(nearest_name("anything", {}).empty());
  // Half of the letters may differ, but not more.
  CHECK(nearest_name("abcd", std::vector<std::string>{"abxy"}) == "abxy");
  CHECK(nearest_name("abcd", std::vector<std::string>{"axyz"}).empty());
  // Of equally similar names, the first one is returned.
  CHECK(nearest_name("ab", std::vector<std::string>{"ac", "ad"}) == "ac");
}

TEST_CASE("edit_distance counts insertions, deletions and substitutions", "[narsese][names]") {
  CHECK(edit_distance("needed", "needed", 3) == 0);
  CHECK(edit_distance("needd", "needed", 3) == 1);
  CHECK(edit_distance("nedeed", "needed", 3) == 2);
  CHECK(edit_distance("", "ab", 3) == 2);
  CHECK(edit_distance("note", "needed", 3) == 3);  // the distance is also found below a larger maximum
  CHECK(edit_distance("a", "a", 0) == 0);
}

}  // namespace
}  // namespace engram::narsese
