// SPDX-License-Identifier: MIT
#include "core/index/concept_embedding.hpp"

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <thread>

#include "core/embeddings/embedding.hpp"
#include "core/embeddings/word_vectors.hpp"
#include "core/learning/principal_components.hpp"
#include "tests/core/recalled.hpp"
#include "tests/core/samples.hpp"

namespace engram::core {
namespace {

using namespace samples;

const std::vector<std::string> sentences{
    "<tim --> cat>. %1.0;0.91%",         "<tom --> cat>. %1.0;0.72%",  "<rex --> dog>. %1.0;0.83%",
    "<(*,tim,tom) --> friend>. %1;0.5%", "<cat --> animal>. %1;0.64%", "<dog --> animal>. %1.0;0.55%",
    "<(*,rex,tim) --> chases>. %1;0.4%"};

EmbeddingSpec spec_of(EmbeddingKind kind, int dimensions = 5) { return {kind, dimensions, 3, 4}; }

// A recall by concept attention over an embedding.
Recall recalled(const EmbeddingSpec& spec, const MemoryIndex& index, const Cue& cue) {
  Options options{{"embedding", std::string(name_of(embedding_kinds, spec.kind))},
                  {"dimensions", static_cast<double>(spec.dimensions)},
                  {"seed", static_cast<double>(spec.seed)},
                  {"epochs", static_cast<double>(spec.epochs)},
                  {"structure", spec.structure ? "yes" : "no"},
                  {"file", spec.file}};
  if (spec.precision) options["precision"] = std::string(name_of(core::precisions, *spec.precision));
  return samples::recalled("concept_attention", options, index, cue);
}

TEST_CASE("embeddings have unique names, and incidence is the first", "[concept_embedding]") {
  std::set<std::string_view> names;
  for (const EmbeddingFacts& facts : embedding_kinds) {
    CHECK(names.insert(facts.name).second);
    CHECK(value_named(embedding_kinds, facts.name) == facts.value);
    CHECK_FALSE(facts.meaning.empty());
  }
  CHECK(names.size() == 7);
  CHECK(embedding_kinds.front().value == EmbeddingKind::incidence);
  CHECK_FALSE(value_named(embedding_kinds, "Oja"));
  CHECK_FALSE(value_named(embedding_kinds, ""));
}

TEST_CASE("each kind of embedding equals the result of its library function", "[concept_embedding]") {
  const Memory memory = told(sentences);
  const MemoryIndex r(memory);
  const auto plain = [&](EmbeddingKind kind) { return embed(r, spec_of(kind)); };
  CHECK(plain(EmbeddingKind::random_indexing) == random_indexing(r.episodes(), 5, 5, 3));
  CHECK(embed(r, spec_of(EmbeddingKind::random_indexing, 32)) == random_indexing(r.episodes(), 32, 8, 3));
  CHECK(plain(EmbeddingKind::svd) == truncated_svd(r.links(), r.activity(), 5));
  CHECK(plain(EmbeddingKind::laplacian) == laplacian_embedding(r.links(), 5));
  for (const bool oja : {true, false}) {
    const Matrix w = learn_components(r.episodes(), r.evidence(),
                                      oja ? ComponentRule::oja : ComponentRule::sanger, 5, {4, 0.5, 3});
    CHECK(plain(oja ? EmbeddingKind::oja : EmbeddingKind::sanger) ==
          component_embedding(w, r.episodes(), r.evidence()));
  }
  EmbeddingSpec structured = spec_of(EmbeddingKind::svd);
  structured.structure = true;
  CHECK(embed(r, structured) == composed(r.terms(), truncated_svd(r.links(), r.activity(), 5), 3));
}

TEST_CASE("incidence embeddings have the Hebbian graph as inner products", "[concept_embedding]") {
  const Memory memory = told(sentences);
  const MemoryIndex r(memory);
  const Matrix x = embed(r, spec_of(EmbeddingKind::incidence));
  CHECK(x.cols() == r.statements());
  const Matrix w = dense(r.links()) + Matrix(r.activity().asDiagonal());
  CHECK(distance(Matrix(x * x.transpose()), w) < 1e-14);
  // With all dimensions, the SVD gives the same attention as incidence vectors.
  Memory asked = told(sentences);
  const Cue cue = cue_for(asked, term(asked, "<tim --> ?1>"));
  CHECK(distance(recalled({}, r, cue).concepts, recalled(spec_of(EmbeddingKind::svd, 64), r, cue).concepts) <
        1e-12);
}

TEST_CASE("concept attention recalls over every embedding, with and without structure",
          "[concept_embedding]") {
  Memory memory = told(sentences, {0, {true, true}, {}});
  const MemoryIndex r(memory);
  const Cue cue = cue_for(memory, term(memory, "tim"));
  for (const EmbeddingFacts& facts : embedding_kinds)
    for (const bool structure : {false, true}) {
      if (facts.value == EmbeddingKind::file) continue;
      EmbeddingSpec spec = spec_of(facts.value, 16);
      spec.structure = structure;
      const Recall recall = recalled(spec, r, cue);
      INFO(facts.name);
      CHECK(recall.concepts.whole().allFinite());
      CHECK(recall.concepts.whole().minCoeff() >= 0);
      CHECK(std::abs(recall.concepts.whole().sum() - 1) < 1e-12);
      CHECK(recall.concepts[concept_of(memory, "tim")] == recall.concepts.whole().maxCoeff());
    }
}

TEST_CASE("scores in single precision or bf16 change a recall by at most the stated error",
          "[concept_embedding]") {
  Memory memory = told(sentences);
  const MemoryIndex r(memory);
  const Cue cue = cue_for(memory, term(memory, "<tim --> ?1>"));
  const double beta = 8, dimensions = 5;
  for (const auto& [precision, storing] :
       {std::pair(Precision::float32, 0.0), std::pair(Precision::bf16, std::ldexp(1, -8))}) {
    EmbeddingSpec spec = spec_of(EmbeddingKind::svd);
    const Vector exact = recalled(spec, r, cue).concepts;
    spec.precision = precision;
    const Vector rounded = recalled(spec, r, cue).concepts;
    CHECK(rounded != exact);
    const double score_error = 2 * dimensions * std::ldexp(1, -24) + storing;
    CHECK((rounded.array() / exact.array() - 1).abs().maxCoeff() < std::expm1(2 * beta * score_error));
  }
}

TEST_CASE("incidence embeddings reject another precision, unless they have structure",
          "[concept_embedding]") {
  EmbeddingSpec spec = spec_of(EmbeddingKind::incidence);
  spec.precision = Precision::bf16;
  std::string_view option;
  CHECK_FALSE(broken_rule(spec, option).empty());
  CHECK(option == "precision");
  spec.structure = true;
  CHECK(broken_rule(spec, option).empty());
}

TEST_CASE("structure changes a recall, also over incidence embeddings", "[concept_embedding]") {
  Memory memory = told(sentences, {0, {true, true}, {}});
  const MemoryIndex r(memory);
  const Cue cue = cue_for(memory, term(memory, "<tim --> cat>"));
  for (const auto kind : {EmbeddingKind::incidence, EmbeddingKind::svd}) {
    EmbeddingSpec spec = spec_of(kind);
    const Vector plain = recalled(spec, r, cue).concepts;
    spec.structure = true;
    CHECK(distance(recalled(spec, r, cue).concepts, plain) > 1e-3);
  }
}

TEST_CASE("with structure an embedding depends on the order within a statement", "[concept_embedding]") {
  // The two statements have the same evidence and concepts, so co-activation cannot distinguish them.
  Memory memory = told({"<<a --> b> ==> <b --> a>>.", "<c --> d>."}, {0, {true, true}, {}});
  const MemoryIndex r(memory);
  EmbeddingSpec spec = spec_of(EmbeddingKind::random_indexing, 256);
  const auto forth = concept_of(memory, "<a --> b>"), back = concept_of(memory, "<b --> a>");
  const Matrix plain = embed(r, spec);
  CHECK(plain.row(forth) == plain.row(back));
  spec.structure = true;
  const Matrix structured = embed(r, spec);
  CHECK(structured.row(forth).normalized().dot(structured.row(back).normalized()) < 0.9);
}

TEST_CASE("the order of input does not change a recall over spectral embeddings", "[concept_embedding]") {
  Memory memory = told(sentences), other = told({sentences.rbegin(), sentences.rend()});
  const MemoryIndex a(memory), b(other);
  const auto cue = [](Memory& m) { return cue_for(m, term(m, "<tim --> ?1>")); };
  for (const auto kind : {EmbeddingKind::incidence, EmbeddingKind::svd, EmbeddingKind::laplacian}) {
    const EmbeddingSpec spec = spec_of(kind, 3);
    const Vector first = recalled(spec, a, cue(memory)).concepts;
    const Vector second = recalled(spec, b, cue(other)).concepts;
    for (const char* name : {"tim", "tom", "cat", "rex", "dog", "animal", "friend", "chases"})
      CHECK(std::abs(first[concept_of(memory, name)] - second[concept_of(other, name)]) < 1e-11);
  }
}

TEST_CASE("an embedding is computed once for each index and version", "[concept_embedding]") {
  Memory memory = told(sentences);
  MemoryIndex r(memory);
  const auto svd = embedded(r, spec_of(EmbeddingKind::svd));
  CHECK(embedded(r, spec_of(EmbeddingKind::svd)) == svd);
  CHECK(embedded(r, spec_of(EmbeddingKind::svd, 4)) != svd);
  CHECK(embedded(r, spec_of(EmbeddingKind::laplacian)) != svd);
  CHECK(embedded(r, spec_of(EmbeddingKind::svd)) == svd);
  for (Index i = 0; i < r.concepts(); ++i) CHECK(svd->lengths[i] == Approx(svd->rows.row(i).norm()));
  const MemoryIndex other(memory);
  CHECK(embedded(other, spec_of(EmbeddingKind::svd)) != svd);
  CHECK(embedded(other, spec_of(EmbeddingKind::svd))->rows == svd->rows);

  // An embedding that is computed after an input contains the new statement.
  const EmbeddingSpec spec = spec_of(EmbeddingKind::svd, 16);
  const Cue cue = cue_for(memory, term(memory, "rex"));
  const Vector before = recalled(spec, r, cue).concepts;
  say(memory, "<rex --> cat>.");
  r.catch_up();
  const Cue new_cue = cue_for(memory, term(memory, "rex"));
  const Vector after = recalled(spec, r, new_cue).concepts;
  CHECK(after[concept_of(memory, "cat")] > before[concept_of(memory, "cat")] * 1.5);
  CHECK(after == recalled(spec, MemoryIndex(memory), new_cue).concepts);
}

TEST_CASE("the cache evicts the least recently used embeddings", "[concept_embedding]") {
  const EmbeddingCache cache(20);
  int made = 0;
  const auto get = [&](int which, Index numbers) {
    cache.get(spec_of(EmbeddingKind::svd, which), [&] {
      ++made;
      return Matrix(Matrix::Ones(numbers, 1));
    });
    return made;
  };
  CHECK(get(1, 10) == 1);
  CHECK(get(2, 10) == 2);
  CHECK(get(1, 10) == 2);
  CHECK(get(3, 5) == 3);  // evicts 2, the least recently used
  CHECK(get(1, 10) == 3);
  CHECK(get(3, 5) == 3);
  CHECK(get(2, 10) == 4);
  CHECK(get(4, 1000) == 5);  // larger than the cache, so all others are evicted
  CHECK(get(4, 1000) == 5);
  CHECK(get(3, 5) == 6);
  EmbeddingCache assigned(7);
  assigned = cache;
  assigned.get(spec_of(EmbeddingKind::svd, 3), [&] {
    ++made;
    return Matrix(1, 1);
  });
  CHECK(made == 7);  // an assigned cache starts without entries
}

TEST_CASE("the cache keeps no failed embedding, and threads share a computation", "[concept_embedding]") {
  const EmbeddingCache cache;
  const EmbeddingSpec spec;
  CHECK_THROWS_AS(cache.get(spec, []() -> Matrix { throw std::runtime_error("no"); }), std::runtime_error);
  int made = 0;
  std::vector<std::shared_ptr<const Embedding>> found(4);
  std::vector<std::thread> threads;
  for (auto& place : found)
    threads.emplace_back([&] {
      place = cache.get(spec, [&] {
        ++made;
        return Matrix(Matrix::Ones(2, 2));
      });
    });
  for (auto& thread : threads) thread.join();
  CHECK(made == 1);
  for (const auto& embedding : found) CHECK(embedding == found[0]);
}

TEST_CASE("vectors of a file become rows of the concepts that they name", "[concept_embedding]") {
  Memory memory = told(sentences);
  const MemoryIndex r(memory);
  const auto path = std::filesystem::temp_directory_path() /
                    ("engram_vectors_" + std::to_string(reinterpret_cast<std::uintptr_t>(&memory)) + ".txt");
  const EmbeddingSpec spec{.kind = EmbeddingKind::file, .file = path.string()};
  std::ofstream(path) << "4 2\ntim 1 0\ntom 1 1e-200\nrex 0 1\nunheard 1 1\n";
  const Cue cue = cue_for(memory, term(memory, "tim"));
  const Recall recall = recalled(spec, r, cue);
  const auto of = [&](const char* name) { return recall.concepts[concept_of(memory, name)]; };
  CHECK(of("tim") == of("tom"));
  CHECK(of("rex") == of("cat"));  // rex is orthogonal to tim and cat has no vector, so both have cosine 0
  CHECK(std::log(of("tim") / of("rex")) == Approx(8));
  // The length of vectors does not change angles.
  for (const char* size : {"1e100", "1e-300"}) {
    std::ofstream(path) << "tim " << size << " 0\ntom " << size << " 1e-310\nrex 0 " << size << "\n";
    const Vector again = recalled(spec, MemoryIndex(memory), cue).concepts;
    CHECK(distance(again, recall.concepts) < 1e-9);
  }
  std::ofstream(path) << "tim 1 x\n";
  CHECK_NOTHROW(embedded(r, spec));  // cached before the file changed
  CHECK_THROWS_AS(embedded(MemoryIndex(memory), spec), WordVectorError);
  std::filesystem::remove(path);
}

TEST_CASE("embeddings reject invalid specs and excessive sizes", "[concept_embedding]") {
  const Memory memory = told(sentences);
  const MemoryIndex r(memory);
  const auto refused = [&](EmbeddingSpec spec, std::string_view field) {
    std::string_view option;
    CHECK_FALSE(broken_rule(spec, option).empty());
    CHECK(option == field);
    CHECK_INVALID(embed(r, spec));
  };
  refused(spec_of(EmbeddingKind::svd, 257), "dimensions");
  refused(spec_of(EmbeddingKind::laplacian, 257), "dimensions");
  refused(spec_of(EmbeddingKind::oja, 0), "dimensions");
  refused({EmbeddingKind::sanger, 4, 1, -1}, "epochs");
  refused({EmbeddingKind::file}, "file");
  CHECK_INVALID(embed(r, {EmbeddingKind::sanger, 256, 1, 1'000'000'000}));
  CHECK_INVALID(embed(r, {EmbeddingKind::random_indexing, 1 << 30}));
  const Memory nothing;
  for (const EmbeddingFacts& facts : embedding_kinds)
    if (facts.value != EmbeddingKind::file)
      CHECK(embed(MemoryIndex(nothing), spec_of(facts.value)).rows() == 0);
}

TEST_CASE("decay does not change a recall over embeddings", "[concept_embedding]") {
  Memory memory = told(sentences, {0.5, {}, {}});
  const Cue cue = cue_for(memory, term(memory, "<tim --> ?1>"));
  MemoryIndex index(memory);
  const auto recalls = [&] {
    std::vector<Vector> all;
    for (const auto kind : {EmbeddingKind::svd, EmbeddingKind::laplacian, EmbeddingKind::sanger})
      all.push_back(recalled(spec_of(kind, 3), index, cue).concepts);
    return all;
  };
  const auto fresh = recalls();
  memory.advance(1000);
  index.catch_up();
  const auto faded = recalls();
  for (std::size_t k = 0; k < fresh.size(); ++k) CHECK(distance(fresh[k], faded[k]) < 1e-9);
}

}  // namespace
}  // namespace engram::core
