// SPDX-License-Identifier: MIT
#include "experiments/links/links.hpp"

#include <algorithm>
#include <set>

#include "core/index/memory_index.hpp"
#include "core/numbers/random.hpp"
#include "experiments/links/link_predictors.hpp"
#include "experiments/spec/experiment.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/folder.hpp"

using namespace engram;
using namespace engram::experiments;
using namespace engram::experiments::links;
using namespace engram::testing;
using core::Fact;
using core::Index;
using core::Vector;

namespace {

Input link_file(const Folder& folder, const std::string& name, const std::string& text) {
  write(folder.path / name, text);
  return {name, folder.path / name};
}

std::string rejection(const core::RejectedLine& line) {
  return std::to_string(line.line) + ":" + std::to_string(line.column) + ": " + line.message;
}

std::vector<std::string> rejections_of(const TripleFile& file) {
  std::vector<std::string> texts;
  for (const core::RejectedLine& line : file.rejected) texts.push_back(rejection(line));
  return texts;
}

// Three pairs of a parent and a child, two of them with both directions, and a symmetric friendship.
const char* const family_train =
    "ann\tparent\tbob\nbob\tchild\tann\ncat\tparent\tdan\ndan\tchild\tcat\neve\tparent\tfay\n"
    "ann\tfriend\tcat\ncat\tfriend\tann\n";
const char* const family_valid = "eve\tfriend\tann\n";
const char* const family_test = "fay\tchild\teve\n";

std::array<Input, 3> family_files(const Folder& folder) {
  return {link_file(folder, "train.tsv", family_train), link_file(folder, "valid.tsv", family_valid),
          link_file(folder, "test.tsv", family_test)};
}

LinkSet family_set(const Folder& folder) {
  Rejections rejections;
  LinkSet set = load_link_set(family_files(folder), {}, rejections);
  CHECK(rejections.empty());
  return set;
}

std::uint32_t number_of(const std::vector<std::string>& names, const std::string& name) {
  const auto place = std::ranges::find(names, name);
  REQUIRE(place != names.end());
  return static_cast<std::uint32_t>(place - names.begin());
}

Fact fact_of(const LinkSet& set, const Triple& triple) {
  return {number_of(set.entities, triple.head), number_of(set.relations, triple.relation),
          number_of(set.entities, triple.tail)};
}

double score_of(const LinkSet& set, const LinkScores& scores, const Triple& triple) {
  const Fact fact = fact_of(set, triple);
  return scores(fact)[fact.tail];
}

}  // namespace

TEST_CASE("facts are parsed from Narsese, and other lines are reported by number", "[experiments][links]") {
  const Folder folder("links_narsese");
  const TripleFile file = load_triples(link_file(folder, "a.nal",
                                                 "//a comment\n"
                                                 "<(a * b) --> r>. %1.0;0.9%\n"
                                                 "<(a * b) --> r>.\n"
                                                 "<(*, b, {c}) --> s>. :|:\n"
                                                 "<(a * ?1) --> r>?\n"
                                                 "<a --> b>.\n"
                                                 "<(a * c) --> r>. %0;0.9%\n"
                                                 "<(a * b * c) --> r>.\n"
                                                 "<(a * b) --> r\n"
                                                 "10\n"
                                                 "<($1 * b) --> r>.\n"),
                                       {});
  CHECK(file.triples == std::vector<Triple>{{"a", "r", "b"}, {"b", "s", "{c}"}});
  std::vector<std::size_t> lines;
  for (const core::RejectedLine& line : file.rejected) lines.push_back(line.line);
  CHECK(lines == std::vector<std::size_t>{6, 7, 8, 9, 11});
  CHECK(rejection(file.rejected[0]) ==
        "6:1: a fact must be a judgment <(head * tail) --> relation>. of frequency above 0.5");
}

TEST_CASE("facts are parsed from a table, and errors have line and column", "[experiments][links]") {
  const Folder folder("links_table");
  const TripleFile file = load_triples(link_file(folder, "a.tsv",
                                                 "\xEF\xBB\xBF"
                                                 "ann\tfriend-of\tbob\r\n"
                                                 "\n"
                                                 "1st\tr\tb\n"
                                                 "ann\tfriend-of\n"
                                                 "ann\t\tbob\n"
                                                 "ann\tr\tbob\tcat\n"
                                                 "ann\tfriend_of\tbob\n"
                                                 "no tabs\n"
                                                 "ann\tr\tbob\n"
                                                 "\xEF\xBB\xBF"
                                                 "ann\tr\tcat"),
                                       {});
  CHECK(file.triples ==
        std::vector<Triple>{{"ann", "friend_of", "bob"}, {"n1st", "r", "b"}, {"ann", "r", "bob"}});
  CHECK(rejections_of(file) ==
        std::vector<std::string>{"4:14: expected a tab", "5:5: expected a name, found nothing",
                                 "6:10: expected the end of the line after three names",
                                 "7:5: 'friend_of' and 'friend-of' would both be the atom friend_of",
                                 "8:8: expected a tab",
                                 "10:1: expected text, found a byte order mark (U+FEFF), which is allowed "
                                 "only at the start of a file"});
  CHECK_THROWS_AS(load_triples({"none.tsv", folder.path / "none.tsv"}, {}), InputError);
}

TEST_CASE("a link set numbers the names of its three files and knows every answer", "[experiments][links]") {
  const Folder folder("family");
  const LinkSet set = family_set(folder);
  CHECK(set.name == folder.path.filename().string());
  CHECK(set.entities == std::vector<std::string>{"ann", "bob", "cat", "dan", "eve", "fay"});
  CHECK(set.relations == std::vector<std::string>{"parent", "child", "friend"});
  CHECK(set.splits[0].size() == 7);
  const Fact test = fact_of(set, {"fay", "child", "eve"});
  CHECK(set.questions(2) == std::vector<Fact>{test, {test.tail, test.relation + 3, test.head}});
  CHECK(set.narsese(set.questions(2)[0]) == "<(fay * ?1) --> child>?");
  CHECK(set.narsese(set.questions(2)[1]) == "<(?1 * eve) --> child>?");
  // Over the training, validation and test parts, the friends of Ann are Cat and Eve.
  const std::uint32_t ann = number_of(set.entities, "ann"),
                      of_friend = number_of(set.relations, "friend") + 3;
  CHECK(set.answers.at({ann, of_friend}) ==
        std::vector<std::uint32_t>{number_of(set.entities, "cat"), number_of(set.entities, "eve")});
}

TEST_CASE("facts in two splits and an empty split are reported", "[experiments][links]") {
  const Folder folder("leak");
  Rejections rejections;
  load_link_set({link_file(folder, "a_train.tsv", "a\tr\tb\n"), link_file(folder, "b.tsv", ""),
                 link_file(folder, "c.tsv", "a\tr\tb\n")},
                {}, rejections);
  REQUIRE(rejections.size() == 2);
  CHECK(rejections[0].first == "b.tsv");
  CHECK(rejections[1].first == "c.tsv");
  CHECK(rejection(rejections[1].second) == "1:1: 1 facts also occur in an earlier split");
}

TEST_CASE("link baselines match values computed by hand", "[experiments][links]") {
  const Folder folder("floors");
  const LinkSet set = family_set(folder);
  const LinkScores frequency = relation_frequency(set), rules = pair_rules(set);
  CHECK(score_of(set, frequency, {"eve", "parent", "bob"}) == 1);
  CHECK(score_of(set, frequency, {"eve", "parent", "ann"}) == 0);
  CHECK(score_of(set, frequency, {"bob", "child", "cat"}) == 1);
  // Two of three `parent` pairs have an inverse `child` pair, so the rule has confidence 2/3. The tie-breaking term is
  // 1/15^3.
  CHECK(score_of(set, rules, {"fay", "child", "eve"}) == Approx(2.0 / 3).epsilon(1e-14));
  CHECK(score_of(set, rules, {"bob", "child", "ann"}) == Approx(2.0 / 3 + 1.0 / 3375).epsilon(1e-14));
  CHECK(score_of(set, rules, {"ann", "friend", "cat"}) == Approx(1 + 1.0 / 3375).epsilon(1e-14));
  CHECK(score_of(set, rules, {"eve", "friend", "fay"}) == 0);
  CHECK(score_of(set, rules, {"eve", "friend", "cat"}) == Approx(1.0 / 3375).epsilon(1e-14));
  const auto questions = set.questions(2);
  CHECK(filtered_ranks(set.answers, questions, rules)[0].average == 1);
  const auto constant = filtered_ranks(set.answers, questions, constant_scores(set));
  CHECK(constant[0].average == 3.5);  // all six entities are tied, so the average rank is (1 + 6) / 2
  CHECK(constant[0].optimistic == 1);
  CHECK(constant[0].pessimistic == 6);
}

TEST_CASE("filtered ranks follow their definition", "[experiments][links]") {
  const Folder folder("ranks");
  core::Rng rng(4, "link ranks");
  std::array<std::string, 3> texts;
  std::set<std::array<std::uint64_t, 3>> seen;
  while (seen.size() < 60) {
    const std::array<std::uint64_t, 3> f{rng.below(7), rng.below(2), rng.below(7)};
    if (seen.insert(f).second)
      texts[seen.size() % 3] +=
          "e" + std::to_string(f[0]) + "\tr" + std::to_string(f[1]) + "\te" + std::to_string(f[2]) + "\n";
  }
  Rejections rejections;
  const LinkSet set =
      load_link_set({link_file(folder, "train.tsv", texts[0]), link_file(folder, "valid.tsv", texts[1]),
                     link_file(folder, "test.tsv", texts[2])},
                    {}, rejections);
  // The score has only four values, so that ties occur.
  const auto score = [](const Fact& question, std::uint32_t tail) {
    return static_cast<double>((question.head * 5 + question.relation * 3 + tail * tail) % 4);
  };
  const auto questions = set.questions(2);
  const auto ranks = filtered_ranks(set.answers, questions, [&](const Fact& question) -> Vector {
    Vector scores(7);
    for (std::uint32_t tail = 0; tail < 7; ++tail) scores[tail] = score(question, tail);
    return scores;
  });
  std::set<Fact> known;
  for (std::size_t split = 0; split < 3; ++split)
    for (const Fact& fact : set.questions(split)) known.insert(fact);
  REQUIRE(ranks.size() == questions.size());
  for (std::size_t i = 0; i < questions.size(); ++i) {
    double rank = 1;
    for (std::uint32_t tail = 0; tail < 7; ++tail) {
      const Fact other{questions[i].head, questions[i].relation, tail};
      if (tail == questions[i].tail || known.contains(other)) continue;
      const double mine = score(questions[i], questions[i].tail), its = score(questions[i], tail);
      rank += its > mine ? 1 : its == mine ? 0.5 : 0;
    }
    CHECK(ranks[i].average == rank);
  }
  double mean = 0;
  for (const TiedRanks& rank : ranks) mean += rank.expected_reciprocal() / static_cast<double>(ranks.size());
  CHECK(mean_reciprocal_rank(ranks) == Approx(mean).epsilon(1e-14));
}

TEST_CASE("retrieval ranks entities by the scores of their concepts", "[experiments][links]") {
  const Folder folder("retrieval");
  const LinkSet set = family_set(folder);
  const core::MemoryIndex readings(set.memory->memory());
  const core::ConfiguredMethod method("cosine");
  const LinkScores scores = retrieved_scores(set, readings, {"cosine", method});
  const Fact question = set.questions(2)[0];
  const Vector found = scores(question);
  const Vector recalled = method.recall(readings, *set.memory->cue("<(fay * ?1) --> child>?")).concepts;
  for (std::size_t i = 0; i < set.entities.size(); ++i)
    CHECK(found[static_cast<Index>(i)] ==
          recalled[static_cast<Index>(**set.memory->known_concept(set.entities[i]))]);
  CHECK(found[number_of(set.entities, "eve")] > 0);
}

TEST_CASE("links writes a row for each baseline, method and seed, and concludes from the rows alone",
          "[experiments][links]") {
  const Folder folder("links_run");
  Json json = {{"experiment", "links"},
               {"methods", {{{"method", "cosine"}, {"label", "by cosine"}}}},
               {"seeds", {1, 2}},
               {"regularisation", {0.0, 0.01}},
               {"pairs", 6},
               {"epochs", 20}};
  for (const Input& file : family_files(folder)) json["inputs"].push_back(file.path);
  const Spec spec = resolve_spec(json, "");
  const auto trials = spec.experiment->trials(spec);
  CHECK(trials->prepare().empty());
  REQUIRE(trials->count() == 4);
  std::vector<Json> rows;
  for (std::size_t trial = 0; trial < 4; ++trial)
    for (Json& row : trials->run(trial).rows) rows.push_back(std::move(row));
  REQUIRE(rows.size() == 6);
  for (const Json& row : rows) CHECK(row.at("ranks").size() == 2);
  CHECK(rows[3].at("seed") == 1);
  CHECK(rows[3].at("chosen").at("validation").get<double>() > 0);
  CHECK(trials->run(2).rows.at(0) == rows[4]);

  // The ranks are set by hand. The table has their means over both questions and both seeds.
  rows[3]["ranks"] = {1.0, 2.0};
  rows[4]["ranks"] = {4.0, 1.0};
  const Conclusion conclusion = spec.experiment->conclude(spec, rows);
  const Json& trained = conclusion.summary.begin().value().at("trained_attention");
  CHECK(trained.at("mrr").at("mean").get<double>() == Approx((1 + 0.5 + 0.25 + 1) / 4));
  CHECK(trained.at("hits@1").at("mean") == 0.5);
  CHECK(trained.at("hits@3").at("mean") == 0.75);
  CHECK(trained.at("hits@10").at("mean") == 1);
  const Table& ranking = conclusion.tables.front();
  REQUIRE(ranking.rows.size() == 5);
  CHECK(ranking.rows[0][0].text == "trained_attention");
  CHECK(ranking.rows[0][5].text == "0.625");  // mean reciprocal rank for tails, whose ranks are 1 and 4
  CHECK(ranking.rows[0][6].text == "0.750");  // mean reciprocal rank for heads, whose ranks are 2 and 1
  CHECK(ranking.rows[1][0].text == "by cosine");
  CHECK(ranking.caption.find(rows[0].at("sha256")[2].get<std::string>()) != std::string::npos);
}

TEST_CASE("published figures are shown only for splits with the same digests", "[experiments][links]") {
  const Folder folder("published");
  const auto figures = folder.path / "figures.json";
  write(figures, R"({"sets": [{"sha256": ["a", "b", "c"],
                  "figures": [{"model": "M", "mrr": 0.5, "source": "s", "setup": "u"}]}]})");
  CHECK(published_figures(figures, {"a", "b", "c"}).size() == 1);
  CHECK(published_figures(figures, {"a", "b", "d"}).empty());
  const std::string figure = R"({"sets": [{"sha256": [], "figures": [{"model": "M", "source": "s")";
  for (const std::string& wrong : {std::string("{"), std::string("[]"), std::string(R"({"sets": 1})"),
                                   std::string(R"({"sets": [{"sha256": []}]})"), figure + "}]}]}",
                                   figure + R"(, "setup": "u", "mrr": "x"}]}]})"}) {
    write(figures, wrong);
    CHECK_THROWS_AS(published_figures(figures, {}), SpecError);
  }
}
