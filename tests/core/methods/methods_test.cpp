// SPDX-License-Identifier: MIT
#include "core/methods/method.hpp"

#include "core/filters/rule_relevance.hpp"
#include "core/graph/link_learning.hpp"
#include "core/hopfield/dense_memory.hpp"
#include "core/hopfield/modern_hopfield.hpp"
#include "core/hopfield/sparse_hopfield.hpp"
#include "core/index/concept_embedding.hpp"
#include "core/walks/ecan.hpp"
#include "core/walks/page_rank.hpp"
#include "tests/core/samples.hpp"
#include "tests/support/text.hpp"

namespace engram::core {
namespace {

using namespace samples;

// The option and the message of the OptionError that a call throws; both empty if it throws none.
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

// Values in range that differ from the defaults if possible.
Options others(const Method& method) {
  Options given;
  for (const Option& option : method.options)
    given[option.name] = option.kind == OptionKind::text     ? OptionValue("elsewhere.txt")
                         : option.kind == OptionKind::choice ? OptionValue(option.choices.back())
                                                             : OptionValue(option.most);
  return given;
}

TEST_CASE("names of methods are unique, and so are option names within a method", "[methods]") {
  const std::set<std::string> families{"attention", "hopfield",       "hebbian walk",
                                       "search",    "premise filter", "floor"};
  std::set<std::string> names;
  for (const Method& method : methods()) {
    CHECK(names.insert(method.name).second);
    CHECK(families.count(method.family) == 1);
    CHECK_FALSE(method.summary.empty());
    CHECK(find_method(method.name) == &method);
    std::set<std::string> options;
    for (const Option& option : method.options) {
      CHECK(options.insert(option.name).second);
      CHECK_FALSE(option.meaning.empty());
    }
  }
  for (const std::string& name : testing::words_of(
           "attention sparsemax_attention argmax_attention local_attention proof_attention "
           "concept_attention local_concept_attention continuous_attention hopfield graph_spins "
           "dense_memory modern_hopfield trained_hopfield pagerank local_pagerank local_linear_ecan "
           "spreading_activation bidirectional_spreading shortest_path k_hop backward_chaining sine mepo "
           "nearest_questions ecan linear_ecan cosine overlap frequency uniform"))
    CHECK(names.count(name) == 1);
  CHECK(find_method("Attention") == nullptr);
  CHECK(find_method("") == nullptr);
}

TEST_CASE("all defaults are in range and configure a method", "[methods]") {
  Memory memory = told({"<tim --> cat>."});
  const MemoryIndex readings(memory);
  const Vector cue = cue_for(memory, term(memory, "tim")).activation;
  for (const Method& method : methods()) {
    INFO(method.name);
    const Options defaults = ConfiguredMethod(method).options();
    CHECK(defaults.size() == method.options.size());
    for (const Option& option : method.options) {
      CHECK(defaults.at(option.name) == option.default_value);
      if (option.kind == OptionKind::text) {
        CHECK(std::get<std::string>(option.default_value).empty());
      } else if (option.kind != OptionKind::choice) {
        CHECK(std::get<double>(option.default_value) >= option.least);
        CHECK(std::get<double>(option.default_value) <= option.most);
      } else {
        CHECK(std::get<std::string>(option.default_value) == option.choices.front());
      }
    }
    CHECK(ConfiguredMethod(method, defaults).options() == defaults);  // complete options stay the same
    CHECK(ConfiguredMethod(method).recall(readings, Cue(cue)).statements ==
          ConfiguredMethod(method, defaults).recall(readings, Cue(cue)).statements);
    CHECK(ConfiguredMethod(method, others(method)).options() == others(method));
  }
}

TEST_CASE("scores match the declared properties of a method", "[methods]") {
  Memory memory = told({"<tim --> cat>.", "<tom --> cat>.", "<cat --> animal>."});
  memory.advance(1000);
  for (const char* line : {"<rex --> dog>.", "<max --> dog>."})
    say(memory, line);  // these statements are not connected to the cue
  const MemoryIndex readings(memory);
  const Vector cue = cue_for(memory, term(memory, "tim")).activation;
  for (const Method& method : methods()) {
    INFO(method.name);
    const Recall recall = ConfiguredMethod(method).recall(readings, Cue(cue));
    const auto all = [](const Vector& scores) { return (scores.array() > 0).all(); };
    const bool dense = all(recall.concepts) || all(recall.statements);
    CHECK(recall.energies.empty() != method.has_energy);
    if (method.support != Support::by_map) {
      CHECK(dense == (method.support == Support::dense));
      continue;
    }
    const auto recalled = [&](const char* map) {
      const Recall by = ConfiguredMethod(method, {{"map", map}, {"beta", 100.0}}).recall(readings, Cue(cue));
      return all(by.concepts) || all(by.statements);
    };
    CHECK(recalled("softmax"));
    CHECK_FALSE(recalled("sparsemax"));
    CHECK_FALSE(recalled("argmax"));
  }
  const auto& pagerank = method_named("pagerank");
  CHECK((pagerank.reads_learner() && !pagerank.reads_file()));
  const auto& embedded = method_named("concept_attention");
  CHECK((embedded.reads_file() && !embedded.reads_learner()));
}

TEST_CASE("the defaults of a method are those of its algorithm", "[methods]") {
  const auto number = [](const char* method, const char* option) {
    return std::get<double>(ConfiguredMethod(method).options().at(option));
  };
  CHECK(number("ecan", "focus") == static_cast<double>(EcanOptions{}.focus));
  CHECK(number("bidirectional_spreading", "discount") == RelevanceOptions{}.discount);
  CHECK(ConfiguredMethod("sparsemax_attention").options().at("map") == OptionValue("sparsemax"));
}

TEST_CASE("options reach the algorithm", "[methods]") {
  Memory memory;
  for (const char* line : {"<tim --> cat>.", "<tom --> cat>. %1.0;0.5%", "<(*,tim,rex) --> chases>.",
                           "<rex --> dog>.", "<cat --> animal>. %1.0;0.3%"})
    say(memory, line);
  const MemoryIndex readings(memory);
  const Vector cue = cue_for(memory, term(memory, "<tim --> ?1>")).activation;
  const auto run = [&](const char* method, const Options& options) {
    return ConfiguredMethod(method, options).recall(readings, Cue(cue));
  };
  const auto same = [](const Recall& a, const Recall& b) {
    return a.concepts == b.concepts && a.statements == b.statements;
  };
  const auto links_by = [&](LinkRule rule) {
    return link_weights(rule, readings.links(), readings.activity(), readings.total());
  };
  const Vector query = readings.query(cue);
  Vector weights = Vector::Zero(readings.statements());
  recall_modern(readings.keys(), query, {3, SimplexMap::sparsemax, 2, -1}, query,
                [&](const Vector&, const Vector& p) { weights += p; });
  CHECK(run("attention", {{"beta", 3.0}, {"steps", 2.0}, {"map", "sparsemax"}}).statements == weights / 2.0);
  CHECK(same(run("attention", {{"map", "sparsemax"}}), run("sparsemax_attention", {})));
  CHECK(run("modern_hopfield", {{"beta", 3.0}, {"max_steps", 2.0}, {"map", "sparsemax"}}).statements ==
        recall_modern(readings.keys(), query, {3, SimplexMap::sparsemax, 2, 1e-12}).weights);
  for (const char* dynamics : {"async", "sync", "glauber"}) {
    const Recall spins = run("graph_spins", {{"dynamics", dynamics},
                                             {"threshold", 0.1},
                                             {"cue_strength", 0.5},
                                             {"max_sweeps", 7.0},
                                             {"temperature", 0.7},
                                             {"seed", 5.0},
                                             {"links", "cosine"}});
    const GraphSpinsRecall trace = recall_graph_spins(
        links_by(LinkRule::cosine), cue, {*value_named(spin_dynamics, dynamics), 0.1, 0.5, 7, 0.7, 5});
    CHECK(spins.energies == trace.energies);
    CHECK(spins.iterations == trace.sweeps);
  }
  CHECK(run("dense_memory", {{"n", 5.0}}).energies == recall_dense_episodes(readings.episodes(),
                                                                            readings.evidence(), cue,
                                                                            {EpisodeSeparation::rectified, 5})
                                                          .energies);
  CHECK(run("dense_memory", {{"separation", "exponential"}, {"beta", 2.5}}).energies ==
        recall_dense_episodes(readings.episodes(), readings.evidence(), cue,
                              {EpisodeSeparation::exponential, 3, 2.5})
            .energies);
  CHECK(run("pagerank", {{"damping", 0.5}}).concepts ==
        personalized_page_rank(readings.links(), cue, 0.5).rank);
  CHECK(run("spreading_activation",
            {{"passed_on", 0.5}, {"threshold", 0.2}, {"max_steps", 2.0}, {"links", "correlation"}})
            .concepts == spread_activation(links_by(LinkRule::correlation), cue, {0.5, 0.2, 2}).activation);
  CHECK(run("linear_ecan", {{"rent", 0.5}, {"spread", 0.3}, {"links", "cosine"}}).concepts ==
        linear_ecan(links_by(LinkRule::cosine), cue, 0.5, 0.3).sti);
  // Other tests check the results of these methods. Here each option must change the result.
  const auto each_changes = [&](const char* method, const Options& others, const Options& changes) {
    for (const auto& [option, value] : changes) {
      INFO(method << ' ' << option);
      Options changed = others;
      changed[option] = value;
      CHECK_FALSE(same(run(method, changed), run(method, others)));
    }
  };
  each_changes("hopfield", {}, {{"winners", 2.0}, {"cue_strength", 0.5}, {"couplings", "covariance"}});
  each_changes("ecan", {{"wage", 5.0}, {"focus", 3.0}, {"cycles", 7.0}},
               {{"wage", 6.0},
                {"rent", 0.5},
                {"conjunction", 0.7},
                {"max_spread", 0.3},
                {"focus", 1.0},
                {"cycles", 2.0}});
  each_changes("concept_attention", {{"embedding", "oja"}, {"dimensions", 4.0}},
               {{"beta", 3.0},
                {"map", "argmax"},
                {"embedding", "sanger"},
                {"dimensions", 3.0},
                {"seed", 5.0},
                {"epochs", 3.0},
                {"precision", "bf16"}});
  each_changes(
      "continuous_attention", {{"alpha", "3/2"}},
      {{"alpha", "2"}, {"beta", 3.0}, {"basis_functions", 5.0}, {"ridge", 0.5}, {"least_width", 0.4}});
}

namespace {

// A retriever with a field of each kind.
struct FieldsRetriever : Retriever {
  struct Part {
    std::array<double, 2> numbers{1, 5};
  };
  Part part;
  int whole = 2;
  bool answer = false;
  std::string text = "none";
  Recall recall(const MemoryIndex& memory, const Cue&) const override { return no_recall(memory); }
};

constexpr auto fields_options = option_table(
    number_option<&FieldsRetriever::part, &FieldsRetriever::Part::numbers, 0>("first", 0, 10, "a number"),
    whole_option<&FieldsRetriever::whole>("second", 0, 10, "a whole number"),
    yes_or_no_option<&FieldsRetriever::answer>("third", "a choice"),
    text_option<&FieldsRetriever::text>("fourth", "a text"));

}  // namespace

TEST_CASE("a table assigns each option to its own field only", "[methods]") {
  const Method method = make_method<FieldsRetriever>("fields", "", "", fields_options);
  const Options defaults = ConfiguredMethod(method).options();
  CHECK(defaults == Options{{"first", 1.0}, {"second", 2.0}, {"third", "no"}, {"fourth", "none"}});
  const Options others{{"first", 7.5}, {"second", 9.0}, {"third", "yes"}, {"fourth", "file"}};
  for (const auto& [name, value] : others) {
    CAPTURE(name);
    Options changed = defaults;
    changed[name] = value;
    FieldsRetriever made;
    assign_options(fields_options, changed, made);
    CHECK(made.part.numbers == std::array<double, 2>{name == "first" ? 7.5 : 1, 5});
    CHECK(made.whole == (name == "second" ? 9 : 2));
    CHECK(made.answer == (name == "third"));
    CHECK(made.text == (name == "fourth" ? "file" : "none"));
  }
}

TEST_CASE("an unknown method name is an error that suggests a similar name", "[methods]") {
  CHECK(&method_named("path_attention") == find_method("proof_attention"));
  CHECK(testing::message_of<std::invalid_argument>([] { method_named("atention"); }) ==
        "there is no method 'atention' (did you mean 'attention'?)");
  CHECK_INVALID(ConfiguredMethod("nothing of the kind"));
}

TEST_CASE("a value out of range is an error that names the range", "[methods]") {
  for (const Method& method : methods())
    for (const Option& option : method.options) {
      INFO(method.name << ' ' << option.name);
      std::vector<OptionValue> wrong;
      if (option.kind == OptionKind::text) {
        wrong = {1.0};
      } else if (option.kind != OptionKind::choice) {
        wrong = {option.least - 1, option.most * 2 + 1, infinity, -infinity, nan, std::string("8")};
        if (option.kind == OptionKind::whole) wrong.push_back(option.least + 0.5);
      } else {
        wrong = {std::string("nonsense"), std::string(), 1.0};
      }
      for (const OptionValue& value : wrong) {
        const auto [name, message] = option_error([&] {
          ConfiguredMethod(method, {{option.name, value}}).options();
        });
        CHECK(name == option.name);
        CHECK(mentions(message, "'" + option.name + "'"));
        CHECK(mentions(message, option.expected()));
      }
      if (option.kind == OptionKind::number || option.kind == OptionKind::whole) {
        CHECK_NOTHROW(ConfiguredMethod(method, {{option.name, option.least}}).options());
        CHECK_NOTHROW(ConfiguredMethod(method, {{option.name, option.most}}).options());
      }
    }
}

TEST_CASE("the expected values of an option are described in words", "[methods]") {
  const auto expected = [](const char* method, const char* name) {
    for (const Option& option : method_named(method).options)
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

TEST_CASE("options that exclude each other are an error", "[methods]") {
  const Method& method = method_named("concept_attention");
  const auto refused = [&](const Options& options) {
    return option_error([&] { ConfiguredMethod(method, options).options(); });
  };
  for (const char* kind : {"svd", "laplacian"}) {
    const auto [name, message] = refused({{"embedding", kind}, {"dimensions", 257.0}});
    CHECK(name == "dimensions");
    CHECK(mentions(message, "option 'dimensions' must be at most 256"));
    CHECK_NOTHROW(ConfiguredMethod(method, {{"embedding", kind}, {"dimensions", 256.0}}).options());
  }
  CHECK(refused({{"embedding", "file"}}).first == "file");
  CHECK_NOTHROW(ConfiguredMethod(method, {{"embedding", "file"}, {"file", "x"}}).options());
}

TEST_CASE("an unreadable file of vectors is an error of its option", "[methods]") {
  Memory memory = told({"<tim --> cat>."});
  const ConfiguredMethod method("concept_attention", {{"embedding", "file"}, {"file", "no such file"}});
  const auto [name, message] =
      option_error([&] { method.recall(MemoryIndex(memory), cue_for(memory, term(memory, "tim"))); });
  CHECK(name == "file");
  CHECK(message == "option 'file': no such file: cannot be read");
}

TEST_CASE("an unknown option is an error that lists the known options", "[methods]") {
  const auto [name, message] = option_error([] { ConfiguredMethod("pagerank", {{"dampng", 0.5}}); });
  CHECK(name == "dampng");
  CHECK(mentions(message, "'pagerank'"));
  CHECK(mentions(message, "it has damping"));
  const auto [other, none] = option_error([] { ConfiguredMethod("cosine", {{"beta", 8.0}}).options(); });
  CHECK(other == "beta");
  CHECK(mentions(none, "it has none"));
}

}  // namespace
}  // namespace engram::core
