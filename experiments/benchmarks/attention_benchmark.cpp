// SPDX-License-Identifier: MIT
// The program `attention_benchmark`: how fast attention over many keys is, as ratios to the bare reading of
// its memory and to other ways timed beside it in the same run.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iostream>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include <Eigen/Dense>

#include "core/attention/attention.hpp"
#include "core/numbers/parallel.hpp"
#include "core/numbers/random.hpp"
#include "core/single_precision/float_attention.hpp"
#include "experiments/benchmarks/benchmark_options.hpp"
#include "experiments/benchmarks/contest.hpp"

namespace {

using namespace engram::core;
using namespace engram::benchmarks;
using FloatMatrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

struct Sizes {
  Index keys = 1'000'000, columns = 64, batch = 64, k = 32;
  unsigned threads = 2;
  std::size_t repeats = 7;
  std::uint64_t seed = 1;
  bool in_double = false;
};

// Everything that is read: keys and values in (-1, 1), as much of each as there are columns.
struct Data {
  FloatMatrix keys, values;  // for others
  PackedKeys packed_keys, bf16_keys;
  PackedValues packed_values, bf16_values;
  Matrix double_keys, double_values;  // where asked for
  Matrix queries;
  double scale;  // so that scores spread by about 2.7, and a few keys stand out

  explicit Data(const Sizes& sizes)
      : keys(sizes.keys, sizes.columns),
        values(sizes.keys, sizes.columns),
        packed_keys(sizes.columns),
        bf16_keys(sizes.columns, Precision::bf16),
        packed_values(sizes.columns),
        bf16_values(sizes.columns, Precision::bf16),
        queries(sizes.batch, sizes.columns),
        scale(8 / std::sqrt(static_cast<double>(sizes.columns))) {
    Rng rng(sizes.seed, "attention benchmark");
    const auto number = [&] { return static_cast<float>(2 * rng.uniform() - 1); };
    for (PackedRows* rows :
         std::initializer_list<PackedRows*>{&packed_keys, &packed_values, &bf16_keys, &bf16_values})
      rows->reserve(sizes.keys);
    for (Index i = 0; i < sizes.keys; ++i) {
      for (Index j = 0; j < sizes.columns; ++j) keys(i, j) = number();
      for (Index j = 0; j < sizes.columns; ++j) values(i, j) = number();
      const std::span<const float> key(&keys(i, 0), static_cast<std::size_t>(sizes.columns));
      const std::span<const float> value(&values(i, 0), static_cast<std::size_t>(sizes.columns));
      packed_keys.push_back(key);
      bf16_keys.push_back(key);
      packed_values.push_back(value);
      bf16_values.push_back(value);
    }
    for (double& q : queries.reshaped()) q = static_cast<double>(number());
    if (sizes.in_double) {
      double_keys = keys.cast<double>();
      double_values = values.cast<double>();
    }
  }
};

// The bare reading of memory: sums in 64 lanes, which any compiler turns into wide instructions. Whether it
// pays to ask for memory ahead depends on the processor, so the limit is the faster of the two ways.
template <bool ask_ahead>
float read_numbers(std::span<const float> numbers) {
  constexpr std::size_t lanes = 64, ahead = 256;
  float sums[lanes] = {};
  for (std::size_t i = 0; i + lanes <= numbers.size(); i += lanes) {
    if constexpr (ask_ahead)
      for (std::size_t j = 0; j < lanes; j += 16) __builtin_prefetch(numbers.data() + i + ahead + j);
    for (std::size_t lane = 0; lane < lanes; ++lane) sums[lane] += numbers[i + lane];
  }
  float total = 0;
  for (const float sum : sums) total += sum;
  return total;
}

// All rows, each in as many parts as there are threads.
double read_once(const std::vector<const PackedRows*>& all, bool ask_ahead, unsigned threads) {
  std::vector<double> sums(all.size() * threads);
  for_each_task(sums.size(), threads, [&](std::size_t task, unsigned) {
    const PackedRows& rows = *all[task / threads];
    const std::size_t part = task % threads, count = rows.bytes() / sizeof(float);
    const std::span<const float> numbers(rows.from_row<float>(0), count);
    const auto own =
        numbers.subspan(count * part / threads, count * (part + 1) / threads - count * part / threads);
    sums[task] = double{ask_ahead ? read_numbers<true>(own) : read_numbers<false>(own)};
  });
  return std::accumulate(sums.begin(), sums.end(), 0.0);
}

// The usual way with a library for matrices: all scores, their exponentials, then the values.
Matrix attend_by_eigen(const Data& data, Index batch) {
  const FloatMatrix queries = (data.queries.topRows(batch) * data.scale).cast<float>();
  FloatMatrix weights(batch, data.keys.rows());
  weights.noalias() = queries * data.keys.transpose();
  for (Index i = 0; i < batch; ++i) {
    weights.row(i) = (weights.row(i).array() - weights.row(i).maxCoeff()).exp();
    weights.row(i) /= weights.row(i).sum();
  }
  FloatMatrix out(batch, data.values.cols());
  out.noalias() = weights * data.values;
  return out.cast<double>();
}

double total(const Matrix& answers) { return answers.sum(); }

double total(const std::vector<ScoredKey>& best) {
  double sum = 0;
  for (const ScoredKey& key : best) sum += static_cast<double>(key.key) + static_cast<double>(key.score);
  return sum;
}

// The first contestants, to which the ratios refer.
constexpr std::size_t read_both = 0, read_keys = 2, by_eigen = 4, batch_by_eigen = 5, softly = 6,
                      batch_softly = 7;

std::vector<Contestant> contestants_for(const Data& data, const Sizes& sizes) {
  const auto attend_packed = [&data](Index batch, const Regulariser& map, unsigned threads) {
    return [&data, batch, map, threads] {
      return total(attend(data.packed_keys, data.packed_values, data.queries.topRows(batch), data.scale, map,
                          {.threads = threads}));
    };
  };
  const auto attend_bf16 = [&data](Index batch, unsigned threads) {
    return [&data, batch, threads] {
      return total(attend(data.bf16_keys, data.bf16_values, data.queries.topRows(batch), data.scale,
                          SimplexMap::softmax, {.threads = threads}));
    };
  };
  const auto best = [&data, &sizes](const PackedKeys& keys, unsigned threads) {
    return [&data, &sizes, &keys, threads] {
      return total(top_k(keys, data.queries.row(0).transpose(), sizes.k, {.threads = threads}));
    };
  };
  const auto reading = [](std::initializer_list<const PackedRows*> rows, bool ask_ahead, unsigned threads) {
    return [all = std::vector<const PackedRows*>(rows), ask_ahead, threads] {
      return read_once(all, ask_ahead, threads);
    };
  };
  const Index one = 1, batch = sizes.batch;
  const std::string many = std::to_string(batch) + " queries", top = "top " + std::to_string(sizes.k);
  std::vector<Contestant> all{
      {"read K and V once", 1, one, reading({&data.packed_keys, &data.packed_values}, false, 1)},
      {"read K and V once, asking ahead", 1, one, reading({&data.packed_keys, &data.packed_values}, true, 1)},
      {"read K once", 1, one, reading({&data.packed_keys}, false, 1)},
      {"read K once, asking ahead", 1, one, reading({&data.packed_keys}, true, 1)},
      {"Eigen, one query", 1, one, [&] { return total(attend_by_eigen(data, 1)); }},
      {"Eigen, " + many, 1, batch, [&, batch] { return total(attend_by_eigen(data, batch)); }},
      {"softmax, one query", 1, one, attend_packed(one, SimplexMap::softmax, 1)},
      {"softmax, " + many, 1, batch, attend_packed(batch, SimplexMap::softmax, 1)},
      {"softmax, one query, bf16", 1, one, attend_bf16(one, 1)},
      {"sparsemax, one query", 1, one, attend_packed(one, SimplexMap::sparsemax, 1)},
      {"entmax 1.5, one query", 1, one, attend_packed(one, SimplexMap::entmax, 1)},
      {"softmax, " + many + ", bf16", 1, batch, attend_bf16(batch, 1)},
      {top, 1, one, best(data.packed_keys, 1)},
      {top + ", bf16", 1, one, best(data.bf16_keys, 1)},
  };
  if (sizes.in_double)
    all.push_back(
        {"core/attention/attention.hpp in double, one query", 1, one, [&] {
           return total(
               attend(data.queries.topRows(1), data.double_keys, data.double_values, data.scale).output);
         }});
  if (sizes.threads > 1) {
    const unsigned threads = sizes.threads;
    const std::string with = ", " + std::to_string(threads) + " threads";
    all.push_back({"read K and V once" + with, threads, one,
                   reading({&data.packed_keys, &data.packed_values}, false, threads)});
    all.push_back(
        {"softmax, one query" + with, threads, one, attend_packed(one, SimplexMap::softmax, threads)});
    all.push_back({"softmax, one query, bf16" + with, threads, one, attend_bf16(one, threads)});
    all.push_back(
        {"softmax, " + many + with, threads, batch, attend_packed(batch, SimplexMap::softmax, threads)});
    all.push_back({top + with, threads, one, best(data.packed_keys, threads)});
  }
  return all;
}

void print_table(const std::vector<Contestant>& all) {
  const auto faster = [&](std::size_t i) {
    return std::min(seconds_apiece(all[i]), seconds_apiece(all[i + 1]));
  };
  std::printf("%-42s %13s %15s %12s %10s\n", "contestant", "x read K, V", "x read K alone", "x softmax, 1",
              "x Eigen");
  for (const Contestant& c : all) {
    const double seconds = seconds_apiece(c);
    std::printf("%-42s %13.2f %15.2f %12.2f %10.2f\n", c.name.c_str(), faster(read_both) / seconds,
                faster(read_keys) / seconds, seconds_apiece(all[softly]) / seconds,
                seconds_apiece(all[c.pieces == 1 ? by_eigen : batch_by_eigen]) / seconds);
  }
}

// Whether two contestants answered alike: their sums over all answers, each within 1e-4.
bool agree(const Contestant& a, const Contestant& b, Index columns) {
  const double allowed = 1e-4 * static_cast<double>(a.pieces * columns);
  if (std::abs(*a.result - *b.result) <= allowed) return true;
  std::cerr << a.name << " and " << b.name << " answer differently\n";
  return false;
}

// The share of keys with a weight above 0.
double support_share(const Data& data) {
  const Vector p =
      apply(SimplexMap::sparsemax, scores(data.packed_keys, data.queries.row(0).transpose(), data.scale));
  return static_cast<double>((p.array() > 0).count()) / static_cast<double>(p.size());
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Times attention in single precision beside others on random keys.", "attention_benchmark");
  Sizes sizes;
  constexpr int a_lot = 100'000'000;
  add_option(app, "--keys", sizes.keys, "Keys, and as many values", 1, a_lot);
  add_option(app, "--columns", sizes.columns, "Numbers in a key, and in a value", 1, 65536);
  add_option(app, "--batch", sizes.batch, "Queries together", 1, 4096);
  add_option(app, "--top", sizes.k, "The best so many keys", 1, a_lot);
  add_option(app, "--threads", sizes.threads, "For the last rows; 1: leave them out", 1, 256);
  add_option(app, "--repeats", sizes.repeats, "Rounds; the median counts", 1, 1'000'000);
  app.add_option("--seed", sizes.seed, "The numbers follow from it")->capture_default_str();
  app.add_flag("--double", sizes.in_double, "Time attention in double, too");
  app.footer(
      "Exit codes: 0 done, 1 a contestant answered differently from another, or in another round, 2 wrong "
      "usage.\n"
      "Example:\n  attention_benchmark --keys 100000 --repeats 15");
  if (const auto code = exit_code(app, argc, argv)) return *code;
  Eigen::setNbThreads(1);
  const Data data(sizes);
  std::printf("== %lld keys and values of %lld columns, %s; support of sparsemax %.4f %%\n",
              static_cast<long long>(sizes.keys), static_cast<long long>(sizes.columns),
              std::string(name(Instructions::best)).c_str(), 100 * support_share(data));
  std::vector<Contestant> contestants = contestants_for(data, sizes);
  if (!measure(contestants, sizes.repeats)) return 1;
  if (!agree(contestants[by_eigen], contestants[softly], sizes.columns) ||
      !agree(contestants[batch_by_eigen], contestants[batch_softly], sizes.columns))
    return 1;
  print_table(contestants);
  std::printf(
      "Queries in a time, as ratios to the faster reading of the memory (as floats) and to others. Median of "
      "%zu;\n"
      "CPU time of one thread, that of the clock for more. Only ratios carry over to another machine.\n",
      sizes.repeats);
  return 0;
}
