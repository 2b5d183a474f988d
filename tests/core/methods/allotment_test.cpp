// SPDX-License-Identifier: MIT
// Budgets from recalls over several questions: priors, policies, capacities, and the log of transfers.

#include "core/budgets/budget_allocator.hpp"
#include "core/methods/method.hpp"
#include "tests/core/samples.hpp"

namespace engram::core {
namespace {

using namespace samples;

const std::vector<std::string> zoo{
    "<tim --> cat>. %1.0;0.91%",
    "<tom --> cat>. %0.2;0.72%",
    "<rex --> dog>. %1.0;0.83%",
    "<<$1 --> cat> ==> <$1 --> animal>>. %1.0;0.64%",
    "<<$1 --> dog> ==> <$1 --> animal>>. %0.7;0.55%",
    "<(*,tim,tom) --> friend>. %1.0;0.37%",
    "<(*,{rex},tim) --> chases>. %1.0;0.48%",
    "<(*,stone,{SELF}) --> ^throw>! %1.0;0.61%",
};

struct Zoo {
  Memory memory = told(zoo);
  const MemoryIndex readings{memory};
};

Recall asked(Memory& memory, const MemoryIndex& readings, const char* cue, const char* method = "attention") {
  return ConfiguredMethod(method).recall(readings, cue_for(memory, term(memory, cue)));
}

AllocationOptions allotting(AllocationOf of, const Cut& cut, bool prior) {
  const AllocationOptions options{.of = of, .cut = cut, .prior = prior};
  return options;
}

Vector shares_of(const Vector& p) { return p / p.sum(); }

// The previous budget after all transfers in order. The last entry is the balance of the pool.
Vector carried_out(const Vector& before, const TransferLog& log) {
  Vector accounts = Vector::Zero(before.size() + 1);
  accounts.head(before.size()) = before;
  for (const Transfer& each : log.transfers()) {
    accounts[each.from ? static_cast<Index>(*each.from) : before.size()] -= each.amount;
    accounts[each.to ? static_cast<Index>(*each.to) : before.size()] += each.amount;
  }
  return accounts;
}

TEST_CASE("previous budget plus logged transfers equals the new budget for all options", "[allotment]") {
  MemoryOptions with_compounds;
  with_compounds.activation = {true, true, true};
  std::size_t links_seen = 0;
  for (const auto& settings : {MemoryOptions{}, with_compounds}) {
    Memory memory = told(zoo, settings);
    const MemoryIndex readings(memory);
    for (const AllocationOf of : {AllocationOf::concepts, AllocationOf::statements})
      for (const char* method : {"attention", "sparsemax_attention", "hopfield", "pagerank", "uniform"})
        for (const bool prior : {false, true})
          for (const Selection selection : {Selection::top, Selection::budget, Selection::threshold}) {
            AllocationOptions options = allotting(of, {selection, 4, 0.05}, prior);
            options.policy = TermPolicy(settings.activation);
            options.policy.set(TermClass::compound, Role::conducts);
            options.policy.set(TermClass::op, Role::ignored);
            Vector before;
            bool had = false;
            for (const char* cue : {"<tim --> ?1>", "<?1 --> animal>", "^throw", "{rex}"}) {
              const Recall recall = asked(memory, readings, cue, method);
              TransferLog log(1000000);
              const Vector after = allot(readings, recall, before, options, &log);
              INFO(method << " " << cue << " " << prior << " " << static_cast<int>(selection));
              const Index n = after.size();
              const Vector start = prior && had ? before : Vector(Vector::Zero(n));
              const Vector accounts = carried_out(start, log);
              const double pool = prior && had ? 0 : -1;  // the pool pays the first budget
              if (after.sum() > 0) {
                CHECK(distance(accounts.head(n), shares_of(after)) < 1e-13);
                CHECK(std::abs(accounts[n] - pool) < 1e-13);
                before = shares_of(after);
                had = true;
              } else {
                CHECK(distance(accounts.head(n), Vector(Vector::Zero(n))) < 1e-13);
              }
              CHECK((after.array() > 0).count() <= 4);
              for (const Transfer& each : log.transfers())
                links_seen += each.reason == TransferReason::link && each.from && each.to ? 1 : 0;
              if (of == AllocationOf::concepts)
                for (Index i = 0; i < n; ++i)
                  if (after[i] > 0) {
                    CHECK(options.policy[class_of(readings.term(static_cast<Index>(i)))] == Role::holds);
                  }
            }
          }
  }
  CHECK(links_seen > 100);
}

TEST_CASE_METHOD(Zoo, "a prior makes the budget a mirror-descent step from the previous one", "[allotment]") {
  const Recall first = asked(memory, readings, "<tim --> ?1>"), second = asked(memory, readings, "dog");
  AllocationOptions options = allotting(AllocationOf::statements, {.capacity = 100}, false);
  const Vector before = allot(readings, first, {}, options);
  CHECK(before == first.statements);
  CHECK(allot(readings, second, before, options) == second.statements);

  options.prior = true;
  options.fresh = 0.1;
  options.update.temperature = 0.3;
  const Vector after = allot(readings, second, before, options);
  const Index n = before.size();
  Vector expected(n);
  for (Index e = 0; e < n; ++e) {
    const double q = 0.9 * shares_of(before)[e] * static_cast<double>(n) + 0.1;
    const double d = readings.evidence(e) / (readings.evidence(e) + 1);
    expected[e] =
        std::pow(q, d) * std::exp(second.statements[e] / second.statements.whole().maxCoeff() / 0.3);
  }
  CHECK(distance(after, shares_of(expected)) < 1e-13);
  options.durability = 0;  // nothing of the previous budget remains
  CHECK(distance(allot(readings, second, before, options), allot(readings, second, {}, options)) < 1e-14);
  // An empty recall only fades the previous budget, which changes nothing with durability 1 and no fresh share.
  options.durability = 1;
  options.fresh = 0;
  CHECK(distance(allot(readings, no_recall(readings), before, options), shares_of(before)) < 1e-14);
  CHECK(allot(readings, no_recall(readings), {}, options).whole().isZero(0));
}

TEST_CASE("statements added after the last allocation get a share", "[allotment]") {
  Memory memory = told(zoo);
  AllocationOptions options = allotting(AllocationOf::concepts, {.capacity = 100}, true);
  const MemoryIndex old(memory);
  const Vector before = shares_of(allot(old, asked(memory, old, "tim"), {}, options));
  say(memory, "<tim --> rascal>.");
  const MemoryIndex now(memory);
  const Recall recall = asked(memory, now, "tim", "pagerank");
  REQUIRE(recall.concepts.size() > before.size());
  const Vector after = allot(now, recall, before, options);
  CHECK(after[concept_of(memory, "rascal")] > 0);
  options.fresh = 0;
  CHECK(allot(now, recall, before, options)[concept_of(memory, "rascal")] == 0);
}

TEST_CASE_METHOD(Zoo, "with a prior, a bag picks items in proportion to their shares", "[allotment]") {
  AllocationOptions options = allotting(AllocationOf::concepts, {.capacity = 6}, true);
  const Vector before = shares_of(allot(readings, asked(memory, readings, "<tim --> ?1>"), {}, options));
  const Recall recall = asked(memory, readings, "dog");
  const Vector allotted = allot(readings, recall, before, options), p = shares_of(allotted);
  const auto budgets = allocations(memory, readings, recall, AllocationOf::concepts, allotted);
  REQUIRE(budgets.size() == 6);
  double total = 0;
  for (const Allocation& each : budgets) total += each.budget.priority;
  constexpr int picks = 50000;
  Rng rng(1, "allotment_test bag");
  std::vector<int> picked(6, 0);
  std::vector<double> expected;
  for (const Allocation& each : budgets) expected.push_back(picks * p[each.id]);
  for (int i = 0; i < picks; ++i) {
    double left = rng.uniform() * total;
    std::size_t place = 0;
    while (place + 1 < budgets.size() && left >= budgets[place].budget.priority)
      left -= budgets[place++].budget.priority;
    ++picked[place];
  }
  for (const double e : expected) CHECK(e > 5);
  CHECK(chi_square(picked, expected) < 20.52);  // 5 degrees of freedom, 99.9 %
}

TEST_CASE("each kind of term has its own transfer reason", "[allotment]") {
  Memory memory;
  const auto kind = [&](const char* text) { return class_of(term(memory, text)); };
  CHECK(kind("tim") == TermClass::atom);
  CHECK(kind("SELF") == TermClass::self);
  CHECK(kind("^go") == TermClass::op);
  CHECK(kind("{SELF}") == TermClass::compound);
  CHECK(kind("(*,tim,tom)") == TermClass::compound);
  CHECK(kind("<tim --> cat>") == TermClass::statement);
  CHECK(kind("$x") == TermClass::variable);
  CHECK(kind("<#x --> cat>") == TermClass::variable);
  CHECK(kind("(*,?x,tom)") == TermClass::variable);
  const TermPolicy policy;
  for (std::size_t i = 0; i < term_classes.size(); ++i) {
    CHECK(static_cast<std::size_t>(term_classes[i].value) == i);
    CHECK(policy[term_classes[i].value] == term_classes[i].role);
    CHECK_FALSE(term_classes[i].reason.empty());
  }
  CHECK(policy[TermClass::variable] == Role::ignored);
  const TermPolicy active(ActivationPolicy{true, false, true});
  CHECK(active[TermClass::compound] == Role::holds);
  CHECK(active[TermClass::self] == Role::holds);
  CHECK(active[TermClass::statement] == Role::conducts);
  TermPolicy changed;
  CHECK_INVALID(changed.set(TermClass::variable, Role::holds));
  changed.set(TermClass::atom, Role::conducts);
  CHECK(changed[TermClass::atom] == Role::conducts);
}

TEST_CASE("SELF has activity only if that is enabled", "[allotment]") {
  MemoryOptions options;
  options.activation.self = true;
  Memory memory = told(zoo, options), plain = told(zoo);
  CHECK(memory.graph().activity(concept_of(memory, "SELF"), memory.now()) > 0);
  CHECK(plain.graph().activity(concept_of(plain, "SELF"), plain.now()) == 0);
}

TEST_CASE("quality is the mean of truth, link confidence and basin depth", "[allotment]") {
  Memory memory = told({"<tim --> cat>. %1.0;0.9%", "<tom --> cat>. %0.0;0.4%", "<tim --> pet>. %0.5;0.8%"});
  const MemoryIndex readings(memory);
  Recall recall = no_recall(readings);
  recall.concepts = Vector::Ones(readings.concepts());
  recall.statements = Vector::Ones(readings.statements());
  const ConceptId tim = concept_of(memory, "tim"), cat = concept_of(memory, "cat");
  const auto quality = [&](AllocationOf of, std::uint32_t id) {
    const Vector& all = of == AllocationOf::concepts ? recall.concepts : recall.statements;
    for (const Allocation& each : allocations(memory, readings, recall, of, all))
      if (each.id == id) return each.budget.quality;
    return nan;
  };
  // The total evidence of a link is that of both ends minus the positive evidence: 2.1 for tim-cat (0.9 positive, 0.4
  // more of cat, 0.8 more of tim) and for tim-pet (0.4 positive, 0.4 more of pet, 1.3 more of tim). tom-cat is negated
  // and has none. The truths have the qualities 0.95, 0.525 and 0.5. The second is max(0.3, 0.75 * 0.7) for the truth
  // (0, 0.4), whose expectation is 0.5 - 0.4/2 = 0.3.
  const double tim_cat = 2.1 / 3.1, tim_pet = 2.1 / 3.1, links_of_cat = tim_cat;
  const double truth_of_cat = (0.9 * 0.95 + 0.4 * 0.525) / 1.3;
  CHECK(std::abs(quality(AllocationOf::concepts, cat) - (truth_of_cat + links_of_cat) / 2) < 1e-15);
  CHECK(std::abs(quality(AllocationOf::statements, 0) - (0.95 + tim_cat) / 2) < 1e-15);
  CHECK(std::abs(quality(AllocationOf::statements, 2) - (0.5 + tim_pet) / 2) < 1e-15);
  recall.depths = Vector::Zero(readings.concepts());
  recall.depths[tim] = 1;
  recall.depths[cat] = 0.25;
  CHECK(std::abs(quality(AllocationOf::concepts, cat) - (truth_of_cat + links_of_cat + 0.25) / 3) < 1e-15);
  CHECK(std::abs(quality(AllocationOf::statements, 0) - (0.95 + tim_cat + 0.625) / 3) < 1e-15);
}

TEST_CASE_METHOD(Zoo, "only networks of units report depths", "[allotment]") {
  for (const char* method : {"hopfield", "dense_memory"}) {
    const Recall recall = asked(memory, readings, "<tim --> ?1>", method);
    REQUIRE(recall.depths.size() == readings.concepts());
    CHECK(recall.depths.maxCoeff() == 1);
    CHECK(recall.depths.minCoeff() == 0);
    CHECK(((recall.depths.array() > 0) == (recall.concepts.whole().array() > 0)).all());
  }
  CHECK(asked(memory, readings, "<tim --> ?1>", "attention").depths.size() == 0);
  CHECK(asked(memory, readings, "<tim --> ?1>", "pagerank").depths.size() == 0);
}

}  // namespace
}  // namespace engram::core
