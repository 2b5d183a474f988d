// SPDX-License-Identifier: MIT
#include "experiments/benchmarks/key_peers.hpp"

#ifdef ENGRAM_FAISS
#include <faiss/IndexFlat.h>
#endif
#include <hnswlib/hnswlib.h>

#include <numeric>
#include <vector>

namespace engram::benchmarks {
namespace {

#ifdef ENGRAM_FAISS
class FlatFaiss final : public KeyPeer {
 public:
  explicit FlatFaiss(FloatRows keys) : index_(static_cast<int>(keys.columns)) {
    index_.add(keys.rows, keys.numbers);
  }

  double best(std::span<const float> query, std::size_t most) override {
    std::vector<float> found(most);
    std::vector<faiss::Index::idx_t> keys(most);
    index_.search(1, query.data(), static_cast<faiss::Index::idx_t>(most), found.data(), keys.data());
    return std::accumulate(keys.begin(), keys.end(), 0.0) + std::accumulate(found.begin(), found.end(), 0.0);
  }

 private:
  faiss::IndexFlatIP index_;
};
#endif

class BruteForce final : public KeyPeer {
 public:
  explicit BruteForce(FloatRows keys)
      : space_(static_cast<std::size_t>(keys.columns)), index_(&space_, static_cast<std::size_t>(keys.rows)) {
    for (std::ptrdiff_t i = 0; i < keys.rows; ++i)
      index_.addPoint(keys.numbers + i * keys.columns, static_cast<hnswlib::labeltype>(i));
  }

  double best(std::span<const float> query, std::size_t most) override {
    double sum = 0;  // its distance is 1 minus the product
    for (auto found = index_.searchKnn(query.data(), most); !found.empty(); found.pop())
      sum += static_cast<double>(found.top().second) + (1 - double{found.top().first});
    return sum;
  }

 private:
  hnswlib::InnerProductSpace space_;
  hnswlib::BruteforceSearch<float> index_;
};

}  // namespace

#ifdef ENGRAM_FAISS
std::unique_ptr<KeyPeer> flat_faiss(FloatRows keys) { return std::make_unique<FlatFaiss>(keys); }
#endif
std::unique_ptr<KeyPeer> brute_force_hnswlib(FloatRows keys) { return std::make_unique<BruteForce>(keys); }

}  // namespace engram::benchmarks
