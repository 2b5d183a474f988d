// SPDX-License-Identifier: MIT
// Inner loops of attention in single precision, written once for 16 lanes and compiled for several instruction sets.
// The order of operations is fixed and multiply-adds are fused. Therefore all instruction sets give the same bits, and
// the program uses the fastest one of the processor.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace engram::core {

/// Number in the format bfloat16, which is the upper half of a float: 8 bits of significand and the same range.
enum class Bf16 : std::uint16_t {};

/// Returns the storage position of number i in a group of 16. In bf16, i and i + 8 are adjacent, so that one shift and
/// one mask convert all 16 to floats.
template <class Stored>
constexpr std::size_t stored_place(std::size_t i) {
  return sizeof(Stored) == sizeof(Bf16) ? i % 8 * 2 + i / 8 : i;
}

/// Instruction set for which a kernel was compiled. The bits of results do not depend on it.
enum class Instructions : std::uint8_t {
  portable,  // plain C++; slow if the processor has no fused multiply-add
  avx2,      // with FMA
  avx512,
  best,  // the widest one that the processor supports
};

inline constexpr std::size_t lane_keys = 16;    // keys in a panel; columns are padded to a multiple
inline constexpr std::size_t block_keys = 256;  // keys whose scores are computed at once
// Distance of the scores of consecutive queries. A power of two would cause conflicts in the cache.
inline constexpr std::size_t score_stride = block_keys + lane_keys;

/// Kernels for keys and values stored as float or bf16. All arithmetic is float.
template <class Stored>
struct StoredKernels {
  /// Computes the scores (inner products) of query_count queries with all keys of panel_count panels:
  ///     out[i * score_stride + key] = sum over j of queries[i * columns + j] * key_j,
  /// by fused multiply-adds in the order of j. `columns` (at least 1) is the length of a query or key. A panel holds 16
  /// keys: component j of all keys (see stored_place), then component j + 1.
  void (*scores)(const float* queries, std::size_t query_count, std::size_t columns, const Stored* panels,
                 std::size_t panel_count, float* out);
  /// Computes the weighted sum of key_count values for each of query_count queries i:
  ///     out[i * width + c] = sum over keys of weights[i * score_stride + key] * values[key * width + c],
  /// by fused multiply-adds in the order of keys. Query i has its weights, one per key, from weights[i * score_stride]
  /// on. `width` is the number of components of a value, padded to a multiple of 16.
  void (*weigh)(const float* weights, std::size_t query_count, const Stored* values, std::size_t key_count,
                std::size_t width, float* out);
  /// Adds the weighted sum of the keys of panel_count panels, if the keys are also the values, for one query:
  ///     sums[16 * j + i] += sum over panels p of weights[16 * p + i] * component j of key i of panel p,
  /// by fused multiply-adds in the order of p. The caller adds the 16 parts of each component j.
  void (*weigh_panels)(const float* weights, std::size_t columns, const Stored* panels,
                       std::size_t panel_count, float* sums);
};

/// All kernels for one instruction set.
struct FloatKernels {
  StoredKernels<float> of_float;
  StoredKernels<Bf16> of_bf16;
  /// Returns the largest of `count` scores. `count` is a multiple of 16 here and in the other kernels.
  float (*largest)(const float* scores, std::size_t count);
  /// Replaces each score s by 2^(s - largest) and returns their sum, of 16 lanes folded in halves. The power is a
  /// polynomial of degree 6 with an error of at most 1.5 units in the last place, and 0 below 2^-125.
  float (*exponentials)(float* scores, std::size_t count, float largest);
  /// Adds a partial sum to a total with two factors: sums[i] <- kept * sums[i] + share * part[i], with rounded
  /// products.
  void (*add)(double* sums, double kept, const float* part, double share, std::size_t count);
};

/// Whether the processor and the build support an instruction set.
bool available(Instructions instructions);
/// Returns the name of an instruction set in options. For `best`, returns the name of the chosen instruction set.
std::string_view name(Instructions instructions);

/// Returns the kernels for an instruction set.  Errors  std::invalid_argument if the set is not available
const FloatKernels& float_kernels(Instructions instructions);

}  // namespace engram::core
