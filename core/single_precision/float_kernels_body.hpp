// SPDX-License-Identifier: MIT
// Implementation of core/single_precision/float_kernels.hpp over a type of 16 lanes, which the including file defines.
// Files that are compiled for special instructions include this header. Everything in it must have internal linkage.
// Otherwise the linker could choose the copy with special instructions, which crashes on other processors.
#pragma once

#include "core/single_precision/float_kernels.hpp"

namespace engram::core {
namespace {

// Tile of panels or keys that all groups of queries process while it is in the L1 cache; chosen by experiment.
constexpr std::size_t step_panels = 2, step_keys = 64;
// Number of 16-lane sums per query that fit in the registers, for Q queries.
template <class Lanes, int Q>
constexpr int beside = Lanes::sums / Q < 1 ? 1 : (Lanes::sums / Q > 4 ? 4 : Lanes::sums / Q);

// Whether a kernel prefetches. A single query is limited by memory. The hardware prefetcher keeps up with floats, and
// prefetching them slows the kernel down. It does not keep up with bf16, so these are prefetched. Chosen by experiment.
template <class Stored, int Q>
constexpr bool prefetches = Q == 1 && sizeof(Stored) == sizeof(Bf16);
constexpr std::size_t prefetch_distance = 1024;

template <class Stored>
void prefetch(const Stored* place, std::size_t count) {
  const char* bytes = reinterpret_cast<const char*>(place) + prefetch_distance;
  for (std::size_t i = 0; i < count * sizeof(Stored); i += 64) __builtin_prefetch(bytes + i);
}

// With many queries, each group prefetches its share of the next tile.
template <class Stored>
void prefetch_share(const Stored* next, std::size_t count, std::size_t group, std::size_t groups) {
  const char* bytes = reinterpret_cast<const char*>(next);
  const std::size_t end = count * sizeof(Stored) * (group + 1) / groups;
  for (std::size_t i = count * sizeof(Stored) * group / groups / 64 * 64; i < end; i += 64)
    __builtin_prefetch(bytes + i, 0, 2);
}

template <class Lanes, class Stored, int Q, int P>
void score_panels(const float* queries, std::size_t columns, const Stored* panels, float* out) {
  Lanes sums[Q][P];
  for (int i = 0; i < Q; ++i)
    for (int p = 0; p < P; ++p) sums[i][p] = Lanes::all(0);
  const std::size_t panel_size = lane_keys * columns;
  std::size_t j = 0;
  do {  // at least one column: a test before the loop would spill the sums from their registers
    Lanes keys[P];
    for (int p = 0; p < P; ++p) {
      const Stored* place = panels + static_cast<std::size_t>(p) * panel_size + lane_keys * j;
      if constexpr (prefetches<Stored, Q>)
        if (j % 2 == 0) prefetch(place, 2 * lane_keys);  // a cache line of 64 bytes
      keys[p] = Lanes::load(place);
    }
    for (int i = 0; i < Q; ++i) {
      const Lanes q = Lanes::all(queries[static_cast<std::size_t>(i) * columns + j]);
      for (int p = 0; p < P; ++p) sums[i][p] = Lanes::multiply_add(q, keys[p], sums[i][p]);
    }
  } while (++j < columns);
  for (int i = 0; i < Q; ++i)
    for (int p = 0; p < P; ++p)
      sums[i][p].store(out + static_cast<std::size_t>(i) * score_stride +
                       static_cast<std::size_t>(p) * lane_keys);
}

template <class Lanes, class Stored, int Q>
struct Score {
  static void run(const float* queries, std::size_t columns, const Stored* panels, std::size_t panel_count,
                  float* out) {
    constexpr int together = prefetches<Stored, Q> ? 1 : beside<Lanes, Q>;
    constexpr auto step = static_cast<std::size_t>(together);
    std::size_t p = 0;
    for (; p + step <= panel_count; p += step)
      score_panels<Lanes, Stored, Q, together>(queries, columns, panels + p * lane_keys * columns,
                                               out + p * lane_keys);
    for (; p < panel_count; ++p)
      score_panels<Lanes, Stored, Q, 1>(queries, columns, panels + p * lane_keys * columns,
                                        out + p * lane_keys);
  }
};

template <class Lanes, class Stored, int Q, int C>
void weigh_columns(const float* weights, const Stored* values, std::size_t key_count, std::size_t width,
                   float* out) {
  Lanes sums[Q][C];
  const auto place = [&](int i, int c) {
    return out + static_cast<std::size_t>(i) * width + static_cast<std::size_t>(c) * lane_keys;
  };
  for (int i = 0; i < Q; ++i)
    for (int c = 0; c < C; ++c) sums[i][c] = Lanes::load(place(i, c));
  for (std::size_t key = 0; key < key_count; ++key) {
    const Stored* row = values + key * width;
    if constexpr (prefetches<Stored, Q>) prefetch(row, static_cast<std::size_t>(C) * lane_keys);
    Lanes columns[C];
    for (int c = 0; c < C; ++c) columns[c] = Lanes::load(row + static_cast<std::size_t>(c) * lane_keys);
    for (int i = 0; i < Q; ++i) {
      const Lanes weight = Lanes::all(weights[static_cast<std::size_t>(i) * score_stride + key]);
      for (int c = 0; c < C; ++c) sums[i][c] = Lanes::multiply_add(weight, columns[c], sums[i][c]);
    }
  }
  for (int i = 0; i < Q; ++i)
    for (int c = 0; c < C; ++c) sums[i][c].store(place(i, c));
}

template <class Lanes, class Stored, int Q>
struct Weigh {
  static void run(const float* weights, const Stored* values, std::size_t key_count, std::size_t width,
                  float* out) {
    constexpr int together = beside<Lanes, Q>;
    constexpr std::size_t step = static_cast<std::size_t>(together) * lane_keys;
    std::size_t c = 0;
    for (; c + step <= width; c += step)
      weigh_columns<Lanes, Stored, Q, together>(weights, values + c, key_count, width, out + c);
    for (; c < width; c += lane_keys)
      weigh_columns<Lanes, Stored, Q, 1>(weights, values + c, key_count, width, out + c);
  }
};

// Calls Task<Lanes, Stored, n>::run for n queries, 1 <= n <= Q.
template <template <class, class, int> class Task, class Lanes, class Stored, int Q, class... Arguments>
void run_for(std::size_t queries, Arguments... arguments) {
  if constexpr (Q > 1) {
    if (queries < static_cast<std::size_t>(Q))
      return run_for<Task, Lanes, Stored, Q - 1>(queries, arguments...);
  }
  Task<Lanes, Stored, Q>::run(arguments...);
}

constexpr std::size_t least(std::size_t a, std::size_t b) { return a < b ? a : b; }

template <class Lanes, class Stored>
void scores(const float* queries, std::size_t query_count, std::size_t columns, const Stored* panels,
            std::size_t panel_count, float* out) {
  constexpr std::size_t together = Lanes::queries;
  const std::size_t groups = (query_count + together - 1) / together, panel_size = lane_keys * columns;
  const std::size_t step = groups > 1 ? step_panels : panel_count;
  for (std::size_t p = 0; p < panel_count; p += step)
    for (std::size_t group = 0; group < groups; ++group) {
      const std::size_t i = group * together;
      if (groups > 1) prefetch_share(panels + (p + step) * panel_size, step * panel_size, group, groups);
      run_for<Score, Lanes, Stored, Lanes::queries>(
          least(together, query_count - i), queries + i * columns, columns, panels + p * panel_size,
          least(step, panel_count - p), out + i * score_stride + p * lane_keys);
    }
}

template <class Lanes, class Stored>
void weigh(const float* weights, std::size_t query_count, const Stored* values, std::size_t key_count,
           std::size_t width, float* out) {
  constexpr std::size_t together = Lanes::queries;
  const std::size_t groups = (query_count + together - 1) / together;
  for (std::size_t i = 0; i < query_count * width; ++i) out[i] = 0;
  for (std::size_t key = 0; key < key_count; key += step_keys)
    for (std::size_t group = 0; group < groups; ++group) {
      const std::size_t i = group * together;
      if (groups > 1) prefetch_share(values + (key + step_keys) * width, step_keys * width, group, groups);
      run_for<Weigh, Lanes, Stored, Lanes::queries>(
          least(together, query_count - i), weights + i * score_stride + key, values + key * width,
          least(step_keys, key_count - key), width, out + i * width);
    }
}

// Panels that are weighed together. Their weights and a sum fill the registers of AVX2.
constexpr std::size_t panels_together = 4;
// Columns whose sums stay in the L1 cache while all panels are added; chosen by experiment.
constexpr std::size_t columns_together = 128;

template <class Lanes, class Stored, std::size_t P>
void add_panels(const float* weights, std::size_t column_count, const Stored* panels, std::size_t panel_size,
                float* sums) {
  Lanes weight[P];
  for (std::size_t p = 0; p < P; ++p) weight[p] = Lanes::load(weights + p * lane_keys);
  for (std::size_t at = 0; at < column_count * lane_keys; at += lane_keys) {
    Lanes sum = Lanes::load(sums + at);
    for (std::size_t p = 0; p < P; ++p)
      sum = Lanes::multiply_add(weight[p], Lanes::load(panels + p * panel_size + at), sum);
    sum.store(sums + at);
  }
}

template <class Lanes, class Stored>
void weigh_panels(const float* weights, std::size_t columns, const Stored* panels, std::size_t panel_count,
                  float* sums) {
  const std::size_t panel_size = lane_keys * columns;
  for (std::size_t first = 0; first < columns; first += columns_together) {
    const std::size_t count = least(columns_together, columns - first), at = first * lane_keys;
    std::size_t p = 0;
    for (; p + panels_together <= panel_count; p += panels_together)
      add_panels<Lanes, Stored, panels_together>(weights + p * lane_keys, count, panels + p * panel_size + at,
                                                 panel_size, sums + at);
    for (; p < panel_count; ++p)
      add_panels<Lanes, Stored, 1>(weights + p * lane_keys, count, panels + p * panel_size + at, panel_size,
                                   sums + at);
  }
}

// Reduces 16 numbers to one by folding in halves.
template <std::size_t half, class Operation>
float fold(float* lanes, Operation operation) {
  for (std::size_t i = 0; i < half; ++i) lanes[i] = operation(lanes[i], lanes[i + half]);
  if constexpr (half > 1)
    return fold<half / 2>(lanes, operation);
  else
    return lanes[0];
}

template <class Lanes>
float largest(const float* scores, std::size_t count) {
  Lanes most = Lanes::load(scores);
  for (std::size_t i = lane_keys; i < count; i += lane_keys) most = Lanes::max(most, Lanes::load(scores + i));
  float lanes[lane_keys];
  most.store(lanes);
  return fold<lane_keys / 2>(lanes, [](float a, float b) { return a > b ? a : b; });
}

// 2^x for x <= 0: x = n + r with |r| <= 1/2. Computes a minimax polynomial in r (value 1 for r = 0) and adds n to the
// bits of the exponent.
template <class Lanes>
Lanes power_of_two(Lanes x) {
  constexpr float least_power = -125;     // the result would be subnormal below this
  constexpr float to_integer = 12582912;  // 1.5 * 2^23; the sum's low bits are the rounded integer
  const Lanes within = Lanes::max(x, Lanes::all(least_power));
  const Lanes shifted = Lanes::add(within, Lanes::all(to_integer));
  const Lanes r = Lanes::subtract(within, Lanes::subtract(shifted, Lanes::all(to_integer)));
  Lanes power = Lanes::all(0x1.41fbbcp-13F);
  for (const float c :
       {0x1.5f3e54p-10F, 0x1.3b2d4cp-7F, 0x1.c6aee8p-5F, 0x1.ebfbdcp-3F, 0x1.62e430p-1F, 1.0F})
    power = Lanes::multiply_add(power, r, Lanes::all(c));
  return Lanes::zero_below(Lanes::add_to_exponent(power, shifted), x, least_power);
}

template <class Lanes>
float exponentials(float* scores, std::size_t count, float largest_score) {
  const Lanes top = Lanes::all(largest_score);
  Lanes sums = Lanes::all(0);
  for (std::size_t i = 0; i < count; i += lane_keys) {
    const Lanes power = power_of_two(Lanes::subtract(Lanes::load(scores + i), top));
    power.store(scores + i);
    sums = Lanes::add(sums, power);
  }
  float lanes[lane_keys];
  sums.store(lanes);
  return fold<lane_keys / 2>(lanes, [](float a, float b) { return a + b; });
}

template <class Lanes>  // unused parameter: the compiler vectorises this loop itself
void add(double* sums, double kept, const float* part, double share, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) sums[i] = sums[i] * kept + share * static_cast<double>(part[i]);
}

template <class Lanes>
constexpr FloatKernels kernels_of{{scores<Lanes, float>, weigh<Lanes, float>, weigh_panels<Lanes, float>},
                                  {scores<Lanes, Bf16>, weigh<Lanes, Bf16>, weigh_panels<Lanes, Bf16>},
                                  largest<Lanes>,
                                  exponentials<Lanes>,
                                  add<Lanes>};

}  // namespace
}  // namespace engram::core
