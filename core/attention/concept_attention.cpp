// SPDX-License-Identifier: MIT
// Attention to concepts over their embeddings: the methods concept_attention and local_concept_attention.
#include <algorithm>
#include <cmath>
#include <optional>

#include "core/embeddings/embedding_cache.hpp"
#include "core/embeddings/word_vectors.hpp"
#include "core/hopfield/modern_hopfield.hpp"
#include "core/index/concept_embedding.hpp"
#include "core/maps/simplex_map.hpp"
#include "core/methods/explanation.hpp"
#include "core/numbers/numeric.hpp"
#include "core/numbers/sparse_vector.hpp"
#include "core/single_precision/float_attention.hpp"

namespace engram::core {
namespace {

// p(beta scores) over the concepts that hold evidence; 0 for the others.
Vector map_over_holders(const MemoryIndex& memory, const Regulariser& map, double beta,
                        const Vector& scores) {
  const auto holders = memory.active_concepts();
  Vector weights = apply(map, scores, 1.0 / beta);
  if (map.map == SimplexMap::budget) weights /= sum(weights);
  Vector out = Vector::Zero(memory.concepts());
  for (std::size_t k = 0; k < holders.size(); ++k) out[holders[k]] = weights[static_cast<Index>(k)];
  return out;
}

bool is_of_links(const EmbeddingSpec& spec) {
  return spec.kind == EmbeddingKind::incidence && !spec.structure;
}

OptionError wrong_file(const WordVectorError& error) {
  return {"file", std::string("option 'file': ") + error.what()};
}

void check_embedding(const EmbeddingSpec& spec) {
  std::string_view option;
  const std::string_view rule = broken_rule(spec, option);
  if (!rule.empty())
    throw OptionError(std::string(option), "option '" + std::string(option) + "' " + std::string(rule));
}

// cos(x_i, sum_j cue_j x_j) for incidence embeddings, whose inner products are W with its diagonal.
Vector incidence_similarity(const MemoryIndex& memory, const Vector& cue) {
  Vector scores = memory.links().multiply(cue);
  for (Index i = 0; i < scores.size(); ++i) scores[i] += memory.activity(i) * cue[i];
  const double cue_square = dot(cue, scores);  // |sum_j cue_j x_j|^2
  for (Index i = 0; i < scores.size(); ++i) {
    // Two roots instead of one, because the product of two nearly forgotten activities would underflow.
    const double lengths = std::sqrt(memory.activity(i)) * std::sqrt(cue_square);
    scores[i] = lengths > 0 ? scores[i] / lengths : 0.0;
  }
  return scores;
}

// Incidence similarities of the concepts linked to the cue, bit by bit as above; all others are 0.
std::vector<SparseVector::Entry> linked_similarity(const MemoryIndex& memory, const SparseVector& cue) {
  SparseSums sums;
  cue.each([&](ConceptId j, double x) {
    const auto row = memory.links_of(j);
    charge(8 * row.size());
    for (const auto& [i, weight] : row) sums.add(i, weight * x);
  });
  cue.each([&](ConceptId j, double x) { sums.add(j, memory.activity(j) * x); });
  const SparseVector products(memory.concepts(), sums.ascending());
  const double query_length = std::sqrt(dot(cue, products));
  std::vector<SparseVector::Entry> scores;
  products.each([&](ConceptId i, double x) {
    const double lengths = std::sqrt(memory.activity(i)) * query_length;
    if (lengths > 0) scores.emplace_back(i, x / lengths);
  });
  return scores;
}

// sum_j cue_j x_j, divided by its largest component, so that its square fits a double.
Vector query_of(const Embedding& embedding, const SparseVector& cue) {
  charge(cue.held() * static_cast<std::uint64_t>(embedding.rows.cols()));
  Vector query = Vector::Zero(embedding.rows.cols());
  cue.each([&](ConceptId i, double x) { query += x * embedding.rows.row(i).transpose(); });
  double largest = 0;
  for (const double x : query) largest = std::max(largest, std::abs(x));
  if (largest > 0) query /= largest;
  return query;
}

// cos(x_i, sum_j cue_j x_j) for the rows of an embedding.
Vector embedded_similarity(const Embedding& embedding, const SparseVector& cue) {
  const Vector query = query_of(embedding, cue);
  const double query_length = std::sqrt(dot(query, query));
  if (embedding.directions)
    return query_length > 0 ? core::scores(*embedding.directions, query, 1 / query_length)
                            : Vector(Vector::Zero(embedding.rows.rows()));
  Vector scores = multiply(embedding.rows, query);
  for (Index i = 0; i < scores.size(); ++i) {
    // Two divisions, as above.
    const bool angle = embedding.lengths[i] > 0 && query_length > 0;
    scores[i] = angle ? scores[i] / embedding.lengths[i] / query_length : 0.0;
  }
  return scores;
}

/// Attention from the cue to the concepts, p(beta cos(x_i, sum_j cue_j x_j)), over embeddings x that are computed once
/// for each version of the memory (core/index/concept_embedding.hpp). With incidence embeddings (columns of D^1/2 A)
/// the inner products are the Hebbian links, so each score is a spreading step normalised by activity. With a
/// precision, the rows are stored as floats or bf16 (core/single_precision/float_store.hpp). Scores then differ by at
/// most 2 d 2^-24, and with bf16 by another 2^-8. Use a precision for very many concepts, when memory bandwidth limits
/// the speed.
struct ConceptAttentionRetriever : Retriever {
  double beta = 8;
  Regulariser map = default_map(SimplexMap::softmax);
  EmbeddingSpec embedding = {};
  /// Errors  OptionError for an unusable file of vectors
  Recall recall(const MemoryIndex& memory, const Cue& cue) const override try {
    const Vector of_holders = memory.over_active_concepts(similarity(memory, cue.activation));
    const Regulariser among = map.at_most(of_holders.size());
    Recall recall = from_concepts(memory, map_over_holders(memory, among, beta, of_holders));
    recall.iterations = 1;
    recall.certificate = certify_retrieval(among, of_holders, beta);
    return recall;
  } catch (const WordVectorError& error) {
    throw wrong_file(error);
  }
  /// The cosines (n).
  Vector similarity(const MemoryIndex& memory, const SparseVector& cue) const {
    return is_of_links(embedding) ? incidence_similarity(memory, cue)
                                  : embedded_similarity(*embedded(memory, embedding), cue);
  }
  ExplainerPtr explain(const MemoryIndex& memory, const Cue& cue, const Recall& recall) const override;
  void check() const override { check_embedding(embedding); }
};

// Explains attention over incidence embeddings, whose inner products are links.
class ConceptAttentionExplainer : public ConceptsExplainer {
 public:
  ConceptAttentionExplainer(const ConceptAttentionRetriever& retriever, const MemoryIndex& memory,
                            const Cue& cue, const Recall& recall)
      : ConceptsExplainer(memory, cue, recall),
        retriever_(retriever),
        similarity_(retriever.similarity(memory, cue.activation)) {}

  Explanation of_concept(ConceptId id) const override {
    Explanation why{recall_.concepts[id]};
    why.accounts.push_back(account("weight", why.score, {{"its weight by the map (below)", why.score}}));
    const Vector holders = memory_.over_active_concepts(similarity_);
    Index at = 0;
    for (Index i = 0; i < static_cast<Index>(id); ++i) at += memory_.activity(i) > 0 ? 1 : 0;
    const Regulariser map = retriever_.map.at_most(holders.size());
    if (why.score > 0) why.separation = separation_text(map, retriever_.beta, holders, at, why.score);
    add_links(why, id);
    return why;
  }

 private:
  // cos(x_i, sum_j cue_j x_j) = sum_j cue_j W_ij / (|x_i| |sum|), W with its diagonal.
  void add_links(Explanation& why, ConceptId id) const {
    std::vector<Account::Part> parts;
    ConceptId nearest = id;
    double most = 0, all = 0;
    const auto term = [&](ConceptId j, double w) {
      if (!(cue_[j] > 0) || !(w > 0)) return;
      parts.push_back({name(j) + ": evidence " + digits(w) + " together", cue_[j] * w});
      all += parts.back().amount;
      if (parts.back().amount > most) {
        most = parts.back().amount;
        nearest = j;
      }
    };
    const auto columns = memory_.links().columns_of(id);
    for (std::size_t k = 0; k < columns.size(); ++k) term(columns[k], memory_.links().values_of(id)[k]);
    term(id, memory_.activity(id));
    for (Account::Part& part : parts) part.amount *= all > 0 ? similarity_[id] / all : 0.0;
    why.accounts.push_back(
        account("similarity: evidence of being active together with the cue, over the "
                "lengths " +
                    digits(all > 0 ? all / similarity_[id] : 0),
                similarity_[id], parts));
    if (!(most > 0)) return;
    why.path.push_back(stop(nearest, ""));
    if (nearest != id) why.path.push_back(stop(id, "evidence " + digits(most) + " of being active together"));
  }

  ConceptAttentionRetriever retriever_;
  Vector similarity_;
};

ExplainerPtr ConceptAttentionRetriever::explain(const MemoryIndex& memory, const Cue& cue,
                                                const Recall& recall) const {
  if (!is_of_links(embedding)) return nullptr;
  return std::make_unique<ConceptAttentionExplainer>(*this, memory, cue, recall);
}

/// The method `concept_attention`, at the cost of the concepts that it reaches. Over incidence embeddings, unlinked
/// concepts have similarity 0:
///   sparse maps  The weights equal those of concept_attention: bit by bit if all concepts hold evidence, otherwise up to
///                the last digits. If the map may give weight to similarity 0, all concepts are read.
///   softmax      Weights are lower bounds of the softmax over all concepts. Recall::left_out has the error bounds.
/// For other embeddings an index finds most of the nearest concepts (core/embeddings/concept_index.hpp). The map is
/// applied to these alone.
struct LocalConceptAttentionRetriever : Retriever {
  double beta = ConceptAttentionRetriever{}.beta;
  Regulariser map = ConceptAttentionRetriever{}.map;
  EmbeddingSpec embedding = {.indexed = true};
  std::size_t neighbours = 32;  // chosen: several times the statements that a question gets
  std::size_t looks = 256;      // chosen: finds nearly all of the nearest
  void check() const override { check_embedding(embedding); }

  /// Errors  OptionError for an unusable file of vectors
  Recall recall(const MemoryIndex& memory, const Cue& cue) const override try {
    if (!is_of_links(embedding)) return from_nearest(memory, cue.activation);
    const Entries known = linked_similarity(memory, cue.activation);
    return map.map == SimplexMap::softmax ? by_softmax(memory, known) : by_threshold(memory, cue, known);
  } catch (const WordVectorError& error) {
    throw wrong_file(error);
  }

 private:
  using Entries = std::vector<SparseVector::Entry>;

  Recall by_threshold(const MemoryIndex& memory, const Cue& cue, const Entries& known) const {
    const Regulariser of_all = map.at_most(memory.concepts());
    const auto weights = weights_of_largest(of_all, memory.concepts(), known, 0, 1.0 / beta);
    if (weights) return of_weights(memory, *weights);
    const Reservation claim(memory.recall_bytes());
    ConceptAttentionRetriever exact;
    exact.beta = beta;
    exact.map = map;
    Recall recall = exact.recall(memory, cue);
    recall.certificate.reset();  // it is about similarities that this method does not compute
    return recall;
  }

  Recall by_softmax(const MemoryIndex& memory, const Entries& known) const {
    double top = 0;
    for (const auto& [i, score] : known) top = std::max(top, score);
    std::vector<double> terms;
    for (const auto& [i, score] : known) terms.push_back(exp(beta * (score - top)));
    const double other = exp(-beta * top),
                 others = other * static_cast<double>(memory.concepts() - static_cast<Index>(known.size()));
    const double most = sum(std::span<const double>(terms)) + others;
    Entries weights;
    std::vector<std::pair<double, double>> bounds;
    for (std::size_t k = 0; k < known.size(); ++k) {
      const double weight = terms[k] / most;
      weights.emplace_back(known[k].first, weight);
      bounds.emplace_back(weight, weight);  // the exact weights are larger by one common factor
    }
    Recall recall = of_weights(memory, {memory.concepts(), weights});
    recall.left_out = {others / most, certain_best(weights, bounds, other / most)};
    return recall;
  }

  Recall from_nearest(const MemoryIndex& memory, const SparseVector& cue) const {
    const auto rows = embedded(memory, embedding);
    const Vector query = query_of(*rows, cue);
    const double query_length = std::sqrt(dot(query, query));
    std::vector<ConceptId> near = rows->index->nearest(query, neighbours, looks);
    std::erase_if(near, [&](ConceptId i) { return !(memory.activity(i) > 0); });
    if (near.empty()) return no_recall(memory);
    Vector scores(static_cast<Index>(near.size()));
    for (std::size_t k = 0; k < near.size(); ++k)
      scores[static_cast<Index>(k)] =
          dot(row_span(rows->rows, near[k]), as_span(query)) / rows->lengths[near[k]] / query_length;
    const Vector p = apply(map.at_most(scores.size()), scores, 1.0 / beta);
    Entries weights;
    for (std::size_t k = 0; k < near.size(); ++k) weights.emplace_back(near[k], p[static_cast<Index>(k)]);
    return of_weights(memory, {memory.concepts(), weights});
  }

  Recall of_weights(const MemoryIndex& memory, const SparseVector& weights) const {
    Recall recall = from_concepts(memory, map.map == SimplexMap::budget ? weights / sum(weights) : weights);
    recall.iterations = 1;
    return recall;
  }
};

constexpr auto row_precisions = [] {
  std::array<NamedValue<std::optional<Precision>>, precisions.size() + 1> names;
  names.front() = {std::nullopt, "double"};
  std::ranges::transform(precisions, names.begin() + 1, [](const auto& row) {
    return NamedValue<std::optional<Precision>>{row.value, row.name};
  });
  return names;
}();

// The options that both methods have.
template <class R>
constexpr auto embedding_options = option_table(
    number_option<&R::beta>("beta", 1e-6, 1e6,
                            "inverse temperature: larger values prefer the best more sharply"),
    choice_option<embedding_kinds, &R::embedding, &EmbeddingSpec::kind>("embedding",
                                                                        "vectors of the concepts"),
    whole_option<&R::embedding, &EmbeddingSpec::dimensions>(
        "dimensions", 1, 4096,
        "length of the vectors (not for incidence and file); for svd and laplacian at most 256"),
    whole_option<&R::embedding, &EmbeddingSpec::seed>(
        "seed", 0, 9007199254740991.0,
        "seed of random_indexing, of the start of oja and sanger, and of roles"),
    whole_option<&R::embedding, &EmbeddingSpec::epochs>("epochs", 0, 10000,
                                                        "for oja and sanger: passes over all statements"),
    yes_or_no_option<&R::embedding, &EmbeddingSpec::structure>(
        "structure", "whether the vector of a compound also encodes its components in their roles"),
    text_option<&R::embedding, &EmbeddingSpec::file>(
        "file", "for the embedding file: vectors in word2vec's text format"));

constexpr auto concept_attention_options = option_table(
    embedding_options<ConceptAttentionRetriever>,
    choice_option<row_precisions, &ConceptAttentionRetriever::embedding, &EmbeddingSpec::precision>(
        "precision", "precision of the vectors in scores (not for incidence)"),
    simplex_map_options<&ConceptAttentionRetriever::map>());

constexpr auto local_concept_attention_options =
    option_table(embedding_options<LocalConceptAttentionRetriever>,
                 whole_option<&LocalConceptAttentionRetriever::neighbours>(
                     "neighbours", 1, 1e6, "not for incidence: number of nearest concepts from the index"),
                 whole_option<&LocalConceptAttentionRetriever::looks>(
                     "looks", 1, 1e6, "not for incidence: size of the candidate list of the index"),
                 simplex_map_options<&LocalConceptAttentionRetriever::map>());

}  // namespace

Method concept_attention_method() {
  return make_method<ConceptAttentionRetriever>(
      "concept_attention", "attention", "attention from the cue to the concepts, over their embeddings",
      concept_attention_options,
      {.support = Support::by_map,
       .no_sum =
           "similarity is a cosine of learnt or given vectors, whose directions are no concepts (with the "
           "embedding incidence it is a sum over links)"});
}

Method local_concept_attention_method() {
  return make_method<LocalConceptAttentionRetriever>(
      "local_concept_attention", "attention",
      "concept_attention at the cost of the concepts reached: equal with sparse maps, a certified top "
      "with softmax; other embeddings use an index of nearest vectors",
      local_concept_attention_options,
      {.support = Support::sparse,
       .is_local = true,
       .only_by_name = true,
       .no_sum = "its weights are those of concept_attention, or bounds of them: explain that with the same "
                 "options"});
}

}  // namespace engram::core
