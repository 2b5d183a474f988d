// SPDX-License-Identifier: MIT
#include "experiments/imports/inheritance_questions.hpp"

#include <functional>
#include <map>
#include <set>
#include <sstream>

#include "core/numbers/random.hpp"
#include "experiments/imports/table.hpp"
#include "experiments/inputs/corpus.hpp"
#include "tests/experiments/imports/gathered.hpp"
#include "tests/support/catch.hpp"

using namespace engram;
using namespace engram::experiments;
using namespace engram::testing;

namespace {

using Way = std::vector<std::pair<std::string, std::string>>;
using Links = std::set<std::pair<std::string, std::string>>;

// Layers of classes, each class below one to three of the next layer, so that some have several paths upwards.
Links classes(core::Rng& rng, int layers, int width) {
  Links links;
  const auto name = [](int layer, int at) { return "c" + std::to_string(layer) + "x" + std::to_string(at); };
  for (int layer = 0; layer + 1 < layers; ++layer)
    for (int at = 0; at < width; ++at)
      for (std::uint64_t more = 1 + rng.below(3); more > 0; --more) {
        const int up = std::min(layers - 1, layer + 1 + static_cast<int>(rng.below(5) == 0));
        links.emplace(name(layer, at),
                      name(up, static_cast<int>(rng.below(static_cast<std::uint64_t>(width)))));
      }
  return links;
}

// All paths, by exhaustive search.
void find_ways(const Links& links, const std::string& at, const std::string& to, Way& way,
               std::set<Way>& all) {
  if (at == to) all.insert(way);
  if (at == to || way.size() == 6) return;
  for (const auto& link : links) {
    const std::string& above = link.second;
    if (link.first != at || std::ranges::any_of(way, [&](const auto& step) { return step.first == above; }))
      continue;
    way.push_back(link);
    find_ways(links, above, to, way, all);
    way.pop_back();
  }
}

bool leads(const Links& links, const std::string& from, const std::string& to) {
  std::set<std::string> seen{from};
  for (bool more = true; more;) {
    more = false;
    for (const auto& [below, above] : links) more |= seen.contains(below) && seen.insert(above).second;
  }
  return seen.contains(to);
}

void read_links(const Links& links, Knowledge& knowledge) {
  std::string text;
  for (const auto& [below, above] : links) text += below + "\tis_a\t" + above + "\n";
  std::istringstream file(text);
  read_table("c.tsv", file, {{"is_a"}, {}, {}}, false, knowledge, unwatched);
}

}  // namespace

TEST_CASE("true inheritance questions have all their proofs, false ones none", "[experiments][imports]") {
  core::Rng rng(3, "inheritance");
  const Links links = classes(rng, 8, 7);
  Gathered gathered;
  read_links(links, gathered.knowledge);
  const auto questions = inheritance_questions(gathered.knowledge, 20, 1);
  const auto name = [&](NameId id) { return gathered.knowledge.names().at(id).source; };
  std::map<std::size_t, int> lengths;
  std::size_t several = 0, wrong = 0;
  for (const AskedFact& question : questions) {
    const std::string subject = name(question.fact.subject), object = name(question.fact.object);
    CHECK(leads(links, subject, object) == question.holds);
    if (!question.holds) {
      ++wrong;
      CHECK(question.proofs.empty());
      CHECK(!leads(links, object, subject));
      continue;
    }
    std::set<Way> found, expected;
    for (std::size_t i = 0; i < question.proofs.size(); ++i) {
      Way way;
      for (const Claim& claim : question.proofs[i].claims)
        way.emplace_back(name(claim.subject), name(claim.object));
      CHECK((i == 0 || way.size() >= question.proofs[i - 1].claims.size()));
      found.insert(way);
    }
    Way way;
    find_ways(links, subject, object, way, expected);
    CHECK(found.size() == question.proofs.size());
    if (expected.size() <= most_proofs)
      CHECK(found == expected);
    else
      CHECK((found.size() == most_proofs && std::ranges::includes(expected, found)));
    several += found.size() > 1;
    ++lengths[question.proofs.front().claims.size()];
  }
  CHECK(several > 5);
  CHECK(wrong > 10);
  for (std::size_t length = 2; length <= 6; ++length) CHECK(lengths[length] > 0);

  const auto written = write_knowledge(gathered.knowledge, {}, questions, {.heading = "test", .truth = {}});
  std::istringstream in(written.text);
  const Corpus corpus = read_corpus(in, "classes", {});
  CHECK(corpus.rejected.empty());
  REQUIRE(corpus.questions.size() == questions.size());
  for (std::size_t i = 0; i < questions.size(); ++i)
    CHECK(corpus.questions[i].proofs.size() == questions[i].proofs.size());
}

TEST_CASE("cyclic inheritance terminates", "[experiments][imports]") {
  Gathered gathered;
  read_links({{"a", "b"}, {"b", "c"}, {"c", "a"}, {"c", "d"}, {"d", "d"}}, gathered.knowledge);
  for (const AskedFact& question : inheritance_questions(gathered.knowledge, 10, 1)) {
    CHECK(question.holds);
    CHECK(question.proofs.size() == 1);
  }
  CHECK(inheritance_questions(gathered.knowledge, 0, 1).empty());
}
