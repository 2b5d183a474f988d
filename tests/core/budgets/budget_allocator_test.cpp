// SPDX-License-Identifier: MIT
#include "core/budgets/budget_allocator.hpp"
#include "core/numbers/ranking.hpp"

#include "tests/core/recalled.hpp"
#include "tests/core/samples.hpp"

namespace engram::core {
namespace {

using namespace samples;

using Ids = std::vector<std::uint32_t>;

TEST_CASE("rank is best first, then by id, and omits scores that are not positive", "[budget_allocator]") {
  const Vector scores = vector({0.5, 0, 2, 0.5, -1, 2, 1e-300});
  CHECK(rank(scores, 100) == Ids{2, 5, 0, 3, 6});
  CHECK(rank(scores, 3) == Ids{2, 5, 0});
  CHECK(rank(scores, 1) == Ids{2});
  CHECK(rank(scores, 0).empty());
  CHECK(rank(Vector::Zero(4), 4).empty());
  CHECK(rank(Vector(), 4).empty());
  CHECK(rank(vector({1, std::nan(""), 2}), 3) == Ids{2, 0});
  CHECK(rank(Vector::Ones(5), 3) == Ids{0, 1, 2});
}

TEST_CASE("a shorter ranking is a prefix of a longer one", "[budget_allocator]") {
  Rng rng(1, "budget_allocator_test rank");
  for (int trial = 0; trial < 100; ++trial) {
    Vector scores(30);
    for (double& s : scores) s = static_cast<double>(rng.below(8));
    const Ids all = rank(scores, 30);
    bool ordered = true;
    for (std::size_t i = 1; i < all.size(); ++i)
      ordered = ordered && (scores[all[i - 1]] > scores[all[i]] ||
                            (scores[all[i - 1]] == scores[all[i]] && all[i - 1] < all[i]));
    CHECK(ordered);
    CHECK(all.size() == static_cast<std::size_t>((scores.array() > 0).count()));
    for (std::size_t k = 0; k <= all.size(); ++k)
      CHECK(rank(scores, k) == Ids(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(k)));
  }
}

const std::vector<std::string> pets{"<tim --> cat>. %1.0;0.9%", "<tom --> cat>. %0.5;0.9%",
                                    "<rex --> cat>. %0.0;0.9%", "<rex --> dog>. %1.0;0.4%"};

TEST_CASE("allocate_statements matches hand-computed budgets", "[budget_allocator]") {
  Memory memory = told(pets);
  const MemoryIndex readings(memory);
  Recall recall;
  recall.concepts = Vector::Zero(readings.concepts());
  recall.statements = vector({0.1, 0.4, 0, 0.2});
  const auto budgets = allocate_statements(memory, readings, recall, 10);
  REQUIRE(budgets.size() == 3);
  CHECK(budgets[0].id == 1);
  CHECK(budgets[1].id == 3);
  CHECK(budgets[2].id == 0);
  CHECK(budgets[0].budget.priority == 1);
  CHECK(budgets[1].budget.priority == 0.5);
  CHECK(budgets[2].budget.priority == 0.25);
  // Evidence 0.9 is confidence 0.9/1.9, evidence 0.4 is confidence 0.4/1.4.
  CHECK(std::abs(budgets[0].budget.durability - 0.9 / 1.9) < 1e-15);
  CHECK(std::abs(budgets[1].budget.durability - 0.4 / 1.4) < 1e-15);
  // The total evidence of a link is the evidence of both ends minus the link's positive evidence: 0.9 + 2.7 - 0.45 for
  // tom and cat, 0.9 + 2.7 - 0.9 for tim and cat, and 1.3 for rex and dog.
  CHECK(std::abs(budgets[0].budget.quality - (0.5 + 3.15 / 4.15) / 2) < 1e-15);
  // The expectation of the truth is 0.4 * 0.5 + 0.5 = 0.7.
  CHECK(std::abs(budgets[1].budget.quality - (0.7 + 1.3 / 2.3) / 2) < 1e-15);
  CHECK(std::abs(budgets[2].budget.quality - (0.95 + 2.7 / 3.7) / 2) < 1e-15);
  CHECK(allocate_statements(memory, readings, recall, 2).size() == 2);
  CHECK(allocate_statements(memory, readings, recall, 0).empty());
}

TEST_CASE("allocate_concepts matches hand-computed budgets", "[budget_allocator]") {
  Memory memory = told(pets);
  const MemoryIndex readings(memory);
  const ConceptId cat = concept_of(memory, "cat"), rex = concept_of(memory, "rex"),
                  compound = concept_of(memory, "<rex --> dog>");
  Recall recall;
  recall.statements = Vector::Zero(readings.statements());
  Vector concepts = Vector::Zero(readings.concepts());
  concepts[rex] = 3;
  concepts[cat] = 1.5;
  concepts[compound] = 0.75;  // not active; a retriever would not return it
  recall.concepts = concepts;
  const auto budgets = allocate_concepts(memory, readings, recall, 10);
  REQUIRE(budgets.size() == 3);
  CHECK(budgets[0].id == rex);
  CHECK(budgets[1].id == cat);
  CHECK(budgets[1].budget.priority == 0.5);
  CHECK(std::abs(budgets[0].budget.durability - 1.3 / 2.3) < 1e-15);
  CHECK(std::abs(budgets[1].budget.durability - 2.7 / 3.7) < 1e-15);
  // The truth part of a quality is a mean weighted by evidence: 0.7125 and 0.7 with the weights 0.9 and 0.4 for rex;
  // 0.95, 0.5 and 0.7125 with equal weights for cat. The link part is weighted by positive evidence. rex and cat have
  // no link, because their statement is denied.
  const double rex_links = 1.3 / 2.3;
  const double cat_links = (0.9 * (2.7 / 3.7) + 0.45 * (3.15 / 4.15)) / 1.35;
  CHECK(std::abs(budgets[0].budget.quality - ((0.9 * 0.7125 + 0.4 * 0.7) / 1.3 + rex_links) / 2) < 1e-15 * 2);
  CHECK(std::abs(budgets[1].budget.quality - ((0.95 + 0.5 + 0.7125) / 3 + cat_links) / 2) < 1e-15 * 2);
  CHECK(budgets[2].id == compound);
  CHECK(budgets[2].budget.durability == 0);
  CHECK(budgets[2].budget.quality == 0);
}

TEST_CASE("all budgets are in [0, 1] and the best has priority 1", "[budget_allocator]") {
  Rng rng(2, "budget_allocator_test ranges");
  for (int trial = 0; trial < 30; ++trial) {
    Memory memory(with_decay(trial % 2 == 0 ? 0.0 : 0.2));
    for (int i = 0; i < 25; ++i)
      say(memory, "<a" + std::to_string(rng.below(6)) + " --> b" + std::to_string(rng.below(4)) + ">. %" +
                      std::to_string(rng.uniform()) + ";" + std::to_string(rng.uniform()) + "%");
    const MemoryIndex readings(memory);
    Recall recall;
    recall.concepts = normal_vector(rng, readings.concepts()).cwiseAbs() * std::ldexp(1.0, trial * 20 - 300);
    recall.statements = normal_vector(rng, readings.statements()).cwiseMax(0.0);
    for (const auto& budgets : {allocate_concepts(memory, readings, recall, 1000),
                                allocate_statements(memory, readings, recall, 1000)}) {
      REQUIRE_FALSE(budgets.empty());
      CHECK(budgets.front().budget.priority == 1);
      double before = 1;
      for (const Allocation& each : budgets) {
        CHECK(each.budget.priority <= before);
        CHECK(each.budget.priority > 0);
        CHECK(each.budget.durability >= 0);
        CHECK(each.budget.durability < 1);
        CHECK(each.budget.quality >= 0);
        CHECK(each.budget.quality <= 1);
        before = each.budget.priority;
      }
    }
  }
}

TEST_CASE("picking in proportion to priority follows the shares of the recall", "[budget_allocator]") {
  Memory memory = told(pets);
  const MemoryIndex readings(memory);
  const Recall recall = recalled("attention", {{"beta", 4.0}, {"steps", 2.0}}, readings,
                                 cue_for(memory, term(memory, "<tim --> ?1>")));
  REQUIRE(std::abs(recall.statements.whole().sum() - 1) < 1e-14);
  const auto budgets = allocate_statements(memory, readings, recall, 10);
  REQUIRE(budgets.size() == 4);
  double total = 0;
  for (const Allocation& each : budgets) total += each.budget.priority;
  constexpr int picks = 50000;
  Rng rng(3, "budget_allocator_test bag");
  std::vector<int> picked(4, 0);
  std::vector<double> expected(4);
  for (std::uint32_t id = 0; id < 4; ++id) expected[id] = picks * recall.statements[id];
  for (int i = 0; i < picks; ++i) {
    double left = rng.uniform() * total;
    std::size_t place = 0;
    while (place + 1 < budgets.size() && left >= budgets[place].budget.priority)
      left -= budgets[place++].budget.priority;
    ++picked[budgets[place].id];
  }
  for (const double e : expected) CHECK(e > 5);  // required by the chi-square test
  CHECK(chi_square(picked, expected) < 16.27);   // 3 degrees of freedom, 99.9 %
}

TEST_CASE("an empty recall gives no budgets", "[budget_allocator]") {
  Memory memory;
  const MemoryIndex readings(memory);
  Recall recall;
  CHECK(allocate_concepts(memory, readings, recall, 5).empty());
  CHECK(allocate_statements(memory, readings, recall, 5).empty());
}

}  // namespace
}  // namespace engram::core
