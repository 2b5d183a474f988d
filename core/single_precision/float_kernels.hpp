// SPDX-License-Identifier: MIT
// The inner loops of attention in single precision, written once for 16 lanes and compiled for several sets
// of instructions. Every number is defined by its order of operations, multiply-adds being fused, so that all
// sets give the same bits and the program may take the fastest that the processor has.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace engram::core {

/// The upper half of a float: 8 bits of significand, the same range.
enum class Bf16 : std::uint16_t {};

/// Where number i of 16 beside each other is stored. Of bf16, i and i + 8 come in pairs, so that one shift
/// and one mask make floats of all.
template <class Stored>
constexpr std::size_t stored_place(std::size_t i) {
  return sizeof(Stored) == sizeof(Bf16) ? i % 8 * 2 + i / 8 : i;
}

/// Which instructions are taken; the bits are the same.
enum class Instructions : std::uint8_t {
  portable,  // C++ alone; where the processor has no fused multiply-add, slow but the same
  avx2,      // with FMA
  avx512,
  best,  // the last of these that the processor has
};

inline constexpr std::size_t lane_keys = 16;    // keys side by side in a panel, columns padded to a multiple
inline constexpr std::size_t block_keys = 256;  // keys whose scores are held at once
// From one query's scores to the next's; were it a power of two, they would compete for places in a cache.
inline constexpr std::size_t score_stride = block_keys + lane_keys;

/// For floats or bf16 as stored; all arithmetic is float.
template <class Stored>
struct StoredKernels {
  /// out[i * score_stride + key] = sum over j of queries[i * columns + j] * key_j, one fused multiply-add
  /// after another in the order of j; columns >= 1. A panel holds 16 keys, component j of all (see
  /// stored_place) before j + 1.
  void (*scores)(const float* queries, std::size_t query_count, std::size_t columns, const Stored* panels,
                 std::size_t panel_count, float* out);
  /// out[i * width + c] = sum over keys of weights[i * score_stride + key] * values[key * width + c], one
  /// fused multiply-add after another in the order of keys; width is a multiple of 16.
  void (*weigh)(const float* weights, std::size_t query_count, const Stored* values, std::size_t key_count,
                std::size_t width, float* out);
  /// sums[16 * j + i] += sum over panels p of weights[16 * p + i] * component j of key i of panel p, one
  /// fused multiply-add after another in the order of p: what keys weigh that are values, too, in 16 parts.
  void (*weigh_panels)(const float* weights, std::size_t columns, const Stored* panels,
                       std::size_t panel_count, float* sums);
};

/// The inner loops of single precision, for one set of instructions.
struct FloatKernels {
  StoredKernels<float> of_float;
  StoredKernels<Bf16> of_bf16;
  /// The largest score; count is a multiple of 16, as below.
  float (*largest)(const float* scores, std::size_t count);
  /// scores <- 2^(scores - largest), whose sum is returned: 16 lanes folded in halves. The power is a
  /// polynomial of degree 6 within 1.5 units in the last place, and 0 below 2^-125.
  float (*exponentials)(float* scores, std::size_t count, float largest);
  /// sums[i] <- kept * sums[i] + share * part[i], each product rounded.
  void (*add)(double* sums, double kept, const float* part, double share, std::size_t count);
};

/// Whether the processor, and the build, has them.
bool available(Instructions instructions);
/// As an option names them.
std::string_view name(Instructions instructions);

/// Errors  std::invalid_argument for instructions that are not available
const FloatKernels& float_kernels(Instructions instructions);

}  // namespace engram::core
