// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "core/embeddings/embedding_cache.hpp"
#include "core/embeddings/word_vectors.hpp"
#include "core/maps/simplex_map.hpp"
#include "core/maps/sparse_weights.hpp"
#include "core/methods/declaration.hpp"
#include "core/methods/explanation_parts.hpp"
#include "core/numbers/numeric.hpp"
#include "core/numbers/sparse_sums.hpp"
#include "core/retrieval/concept_embedding.hpp"
#include "core/single_precision/float_attention.hpp"

namespace engram::core {
namespace {

// p(beta scores) over the concepts that hold activation; 0 for the others.
Vector map_over_holders(const MemoryIndex& memory, const Regulariser& map, double beta,
                        const Vector& scores) {
  const auto holders = memory.holders();
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
    // Root by root: the product of two activities that are all but forgotten would be 0.
    const double lengths = std::sqrt(memory.activity(i)) * std::sqrt(cue_square);
    scores[i] = lengths > 0 ? scores[i] / lengths : 0.0;
  }
  return scores;
}

// The same of what the cue's links lead to, bit by bit: of all others it is 0.
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

// sum_j cue_j x_j over its largest number: its length has no meaning, and its square must be a double.
Vector query_of(const Embedding& embedding, const SparseVector& cue) {
  charge(cue.held() * static_cast<std::uint64_t>(embedding.rows.cols()));
  Vector query = Vector::Zero(embedding.rows.cols());
  cue.each([&](ConceptId i, double x) { query += x * embedding.rows.row(i).transpose(); });
  double largest = 0;
  for (const double x : query) largest = std::max(largest, std::abs(x));
  if (largest > 0) query /= largest;
  return query;
}

// The same for rows that are there.
Vector embedded_similarity(const Embedding& embedding, const SparseVector& cue) {
  const Vector query = query_of(embedding, cue);
  const double query_length = std::sqrt(dot(query, query));
  if (embedding.directions)
    return query_length > 0 ? core::scores(*embedding.directions, query, 1 / query_length)
                            : Vector(Vector::Zero(embedding.rows.rows()));
  Vector scores = multiply(embedding.rows, query);
  for (Index i = 0; i < scores.size(); ++i) {
    // Length by length, as above.
    const bool angle = embedding.lengths[i] > 0 && query_length > 0;
    scores[i] = angle ? scores[i] / embedding.lengths[i] / query_length : 0.0;
  }
  return scores;
}

/// Attention from the cue to the concepts: p(beta cos(x_i, sum_j cue_j x_j)) over embeddings x
/// (core/retrieval/concept_embedding.hpp), which are worked out once for the readings. With incidence
/// embeddings (columns of D^1/2 A) the inner products are the Hebbian graph itself, and each score a
/// spreading step normalised by activity. With a precision, scores are taken over directions that are stored
/// so (core/single_precision/float_store.hpp) and differ by at most 2 d 2^-24, as bf16 by another 2^-8: for
/// very many concepts, where reading the rows is what takes the time.
struct ConceptAttentionRetriever {
  double beta = 8;
  Regulariser map = SimplexMap::softmax;
  EmbeddingSpec embedding = {};
  /// Errors  OptionError for a file of vectors that is wrong
  Recall recall(const MemoryIndex& memory, const Cue& cue) const try {
    const Vector of_holders = memory.of_holders(similarity(memory, cue.activation));
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
  AnyExplainer explain(const MemoryIndex& memory, const Cue& cue, const Recall& recall) const;
  void check() const { check_embedding(embedding); }
  static constexpr const char* no_sum =
      "similarity is a cosine of learnt or given vectors, whose directions are no concepts (with the "
      "embedding incidence it is a sum over links)";
};

// Attention to concepts, over incidence embeddings: their inner products are links.
class ConceptAttentionExplainer : public ConceptsExplainer {
 public:
  ConceptAttentionExplainer(const ConceptAttentionRetriever& retriever, const MemoryIndex& readings,
                            const Cue& cue, const Recall& recall)
      : ConceptsExplainer(readings, cue, recall),
        retriever_(retriever),
        similarity_(retriever.similarity(readings, cue.activation)) {}

  Explanation of_concept(ConceptId id) const override {
    Explanation why{recall_.concepts[id], {}, {}, {}, {}};
    why.accounts.push_back(account("weight", why.score, {{"its weight by the map (below)", why.score}}));
    const Vector holders = readings_.of_holders(similarity_);
    Index at = 0;
    for (Index i = 0; i < static_cast<Index>(id); ++i) at += readings_.activity(i) > 0 ? 1 : 0;
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
    const auto columns = readings_.links().columns_of(id);
    for (std::size_t k = 0; k < columns.size(); ++k) term(columns[k], readings_.links().values_of(id)[k]);
    term(id, readings_.activity(id));
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

AnyExplainer ConceptAttentionRetriever::explain(const MemoryIndex& memory, const Cue& cue,
                                                const Recall& recall) const {
  if (!is_of_links(embedding)) return nullptr;
  return std::make_unique<ConceptAttentionExplainer>(*this, memory, cue, recall);
}

/// The same to the concepts that are reached. Over incidence embeddings the others have similarity 0: with a map
/// that gives these nothing the weights are those of concept_attention, where all concepts hold activation to
/// the bit, else to the last digits; where the map gives all something, all are looked at. With softmax each
/// weight is one over all concepts, of which the others have similarity 0, or hold nothing: Recall::left_out tells
/// what these have at most. Over other embeddings an index (core/embeddings/concept_index.hpp) finds the nearest,
/// most of which are, and the map goes over these alone.
struct LocalConceptAttentionRetriever {
  double beta = ConceptAttentionRetriever{}.beta;
  Regulariser map = ConceptAttentionRetriever{}.map;
  EmbeddingSpec embedding = {.indexed = true};
  std::size_t neighbours = 32;  // chosen: some times what a question is given
  std::size_t looks = 256;      // chosen: nearly all of the nearest are found then
  static constexpr bool is_local = true;
  static constexpr const char* no_sum =
      "its weights are those of concept_attention, or bounds of them: explain that with the same options";
  void check() const { check_embedding(embedding); }

  /// Errors  OptionError for a file of vectors that is wrong
  Recall recall(const MemoryIndex& memory, const Cue& cue) const try {
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
    Recall recall = ConceptAttentionRetriever{beta, map, {}}.recall(memory, cue);
    recall.certificate.reset();  // which tells of similarities that others know
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
      bounds.emplace_back(weight, weight);  // with fewer others all are more in proportion
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

template <class R>
Declaration<R>& add_embedding(Declaration<R>& declared) {
  const auto of = within(&R::embedding);
  return declared
      .number("beta", &R::beta, 1e-6, 1e6, "inverse temperature: how sharply the best are preferred")
      .choice("embedding", of(&EmbeddingSpec::kind), embedding_kinds, "rows that stand for concepts")
      .whole("dimensions", of(&EmbeddingSpec::dimensions), 1, 4096,
             "of the rows, but for incidence and file; svd, laplacian: 256 at most")
      .whole("seed", of(&EmbeddingSpec::seed), 0, 9007199254740991.0,
             "of random_indexing, of what oja and sanger begin with, and of roles")
      .whole("epochs", of(&EmbeddingSpec::epochs), 0, 10000,
             "of oja and sanger: how often they see every statement")
      .yes_or_no("structure", of(&EmbeddingSpec::structure),
                 "whether compounds are embedded by their components in their roles, too")
      .text("file", of(&EmbeddingSpec::file), "of embedding file: vectors in word2vec's text format");
}

}  // namespace

Method concept_attention_method() {
  using R = ConceptAttentionRetriever;
  std::vector<NamedValue<std::optional<Precision>>> of_rows{{std::nullopt, "double"}};
  for (const auto& row : precisions) of_rows.push_back({row.value, row.name});
  Declaration<R> declared("concept_attention", "attention",
                          "attention from the cue to the concepts, over their embeddings");
  return add_embedding(declared)
      .choice("precision", within(&R::embedding)(&EmbeddingSpec::precision), of_rows,
              "of the rows as scores read them, but for incidence")
      .map(&R::map);
}

Method local_concept_attention_method() {
  using R = LocalConceptAttentionRetriever;
  Declaration<R> declared(
      "local_concept_attention", "attention",
      "concept_attention from what links reach: the same with sparse maps, a certified top "
      "with softmax; over other embeddings by an index of the nearest");
  return add_embedding(declared)
      .only_by_name()
      .whole("neighbours", &R::neighbours, 1, 1e6, "but for incidence: concepts that the index is asked for")
      .whole("looks", &R::looks, 1, 1e6, "of the index: concepts in sight while it looks for these")
      .map(&R::map)
      .support(Support::sparse);
}

}  // namespace engram::core
