// SPDX-License-Identifier: MIT
#include "narsese/near_names.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "narsese/appearance.hpp"
#include "tests/narsese/random_term.hpp"
#include "tests/support/catch.hpp"

using namespace engram::narsese;
using engram::narsese::testing::Random;

namespace {

/// "odd usual how" of a name used once beside one used 3 times; empty if they are no pair.
std::string pair(std::string_view once, std::string_view often) {
  std::string out;
  for (const NearNames& near : near_names({{once, 1}, {often, 3}})) {
    CHECK((near.odd == 0 && near.usual == 1));
    constexpr std::array<std::string_view, 4> how{"spelling", "plural", "letter", "look"};
    out += how[static_cast<std::size_t>(near.how)];
  }
  return out;
}

}  // namespace

TEST_CASE("names that are likely one name are paired, with the reason", "[narsese][near_names]") {
  struct Case {
    std::string once, often, how;
  };
  for (const auto& [once, often, how] : std::vector<Case>{
           {"Tweety", "tweety", "spelling"},
           {"TIM", "tim", "spelling"},
           {"lives-in", "lives_in", "spelling"},
           {"a-b", "a_b", "spelling"},
           {"Lives-In", "lives_in", "spelling"},
           {"birds", "bird", "plural"},
           {"bird", "birds", "plural"},
           {"Cats", "cat", "plural"},
           {"animl", "animal", "letter"},    // left out
           {"animall", "animal", "letter"},  // put in
           {"anymal", "animal", "letter"},   // changed
           {"amimal", "animal", "letter"},
           {"aniaml", "animal", "letter"},  // changed places
           {"nimal", "animal", "letter"},   // at the start
           {"animax", "animal", "letter"},  // at the end
           {"hasleg", "has_leg", "letter"},
           {"grand-fatherx", "grand-father", "letter"},
           {"größe", "grösse", ""},
           {"müßte", "mußte", "letter"},  // one letter, if two bytes
           {"A", "a", ""},                // symbols
           {"As", "a", ""},
           {"is", "i", ""},
           {"cat", "cut", ""},      // too short to tell
           {"bird1", "bird2", ""},  // series
           {"bird1s", "bird1", ""},
           {"bird", "bird1", ""},
           {"bird12", "bird1", ""},
           {"bird12", "bird21", ""},
           {"animal_a", "animal_b", ""},
           {"animal_ax", "animal_a", ""},
           {"animalA", "animalB", ""},
           {"animal", "animalB", ""},
           {"x_position", "y_position", ""},
           {"lives_on", "lives_in", ""},
           {"animal", "anmila", ""},  // two letters
           {"animal", "anim", ""},
           {"animal", "mineral", ""},
           {"animal", "laminas", ""},
       }) {
    CAPTURE(once, often);
    CHECK(pair(once, often) == how);
  }
}

TEST_CASE("a slip is used once or twice, what is meant more often; - for _ is always one",
          "[narsese][near_names]") {
  const auto count = [](std::string_view a, std::uint64_t uses_of_a, std::string_view b,
                        std::uint64_t uses_of_b) {
    return near_names({{a, uses_of_a}, {b, uses_of_b}}).size();
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
    CHECK(count(odd, 3, usual, 1) == 1);  // the other way round
  }
  CHECK(count("lives-in", 5, "lives_in", 5) == 1);
  CHECK(near_names({{"a-b", 1}, {"a_b", 7}}) == std::vector{NearNames{0, 1, NearNames::How::spelling}});
  CHECK(near_names({{"a-b", 7}, {"a_b", 1}}) == std::vector{NearNames{1, 0, NearNames::How::spelling}});
  CHECK(near_names({}).empty());
}

TEST_CASE("an odd name has one pair, with the name most used", "[narsese][near_names]") {
  CHECK(near_names({{"animals", 9}, {"animal", 5}, {"animaly", 1}}) ==
        std::vector{NearNames{2, 0, NearNames::How::letter}});
  CHECK(near_names({{"animals", 5}, {"animal", 9}, {"animaly", 1}}) ==
        std::vector{NearNames{2, 1, NearNames::How::letter}});
  CHECK(near_names({{"animalb", 5}, {"animala", 5}, {"animaly", 1}}) ==
        std::vector{NearNames{2, 1, NearNames::How::letter}});  // by name
  CHECK(near_names({{"Animal", 1}, {"anima", 9}, {"animal", 3}, {"animals", 9}}) ==
        std::vector{NearNames{0, 2, NearNames::How::spelling}});  // before the more used, by the reason
}

TEST_CASE("names of more than 64 bytes are compared by spelling alone", "[narsese][near_names]") {
  const std::string name(64, 'x'), longer(65, 'x');
  CHECK(pair(name.substr(1), name) == "letter");
  CHECK(pair("a" + name.substr(1), name) == "letter");
  CHECK(pair("a" + longer.substr(1), longer) == "");
  CHECK(pair("X" + longer.substr(1), longer) == "spelling");
  CHECK(pair(longer + "-a", longer + "_a") == "spelling");
}

TEST_CASE("the pairs of letters are those that comparing all names finds", "[narsese][near_names]") {
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
    std::vector<NearNames> expected;
    for (std::size_t i = 0; i < counts.size(); ++i) {
      if (counts[i].uses != 1) continue;
      for (std::size_t j = 0; j < counts.size(); ++j)
        if (counts[j].uses == 3 && !near_names({counts[i], counts[j]}).empty()) {
          expected.push_back({i, j, NearNames::How::letter});
          break;
        }
    }
    CHECK(near_names(counts) == expected);
  }
}

TEST_CASE("near_names compares a hundred thousand similar names in bounded time",
          "[narsese][near_names][large]") {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < 100'000; ++i) {
    std::string name = "name";
    for (std::size_t rest = i, k = 0; k < 4; ++k, rest /= 26) name += static_cast<char>('a' + rest % 26);
    names.push_back(name);
  }
  std::vector<NameCount> counts;
  for (std::size_t i = 0; i < names.size(); ++i) counts.push_back({names[i], i % 2 ? 1U : 3U});
  CHECK(near_names(counts).size() == 50'000);
}

TEST_CASE("names that look alike are paired however often they are used", "[narsese][near_names]") {
  for (const auto& [once, often] :
       std::vector<std::pair<std::string, std::string>>{{"mammal\u200B", "mammal"},      // zero width space
                                                        {"mam\u200Dmal", "mammal"},      // zero width joiner
                                                        {"elephant\u00A0", "elephant"},  // no-break space
                                                        {"ele\u3000phant", "elephant"},  // ideographic space
                                                        {"\u202Ecat", "cat"},  // right-to-left override
                                                        {"cat\u200E", "cat"},  // left-to-right mark
                                                        {"\uFEFFcat", "cat"},  // byte order mark
                                                        {"caf\u00E9", "cafe\u0301"},  // composed, decomposed
                                                        {"c\u0430t", "cat"},          // Cyrillic a
                                                        {"\u03BFwl", "owl"},          // Greek omicron
                                                        {"\u0440\u043E\u0440", "pop"}}) {  // all Cyrillic
    INFO(once);
    CHECK(pair(once, often) == "look");
    CHECK(near_names({{once, 7}, {often, 9}}).size() == 1);
    CHECK_FALSE(deceptive_ending(once, often).empty());
  }
  CHECK(pair("caf\u00E9", "cafe").empty());  // an accent is seen
  CHECK(pair("\u0445", "x").empty());        // one letter may be meant
  CHECK(pair("l1", "ll").empty());           // ASCII
  CHECK(pair("\u732B", "\u72AC").empty());   // two different characters
  CHECK(deceptive_characters("cat").empty());
  CHECK(deceptive_characters("\u732B").empty());
  CHECK(deceptive_characters("c\u0430t\u200B") == "U+0430 CYRILLIC SMALL LETTER A, U+200B ZERO WIDTH SPACE");
}
