// SPDX-License-Identifier: MIT
#include "core/budgets/ona_control.hpp"

#include <algorithm>
#include <map>
#include <vector>

#include "tests/core/samples.hpp"
#include "tests/support/catch.hpp"

namespace engram::core {

TEST_CASE("usefulness and priorities are those that ONA printed", "[core][ona_control]") {
  CHECK(ona::usefulness(3, 8, 6) == 0.5);
  CHECK(ona::usefulness(1'000'005, 6, 6) == Approx(0.999999).epsilon(1e-9));
  CHECK(ona::usefulness(0, 6, 6) == 0);
  CHECK(ona::usefulness(3, 4, 6) == 0.75);  // used in what is to come: as if now
}

TEST_CASE("concepts fade by a tenth a cycle, and eternal input counts for many uses", "[core][ona_control]") {
  ona::Concepts concepts(3);
  CHECK(!concepts.activate(7, 1));
  CHECK(concepts.find(7)->usefulness == 1);  // a new concept is not forgotten at once
  for (int i = 0; i < 6; ++i) concepts.cycle();
  CHECK(concepts.find(7)->priority == Approx(0.531441).epsilon(1e-15));
  concepts.activate(7, 0.2);
  CHECK(concepts.find(7)->priority == Approx(0.531441).epsilon(1e-15));
  for (int i = 0; i < 30; ++i) concepts.cycle();
  concepts.activate(7, 0.1, true);
  CHECK(concepts.find(7)->priority == 0.1);
  CHECK(concepts.find(7)->uses == 1'000'003);
  CHECK(concepts.find(8) == nullptr);
  CHECK_THROWS_AS(ona::Concepts(0), std::invalid_argument);
}

TEST_CASE("the least useful concept is forgotten, as a plain table has it", "[core][ona_control]") {
  struct Row {
    double priority, usefulness;
    std::uint64_t uses;
    ona::Cycle last_used;
  };
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    Rng rng(seed, "ona concepts");
    const std::size_t capacity = 1 + rng.below(8);
    ona::Concepts concepts(capacity);
    std::map<ona::Id, Row> plain;
    for (int step = 0; step < 400; ++step) {
      const auto id = static_cast<ona::Id>(rng.below(14));
      if (rng.below(3) == 0) {
        concepts.cycle();
        for (auto& [name, row] : plain) {
          row.priority *= 0.9;
          const double u =
              static_cast<double>(row.uses) / static_cast<double>(concepts.now() - row.last_used + 1);
          row.usefulness = u / (u + 1);
        }
      } else {
        const double priority = rng.uniform();
        const bool eternal = rng.below(5) == 0;
        std::optional<ona::Id> least;
        if (plain.count(id) == 0 && plain.size() == capacity) {
          for (const auto& [name, row] : plain)
            if (!least || row.usefulness < plain.at(*least).usefulness) least = name;
          plain.erase(*least);
        }
        REQUIRE(concepts.activate(id, priority, eternal) == least);
        Row& row = plain.try_emplace(id, Row{0, 1, 0, 0}).first->second;
        row = {std::max(row.priority, priority), row.usefulness, row.uses + (eternal ? 1'000'001 : 1),
               concepts.now()};
      }
      REQUIRE(concepts.all().size() == plain.size());
      for (const auto& one : concepts.all()) {
        const Row& row = plain.at(one.id);
        REQUIRE(one.priority == row.priority);
        REQUIRE(one.usefulness == row.usefulness);
        REQUIRE(one.uses == row.uses);
        REQUIRE(one.last_used == row.last_used);
      }
    }
  }
}

}  // namespace engram::core
