// SPDX-License-Identifier: MIT
// Arithmetic on rows of D numbers in SIMD registers of 16 bytes, or 32 bytes if the processor has AVX2. The
// Bellman-Ford network uses it for its vectors. The order of sums is fixed and multiply-adds are not fused, so all
// processors give the same bits.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

namespace engram::core {

/// Functions on rows of D numbers of type Real, which give the same bits on every processor.
template <class Real, int D>
struct VectorRows {
  using Row = std::array<Real, D>;
  using Rows = std::vector<Row>;
  /// List of indices of rows.
  using Places = std::span<const std::uint32_t>;

  /// Returns the inner product of two rows: eight partial sums of every eighth product (D sums if D < 8), added in
  /// order.
  static Real inner(const Real* a, const Real* b) {
    constexpr int lanes = D < 8 ? D : 8;
    Real sums[lanes] = {};
    for (int i = 0; i < D; i += lanes)
      for (int k = 0; k < lanes; ++k) sums[k] += a[i + k] * b[i + k];
    Real all = 0;
    for (int k = 0; k < lanes; ++k) all += sums[k];
    return all;
  }

  /// Adds a multiple of one row to another: to += factor * from, D numbers each.
  static void add(Real* to, Real factor, const Real* from) {
    for (int i = 0; i < D; ++i) to[i] += factor * from[i];
  }

  /// Whether the processor has AVX2. If not, the argument `wide` of the functions below must be false.
#if defined(__x86_64__)
  static bool has_wide() {
    static const bool found = __builtin_cpu_supports("avx2") != 0;
    return found;
  }
#else
  static bool has_wide() { return false; }
#endif

  /// Multiplies many rows by a matrix: to[a[i]] += M x[b[i]] for each i, with M (D, D) stored by columns. Sums are in
  /// the order of columns.
  static void add_products(const Real* m, Rows& to, Places a, const Rows& x, Places b,
                           bool wide = has_wide()) {
    wide ? multiply_wide(m, to, a, x, b) : multiply_all<16>(m, to, a, x, b);
  }

  /// Adds many outer products to a matrix: M += y[a[i]] x[b[i]]' for each i in order, with M (D, D) stored by columns.
  static void add_outer(Real* m, const Rows& y, Places a, const Rows& x, Places b, bool wide = has_wide()) {
    wide ? outer_wide(m, y, a, x, b) : outer_all<16>(m, y, a, x, b);
  }

  /// Returns the transposed matrix of M (D, D), both stored by columns.
  static std::array<Real, std::size_t{D} * D> transposed(const Real* m) {
    std::array<Real, std::size_t{D} * D> result;
    for (std::size_t i = 0; i < D; ++i)
      for (std::size_t j = 0; j < D; ++j) result[i * D + j] = m[j * D + i];
    return result;
  }

 private:
#if defined(__x86_64__)
#define ENGRAM_WIDE gnu::target("avx2")
  static constexpr int wide_bytes = D * sizeof(Real) >= 64 ? 32 : 16;
#else
#define ENGRAM_WIDE gnu::hot
  static constexpr int wide_bytes = 16;
#endif

  [[ENGRAM_WIDE]] static void multiply_wide(const Real* m, Rows& to, Places a, const Rows& x, Places b) {
    multiply_all<wide_bytes>(m, to, a, x, b);
  }
  [[ENGRAM_WIDE]] static void outer_wide(Real* m, const Rows& y, Places a, const Rows& x, Places b) {
    outer_all<wide_bytes>(m, y, a, x, b);
  }
#undef ENGRAM_WIDE

  template <int Bytes>
  [[gnu::always_inline]] static void multiply_all(const Real* m, Rows& to, Places a, const Rows& x,
                                                  Places b) {
    std::size_t i = 0;
    for (; i + 4 <= a.size(); i += 4) multiply<Bytes, 4>(m, to, a.data() + i, x, b.data() + i);
    for (; i < a.size(); ++i) multiply<Bytes, 1>(m, to, a.data() + i, x, b.data() + i);
  }
  template <int Bytes>
  [[gnu::always_inline]] static void outer_all(Real* m, const Rows& y, Places a, const Rows& x, Places b) {
    std::size_t i = 0;
    for (; i + 4 <= a.size(); i += 4) outer<Bytes, 4>(m, y, a.data() + i, x, b.data() + i);
    for (; i < a.size(); ++i) outer<Bytes, 1>(m, y, a.data() + i, x, b.data() + i);
  }

  // Loads and stores by memcpy, because clang ignores the reduced alignment of a vector type in a template.
  template <int Bytes>
  struct Register {
    typedef Real Lanes __attribute__((vector_size(Bytes)));
    static constexpr int count = Bytes / static_cast<int>(sizeof(Real));
    [[gnu::always_inline]] static void load(Lanes& lanes, const Real* numbers) {
      std::memcpy(&lanes, numbers, Bytes);
    }
    [[gnu::always_inline]] static void store(Real* numbers, const Lanes& lanes) {
      std::memcpy(numbers, &lanes, Bytes);
    }
  };

  // Processes two registers of each of N rows at a time, which with M's and x's registers uses all registers.
  template <int Bytes, int N>
  [[gnu::always_inline]] static void multiply(const Real* m, Rows& to, const std::uint32_t* a, const Rows& x,
                                              const std::uint32_t* b) {
    using Lanes = typename Register<Bytes>::Lanes;
    constexpr int count = Register<Bytes>::count;
    const Real* from[N];
    for (int n = 0; n < N; ++n) from[n] = x[b[n]].data();
    for (int i = 0; i < D; i += 2 * count) {
      Lanes low[N], high[N];
      for (int n = 0; n < N; ++n) {
        Register<Bytes>::load(low[n], to[a[n]].data() + i);
        Register<Bytes>::load(high[n], to[a[n]].data() + i + count);
      }
      for (int j = 0; j < D; ++j) {
        Lanes first, second;
        Register<Bytes>::load(first, m + j * D + i);
        Register<Bytes>::load(second, m + j * D + i + count);
        for (int n = 0; n < N; ++n) {
          low[n] += first * from[n][j];
          high[n] += second * from[n][j];
        }
      }
      for (int n = 0; n < N; ++n) {
        Register<Bytes>::store(to[a[n]].data() + i, low[n]);
        Register<Bytes>::store(to[a[n]].data() + i + count, high[n]);
      }
    }
  }

  template <int Bytes, int N>
  [[gnu::always_inline]] static void outer(Real* m, const Rows& y, const std::uint32_t* a, const Rows& x,
                                           const std::uint32_t* b) {
    using Lanes = typename Register<Bytes>::Lanes;
    constexpr int count = Register<Bytes>::count;
    const Real* from[N];
    for (int n = 0; n < N; ++n) from[n] = x[b[n]].data();
    for (int i = 0; i < D; i += 2 * count) {
      Lanes low[N], high[N];
      for (int n = 0; n < N; ++n) {
        Register<Bytes>::load(low[n], y[a[n]].data() + i);
        Register<Bytes>::load(high[n], y[a[n]].data() + i + count);
      }
      for (int j = 0; j < D; ++j) {
        Lanes first, second;
        Register<Bytes>::load(first, m + j * D + i);
        Register<Bytes>::load(second, m + j * D + i + count);
        for (int n = 0; n < N; ++n) {
          first += low[n] * from[n][j];
          second += high[n] * from[n][j];
        }
        Register<Bytes>::store(m + j * D + i, first);
        Register<Bytes>::store(m + j * D + i + count, second);
      }
    }
  }
};

}  // namespace engram::core
