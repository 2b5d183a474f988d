// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "core/embeddings/embedding_cache.hpp"
#include "core/embeddings/word_vectors.hpp"
#include "core/maps/simplex_map.hpp"
#include "core/methods/declaration.hpp"
#include "core/methods/explanation_parts.hpp"
#include "core/numbers/numeric.hpp"
#include "core/retrieval/concept_embedding.hpp"
#include "core/single_precision/float_attention.hpp"

namespace engram::core {
namespace {

// p(beta scores) over the concepts that hold activation; 0 for the others.
Vector map_over_holders(const Readings& memory, const Regulariser& map, double beta, const Vector& scores) {
  const auto holders = memory.holders();
  Vector weights = apply(map, scores, 1.0 / beta);
  if (map.map == SimplexMap::budget) weights /= sum(weights);
  Vector out = Vector::Zero(memory.concepts());
  for (std::size_t k = 0; k < holders.size(); ++k) out[holders[k]] = weights[static_cast<Index>(k)];
  return out;
}

// cos(x_i, sum_j cue_j x_j) for incidence embeddings, whose inner products are W with its diagonal.
Vector incidence_similarity(const Readings& memory, const Vector& cue) {
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

// The same for rows that are there.
Vector embedded_similarity(const Embedding& embedding, const Vector& cue) {
  Vector query = multiply_transposed(embedding.rows, cue);
  double largest = 0;
  for (const double x : query) largest = std::max(largest, std::abs(x));
  if (largest > 0) query /= largest;  // its length has no meaning, and its square must be a double
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
  Recall recall(const Readings& memory, const Vector& cue) const try {
    const Vector of_holders = memory.of_holders(similarity(memory, cue));
    const Regulariser among = map.at_most(of_holders.size());
    Recall recall = from_concepts(memory, map_over_holders(memory, among, beta, of_holders));
    recall.iterations = 1;
    recall.certificate = certify_retrieval(among, of_holders, beta);
    return recall;
  } catch (const WordVectorError& error) {
    throw OptionError("file", std::string("option 'file': ") + error.what());
  }
  /// The cosines (n).
  Vector similarity(const Readings& memory, const Vector& cue) const {
    const bool on_links = embedding.kind == EmbeddingKind::incidence && !embedding.structure;
    return on_links ? incidence_similarity(memory, cue)
                    : embedded_similarity(*embedded(memory, embedding), cue);
  }
  AnyExplainer explain(const Readings& memory, const Cue& cue, const Recall& recall) const;
  void check() const {
    std::string_view option;
    const std::string_view rule = broken_rule(embedding, option);
    if (!rule.empty())
      throw OptionError(std::string(option), "option '" + std::string(option) + "' " + std::string(rule));
  }
  static constexpr const char* no_sum =
      "similarity is a cosine of learnt or given vectors, whose directions are no concepts (with the "
      "embedding incidence it is a sum over links)";
};

// Attention to concepts, over incidence embeddings: their inner products are links.
class ConceptAttentionExplainer : public ConceptsExplainer {
 public:
  ConceptAttentionExplainer(const ConceptAttentionRetriever& retriever, const Readings& readings,
                            const Cue& cue, const Recall& recall)
      : ConceptsExplainer(readings, cue, recall),
        retriever_(retriever),
        similarity_(retriever.similarity(readings, cue)) {}

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

AnyExplainer ConceptAttentionRetriever::explain(const Readings& memory, const Cue& cue,
                                                const Recall& recall) const {
  if (embedding.kind != EmbeddingKind::incidence || embedding.structure) return nullptr;
  return std::make_unique<ConceptAttentionExplainer>(*this, memory, cue, recall);
}

}  // namespace

Method concept_attention_method() {
  using R = ConceptAttentionRetriever;
  const auto of = within(&R::embedding);
  std::vector<NamedValue<std::optional<Precision>>> of_rows{{std::nullopt, "double"}};
  for (const auto& row : precisions) of_rows.push_back({row.value, row.name});
  return Declaration<R>("concept_attention", "attention",
                        "attention from the cue to the concepts, over their embeddings")
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
      .text("file", of(&EmbeddingSpec::file), "of embedding file: vectors in word2vec's text format")
      .choice("precision", of(&EmbeddingSpec::precision), of_rows,
              "of the rows as scores read them, but for incidence")
      .map(&R::map);
}

}  // namespace engram::core
