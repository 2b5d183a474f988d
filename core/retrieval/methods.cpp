// SPDX-License-Identifier: MIT
#include "core/retrieval/methods.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/embeddings/concept_embedding.hpp"
#include "core/embeddings/word_vectors.hpp"
#include "core/retrieval/bidirectional_retriever.hpp"
#include "core/retrieval/retrievers.hpp"
#include "core/retrieval/spin_retrievers.hpp"
#include "narsese/printer.hpp"

namespace engram::core {
namespace {

double number(const Options& options, const char* name) { return std::get<double>(options.at(name)); }
int whole(const Options& options, const char* name) { return static_cast<int>(number(options, name)); }
const std::string& word(const Options& options, const char* name) {
  return std::get<std::string>(options.at(name));
}
Regulariser map_option(const Options& options) {
  return {*simplex_map_named(word(options, "map")), number(options, "alpha"),
          static_cast<Index>(number(options, "k"))};
}

OptionFacts number_option(std::string name, std::string meaning, double value, double least, double most) {
  return {std::move(name), std::move(meaning), value, least, most, false, {}};
}
OptionFacts whole_option(std::string name, std::string meaning, double value, double least, double most) {
  return {std::move(name), std::move(meaning), value, least, most, true, {}};
}
OptionFacts choice_option(std::string name, std::string meaning, std::vector<std::string> choices) {
  const std::string first = choices.front();
  return {std::move(name), std::move(meaning), first, 0, 0, false, std::move(choices)};
}
OptionFacts text_option(std::string name, std::string meaning) {
  return {std::move(name), std::move(meaning), std::string(), 0, 0, false, {}, true};
}

// The names in a table of facts.
template <class Table>
std::vector<std::string> names_of(const Table& table) {
  std::vector<std::string> names;
  for (const auto& row : table) names.emplace_back(row.name);
  return names;
}

OptionFacts beta_option(double value) {
  return number_option("beta", "inverse temperature: how sharply the best are preferred", value, 1e-6, 1e6);
}
// The map by which a method is known comes first and is the default; after it, what the maps read.
std::vector<OptionFacts> with_map_options(std::vector<OptionFacts> options, SimplexMap first) {
  std::vector<std::string> names{std::string(facts(first).name)};
  for (const SimplexMapFacts& map : simplex_maps)
    if (map.map != first) names.emplace_back(map.name);
  options.push_back(choice_option("map", "from scores to a distribution", names));
  options.push_back(
      number_option("alpha", "of entmax (towards 1: softmax; 2: sparsemax) and normmax", 1.5, 1.001, 1000));
  options.push_back(whole_option("k", "of budget: how many may be chosen at once", 4, 1, 1e6));
  return options;
}

OptionFacts yes_option(std::string name, std::string meaning) {
  return choice_option(std::move(name), std::move(meaning), {"yes", "no"});
}

std::vector<OptionFacts> attention_options(SimplexMap map) {
  return with_map_options(
      {beta_option(8), whole_option("steps", "hops: how often what was found is attended from", 3, 1, 100),
       yes_option("inverse_frequency", "whether rare concepts weigh more")},
      map);
}
AnyRetriever make_attention(const Options& o) {
  return any_retriever(AttentionRetriever{number(o, "beta"), whole(o, "steps"), map_option(o),
                                          word(o, "inverse_frequency") == "yes"});
}

std::vector<OptionFacts> embedding_options() {
  const EmbeddingSpec spec;
  return {
      choice_option("embedding", "rows that stand for concepts", names_of(embedding_kinds())),
      whole_option("dimensions", "of the rows, but for incidence and file; svd, laplacian: 256 at most",
                   spec.dimensions, 1, 4096),
      whole_option("seed", "of random_indexing, of what oja and sanger begin with, and of roles",
                   static_cast<double>(spec.seed), 0, 9007199254740991.0),
      whole_option("epochs", "of oja and sanger: how often they see every statement", spec.epochs, 0, 10000),
      choice_option("structure", "whether compounds are embedded by their components in their roles, too",
                    {"no", "yes"}),
      text_option("file", "of embedding file: vectors in word2vec's text format")};
}

std::vector<OptionFacts> concept_attention_options() {
  std::vector<OptionFacts> options{beta_option(8)};
  for (OptionFacts& option : embedding_options()) options.push_back(std::move(option));
  options.push_back(
      choice_option("precision", "of the rows as scores read them, but for incidence",
                    {"double", std::string(name(Precision::float32)), std::string(name(Precision::bf16))}));
  return with_map_options(std::move(options), SimplexMap::softmax);
}

EmbeddingSpec embedding_option(const Options& o) {
  return {*embedding_kind_named(word(o, "embedding")),
          whole(o, "dimensions"),
          static_cast<std::uint64_t>(number(o, "seed")),
          whole(o, "epochs"),
          word(o, "structure") == "yes",
          word(o, "file"),
          precision_named(word(o, "precision"))};
}

void check_embedding(const Options& o) {
  std::string_view option;
  const std::string_view rule = broken_rule(embedding_option(o), option);
  if (!rule.empty())
    throw OptionError(std::string(option), "option '" + std::string(option) + "' " + std::string(rule));
}

AnyRetriever make_concept_attention(const Options& o) {
  const AnyRetriever retriever =
      any_retriever(ConceptAttentionRetriever{number(o, "beta"), map_option(o), embedding_option(o)});
  return [retriever](const Readings& memory, const Cue& cue) {
    try {
      return retriever(memory, cue);
    } catch (const WordVectorError& error) {
      throw OptionError("file", std::string("option 'file': ") + error.what());
    }
  };
}

AnyRetriever make_hopfield(const Options& o) {
  return any_retriever(HopfieldRetriever{whole(o, "winners"), number(o, "cue_strength"),
                                         word(o, "couplings") == "correlation"});
}

AnyRetriever make_graph_spins(const Options& o) {
  GraphSpinsOptions options;
  options.dynamics = *spin_dynamics_named(word(o, "dynamics"));
  options.threshold = number(o, "threshold");
  options.cue_strength = number(o, "cue_strength");
  options.max_sweeps = whole(o, "max_sweeps");
  options.temperature = number(o, "temperature");
  options.seed = static_cast<std::uint64_t>(number(o, "seed"));
  return any_retriever(GraphSpinsRetriever{options, *link_rule_named(word(o, "links"))});
}

std::vector<OptionFacts> graph_spins_options() {
  const GraphSpinsOptions d;
  return {choice_option("dynamics", "spins one by one, all at once, or at a temperature",
                        names_of(spin_dynamics)),
          number_option("threshold", "share of its neighbourhood with which a concept becomes active",
                        d.threshold, 0, 1),
          number_option("cue_strength",
                        "what the cue counts for, in neighbourhoods; it is held from the threshold on",
                        d.cue_strength, 0, 1e6),
          whole_option("max_sweeps", "over all spins; of glauber so many", d.max_sweeps, 1, 10000),
          number_option("temperature", "of glauber, in mean neighbourhoods; with a threshold above 1/2",
                        d.temperature, 1e-6, 1e6),
          whole_option("seed", "of glauber", static_cast<double>(d.seed), 0, 9007199254740991.0),
          choice_option("links", "how they are weighed; all but hebb hold hubs back",
                        {"correlation", "covariance", "cosine", "hebb"})};
}

AnyRetriever make_dense_memory(const Options& o) {
  return any_retriever(DenseMemoryRetriever{*episode_separation_named(word(o, "separation")), whole(o, "n"),
                                            number(o, "beta")});
}

AnyRetriever make_modern_hopfield(const Options& o) {
  return any_retriever(ModernHopfieldRetriever{number(o, "beta"), whole(o, "max_steps"), map_option(o)});
}

// The value of a choice such as "4/3".
double alpha_option(const Options& options) {
  const std::string& name = word(options, "alpha");
  return name == "4/3" ? 4.0 / 3 : name == "3/2" ? 1.5 : name == "2" ? 2.0 : 1.0;
}

AnyRetriever make_continuous_attention(const Options& o) {
  return any_retriever(ContinuousAttentionRetriever{alpha_option(o), number(o, "beta"),
                                                    whole(o, "basis_functions"), number(o, "ridge"),
                                                    number(o, "least_width")});
}

// Rules of choice over what is counted, and what the memory's own rule has learnt.
OptionFacts links_option() {
  std::vector<std::string> names = names_of(link_rules);
  names.emplace_back("learnt");
  return choice_option("links", "how they are weighed; all but hebb hold hubs back; learnt: memory.learning",
                       std::move(names));
}

// The retriever, with a word on the option where the memory has learnt nothing.
AnyRetriever walking(AnyRetriever retriever) {
  return [retriever = std::move(retriever)](const Readings& memory, const Cue& cue) {
    try {
      return retriever(memory, cue);
    } catch (const NoLearner&) {
      throw OptionError("links", "option 'links': the memory learns by no rule (memory.learning)");
    }
  };
}

AnyRetriever make_page_rank(const Options& o) {
  return walking(any_retriever(PageRankRetriever{number(o, "damping"), link_rule_named(word(o, "links"))}));
}

AnyRetriever make_spreading_activation(const Options& o) {
  return walking(
      any_retriever(SpreadingActivationRetriever{number(o, "passed_on"), number(o, "threshold"),
                                                 whole(o, "max_steps"), link_rule_named(word(o, "links"))}));
}

AnyRetriever make_ecan(const Options& o) {
  const EcanOptions options{number(o, "rent"), number(o, "conjunction"), number(o, "max_spread"),
                            static_cast<std::size_t>(number(o, "focus"))};
  return any_retriever(EcanRetriever{number(o, "wage"), options, whole(o, "cycles")});
}

AnyRetriever make_linear_ecan(const Options& o) {
  return walking(any_retriever(
      LinearEcanRetriever{number(o, "rent"), number(o, "spread"), link_rule_named(word(o, "links"))}));
}

std::vector<OptionFacts> bidirectional_options() {
  const BidirectionalOptions spreading;
  const RelevanceOptions relevance;
  return {
      whole_option("steps", "statements that a path between the ends has at most", spreading.steps, 1, 20),
      number_option("decay", "of a path's worth, for every statement more", spreading.decay, 1e-3, 1),
      number_option("other_joints", "weight of joints that no rule has", spreading.other_joints, 0, 1),
      number_option("fan", "concepts in more statements than this share out", spreading.fan, 1, 1e6),
      number_option("threshold", "pulses below it stop", spreading.threshold, 1e-9, 1),
      whole_option("focus", "the best statements, with which rules are to unify", 32, 1, 1000),
      number_option("discount", "of what comes by way of another rule", relevance.discount, 0, 1),
      whole_option("rule_steps", "how far it goes from rule to rule", relevance.steps, 0, 20),
      yes_option("inverse_frequency", "whether concepts share out among their statements at all"),
      yes_option("belief", "the prior: whether what is denied conducts less"),
      whole_option("visits", "statements looked at from each end, at most",
                   static_cast<double>(spreading.visits), 1, 1e9),
      yes_option("words", "whether the question's form is used, or its concepts alone"),
      yes_option("unification", "whether rules are matched, or nothing but words")};
}

AnyRetriever make_bidirectional_spreading(const Options& o) {
  return any_retriever(bidirectional_spreading(o));
}

template <class R>
AnyRetriever make_plain(const Options&) {
  return any_retriever(R{});
}

const std::vector<Method>& table() {
  static const std::vector<Method> all{
      {"attention", "attention", "attention from the cue to the statements, hop by hop, the cue kept",
       attention_options(SimplexMap::softmax), make_attention},
      {"entmax_attention", "attention", "the same with entmax: the unlikely get exactly nothing",
       attention_options(SimplexMap::entmax), make_attention},
      {"sparsemax_attention", "attention", "the same with sparsemax: most statements get exactly nothing",
       attention_options(SimplexMap::sparsemax), make_attention},
      {"argmax_attention", "attention", "the same with argmax: one statement a hop (hard attention)",
       attention_options(SimplexMap::argmax), make_attention},
      {"concept_attention", "attention", "attention from the cue to the concepts, over their embeddings",
       concept_attention_options(), make_concept_attention, check_embedding},
      {"continuous_attention",
       "attention",
       "attention to a stretch of the event history: when it was, and what was active then",
       {choice_option("alpha", "the density: 2 a parabola, 3/2, 4/3 smoother ends, 1 a Gaussian",
                      {"2", "3/2", "4/3", "1"}),
        beta_option(32), whole_option("basis_functions", "of the curve through the events", 16, 1, 128),
        number_option("ridge", "how stiff that curve is", 0.1, 1e-6, 1e6),
        number_option("least_width", "of the density, as a share of the history", 0.02, 1e-6, 1)},
       make_continuous_attention},
      {"hopfield",
       "hopfield",
       "classical Hopfield on the Hebbian graph: sparse 0/1 units, k winners",
       {whole_option("winners", "active units; 0: the cue's and a statement's worth more", 0, 0, 1e6),
        number_option("cue_strength", "external field on the cue's units", 1, 0, 1e6),
        choice_option("couplings", "learnt weights: centred, and for correlation scaled to unit variance",
                      {"correlation", "covariance"})},
       make_hopfield},
      {"graph_spins", "hopfield",
       "classical Hopfield on the Hebbian graph: spins that follow a share of their links",
       graph_spins_options(), make_graph_spins},
      {"dense_memory",
       "hopfield",
       "dense associative memory over the statements, by steepest descent",
       {choice_option("separation", "of overlaps: a power of those above 0, or e to beta times them",
                      names_of(episode_separations)),
        whole_option("n", "of rectified: the power", 5, 1, 30),
        number_option("beta", "of exponential", 8, 1e-3, 100)},
       make_dense_memory},
      {"modern_hopfield", "hopfield", "modern Hopfield over the statements, iterated until it stands still",
       with_map_options({beta_option(16), whole_option("max_steps", "iterations at most", 100, 1, 10000)},
                        SimplexMap::softmax),
       make_modern_hopfield},
      {"pagerank",
       "baseline",
       "Personalized PageRank on the Hebbian graph",
       {number_option("damping", "chance to follow a link rather than restart", 0.85, 0, 0.999),
        links_option()},
       make_page_rank},
      {"spreading_activation",
       "baseline",
       "waves of activation from the cue along the Hebbian links, until they are faint",
       {number_option("passed_on", "share of a pulse that goes on to the neighbours", 0.85, 0, 0.999),
        number_option("threshold", "pulses below it stop", 1e-4, 0, 1),
        whole_option("max_steps", "of a wave", 100, 1, 10000), links_option()},
       make_spreading_activation},
      {"bidirectional_spreading", "attention",
       "spreading from both ends of the cue; rules that unify with what lies between",
       bidirectional_options(), make_bidirectional_spreading},
      {"ecan",
       "baseline",
       "an economy of attention: wages to the cue, rent, learning links, diffusion",
       {number_option("wage", "a cycle, of the 1000 that the bank owns", 10, 1e-3, 100),
        number_option("rent", "rate, of the logarithm of what is owned", 0.8, 0, 100),
        number_option("conjunction", "what a link comes to of the conjunction of its ends", 0.35, 0, 1),
        number_option("max_spread", "share that goes to the neighbours a cycle, at most", 0.4, 0, 1),
        whole_option("focus", "the richest that spread and learn; 0: all", 0, 0, 1e6),
        whole_option("cycles", "until it is read", 20, 1, 10000)},
       make_ecan},
      {"linear_ecan",
       "baseline",
       "the same in proportion, solved: wages and rent at their balance, on a lazy walk",
       {number_option("rent", "share paid a cycle", 0.25, 1e-3, 1),
        number_option("spread", "share that goes to the neighbours a cycle", 0.4, 0, 1), links_option()},
       make_linear_ecan},
      {"cosine",
       "baseline",
       "exact cosine of cue and statement, rare concepts weighing more",
       {},
       make_plain<CosineRetriever>},
      {"overlap",
       "baseline",
       "word overlap: concepts in common over concepts in either",
       {},
       make_plain<OverlapRetriever>},
      {"frequency",
       "baseline",
       "how much was experienced, whatever the cue",
       {},
       make_plain<FrequencyRetriever>},
      {"uniform", "baseline", "the same for all: the floor", {}, make_plain<UniformRetriever>},
  };
  return all;
}

void check_value(const OptionFacts& option, const OptionValue& value) {
  bool fits = false;
  if (const double* x = std::get_if<double>(&value))
    fits = option.choices.empty() && !option.text && *x >= option.least && *x <= option.most &&
           (!option.whole || *x == std::floor(*x));
  else
    fits = option.text ||
           std::ranges::find(option.choices, std::get<std::string>(value)) != option.choices.end();
  if (!fits) throw OptionError(option.name, "option '" + option.name + "' must be " + option.expected());
}

}  // namespace

BidirectionalSpreadingRetriever bidirectional_spreading(const Options& o) {
  return {{whole(o, "steps"), number(o, "decay"), number(o, "other_joints"), number(o, "fan"),
           number(o, "threshold"), word(o, "inverse_frequency") == "yes", word(o, "belief") == "yes",
           static_cast<std::size_t>(number(o, "visits"))},
          {number(o, "discount"), whole(o, "rule_steps")},
          whole(o, "focus"),
          word(o, "words") == "yes",
          word(o, "unification") == "yes"};
}

std::string OptionFacts::expected() const {
  if (text) return "a text";
  if (choices.empty())
    return std::string(whole ? "a whole number" : "a number") + " in [" + narsese::print_number(least) +
           ", " + narsese::print_number(most) + "]";
  std::string list = "one of ";
  for (std::size_t i = 0; i < choices.size(); ++i) list += (i > 0 ? ", " : "") + choices[i];
  return list;
}

std::span<const Method> methods() { return table(); }

const Method* find_method(std::string_view name) {
  for (const Method& method : table())
    if (method.name == name) return &method;
  return nullptr;
}

Options complete_options(const Method& method, const Options& given) {
  Options complete;
  for (const OptionFacts& option : method.options) complete[option.name] = option.default_value;
  for (const auto& [name, value] : given) {
    const auto option = std::ranges::find(method.options, name, &OptionFacts::name);
    if (option == method.options.end()) {
      std::string known;
      for (const OptionFacts& o : method.options) known += (known.empty() ? "" : ", ") + o.name;
      throw OptionError(name, "method '" + method.name + "' has no option '" + name + "'; it has " +
                                  (known.empty() ? "none" : known));
    }
    check_value(*option, value);
    complete[name] = value;
  }
  if (method.check != nullptr) method.check(complete);
  return complete;
}

AnyRetriever make_retriever(const Method& method, const Options& given) {
  return method.make(complete_options(method, given));
}

std::string nearest_name(std::string_view name, std::span<const std::string> candidates) {
  std::string best;
  std::size_t best_distance = name.size() / 2 + 1;
  for (const std::string& candidate : candidates) {
    std::vector<std::size_t> row(candidate.size() + 1);  // Levenshtein, one row at a time
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 0; i < name.size(); ++i) {
      std::size_t diagonal = row[0];
      row[0] = i + 1;
      for (std::size_t j = 0; j < candidate.size(); ++j) {
        const std::size_t changed = diagonal + (name[i] != candidate[j] ? 1 : 0);
        diagonal = row[j + 1];
        row[j + 1] = std::min({changed, row[j] + 1, row[j + 1] + 1});
      }
    }
    if (row.back() < best_distance) {
      best_distance = row.back();
      best = candidate;
    }
  }
  return best;
}

}  // namespace engram::core
