// SPDX-License-Identifier: MIT
#include "core/methods/methods.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include "core/graph/link_rules.hpp"
#include "core/hopfield/dense_episodes.hpp"
#include "core/hopfield/graph_spins.hpp"
#include "core/hopfield/hopfield.hpp"
#include "core/retrieval/concept_embedding.hpp"
#include "core/retrieval/rule_relevance.hpp"
#include "core/walks/bidirectional_spreading.hpp"
#include "core/walks/ecan.hpp"
#include "core/walks/page_rank.hpp"
#include "core/walks/spreading_activation.hpp"
#include "tests/core/recalled.hpp"
#include "tests/core/samples.hpp"
#include "tests/support/catch.hpp"

namespace engram::core {
namespace {

using samples::say;

// The message and the option of the OptionError that a call throws; empty if it throws none.
template <class Call>
std::pair<std::string, std::string> option_error(Call call) {
  try {
    call();
  } catch (const OptionError& error) {
    return {error.option, error.what()};
  }
  return {};
}

bool mentions(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// Values in range, other than the default where there are any.
Options others(const Method& method) {
  Options given;
  for (const OptionFacts& option : method.options)
    given[option.name] = option.text              ? OptionValue("elsewhere.txt")
                         : option.choices.empty() ? OptionValue(option.most)
                                                  : OptionValue(option.choices.back());
  return given;
}

TEST_CASE("methods go by names of their own, and so do the options of each", "[core][methods]") {
  std::set<std::string> names;
  for (const Method& method : methods()) {
    CHECK(names.insert(method.name).second);
    CHECK_FALSE(method.family.empty());
    CHECK_FALSE(method.summary.empty());
    CHECK(find_method(method.name) == &method);
    std::set<std::string> options;
    for (const OptionFacts& option : method.options) {
      CHECK(options.insert(option.name).second);
      CHECK_FALSE(option.meaning.empty());
    }
  }
  for (const char* name :
       {"attention", "sparsemax_attention", "argmax_attention", "concept_attention", "continuous_attention",
        "hopfield", "graph_spins", "dense_memory", "modern_hopfield", "pagerank", "spreading_activation",
        "bidirectional_spreading", "ecan", "linear_ecan", "cosine", "overlap", "frequency", "uniform"})
    CHECK(names.count(name) == 1);
  CHECK(find_method("Attention") == nullptr);
  CHECK(find_method("") == nullptr);
}

TEST_CASE("every default is in its range and makes a retriever", "[core][methods]") {
  Memory memory;
  say(memory, "<tim --> cat>.");
  const Readings readings(memory);
  const Vector cue = cue_for(memory, samples::term(memory, "tim"));
  for (const Method& method : methods()) {
    INFO(method.name);
    const Options defaults = complete_options(method, {});
    CHECK(defaults.size() == method.options.size());
    for (const OptionFacts& option : method.options) {
      CHECK(defaults.at(option.name) == option.default_value);
      if (option.text) {
        CHECK(std::get<std::string>(option.default_value).empty());
      } else if (option.choices.empty()) {
        CHECK(std::get<double>(option.default_value) >= option.least);
        CHECK(std::get<double>(option.default_value) <= option.most);
      } else {
        CHECK(std::get<std::string>(option.default_value) == option.choices.front());
      }
    }
    CHECK(complete_options(method, defaults) == defaults);  // what is valid once is valid again
    CHECK(make_retriever(method)(readings, cue).statements ==
          make_retriever(method, defaults)(readings, cue).statements);
    CHECK(complete_options(method, others(method)) == others(method));
  }
}

TEST_CASE("what a method says of its scores is so", "[core][methods]") {
  Memory memory;
  for (const char* line : {"<tim --> cat>.", "<tom --> cat>.", "<cat --> animal>."}) say(memory, line);
  memory.advance(1000);
  for (const char* line : {"<rex --> dog>.", "<max --> dog>."}) say(memory, line);  // no way leads here
  const Readings readings(memory);
  const Vector cue = cue_for(memory, samples::term(memory, "tim"));
  for (const Method& method : methods()) {
    INFO(method.name);
    const Recall recall = make_retriever(method)(readings, cue);
    const auto all = [](const Vector& scores) { return (scores.array() > 0).all(); };
    const bool dense = all(recall.concepts) || all(recall.statements);
    CHECK(recall.energies.empty() != method.has_energy);
    if (method.support != Support::by_map) {
      CHECK(dense == (method.support == Support::dense));
      continue;
    }
    const auto recalled = [&](const char* map) {
      const Recall by = make_retriever(method, {{"map", map}, {"beta", 100.0}})(readings, cue);
      return all(by.concepts) || all(by.statements);
    };
    CHECK(recalled("softmax"));
    CHECK_FALSE(recalled("sparsemax"));
    CHECK_FALSE(recalled("argmax"));
  }
  const auto& pagerank = *find_method("pagerank");
  CHECK((pagerank.reads_learner() && !pagerank.reads_file()));
  const auto& embedded = *find_method("concept_attention");
  CHECK((embedded.reads_file() && !embedded.reads_learner()));
}

TEST_CASE("a method's defaults are those of the structs that its kernels have", "[core][methods]") {
  const auto number = [](const char* method, const char* option) {
    return std::get<double>(complete_options(*find_method(method), {}).at(option));
  };
  CHECK(number("ecan", "focus") == static_cast<double>(EcanOptions{}.focus));
  CHECK(number("graph_spins", "threshold") == GraphSpinsOptions{}.threshold);
  CHECK(number("dense_memory", "n") == DenseEpisodesOptions{}.n);
  CHECK(number("concept_attention", "dimensions") == EmbeddingSpec{}.dimensions);
  CHECK(number("bidirectional_spreading", "decay") == BidirectionalOptions{}.decay);
  CHECK(number("bidirectional_spreading", "discount") == RelevanceOptions{}.discount);
  CHECK(complete_options(*find_method("sparsemax_attention"), {}).at("map") == OptionValue("sparsemax"));
}

// A memory and a question, for what a method recalls and what its kernel gives.
struct Asked {
  Memory memory = samples::told({"<tim --> cat>.", "<tom --> cat>. %1.0;0.5%", "<(*,tim,rex) --> chases>.",
                                 "<rex --> dog>.", "<cat --> animal>. %1.0;0.3%"});
  Readings readings{memory};
  Vector cue = cue_for(memory, samples::term(memory, "<tim --> ?1>"));

  Recall run(const char* method, const Options& options) const {
    return samples::method(method, options)(readings, cue);
  }
  SparseRows links(LinkRule rule) const {
    return link_weights(rule, readings.links, readings.activity, readings.total);
  }
};

TEST_CASE("options reach the kernel: attention and modern Hopfield", "[core][methods]") {
  const Asked a;
  const Vector query = a.readings.query(a.cue);
  Vector mean = Vector::Zero(a.readings.statements());
  recall_modern(a.readings.keys, query, {3, SimplexMap::sparsemax, 2, -1.0}, query,
                [&](const Vector&, const Vector& weights) { mean += weights / 2; });
  const Recall attention = a.run("attention", {{"beta", 3.0}, {"steps", 2.0}, {"map", "sparsemax"}});
  CHECK(attention.statements == mean);
  const Recall by_map = a.run("attention", {{"map", "sparsemax"}});
  CHECK(by_map.statements == a.run("sparsemax_attention", {}).statements);
  CHECK(by_map.statements != a.run("attention", {}).statements);
  const Recall modern = a.run("modern_hopfield", {{"beta", 3.0}, {"max_steps", 2.0}, {"map", "sparsemax"}});
  CHECK(modern.statements ==
        recall_modern(a.readings.keys, query, {3, SimplexMap::sparsemax, 2, 1e-12}).weights);
  CHECK(modern.iterations == 2);
}

TEST_CASE("options reach the kernel: attention to concepts", "[core][methods]") {
  const Asked a;
  const auto weights = [&](const EmbeddingSpec& spec, double beta, const Regulariser& map) {
    const Matrix rows = embedded(a.readings, spec)->rows;
    const Vector query = rows.transpose() * a.cue;
    Vector cosines = rows * query / query.norm();
    for (Index i = 0; i < cosines.size(); ++i) cosines[i] /= std::max(rows.row(i).norm(), 1e-300);
    return apply(map, a.readings.of_holders(cosines), 1 / beta);
  };
  const auto run = [&](const Options& options) {
    return a.readings.of_holders(a.run("concept_attention", options).concepts);
  };
  const EmbeddingSpec indexed{EmbeddingKind::random_indexing, 32, 5, 3, true, "unread", Precision::bf16};
  CHECK(samples::distance(run({{"beta", 3.0},
                               {"map", "entmax"},
                               {"alpha", 1.7},
                               {"embedding", "random_indexing"},
                               {"dimensions", 32.0},
                               {"seed", 5.0},
                               {"epochs", 3.0},
                               {"structure", "yes"},
                               {"file", "unread"},
                               {"precision", "bf16"}}),
                          weights(indexed, 3, {SimplexMap::entmax, 1.7})) < 3 * std::ldexp(1, -7));
  for (const char* name : {"svd", "laplacian", "oja", "sanger"})
    CHECK(samples::distance(run({{"embedding", name}, {"dimensions", 4.0}, {"seed", 5.0}, {"epochs", 3.0}}),
                            weights({*value_named(embedding_kinds, name), 4, 5, 3}, 8, SimplexMap::softmax)) <
          1e-12);
}

TEST_CASE("options reach the kernel: spins, winners and dense memory", "[core][methods]") {
  const Asked a;
  const Readings& r = a.readings;
  SparseCouplings covariance{r.links, r.activity / r.total, Vector::Ones(r.concepts())};
  for (Index row = 0; row < covariance.together.rows(); ++row)
    for (double& value : covariance.together.values_of(row)) value /= r.total;
  const WinnersRecall winners = recall_winners(covariance, a.cue, 2, 0.5);
  const Recall hopfield =
      a.run("hopfield", {{"winners", 2.0}, {"cue_strength", 0.5}, {"couplings", "covariance"}});
  CHECK(hopfield.energies == winners.energies);
  CHECK((hopfield.concepts.array() > 0).count() <= 2);
  for (const char* dynamics : {"async", "sync", "glauber"}) {
    const GraphSpinsRecall spins = recall_graph_spins(
        a.links(LinkRule::cosine), a.cue, {*value_named(spin_dynamics, dynamics), 0.1, 0.5, 7, 0.7, 5});
    const Recall recall = a.run("graph_spins", {{"dynamics", dynamics},
                                                {"threshold", 0.1},
                                                {"cue_strength", 0.5},
                                                {"max_sweeps", 7.0},
                                                {"temperature", 0.7},
                                                {"seed", 5.0},
                                                {"links", "cosine"}});
    CHECK(recall.energies == spins.energies);
    CHECK(recall.iterations == spins.sweeps);
    for (Index i = 0; i < r.concepts(); ++i) CHECK((recall.concepts[i] > 0) == (spins.active[i] > 0));
  }
  const auto dense = [&](EpisodeSeparation separation, unsigned n, double beta) {
    return recall_dense_episodes(r.episodes, r.evidence, a.cue, {separation, n, beta}).energies;
  };
  CHECK(a.run("dense_memory", {{"n", 4.0}}).energies == dense(EpisodeSeparation::rectified, 4, 8));
  CHECK(a.run("dense_memory", {{"separation", "exponential"}, {"beta", 2.5}}).energies ==
        dense(EpisodeSeparation::exponential, 5, 2.5));
}

TEST_CASE("options reach the kernel: walks", "[core][methods]") {
  const Asked a;
  const Vector ranked = a.run("pagerank", {{"damping", 0.5}}).concepts;
  CHECK(ranked == personalized_page_rank(a.readings.links, a.cue, 0.5).rank);
  CHECK(ranked != a.run("pagerank", {}).concepts);
  CHECK(a.run("spreading_activation",
              {{"passed_on", 0.5}, {"threshold", 0.2}, {"max_steps", 2.0}, {"links", "correlation"}})
            .concepts == spread_activation(a.links(LinkRule::correlation), a.cue, {0.5, 0.2, 2}).activation);
  CHECK(a.run("linear_ecan", {{"rent", 0.5}, {"spread", 0.3}, {"links", "cosine"}}).concepts ==
        linear_ecan(a.links(LinkRule::cosine), a.cue, 0.5, 0.3).sti);
}

TEST_CASE("options reach the kernel: an economy of attention", "[core][methods]") {
  const Asked a;
  const Readings& r = a.readings;
  Matrix strengths = samples::dense(r.links);
  for (Index i = 0; i < strengths.rows(); ++i)  // the share that both were active in, of what either was
    for (Index j = 0; j < strengths.cols(); ++j)
      if (const double both = strengths(i, j); both > 0)
        strengths(i, j) = both / std::max(r.activity[i] + r.activity[j] - both, both);
  Ecan network(samples::sparse(strengths), 1000, 1, {0.5, 0.7, 0.3, 3});
  for (int t = 0; t < 7; ++t) {
    const double wage = BankPolicy{500, 500}.wage(5, network.funds());
    for (Index i = 0; i < a.cue.size(); ++i)
      if (a.cue[i] > 0) network.stimulate(i, wage * a.cue[i] / a.cue.sum());
    network.cycle();
  }
  const Vector sti = network.sti().cwiseMax(0.0);
  const Recall recall = a.run("ecan", {{"wage", 5.0},
                                       {"rent", 0.5},
                                       {"conjunction", 0.7},
                                       {"max_spread", 0.3},
                                       {"focus", 3.0},
                                       {"cycles", 7.0}});
  CHECK(samples::distance(recall.concepts, Vector(sti / sti.sum())) < 1e-12);
}

TEST_CASE("a number outside its range is refused, and the range named", "[core][methods]") {
  for (const Method& method : methods())
    for (const OptionFacts& option : method.options) {
      INFO(method.name << ' ' << option.name);
      std::vector<OptionValue> wrong;
      if (option.text) {
        wrong = {1.0};
      } else if (option.choices.empty()) {
        constexpr double infinity = std::numeric_limits<double>::infinity();
        wrong = {option.least - 1,
                 option.most * 2 + 1,
                 infinity,
                 -infinity,
                 std::numeric_limits<double>::quiet_NaN(),
                 std::string("8")};
        if (option.whole) wrong.push_back(option.least + 0.5);
      } else {
        wrong = {std::string("nonsense"), std::string(), 1.0};
      }
      for (const OptionValue& value : wrong) {
        const auto [name, message] = option_error([&] { complete_options(method, {{option.name, value}}); });
        CHECK(name == option.name);
        CHECK(mentions(message, "'" + option.name + "'"));
        CHECK(mentions(message, option.expected()));
      }
      if (option.choices.empty() && !option.text) {
        CHECK_NOTHROW(complete_options(method, {{option.name, option.least}}));
        CHECK_NOTHROW(complete_options(method, {{option.name, option.most}}));
      }
    }
}

TEST_CASE("what is expected is said in words", "[core][methods]") {
  const auto expected = [](const char* method, const char* name) {
    for (const OptionFacts& option : find_method(method)->options)
      if (option.name == name) return option.expected();
    return std::string();
  };
  CHECK(expected("attention", "steps") == "a whole number in [1, 100]");
  CHECK(expected("pagerank", "damping") == "a number in [0, 0.999]");
  CHECK(expected("attention", "map") == "one of softmax, sparsemax, entmax, normmax, budget, argmax");
  CHECK(expected("sparsemax_attention", "map") ==
        "one of sparsemax, softmax, entmax, normmax, budget, argmax");
  CHECK(expected("concept_attention", "file") == "a text");
  CHECK(expected("hopfield", "couplings") == "one of correlation, covariance");
}

TEST_CASE("options that do not go together are refused", "[core][methods]") {
  const Method& method = *find_method("concept_attention");
  const auto refused = [&](const Options& options) {
    return option_error([&] { complete_options(method, options); });
  };
  for (const char* kind : {"svd", "laplacian"}) {
    const auto [name, message] = refused({{"embedding", kind}, {"dimensions", 257.0}});
    CHECK(name == "dimensions");
    CHECK(mentions(message, "option 'dimensions' must be at most 256"));
    CHECK_NOTHROW(complete_options(method, {{"embedding", kind}, {"dimensions", 256.0}}));
  }
  CHECK(refused({{"embedding", "file"}}).first == "file");
  CHECK_NOTHROW(complete_options(method, {{"embedding", "file"}, {"file", "x"}}));
}

TEST_CASE("a file that an option names is told apart where it is wrong", "[core][methods]") {
  Memory memory;
  say(memory, "<tim --> cat>.");
  const AnyRetriever retriever =
      make_retriever(*find_method("concept_attention"), {{"embedding", "file"}, {"file", "no such file"}});
  const auto [name, message] =
      option_error([&] { retriever(Readings(memory), cue_for(memory, samples::term(memory, "tim"))); });
  CHECK(name == "file");
  CHECK(message == "option 'file': no such file: cannot be read");
}

TEST_CASE("an option that a method does not have is refused, and those it has named", "[core][methods]") {
  const auto [name, message] = option_error([] {
    make_retriever(*find_method("pagerank"), {{"dampng", 0.5}});
  });
  CHECK(name == "dampng");
  CHECK(mentions(message, "'pagerank'"));
  CHECK(mentions(message, "it has damping"));
  const auto [other, none] = option_error([] { complete_options(*find_method("cosine"), {{"beta", 8.0}}); });
  CHECK(other == "beta");
  CHECK(mentions(none, "it has none"));
}

}  // namespace
}  // namespace engram::core
