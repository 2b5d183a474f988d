// SPDX-License-Identifier: MIT
#include "narsese/nearest_name.hpp"

#include <string>
#include <vector>

#include "tests/support/catch.hpp"

namespace engram::narsese {
namespace {

TEST_CASE("the nearest name needs the fewest changes, and no more than half of the name",
          "[narsese][names]") {
  const std::vector<std::string> names{"attention", "hopfield", "pagerank", "cosine", "uniform"};
  CHECK(nearest_name("atention", names) == "attention");
  CHECK(nearest_name("hopfeild", names) == "hopfield");
  CHECK(nearest_name("page_rank", names) == "pagerank");
  CHECK(nearest_name("cosine", names) == "cosine");
  CHECK(nearest_name("cosinus", names) == "cosine");  // 2 of 7
  CHECK(nearest_name("zzz", names).empty());
  CHECK(nearest_name("", names).empty());
  CHECK(nearest_name("anything", {}).empty());
  CHECK(nearest_name("abcd", std::vector<std::string>{"abxy"}) == "abxy");  // exactly half
  CHECK(nearest_name("abcd", std::vector<std::string>{"axyz"}).empty());
  CHECK(nearest_name("ab", std::vector<std::string>{"ac", "ad"}) == "ac");  // the first of equals
}

TEST_CASE("an edit distance counts letters put in, left out and changed", "[narsese][names]") {
  CHECK(edit_distance("needed", "needed", 3) == 0);
  CHECK(edit_distance("needd", "needed", 3) == 1);
  CHECK(edit_distance("nedeed", "needed", 3) == 2);
  CHECK(edit_distance("", "ab", 3) == 2);
  CHECK(edit_distance("note", "needed", 3) == 3);  // and more
  CHECK(edit_distance("a", "a", 0) == 0);
}

}  // namespace
}  // namespace engram::narsese
