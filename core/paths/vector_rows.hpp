// SPDX-License-Identifier: MIT
// Arithmetic of rows of D numbers, in registers of 16 bytes, which every processor of this kind has, or whatever
// stands for them: each number is added up in one order, so the bits are the same everywhere.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace engram::core {

template <class Real, int D>
struct VectorRows {
  using Row = std::array<Real, D>;
  using Rows = std::vector<Row>;
  /// One of the rows, by place.
  using Places = std::span<const std::uint32_t>;

  /// Sums of every eighth product (every one, where there are fewer than eight), folded in order.
  static Real inner(const Real* a, const Real* b) {
    constexpr int lanes = D < 8 ? D : 8;
    Real sums[lanes] = {};
    for (int i = 0; i < D; i += lanes)
      for (int k = 0; k < lanes; ++k) sums[k] += a[i + k] * b[i + k];
    Real all = 0;
    for (int k = 0; k < lanes; ++k) all += sums[k];
    return all;
  }

  static void add(Real* to, Real factor, const Real* from) {
    for (int i = 0; i < D; ++i) to[i] += factor * from[i];
  }

  /// to[a] += M x[b], M (D x D) by columns, for each pair of places; column after column.
  static void add_products(const Real* m, Rows& to, Places a, const Rows& x, Places b) {
    std::size_t i = 0;
    for (; i + 4 <= a.size(); i += 4) multiply<4>(m, to, a.data() + i, x, b.data() + i);
    for (; i < a.size(); ++i) multiply<1>(m, to, a.data() + i, x, b.data() + i);
  }

  /// M += y[a] x[b]', M (D x D) by columns, for each pair of places in turn.
  static void add_outer(Real* m, const Rows& y, Places a, const Rows& x, Places b) {
    std::size_t i = 0;
    for (; i + 4 <= a.size(); i += 4) outer<4>(m, y, a.data() + i, x, b.data() + i);
    for (; i < a.size(); ++i) outer<1>(m, y, a.data() + i, x, b.data() + i);
  }

  /// M'
  static std::array<Real, std::size_t{D} * D> transposed(const Real* m) {
    std::array<Real, std::size_t{D} * D> result;
    for (std::size_t i = 0; i < D; ++i)
      for (std::size_t j = 0; j < D; ++j) result[i * D + j] = m[j * D + i];
    return result;
  }

 private:
  static constexpr int lane = 16 / static_cast<int>(sizeof(Real));
  typedef Real Lane __attribute__((vector_size(16), aligned(alignof(Real)), may_alias));
  static Lane* lanes(Real* at) { return reinterpret_cast<Lane*>(at); }
  static const Lane* lanes(const Real* at) { return reinterpret_cast<const Lane*>(at); }

  // Two registers of each of N rows at a time: with those of M they are as many as there are.
  template <int N>
  static void multiply(const Real* m, Rows& to, const std::uint32_t* a, const Rows& x,
                       const std::uint32_t* b) {
    const Real* from[N];
    for (int n = 0; n < N; ++n) from[n] = x[b[n]].data();
    for (int i = 0; i < D; i += 2 * lane) {
      Lane low[N], high[N];
      for (int n = 0; n < N; ++n) {
        low[n] = *lanes(to[a[n]].data() + i);
        high[n] = *lanes(to[a[n]].data() + i + lane);
      }
      for (int j = 0; j < D; ++j) {
        const Lane first = *lanes(m + j * D + i), second = *lanes(m + j * D + i + lane);
        for (int n = 0; n < N; ++n) {
          low[n] += first * from[n][j];
          high[n] += second * from[n][j];
        }
      }
      for (int n = 0; n < N; ++n) {
        *lanes(to[a[n]].data() + i) = low[n];
        *lanes(to[a[n]].data() + i + lane) = high[n];
      }
    }
  }

  template <int N>
  static void outer(Real* m, const Rows& y, const std::uint32_t* a, const Rows& x, const std::uint32_t* b) {
    const Real* from[N];
    for (int n = 0; n < N; ++n) from[n] = x[b[n]].data();
    for (int i = 0; i < D; i += 2 * lane) {
      Lane low[N], high[N];
      for (int n = 0; n < N; ++n) {
        low[n] = *lanes(y[a[n]].data() + i);
        high[n] = *lanes(y[a[n]].data() + i + lane);
      }
      for (int j = 0; j < D; ++j) {
        Lane first = *lanes(m + j * D + i), second = *lanes(m + j * D + i + lane);
        for (int n = 0; n < N; ++n) {
          first += low[n] * from[n][j];
          second += high[n] * from[n][j];
        }
        *lanes(m + j * D + i) = first;
        *lanes(m + j * D + i + lane) = second;
      }
    }
  }
};

}  // namespace engram::core
